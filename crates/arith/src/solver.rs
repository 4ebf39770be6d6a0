//! The search for a model or a proof, in three layers.
//!
//! - [`tableau`]: rational feasibility of bounds on linear forms (simplex), with the reason of a conflict;
//! - [`integers`]: integer feasibility: branching on the tableau for a few nodes, then [`omega`], which always ends;
//! - [`search`]: conditions that are no conjunctions, by cases, and only those that the model at hand violates.
//!
//! [`state`] keeps what is asserted, level by level; [`derivation`] keeps what proofs are put together from.

mod derivation;
mod integers;
mod omega;
mod search;
mod state;
mod tableau;

pub(crate) use derivation::Refutation;
pub(crate) use state::{Bounds, State};

use crate::Model;

/// What a search finds.
pub(crate) enum Found {
    Model(Model),
    Refuted(Refutation),
}
