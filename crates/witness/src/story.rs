//! A trace told for people: what happens, and the values that matter.
//!
//! A trace names a value for everything that a run leaves open, but most of these values could be others without any
//! change to the way that the run takes. A story leaves them out. It knows the values that the run needs and those that
//! follow from them:
//!
//! - backwards: at the end nothing is needed but the location; an edge needs the values that make its guard and its
//!   constraint true; a needed value that is computed needs what it is computed from, as far as that decides it (one
//!   true operand is enough for a disjunction);
//! - forwards: a value is known if it is needed or if it is the same whatever the values are that are not known.
//!
//! Calls that return are bodies of their own and equal bodies are one, so that a renderer can say "as before". A run that
//! is too long when every call is written out is told with all of its values, at a cost that follows the size of the
//! trace and not the length of the run.
//!
//! Nothing here knows about source text or layout.
//!
//! Modules in reading order:
//! - `record`: the run as a list of definitions, each with what it is computed from; `template`: what an edge computes
//!   from what;
//! - `justify`: which reads are enough for an expression to have a value;
//! - `relevance`: backwards and forwards over the record;
//! - `narrate`: from the moves to the story; `shelf`: bodies, each of them once.

mod justify;
mod narrate;
mod record;
mod relevance;
mod shelf;
mod template;

use base::{IdVec, define_ids};
use program::interp::ReplayError;
use program::{
    Action, EdgeId, Lasso, LocationId, Observation, ProcedureId, Program, Trace, TraceStep, Value, VariableId,
};

use self::record::{Record, Watched};
use self::template::weights;

define_ids! {
    /// What happens inside a call.
    BodyId,
}

/// Values that are known, in the order in which they are best shown.
pub type Values = Vec<(VariableId, Value)>;

/// A run, told for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// The threads that exist at the start; with an `init`: only that.
    pub opening: Vec<Opening>,
    /// The threads that begin when `init` has ended; none if it does not.
    pub later: Vec<Opening>,
    /// What happens, in order.
    pub events: Vec<Event>,
    /// What happens inside calls that return. Equal bodies are one; a body refers only to bodies before it.
    pub bodies: IdVec<BodyId, Body>,
    /// True: values that do not matter are left out. False: the run is too long to find out which do, and all values
    /// are told.
    pub only_what_matters: bool,
    /// Edges that are taken when every call is written out; a call counts once. Saturates.
    pub n_steps: u64,
    /// The deepest nesting of calls.
    pub max_depth: u32,
}

/// The beginning of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its number.
    pub thread: u32,
    /// Where it starts.
    pub procedure: ProcedureId,
    /// What is known at the start. The first opening of a story also has the shared variables.
    pub values: Values,
}

/// What happens inside a call that returns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    /// The procedure that is called.
    pub procedure: ProcedureId,
    /// What is known when it is entered: its frame, and whatever else entering wrote.
    pub values: Values,
    /// What happens, in order.
    pub events: Vec<Event>,
    /// Edges that are taken when every call inside is written out. Saturates.
    pub n_steps: u64,
    /// The deepest nesting of calls inside.
    pub max_depth: u32,
}

/// Something that happens.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The thread that moves.
    pub thread: u32,
    /// Calls of the thread that are open, counted within the list that the event is in.
    pub depth: u32,
    /// Where the thread was.
    pub location: LocationId,
    /// The edge that it takes; when it returns: that of the call.
    pub edge: EdgeId,
    /// What kind of event it is.
    pub kind: EventKind,
    /// What is written and known, even where it is the old value; for a call: written when it returned.
    pub changed: Values,
}

/// Kinds of events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A step.
    Step,
    /// A step that starts a thread; its number is the next one.
    Spawn {
        /// Where the new thread starts.
        procedure: ProcedureId,
        /// What is known of the new thread.
        values: Values,
    },
    /// A call that returns.
    Call(BodyId),
    /// A call of which the inside follows, at a greater depth.
    Enter {
        /// The procedure that is called.
        procedure: ProcedureId,
        /// What is known when it is entered: its frame, and whatever else entering wrote.
        values: Values,
    },
    /// The end of a call that was entered by an event of its own; the location is the exit.
    Return,
}

/// The most moves that are written out to find out which values matter.
const MAX_MOVES: u64 = 200_000;

/// The most values that are read and written for it; an array counts as many as it has elements.
const MAX_WEIGHT: u64 = 1 << 23;

/// Tells a trace. The program is one that `verify` accepts.
pub fn tell(program: &Program, trace: &Trace) -> Result<Story, ReplayError> {
    tell_within(program, trace, &Watched::default(), MAX_MOVES)
}

/// Tells a run without end, up to the end of its first round: every step of the lasso's trace is an event. What the
/// observations say matters at every moment, and what a round needs at its beginning matters at its end.
pub fn tell_lasso(program: &Program, lasso: &Lasso, observations: &[Observation]) -> Result<Story, ReplayError> {
    let mut conditions = Vec::new();
    let mut todo: Vec<&Observation> = observations.iter().rev().collect();
    while let Some(observation) = todo.pop() {
        match observation {
            Observation::Holds { condition, procedure } => conditions.push((condition, *procedure)),
            Observation::AnyOf(parts) | Observation::AllOf(parts) => todo.extend(parts.iter().rev()),
            Observation::At(_) | Observation::Ended => {}
        }
    }
    let watched = Watched { conditions, loop_start: Some(lasso.loop_start) };
    tell_within(program, &lasso.trace, &watched, MAX_MOVES)
}

fn tell_within<'a>(
    program: &'a Program,
    trace: &'a Trace,
    watched: &Watched<'a>,
    max_moves: u64,
) -> Result<Story, ReplayError> {
    let length = Length::of(program, trace);
    if length.moves > max_moves || length.weight > MAX_WEIGHT {
        return narrate::narrate_all(program, trace);
    }
    let record = Record::of(program, trace, watched)?;
    let known = relevance::known(&record);
    Ok(narrate::narrate(trace, record, &known))
}

/// How long a run is when every call is written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Length {
    moves: u64,
    /// Values that are read or written.
    weight: u64,
}

impl Length {
    fn of(program: &Program, trace: &Trace) -> Self {
        let weights = weights(program);
        let mut runs: Vec<Self> = Vec::with_capacity(trace.runs.len());
        for run in &trace.runs {
            let length = Self::of_steps(&run.steps, &weights, &runs);
            runs.push(length);
        }
        Self::of_steps(&trace.steps, &weights, &runs)
    }

    fn of_steps(steps: &[TraceStep], weights: &IdVec<EdgeId, u64>, runs: &[Self]) -> Self {
        let weight = |edge: EdgeId| weights.get(edge).copied().unwrap_or_default();
        let length = |step: &TraceStep| match step.action {
            Action::Take(edge) | Action::Enter(edge) => Self { moves: 1, weight: weight(edge) },
            Action::Return => Self { moves: 1, weight: 0 },
            Action::Across(edge, run) => {
                let inside = runs.get(run.0 as usize).copied().unwrap_or_default();
                inside.plus(Self { moves: 2, weight: weight(edge) })
            }
        };
        steps.iter().map(length).fold(Self::default(), Self::plus)
    }

    fn plus(self, other: Self) -> Self {
        Self { moves: self.moves.saturating_add(other.moves), weight: self.weight.saturating_add(other.weight) }
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
