//! What calls are entered with, where more than the reachable values will do.
//!
//! A search that looks at reachable path edges only has small sets, as long as what is reachable is simple. The values of
//! an array that has been worked on are not: which permutations a half sorted array may have is much harder to say than
//! that it may have any. A question whose answer is checked for being reachable afterwards can leave them open.

use bdd::Bdd;
use encode::Copy;
use program::{EdgeKind, ProcedureId, Scope, Sort, VariableId};

use super::{Halt, Solver};

impl Solver<'_> {
    /// Enters all procedures that are called with everything that there is.
    pub(crate) fn enter_everywhere(&mut self) -> Result<(), Halt> {
        for edge in &self.task.program.edges {
            let EdgeKind::Call(call) = &edge.kind else { continue };
            let scope = self.encoding.in_scope(call.callee);
            let diagonal = self.encoding.diagonal(call.callee)?;
            let states = self.encoding.and_in_range(diagonal, scope, Copy::Current)?;
            self.propagate(call.entry, &states)?;
        }
        Ok(())
    }

    /// From now on, calls are entered with all values of the shared arrays that the start leaves open; false: there are
    /// none.
    pub(crate) fn open_arrays(&mut self) -> Result<bool, Halt> {
        let (program, encoding) = (self.task.program, &self.encoding);
        let start = encoding.start_states(self.start)?;
        let mut open = Vec::new();
        for variable in encoding.globals().iter().copied() {
            let is_shared = program.variables[variable].scope == Scope::Shared;
            if is_shared && matches!(program.sort(variable), Sort::Array(..)) && self.any(&start, &[variable])? == start
            {
                open.push(variable);
            }
        }
        self.open_arrays = open;
        Ok(!self.open_arrays.is_empty())
    }

    /// The path edges at an entry, for all values of the open arrays.
    pub(super) fn opened(&self, procedure: ProcedureId, entered: Bdd) -> Result<Bdd, Halt> {
        if self.open_arrays.is_empty() || entered.is_false() {
            return Ok(entered);
        }
        let encoding = &self.encoding;
        let carried = self.open_arrays.iter().copied().filter(|array| encoding.carries(procedure, *array));
        let (carried, at_entry): (Vec<VariableId>, Vec<VariableId>) = (
            carried.collect(),
            encoding.entry_copied(procedure).filter(|variable| self.open_arrays.contains(variable)).collect(),
        );
        let entry = encoding.manager().cube(&encoding.copies(at_entry.iter().copied(), Copy::Entry));
        let mut opened = self.any(&entered.exists(&entry)?, &carried)?;
        for variable in at_entry {
            opened = opened.and(&encoding.equality(variable, Copy::Entry, Copy::Current)?)?;
        }
        Ok(opened)
    }

    /// A set, for all values of some variables.
    fn any(&self, set: &Bdd, variables: &[VariableId]) -> Result<Bdd, Halt> {
        let current = self.encoding.copies(variables.iter().copied(), Copy::Current);
        let set = set.exists(&self.encoding.manager().cube(&current))?;
        Ok(self.encoding.and_in_range(set, variables.iter().copied(), Copy::Current)?)
    }
}
