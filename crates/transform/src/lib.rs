//! Steps from program to program, each with its way back for evidence.
//!
//! A pass is such a step in place. It keeps the tables of variables, procedures and locations (what it removes merely becomes unused) and
//! rebuilds the table of edges. It preserves which targets are reached and how many edges of the original it takes;
//! a trace or certificate of the result is turned into one of the original by [`WayBack`]. No pass decides anything
//! about a program, and none needs decision diagrams.
//!
//! Modules in reading order:
//! - [`rewriting`]: what a step from program to program is, and its way back; [`way`]: several of them;
//! - [`pass`]: steps in place; [`way_back`]: evidence about their result becomes evidence about the original;
//! - [`entries`]: one entry per procedure, right after a program is read; [`returns`]: returns that cannot fail;
//! - [mod@product]: a program and an automaton that reads its runs;
//! - [`thread_slots`]: programs that start threads become programs with a fixed number of threads;
//! - [mod@interleaving]: all interleavings of threads that do not recurse, as one sequential program;
//! - [mod@sequentialize]: programs with threads become sequential ones, up to a bound;
//! - [mod@unreachable], [mod@constants], [mod@cone], [mod@live], [mod@modref], [mod@contract]: the passes, in pipeline order.

pub mod cone;
pub mod constants;
pub mod contract;
pub mod entries;
pub mod interleaving;
pub mod live;
pub mod modref;
pub mod pass;
pub mod product;
pub mod returns;
pub mod rewriting;
pub mod sequentialize;
pub mod thread_slots;
pub mod unreachable;
pub mod way;
pub mod way_back;

mod edit;
#[cfg(test)]
mod sample;
mod slots;

pub use pass::{InPlace, Pass, UnknownPass, selected};
pub use rewriting::{BackError, Certified, Overflow, Refused, Rewriting, Rewritten, Subject};
pub use way::{Step, Way};
pub use way_back::{Forgotten, LocationBack, Redirected, Skip, WayBack};

/// All passes, in the order in which they are applied.
#[must_use]
pub fn passes() -> &'static [&'static dyn Pass] {
    &[&unreachable::Unreachable, &constants::Constants, &cone::Cone, &live::Live, &modref::Modref, &contract::Contract]
}
