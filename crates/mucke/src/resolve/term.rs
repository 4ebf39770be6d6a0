//! Variables, components and constants.

use base::{Diagnostic, Span};

use super::Resolver;
use crate::syntax::{Expr, ExprKind, Name, Part};
use base::names::suggest;
use calculus::build::{Builder, Place, Shape, Side};
use calculus::system::{SortId, SortKind};

/// What a term stands for.
#[derive(Clone)]
pub(super) enum Value<'t> {
    Place(Place),
    /// A bit of an enumeration or a range, the least significant being 0.
    Bit(Place, u64),
    Number(u64),
    Bool(bool),
    /// A name that is a value of one or several types.
    Named(&'t str, Vec<(SortId, u64)>),
}

/// A term with its place in the text.
pub(super) type Term<'t> = (Value<'t>, Span);

impl<'t> Resolver<'t> {
    pub(super) fn term(&mut self, expr: &'t Expr) -> Option<Term<'t>> {
        let value = match &expr.kind {
            ExprKind::Const(value) => Value::Bool(*value),
            ExprKind::Number(value) => Value::Number(*value),
            ExprKind::Path(parts) => self.path(parts)?,
            _ => {
                return self.fail(|_| {
                    Diagnostic::error("MU0028", "a formula stands where a value is expected")
                        .at(expr.span, "this is true or false, not a variable or a constant")
                });
            }
        };
        Some((value, expr.span))
    }

    /// `s.h[2].v`, or the name of a value.
    #[inline(never)]
    fn path(&mut self, parts: &'t [Part]) -> Option<Value<'t>> {
        let (first, rest) = parts.split_first()?;
        let name: &'t str = &first.name.text;
        let Some(local) = self.scope.get(name).and_then(|locals| locals.last()) else {
            return match self.constants.get(name) {
                Some(candidates) if rest.is_empty() && first.index.is_none() => {
                    Some(Value::Named(name, candidates.clone()))
                }
                _ => self.unknown_name(&first.name),
            };
        };
        let (mut place, mut last) = (local.clone()?, first);
        for part in rest {
            let whole = self.element(place, last)?;
            let shape = whole.shape.clone();
            let Some(component) = whole.field(&part.name.text) else { return self.no_component(&shape, &part.name) };
            (place, last) = (component, part);
        }
        match last.index {
            Some(bit) if self.has_bit(&place, bit) => Some(Value::Bit(place, bit)),
            _ => self.element(place, last).map(Value::Place),
        }
    }

    /// Whether this is an enumeration or a range with so many bits.
    fn has_bit(&self, place: &Place, bit: u64) -> bool {
        let sort = place.shape.single().filter(|sort| *sort != Builder::BOOL);
        sort.is_some_and(|sort| bit < 64 && (self.n_values(sort) - 1) >> bit != 0)
    }

    /// Number of values of a single type.
    pub(super) fn n_values(&self, sort: SortId) -> u64 {
        match &self.builder.system.sorts[sort].kind {
            SortKind::Range(low, high) => high - low + 1,
            SortKind::Enum(names) => names.len() as u64,
            SortKind::Bool | SortKind::Model(_) => 2,
        }
    }

    fn element(&mut self, place: Place, part: &Part) -> Option<Place> {
        let Some(index) = part.index else { return Some(place) };
        let shape = place.shape.clone();
        place.element(index as i64).or_else(|| {
            self.fail(|resolver| {
                let of = shape.describe(&resolver.builder.system);
                let message = match &shape {
                    Shape::Array(_) => format!("`{}` has no element {index}", part.name.text),
                    Shape::Single(sort) if *sort != Builder::BOOL => format!("`{}` has no bit {index}", part.name.text),
                    _ => format!("`{}` is not an array", part.name.text),
                };
                Diagnostic::error("MU0030", message).at(part.name.span, format!("of type `{of}`"))
            })
        })
    }

    fn unknown_name<T>(&mut self, name: &Name) -> Option<T> {
        self.fail(|resolver| {
            let variables = resolver.scope.iter().filter(|(_, locals)| !locals.is_empty()).map(|(name, _)| *name);
            let mut names: Vec<&str> = variables.chain(resolver.constants.keys().copied()).collect();
            names.sort_unstable();
            Diagnostic::error("MU0020", format!("there is no variable or value `{}`", name.text))
                .at(name.span, "not known here")
                .help(suggest(&name.text, names, "declare it with a quantifier: `exists T x. ...`"))
        })
    }

    fn no_component<T>(&mut self, shape: &Shape, name: &Name) -> Option<T> {
        self.fail(|resolver| {
            let of = shape.describe(&resolver.builder.system);
            let names: Vec<&str> = match shape {
                Shape::Record(record) => record.fields.iter().map(|field| field.name.as_str()).collect(),
                _ => Vec::new(),
            };
            let diagnostic = Diagnostic::error("MU0029", format!("`{of}` has no component `{}`", name.text))
                .at(name.span, "no such component");
            match base::names::similar(&name.text, names) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            }
        })
    }

    /// A term as a side of an atom, where a value of the given shape is expected. Numbers are values of every single
    /// type, counted from 0 in enumerations.
    pub(super) fn side(&mut self, (value, span): Term<'t>, wanted: &Shape, because: Span) -> Option<Side> {
        match (value, wanted) {
            (Value::Place(place), _) if place.shape.matches(wanted, &self.builder.system) => {
                Some(Side::Place(place, 0))
            }
            (Value::Bool(value), Shape::Single(Builder::BOOL)) => Some(Side::Value(Builder::BOOL, u64::from(value))),
            (Value::Number(number), Shape::Single(sort)) => self.number(number, *sort, span),
            (Value::Named(name, candidates), Shape::Single(sort)) if candidates.iter().any(|(of, _)| of == sort) => {
                let fitting = candidates.iter().find(|(of, _)| of == sort).map(|(_, value)| Side::Value(*sort, *value));
                assert!(fitting.is_some(), "`{name}` is a value of the type");
                fitting
            }
            (value, _) => self.wrong_type(&value, wanted, span, because),
        }
    }

    fn number(&mut self, number: u64, sort: SortId, span: Span) -> Option<Side> {
        let (low, n) = (self.builder.bounds(sort).map_or(0, |(low, _)| low), self.n_values(sort));
        let at = number.checked_sub(low).filter(|at| *at < n);
        if let Some(at) = at {
            return Some(Side::Value(sort, at));
        }
        self.fail(|resolver| {
            let name = &resolver.builder.system.sorts[sort].name;
            Diagnostic::error("MU0033", format!("{number} is not a value of `{name}`"))
                .at(span, "out of range")
                .help(format!("its values are {low} to {}", low + n - 1))
        })
    }

    fn wrong_type<T>(&mut self, value: &Value<'t>, wanted: &Shape, span: Span, because: Span) -> Option<T> {
        self.fail(|resolver| {
            let system = &resolver.builder.system;
            let wanted = wanted.describe(system);
            let found = match value {
                Value::Place(place) => format!("one of `{}`", place.shape.describe(system)),
                Value::Bit(place, _) => format!("a bit of `{}`", place.shape.describe(system)),
                Value::Number(number) => format!("the number {number}"),
                Value::Bool(value) => format!("`{value}`"),
                Value::Named(name, _) => format!("the value `{name}`"),
            };
            Diagnostic::error("MU0026", format!("expected a value of `{wanted}`, found {found}"))
                .at(span, found)
                .also(because, format!("of type `{wanted}`"))
        })
    }
}
