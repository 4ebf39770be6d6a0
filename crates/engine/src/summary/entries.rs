//! What calls are entered with, where more than the reachable values will do.
//!
//! A search that looks at reachable path edges only has small sets, as long as what is reachable is simple. The values of
//! an array that has been worked on are not: which permutations a half sorted array may have is much harder to say than
//! that it may have any. A question whose answer is checked for being reachable afterwards can leave them open.

use bdd::Bdd;
use encode::{CallImages, Copy};
use program::{Call, EdgeKind, ProcedureId, Scope, Sort, VariableId};

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

    /// The path edges at an entry that path edges at a call lead to, with all values of the open arrays.
    pub(super) fn entered(&self, images: &CallImages, call: &Call, path_edges: &Bdd) -> Result<Bdd, Halt> {
        if self.open_arrays.is_empty() {
            return Ok(images.enter(path_edges)?);
        }
        let encoding = &self.encoding;
        // Forgotten before anything else: that takes less than to find out what the call makes of them.
        let read = images.entry().relation.support();
        let is_read = |array: &VariableId| encoding.slots().vars(*array, Copy::Current).any(|var| read.contains(&var));
        let unread = self.open_arrays.iter().copied().filter(|array| !is_read(array));
        let mut forgotten = encoding.copies(unread, Copy::Current);
        forgotten.extend(encoding.copies(self.open_arrays.iter().copied(), Copy::Entry));
        let entered = images.enter(&path_edges.exists(&encoding.manager().cube(&forgotten))?)?;
        self.opened(call.callee, &entered)
    }

    fn opened(&self, procedure: ProcedureId, entered: &Bdd) -> Result<Bdd, Halt> {
        let encoding = &self.encoding;
        let is_open = |variable: &VariableId| self.open_arrays.contains(variable);
        let carried: Vec<VariableId> = encoding.in_scope(procedure).filter(is_open).collect();
        let changed: Vec<VariableId> = encoding.entry_copied(procedure).filter(is_open).collect();
        let entry = encoding.manager().cube(&encoding.copies(changed.iter().copied(), Copy::Entry));
        let mut opened = self.any(&entered.exists(&entry)?, &carried)?;
        for variable in changed {
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
