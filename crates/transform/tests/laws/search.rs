//! Exact reachability by tabulation, with shortest distances and traces.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    Action, Choice, EdgeId, EdgeKind, Graph, LocationId, Program, Run, RunId, Trace, TraceStep, VariableId, When,
};

use super::states::{Bits, State, States};

/// An entry and the state in which it was entered.
pub(crate) type Entry = (LocationId, State);

/// A location reached in a frame.
pub(crate) type Point = (Entry, LocationId, State);

/// The length of a shortest way to an entry, and the call at its end.
type Distance = (u64, Option<(Point, EdgeId, Bits)>);

#[derive(Clone, Copy, Debug)]
struct Reached {
    /// Steps since the entry.
    distance: u64,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Entered,
    Step(Point, EdgeId),
    Across(Point, EdgeId, Bits, Entry, LocationId, State),
}

pub(crate) struct Search<'p> {
    states: States<'p>,
    lengths: &'p [u32],
    points: BTreeMap<Point, Reached>,
    /// Who entered, with the frame that was saved.
    callers: BTreeMap<Entry, BTreeSet<(Point, EdgeId, Bits)>>,
    /// Where entries lead to.
    exits: BTreeMap<Entry, BTreeSet<Point>>,
    work: Vec<Point>,
}

impl<'p> Search<'p> {
    pub(crate) fn run(program: &'p Program, lengths: &'p [u32]) -> Self {
        let states = States::new(program);
        let mut search = Self {
            states,
            lengths,
            points: BTreeMap::new(),
            callers: BTreeMap::new(),
            exits: BTreeMap::new(),
            work: Vec::new(),
        };
        let entry = program.procedures[program.threads[0].start].entries[0];
        for state in search.states.starts() {
            search.reach(((entry, state), entry, state), Reached { distance: 0, how: How::Entered });
        }
        let graph = Graph::of(program);
        while let Some(point) = search.work.pop() {
            search.follow(&graph, point);
        }
        search
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points.keys().copied()
    }

    fn length(&self, edge: EdgeId) -> u64 {
        self.lengths.get(edge.0 as usize).copied().unwrap_or(1).into()
    }

    fn reach(&mut self, point: Point, reached: Reached) {
        let known = self.points.get(&point);
        if known.is_none_or(|known| reached.distance < known.distance) {
            self.points.insert(point, reached);
            self.work.push(point);
        }
    }

    fn follow(&mut self, graph: &Graph, point: Point) {
        let (entry, location, state) = point;
        let distance = self.points[&point].distance;
        let program = self.states.program;
        for id in graph.outgoing(location) {
            let edge = &program.edges[*id];
            match &edge.kind {
                EdgeKind::Step(relation) => {
                    let distance = distance + self.length(*id);
                    for outcome in self.states.step(relation, state) {
                        let reached = Reached { distance, how: How::Step(point, *id) };
                        self.reach((entry, edge.target, outcome.after), reached);
                    }
                }
                EdgeKind::Call(call) => {
                    for outcome in self.states.enter(&call.enter, state, call.callee) {
                        let entered = (call.entry, outcome.after);
                        self.callers.entry(entered).or_default().insert((point, *id, outcome.saved));
                        let reached = Reached { distance: 0, how: How::Entered };
                        self.reach((entered, call.entry, outcome.after), reached);
                        for exit in self.exits.get(&entered).cloned().unwrap_or_default() {
                            self.across((point, *id, outcome.saved), exit);
                        }
                    }
                }
                EdgeKind::Spawn(_) => unreachable!("sequential programs only"),
            }
        }
        let procedure = program.locations[location].procedure;
        if program.procedures[procedure].exits.contains(&location) {
            self.exits.entry(entry).or_default().insert(point);
            for caller in self.callers.get(&entry).cloned().unwrap_or_default() {
                self.across(caller, point);
            }
        }
    }

    /// Returns from a point at an exit to a caller.
    fn across(&mut self, caller: (Point, EdgeId, Bits), exit: Point) {
        let (from, id, saved) = caller;
        let (Some(inside), Some(outside)) = (self.points.get(&exit), self.points.get(&from)) else { return };
        let distance = outside.distance + self.length(id) + inside.distance;
        let edge = &self.states.program.edges[id];
        let EdgeKind::Call(call) = &edge.kind else { unreachable!("callers call") };
        for outcome in self.states.leave(&call.leave, saved, exit.2) {
            let how = How::Across(from, id, saved, exit.0, exit.1, exit.2);
            self.reach((from.0, edge.target, outcome.after), Reached { distance, how });
        }
    }

    /// The length of a shortest way to each entry, with the last call.
    fn entry_distances(&self) -> BTreeMap<Entry, Distance> {
        let program = self.states.program;
        let start = program.procedures[program.threads[0].start].entries[0];
        let mut distances: BTreeMap<Entry, Distance> = BTreeMap::new();
        for state in self.states.starts() {
            distances.insert((start, state), (0, None));
        }
        loop {
            let mut changed = false;
            for (entry, callers) in &self.callers {
                for caller in callers {
                    let Some((before, _)) = distances.get(&caller.0.0) else { continue };
                    let distance = before + self.points[&caller.0].distance + 1;
                    if distances.get(entry).is_none_or(|(known, _)| distance < *known) {
                        distances.insert(*entry, (distance, Some(*caller)));
                        changed = true;
                    }
                }
            }
            if !changed {
                return distances;
            }
        }
    }

    /// The length of a shortest trace to the target, and one such trace.
    pub(crate) fn shortest(&self, target: LocationId) -> Option<(u64, Trace)> {
        let entries = self.entry_distances();
        let at_target = self.points.iter().filter(|((_, location, _), _)| *location == target);
        let (distance, point) = at_target.map(|(point, it)| (entries[&point.0].0 + it.distance, *point)).min()?;
        let mut tracer = Tracer { search: self, runs: Vec::new(), known: BTreeMap::new() };
        let mut parts = vec![tracer.steps(point)];
        let mut entry = point.0;
        while let Some((caller, id, saved)) = entries[&entry].1 {
            let mut steps = tracer.steps(caller);
            let choices = self.enter_choices(id, entry.1, saved);
            steps.push(TraceStep { thread: 0, action: Action::Enter(id), choices });
            parts.push(steps);
            entry = caller.0;
        }
        let start = self.all_choices(entry.1, self.states.program.threads[0].start);
        let steps = parts.into_iter().rev().flatten().collect();
        Some((distance, Trace { start, steps, runs: tracer.runs }))
    }

    fn choice(&self, variable: VariableId, state: State) -> Choice {
        Choice::after(variable, self.states.get(state, variable).into())
    }

    fn all_choices(&self, state: State, procedure: program::ProcedureId) -> Vec<Choice> {
        let program = self.states.program;
        let globals = program.variables_in(program::Scope::Shared);
        globals.chain(program.procedures[procedure].frame()).map(|variable| self.choice(variable, state)).collect()
    }

    /// Values of everything that entering writes: the callee's frame, and what has an update.
    fn enter_choices(&self, id: EdgeId, after: State, saved: Bits) -> Vec<Choice> {
        let program = self.states.program;
        let EdgeKind::Call(call) = &program.edges[id].kind else { unreachable!("callers call") };
        let frame = program.procedures[call.callee].frame().map(|variable| self.choice(variable, after));
        let updated = call
            .enter
            .updates
            .iter()
            .filter(|update| update.when == When::Saved || self.states.is_global(update.variable));
        let updated = updated.map(|update| match update.when {
            When::Saved => Choice {
                variable: update.variable,
                when: When::Saved,
                value: self.states.saved(saved, update.variable).into(),
            },
            _ => self.choice(update.variable, after),
        });
        frame.chain(updated).collect()
    }
}

struct Tracer<'a, 'p> {
    search: &'a Search<'p>,
    runs: Vec<Run>,
    known: BTreeMap<(Point, EdgeId), RunId>,
}

impl Tracer<'_, '_> {
    /// The steps from a point's entry to the point.
    fn steps(&mut self, mut point: Point) -> Vec<TraceStep> {
        let search = self.search;
        let program = search.states.program;
        let mut steps = Vec::new();
        loop {
            match search.points[&point].how {
                How::Entered => break,
                How::Step(from, id) => {
                    let EdgeKind::Step(relation) = &program.edges[id].kind else { unreachable!("a step") };
                    let choices = relation.updates.iter().map(|it| search.choice(it.variable, point.2)).collect();
                    steps.push(TraceStep { thread: 0, action: Action::Take(id), choices });
                    point = from;
                }
                How::Across(from, id, saved, entry, exit, state) => {
                    let EdgeKind::Call(call) = &program.edges[id].kind else { unreachable!("a call") };
                    let mut choices: Vec<Choice> =
                        call.leave.updates.iter().map(|it| search.choice(it.variable, point.2)).collect();
                    let entering = search.enter_choices(id, entry.1, saved);
                    let (saved, entering): (Vec<_>, Vec<_>) =
                        entering.into_iter().partition(|choice| choice.when == When::Saved);
                    choices.extend(saved);
                    let run = self.run((entry, exit, state), id, entering);
                    steps.push(TraceStep { thread: 0, action: Action::Across(id, run), choices });
                    point = from;
                }
            }
        }
        steps.reverse();
        steps
    }

    fn run(&mut self, exit: Point, id: EdgeId, entry: Vec<Choice>) -> RunId {
        if let Some(run) = self.known.get(&(exit, id)) {
            return *run;
        }
        let steps = self.steps(exit);
        self.runs.push(Run { entry, steps });
        let run = RunId(self.runs.len() as u32 - 1);
        self.known.insert((exit, id), run);
        run
    }
}
