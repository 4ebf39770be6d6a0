//! A task in diagrams: where every symbolic search of a sequential program starts, and what evidence is written from.

use base::{IdVec, StopReason};
use bdd::{Bdd, Config, Interrupt, Manager};
use encode::Encoding;
use program::{Call, EdgeKind, Graph, LocationId, ProcedureId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;

use crate::halt::Halt;
use crate::{Context, Statistics, Task, Unsupported};

/// By entry of a procedure: its summary after each time it grew, with a stamp that counts all growth of all summaries.
/// What was found with the help of a summary has a later stamp than the summary.
pub(crate) type Histories = FxHashMap<LocationId, Vec<(u64, Bdd)>>;

/// A task, its program in diagrams, and the summaries that a search has found so far.
pub(crate) struct Problem<'a> {
    pub(crate) task: &'a Task<'a>,
    pub(crate) context: &'a Context<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) encoding: Encoding<'a>,
    pub(crate) start: ProcedureId,
    pub(crate) is_exit: IdVec<LocationId, bool>,
    pub(crate) histories: Histories,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        task: &'a Task<'a>,
        context: &'a Context<'a>,
        graph: &'a Graph,
        encoding: Encoding<'a>,
        start: ProcedureId,
    ) -> Self {
        let mut is_exit = IdVec::filled(task.program.locations.len(), false);
        task.program.procedures.iter().flat_map(|p| &p.exits).for_each(|exit| is_exit[*exit] = true);
        Self { task, context, graph, encoding, start, is_exit, histories: Histories::default() }
    }

    /// Where the program starts, and with what: path edges from the entry to itself.
    pub(crate) fn first_path_edges(&self) -> Result<Option<(LocationId, Bdd)>, Halt> {
        let Some(entry) = self.task.program.procedures[self.start].entries.first().copied() else { return Ok(None) };
        let states = self.encoding.start_states(self.start)?;
        Ok(Some((entry, states.and(&self.encoding.diagonal(self.start)?)?)))
    }

    /// How the summary for a call grew, with stamps.
    pub(crate) fn history(&self, call: &Call) -> &[(u64, Bdd)] {
        self.histories.get(&call.entry).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn reason(&self, halt: Halt) -> StopReason {
        halt.reason(self.context)
    }

    pub(crate) fn statistics(&self, steps: u64) -> Statistics {
        let stats = self.encoding.manager().stats();
        Statistics {
            steps,
            n_bdd_variables: stats.n_vars as u64,
            peak_nodes: stats.peak_nodes as u64,
            bdd_bytes: stats.peak_bytes,
            ..Statistics::default()
        }
    }
}

/// A summary does not say at which entry it starts, so all calls of a procedure must enter at the same one.
pub(crate) fn require_one_entry(program: &Program) -> Result<(), Unsupported> {
    let mut entry_of: IdVec<ProcedureId, Option<LocationId>> = IdVec::filled(program.procedures.len(), None);
    for start in program.threads.iter().map(|thread| thread.start).chain(program.init) {
        entry_of[start] = program.procedures[start].entries.first().copied();
    }
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind
            && *entry_of[call.callee].get_or_insert(call.entry) != call.entry
        {
            return Err(Unsupported::SeveralEntries);
        }
    }
    Ok(())
}

/// A manager for the diagrams of a program, which stops when the budget is used up.
pub(crate) fn manager(program: &Program, context: &Context<'_>) -> Manager {
    let manager = Manager::new(&manager_config(program, context));
    manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
    manager
}

/// How large the diagrams of a program may become, and how large the cache for them should be.
pub(crate) fn manager_config(program: &Program, context: &Context<'_>) -> Config {
    let config = Config::within(context.budget.memory());
    // A small cache is quick to set up, and programs with few variables have small diagrams.
    let wanted = match largest_scope(program) {
        0..=8 => 1 << 14,
        _ => 1 << 22,
    };
    Config { cache_entries: config.cache_entries.min(wanted), ..config }
}

/// Most bits in scope at any location.
fn largest_scope(program: &Program) -> u64 {
    let bits = |variable: VariableId| program.sort(variable).n_bits(program);
    let is_global = |id: &VariableId| !matches!(program.variables[*id].scope, Scope::Local(_));
    let globals: u64 = program.variables.ids().filter(is_global).map(bits).sum();
    globals + program.procedures.iter().map(|procedure| procedure.frame().map(bits).sum()).max().unwrap_or(0)
}
