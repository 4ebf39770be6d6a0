//! Executes a trace, step by step.
//!
//! The interpreter knows concrete values only, follows the choices of a [`crate::Trace`] and fails where they are not
//! possible. It searches for nothing but values that a trace leaves open. No engine uses it and it uses no engine: it is
//! what their answers are checked with.
//!
//! - Every [`crate::Expr::Any`] is a choice of its own and occurs once, so the possible values of an expression are
//!   computed exactly, bottom up ([`possible`]). A guard is passed when it may be true.
//! - A variable that is written gets the value that the trace chooses, which must be a possible one, or the smallest
//!   possible one; a variable that is not written keeps its value, and a choice for it must agree.
//! - Where a constraint is against the smallest values, others are tried for what the trace leaves open, up to a bound.
//! - While `init` runs, it is thread 0 and alone. When it has reached an exit of its outermost frame, the threads of the
//!   program begin, numbered from 0. Spawned threads are numbered on from there. One that `init` starts is at its first
//!   location at once, and begins with the others.
//! - At the start each thread has its own private variables and first frame. The n-th choice of such a variable in
//!   [`crate::Trace::start`] is for the n-th thread that has it.
//! - A frame that waits for a call is at the source of the call; a new thread has no old private values.
//!
//! Modules in reading order:
//! - [`possible`]: the values that an expression may take;
//! - [`configuration`]: shared values, threads, stacks;
//! - `candidates`, `forced`, `outcome`: what an edge may make of the variables, what a condition on it fixes, and which of
//!   it the trace chooses;
//! - `start`: the first configuration;
//! - [`machine`]: moves from configuration to configuration;
//! - [`player`]: plays a trace; [`replay`];
//! - [`lasso`]: plays rounds of a run without end;
//! - [`error`]: what can be wrong.

mod candidates;
pub mod configuration;
pub mod error;
mod forced;
pub mod lasso;
pub mod machine;
mod outcome;
pub mod player;
pub mod possible;
mod start;

pub use configuration::{Configuration, Frame, Layout, ThreadState};
pub use error::{Fault, Place, ReplayError};
pub use lasso::{LassoReplay, replay_lasso};
pub use machine::{Machine, Move, MoveKind};
pub use outcome::Assigned;
pub use player::{Played, Player, Replay, replay, replay_within};
pub use possible::{Possible, Reader, possible_values};

#[cfg(test)]
mod tests;
