//! An engine at the end of a way of rewritings, and its answer taken back to the first program.

use base::StopReason;
use program::{Bound, LocationId, Trace};
use transform::{BackError, Certified, Step, Way};

use crate::{Answer, Context, Engine, Task};

/// What is wanted of an engine at the end of a way.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// How far interleavings are followed.
    pub bound: Option<Bound>,
    /// Whether reached targets are to come with traces.
    pub traces: bool,
    /// Whether unreached targets are to come with a certificate.
    pub certificate: bool,
}

/// Lets an engine decide what is asked at the end of a way. The answer is about the first program of the way; its certificate
/// stands apart, since it may be about a later one.
pub fn answer(
    engine: &dyn Engine,
    way: &Way,
    asked: Asked,
    context: &Context<'_>,
) -> Result<(Answer, Option<Certified>), BackError> {
    let subject = &way.subject;
    let mut answer = Answer::default();
    if !subject.targets.is_empty() || way.steps().is_empty() {
        let Asked { bound, traces, certificate } = asked;
        let (program, targets, lengths) = (&*subject.program, &subject.targets[..], &subject.lengths[..]);
        answer = engine.solve(&Task { program, targets, lengths, bound, traces, certificate }, context);
    }
    let certified = answer.certificate.take().and_then(|certificate| way.certificate_back(certificate));
    for step in way.steps().iter().rev() {
        answer.go_back(step, asked.traces, context)?;
    }
    Ok((answer, certified))
}

/// What is known if the way could not be gone to its end: what was found before that.
pub fn stopped(
    reason: StopReason,
    found: Vec<(LocationId, Trace)>,
    way: &Way,
    asked: Asked,
    context: &Context<'_>,
) -> Result<Answer, BackError> {
    let reached = found.iter().map(|(location, _)| *location).collect();
    let mut answer = Answer { reached, traces: found, stopped: Some(reason), ..Answer::default() };
    for step in way.steps().iter().rev() {
        answer.go_back(step, asked.traces, context)?;
    }
    Ok(answer)
}

impl Answer {
    /// Makes it an answer about the program before a rewriting.
    fn go_back(&mut self, step: &Step, traces: bool, context: &Context<'_>) -> Result<(), BackError> {
        let mut back: Vec<(LocationId, Trace)> = step.back.found().to_vec();
        for (location, trace) in std::mem::take(&mut self.traces) {
            match step.back.trace_back(trace, context) {
                Ok(trace) => back.push((step.back.target_back(location), trace)),
                Err(BackError::Stopped(reason)) => self.stopped = Some(reason),
                Err(error) => return Err(error),
            }
        }
        // Several locations may stand for a target.
        back.sort_by_key(|(location, trace)| (*location, trace.steps.len()));
        back.dedup_by_key(|(location, _)| *location);
        let mut reached: Vec<LocationId> = self.reached.iter().map(|it| step.back.target_back(*it)).collect();
        reached.extend(step.back.found().iter().map(|(location, _)| *location));
        reached.sort_unstable();
        self.reached = step.targets.iter().filter(|target| reached.binary_search(target).is_ok()).copied().collect();
        self.traces = if traces { back } else { Vec::new() };
        // What stopped the search no longer matters once everything was found; how it is reached is part of that.
        let n_found = if traces { self.traces.len() } else { self.reached.len() };
        if n_found == step.targets.len() {
            self.stopped = None;
        }
        // A target that is reached, but without a trace, stays undecided.
        if self.stopped.is_none() || n_found < self.reached.len() {
            self.finished = None;
        }
        Ok(())
    }
}
