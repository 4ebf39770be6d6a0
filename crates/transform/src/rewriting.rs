//! Rewritings: steps from program to program that know the way back.
//!
//! A [`Rewriting`] is a step that may be taken, with its own settings. What comes of it is a [`Rewritten`], which turns what an
//! engine says about the new program into what is true of the old one: targets, traces, runs without end, certificates. Passes,
//! thread slots, sequentialization, interleaving, `init`, entries and returns are rewritings; their order is a list
//! ([`crate::Way`]).
//!
//! A rewriting decides nothing about a program, with one exception: what it comes across while it looks at a part of the program
//! that it removes is [`Rewritten::found`].

use std::fmt;
use std::sync::Arc;

use base::{Context, StopReason};
use program::interp::ReplayError;
use program::{Bound, Lasso, LocationId, Program, Trace, Unsupported};
use witness::Certificate;

/// A program on its way to an engine, and what is asked about it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program. Shared with rewritings that need it on the way back.
    pub program: Arc<Program>,
    /// The locations that are asked about.
    pub targets: Vec<LocationId>,
    /// How many edges of the first program each edge stands for, by position; empty: one each.
    pub lengths: Vec<u32>,
}

/// A step from program to program.
pub trait Rewriting: fmt::Debug {
    /// The name that users see.
    fn name(&self) -> &'static str;

    /// What is told while it works.
    fn phase(&self) -> String {
        self.name().to_owned()
    }

    /// Rewrites the subject; none: there is nothing to do, and the subject is as it was.
    fn rewrite(&self, subject: &mut Subject, context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused>;
}

/// Why a rewriting was not done.
#[derive(Clone, PartialEq, Debug)]
pub enum Refused {
    /// The program is beyond it.
    Unsupported(Unsupported),
    /// A limit was hit; with what was found before, in terms of the program before the rewriting.
    Stopped(StopReason, Vec<(LocationId, Trace)>),
}

impl From<Unsupported> for Refused {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

/// The way back of a rewriting: what is said of the new program, said of the old one.
pub trait Rewritten: fmt::Debug {
    /// The target of the old program that a target of the new one stands for.
    fn target_back(&self, location: LocationId) -> LocationId {
        location
    }

    /// The run of the old program that a run of the new one stands for.
    fn trace_back(&self, trace: Trace, context: &Context<'_>) -> Result<Trace, BackError>;

    /// The run without end that one of the new program stands for. Most rewritings keep finite runs alone.
    fn lasso_back(&self, _lasso: Lasso, _context: &Context<'_>) -> Result<Lasso, BackError> {
        Err(BackError::FiniteOnly)
    }

    /// The certificate of the old program, if one of the new program says something about it.
    fn certificate_back(&self, _certified: Certified) -> Option<Certified> {
        None
    }

    /// Targets of the old program that the rewriting found to be reached, with runs of the old program. They are no
    /// longer asked about.
    fn found(&self) -> &[(LocationId, Trace)] {
        &[]
    }

    /// The bound up to which an unreached target of the new program is unreached in the old one; none: without bound.
    fn bound(&self) -> Option<Bound> {
        None
    }

    /// What shows whether the rewriting has left out runs; none: it has left out none.
    fn overflow(&self) -> Option<&Overflow> {
        None
    }

    /// Whether a shortest run, in the lengths of the subject, stands for a shortest run.
    fn keeps_lengths(&self) -> bool {
        false
    }
}

/// Runs that a rewriting has left out, since they need more threads than it has room for.
#[derive(Clone, Debug)]
pub struct Overflow {
    /// The new program.
    pub program: Arc<Program>,
    /// If none of these locations is reached, nothing was left out.
    pub locations: Vec<LocationId>,
    /// The number of threads for which there is room.
    pub max_threads: u32,
}

/// A certificate and the program that it is about.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate.
    pub certificate: Certificate,
    /// The program of a later rewriting, whose states have no counterpart before it; none: the program at hand.
    pub about: Option<Arc<Program>>,
}

/// Why there is no way back for a run.
#[derive(Clone, PartialEq, Debug)]
pub enum BackError {
    /// It stands for no run of the old program. That is a defect of an exact rewriting; an abstraction is to be refined.
    NoRun(String),
    /// A limit was hit while it was looked for.
    Stopped(StopReason),
    /// The rewriting keeps finite runs alone.
    FiniteOnly,
}

impl From<ReplayError> for BackError {
    fn from(error: ReplayError) -> Self {
        Self::NoRun(error.to_string())
    }
}

impl fmt::Display for BackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRun(error) => write!(f, "a run of the rewritten program is no run of the program: {error}"),
            Self::Stopped(reason) => write!(f, "a run could not be taken back: {reason}"),
            Self::FiniteOnly => f.write_str("the rewriting keeps finite runs alone"),
        }
    }
}

impl std::error::Error for BackError {}
