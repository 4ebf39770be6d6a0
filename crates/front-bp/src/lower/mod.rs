//! Names resolved, syntax tree to program.
//!
//! One location per statement, in source order, and one exit per procedure. Locations are numbered while the bodies are
//! walked; edges wait until all procedures have their entries, because a procedure may be called before it is defined.
//!
//! Modules in reading order:
//! - `declare`: variables, procedures and threads get their ids;
//! - `scope`: what a name means at some place, and expressions;
//! - `body`: locations and control flow of a procedure;
//! - `effect`: what statements do to the data;
//! - `flow`: what control flow inside a procedure decides: atomic sections, ends without `return`;
//! - `lint`: what is allowed and perhaps not meant;
//! - `link`: edges, `enforce`, threads and the start of the program.

mod body;
mod declare;
mod effect;
mod flow;
mod link;
mod lint;
mod scope;

use base::{Diagnostics, Source};
use program::{Origins, Program, ProgramBuilder};

use crate::syntax::SyntaxTree;
use base::report::Report;

/// A convention that the source itself does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// What the file itself says.
    #[default]
    Standard,
    /// Getafix: `init` runs first, `main` and procedures named `thread...` are threads, the global `atomic` forbids
    /// switches, and a statement `constrain` leaves arbitrary what it does not mention.
    Getafix,
}

/// How to read a syntax tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The convention.
    pub dialect: Dialect,
    /// Where execution starts, if not in `main`.
    pub entry: Option<String>,
    /// Whether to warn also of what is allowed and perhaps not meant.
    pub lint: bool,
}

/// A program and where its parts come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Source places of its parts.
    pub origins: Origins,
}

/// Resolves names and lowers to a program. The diagnostics of success are warnings; those of failure may contain
/// warnings as well.
pub fn lower(tree: &SyntaxTree, source: &Source, options: &Options) -> Result<(Lowered, Diagnostics), Diagnostics> {
    assert!(tree.end as usize == source.text().len(), "a tree is lowered with the source it was parsed from");
    if tree.lost.declarations {
        return Err(Diagnostics::new());
    }
    let mut lowering = Lowering::new(tree, options);
    lowering.declare();
    let bodies = lowering.bodies();
    lowering.link(bodies);
    let Lowering { builder, origins, report, .. } = lowering;
    if report.has_errors() {
        return Err(report.finish());
    }
    Ok((Lowered { program: builder.finish(), origins }, report.finish()))
}

/// The state of lowering.
struct Lowering<'t> {
    tree: &'t SyntaxTree,
    options: &'t Options,
    report: Report,
    builder: ProgramBuilder,
    origins: Origins,
    symbols: declare::Symbols<'t>,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t SyntaxTree, options: &'t Options) -> Self {
        Self {
            tree,
            options,
            report: Report::new("BP0099"),
            builder: ProgramBuilder::new(),
            origins: Origins::default(),
            symbols: declare::Symbols::default(),
        }
    }

    fn text(&self, name: crate::syntax::Name) -> &'t str {
        self.tree.names.text(name.symbol)
    }
}
