//! Verdicts and their evidence.

use std::sync::Arc;

use base::{Diagnostics, StopReason};
use engine::Statistics;
use program::{Bound, Program, Target, Trace};
use witness::Certificate;

use crate::Ran;

/// The answer to a question: what was found, and how it was found out.
///
/// The findings depend on the kind of question: one per target for [`crate::check()`], one per statement for
/// [`crate::coverage()`](fn@crate::coverage), a verdict on all runs for [`crate::temporal::check_temporal`], configurations for
/// [`crate::configurations()`](fn@crate::configurations), answers to queries for [`crate::solve()`](fn@crate::solve).
#[derive(Clone, Debug)]
pub struct Outcome<F = Vec<Finding>> {
    /// What was found.
    pub findings: F,
    /// The proof behind all findings that hold, if there is one.
    pub proof: Option<Proof>,
    /// The limit that was hit, if one was: some findings are then undecided.
    pub stopped: Option<StopReason>,
    /// What more there is to say about that limit.
    pub detail: Option<String>,
    /// The bound up to which what holds was established; none: it holds without bound. A violation needs no bound.
    pub bound: Option<Bound>,
    /// The largest bound within which the search was finished when a limit was hit: nothing that is undecided is reached
    /// within it. None: no limit was hit, or nothing was finished.
    pub finished: Option<Bound>,
    /// The number of live threads up to which it was established, when some run would start more; none: any number.
    pub max_threads: Option<u32>,
    /// Whether an engine that works up to a bound has found that going further would add nothing.
    pub is_converged: bool,
    /// The plan and what its parts cost, for people, where that was asked for.
    pub account: String,
    /// The engine that answered.
    pub engine: &'static str,
    /// Why it was chosen.
    pub why: String,
    /// The algorithm that it ran, if it runs algorithms.
    pub algorithm: Option<Ran>,
    /// The rewritings that the program went through, in order.
    pub rewritings: Vec<&'static str>,
    /// Warnings about the question.
    pub warnings: Diagnostics,
    /// What solving cost.
    pub statistics: Statistics,
}

impl<F> Outcome<F> {
    /// What an engine found that was given the program as it is.
    pub(crate) fn new(engine: &'static str, findings: F, stopped: Option<StopReason>, statistics: Statistics) -> Self {
        Self {
            findings,
            proof: None,
            stopped,
            detail: None,
            bound: None,
            finished: None,
            max_threads: None,
            is_converged: false,
            account: String::new(),
            engine,
            why: String::new(),
            algorithm: None,
            rewritings: Vec::new(),
            warnings: Diagnostics::new(),
            statistics,
        }
    }

    /// The algorithm on whose word alone what holds rests: one of the user's own, without a certificate that was checked.
    #[must_use]
    pub fn on_the_word_of(&self) -> Option<&str> {
        let is_proved = self.proof.as_ref().is_some_and(|proof| proof.validated.is_yes());
        self.algorithm.as_ref().filter(|ran| ran.is_own && !is_proved).map(|ran| ran.name.as_str())
    }
}

/// The answer for one target.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was asked.
    pub target: Target,
    /// The answer.
    pub verdict: Verdict,
}

/// An answer with its evidence. A violation cannot be built without a counterexample.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run reaches the target. The certificate is the outcome's `proof`.
    Holds,
    /// A run reaches the target.
    Fails(Box<Counterexample>),
    /// A limit was hit first.
    Unknown(StopReason),
}

/// A run that reaches a target, in terms of the original program.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The run.
    pub trace: Trace,
    /// Whether no run with fewer steps reaches the target, a finished call counted as one step.
    pub shortest: bool,
    /// Whether the interpreter replayed it.
    pub replayed: Checked,
}

/// Whether evidence was checked by code that no engine uses. Evidence that fails the check is an error, not an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// It was, and it is good.
    Yes,
    /// That was not asked for.
    NotAsked,
    /// A limit was hit before the check was over.
    Stopped(StopReason),
    /// It is beyond the checker: what about it.
    TooLarge(String),
}

impl Checked {
    /// True when the evidence was checked and is good.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        *self == Self::Yes
    }
}

/// A certificate.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The certificate.
    pub certificate: Certificate,
    /// Whether the checker validated it.
    pub validated: Checked,
    /// The program of all interleavings, when the certificate is about its global states; none: about the original.
    pub about: Option<Arc<Program>>,
}

impl Outcome {
    /// True when some target is reached.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        self.findings.iter().any(|finding| matches!(finding.verdict, Verdict::Fails(_)))
    }

    /// True when every target was decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.findings.iter().any(|finding| matches!(finding.verdict, Verdict::Unknown(_)))
    }
}
