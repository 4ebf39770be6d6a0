// A run that comes to a target again and again.
//
// A head is what is on top of the stack. Next(x, y, m): the head y follows the head x, by a step, by a call that
// returns or by a call that need not; m may be true only if a target was come to on the way. The stack never loses
// what is below the first head, so a cycle of heads can be run for ever, and every run without end has one.
// Ahead(x): from x, a way leads over a target to a head in Again. Again(x): such ways never end.
//
// Esparza and Schwoon, CAV 2001, section 4.2; the search is that of Emerson and Lei. With the product of a program and
// the automaton of the runs that must not exist, whose targets are where the automaton accepts, this answers
// questions in linear temporal logic. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

// As in entry-forward.fp; m may be true only if a target was come to since the procedure was entered.
mu Summary(u: State, v: State, m: Bool) =
    Entry(u.loc) & Init(u.loc) & u = v & (!m | Target(u.loc))
  | (exists x: State, y: State, b: Bool. Summary(x, y, b) & IntoCall(y, u) & u = v & (!m | Target(u.loc)))
  | (exists x: State, b: Bool. Summary(u, x, b) & ProgramInt(x, v) & (!m | b | Target(v.loc)))
  | (exists x: State, y: State, z: State, b: Bool, c: Bool.
      Summary(u, x, b) & IntoCall(x, y) & Summary(y, z, c) & Exit(z.loc) & Return(x, z, v)
    & (!m | b | c | Target(v.loc)));

mu Head(x: State) = exists u: State, b: Bool. Summary(u, x, b);

mu Next(x: State, y: State, m: Bool) =
    Head(x) & ProgramInt(x, y) & (!m | Target(y.loc))
  | Head(x) & IntoCall(x, y) & (!m | Target(y.loc))
  | (exists u: State, z: State, c: Bool.
      Head(x) & IntoCall(x, u) & Summary(u, z, c) & Exit(z.loc) & Return(x, z, y) & (!m | c | Target(y.loc)));

mu Ahead(x: State) =
    (exists y: State. Next(x, y, true) & Again(y))
  | (exists y: State. Next(x, y, false) & Ahead(y));

nu Again(x: State) = Head(x) & Ahead(x);

query recurs = exists x: State. Again(x);

query again(p: Location) = Target(p) & (exists x: State. Again(x) & x.loc = p);
