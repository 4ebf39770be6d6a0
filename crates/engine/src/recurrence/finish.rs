//! Calls that are crossed once: when what they enter is finished.
//!
//! Where a procedure calls itself, its summary grows round by round, and every call is crossed anew with what each round
//! adds. But recursion that comes to an end does so from below: the calls that call nothing more are finished first, then
//! those that only make such calls. Path edges that wait at a call until then are crossed once, with all that there is to
//! know; a part of a summary that is whole is also a smaller diagram than one that was cut off at some depth.
//!
//! A call is known by what it is entered with, arrays left aside. It is finished when no path edge of it waits. What never
//! finishes, because it calls itself for ever, is crossed round by round after all.

use base::{IdVec, components};
use bdd::{Bdd, Var};
use encode::Copy;
use program::{EdgeId, EdgeKind, ProcedureId, Program, Sort, VariableId, callees};

use super::careful::Crossing;
use crate::halt::Halt;
use crate::problem::Problem;
use crate::summary::calls::{Part, Release};

/// Path edges that wait at call edges with recursion behind them; at the other edges nothing waits.
pub(super) struct Waiting {
    at: IdVec<EdgeId, Option<Box<Held>>>,
}

/// What waits at a call edge.
#[derive(Clone, Debug)]
struct Held {
    path_edges: Bdd,
    /// What the calls that they belong to were entered with, if it was worked out.
    entries: Option<Bdd>,
}

impl Crossing {
    /// Path edges wait at calls with recursion behind them, if there are any.
    pub(super) fn when_finished(problem: &Problem<'_>) -> Self {
        let program = problem.task.program;
        let leads = leads_to_recursion(program);
        if !leads.iter().any(|leads| *leads) {
            return Self::AtOnce;
        }
        let waits = |kind: &EdgeKind| matches!(kind, EdgeKind::Call(call) if leads[call.callee]);
        let nothing = || Box::new(Held { path_edges: problem.encoding.manager().bdd_false(), entries: None });
        let at = program.edges.iter().map(|edge| waits(&edge.kind).then(nothing)).collect();
        Self::WhenFinished(Waiting { at })
    }
}

impl Waiting {
    /// Whether path edges wait at a call edge.
    pub(super) fn waits(&self, edge: EdgeId) -> bool {
        self.at[edge].is_some()
    }

    /// New path edges at a call wait.
    pub(super) fn add(&mut self, edge: EdgeId, fresh: &Bdd) -> Result<(), Halt> {
        if let Some(held) = &mut self.at[edge] {
            **held = Held { path_edges: held.path_edges.or(fresh)?, entries: None };
        }
        Ok(())
    }

    pub(super) fn keep_only(&mut self, edge: EdgeId, path_edges: Bdd) {
        self.at[edge] = Some(Box::new(Held { path_edges, entries: None }));
    }

    pub(super) fn is_any(&self) -> bool {
        self.at.iter().flatten().any(|held| !held.path_edges.is_false())
    }

    /// The path edges that enter what is finished; if there are none, all.
    pub(super) fn release(&mut self, problem: &Problem<'_>) -> Result<Release, Halt> {
        let unfinished = self.unfinished(problem)?;
        let mut parts = Vec::new();
        for (edge, held) in self.at.iter_ids() {
            let (Some(held), EdgeKind::Call(call)) = (held, &problem.task.program.edges[edge].kind) else { continue };
            let unready = problem.encoding.call(edge, call)?.entry().preimage(&unfinished[call.callee])?;
            let path_edges = held.path_edges.diff(&unready)?;
            if !path_edges.is_false() {
                parts.push(Part { edge, path_edges, rest: held.path_edges.and(&unready)? });
            }
        }
        if !parts.is_empty() {
            return Ok(Release::Finished(parts));
        }
        let all = self.at.iter_ids().filter_map(|(edge, held)| Some((edge, held.as_ref()?.path_edges.clone())));
        Ok(Release::All(all.collect()))
    }

    /// By procedure: what its unfinished calls were entered with, over current copies.
    fn unfinished(&mut self, problem: &Problem<'_>) -> Result<IdVec<ProcedureId, Bdd>, Halt> {
        let program = problem.task.program;
        let nothing = problem.encoding.manager().bdd_false();
        let mut unfinished = IdVec::filled(program.procedures.len(), nothing);
        for edge in program.edges.ids() {
            let Some(held) = &mut self.at[edge] else { continue };
            let procedure = program.locations[program.edges[edge].source].procedure;
            let entries = match held.entries.take() {
                Some(entries) => entries,
                None => entries_of(problem, procedure, &held.path_edges)?,
            };
            unfinished[procedure] = unfinished[procedure].or(&entries)?;
            held.entries = Some(entries);
        }
        Ok(unfinished)
    }
}

/// What the calls of path edges were entered with, arrays left aside, over current copies.
fn entries_of(problem: &Problem<'_>, procedure: ProcedureId, path_edges: &Bdd) -> Result<Bdd, Halt> {
    let (program, encoding) = (problem.task.program, &problem.encoding);
    let is_plain = |variable: &VariableId| !matches!(program.sort(*variable), Sort::Array(..));
    let changed: Vec<VariableId> = encoding.entry_copied(procedure).collect();
    let known: Vec<VariableId> = changed.iter().copied().filter(is_plain).collect();
    let mut kept = encoding.copies(encoding.unchanged(procedure).filter(is_plain), Copy::Current);
    kept.sort_unstable();
    let arrays = encoding.copies(changed.into_iter().filter(|variable| !is_plain(variable)), Copy::Entry);
    let current = encoding.current_vars(procedure);
    let forgotten: Vec<Var> =
        current.iter().copied().filter(|var| kept.binary_search(var).is_err()).chain(arrays).collect();
    let entries = path_edges.exists(&encoding.manager().cube(&forgotten))?;
    Ok(entries.rename(&encoding.renaming(known.into_iter(), Copy::Entry, Copy::Current))?)
}

/// By procedure: whether it calls itself, or something that does, directly or not.
fn leads_to_recursion(program: &Program) -> IdVec<ProcedureId, bool> {
    let callees = callees(program);
    let successor = |procedure: ProcedureId, at: usize| callees[procedure].get(at).copied();
    let mut leads = IdVec::filled(program.procedures.len(), false);
    // Callees come first.
    for component in components(program.procedures.len(), successor) {
        let calls = |leads: &IdVec<ProcedureId, bool>, caller: &ProcedureId| {
            callees[*caller].iter().any(|callee| leads[*callee] || component.contains(callee))
        };
        if component.iter().any(|procedure| calls(&leads, procedure)) {
            component.iter().for_each(|procedure| leads[*procedure] = true);
        }
    }
    leads
}
