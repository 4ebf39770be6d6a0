//! Traces from the facts that an answer rests on.

use calculus::{Halt, Solver};
use encode::{Point, Supply};
use program::{Action, Choice, EdgeId, EdgeKind, LocationId, Run, RunId, Trace, TraceStep, VariableId, When};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::ground::{Gathering, Ground, How, PathId, Search, StateId};
use super::interleave;
use crate::Task;

/// Finds a trace to each of the reached targets.
pub(super) fn find(
    task: &Task<'_>,
    supply: &Supply<'_>,
    solver: &mut Solver<'_>,
    query: usize,
    targets: &[LocationId],
    traces: &mut Vec<(LocationId, Trace)>,
) -> Result<(), Halt> {
    let points = supply.points().list();
    let keys = solver.keys(query)?;
    for target in targets {
        let is_target = |point: &Point| matches!(point, Point::At(location, _) if location == target);
        let answered = keys.iter().find(|key| is_target(&points[key[0] as usize]));
        let Some(key) = answered else { continue };
        let mut gathering = Gathering::default();
        solver.derive(query, key, &mut |fact| {
            let event = supply.event(&fact).map_err(|_| Halt::OutOfNodes)?;
            event.into_iter().for_each(|event| gathering.add(event));
            Ok(())
        })?;
        let ground = gathering.finish();
        let trace = if task.program.threads.len() > 1 {
            interleave::find(task, supply, &ground, *target)
        } else {
            sequential(supply, &ground, *target)
        };
        traces.extend(trace.map(|trace| (*target, trace)));
    }
    Ok(())
}

fn sequential(supply: &Supply<'_>, ground: &Ground, target: LocationId) -> Option<Trace> {
    let (search, found) =
        Search::run(ground, |state| matches!(state.point, Point::At(location, _) if location == target));
    let mut writer = Writer { supply, ground, search: &search, runs: Vec::new(), run_of: FxHashMap::default() };
    Some(writer.write(found?))
}

struct Writer<'a, 'p> {
    supply: &'a Supply<'p>,
    ground: &'a Ground,
    search: &'a Search,
    runs: Vec<Run>,
    /// By the path to the exit and by what the call decided on entering.
    run_of: FxHashMap<(PathId, Vec<VariableId>), RunId>,
}

impl Writer<'_, '_> {
    fn write(&mut self, path: PathId) -> Trace {
        let mut segments = Vec::new();
        let mut path = path;
        let first = loop {
            self.write_runs(path);
            segments.push(self.within(path));
            let entry = self.search.paths[path].entry;
            let Some((caller, edge)) = self.search.caller[&entry] else { break entry };
            segments.push(vec![self.enter(edge, caller, entry)]);
            path = caller;
        };
        let steps = segments.into_iter().rev().flatten().collect();
        let state = &self.ground.states[first];
        let Point::Before(procedure) = state.point else {
            return Trace { start: Vec::new(), steps, runs: std::mem::take(&mut self.runs) };
        };
        let program = self.supply.program();
        let is_global = |id: &VariableId| !matches!(program.variables[*id].scope, program::Scope::Local(_));
        let globals = program.variables.ids().filter(is_global);
        let variables: Vec<VariableId> = globals.chain(program.procedures[procedure].frame()).collect();
        let start = self.choices(&variables, When::After, first);
        Trace { start, steps, runs: std::mem::take(&mut self.runs) }
    }

    /// The moves from the entry of a path's call to its end, last first.
    fn moves(&self, mut path: PathId) -> Vec<(PathId, How)> {
        let mut moves = Vec::new();
        loop {
            let how = self.search.paths[path].how;
            match how {
                How::Entered => return moves,
                How::Step(from, _) | How::Across(from, ..) => {
                    moves.push((path, how));
                    path = from;
                }
            }
        }
    }

    /// The runs of all calls that a path crosses, innermost first. Calls nest as deep as the program likes, so the
    /// stack is our own.
    fn write_runs(&mut self, path: PathId) {
        let mut stack: Vec<(PathId, Option<EdgeId>, bool)> = vec![(path, None, false)];
        while let Some((path, edge, is_open)) = stack.pop() {
            if edge.is_some_and(|edge| self.run_of.contains_key(&self.run_key(path, edge))) {
                continue;
            }
            if !is_open {
                stack.push((path, edge, true));
                for (_, how) in self.moves(path) {
                    if let How::Across(_, exit, call) = how {
                        stack.push((exit, Some(call), false));
                    }
                }
            } else if let Some(edge) = edge {
                let key = self.run_key(path, edge);
                let entry = self.choices(&key.1, When::After, self.search.paths[path].entry);
                let steps = self.within(path);
                self.run_of.insert(key, RunId(self.runs.len() as u32));
                self.runs.push(Run { entry, steps });
            }
        }
    }

    fn run_key(&self, exit: PathId, edge: EdgeId) -> (PathId, Vec<VariableId>) {
        let EdgeKind::Call(call) = &self.supply.program().edges[edge].kind else { return (exit, Vec::new()) };
        (exit, crate::set_on_entry(self.supply.program(), call))
    }

    /// The steps from the entry of a path's call to its end; the runs of crossed calls have been written.
    fn within(&self, path: PathId) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        for (path, how) in self.moves(path).into_iter().rev() {
            let state = self.search.paths[path].state;
            match how {
                How::Step(_, Some(edge)) => steps.push(self.step(Action::Take(edge), edge, state)),
                How::Across(caller, exit, edge) => {
                    let run = self.run_of.get(&self.run_key(exit, edge)).copied().unwrap_or(RunId(0));
                    let mut step = self.step(Action::Across(edge, run), edge, state);
                    step.choices.extend(self.saved(edge, caller));
                    steps.push(step);
                }
                How::Step(_, None) | How::Entered => {}
            }
        }
        steps
    }

    /// What a call leaves in its caller's frame.
    fn saved(&self, edge: EdgeId, caller: PathId) -> Vec<Choice> {
        self.supply.saved(&self.ground.states[self.search.paths[caller].state], edge)
    }

    fn enter(&self, edge: EdgeId, caller: PathId, entry: StateId) -> TraceStep {
        let program = self.supply.program();
        let EdgeKind::Call(call) = &program.edges[edge].kind else {
            return TraceStep { thread: 0, action: Action::Enter(edge), choices: Vec::new() };
        };
        let mut choices = self.choices(&crate::set_on_entry(program, call), When::After, entry);
        choices.extend(self.saved(edge, caller));
        TraceStep { thread: 0, action: Action::Enter(edge), choices }
    }

    fn step(&self, action: Action, edge: EdgeId, state: StateId) -> TraceStep {
        let choices = self.choices(&written(self.supply.program(), edge), When::After, state);
        TraceStep { thread: 0, action, choices }
    }

    fn choices(&self, variables: &[VariableId], when: When, state: StateId) -> Vec<Choice> {
        choices(self.supply, &self.ground.states[state], variables, when)
    }
}

/// The variables that a step, or the end of a call, writes.
pub(super) fn written(program: &program::Program, edge: EdgeId) -> SmallVec<[VariableId; 8]> {
    let relation = match &program.edges[edge].kind {
        EdgeKind::Step(relation) => relation,
        EdgeKind::Call(call) => &call.leave,
        EdgeKind::Spawn(spawn) => &spawn.enter,
    };
    let mut variables: SmallVec<[VariableId; 8]> = relation.updates.iter().map(|update| update.variable).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// The values of variables in a state, as choices.
pub(super) fn choices(supply: &Supply<'_>, state: &encode::State, variables: &[VariableId], when: When) -> Vec<Choice> {
    let choice =
        |variable: &VariableId| supply.value(state, *variable).map(|value| Choice { variable: *variable, when, value });
    variables.iter().filter_map(choice).collect()
}
