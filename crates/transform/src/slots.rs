//! Positions of variables in the rows that analyses keep per location: what is in scope, not what exists.
//!
//! First the globals, in sequential programs only (in others no analysis knows what threads do to them meanwhile), then
//! the variables of the procedure's frame.

use base::IdVec;
use program::{ProcedureId, Program, VariableId};

use program::effects::Globals;

/// Where each variable stands in a row.
pub(crate) struct Slots {
    /// The globals that are looked at; none in programs with threads.
    pub(crate) globals: Globals,
    positions: IdVec<VariableId, u32>,
}

/// Stands for "not looked at".
const NONE: u32 = u32::MAX;

impl Slots {
    pub(crate) fn of(program: &Program) -> Self {
        let globals = match program.sequential_start() {
            Some(_) => Globals::of(program),
            None => Globals::none(program),
        };
        let mut positions = IdVec::filled(program.variables.len(), NONE);
        for (at, variable) in globals.variables.iter().enumerate() {
            positions[*variable] = at as u32;
        }
        for procedure in &program.procedures {
            for (at, variable) in procedure.frame().enumerate() {
                positions[variable] = (globals.variables.len() + at) as u32;
            }
        }
        Self { globals, positions }
    }

    /// The position of a variable; none for a global in a program with threads.
    pub(crate) fn of_variable(&self, variable: VariableId) -> Option<usize> {
        let position = self.positions[variable];
        (position != NONE).then_some(position as usize)
    }

    /// True when the variable is part of a frame.
    pub(crate) fn is_local(&self, variable: VariableId) -> bool {
        let position = self.positions[variable];
        position != NONE && position as usize >= self.globals.variables.len()
    }

    /// The variable at a position of a procedure's rows.
    pub(crate) fn variable(&self, program: &Program, procedure: ProcedureId, slot: usize) -> VariableId {
        let procedure = &program.procedures[procedure];
        let n_globals = self.globals.variables.len();
        if slot < n_globals {
            return self.globals.variables[slot];
        }
        let (parameters, results) = (&procedure.parameters, &procedure.results);
        let at = slot - n_globals;
        match at.checked_sub(parameters.len()) {
            None => parameters[at],
            Some(at) => match at.checked_sub(results.len()) {
                None => results[at],
                Some(at) => procedure.locals[at],
            },
        }
    }
}
