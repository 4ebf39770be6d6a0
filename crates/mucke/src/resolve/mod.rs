//! Names bound, types checked, classes and arrays taken apart: syntax tree to [`System`].
//!
//! Types must be declared before they are used; predicates may be used before. A part with a mistake becomes `None` and
//! is not complained about again.
//!
//! Modules in reading order:
//! - `declare`: types, and predicates with their columns;
//! - `step`: formulae to be evaluated, directives, and hints;
//! - `formula`: formulae;
//! - `term`: variables, components and constants.

mod declare;
mod formula;
mod step;
mod term;

use std::rc::Rc;

use base::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use super::syntax::{Name, SyntaxTree, Wish};
use base::report::Report;
use calculus::build::{Builder, Place, Shape, find_circle};
use calculus::system::{RelationId, SortId, System};

/// A resolved file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// Its predicates, and all formulae that its steps speak of as queries.
    pub system: System,
    /// What the file asks for, in order.
    pub steps: Vec<Step>,
}

/// Something that a file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `expr;`: is it true? A position in [`System::queries`].
    Query(usize),
    /// `#wit expr;`: a witness, or `#vis expr;`. A position in [`System::queries`].
    Witness(usize),
    /// `#cex expr;`: a counterexample. A position in [`System::queries`].
    Counterexample(usize),
    /// `#size P;`: number of nodes.
    Size(RelationId),
    /// `#ons P;`: number of elements.
    OnSet(RelationId),
    /// `#print "text";`
    Print(String),
    /// `#timer go;` and the like, with the word behind `#timer`.
    Timer(String),
    /// A directive that changes no answer, with its `#`.
    Ignored(String),
}

/// Resolves a file. The diagnostics of success are warnings; those of failure may contain warnings as well.
pub fn resolve(tree: &SyntaxTree) -> Result<(Resolved, Diagnostics), Diagnostics> {
    if tree.lost {
        return Err(Diagnostics::new());
    }
    let mut resolver = Resolver::new(tree);
    resolver.declare_types();
    let pending = resolver.declare_predicates();
    resolver.define_predicates(pending);
    let steps = resolver.steps();
    resolver.check_circles();
    let Resolver { builder, report, .. } = resolver;
    if report.has_errors() {
        return Err(report.finish());
    }
    Ok((Resolved { system: builder.system, steps }, report.finish()))
}

/// The state of resolution.
struct Resolver<'t> {
    tree: &'t SyntaxTree,
    report: Report,
    builder: Builder,
    types: FxHashMap<&'t str, Type<'t>>,
    /// Values that have names, in all types where they have one.
    constants: FxHashMap<&'t str, Vec<(SortId, u64)>>,
    predicates: FxHashMap<&'t str, Known<'t>>,
    /// Variables that can be seen, the innermost last.
    scope: FxHashMap<&'t str, Vec<Option<Place>>>,
    /// Which predicates the body of a predicate mentions.
    mentions: Vec<Vec<RelationId>>,
    /// Predicates mentioned by the formula being resolved.
    mentioned: Vec<RelationId>,
}

struct Type<'t> {
    /// `None` after a mistake.
    shape: Option<Shape>,
    /// Allocation constraints between components.
    wishes: &'t [Wish],
    span: Span,
}

/// A predicate that has been declared.
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

impl<'t> Resolver<'t> {
    fn new(tree: &'t SyntaxTree) -> Self {
        Self {
            tree,
            report: Report::new("MU0099"),
            builder: Builder::new("bool"),
            types: FxHashMap::default(),
            constants: FxHashMap::default(),
            predicates: FxHashMap::default(),
            scope: FxHashMap::default(),
            mentions: Vec::new(),
            mentioned: Vec::new(),
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
            Diagnostic::error("MU0034", "this becomes too large when classes and arrays are taken apart")
                .at(span, "too many single values")
        })
    }

    fn declared_twice<T>(&mut self, what: &str, name: &Name, before: Span) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("MU0023", format!("{what} `{}` is declared twice", name.text))
                .at(name.span, "declared again")
                .also(before, "declared here")
        })
    }

    fn check_circles(&mut self) {
        let Some(first) = find_circle(&self.builder.system, &self.mentions) else { return };
        self.fail::<()>(|resolver| {
            let relation = &resolver.builder.system.relations[first];
            Diagnostic::error("MU0037", format!("`{}` is defined by itself", relation.name))
                .at(relation.span, "a definition that uses itself, perhaps through others")
                .help("write `mu` or `nu` before it")
        });
    }
}
