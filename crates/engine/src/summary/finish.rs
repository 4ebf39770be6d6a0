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
use program::{EdgeId, EdgeKind, ProcedureId, Program, Sort, VariableId};

use super::{Halt, Solver};

/// What waits at a call edge.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    path_edges: Bdd,
    /// What the calls that they belong to were entered with, if it was worked out.
    entries: Option<Bdd>,
}

impl Solver<'_> {
    /// From now on, path edges wait at calls with recursion behind them.
    pub(crate) fn wait_for_recursion(&mut self) {
        let leads = leads_to_recursion(self.task.program);
        if leads.iter().any(|leads| *leads) {
            let waits = |kind: &EdgeKind| matches!(kind, EdgeKind::Call(call) if leads[call.callee]);
            let nothing = || Box::new(Waiting { path_edges: self.nothing.clone(), entries: None });
            self.waiting = self.task.program.edges.iter().map(|edge| waits(&edge.kind).then(nothing)).collect();
            self.recursion_ends = true;
        }
    }

    /// Whether path edges wait at a call edge; the others are crossed at once.
    pub(super) fn waits(&self, edge: EdgeId) -> bool {
        self.waiting.get(edge).is_some_and(Option::is_some)
    }

    /// New path edges at a call wait.
    pub(super) fn wait(&mut self, edge: EdgeId, fresh: &Bdd) -> Result<(), Halt> {
        if let Some(waiting) = &mut self.waiting[edge] {
            **waiting = Waiting { path_edges: waiting.path_edges.or(fresh)?, entries: None };
        }
        Ok(())
    }

    pub(super) fn anything_waits(&self) -> bool {
        self.waiting.iter().flatten().any(|waiting| !waiting.path_edges.is_false())
    }

    /// Sends the path edges across that enter what is finished; if there are none, all, and nothing waits any more.
    pub(super) fn cross_finished(&mut self) -> Result<(), Halt> {
        let unfinished = self.unfinished()?;
        let mut any_crossed = false;
        for edge in self.task.program.edges.ids() {
            let (Some(waiting), EdgeKind::Call(call)) = (&self.waiting[edge], &self.task.program.edges[edge].kind)
            else {
                continue;
            };
            let all = waiting.path_edges.clone();
            let unready = self.encoding.call(edge, call)?.entry().preimage(&unfinished[call.callee])?;
            let (ready, unready) = (all.diff(&unready)?, all.and(&unready)?);
            if !ready.is_false() {
                self.cross(edge, call, &ready)?;
                self.waiting[edge] = Some(Box::new(Waiting { path_edges: unready, entries: None }));
                any_crossed = true;
            }
        }
        if any_crossed { Ok(()) } else { self.cross_all() }
    }

    fn cross_all(&mut self) -> Result<(), Halt> {
        for edge in self.task.program.edges.ids() {
            if let (Some(waiting), EdgeKind::Call(call)) = (&self.waiting[edge], &self.task.program.edges[edge].kind) {
                let all = waiting.path_edges.clone();
                self.cross(edge, call, &all)?;
                // From now on they meet whatever the summary grows by.
                let sent = &self.path_edges[self.task.program.edges[edge].source];
                self.needed[edge] = self.encoding.call(edge, call)?.needed(sent).transpose()?;
            }
        }
        self.waiting = IdVec::new();
        self.recursion_ends = false;
        Ok(())
    }

    /// By procedure: what its unfinished calls were entered with, over current copies.
    fn unfinished(&mut self) -> Result<IdVec<ProcedureId, Bdd>, Halt> {
        let program = self.task.program;
        let mut unfinished = IdVec::filled(program.procedures.len(), self.nothing.clone());
        for edge in program.edges.ids() {
            let Some(waiting) = &self.waiting[edge] else { continue };
            let procedure = program.locations[program.edges[edge].source].procedure;
            let entries = match &waiting.entries {
                Some(entries) => entries.clone(),
                None => self.entries_of(procedure, &waiting.path_edges)?,
            };
            unfinished[procedure] = unfinished[procedure].or(&entries)?;
            if let Some(waiting) = &mut self.waiting[edge] {
                waiting.entries = Some(entries);
            }
        }
        Ok(unfinished)
    }

    /// What the calls of path edges were entered with, arrays left aside, over current copies.
    fn entries_of(&self, procedure: ProcedureId, path_edges: &Bdd) -> Result<Bdd, Halt> {
        let (program, encoding) = (self.task.program, &self.encoding);
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
}

/// By procedure: what it calls, once for each call edge.
pub(super) fn callees(program: &Program) -> IdVec<ProcedureId, Vec<ProcedureId>> {
    let mut callees: IdVec<ProcedureId, Vec<ProcedureId>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind {
            callees[program.locations[edge.source].procedure].push(call.callee);
        }
    }
    callees
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
