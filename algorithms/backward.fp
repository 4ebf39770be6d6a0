// Backward, from what is asked about, on the fly.
//
// Bad(u, p): from u, in the call that u is in or in calls made from it, a run is at p. Ends(u, z): from u, a run is
// at the exit state z of the same call. Wanted(z): it is worth knowing from where the exit state z is reached,
// because a caller that z returns to leads to something that is wanted. Only wanted ends are computed.
//
//   Bad    = at p + step ; Bad + call ; Bad + (call ; Ends ; return) ; Bad
//   Ends   = wanted exits + step ; Ends + (call ; Ends ; return) ; Ends
//   Wanted = return ; (Bad + Ends)
//
// Gurfinkel, Wei, Chechik, VMCAI 2009, section 4.2. The answer is exact.

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Init(p: Location), Target(p: Location), Within(p: Location, f: Procedure);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

mu Bad(u: State, p: Location) =
    Target(p) & u.loc = p
  | (exists v: State. ProgramInt(u, v) & Bad(v, p))
  | (exists v: State. IntoCall(u, v) & Bad(v, p))
  | (exists y: State, z: State, v: State. IntoCall(u, y) & Ends(y, z) & Return(u, z, v) & Bad(v, p));

mu Ends(u: State, z: State) =
    Wanted(z) & u = z
  | (exists v: State. ProgramInt(u, v) & Ends(v, z))
  | (exists y: State, w: State, v: State. IntoCall(u, y) & Ends(y, w) & Return(u, w, v) & Ends(v, z));

mu Wanted(z: State) =
    (exists u: State, v: State, p: Location. Exit(z.loc) & Return(u, z, v) & Bad(v, p))
  | (exists u: State, v: State, w: State. Exit(z.loc) & Return(u, z, v) & Ends(v, w));

mu Reached(p: Location) = exists u: State. Init(u.loc) & Bad(u, p);

query reached(p: Location) = Target(p) & Reached(p);

// The proof for all that is not reached: u leads to none of it, and v can do nothing that u cannot do.
define Good(u: State) = !(exists p: Location. Bad(u, p) & !Reached(p));
query invariant(u: State, v: State) =
  (exists f: Procedure. Within(u.loc, f) & Within(v.loc, f)) & Entry(u.loc)
  & Good(u) & Good(v) & (forall z: State. Ends(v, z) -> Ends(u, z));
