//! Why a trace is not a run of its program.

use std::fmt;

use base::StopReason;

use crate::RunId;

/// Where in a trace something happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Before the first step.
    Start,
    /// At a step of the trace itself, counted from zero.
    Step(usize),
    /// At a step of a run, counted from zero.
    InRun(RunId, usize),
    /// After the last step.
    End,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("at the start"),
            Self::Step(at) => write!(f, "at step {}", at + 1),
            Self::InRun(run, at) => write!(f, "at step {} of run {}", at + 1, run.0 + 1),
            Self::End => f.write_str("at the end"),
        }
    }
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A thread, edge, run or variable that does not exist, or an edge of another kind than the step needs.
    Unknown,
    /// The thread is elsewhere, or has no call to return from.
    Elsewhere,
    /// Another thread must go on first.
    NotItsTurn,
    /// The guard is false, or an index is out of range.
    Impossible,
    /// A chosen value is not one that the variable may get.
    Choice,
    /// The outcome does not satisfy the constraint.
    Constraint,
    /// The values at the start do not satisfy the start condition.
    StartCondition,
    /// Too many values to decide it.
    TooLarge,
    /// The run does not end where it should.
    WrongEnd,
    /// A limit was reached.
    Stopped(StopReason),
}

/// Why a trace is not a run of its program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// Where.
    pub place: Place,
    /// What, for programs.
    pub fault: Fault,
    /// What, in words, for people.
    pub message: String,
}

impl ReplayError {
    pub(crate) fn new(place: Place, problem: Problem) -> Self {
        Self { place, fault: problem.fault, message: problem.message }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ReplayError {}

/// A replay error whose place is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) fault: Fault,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, message: message.into() }
    }

    pub(crate) fn too_large(what: &str) -> Self {
        Self::new(Fault::TooLarge, format!("{what} has too many possible values"))
    }
}
