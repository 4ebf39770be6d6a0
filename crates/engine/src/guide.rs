//! Which way a target lies: distances in the control graph, with data and who called left aside.
//!
//! Where a target is reached, a small part of a large program is mostly enough to see it. So large programs are first
//! looked at in the order of these distances, for a limited number of steps; only then in the order that is best when
//! everything has to be looked at. What was found in the first order stays.

use base::IdVec;
use program::{EdgeKind, Graph, LocationId, ProcedureId, Program};

/// Programs with fewer edges are looked at as a whole: runs that are found in small ones are to be shortest.
const SMALLEST: usize = 1 << 15;
/// With more targets there is no direction.
const MOST_TARGETS: usize = 8;
/// Steps towards targets, for a hundred locations of the program.
const STEPS_FORWARDS: usize = 25;
/// Steps towards the start: fewer ways lead into a state than out of it, so more of them end somewhere else.
const STEPS_BACKWARDS: usize = 400;
/// Where no way leads.
const NOWHERE: u32 = u32::MAX;

/// Distances to somewhere, for a number of steps.
#[derive(Debug)]
pub(crate) struct Guide {
    distance: IdVec<LocationId, u32>,
    steps_left: usize,
}

/// Whether a program is large enough for a search in the direction of its targets.
pub(crate) fn is_guided(program: &Program) -> bool {
    program.edges.len() >= SMALLEST
}

impl Guide {
    /// For a search forwards; none where it would not help.
    pub(crate) fn to_targets(program: &Program, graph: &Graph, targets: &[LocationId]) -> Option<Self> {
        if !is_guided(program) || targets.is_empty() || targets.len() > MOST_TARGETS {
            return None;
        }
        let entry_of = entries(program);
        let mut search = Search::new(program);
        targets.iter().for_each(|target| search.reach(*target, 0));
        while let Some((location, distance)) = search.next() {
            for edge in graph.incoming(location) {
                let edge = &program.edges[*edge];
                match &edge.kind {
                    EdgeKind::Call(call) => {
                        let exits = &program.procedures[call.callee].exits;
                        exits.iter().for_each(|exit| search.reach(*exit, distance + 1));
                    }
                    EdgeKind::Step(_) | EdgeKind::Spawn(_) => search.reach(edge.source, distance + 1),
                }
            }
            if let Some(procedure) = entry_of[location] {
                let calls = graph.calls_of(procedure).iter();
                calls.for_each(|edge| search.reach(program.edges[*edge].source, distance + 1));
            }
        }
        Some(search.guide(STEPS_FORWARDS))
    }

    /// For a search backwards; none where it would not help.
    pub(crate) fn from_start(program: &Program, graph: &Graph, start: LocationId, n_targets: usize) -> Option<Self> {
        if !is_guided(program) || n_targets > MOST_TARGETS {
            return None;
        }
        let exit_of = exits(program);
        let mut search = Search::new(program);
        search.reach(start, 0);
        while let Some((location, distance)) = search.next() {
            for edge in graph.outgoing(location) {
                let edge = &program.edges[*edge];
                match &edge.kind {
                    EdgeKind::Call(call) => search.reach(call.entry, distance + 1),
                    EdgeKind::Step(_) | EdgeKind::Spawn(_) => search.reach(edge.target, distance + 1),
                }
            }
            if let Some(procedure) = exit_of[location] {
                let calls = graph.calls_of(procedure).iter();
                calls.for_each(|edge| search.reach(program.edges[*edge].target, distance + 1));
            }
        }
        Some(search.guide(STEPS_BACKWARDS))
    }

    pub(crate) fn distance(&self, location: LocationId) -> u32 {
        self.distance[location]
    }

    /// Counts a step; false when no more are left.
    pub(crate) fn step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        self.steps_left > 0
    }
}

/// The procedure of which a location is an entry.
fn entries(program: &Program) -> IdVec<LocationId, Option<ProcedureId>> {
    let mut entry_of = IdVec::filled(program.locations.len(), None);
    for (id, procedure) in program.procedures.iter_ids() {
        procedure.entries.iter().for_each(|entry| entry_of[*entry] = Some(id));
    }
    entry_of
}

/// The procedure of which a location is an exit.
fn exits(program: &Program) -> IdVec<LocationId, Option<ProcedureId>> {
    let mut exit_of = IdVec::filled(program.locations.len(), None);
    for (id, procedure) in program.procedures.iter_ids() {
        procedure.exits.iter().for_each(|exit| exit_of[*exit] = Some(id));
    }
    exit_of
}

/// A search in order of distances.
struct Search {
    distance: IdVec<LocationId, u32>,
    queue: Vec<LocationId>,
    next: usize,
}

impl Search {
    fn new(program: &Program) -> Self {
        Self { distance: IdVec::filled(program.locations.len(), NOWHERE), queue: Vec::new(), next: 0 }
    }

    fn reach(&mut self, location: LocationId, distance: u32) {
        if self.distance[location] == NOWHERE {
            self.distance[location] = distance;
            self.queue.push(location);
        }
    }

    fn next(&mut self) -> Option<(LocationId, u32)> {
        let location = *self.queue.get(self.next)?;
        self.next += 1;
        Some((location, self.distance[location]))
    }

    fn guide(self, steps: usize) -> Guide {
        Guide { steps_left: self.distance.len() * steps / 100, distance: self.distance }
    }
}

#[cfg(test)]
mod tests {
    use base::{Budget, Silent};
    use program::{Call, Expr, ProgramBuilder, Relation, Sort, Update};

    use super::*;
    use crate::{Context, Task, engines};

    /// `main` calls `turn`, which changes g, and comes to the last location only if g holds; so many further steps
    /// lead nowhere. In the order of a run: start, first and last of `turn`, after the call, target.
    fn sample(n_further: usize) -> (Program, [LocationId; 5]) {
        let mut builder = ProgramBuilder::new();
        let g = builder.shared("g", Sort::Bool);
        let [main, turn] = ["main", "turn"].map(|name| builder.procedure(name));
        let [start, after, target] = [(); 3].map(|()| builder.location(main));
        let [first, last] = [(); 2].map(|()| builder.location(turn));
        [start, first].into_iter().for_each(|entry| builder.entry(entry));
        builder.exit(last);
        let (enter, leave) = (Relation::identity(), Relation::identity());
        builder.call(start, after, Call { callee: turn, entry: first, enter, leave });
        builder.step(first, last, Relation::update(vec![Update::assign(g, Expr::before(g).not())]));
        builder.step(after, target, Relation::assume(Expr::before(g)));
        for _ in 0..n_further {
            builder.step(target, target, Relation::identity());
        }
        builder.thread("main", main);
        builder.start(Expr::before(g).not());
        (builder.finish(), [start, first, last, after, target])
    }

    #[test]
    fn small_programs_have_no_guide() {
        let (program, [start, .., target]) = sample(0);
        let graph = Graph::of(&program);
        assert!(Guide::to_targets(&program, &graph, &[target]).is_none());
        assert!(Guide::from_start(&program, &graph, start, 1).is_none());
    }

    #[test]
    fn distances_go_through_calls() {
        let (program, run) = sample(SMALLEST);
        let graph = Graph::of(&program);
        let distances = |guide: Option<Guide>| guide.map(|guide| run.map(|location| guide.distance(location)));
        assert_eq!(distances(Guide::to_targets(&program, &graph, &run[4..])), Some([4, 3, 2, 1, 0]));
        assert_eq!(distances(Guide::from_start(&program, &graph, run[0], 1)), Some([0, 1, 2, 3, 4]));
        assert!(Guide::to_targets(&program, &graph, &[run[4]; MOST_TARGETS + 1]).is_none());
    }

    #[test]
    fn large_programs_are_answered_with_runs_that_replay() {
        let (program, [.., target]) = sample(SMALLEST);
        let task =
            Task { program: &program, targets: &[target], lengths: &[], bound: None, traces: true, certificate: true };
        for engine in engines().into_iter().filter(|engine| engine.name().starts_with("saturation")) {
            let answer = engine.solve(&task, &Context { budget: &Budget::unlimited(), observer: &Silent });
            assert_eq!(answer.reached, [target], "{}", engine.name());
            assert!(!engine.traces_are_shortest(&program), "{}", engine.name());
            assert_eq!(program::interp::replay(&program, &answer.traces[0].1, target).err(), None, "{}", engine.name());
        }
    }
}
