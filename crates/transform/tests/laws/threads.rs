//! Reachability in programs with threads, configuration by configuration, within small bounds.

use std::collections::{BTreeSet, HashSet};

use program::{EdgeId, EdgeKind, Graph, LocationId, Program};

use super::states::{Bits, State, States};

/// Most frames of a thread, threads, and configurations.
const MAX_DEPTH: usize = 3;
const MAX_THREADS: usize = 3;
const MAX_CONFIGURATIONS: usize = 5_000;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    location: LocationId,
    values: Bits,
    /// The call that waits for the frame above.
    call: Option<EdgeId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Configuration {
    globals: Bits,
    threads: Vec<Vec<Frame>>,
    active: Option<usize>,
}

/// The locations that are reached within the bounds; none when there are too many configurations.
pub(crate) fn reached(program: &Program) -> Option<BTreeSet<LocationId>> {
    let explorer = Explorer { program, states: States::new(program), graph: Graph::of(program) };
    let mut work = explorer.starts();
    let mut seen: HashSet<Configuration> = work.iter().cloned().collect();
    let mut reached = BTreeSet::new();
    while let Some(configuration) = work.pop() {
        reached.extend(configuration.threads.iter().filter_map(|frames| frames.last()).map(|frame| frame.location));
        for next in explorer.next(&configuration) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
        if seen.len() > MAX_CONFIGURATIONS {
            return None;
        }
    }
    Some(reached)
}

struct Explorer<'p> {
    program: &'p Program,
    states: States<'p>,
    graph: Graph,
}

impl Explorer<'_> {
    fn starts(&self) -> Vec<Configuration> {
        let globals = self.states.starts().into_iter().map(|state| state.globals).collect::<BTreeSet<_>>();
        let mut starts: Vec<Configuration> = globals
            .iter()
            .map(|globals| Configuration { globals: *globals, threads: Vec::new(), active: None })
            .collect();
        for thread in &self.program.threads {
            let location = self.program.procedures[thread.start].entries[0];
            let frames = 0..1 << self.states.frame_size(thread.start);
            let with = |start: &Configuration, values: Bits| {
                let mut start = start.clone();
                start.threads.push(vec![Frame { location, values, call: None }]);
                start
            };
            starts = starts.iter().flat_map(|start| frames.clone().map(move |values| with(start, values))).collect();
        }
        starts
    }

    fn may_run(&self, configuration: &Configuration, thread: usize) -> bool {
        let kept = self.states.holds(&self.program.uninterruptible, configuration.globals);
        let interrupted = kept && configuration.active.is_some_and(|active| active != thread);
        let atomic = |frames: &Vec<Frame>| frames.iter().any(|frame| self.program.locations[frame.location].atomic);
        let mut others = configuration.threads.iter().enumerate().filter(|(at, _)| *at != thread);
        !interrupted && !others.any(|(_, frames)| atomic(frames))
    }

    fn next(&self, configuration: &Configuration) -> Vec<Configuration> {
        let mut next = Vec::new();
        for thread in 0..configuration.threads.len() {
            if self.may_run(configuration, thread) {
                self.moves(configuration, thread, &mut next);
            }
        }
        next
    }

    fn moves(&self, from: &Configuration, thread: usize, next: &mut Vec<Configuration>) {
        let frames = &from.threads[thread];
        let Some(top) = frames.last() else { return };
        let state = State { globals: from.globals, frame: top.values };
        let mut push = |globals: Bits, change: &dyn Fn(&mut Configuration)| {
            let mut configuration = Configuration { globals, active: Some(thread), ..from.clone() };
            change(&mut configuration);
            next.push(configuration);
        };
        for id in self.graph.outgoing(top.location) {
            let edge = &self.program.edges[*id];
            let frame = |location, values, call| Frame { location, values, call };
            match &edge.kind {
                EdgeKind::Step(relation) => {
                    for outcome in self.states.step(relation, state) {
                        push(outcome.after.globals, &|it| {
                            it.threads[thread][frames.len() - 1] = frame(edge.target, outcome.after.frame, None);
                        });
                    }
                }
                EdgeKind::Call(call) if frames.len() < MAX_DEPTH => {
                    for outcome in self.states.enter(&call.enter, state, call.callee) {
                        push(outcome.after.globals, &|it| {
                            it.threads[thread][frames.len() - 1] = frame(top.location, outcome.saved, Some(*id));
                            it.threads[thread].push(frame(call.entry, outcome.after.frame, None));
                        });
                    }
                }
                EdgeKind::Spawn(spawn) if from.threads.len() < MAX_THREADS => {
                    for outcome in self.states.enter(&spawn.enter, state, spawn.callee) {
                        push(outcome.after.globals, &|it| {
                            it.threads[thread][frames.len() - 1] = frame(edge.target, top.values, None);
                            it.threads.push(vec![frame(spawn.entry, outcome.after.frame, None)]);
                        });
                    }
                }
                EdgeKind::Call(_) | EdgeKind::Spawn(_) => {}
            }
        }
        let [.., caller, _] = frames.as_slice() else { return };
        let procedure = self.program.locations[top.location].procedure;
        let Some(EdgeKind::Call(call)) = caller.call.map(|id| &self.program.edges[id].kind) else { return };
        if self.program.procedures[procedure].exits.contains(&top.location) {
            let target = caller.call.map(|id| self.program.edges[id].target).unwrap_or(top.location);
            for outcome in self.states.leave(&call.leave, caller.values, state) {
                push(outcome.after.globals, &|it| {
                    it.threads[thread].pop();
                    let depth = it.threads[thread].len() - 1;
                    it.threads[thread][depth] = Frame { location: target, values: outcome.after.frame, call: None };
                });
            }
        }
    }
}
