//! What every piece of long work is given: its limits, and who is told about its progress.

use crate::{Budget, Observer, Progress};

/// What long work works with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Limits; looked at in every loop.
    pub budget: &'a Budget,
    /// Who is told about progress.
    pub observer: &'a dyn Observer,
}

impl<'a> Context<'a> {
    /// Limits, and who is told about progress.
    #[must_use]
    pub fn new(budget: &'a Budget, observer: &'a dyn Observer) -> Self {
        Self { budget, observer }
    }

    /// Tells that a phase begins.
    pub fn enter(&self, phase: &str) {
        self.observer.progress(&Progress { phase, ..Progress::default() });
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("budget", self.budget).finish_non_exhaustive()
    }
}
