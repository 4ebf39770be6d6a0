//! Plain reachability by post\*.
//!
//! The states of callees hold what callers see and the callee changes, so top transitions are path edges and what
//! returns is a summary: traces and certificates are written from them as by the engine of that name.

use base::IdVec;
use bdd::Bdd;
use encode::{Detail, Transfers};
use program::LocationId;

use super::automaton::{Automaton, State};
use super::post::Post;
use crate::Answer;
use crate::evidence::{certificate, trace};
use crate::guide::Guide;
use crate::halt::Halt;
use crate::limits::Limits;
use crate::problem::{Histories, Problem, require_one_entry};

/// Decides the problem's task, with its encoding.
pub(super) fn solve(mut problem: Problem<'_>) -> Answer {
    let (found, stopped, steps) = saturate(&problem);
    let is_reached = |target: &&LocationId| !found.path_edges[**target].is_false();
    let reached: Vec<LocationId> = problem.task.targets.iter().filter(is_reached).copied().collect();
    let mut stopped = stopped.map(|halt| problem.reason(halt));
    let mut traces = Vec::new();
    if problem.task.traces && !reached.is_empty() {
        problem.histories = found.history;
        let failed = trace::find(&problem, &reached, &mut traces).err();
        stopped = stopped.or(failed.map(|halt| problem.reason(halt)));
    }
    let all_reached = reached.len() == problem.task.targets.len();
    let is_wanted = problem.task.certificate && stopped.is_none() && !all_reached;
    let certificate = (is_wanted && require_one_entry(problem.task.program).is_ok())
        .then(|| certificate::export(&problem.encoding, problem.task.targets, &found.path_edges));
    let statistics = problem.statistics(steps);
    Answer { reached, traces, certificate, stopped, statistics, ..Answer::default() }
}

/// What a saturation leaves for evidence.
struct Found {
    /// Path edges by location.
    path_edges: IdVec<LocationId, Bdd>,
    /// How the summary of each entry grew.
    history: Histories,
}

/// Saturates until all targets are reached.
fn saturate(problem: &Problem<'_>) -> (Found, Option<Halt>, u64) {
    let program = problem.task.program;
    let transfers = Transfers::new(&problem.encoding, Detail::Seen);
    let limits = Limits::new(problem.context, program.procedures.len());
    let mut post = Post::new(problem.graph, &transfers, limits, false);
    post.follow(Guide::to_targets(program, problem.graph, problem.task.targets));
    let done = run(problem, &mut post);
    let nothing = problem.encoding.manager().bdd_false();
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

fn run(problem: &Problem<'_>, post: &mut Post<'_, '_>) -> Result<(), Halt> {
    let Some((entry, first)) = problem.first_path_edges()? else { return Ok(()) };
    post.add(entry, State::Entered(entry), &first)?;
    let mut open: Vec<LocationId> = problem.task.targets.to_vec();
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
