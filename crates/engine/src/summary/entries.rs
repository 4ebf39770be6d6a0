//! What calls are entered with, where more than the reachable values will do.
//!
//! A search that looks at reachable path edges only has small sets, as long as what is reachable is simple. The values of
//! an array that has been worked on are not: which permutations a half sorted array may have is much harder to say than
//! that it may have any. A question whose answer is checked for being reachable afterwards can leave them open.
//!
//! What a recursion makes of such an array is largest for the outermost call, the one that works on all of it. Who made that
//! call mostly does not ask what the array was before. So the outermost calls may also be entered without saying so: each
//! outcome is then one for every array that they may have begun with. That is more than there is, and will do for
//! showing that there is no run.

use base::{IdVec, components};
use bdd::Bdd;
use encode::{CallImages, Copy};
use program::{Call, EdgeId, EdgeKind, ProcedureId, Program, Scope, Sort, VariableId};

use super::finish::callees;
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

    /// Whether calls are entered with all values of some array.
    pub(crate) fn has_open_arrays(&self) -> bool {
        !self.open_arrays.is_empty()
    }

    /// From now on, the outermost calls of recursions do not know which values the open arrays had; false: there are no
    /// such calls.
    pub(crate) fn forget_before_recursion(&mut self) -> bool {
        self.outermost = outermost_calls(self.task.program);
        self.outermost.iter().any(|is_outermost| *is_outermost)
    }

    /// The path edges at an entry that path edges at a call lead to, with all values of the open arrays.
    pub(super) fn entered(
        &self,
        edge: EdgeId,
        images: &CallImages,
        call: &Call,
        path_edges: &Bdd,
    ) -> Result<Bdd, Halt> {
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
        let is_outermost = self.outermost.get(edge).copied().unwrap_or(false);
        self.opened(call.callee, &entered, !is_outermost)
    }

    /// Path edges at an entry for all values of the open arrays; whether they say that these are the values at the entry.
    fn opened(&self, procedure: ProcedureId, entered: &Bdd, is_related: bool) -> Result<Bdd, Halt> {
        let encoding = &self.encoding;
        let is_open = |variable: &VariableId| self.open_arrays.contains(variable);
        let carried: Vec<VariableId> = encoding.in_scope(procedure).filter(is_open).collect();
        let changed: Vec<VariableId> = encoding.entry_copied(procedure).filter(is_open).collect();
        let entry = encoding.manager().cube(&encoding.copies(changed.iter().copied(), Copy::Entry));
        let mut opened = self.any(&entered.exists(&entry)?, &carried)?;
        for variable in changed.into_iter().filter(|_| is_related) {
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

/// By call edge: whether it enters a recursion, from a procedure that nothing calls which is part of one.
fn outermost_calls(program: &Program) -> IdVec<EdgeId, bool> {
    let callees = callees(program);
    let successor = |procedure: ProcedureId, at: usize| callees[procedure].get(at).copied();
    let mut is_recursive = IdVec::filled(program.procedures.len(), false);
    let mut is_inside = IdVec::filled(program.procedures.len(), false);
    // Callees come first, so that from the other end callers do.
    for component in components(program.procedures.len(), successor).into_iter().rev() {
        let is_cycle = component.len() > 1 || callees[component[0]].contains(&component[0]);
        for procedure in component {
            is_recursive[procedure] = is_cycle;
            is_inside[procedure] |= is_cycle;
            if is_inside[procedure] {
                callees[procedure].iter().for_each(|callee| is_inside[*callee] = true);
            }
        }
    }
    let is_outermost = |edge: &program::Edge| match &edge.kind {
        EdgeKind::Call(call) => is_recursive[call.callee] && !is_inside[program.locations[edge.source].procedure],
        EdgeKind::Step(_) | EdgeKind::Spawn(_) => false,
    };
    program.edges.iter().map(is_outermost).collect()
}
