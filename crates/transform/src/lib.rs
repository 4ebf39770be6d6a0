//! Passes from program to program, each with its way back for evidence.
//!
//! A pass keeps the tables of variables, procedures and locations (what it removes merely becomes unused) and
//! rebuilds the table of edges. It preserves which targets are reached and how many edges of the original it takes;
//! a trace or certificate of the result is turned into one of the original by [`WayBack`]. No pass decides anything
//! about a program, and none needs decision diagrams.
//!
//! Modules in reading order:
//! - [mod@pipeline]: passes one after the other;
//! - [`way_back`]: evidence about the result becomes evidence about the original;
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
pub mod pipeline;
pub mod product;
pub mod returns;
pub mod sequentialize;
pub mod thread_slots;
pub mod unreachable;
pub mod way_back;

mod edit;
mod effects;
#[cfg(test)]
mod sample;
mod slots;

use program::{LocationId, Program};

pub use pipeline::{Pipeline, UnknownPass, pipeline};
pub use way_back::{Forgotten, LocationBack, Redirected, Skip, WayBack};

/// One transformation of programs.
pub trait Pass: Sync {
    /// The name that users give.
    fn name(&self) -> &'static str;

    /// What it does, in one line for users.
    fn description(&self) -> &'static str;

    /// Changes the program in place; none: there is nothing to do, and the program is as it was.
    fn rewrite(&self, program: &mut Program, targets: &[LocationId]) -> Option<WayBack>;

    /// The same on a copy.
    fn apply(&self, program: &Program, targets: &[LocationId]) -> Option<(Program, WayBack)> {
        let mut result = program.clone();
        let way_back = self.rewrite(&mut result, targets)?;
        Some((result, way_back))
    }
}

/// All passes, in the order in which they are applied.
#[must_use]
pub fn passes() -> &'static [&'static dyn Pass] {
    &[&unreachable::Unreachable, &constants::Constants, &cone::Cone, &live::Live, &modref::Modref, &contract::Contract]
}
