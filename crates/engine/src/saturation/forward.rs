//! Plain reachability by post\*.
//!
//! The states of callees hold what callers see and the callee changes, so top transitions are path edges and what
//! returns is a summary: traces and certificates are written from them as by the engine of that name.

use base::IdVec;
use bdd::Bdd;
use encode::{Detail, Transfers};
use program::LocationId;

use super::automaton::{Automaton, State};
use super::limits::Limits;
use super::post::Post;
use crate::guide::Guide;
use crate::summary::{Halt, Solver, certificate, require_one_entry, trace};
use crate::{Answer, Statistics};

/// Decides the solver's task, with its encoding.
pub(super) fn solve(mut solver: Solver<'_>) -> Answer {
    let (found, stopped, steps) = saturate(&solver);
    let is_reached = |target: &&LocationId| !found.path_edges[**target].is_false();
    let reached: Vec<LocationId> = solver.task.targets.iter().filter(is_reached).copied().collect();
    let mut stopped = stopped.map(|halt| solver.reason(halt));
    let mut traces = Vec::new();
    if solver.task.traces && !reached.is_empty() {
        solver.found = found.history;
        let failed = trace::find(&mut solver, &reached, &mut traces).err();
        stopped = stopped.or(failed.map(|halt| solver.reason(halt)));
    }
    let all_reached = reached.len() == solver.task.targets.len();
    let is_wanted = solver.task.certificate && stopped.is_none() && !all_reached;
    let certificate = (is_wanted && require_one_entry(solver.task.program).is_ok())
        .then(|| certificate::export(&solver.encoding, solver.task.targets, &found.path_edges));
    let statistics = Statistics { steps, ..solver.statistics() };
    Answer { reached, traces, certificate, stopped, statistics, ..Answer::default() }
}

/// What a saturation leaves for evidence.
struct Found {
    /// Path edges by location.
    path_edges: IdVec<LocationId, Bdd>,
    /// How the summary of each entry grew.
    history: rustc_hash::FxHashMap<LocationId, Vec<(u64, Bdd)>>,
}

/// Saturates until all targets are reached.
fn saturate(solver: &Solver<'_>) -> (Found, Option<Halt>, u64) {
    let program = solver.task.program;
    let transfers = Transfers::new(&solver.encoding, Detail::Seen);
    let limits = Limits::new(solver.context, program.procedures.len());
    let mut post = Post::new(solver.graph, &transfers, limits, false);
    post.follow(Guide::to_targets(program, solver.graph, solver.task.targets));
    let done = run(solver, &mut post);
    let nothing = solver.encoding.manager().bdd_false();
    let mut path_edges = IdVec::filled(program.locations.len(), nothing);
    let mut failed = done.err();
    for location in program.locations.ids() {
        for top in post.automaton.tops_at(location) {
            match path_edges[location].or(&top.all) {
                Ok(all) => path_edges[location] = all,
                Err(stop) => failed = failed.or(Some(Halt::Diagram(stop))),
            }
        }
    }
    (Found { path_edges, history: post.history }, failed, post.limits.steps)
}

fn run(solver: &Solver<'_>, post: &mut Post<'_, '_>) -> Result<(), Halt> {
    let Some(entry) = solver.task.program.procedures[solver.start].entries.first().copied() else { return Ok(()) };
    let states = solver.encoding.start_states(solver.start)?;
    let first = states.and(&solver.encoding.diagonal(solver.start)?)?;
    post.add(entry, State::Entered(entry), &first)?;
    let mut open: Vec<LocationId> = solver.task.targets.to_vec();
    let mut is_enough = move |automaton: &Automaton| {
        // The last one is looked at first; it is gone through once.
        while let Some(target) = open.last()
            && automaton.tops_at(*target).next().is_some()
        {
            open.pop();
        }
        Ok(open.is_empty())
    };
    post.run(&mut is_enough)
}
