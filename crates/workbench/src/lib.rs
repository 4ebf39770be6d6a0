//! Tools around the checker that users get as well: generators, the shrinker, the cross-checker.
//!
//! Modules in reading order:
//! - [`generate`](mod@generate): Boolean programs from families and from random numbers;
//! - [`shrink`](mod@shrink): a smaller program that still has a property;
//! - [`cross`](mod@cross): all engines against each other on random programs;
//! - [`fuzz`]: what the fuzzers check.

pub mod cross;
mod dice;
pub mod fuzz;
pub mod generate;
pub mod shrink;

pub use cross::{CrossOptions, CrossReport, cross};
pub use generate::{Family, RandomOptions, generate};
pub use shrink::{ShrinkOptions, shrink};
