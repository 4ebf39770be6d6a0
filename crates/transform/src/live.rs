//! The pass `live`: values that are never read again become arbitrary.
//!
//! A variable is live at a location if, on some path from there, its value can flow into a guard, a constraint or an
//! index before it is set. (The value of a variable that is itself dead afterwards flows nowhere.) On an edge from
//! where a variable is live to where it is not, and on one that sets a variable that is dead afterwards, the variable
//! becomes arbitrary: engines then need not track it. The result has more outcomes than the original, never fewer, so
//! its certificates are certificates of the original as they are.
//!
//! What a procedure never changes (parameters that it does not assign, shared variables that nothing below it writes)
//! is left alone inside it: an engine can use one copy for the value at the entry and now, and a change would cost it
//! the second. Shared and private variables are looked at in sequential programs only.

mod analysis;
mod rewrite;

use program::{EdgeId, LocationId, Program};

use crate::{Forgotten, Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Live;

impl Pass for Live {
    fn name(&self) -> &'static str {
        "live"
    }

    fn description(&self) -> &'static str {
        "makes values arbitrary that are never read again"
    }

    fn rewrite(&self, program: &mut Program, _: &[LocationId]) -> Option<WayBack> {
        let live = analysis::Liveness::of(program);
        let found: Vec<(EdgeId, rewrite::Dead)> = {
            let finder = rewrite::Finder::new(program, &live);
            program.edges.ids().filter_map(|id| Some((id, finder.dead_after(id)?))).collect()
        };
        if found.is_empty() {
            return None;
        }
        let forget = |(id, dead): (EdgeId, rewrite::Dead)| -> (EdgeId, Forgotten) {
            let forgotten = dead.forget(&mut program.edges[id].kind);
            (id, forgotten)
        };
        let forgotten = found.into_iter().map(forget).collect();
        Some(WayBack { forgotten, ..WayBack::default() })
    }
}

#[cfg(test)]
mod tests {
    use program::{EdgeKind, Expr, Relation, Sort, Update, VariableId, When};

    use super::*;
    use crate::sample::{call, chain, finish, set, with_main};

    fn forgotten(program: &Program) -> Vec<(u32, Vec<VariableId>, Vec<VariableId>)> {
        let way_back = Live.apply(program, &[]).map_or(WayBack::default(), |(_, way_back)| way_back);
        way_back.forgotten.into_iter().map(|(edge, it)| (edge.0, it.entering, it.leaving)).collect()
    }

    #[test]
    fn values_are_forgotten_after_their_last_use() {
        let (mut builder, main, _) = with_main();
        let [a, b, c] = ["a", "b", "c"].map(|name| builder.local(main, name, Sort::Bool));
        let relations = vec![
            set(a, Expr::before(b)),
            set(c, Expr::before(b)),
            Relation::assume(Expr::before(a)),
            set(b, Expr::TRUE),
            Relation::assume(Expr::before(b)),
        ];
        chain(&mut builder, main, relations);
        let program = finish(builder);
        let (result, _) = Live.apply(&program, &[]).unwrap();
        assert_eq!(
            forgotten(&program),
            [(0, vec![b], vec![]), (1, vec![c], vec![]), (2, vec![a], vec![]), (4, vec![b], vec![])]
        );
        let EdgeKind::Step(relation) = &result.edges[EdgeId(1)].kind else { panic!("a step") };
        assert_eq!(relation.updates, [Update::havoc(c)]);
    }

    #[test]
    fn what_a_constraint_reads_of_the_outcome_is_not_forgotten() {
        let (mut builder, main, _) = with_main();
        let [a, b] = ["a", "b"].map(|name| builder.local(main, name, Sort::Bool));
        let related = set(a, Expr::Any).constrained(Expr::after(a).eq(Expr::after(b)));
        chain(&mut builder, main, vec![related]);
        assert_eq!(forgotten(&finish(builder)), []);
    }

    #[test]
    fn parameters_that_are_never_assigned_are_kept_and_unused_arguments_are_not() {
        let (mut builder, main, g) = with_main();
        let callee = builder.procedure("callee");
        let [read, unused] = ["read", "unused"].map(|name| builder.parameter(callee, name, Sort::Bool));
        chain(&mut builder, callee, vec![Relation::assume(Expr::before(read)), Relation::identity()]);
        let at = chain(&mut builder, main, vec![Relation::assume(Expr::before(g))]);
        let arguments = call(&builder, callee, vec![Expr::before(g), Expr::before(g)]);
        builder.call(at[0], at[0], arguments);
        assert_eq!(forgotten(&finish(builder)), [(2, vec![g], vec![]), (3, vec![unused], vec![])]);
    }

    #[test]
    fn a_shared_variable_goes_around_a_callee_that_does_not_touch_it() {
        let (mut builder, main, g) = with_main();
        let h = builder.shared("h", Sort::Bool);
        let callee = builder.procedure("callee");
        chain(&mut builder, callee, vec![set(h, Expr::before(h).not())]);
        let at = chain(&mut builder, main, vec![Relation::assume(Expr::before(g))]);
        let (middle, end) = (builder.location(main), builder.location(main));
        for (source, target) in [(at[0], middle), (middle, end)] {
            let call = call(&builder, callee, Vec::new());
            builder.call(source, target, call);
        }
        builder.step(end, at[1], Relation::assume(Expr::before(h)));
        let program = finish(builder);
        assert_eq!(
            forgotten(&program),
            [(1, vec![g, h], vec![]), (2, vec![], vec![g]), (4, vec![h], vec![])],
            "g is forgotten by the first call, where only h is needed later"
        );
    }

    #[test]
    fn results_live_as_long_as_what_they_are_assigned_to() {
        for is_read in [false, true] {
            let (mut builder, main, g) = with_main();
            let callee = builder.procedure("callee");
            let result = builder.result(callee, "result", Sort::Bool);
            chain(&mut builder, callee, vec![set(result, Expr::Any)]);
            let guard = if is_read { Expr::before(g) } else { Expr::TRUE };
            let at = chain(&mut builder, main, vec![Relation::assume(guard)]);
            let start = builder.location(main);
            let mut call = call(&builder, callee, Vec::new());
            call.leave = set(g, Expr::Read(result, When::Result));
            builder.call(start, at[0], call);
            let mut program = finish(builder);
            program.procedures[main].entries = vec![start];
            let expected = match is_read {
                true => vec![(1, vec![g], vec![])],
                false => vec![(0, vec![result], vec![]), (2, vec![], vec![g])],
            };
            assert_eq!(forgotten(&program), expected);
        }
    }

    #[test]
    fn other_threads_may_read_what_is_shared() {
        let (mut builder, main, g) = with_main();
        let x = builder.local(main, "x", Sort::Bool);
        chain(&mut builder, main, vec![set(g, Expr::before(x))]);
        builder.thread("other", main);
        assert_eq!(forgotten(&finish(builder)), [(0, vec![x], vec![])]);
    }
}
