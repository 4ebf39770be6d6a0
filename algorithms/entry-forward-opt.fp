// Summaries of reachable entries, from the locations that matter.
//
// Summary(true, u, v) is the relation of entry-forward.fp as far as it is known; Summary(false, u, v) what was known
// a round earlier. A location is relevant when something new was found there in the last round. A round goes on from
// all that is known at relevant locations: steps are followed to the end (New1), calls and returns once (New2).
//
// Relevant looks at what is not yet old, so the equations are not positive: their meaning is that of the rounds, one
// after the other.
//
// La Torre, Madhusudan, Parlato, PLDI 2009, section 4.3, numbers as there. Clause 7 is printed there with the callee's
// entry paired with the caller's; what is meant, and written here, is the callee's entry paired with itself. The
// answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

mu Summary(fresh: Bool, u: State, v: State) =
    fresh & Entry(u.loc) & Init(u.loc) & u = v                                              // 1
  | Summary(true, u, v)                                                                     // 2
  | fresh & (New1(u, v) | New2(u, v));                                                      // 3

mu Relevant(p: Location) =
  exists u: State, v: State. Summary(true, u, v) & !Summary(false, u, v) & v.loc = p;       // 4

mu New1(u: State, v: State) =
    Summary(true, u, v) & Relevant(v.loc)                                                   // 5
  | (exists x: State. New1(u, x) & ProgramInt(x, v));                                       // 6

mu New2(u: State, v: State) =
    (exists x: State, y: State. Relevant(y.loc) & Summary(true, x, y) & IntoCall(y, u) & u = v)     // 7
  | (exists x: State, y: State, z: State.
      Summary(true, u, x) & IntoCall(x, y) & Summary(true, y, z) & Exit(z.loc) & Return(x, z, v)    // 8, 9, 10
    & (Relevant(x.loc) | Relevant(z.loc)));                                                         // 11

query reached(p: Location) = Target(p) & (exists u: State, v: State. Summary(true, u, v) & v.loc = p);

// The proof for all that is not reached: it contains the start, and nothing leads out of it.
query invariant(u: State, v: State) = Summary(true, u, v);
