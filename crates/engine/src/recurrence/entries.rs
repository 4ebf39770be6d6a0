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
use program::{EdgeId, EdgeKind, ProcedureId, Program, Scope, Sort, VariableId, callees};

use super::Detail;
use crate::halt::Halt;
use crate::problem::Problem;
use crate::summary::Solver;
use crate::summary::calls::Calls;

/// With what calls are entered.
pub(super) enum Entries {
    /// With what reaches them.
    Reached,
    /// With all values of some arrays, and of the rest with what reaches them.
    Open(OpenArrays),
}

/// Arrays that every call is entered with whatever values of.
pub(super) struct OpenArrays {
    arrays: Vec<VariableId>,
    /// Calls that are entered without saying what these arrays were.
    unrelated: IdVec<EdgeId, bool>,
}

impl Entries {
    /// All values of the shared arrays that the start leaves open, if there are any.
    pub(super) fn of(problem: &Problem<'_>, detail: Detail) -> Result<Self, Halt> {
        let arrays = arrays_open_at_start(problem)?;
        if arrays.is_empty() {
            return Ok(Self::Reached);
        }
        let program = problem.task.program;
        let unrelated = match detail {
            Detail::Outcomes => outermost_calls(program),
            Detail::Everything => IdVec::filled(program.edges.len(), false),
        };
        Ok(Self::Open(OpenArrays { arrays, unrelated }))
    }

    /// Whether some calls do not say what their arrays were.
    pub(super) fn lack_detail(&self) -> bool {
        matches!(self, Self::Open(open) if open.unrelated.iter().any(|is_unrelated| *is_unrelated))
    }
}

/// Enters all procedures that are called with everything that there is.
pub(super) fn enter_everywhere<C: Calls>(solver: &mut Solver<'_, C>) -> Result<(), Halt> {
    for edge in &solver.problem.task.program.edges {
        let EdgeKind::Call(call) = &edge.kind else { continue };
        let encoding = &solver.problem.encoding;
        let diagonal = encoding.diagonal(call.callee)?;
        let states = encoding.and_in_range(diagonal, encoding.in_scope(call.callee), Copy::Current)?;
        solver.propagate(call.entry, &states)?;
    }
    Ok(())
}

/// Shared arrays that the start says nothing about.
fn arrays_open_at_start(problem: &Problem<'_>) -> Result<Vec<VariableId>, Halt> {
    let (program, encoding) = (problem.task.program, &problem.encoding);
    let start = encoding.start_states(problem.start)?;
    let mut open = Vec::new();
    for variable in encoding.globals().iter().copied() {
        let is_shared = program.variables[variable].scope == Scope::Shared;
        let is_array = matches!(program.sort(variable), Sort::Array(..));
        if is_shared && is_array && any(problem, &start, &[variable])? == start {
            open.push(variable);
        }
    }
    Ok(open)
}

impl OpenArrays {
    /// The path edges at an entry that path edges at a call lead to, with all values of the open arrays.
    pub(super) fn enter(
        &self,
        problem: &Problem<'_>,
        edge: EdgeId,
        images: &CallImages,
        path_edges: &Bdd,
    ) -> Result<Bdd, Halt> {
        let encoding = &problem.encoding;
        let EdgeKind::Call(call) = &problem.task.program.edges[edge].kind else { return Ok(path_edges.clone()) };
        // Forgotten before anything else: that takes less than to find out what the call makes of them.
        let read = images.entry().relation.support();
        let is_read = |array: &VariableId| encoding.slots().vars(*array, Copy::Current).any(|var| read.contains(&var));
        let unread = self.arrays.iter().copied().filter(|array| !is_read(array));
        let mut forgotten = encoding.copies(unread, Copy::Current);
        forgotten.extend(encoding.copies(self.arrays.iter().copied(), Copy::Entry));
        let entered = images.enter(&path_edges.exists(&encoding.manager().cube(&forgotten))?)?;
        self.opened(problem, call.callee, &entered, !self.unrelated[edge])
    }

    /// Path edges at an entry for all values of the open arrays; whether they say that these are the values at the entry.
    fn opened(
        &self,
        problem: &Problem<'_>,
        procedure: ProcedureId,
        entered: &Bdd,
        is_related: bool,
    ) -> Result<Bdd, Halt> {
        let encoding = &problem.encoding;
        let is_open = |variable: &VariableId| self.arrays.contains(variable);
        let carried: Vec<VariableId> = encoding.in_scope(procedure).filter(is_open).collect();
        let changed: Vec<VariableId> = encoding.entry_copied(procedure).filter(is_open).collect();
        let entry = encoding.manager().cube(&encoding.copies(changed.iter().copied(), Copy::Entry));
        let mut opened = any(problem, &entered.exists(&entry)?, &carried)?;
        for variable in changed.into_iter().filter(|_| is_related) {
            opened = opened.and(&encoding.equality(variable, Copy::Entry, Copy::Current)?)?;
        }
        Ok(opened)
    }
}

/// A set, for all values of some variables.
fn any(problem: &Problem<'_>, set: &Bdd, variables: &[VariableId]) -> Result<Bdd, Halt> {
    let current = problem.encoding.copies(variables.iter().copied(), Copy::Current);
    let set = set.exists(&problem.encoding.manager().cube(&current))?;
    Ok(problem.encoding.and_in_range(set, variables.iter().copied(), Copy::Current)?)
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
