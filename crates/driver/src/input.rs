//! Source text to program.

use base::{Diagnostics, Source};
use program::{Origins, Program};

pub use front_bp::Dialect;

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Boolean programs.
    BooleanProgram,
    /// The text form of the program model.
    Model,
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

/// Reads a source: parse, resolve, lower, verify. All errors come at once.
pub fn load(source: Source, language: Language, options: &LoadOptions) -> Result<Loaded, (Source, Diagnostics)> {
    let read = match language {
        Language::BooleanProgram => boolean_program(&source, options),
        Language::Model => model(&source),
    };
    match read {
        Ok((program, origins, warnings)) => Ok(Loaded { source, program, origins, warnings }),
        Err(diagnostics) => Err((source, diagnostics)),
    }
}

type Read = Result<(Program, Origins, Diagnostics), Diagnostics>;

fn boolean_program(source: &Source, options: &LoadOptions) -> Read {
    let (tree, mut diagnostics) = front_bp::parse(source);
    let Some(tree) = tree else { return Err(diagnostics) };
    let options = front_bp::Options { dialect: options.dialect, entry: options.entry.clone() };
    let lowered = match front_bp::lower(&tree, source, &options) {
        Ok((lowered, warnings)) => {
            diagnostics.extend(warnings);
            Some(lowered)
        }
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    };
    diagnostics.sort();
    match lowered {
        Some(lowered) if !diagnostics.has_errors() => Ok((lowered.program, lowered.origins, diagnostics)),
        _ => Err(diagnostics),
    }
}

fn model(source: &Source) -> Read {
    let _ = source;
    Err(Diagnostics::new())
}
