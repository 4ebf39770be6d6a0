// Reachability within k rounds, in each of which the threads have one turn each, in order.
//
// Run(t, u, v, er, r, a, b): thread t is in state v in its turn of round r, in a call that it entered in state u in
// round er; the shared variables were a[i] when its turn of round i began, and b[i] when the turn of an earlier round
// i ended. Given a and b, threads do not depend on each other.
// Turns(t, r, a, b): thread t can have turns of rounds 1 to r that lead from a[i] to b[i].
// Left(t, r, x, a), Right(t, r, b, y): the threads before t lead from x[1] .. x[r] to a[1] .. a[r]; those after t from
// b[1] .. b[r] to y[1] .. y[r]. A thread that left b finds a if the threads after it, and then those before it, one
// round later, lead from b to a: what the last thread leaves in a round, the first one finds in the next.
//
// La Torre, Madhusudan, Parlato, PLDI 2009, remark at the end of section 5.1: 2k copies of the shared variables. The
// answer is exact up to the bound.

param k;

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Target(p: Location), Init(t: Thread, p: Location);
input Start(g: Global), Yield(u: State);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

define FirstThread(t: Thread) = forall s: Thread. t <= s;
define LastThread(t: Thread) = forall s: Thread. s <= t;
define Before(r: 1..k, a: Global[1..k], b: Global[1..k]) = forall i: 1..k. i < r -> a[i] = b[i];
define Next(r: 1..k, x: Global[1..k], y: Global[1..k]) = forall i: 1..k. i < r -> x[i + 1] = y[i];

mu Run(t: Thread, u: State, v: State, er: 1..k, r: 1..k, a: Global[1..k], b: Global[1..k]) =
    (exists x: Global[1..k]. Left(t, r, x, a) & Start(x[1])
      & r = 1 & er = 1 & Entry(u.loc) & Init(t, u.loc) & u.global = a[1] & u = v)
  | (exists x: State. Run(t, u, x, er, r, a, b) & ProgramInt(x, v))
  | (exists x: State, y: State, e: 1..k. Run(t, x, y, e, r, a, b) & IntoCall(y, u) & er = r & u = v)
  | (exists x: State, y: State, z: State, q: 1..k.
      Run(t, u, x, er, q, a, b) & IntoCall(x, y) & Run(t, y, z, q, r, a, b) & Exit(z.loc) & Return(x, z, v))
  | (exists q: 1..k, x: Global[1..k], y: Global[1..k].
      r = q + 1 & Right(t, q, b, y) & Next(r, x, y) & Start(x[1]) & Left(t, r, x, a))
    & (exists w: State, q: 1..k. Run(t, u, w, er, q, a, b) & r = q + 1 & Yield(w) & w.global = b[q]
      & v.loc = w.loc & v.local = w.local & v.global = a[r]);

mu Turns(t: Thread, r: 1..k, a: Global[1..k], b: Global[1..k]) =
  exists u: State, v: State, er: 1..k, c: Global[1..k].
    Run(t, u, v, er, r, a, c) & Yield(v) & Before(r, b, c) & b[r] = v.global;

mu Left(t: Thread, r: 1..k, x: Global[1..k], a: Global[1..k]) =
    FirstThread(t) & x = a
  | (exists s: Thread, c: Global[1..k]. Left(s, r, x, c) & Turns(s, r, c, a) & t = s + 1);

mu Right(t: Thread, r: 1..k, b: Global[1..k], y: Global[1..k]) =
    LastThread(t) & b = y
  | (exists s: Thread, c: Global[1..k]. Turns(s, r, b, c) & Right(s, r, c, y) & s = t + 1);

query reached(p: Location) = Target(p)
  & (exists t: Thread, u: State, v: State, er: 1..k, r: 1..k, a: Global[1..k], b: Global[1..k].
      Run(t, u, v, er, r, a, b) & v.loc = p);
