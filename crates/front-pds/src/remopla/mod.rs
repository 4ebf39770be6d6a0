//! Remopla: modules, structured statements, assignments with a frame.
//!
//! Modules in reading order:
//! - `token`: the words of the language;
//! - `syntax`: the syntax tree;
//! - `parse`: tokens to syntax tree, with recovery from errors;
//! - `lower`: names resolved, syntax tree to [`program::Program`].

pub(crate) mod lower;
pub(crate) mod parse;
pub(crate) mod syntax;
pub(crate) mod token;
