//! Names bound, sorts checked, records and arrays taken apart: syntax tree to [`System`].
//!
//! Sorts must be declared before they are used; relations may be used before. A part with a mistake becomes `None` and
//! is not complained about again.
//!
//! Modules in reading order:
//! - `declare`: parameters, relations with their columns, queries and hints;
//! - `sort`: sorts and constant expressions;
//! - `formula`: formulae;
//! - `term`: variables, fields, elements and constants;
//! - `used`: abbreviations in a circle, and what nothing uses.

mod declare;
mod formula;
mod sort;
mod term;
mod used;

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{Diagnostic, Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::syntax::{ItemKind, Name, SyntaxTree};
use crate::build::{Builder, Place, Shape};
use crate::signature::Signature;
use crate::system::{RelationId, SortId, System};
use base::report::Report;

/// A parameter that a file declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value if none is given.
    pub default: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}

/// Whether a file declares relations that a model supplies.
#[must_use]
pub fn has_inputs(tree: &SyntaxTree) -> bool {
    tree.items.iter().any(|item| matches!(item.kind, ItemKind::Input(_)))
}

/// The parameters that a file declares, in order.
#[must_use]
pub fn parameters(tree: &SyntaxTree) -> Vec<Parameter> {
    let lists = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Param(params) => Some(params),
        _ => None,
    });
    let parameter = |param: &super::syntax::Param| Parameter {
        name: param.name.text.as_ref().to_owned(),
        default: param.default,
        span: param.name.span,
    };
    lists.flatten().map(parameter).collect()
}

/// Resolves a file for what a model offers and for values of its parameters; a value for a parameter that it does not
/// declare is a mistake. The diagnostics of success are warnings; those of failure may contain warnings as well.
pub fn resolve(
    tree: &SyntaxTree,
    signature: &Signature,
    parameters: &BTreeMap<String, u64>,
) -> Result<(System, Diagnostics), Diagnostics> {
    if tree.lost {
        return Err(Diagnostics::new());
    }
    let mut resolver = Resolver::new(tree, signature);
    resolver.declare_parameters(parameters);
    resolver.check_given(parameters);
    resolver.declare_sorts();
    let heads = resolver.declare_relations();
    resolver.define_relations(heads);
    resolver.answer_queries();
    resolver.follow_hints();
    resolver.check_use();
    let Resolver { builder, report, .. } = resolver;
    if report.has_errors() {
        return Err(report.finish());
    }
    Ok((builder.system, report.finish()))
}

/// The state of resolution.
struct Resolver<'t> {
    tree: &'t SyntaxTree,
    signature: &'t Signature,
    report: Report,
    builder: Builder,
    parameters: FxHashMap<&'t str, ParameterValue>,
    sorts: FxHashMap<&'t str, NamedSort>,
    /// Sorts of the model that the file uses.
    model_sorts: Vec<Option<SortId>>,
    /// Ranges whose bounds depend on parameters.
    symbolic: FxHashSet<SortId>,
    /// Values that have names, in all sorts where they have one.
    constants: FxHashMap<&'t str, Vec<(SortId, u64)>>,
    relations: FxHashMap<&'t str, Known<'t>>,
    /// Variables that can be seen, the innermost last.
    scope: FxHashMap<&'t str, Vec<Local>>,
    /// Which relations the body of a relation mentions; the last entry is for the queries.
    mentions: Vec<Vec<RelationId>>,
    /// Relations mentioned by the formula being resolved.
    mentioned: Vec<RelationId>,
    /// The variables declared together, from the outside in.
    frames: Vec<Frame>,
}

/// Variables declared together.
#[derive(Default)]
struct Frame {
    /// They belong to a relation or a query, not to a quantifier.
    is_head: bool,
    /// One of them has been used since this was last reset.
    touched: bool,
}

struct ParameterValue {
    /// `None` after a mistake.
    value: Option<u64>,
    span: Span,
    used: bool,
}

struct NamedSort {
    /// `None` after a mistake.
    shape: Option<Shape>,
    span: Span,
    used: bool,
}

/// A relation that has been declared.
#[derive(Clone)]
struct Known<'t> {
    id: RelationId,
    columns: Rc<[Bound<'t>]>,
    span: Span,
}

/// A variable that is being declared.
struct Bound<'t> {
    name: &'t Name,
    /// `None` after a mistake.
    place: Option<Place>,
}

/// A variable.
struct Local {
    /// `None` after a mistake.
    place: Option<Place>,
    span: Span,
    used: bool,
    /// Position in the list of frames.
    frame: usize,
}

impl<'t> Resolver<'t> {
    fn new(tree: &'t SyntaxTree, signature: &'t Signature) -> Self {
        Self {
            tree,
            signature,
            report: Report::new("FP0099"),
            builder: Builder::new("Bool"),
            parameters: FxHashMap::default(),
            sorts: FxHashMap::default(),
            model_sorts: vec![None; signature.sorts.len()],
            symbolic: FxHashSet::default(),
            constants: FxHashMap::default(),
            relations: FxHashMap::default(),
            scope: FxHashMap::default(),
            mentions: Vec::new(),
            mentioned: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Reports an error; its text is made only if it will be listed.
    #[inline(never)]
    fn fail<T>(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) -> Option<T> {
        if !self.report.only_counts() {
            let diagnostic = diagnostic(self);
            self.report.push(diagnostic);
        }
        None
    }

    fn too_large<T>(&mut self, span: Span) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error(crate::TOO_LARGE, "this becomes too large when records and arrays are taken apart")
                .at(span, "too many single values")
                .help("use smaller ranges and arrays")
        })
    }

    fn declared_twice<T>(&mut self, what: &str, name: &Name, before: Span) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("FP0023", format!("{what} `{}` is declared twice", name.text))
                .at(name.span, "declared again")
                .also(before, "declared here")
        })
    }
}
