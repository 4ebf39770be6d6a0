//! Symbolic pushdown systems and Remopla: from source text to the program model.
//!
//! Reads the files of Moped (`.pds`) and of Moped 2 (`.rem`). This crate knows nothing of files, engines or how diagnostics look on a terminal.
//!
//! Modules in reading order:
//! - `pds`: pushdown systems: tokens, syntax tree, parser, lowering;
//! - `remopla`: the same for Remopla;
//! - `rule`: rules of pushdown systems, which both languages have;
//! - `allowance`: how far quantifiers may be written out;
//! - `codes`: the codes of all diagnostics, explained;
//! - `front_end`: each language as one value.

mod allowance;
mod codes;
mod front_end;
mod pds;
mod remopla;
mod rule;

use base::{Diagnostics, Source};
use question::front::Lowered;

pub use codes::CODES;
pub use front_end::{PDS, REMOPLA};

/// How deeply expressions may nest, and how long a chain of arithmetic may be.
pub const MAX_DEPTH: u32 = 5_000;

/// How to read a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Values that replace those of the source's defines.
    pub defines: Vec<(String, i64)>,
}

/// Reads a pushdown system. There is a program unless there are errors; the diagnostics of success are warnings.
#[must_use]
pub fn read_pds(source: &Source, options: &Options) -> (Option<Lowered>, Diagnostics) {
    let (tree, mut diagnostics) = pds::parse::parse(source);
    let Some(tree) = tree else { return (None, diagnostics) };
    let (lowered, found) = pds::lower::lower(&tree, source, options, diagnostics.has_errors());
    diagnostics.extend(found);
    diagnostics.sort();
    (lowered.filter(|_| !diagnostics.has_errors()), diagnostics)
}

/// Reads a Remopla program. There is a program unless there are errors; the diagnostics of success are warnings.
#[must_use]
pub fn read_remopla(source: &Source, options: &Options) -> (Option<Lowered>, Diagnostics) {
    let (tree, mut diagnostics) = remopla::parse::parse(source);
    let Some(tree) = tree else { return (None, diagnostics) };
    let (lowered, found) = remopla::lower::lower(&tree, source, options, diagnostics.has_errors());
    diagnostics.extend(found);
    diagnostics.sort();
    (lowered.filter(|_| !diagnostics.has_errors()), diagnostics)
}
