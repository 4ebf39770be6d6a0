//! The pass `modref`: fills [`Procedure::untouched`](program::Procedure::untouched).
//!
//! A shared or private variable that neither a procedure nor any that it may call reads or writes need not be carried
//! through the procedure. Only variables that some edge uses are listed; the others are of no interest to engines.
//! Sequential programs only: another thread may write what this one does not touch.

use program::{Effects, Globals, LocationId, ProcedureId, Program, VariableId};

use crate::{Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Modref;

impl Pass for Modref {
    fn name(&self) -> &'static str {
        "modref"
    }

    fn description(&self) -> &'static str {
        "finds the shared variables that a procedure and all that it calls neither read nor write"
    }

    fn rewrite(&self, program: &mut Program, _: &[LocationId]) -> Option<WayBack> {
        program.sequential_start()?;
        let globals = Globals::of(program);
        let effects = Effects::of(program, &globals);
        let used = used(program, &globals, &effects);
        let untouched = |procedure: ProcedureId| -> Vec<VariableId> {
            let free = used.iter().filter(|at| !effects.touched.has(procedure, **at));
            free.map(|at| globals.variables[*at]).collect()
        };
        let mut changed = false;
        for id in program.procedures.ids() {
            let found = untouched(id);
            let listed = &mut program.procedures[id].untouched;
            if *listed != found {
                *listed = found;
                changed = true;
            }
        }
        changed.then(WayBack::default)
    }
}

/// The globals that some procedure touches.
fn used(program: &Program, globals: &Globals, effects: &Effects) -> Vec<usize> {
    let mut words = vec![0u64; globals.variables.len().div_ceil(64)];
    for procedure in program.procedures.ids() {
        for (word, touched) in words.iter_mut().zip(effects.touched.row(procedure)) {
            *word |= touched;
        }
    }
    (0..globals.variables.len()).filter(|at| words[at / 64] >> (at % 64) & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use program::{Expr, Relation, Sort};

    use super::*;
    use crate::sample::{call, chain, finish, set, with_main};

    #[test]
    fn effects_come_up_from_callees_and_around_recursion() {
        let (mut builder, main, g) = with_main();
        let (h, _unused) = (builder.shared("h", Sort::Bool), builder.shared("unused", Sort::Bool));
        let procedures = ["even", "odd", "leaf"].map(|name| builder.procedure(name));
        let [even, odd, leaf] = procedures;
        let ends = procedures.map(|procedure| chain(&mut builder, procedure, vec![Relation::identity()]));
        let top = chain(&mut builder, main, vec![set(g, Expr::TRUE)]);
        for (caller, callee) in [(&ends[0], odd), (&ends[1], even), (&ends[1], leaf), (&top, even)] {
            let call = call(&builder, callee, Vec::new());
            builder.call(caller[0], caller[1], call);
        }
        builder.step(ends[2][0], ends[2][1], Relation::assume(Expr::before(h)));
        let program = finish(builder);
        let (result, way_back) = Modref.apply(&program, &[]).unwrap();
        let untouched = |procedure: ProcedureId| result.procedures[procedure].untouched.clone();
        assert_eq!(untouched(main), []);
        assert_eq!([even, odd, leaf].map(untouched), [vec![g], vec![g], vec![g]]);
        assert_eq!(way_back, WayBack::default());
        assert_eq!(Modref.apply(&result, &[]), None, "once is enough");
    }

    #[test]
    fn programs_with_threads_are_left_alone() {
        let (mut builder, main, g) = with_main();
        let other = builder.procedure("other");
        chain(&mut builder, main, vec![set(g, Expr::TRUE)]);
        chain(&mut builder, other, vec![Relation::identity()]);
        builder.thread("other", other);
        assert_eq!(Modref.apply(&finish(builder), &[]), None);
    }
}
