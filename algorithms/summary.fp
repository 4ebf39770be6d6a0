// Summaries from all entries.
//
// Summary(u, v): u is a state at the entry of a procedure, and a run from u that stays in this call (calls that it
// makes have returned) is at v. Reachable(u): some run of the program is at the entry state u. A location is reached
// when Summary leads there from a reachable entry.
//
//   Summary   = { (u, u) | u an entry } + Summary ; step + Summary ; (call ; Summary ; return)
//   Reachable = start + Reachable ; Summary ; call
//
// La Torre, Madhusudan, Parlato, PLDI 2009, section 4.1. Summaries are computed for all entries, reachable or not:
// simple, and wasteful. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

mu Summary(u: State, v: State) =
    Entry(u.loc) & u = v
  | (exists x: State. Summary(u, x) & ProgramInt(x, v))
  | (exists x: State, y: State, z: State.
      Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.loc) & Return(x, z, v));

mu Reachable(u: State) =
    Entry(u.loc) & Init(u.loc)
  | (exists x: State, y: State. Reachable(x) & Summary(x, y) & IntoCall(y, u));

query reached(p: Location) =
  Target(p) & (exists u: State, v: State. Reachable(u) & Summary(u, v) & v.loc = p);

// The proof for all that is not reached: it contains the start, and nothing leads out of it.
query invariant(u: State, v: State) = Reachable(u) & Summary(u, v);
