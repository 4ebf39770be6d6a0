// Reachability within k context switches.
//
// Reach(u, v, ecs, cs, g, t): there is a run with cs switches so far in which thread t[i] is active after the i-th
// switch and the shared variables are g[i] at the i-th switch; thread t[cs] is in state v, in a call that it entered
// in state u after ecs switches. Values of g and t beyond cs do not matter. Runs that agree on g and t can be put
// together from parts: what the other threads did can be replaced by anything that changes the shared variables
// in the same way.
//
// La Torre, Madhusudan, Parlato, PLDI 2009, section 5.1. Printed there, the last clause takes a thread up again in any
// local state that it had in its last context c2. But the thread was switched out at the switch after that context,
// when the shared variables were g[c2 + 1]: the state w that is taken up must have had these, and must be one in which
// the thread could be interrupted. Both conditions are added. Switches from a thread to itself are left out.
// The answer is exact up to the bound.

param k;

sort State = { loc: Location, local: Local, global: Global };

input Entry(p: Location), Exit(p: Location), Target(p: Location), Init(t: Thread, p: Location);
input Start(g: Global), Yield(u: State);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State), Return(u: State, z: State, v: State);

// Thread t[s] was not active before context s.
define First(s: 0..k, t: Thread[0..k]) = forall r: 0..k. r < s -> t[r] != t[s];

// Context r is the last one before s in which thread t[s] was active.
define Consecutive(r: 0..k, s: 0..k, t: Thread[0..k]) =
  r < s & t[r] = t[s] & (forall i: 0..k. r < i & i < s -> t[i] != t[s]);

mu Reach(u: State, v: State, ecs: 0..k, cs: 0..k, g: Global[1..k], t: Thread[0..k]) =
    cs = 0 & ecs = 0 & Entry(u.loc) & Init(t[0], u.loc) & Start(u.global) & u = v
  | (exists x: State. Reach(u, x, ecs, cs, g, t) & ProgramInt(x, v))
  | (exists x: State, y: State, e: 0..k. Reach(x, y, e, cs, g, t) & IntoCall(y, u) & ecs = cs & u = v)
  | (exists x: State, y: State, z: State, c: 0..k.
      Reach(u, x, ecs, c, g, t) & IntoCall(x, y) & Reach(y, z, c, cs, g, t) & Exit(z.loc) & Return(x, z, v))
  // to a thread for the first time
  | (exists x: State, y: State, e: 0..k, c: 0..k.
      Reach(x, y, e, c, g, t) & Yield(y) & cs = c + 1 & First(cs, t) & g[cs] = y.global
    & Entry(v.loc) & Init(t[cs], v.loc) & v.global = g[cs] & ecs = cs & u = v)
  // back to a thread
  | (exists x: State, y: State, e: 0..k, c: 0..k.
      Reach(x, y, e, c, g, t) & Yield(y) & cs = c + 1 & g[cs] = y.global & v.global = g[cs])
    & (exists w: State, c2: 0..k.
      Reach(u, w, ecs, c2, g, t) & c2 + 1 < cs & Consecutive(c2, cs, t) & Yield(w) & w.global = g[c2 + 1]
    & v.loc = w.loc & v.local = w.local);

query reached(p: Location) = Target(p)
  & (exists u: State, v: State, ecs: 0..k, cs: 0..k, g: Global[1..k], t: Thread[0..k].
      Reach(u, v, ecs, cs, g, t) & v.loc = p);
