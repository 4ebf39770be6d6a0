//! What programs have that not every rewriting and engine can work on.

use std::fmt;

/// Why a rewriting or an engine cannot work on a program. Its text is a noun phrase: "threads that recurse".
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unsupported {
    /// Mathematical integers; where, as [`NotFinite::describe`](crate::NotFinite::describe) says it.
    Integers(String),
    /// More than one thread.
    SeveralThreads,
    /// Threads that are started on the way.
    StartedThreads,
    /// Threads that are started, and a start condition that speaks of the first frame.
    StartedThreadsWithFrameCondition,
    /// A started thread whose first location is atomic.
    AtomicStart,
    /// A started thread that is given single elements of an array.
    HandedElements,
    /// Threads that call themselves.
    RecursiveThreads,
    /// Unfolded calls have more places than are worth numbering.
    ManyPlaces,
    /// An `init` procedure.
    Init,
    /// An `init` procedure that reads or writes private variables.
    InitWithPrivate,
    /// A procedure that calls enter at different locations.
    SeveralEntries,
    /// A start condition that speaks of the first frame.
    FrameCondition,
    /// A start condition that speaks of private and shared variables at once.
    MixedCondition,
    /// A bound that allows no round.
    NoRounds,
    /// Leaving a call is a condition on values of both sides, and an algorithm reads the two sides one after the other.
    UnsplitReturns,
    /// A temporal property, and more than one thread.
    TemporalSeveralThreads,
    /// A temporal property, and an `init` procedure.
    TemporalInit,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integers(where_they_are) => where_they_are,
            Self::SeveralThreads => "programs with several threads",
            Self::StartedThreads => "programs that start threads",
            Self::StartedThreadsWithFrameCondition => "threads that are started, with a condition on the first frame",
            Self::AtomicStart => "threads that start in an atomic section",
            Self::HandedElements => "threads that are handed single elements of an array",
            Self::RecursiveThreads => "threads that recurse",
            Self::ManyPlaces => "so many places of threads when calls are unfolded",
            Self::Init => "an init procedure",
            Self::InitWithPrivate => "an init procedure with private variables",
            Self::SeveralEntries => "procedures that are entered at more than one location",
            Self::FrameCondition => "a start condition on the first frame",
            Self::MixedCondition => "a start condition that relates private to shared variables",
            Self::NoRounds => "a bound of no rounds",
            Self::UnsplitReturns => {
                "calls that end with a condition on values of both the caller and the callee \
                 (the inputs `ReturnA` and `ReturnB` do not split it; `Return` is always exact)"
            }
            Self::TemporalSeveralThreads => "temporal properties of programs with several threads",
            Self::TemporalInit => "temporal properties of programs with an `init` procedure",
        })
    }
}

impl std::error::Error for Unsupported {}
