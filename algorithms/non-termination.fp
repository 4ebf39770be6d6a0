// An infinite run.
//
// Summary as in entry-forward.fp. Forever(v): from v, a run goes on for ever, in this call, in calls made from it, or
// after a call that returns. It is the largest set of states each of which has a successor in the set; a run whose
// stack grows for ever counts, a run that is stuck or at the end of the program does not.
//
//   Forever = step ; Forever + call ; Forever + (call ; Summary ; return) ; Forever     (greatest solution)
//
// Gurfinkel, Wei, Chechik, VMCAI 2009, section 4.3. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

mu Summary(u: State, v: State) =
    Entry(u.loc) & Init(u.loc) & u = v
  | (exists x: State. Summary(u, x) & ProgramInt(x, v))
  | (exists x: State, y: State. Summary(x, y) & IntoCall(y, u) & u = v)
  | (exists x: State, y: State, z: State.
      Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.loc) & Return(x, z, v));

nu Forever(u: State) =
    (exists v: State. ProgramInt(u, v) & Forever(v))
  | (exists v: State. IntoCall(u, v) & Forever(v))
  | (exists y: State, z: State, v: State.
      IntoCall(u, y) & Summary(y, z) & Exit(z.loc) & Return(u, z, v) & Forever(v));

query runs_forever = exists u: State. Entry(u.loc) & Init(u.loc) & Forever(u);
