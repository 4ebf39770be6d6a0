//! Why a search with diagrams stops early.

use base::StopReason;
use bdd::Stop;

use crate::Context;

/// Why a search stops early.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    Diagram(Stop),
    Limit(StopReason),
}

impl Halt {
    pub(crate) fn reason(self, context: &Context<'_>) -> StopReason {
        match self {
            Self::Limit(reason) => reason,
            Self::Diagram(Stop::OutOfNodes) => StopReason::Memory,
            Self::Diagram(Stop::Interrupted) => context.budget.interruption(),
        }
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Diagram(stop)
    }
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Limit(reason)
    }
}
