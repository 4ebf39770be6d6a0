//! Source text to program.

use base::{Diagnostics, Source};
use program::{Origins, Program};

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Boolean programs.
    BooleanProgram,
    /// The text form of the program model.
    Model,
}

/// A convention within a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// What the file itself says.
    #[default]
    Standard,
    /// Getafix: `init` runs first, procedures named `thread...` are threads, the global `atomic` forbids switches.
    Getafix,
}

/// How to read a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// The convention.
    pub dialect: Dialect,
    /// Where execution starts, if not in `main`.
    pub entry: Option<String>,
}

/// A program with its source.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The source text.
    pub source: Source,
    /// The program, as lowered, before any pass.
    pub program: Program,
    /// Where its parts come from.
    pub origins: Origins,
    /// Warnings.
    pub warnings: Diagnostics,
}

/// Reads a source: parse, resolve, lower, verify.
pub fn load(source: Source, language: Language, options: &LoadOptions) -> Result<Loaded, (Source, Diagnostics)> {
    let _ = (language, options);
    Err((source, Diagnostics::new()))
}
