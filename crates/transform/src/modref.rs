//! The pass `modref`: fills [`Procedure::untouched`](program::Procedure::untouched).
//!
//! A shared or private variable that neither a procedure nor any that it may call reads or writes need not be carried
//! through the procedure. Only variables that some edge uses are listed; the others are of no interest to engines.
//! Sequential programs only: another thread may write what this one does not touch.

use program::{LocationId, ProcedureId, Program, VariableId};

use crate::effects::{Effects, Globals};
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
            let free = used.iter().filter(|at| !effects.touches(procedure, **at));
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
        for (word, touched) in words.iter_mut().zip(effects.touched(procedure)) {
            *word |= touched;
        }
    }
    (0..globals.variables.len()).filter(|at| words[at / 64] >> (at % 64) & 1 == 1).collect()
}
