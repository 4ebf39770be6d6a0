//! Traces of interleavings: every node knows how it was found.

use program::{Action, Choice, EdgeKind, ProcedureId, Scope, Trace, TraceStep, VariableId, When};

use super::super::layout::State;
use super::super::trace::written;
use super::thread::{Move, SharedId, Thread};
use super::{Node, Search};

/// A run from the start of the program to the node.
pub(super) fn to(search: &Search<'_>, node: usize) -> Trace {
    let mut path = Vec::new();
    let mut at = node;
    while let Some(how) = &search.nodes[at].how {
        path.push((at, how.thread, how.made()));
        at = how.from;
    }
    path.reverse();
    let steps = path.iter().map(|(node, thread, made)| step(search, &search.nodes[*node], *thread, made)).collect();
    Trace { start: start(search, at, &path), steps, runs: Vec::new() }
}

/// The values at the start: shared variables, then private variables and first frame of each thread, then the first
/// frame of `init`.
fn start(search: &Search<'_>, first: usize, path: &[(usize, u32, &Move)]) -> Vec<Choice> {
    let program = search.task.program;
    let configuration = &search.nodes[first].configuration;
    let shared: Vec<VariableId> = program.variables_in(Scope::Shared).collect();
    let private: Vec<VariableId> = program.variables_in(Scope::Private).collect();
    let mut choices = values(search, &shared, search.threads.shared(configuration.shared));
    let n_inits = usize::from(configuration.in_init);
    for (at, thread) in program.threads.iter().enumerate() {
        let made = path.iter().find(|(node, number, _)| *number as usize == at && !is_of_init(search, *node));
        let id = configuration.threads[n_inits + at];
        let state = decided(search, made, search.threads.thread(id), configuration.shared);
        choices.extend(values(search, &private, &state));
        choices.extend(values(search, &frame(search, thread.start), &state));
    }
    if let Some(init) = program.init {
        let made = path.iter().find(|(node, ..)| is_of_init(search, *node));
        let state = decided(search, made, search.threads.thread(configuration.threads[0]), configuration.shared);
        choices.extend(values(search, &frame(search, init), &state));
    }
    choices
}

/// Whether a node was found by a move of `init`.
fn is_of_init(search: &Search<'_>, node: usize) -> bool {
    search.nodes[node].configuration.in_init
}

/// The first state of a thread: as its first move decided it; if it never moved, as it stands.
fn decided(search: &Search<'_>, made: Option<&(usize, u32, &Move)>, thread: &Thread, shared: SharedId) -> State {
    let first = made.and_then(|(_, _, made)| made.first.clone());
    first.unwrap_or_else(|| search.threads.state(shared, thread, 0))
}

fn frame(search: &Search<'_>, procedure: ProcedureId) -> Vec<VariableId> {
    search.task.program.procedures[procedure].frame().collect()
}

fn step(search: &Search<'_>, after: &Node, thread: u32, made: &Move) -> TraceStep {
    let (program, threads) = (search.task.program, &search.threads);
    let shared = after.configuration.shared;
    let moved = threads.thread(made.thread);
    let state = threads.state(shared, moved, 0);
    let choices = match (&program.edges[made.edge].kind, made.action) {
        (EdgeKind::Step(relation), _) => written(program, threads.layout, relation, When::After, &state),
        (EdgeKind::Call(call), Action::Enter(_)) => {
            let mut choices = values(search, &crate::set_on_entry(program, call), &state);
            let caller = threads.state(shared, moved, 1);
            choices.extend(written(program, threads.layout, &call.enter, When::Saved, &caller));
            choices
        }
        (EdgeKind::Call(call), _) => written(program, threads.layout, &call.leave, When::After, &state),
        (EdgeKind::Spawn(spawn), _) => {
            let mut variables: Vec<VariableId> = program.variables_in(Scope::Private).collect();
            variables.extend(program.procedures[spawn.callee].frame());
            variables.extend(spawn.enter.updates.iter().map(|update| update.variable));
            variables.sort_unstable();
            variables.dedup();
            let spawned = made.spawned.map(|spawned| threads.state(shared, threads.thread(spawned), 0));
            values(search, &variables, &spawned.unwrap_or(state))
        }
    };
    TraceStep { thread, action: made.action, choices }
}

/// The values of variables in a state.
fn values(search: &Search<'_>, variables: &[VariableId], state: &[u64]) -> Vec<Choice> {
    let value = |variable| search.threads.layout.value(search.task.program, state, variable);
    variables.iter().map(|variable| Choice::after(*variable, value(*variable))).collect()
}
