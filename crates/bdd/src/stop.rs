//! Why an operation ended without a result, and how to ask it to.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why an operation ended without a result. The manager stays usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The memory budget is used up. Drop what is not needed, then
    /// [`Manager::collect`](crate::Manager::collect) and try again, once.
    OutOfNodes,
    /// The [`Interrupt`] was requested.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfNodes => "out of BDD nodes",
            Self::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Stop {}

/// A flag that ends running operations; clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A new flag, not requested.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ask every operation that watches this flag to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Take the request back.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Was a stop requested?
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for Interrupt {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
