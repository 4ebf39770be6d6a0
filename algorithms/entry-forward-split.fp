// Summaries of reachable entries, with the return clause in two groups.
//
// As entry-forward.fp. The clause for returns joins two large relations; here each is first joined with the small
// ones that concern it: what the caller contributes (the values that the call passes, and what it keeps), and what
// the callee contributes (the values that it leaves). The groups meet in the callee's entry y, in the locations of the
// call and of the exit, and in the next state v.
//
// La Torre, Madhusudan, Parlato, PLDI 2009, section 4.2, second formula, and the appendix. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State);
input ReturnA(u: State, z: Location, v: State), ReturnB(z: State, u: Location, v: State);

mu Summary(u: State, v: State) =
    Entry(u.loc) & Init(u.loc) & u = v
  | (exists x: State. Summary(u, x) & ProgramInt(x, v))
  | (exists x: State, y: State. Summary(x, y) & IntoCall(y, u) & u = v)
  | (exists y: State, xloc: Location, zloc: Location.
      (exists x: State. Summary(u, x) & IntoCall(x, y) & ReturnA(x, zloc, v) & x.loc = xloc)
    & (exists z: State. Summary(y, z) & Exit(z.loc) & ReturnB(z, xloc, v) & z.loc = zloc));

query reached(p: Location) = Target(p) & (exists u: State, v: State. Summary(u, v) & v.loc = p);

// The proof for all that is not reached: it contains the start, and nothing leads out of it.
query invariant(u: State, v: State) = Summary(u, v);
