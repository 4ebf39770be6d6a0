//! Bound after bound, until there is an answer that needs none, or a limit is hit.
//!
//! Between the bounds, what would be done without a bound gets a chance, with an allowance of steps that doubles: neither of
//! the two ways costs much more than twice what it would cost alone, and the steps are the same on every machine.

use base::{Context, StopReason};
use program::Bound;

use crate::Outcome;
use crate::check::{Ask, CheckError, Options, check_once};

/// Steps of the first attempt without a bound.
const FIRST_ALLOWANCE: u64 = 250;

/// Answers a question with growing bounds.
pub(crate) fn increase(ask: Ask<'_>) -> Result<Outcome, CheckError> {
    let mut attempts = Attempts::new(ask);
    let mut before: Option<Outcome> = None;
    for bound in bounds(ask.options.bound) {
        if let Some(outcome) = attempts.next(ask)? {
            return Ok(outcome);
        }
        let options = &Options { bound: Some(bound), increase: false, ..ask.options.clone() };
        let outcome = check_once(Ask { options, ..ask })?;
        if outcome.stopped.is_some() {
            return Ok(cut(outcome, before));
        }
        if outcome.is_violated() || outcome.bound.is_none() {
            return Ok(outcome);
        }
        before = Some(outcome);
    }
    before.ok_or_else(|| CheckError::BoundNeeded("--increase".to_owned()))
}

/// An outcome that a limit has cut short, with what was shown for the bound before.
fn cut(outcome: Outcome, before: Option<Outcome>) -> Outcome {
    let Some(before) = before else { return outcome };
    let max_threads = outcome.max_threads.or(before.max_threads);
    Outcome { finished: before.bound, max_threads, ..outcome }
}

/// Bounds, smallest first.
fn bounds(most: Option<Bound>) -> Box<dyn Iterator<Item = Bound>> {
    match most {
        None => Box::new((0..=u32::MAX).map(Bound::Switches)),
        Some(Bound::Switches(most)) => Box::new((0..=most).map(Bound::Switches)),
        Some(Bound::Rounds(most)) => Box::new((1..=most).map(Bound::Rounds)),
    }
}

/// Attempts without a bound.
struct Attempts {
    options: Options,
    /// Steps of the next one; none: there is no sense in another.
    allowance: Option<u64>,
}

impl Attempts {
    /// A program with one thread needs no bound anyway; an engine that was named is to work within one.
    fn new(ask: Ask<'_>) -> Self {
        let options = Options { bound: None, increase: false, ..ask.options.clone() };
        let is_open = options.engine.is_none() && options.algorithm.is_none() && !options.sequentialize;
        let is_useful = is_open && !ask.loaded.program.is_single_threaded();
        Self { options, allowance: is_useful.then_some(FIRST_ALLOWANCE) }
    }

    /// The outcome of an attempt that decides everything.
    fn next(&mut self, ask: Ask<'_>) -> Result<Option<Outcome>, CheckError> {
        let Some(steps) = self.allowance else { return Ok(None) };
        let budget = &ask.context.budget.allowance(steps);
        let context = &Context { budget, observer: ask.context.observer };
        let outcome = check_once(Ask { options: &self.options, context, ..ask });
        ask.context.budget.charge(budget);
        self.allowance = match &outcome {
            Ok(Outcome { stopped: Some(StopReason::Steps), .. }) => Some(steps.saturating_mul(2)),
            _ => None,
        };
        match outcome {
            Ok(outcome) if outcome.is_complete() => Ok(Some(outcome)),
            // What is beyond the attempt may be within a bound.
            Ok(_) | Err(CheckError::BoundNeeded(_) | CheckError::Unsupported(..)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
