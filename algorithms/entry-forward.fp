// Summaries of reachable entries only.
//
// Summary(u, v): u is an entry that some run reaches, and a run from u that stays in this call is at v. A call makes
// the callee's entry reachable; otherwise as in summary.fp.
//
//   Summary = start + Summary ; step + { (u, u) | u in Summary ; call } + Summary ; (call ; Summary ; return)
//
// La Torre, Madhusudan, Parlato, PLDI 2009, section 4.2, first formula. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

mu Summary(u: State, v: State) =
    Entry(u.loc) & Init(u.loc) & u = v
  | (exists x: State. Summary(u, x) & ProgramInt(x, v))
  | (exists x: State, y: State. Summary(x, y) & IntoCall(y, u) & u = v)
  | (exists x: State, y: State, z: State.
      Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.loc) & Return(x, z, v));

query reached(p: Location) = Target(p) & (exists u: State, v: State. Summary(u, v) & v.loc = p);

// The proof for all that is not reached: it contains the start, and nothing leads out of it.
query invariant(u: State, v: State) = Summary(u, v);
