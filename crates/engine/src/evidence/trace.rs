//! Traces: a shortest hierarchical run to each target, with every crossed call written out as a run of its own.
//!
//! Writing out a call that was crossed from state c to state d: take the smallest stamp k at which the callee's summary
//! allowed it, and with it an entry f and an exit x of the callee; then find a shortest way from f to x inside the
//! callee that uses only summaries with stamps below k. Such a way exists, because that is how the summary was found;
//! and stamps go down, so the writing ends.

use encode::Copy;
use program::{
    Action, Call, Choice, EdgeId, EdgeKind, LocationId, ProcedureId, Relation, Run, RunId, Trace, TraceStep,
    VariableId, When,
};
use rustc_hash::FxHashMap;

use super::rings::{Leg, Move, Rings, Rules, Table, Way};
use crate::halt::Halt;
use crate::problem::Problem;
use crate::state::{self, State};

/// Finds a trace to each of the reached targets.
pub(crate) fn find(
    problem: &Problem<'_>,
    targets: &[LocationId],
    traces: &mut Vec<(LocationId, Trace)>,
) -> Result<(), Halt> {
    let Some(start) = problem.task.program.procedures[problem.start].entries.first() else { return Ok(()) };
    let leading = procedures_leading_to(problem, targets);
    let rules = Rules { before: u64::MAX, enter: Some(&leading) };
    let states = problem.encoding.start_states(problem.start)?;
    let (mut table, mut inside) = (Table::new(problem.task.program), Table::new(problem.task.program));
    let mut rings = Rings::new(problem, rules, &mut table, *start, states)?;
    let mut missing: Vec<LocationId> = targets.to_vec();
    let mut locations = Vec::new();
    while !missing.is_empty() {
        let Some(distance) = rings.advance(&mut locations)? else { break };
        for target in locations.iter().copied() {
            if let Some(position) = missing.iter().position(|missing| *missing == target) {
                missing.swap_remove(position);
                let way = way_to(problem, &mut rings, target, distance)?;
                traces.push((target, Writer::new(problem, &mut inside).write(&way)?));
            }
        }
    }
    Ok(())
}

fn way_to(problem: &Problem<'_>, rings: &mut Rings<'_, '_>, location: LocationId, distance: u64) -> Result<Way, Halt> {
    let procedure = problem.task.program.locations[location].procedure;
    let ring = rings.ring(location, distance);
    let state = ring.and_then(|ring| state::pick(&problem.encoding, procedure, ring));
    rings.way_back(location, distance, state.unwrap_or_default())
}

/// Marks the procedures from which, by calls, a procedure with a target is reached.
fn procedures_leading_to(problem: &Problem<'_>, targets: &[LocationId]) -> Vec<bool> {
    let program = problem.task.program;
    let mut marked = vec![false; program.procedures.len()];
    let mut worklist: Vec<ProcedureId> = targets.iter().map(|target| program.locations[*target].procedure).collect();
    while let Some(procedure) = worklist.pop() {
        if !std::mem::replace(&mut marked[procedure.0 as usize], true) {
            let calls = problem.graph.calls_of(procedure).iter();
            worklist.extend(calls.map(|edge| program.locations[program.edges[*edge].source].procedure));
        }
    }
    marked
}

/// What identifies the run behind a crossed call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct RunKey {
    entry: LocationId,
    /// What the call decides on entering.
    decided: Vec<VariableId>,
    /// Summaries used inside have smaller stamps.
    before: u64,
    /// What the callee starts with: values that callers see.
    first: State,
    /// What it ends with: values that callers see.
    last: State,
}

/// A run whose own calls are not all written out yet.
struct Draft {
    way: Way,
    /// One for each leg across a call.
    calls: Vec<Crossed>,
}

/// A call that was crossed.
#[derive(Clone, Debug)]
struct Crossed {
    run: RunKey,
    /// What entering wrote into the caller's frame: it matters even where leaving writes over it.
    saved: State,
}

pub(crate) struct Writer<'s, 'a> {
    problem: &'s Problem<'a>,
    /// For the searches inside calls.
    table: &'s mut Table,
    runs: Vec<Run>,
    run_of: FxHashMap<RunKey, RunId>,
}

impl<'s, 'a> Writer<'s, 'a> {
    pub(crate) fn new(problem: &'s Problem<'a>, table: &'s mut Table) -> Self {
        Self { problem, table, runs: Vec::new(), run_of: FxHashMap::default() }
    }

    pub(crate) fn write(mut self, way: &Way) -> Result<Trace, Halt> {
        let draft = self.draft(way.clone(), u64::MAX)?;
        for call in &draft.calls {
            self.write_run(call.run.clone())?;
        }
        let encoding = &self.problem.encoding;
        let start = state::choices(encoding, &way.first, encoding.in_scope(self.problem.start), When::After);
        Ok(Trace { start, steps: self.steps(&draft), runs: self.runs })
    }

    /// Writes a run and, before it, all runs that it refers to. Calls nest as deep as the program likes, so the stack
    /// is our own.
    fn write_run(&mut self, key: RunKey) -> Result<(), Halt> {
        let mut stack: Vec<(RunKey, Option<Draft>)> = vec![(key, None)];
        while let Some((key, draft)) = stack.pop() {
            if self.run_of.contains_key(&key) {
                continue;
            }
            match draft {
                None => {
                    let way = self.way_inside(&key)?;
                    let draft = self.draft(way, key.before)?;
                    let calls: Vec<RunKey> = draft.calls.iter().map(|call| call.run.clone()).collect();
                    stack.push((key, Some(draft)));
                    stack.extend(calls.into_iter().map(|run| (run, None)));
                }
                Some(draft) => {
                    let run = self.finish_run(&key, &draft);
                    self.run_of.insert(key, RunId(self.runs.len() as u32));
                    self.runs.push(run);
                }
            }
        }
        Ok(())
    }

    fn finish_run(&self, key: &RunKey, draft: &Draft) -> Run {
        let decided = key.decided.iter().copied();
        let entry = state::choices(&self.problem.encoding, &draft.way.first, decided, When::After);
        Run { entry, steps: self.steps(draft) }
    }

    /// A shortest way inside a callee from what it starts with to what it ends with.
    fn way_inside(&mut self, key: &RunKey) -> Result<Way, Halt> {
        let (problem, program) = (self.problem, self.problem.task.program);
        let procedure = program.locations[key.entry].procedure;
        let manager = problem.encoding.manager();
        let frame = problem.encoding.in_scope(procedure);
        let first = problem.encoding.and_in_range(manager.conjunction(&key.first)?, frame, Copy::Current)?;
        let last = manager.conjunction(&key.last)?;
        let rules = Rules { before: key.before, enter: None };
        let mut rings = Rings::new(problem, rules, self.table, key.entry, first)?;
        let mut locations = Vec::new();
        while let Some(distance) = rings.advance(&mut locations)? {
            for exit in locations.iter().copied().filter(|location| problem.is_exit[*location]) {
                let Some(ring) = rings.ring(exit, distance) else { continue };
                let ends = ring.and(&last)?;
                if let Some(state) = state::pick(&problem.encoding, procedure, &ends) {
                    return rings.way_back(exit, distance, state);
                }
            }
        }
        unreachable!("a summary is found by a run that uses only earlier summaries")
    }

    /// Finds out which run is behind each crossed call of a way.
    fn draft(&self, way: Way, before: u64) -> Result<Draft, Halt> {
        let mut calls = Vec::new();
        let mut state = &way.first;
        for leg in &way.legs {
            if let Move::Across(edge) = leg.moved {
                calls.push(self.run_behind(edge, before, state, &leg.state)?);
            }
            state = &leg.state;
        }
        Ok(Draft { way, calls })
    }

    /// The run behind a call that was crossed from one state to another with summaries older than a stamp.
    fn run_behind(&self, edge: EdgeId, before: u64, from: &State, to: &State) -> Result<Crossed, Halt> {
        let EdgeKind::Call(call) = &self.problem.task.program.edges[edge].kind else {
            unreachable!("only calls are crossed")
        };
        let history = self.problem.history(call);
        let usable = history.partition_point(|(stamp, _)| *stamp < before);
        let cross = |at: usize| self.problem.encoding.cross(edge, call, &history[at].1, from, to);
        // Summaries only grow, so the first one that allows the crossing is found by halving.
        let (mut low, mut high, mut found) = (0, usable - 1, None);
        while low < high {
            let middle = usize::midpoint(low, high);
            match cross(middle)? {
                Some(crossing) => (high, found) = (middle, Some(crossing)),
                None => low = middle + 1,
            }
        }
        // What was found last is at `high`, which is where the halving ends.
        let found = if found.is_some() { found } else { cross(low)? };
        let crossing = found.unwrap_or_else(|| unreachable!("the call was crossed with one of these summaries"));
        let decided = crate::set_on_entry(self.problem.task.program, call);
        let (entry, before) = (call.entry, history[low].0);
        let run = RunKey { entry, decided, before, first: crossing.first, last: crossing.last };
        Ok(Crossed { run, saved: crossing.saved })
    }

    fn steps(&self, draft: &Draft) -> Vec<TraceStep> {
        let mut calls = draft.calls.iter();
        draft.way.legs.iter().map(|leg| self.step(leg, &mut calls)).collect()
    }

    fn step<'k>(&self, leg: &Leg, calls: &mut impl Iterator<Item = &'k Crossed>) -> TraceStep {
        let (encoding, program) = (&self.problem.encoding, self.problem.task.program);
        let written = |relation: &Relation| {
            let open = relation.updates.iter().filter(|update| update.is_nondeterministic());
            state::choices(encoding, &leg.state, open.map(|update| update.variable), When::After)
        };
        let (action, choices) = match (leg.moved, &program.edges[edge_of(leg.moved)].kind) {
            (Move::Step(edge), EdgeKind::Step(relation)) => (Action::Take(edge), written(relation)),
            (Move::Enter(edge), EdgeKind::Call(call)) => {
                let decided = crate::set_on_entry(program, call).into_iter();
                (Action::Enter(edge), state::choices(encoding, &leg.state, decided, When::After))
            }
            (Move::Across(edge), EdgeKind::Call(call)) => {
                let crossed = calls.next().and_then(|call| Some((*self.run_of.get(&call.run)?, &call.saved)));
                let (run, saved) =
                    crossed.unwrap_or_else(|| unreachable!("runs are written before those that refer to them"));
                (Action::Across(edge, run), [written(&call.leave), self.saved(call, saved)].concat())
            }
            _ => unreachable!("a move fits its edge"),
        };
        TraceStep { thread: 0, action, choices }
    }

    /// What entering wrote into the caller's frame.
    fn saved(&self, call: &Call, saved: &State) -> Vec<Choice> {
        let written = call.enter.updates.iter().filter(|update| update.when == When::Saved);
        state::choices(&self.problem.encoding, saved, written.map(|update| update.variable), When::Saved)
    }
}

fn edge_of(moved: Move) -> EdgeId {
    match moved {
        Move::Step(edge) | Move::Enter(edge) | Move::Across(edge) => edge,
    }
}
