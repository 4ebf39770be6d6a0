//! Temporal properties: formulae of linear temporal logic, and Büchi automata.
//!
//! A property speaks of infinite sequences of moments; what holds at a moment is told by atoms. What atoms mean is not
//! known here, nor are programs or the ways to check them.
//!
//! Modules in reading order:
//! - [`atom`] and [`formula`]: what is said; [`word`]: what a formula says of an ultimately periodic word;
//! - `token`, [`parse`](mod@parse): from text; [`codes`]: what can be wrong with it;
//! - `term`, `rewrite`, `merge`, `imply`, `normal`: formulae that simplify as they are built;
//! - [`automaton`]: the automata; [`translate`](mod@translate): from formulae;
//! - `label`, `graph`, `reduce`, `simulate`: how they become small;
//! - [`hoa`], [`never`](mod@never): automata of other tools;
//! - [`random`] and [`fuzz`]: for tests.

pub mod atom;
pub mod automaton;
pub mod codes;
mod file;
pub mod formula;
pub mod fuzz;
mod graph;
pub mod hoa;
mod imply;
mod label;
mod merge;
pub mod never;
mod normal;
pub mod parse;
pub mod random;
mod reduce;
mod rewrite;
mod simulate;
mod tape;
mod term;
mod token;
pub mod translate;
pub mod word;

pub use atom::{Atom, AtomId};
pub use automaton::{Automaton, AutomatonEdge, Cube, Guard, StateId};
pub use codes::CODES;
pub use file::AutomatonFile;
pub use formula::{BinaryOp, Formula, NaryOp, UnaryOp};
pub use parse::{Parsed, parse};
pub use translate::translate;
pub use word::{Letter, Word};
