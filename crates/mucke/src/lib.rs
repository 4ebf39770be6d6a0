//! The input language of Mucke, a model checker for the mu-calculus: from text to a [`System`](calculus::System).
//!
//! A file is a sequence of declarations, directives (`#size P;`) and formulae to be evaluated; [`Step`] keeps the order of
//! what asks for output. Where Mucke is strict without need (a constant on the left of `=`), this reader is not.
//!
//! Modules in reading order:
//! - `token`: the words of the language;
//! - `syntax`: the syntax tree;
//! - `parse`: tokens to syntax tree, with recovery from errors;
//! - `include`: other files in the place of `#load`;
//! - `resolve`: names bound, types checked, classes and arrays taken apart;
//! - `run`: what the file asks for, answered;
//! - `codes`: the codes of diagnostics, explained;
//! - [`fuzz`]: what a fuzzer checks.

mod codes;
pub mod fuzz;
mod include;
mod parse;
mod resolve;
mod run;
mod syntax;
mod token;

pub use codes::CODES;
pub use include::read;
pub use parse::parse;
pub use resolve::{Resolved, Step, resolve};
pub use run::{Asked, Outcome, Run, Unfinished, explain, plan, run, solve};
pub use syntax::SyntaxTree;
