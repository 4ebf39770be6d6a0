//! What long work tells about itself while it runs.

/// A snapshot of running work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress<'a> {
    /// What is being done: `solve`, `trace`, `validate`, ...
    pub phase: &'a str,
    /// Steps of the phase that are done; what a step is, the phase says.
    pub steps: u64,
    /// Procedures in which something was reached.
    pub procedures: u64,
    /// Procedures in all.
    pub n_procedures: u64,
    /// Live decision-diagram nodes.
    pub nodes: u64,
}

/// Receives progress; called often, so it must be cheap and do its own thinning.
pub trait Observer {
    /// Called with the state of the work.
    fn progress(&self, progress: &Progress<'_>);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _progress: &Progress<'_>) {}
}
