//! The pass `constants`: variables with known values are replaced by them.
//!
//! Conditional constant propagation (Wegman and Zadeck, TOPLAS 1991) through calls and returns: what is known at a
//! location is what all edges that can be taken to it agree on; edges that are impossible under what is known at their
//! source are dropped. Known values also come from guards and constraints of the form `v`, `!v` and `v = constant`.
//! Who called is not distinguished. In programs with threads only frames are looked at.
//!
//! Only variables whose known values were made use of become facts of the way back. Whatever such a fact is derived
//! from was then made use of as well, so these facts alone are inductive.

mod env;
mod fold;
mod transfer;

use base::IdVec;
use program::{Call, Edge, EdgeId, EdgeKind, Expr, Graph, LocationId, ProcedureId, Program, Relation, VariableId};

use self::env::{Env, Scope};
use self::transfer::{FrameAfter, Moments, Rewritten};
use crate::edit::{conjuncts, literal, retain_edges};
use crate::slots::Slots;
use crate::{LocationBack, Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Constants;

impl Pass for Constants {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn description(&self) -> &'static str {
        "replaces variables by their values where these are known, and drops edges that are then impossible"
    }

    fn rewrite(&self, program: &mut Program, _: &[LocationId]) -> Option<WayBack> {
        let slots = Slots::of(program);
        let known = Analysis::run(Scope { program, slots: &slots });
        let mut used = Vec::new();
        let mut kept = IdVec::filled(program.edges.len(), true);
        let mut changed = false;
        for id in program.edges.ids() {
            if !known.may_change(Scope { program, slots: &slots }, &program.edges[id]) {
                continue;
            }
            let nothing = EdgeKind::Step(Relation::identity());
            let mut kind = std::mem::replace(&mut program.edges[id].kind, nothing);
            let scope = Scope { program, slots: &slots };
            let rewritten = known.rewrite(scope, program.edges[id].source, &mut kind, &mut used);
            program.edges[id].kind = kind;
            kept[id] = rewritten != Rewritten::Impossible;
            changed |= rewritten != Rewritten::Same;
        }
        if !changed {
            return None;
        }
        let dropped = kept.iter().any(|kept| !kept);
        let edges = dropped.then(|| retain_edges(program, &kept));
        Some(known.way_back(Scope { program, slots: &slots }, edges, used))
    }
}

/// What is known where.
struct Known {
    /// None: never reached.
    at: IdVec<LocationId, Option<Env>>,
    /// At the exits of a procedure; none: it never returns.
    exits: IdVec<ProcedureId, Option<Env>>,
}

impl Known {
    /// A cheap look at an edge before it is rewritten.
    fn may_change(&self, scope: Scope<'_>, edge: &Edge) -> bool {
        match (&self.at[edge.source], &edge.kind) {
            (Some(env), EdgeKind::Step(relation)) => {
                Moments::new(scope, env.clone(), Env::default()).may_change(relation, FrameAfter::Same)
            }
            _ => true,
        }
    }

    fn rewrite(
        &self,
        scope: Scope<'_>,
        source: LocationId,
        kind: &mut EdgeKind,
        used: &mut Vec<VariableId>,
    ) -> Rewritten {
        let Some(env) = &self.at[source] else {
            return Rewritten::Impossible;
        };
        let mut moments = Moments::new(scope, env.clone(), Env::default());
        match kind {
            EdgeKind::Step(relation) => moments.rewrite(relation, FrameAfter::Same, used),
            EdgeKind::Spawn(spawn) => moments.rewrite(&mut spawn.enter, FrameAfter::New, used),
            EdgeKind::Call(call) => {
                let entered = moments.rewrite(&mut call.enter, FrameAfter::New, used);
                let Some(exit) = self.exits[call.callee].as_ref().filter(|_| entered != Rewritten::Impossible) else {
                    return entered;
                };
                let before = exit.with_frame(scope, &moments.saved);
                let mut moments = Moments::new(scope, before, exit.clone());
                match moments.rewrite(&mut call.leave, FrameAfter::Same, used) {
                    Rewritten::Same => entered,
                    Rewritten::Changed => Rewritten::Changed,
                    Rewritten::Impossible if call.leave == never() => entered,
                    Rewritten::Impossible => {
                        call.leave = never();
                        Rewritten::Changed
                    }
                }
            }
        }
    }

    fn way_back(self, scope: Scope<'_>, edges: Option<IdVec<EdgeId, EdgeId>>, mut used: Vec<VariableId>) -> WayBack {
        used.sort_unstable();
        used.dedup();
        let is_used = |variable: VariableId| used.binary_search(&variable).is_ok();
        let mut way_back = WayBack { edges, ..WayBack::default() };
        for (location, env) in self.at.iter_ids() {
            let Some(env) = env else {
                way_back.locations.push((location, LocationBack::Nothing));
                continue;
            };
            let mut facts = env.iter(scope, scope.program.locations[location].procedure);
            facts.retain(|(variable, _)| is_used(*variable));
            if !facts.is_empty() {
                way_back.facts.push((location, facts));
            }
        }
        way_back
    }
}

/// A relation without outcomes.
fn never() -> Relation {
    Relation::assume(Expr::FALSE)
}

/// The search for the greatest solution.
struct Analysis<'p> {
    scope: Scope<'p>,
    graph: Graph,
    known: Known,
    is_exit: IdVec<LocationId, bool>,
    work: Vec<LocationId>,
    waiting: IdVec<LocationId, bool>,
}

impl<'p> Analysis<'p> {
    fn run(scope: Scope<'p>) -> Known {
        let program = scope.program;
        let n = program.locations.len();
        let mut is_exit = IdVec::filled(n, false);
        for exit in program.procedures.iter().flat_map(|procedure| &procedure.exits) {
            is_exit[*exit] = true;
        }
        let exits = IdVec::filled(program.procedures.len(), None);
        let mut analysis = Self {
            scope,
            graph: Graph::of(program),
            known: Known { at: IdVec::filled(n, None), exits },
            is_exit,
            work: Vec::new(),
            waiting: IdVec::filled(n, false),
        };
        analysis.start();
        while let Some(location) = analysis.work.pop() {
            analysis.waiting[location] = false;
            analysis.process(location);
        }
        analysis.known
    }

    fn start(&mut self) {
        let program = self.scope.program;
        let mut env = Env::default();
        for (variable, _, value) in conjuncts(&program.start).iter().filter_map(literal) {
            env.set(self.scope, variable, Some(value));
        }
        if program.threads.len() != 1 || program.init.is_some() {
            env = Env::default();
        }
        for procedure in program.threads.iter().map(|thread| thread.start).chain(program.init) {
            if let Some(entry) = program.procedures[procedure].entries.first() {
                self.flow(*entry, env.clone());
            }
        }
    }

    /// Adds a way to come to a location with what is known then.
    fn flow(&mut self, location: LocationId, env: Env) {
        let changed = match &mut self.known.at[location] {
            Some(known) => known.meet(&env),
            unreached => {
                *unreached = Some(env);
                true
            }
        };
        if changed {
            self.wait(location);
        }
    }

    fn wait(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.waiting[location], true) {
            self.work.push(location);
        }
    }

    fn process(&mut self, location: LocationId) {
        let Some(env) = self.known.at[location].clone() else { return };
        if self.is_exit[location] {
            self.exit(self.scope.program.locations[location].procedure, &env);
        }
        for at in 0..self.graph.outgoing(location).len() {
            let edge = &self.scope.program.edges[self.graph.outgoing(location)[at]];
            if self.adds_nothing(edge) {
                continue;
            }
            let mut moments = Moments::new(self.scope, env.clone(), Env::default());
            match &edge.kind {
                EdgeKind::Step(relation) => {
                    if moments.take(relation, FrameAfter::Same) {
                        self.flow(edge.target, moments.after);
                    }
                }
                EdgeKind::Call(call) => {
                    if moments.take(&call.enter, FrameAfter::New) {
                        self.flow(call.entry, moments.after);
                        self.leave(call, &moments.saved, edge.target);
                    }
                }
                EdgeKind::Spawn(spawn) => {
                    if moments.take(&spawn.enter, FrameAfter::New) {
                        self.flow(spawn.entry, moments.after);
                        self.flow(edge.target, moments.saved);
                    }
                }
            }
        }
    }

    /// Whether nothing is known where the edge leads, and nothing can be lost there.
    fn adds_nothing(&self, edge: &Edge) -> bool {
        let is_empty = |location: LocationId| self.known.at[location].as_ref().is_some_and(Env::is_empty);
        match &edge.kind {
            EdgeKind::Step(_) => is_empty(edge.target),
            EdgeKind::Call(call) => {
                is_empty(call.entry) && (self.known.exits[call.callee].is_none() || is_empty(edge.target))
            }
            EdgeKind::Spawn(spawn) => is_empty(spawn.entry) && is_empty(edge.target),
        }
    }

    fn leave(&mut self, call: &Call, saved: &Env, target: LocationId) {
        let Some(exit) = self.known.exits[call.callee].clone() else { return };
        let before = exit.with_frame(self.scope, saved);
        let mut moments = Moments::new(self.scope, before, exit);
        if moments.take(&call.leave, FrameAfter::Same) {
            self.flow(target, moments.after);
        }
    }

    /// Adds what is known at an exit; when that changes the whole, the callers look again.
    fn exit(&mut self, procedure: ProcedureId, env: &Env) {
        let changed = match &mut self.known.exits[procedure] {
            Some(known) => known.meet(env),
            unreached => {
                *unreached = Some(env.clone());
                true
            }
        };
        if changed {
            for at in 0..self.graph.calls_of(procedure).len() {
                let source = self.scope.program.edges[self.graph.calls_of(procedure)[at]].source;
                if self.known.at[source].is_some() {
                    self.wait(source);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use program::{BinaryOp, NaryOp, Sort, Update, Value, When};

    use super::*;
    use crate::sample::{call, chain, finish, set, with_main};

    fn relation(program: &Program, edge: u32) -> &Relation {
        match &program.edges[EdgeId(edge)].kind {
            EdgeKind::Step(relation) => relation,
            other => panic!("a step, not {other:?}"),
        }
    }

    #[test]
    fn known_values_are_put_in_and_impossible_edges_dropped() {
        let (mut builder, main, g) = with_main();
        let [x, y] = ["x", "y"].map(|name| builder.local(main, name, Sort::Bool));
        let both = Expr::Nary(NaryOp::And, vec![Expr::before(x), Expr::before(g)]);
        let at = chain(&mut builder, main, vec![set(x, Expr::TRUE), set(y, both), Relation::assume(Expr::before(x))]);
        let dead = builder.location(main);
        builder.step(at[1], dead, Relation::assume(Expr::before(x).not()));
        builder.step(dead, at[3], Relation::identity());
        let (result, way_back) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(result.edges.len(), 3);
        assert_eq!(*relation(&result, 1), set(y, Expr::before(g)));
        assert_eq!(*relation(&result, 2), Relation::identity());
        let x_is_true = vec![(x, Value::Bool(true))];
        let facts = [at[1], at[2], at[3]].map(|location| (location, x_is_true.clone()));
        assert_eq!(way_back.facts, facts, "only x, whose value was used");
        assert_eq!(way_back.locations, [(dead, LocationBack::Nothing)]);
    }

    #[test]
    fn values_go_through_calls_as_far_as_callers_agree() {
        let (mut builder, main, g) = with_main();
        let callee = builder.procedure("callee");
        let same = builder.parameter(callee, "same", Sort::Bool);
        let differs = builder.parameter(callee, "differs", Sort::Bool);
        let result = builder.result(callee, "result", Sort::Bool);
        let sum = Expr::Nary(NaryOp::Xor, vec![Expr::before(same), Expr::before(differs)]);
        chain(&mut builder, callee, vec![Relation::assume(sum), set(result, Expr::before(same))]);
        let at: Vec<LocationId> = (0..4).map(|_| builder.location(main)).collect();
        builder.entry(at[0]);
        builder.exit(at[3]);
        for (step, value) in [(0, Expr::FALSE), (1, Expr::TRUE)] {
            let mut call = call(&builder, callee, vec![Expr::TRUE, value]);
            call.leave = set(g, Expr::Read(result, When::Result));
            builder.call(at[step], at[step + 1], call);
        }
        builder.step(at[2], at[3], Relation::assume(Expr::before(g)));
        let (program, _) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(relation(&program, 0).guard, Expr::before(differs).not());
        assert_eq!(*relation(&program, 1), set(result, Expr::TRUE));
        assert_eq!(*relation(&program, 4), Relation::identity());
    }

    #[test]
    fn loops_forget_what_changes_and_guards_teach() {
        let (mut builder, main, g) = with_main();
        let x = builder.local(main, "x", Sort::Bool);
        let learn = set(g, Expr::before(x).not());
        let at = chain(&mut builder, main, vec![set(x, Expr::FALSE), Relation::assume(Expr::before(x)), learn]);
        builder.step(at[1], at[1], set(x, Expr::Any));
        let (result, way_back) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(relation(&result, 1).guard, Expr::before(x));
        assert_eq!(*relation(&result, 2), set(g, Expr::FALSE));
        assert_eq!(way_back.facts, [at[2], at[3]].map(|location| (location, vec![(x, Value::Bool(true))])));
    }

    #[test]
    fn an_index_that_may_be_out_of_range_keeps_its_edge_conditional() {
        let (mut builder, main, g) = with_main();
        let array = builder.local(main, "array", Sort::Array(Box::new(Sort::Bool), 3));
        let index = builder.local(main, "index", Sort::Bits(2));
        let element = Expr::Index(Box::new(Expr::before(array)), Box::new(Expr::before(index)));
        let either = Expr::Nary(NaryOp::Or, vec![Expr::before(g), element.clone()]);
        chain(&mut builder, main, vec![Relation::assume(either)]);
        builder.start(Expr::before(g));
        let (result, _) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(relation(&result, 0).guard, Expr::Nary(NaryOp::Or, vec![Expr::TRUE, element]));
    }

    #[test]
    fn arithmetic_is_folded() {
        let (mut builder, main, _) = with_main();
        let n = builder.local(main, "n", Sort::Bits(4));
        let number = |value| Expr::Const(Value::Bits(value), Sort::Bits(4));
        let binary = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
        let sum = binary(BinaryOp::Add, Expr::before(n), number(9));
        let small = binary(BinaryOp::Ult, Expr::before(n), number(2));
        let at = chain(&mut builder, main, vec![set(n, number(8)), set(n, sum), Relation::assume(small)]);
        let (result, way_back) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(*relation(&result, 1), set(n, number(1)));
        assert_eq!(*relation(&result, 2), Relation::identity());
        assert_eq!(way_back.facts[1], (at[2], vec![(n, Value::Bits(1))]));
    }

    #[test]
    fn updates_that_change_nothing_disappear() {
        let (mut builder, main, g) = with_main();
        let x = builder.local(main, "x", Sort::Bool);
        let again = Relation::update(vec![Update::assign(g, Expr::FALSE), Update::assign(x, Expr::Any)]);
        chain(&mut builder, main, vec![again]);
        builder.start(Expr::before(g).not());
        let (result, _) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(*relation(&result, 0), set(x, Expr::Any));
    }

    #[test]
    fn shared_variables_are_unknown_to_threads() {
        let (mut builder, main, g) = with_main();
        let x = builder.local(main, "x", Sort::Bool);
        let both = Relation::update(vec![Update::assign(g, Expr::TRUE), Update::assign(x, Expr::TRUE)]);
        chain(&mut builder, main, vec![both, Relation::assume(Expr::before(g)), Relation::assume(Expr::before(x))]);
        builder.thread("other", main);
        let (result, _) = Constants.apply(&finish(builder), &[]).unwrap();
        assert_eq!(relation(&result, 1).guard, Expr::before(g));
        assert_eq!(relation(&result, 2).guard, Expr::TRUE);
    }
}
