//! Rewritings one after the other, and the way back through all of them.

use std::sync::Arc;

use base::{Context, Progress};
use program::{Lasso, LocationId, Program, Trace};
use witness::Certificate;

use crate::rewriting::{BackError, Certified, Refused, Rewriting, Rewritten, Subject};

/// A program after some rewritings, with the way back to the first.
#[derive(Debug)]
pub struct Way {
    /// The program at the end of the way.
    pub subject: Subject,
    steps: Vec<Step>,
}

/// A rewriting that found something to do.
#[derive(Debug)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// What was asked before it.
    pub targets: Vec<LocationId>,
    /// The way back.
    pub back: Box<dyn Rewritten>,
}

impl Way {
    /// A way that begins with a program and ends there.
    #[must_use]
    pub fn new(program: Arc<Program>, targets: Vec<LocationId>) -> Self {
        Self { subject: Subject { program, targets, lengths: Vec::new() }, steps: Vec::new() }
    }

    /// Goes one rewriting further. The observer hears of it.
    pub fn take(&mut self, rewriting: &dyn Rewriting, context: &Context<'_>) -> Result<(), Refused> {
        let n_procedures = self.subject.program.procedures.len() as u64;
        context.observer.progress(&Progress { phase: &rewriting.phase(), n_procedures, ..Progress::default() });
        let targets = self.subject.targets.clone();
        if let Some(back) = rewriting.rewrite(&mut self.subject, context)? {
            self.steps.push(Step { name: rewriting.name(), targets, back });
        }
        Ok(())
    }

    /// The rewritings that found something to do, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.name).collect()
    }

    fn backwards(&self) -> impl Iterator<Item = &dyn Rewritten> {
        self.steps.iter().rev().map(|step| step.back.as_ref())
    }

    /// The target of the first program that a target at the end stands for.
    #[must_use]
    pub fn target_back(&self, location: LocationId) -> LocationId {
        self.backwards().fold(location, |location, back| back.target_back(location))
    }

    /// A run of the program at the end as one of the first.
    pub fn trace_back(&self, trace: Trace, context: &Context<'_>) -> Result<Trace, BackError> {
        self.backwards().try_fold(trace, |trace, back| back.trace_back(trace, context))
    }

    /// A run without end of the program at the end as one of the first.
    pub fn lasso_back(&self, lasso: Lasso, context: &Context<'_>) -> Result<Lasso, BackError> {
        self.backwards().try_fold(lasso, |lasso, back| back.lasso_back(lasso, context))
    }

    /// A certificate of the program at the end, as far as it says something about the first.
    #[must_use]
    pub fn certificate_back(&self, certificate: Certificate) -> Option<Certified> {
        let certified = Certified { certificate, about: None };
        self.backwards().try_fold(certified, |certified, back| back.certificate_back(certified))
    }
}
