//! Plays a trace on a machine.
//!
//! A trace shares the runs of equal calls, so it can stand for a run that is exponentially longer. A player that
//! remembers ([`Player::remembering`]) executes a call only once for each state in which it is entered, so that its
//! cost follows the size of the trace; a player that does not shows every move.

use base::Budget;
use rustc_hash::FxHashMap;

use super::configuration::ThreadState;
use super::error::{Fault, Place, Problem, ReplayError};
use super::machine::{Machine, Move, MoveKind};
use crate::{Action, Choice, EdgeId, EdgeKind, LocationId, Program, RunId, Trace, TraceStep, Value, When};

/// Plays a trace, move by move.
#[derive(Debug)]
pub struct Player<'a> {
    trace: &'a Trace,
    machine: Machine<'a>,
    /// What is being played, outermost first; never empty.
    activities: Vec<Activity>,
    memory: Option<Memory>,
}

/// A list of steps that is being played.
#[derive(Debug)]
struct Activity {
    /// The run whose steps these are; none: the trace itself.
    run: Option<RunId>,
    /// The next step.
    at: usize,
    /// The number of frames when it began.
    depth: usize,
    /// Under what its end is remembered.
    key: Option<Key>,
}

/// A run, the thread that calls, and shared values, private values and frame at its entry. The steps of a run name their
/// thread, so what one thread has played says nothing about another.
type Key = (RunId, u32, Vec<Value>, ThreadState);

/// What happened when the player went on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<'a> {
    /// Where in the trace.
    pub place: Place,
    /// The step of the trace.
    pub step: &'a TraceStep,
    /// The run that is entered or left as a part of an [`Action::Across`].
    pub run: Option<RunId>,
    /// What the thread did.
    pub moved: Move,
}

/// The ends of runs by their beginnings.
#[derive(Debug)]
struct Memory {
    ends: FxHashMap<Key, (Vec<Value>, ThreadState)>,
    /// Per run: whether it is worth remembering, being used more than once, and possible, starting no threads.
    is_remembered: Vec<bool>,
}

impl Memory {
    fn of(program: &Program, trace: &Trace) -> Self {
        let mut n_uses = vec![0u32; trace.runs.len()];
        let mut spawns = vec![false; trace.runs.len()];
        for (at, steps) in all_steps(trace) {
            for step in steps {
                match step.action {
                    Action::Across(_, RunId(run)) if (run as usize) < at => {
                        n_uses[run as usize] += 1;
                        let inner = spawns[run as usize];
                        if let Some(spawns) = spawns.get_mut(at) {
                            *spawns |= inner;
                        }
                    }
                    Action::Take(edge) => {
                        let kind = program.edges.get(edge).map(|edge| &edge.kind);
                        if let (Some(EdgeKind::Spawn(_)), Some(spawns)) = (kind, spawns.get_mut(at)) {
                            *spawns = true;
                        }
                    }
                    _ => {}
                }
            }
        }
        let is_remembered = n_uses.iter().zip(&spawns).map(|(n_uses, spawns)| *n_uses > 1 && !spawns).collect();
        Self { ends: FxHashMap::default(), is_remembered }
    }
}

/// The steps of each run with its number, then those of the trace.
fn all_steps(trace: &Trace) -> impl Iterator<Item = (usize, &[TraceStep])> {
    let runs = trace.runs.iter().map(|run| run.steps.as_slice());
    runs.chain(std::iter::once(trace.steps.as_slice())).enumerate()
}

impl<'a> Player<'a> {
    /// A player that shows every move.
    pub fn new(program: &'a Program, trace: &'a Trace) -> Result<Self, ReplayError> {
        let machine = Machine::start(program, &trace.start)?;
        let activities = vec![Activity { run: None, at: 0, depth: 0, key: None }];
        Ok(Self { trace, machine, activities, memory: None })
    }

    /// A player that executes a call again only if its beginning is new; otherwise it goes on at the end of the run.
    pub fn remembering(program: &'a Program, trace: &'a Trace) -> Result<Self, ReplayError> {
        Ok(Self { memory: Some(Memory::of(program, trace)), ..Self::new(program, trace)? })
    }

    /// The machine in its present configuration.
    #[must_use]
    pub fn machine(&self) -> &Machine<'a> {
        &self.machine
    }

    /// How many steps of the trace itself are done; none while a call is played.
    #[must_use]
    pub fn n_steps_done(&self) -> Option<usize> {
        match self.activities.as_slice() {
            [outermost] => Some(outermost.at),
            _ => None,
        }
    }

    /// Makes the next move; none after the last.
    pub fn next_move(&mut self) -> Result<Option<Played<'a>>, ReplayError> {
        let place = self.place();
        let next = self.advance(place);
        next.map_err(|problem| ReplayError::new(place, problem))
    }

    fn current(&mut self) -> &mut Activity {
        let Some(current) = self.activities.last_mut() else { unreachable!("the trace itself is never done with") };
        current
    }

    fn steps(&self, run: Option<RunId>) -> &'a [TraceStep] {
        match run {
            Some(run) => &self.trace.runs[run.0 as usize].steps,
            None => &self.trace.steps,
        }
    }

    fn place(&mut self) -> Place {
        let Activity { run, at, .. } = *self.current();
        match run {
            Some(run) => Place::InRun(run, at),
            None if at < self.trace.steps.len() => Place::Step(at),
            None => Place::End,
        }
    }

    fn advance(&mut self, place: Place) -> Result<Option<Played<'a>>, Problem> {
        let Activity { run, at, .. } = *self.current();
        let Some(step) = self.steps(run).get(at) else {
            return run.map(|run| self.end_run(place, run)).transpose();
        };
        if self.caller().is_some_and(|caller| caller.thread != step.thread) {
            return Err(Problem::new(Fault::NotItsTurn, "the run of a call belongs to the thread that calls"));
        }
        let choices: Vec<&Choice> = step.choices.iter().collect();
        let (moved, run) = match step.action {
            Action::Take(edge) => (self.machine.take(step.thread, edge, &choices)?, None),
            Action::Enter(edge) => (self.machine.enter(step.thread, edge, &choices)?, None),
            Action::Return => (self.leave(step, &choices)?, None),
            Action::Across(edge, run) => (self.across(step, edge, run)?, Some(run)),
        };
        // Entering a run has pushed its activity, so the step that is done is counted below it.
        let done = self.activities.len() - 1 - usize::from(run.is_some());
        self.activities[done].at += 1;
        Ok(Some(Played { place, step, run, moved }))
    }

    /// The step whose call is being played, if it is one.
    fn caller(&self) -> Option<&'a TraceStep> {
        let outer = self.activities.len().checked_sub(2)?;
        let Activity { run, at, .. } = self.activities[outer];
        self.steps(run).get(at.checked_sub(1)?)
    }

    fn depth(&self, thread: u32) -> usize {
        self.machine.configuration().threads.get(thread as usize).map_or(0, |thread| thread.frames.len())
    }

    fn leave(&mut self, step: &TraceStep, choices: &[&Choice]) -> Result<Move, Problem> {
        if self.depth(step.thread) <= self.current().depth {
            return Err(Problem::new(Fault::WrongEnd, "a run returns from the call that it belongs to"));
        }
        self.machine.leave(step.thread, choices)
    }

    fn across(&mut self, step: &TraceStep, edge: EdgeId, run: RunId) -> Result<Move, Problem> {
        let earlier = self.current().run.map_or(self.trace.runs.len(), |run| run.0 as usize);
        if run.0 as usize >= earlier {
            return Err(Problem::new(Fault::Unknown, format!("there is no run {} before this place", run.0 + 1)));
        }
        let saved = step.choices.iter().filter(|choice| choice.when == When::Saved);
        let choices: Vec<&Choice> = self.trace.runs[run.0 as usize].entry.iter().chain(saved).collect();
        let moved = self.machine.enter(step.thread, edge, &choices)?;
        let mut activity = Activity { run: Some(run), at: 0, depth: self.depth(step.thread), key: None };
        if let Some(memory) = self.memory.as_ref().filter(|memory| memory.is_remembered[run.0 as usize]) {
            let key = (run, step.thread, self.machine.configuration().shared.clone(), self.state(step.thread));
            match memory.ends.get(&key) {
                Some((shared, state)) => {
                    self.machine.jump(step.thread, shared, state);
                    activity.at = self.steps(Some(run)).len();
                }
                None => activity.key = Some(key),
            }
        }
        self.activities.push(activity);
        Ok(moved)
    }

    /// Private values and innermost frame of a thread.
    fn state(&self, thread: u32) -> ThreadState {
        let state = &self.machine.configuration().threads[thread as usize];
        ThreadState { private: state.private.clone(), frames: vec![state.top().clone()] }
    }

    fn end_run(&mut self, place: Place, run: RunId) -> Result<Played<'a>, Problem> {
        let Some(step) = self.caller() else { unreachable!("a run is played inside a step") };
        if self.depth(step.thread) != self.current().depth {
            return Err(Problem::new(Fault::WrongEnd, "a run ends inside a call that it entered"));
        }
        if let Some(key) = self.current().key.take() {
            let end = (self.machine.configuration().shared.clone(), self.state(step.thread));
            if let Some(memory) = &mut self.memory {
                memory.ends.insert(key, end);
            }
        }
        let choices: Vec<&Choice> = step.choices.iter().filter(|choice| choice.when != When::Saved).collect();
        let moved = self.machine.leave(step.thread, &choices)?;
        self.activities.pop();
        Ok(Played { place, step, run: Some(run), moved })
    }
}

/// A trace that is a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Moves that were executed; calls that begin alike are executed once.
    pub n_moves: u64,
}

/// Executes a trace and checks that it is a run that ends at the target.
pub fn replay(program: &Program, trace: &Trace, target: LocationId) -> Result<Replay, ReplayError> {
    replay_within(program, trace, target, &Budget::unlimited())
}

/// Executes a trace within limits, of which each move is a step.
pub fn replay_within(
    program: &Program,
    trace: &Trace,
    target: LocationId,
    budget: &Budget,
) -> Result<Replay, ReplayError> {
    let mut player = Player::remembering(program, trace)?;
    let mut n_moves = 0;
    let mut last = None;
    loop {
        budget.step().map_err(|reason| {
            let place = player.place();
            ReplayError::new(place, Problem::new(Fault::Stopped(reason), reason.to_string()))
        })?;
        let Some(played) = player.next_move()? else { break };
        n_moves += 1;
        last = Some((played.moved.thread, played.moved.kind));
    }
    if is_at(player.machine(), last, target) {
        return Ok(Replay { n_moves });
    }
    let place = program.locations.get(target).map_or_else(String::new, |_| program.location_name(target));
    Err(ReplayError::new(Place::End, Problem::new(Fault::WrongEnd, format!("the run does not end at {place}"))))
}

/// True when the last move brought a thread to the target, or started one there.
fn is_at(machine: &Machine<'_>, last: Option<(u32, MoveKind)>, target: LocationId) -> bool {
    let configuration = machine.configuration();
    let at = |thread: &ThreadState| thread.top().location == target;
    let moved = match last {
        None => configuration.threads.iter().any(at),
        Some((thread, kind)) => {
            let threads = configuration.waiting.as_ref().unwrap_or(&configuration.threads);
            let spawned = threads.last().filter(|_| kind == MoveKind::Spawn);
            configuration.threads.get(thread as usize).is_some_and(at) || spawned.is_some_and(at)
        }
    };
    let begun = configuration.waiting.as_ref().filter(|_| machine.init_is_over());
    moved || begun.is_some_and(|threads| threads.iter().any(at))
}
