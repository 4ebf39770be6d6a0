//! Boolean programs: from source text to the program model, and back to source text in one canonical form.
//!
//! Reads the dialects of Bebop/SLAM, Getafix and SatAbs/Boom as one language. This crate knows nothing of files,
//! engines or how diagnostics look on a terminal.
//!
//! Modules in reading order:
//! - `token`: the words of the language, and the comments between them;
//! - `syntax`: the syntax tree;
//! - `parse`: tokens to syntax tree, with recovery from errors;
//! - `lower`: names resolved, syntax tree to [`program::Program`];
//! - `format`: syntax tree to canonical text;
//! - `codes`: the codes of all diagnostics, explained;
//! - `front_end`: all of this as one value.

mod codes;
mod format;
mod front_end;
mod lower;
mod parse;
mod syntax;
mod token;

pub use codes::CODES;
pub use format::format;
pub use front_end::FRONT_END;
pub use lower::{Dialect, Lowered, Options, lower};
pub use parse::parse;
pub use syntax::SyntaxTree;

/// How deeply statements and expressions may nest.
///
/// The parser and everything that follows it may recurse this deep. In this crate a stack of 8 MiB is enough for that in
/// the development profile, and one of 32 MiB without any optimisation.
pub const MAX_DEPTH: u32 = 5_000;
