//! Variables: globals become shared variables at once, locals when the procedures are known.

use base::{Diagnostic, Span};
use program::{Scope, Sort, VariableId};
use question::Written;
use rustc_hash::FxHashMap;

use super::super::syntax::{Declaration, Indices, Name, Term};
use super::Lowering;
use base::names::Symbol;

/// What kind of values a variable has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// Width of an integer; none for a Boolean.
    pub(super) bits: Option<u32>,
    /// First index and number of elements of an array.
    pub(super) array: Option<(i64, u32)>,
}

impl Shape {
    pub(super) fn sort(self) -> Sort {
        let element = self.bits.map_or(Sort::Bool, Sort::Bits);
        match self.array {
            Some((_, n)) => Sort::Array(Box::new(element), n),
            None => element,
        }
    }

    /// How values are written.
    pub(super) fn written(self) -> Written {
        Written { signed: false, indices: self.array.into_iter().collect() }
    }
}

/// A declared local.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) shape: Shape,
}

/// What the declarations say.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Globals in the order of their declarations.
    pub(super) globals: Vec<VariableId>,
    pub(super) global: FxHashMap<Symbol, (VariableId, Shape, Span)>,
    /// Fields of each `local` declaration.
    pub(super) groups: Vec<Vec<Field>>,
    /// The `local` declaration that lists a stack symbol, and where.
    pub(super) group_of: FxHashMap<Symbol, (usize, Span)>,
}

impl Lowering<'_> {
    pub(super) fn declare(&mut self) {
        let tree = self.tree;
        for declaration in &tree.globals {
            let name = declaration.name;
            let shape = self.shape_or_wrong(declaration);
            if let Some((.., first)) = self.declared.global.get(&name.symbol) {
                let first = *first;
                self.twice(name, first);
                continue;
            }
            let id = self.variable(self.text(name).to_owned(), shape.sort(), Scope::Shared, Some(name.span));
            self.writing.note(id, shape.written());
            self.declared.globals.push(id);
            self.declared.global.insert(name.symbol, (id, shape, name.span));
        }
        for local in &tree.locals {
            let group = self.declared.groups.len();
            for name in &local.symbols {
                match self.declared.group_of.get(&name.symbol) {
                    Some((_, first)) => {
                        let first = *first;
                        self.listed_twice(*name, first);
                    }
                    None => drop(self.declared.group_of.insert(name.symbol, (group, name.span))),
                }
            }
            let fields = self.fields(&local.variables);
            self.declared.groups.push(fields);
        }
    }

    fn fields(&mut self, declarations: &[Declaration]) -> Vec<Field> {
        let mut fields = Vec::with_capacity(declarations.len());
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for declaration in declarations {
            let name = declaration.name;
            let shape = self.shape_or_wrong(declaration);
            if let Some(first) = seen.insert(name.symbol, name.span) {
                self.twice(name, first);
                continue;
            }
            fields.push(Field { name, shape });
        }
        fields
    }

    fn listed_twice(&mut self, name: Name, first: Span) {
        let message = format!("the stack symbol `{}` is listed in `local` twice", self.text(name));
        self.report.push(
            Diagnostic::error("PD0022", message)
                .at(name.span, "listed again")
                .also(first, "listed here")
                .help("declare all of its variables in one place"),
        );
    }

    /// The shape, or one that serves as well after an error, so that the variable is not called unknown.
    fn shape_or_wrong(&mut self, declaration: &Declaration) -> Shape {
        let bits = declaration.bits.as_ref().map(|_| 1);
        let array = declaration.indices.as_ref().map(|_| (0, 1));
        self.shape(declaration).unwrap_or(Shape { bits, array })
    }

    fn shape(&mut self, declaration: &Declaration) -> Option<Shape> {
        let name = declaration.name;
        if let Some((_, first)) = self.constants.get(&name.symbol) {
            let first = *first;
            self.twice(name, first);
            return None;
        }
        let bits = match &declaration.bits {
            Some(term) => Some(self.width(name, term)?),
            None => None,
        };
        let array = match &declaration.indices {
            Some(indices) => Some(self.bounds(name, indices)?),
            None => None,
        };
        let n_bits = u64::from(bits.unwrap_or(1)) * u64::from(array.map_or(1, |(_, n)| n));
        if n_bits > Sort::MAX_ARRAY_BITS {
            let message = format!("the array `{}` is too large: {n_bits} bits", self.text(name));
            let help = format!("an array has at most {} bits", Sort::MAX_ARRAY_BITS);
            self.report.push(Diagnostic::error("PD0031", message).at(name.span, "too large").help(help));
            return None;
        }
        Some(Shape { bits, array })
    }

    fn width(&mut self, name: Name, term: &Term) -> Option<u32> {
        let value = self.constant(term)?;
        if let Some(width) = u32::try_from(value).ok().filter(|width| (1..=Sort::MAX_BITS).contains(width)) {
            return Some(width);
        }
        let message = format!("`{}` cannot have {value} bits", self.text(name));
        let mut diagnostic = Diagnostic::error("PD0029", message)
            .at(term.span(), "the width")
            .help(format!("an integer has 1 to {} bits", Sort::MAX_BITS));
        if let Some((define, label)) = self.define_behind(term) {
            diagnostic = diagnostic.also(define, label);
        }
        self.report.push(diagnostic);
        None
    }

    fn bounds(&mut self, name: Name, indices: &Indices) -> Option<(i64, u32)> {
        let (first, last, span) = match indices {
            Indices::Below(n) => (0, self.constant(n)? - 1, n.span()),
            Indices::Between(ends) => {
                let [first, last] = ends.as_ref();
                (self.constant(first)?, self.constant(last)?, first.span().to(last.span()))
            }
        };
        let n = u32::try_from(last - first + 1).ok().filter(|n| *n > 0);
        match (u32::try_from(first), n) {
            (Ok(first), Some(n)) => Some((i64::from(first), n)),
            _ => {
                let message = format!("the array `{}` cannot have the indices {first} to {last}", self.text(name));
                let help = "an array has at least one element, and its indices are not negative";
                self.report.push(Diagnostic::error("PD0030", message).at(span, "the indices").help(help));
                None
            }
        }
    }
}
