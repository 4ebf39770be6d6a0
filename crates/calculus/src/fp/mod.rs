//! The language of `.fp` files: from text to a [`System`](crate::System), and back to text in one canonical form.
//!
//! Modules in reading order:
//! - `token`: the words of the language, and the comments between them;
//! - `syntax`: the syntax tree;
//! - `parse`: tokens to syntax tree, with recovery from errors;
//! - `resolve`: names bound, sorts checked, records and arrays taken apart;
//! - `format`: syntax tree to canonical text.

mod format;
mod parse;
mod resolve;
mod syntax;
mod token;

pub use format::format;
pub use parse::parse;
pub use resolve::{Parameter, has_inputs, parameters, resolve};
pub use syntax::SyntaxTree;
