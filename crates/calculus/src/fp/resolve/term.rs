//! Variables, fields, elements and constants.

use base::{Diagnostic, Span};

use super::Resolver;
use super::sort::Number;
use crate::build::{Builder, Place, Shape, Side};
use crate::fp::syntax::{Binary, Expr, ExprKind, Name};
use crate::signature::Domain;
use crate::system::{SortId, SortKind, VariableId};
use base::names::suggest;

/// What a term stands for.
#[derive(Clone)]
pub(super) enum Value<'t> {
    /// A variable or a part of one, plus a constant.
    Place(Place, i64),
    Number(Number),
    Bool(bool),
    /// A name that is a value of one or several sorts.
    Named(&'t str, Vec<(SortId, u64)>),
}

/// A term with its place in the text.
pub(super) type Term<'t> = (Value<'t>, Span);

impl<'t> Resolver<'t> {
    pub(super) fn term(&mut self, expr: &'t Expr) -> Option<Term<'t>> {
        let value = match &expr.kind {
            ExprKind::Const(value) => Value::Bool(*value),
            ExprKind::Number(value) => Value::Number(Number { value: *value as i64, symbolic: false }),
            ExprKind::Name(name) => self.name(name, expr.span)?,
            ExprKind::Field(of, field) => self.field(of, field)?,
            ExprKind::Element(parts) => self.element(&parts[0], &parts[1])?,
            ExprKind::Binary(op @ (Binary::Add | Binary::Subtract | Binary::Multiply), operands) => {
                let (a, b) = (self.term(&operands[0]), self.term(&operands[1]));
                self.sum(*op, a?, b?, expr.span)?
            }
            _ => return self.no_term(expr),
        };
        Some((value, expr.span))
    }

    #[inline(never)]
    fn no_term<T>(&mut self, expr: &Expr) -> Option<T> {
        self.fail(|_| {
            let help = match &expr.kind {
                ExprKind::Not(_) => "write `a != b` or `!(a = b)`; between formulae write `<->`",
                _ => "between formulae write `<->` instead of `=`; an argument is a variable or a constant",
            };
            Diagnostic::error("FP0028", "a formula stands where a value is expected")
                .at(expr.span, "this is true or false, not a variable or a constant")
                .help(help)
        })
    }

    #[inline(never)]
    fn name(&mut self, name: &'t str, span: Span) -> Option<Value<'t>> {
        if let Some(local) = self.scope.get_mut(name).and_then(|locals| locals.last_mut()) {
            local.used = true;
            self.frames[local.frame].touched = true;
            return local.place.clone().map(|place| Value::Place(place, 0));
        }
        if let Some(parameter) = self.parameters.get_mut(name) {
            parameter.used = true;
            return parameter.value.map(|value| Value::Number(Number { value: value as i64, symbolic: true }));
        }
        if !self.constants.contains_key(name) {
            self.add_sorts_with(name);
        }
        if let Some(candidates) = self.constants.get(name) {
            return Some(Value::Named(name, candidates.clone()));
        }
        self.unknown_name(name, span)
    }

    /// A name of the model may be used although the file does not speak of its sort: where it is of the wrong sort, the
    /// message says of which one it is.
    fn add_sorts_with(&mut self, name: &str) {
        let signature = self.signature;
        let has = |domain: &Domain| matches!(domain, Domain::Listed(names) if names.iter().any(|known| known == name));
        for (position, _) in signature.sorts.iter().enumerate().filter(|(_, sort)| has(&sort.domain)) {
            self.model_sort(position);
        }
    }

    fn unknown_name<T>(&mut self, name: &str, span: Span) -> Option<T> {
        self.fail(|resolver| {
            let help = if resolver.relations.contains_key(name) {
                format!("`{name}` is a relation: write `{name}(...)`")
            } else {
                suggest(name, resolver.visible(), "declare it with a quantifier: `exists x: Sort. ...`")
            };
            Diagnostic::error("FP0020", format!("there is no variable or constant `{name}`"))
                .at(span, "not known here")
                .help(help)
        })
    }

    /// Names of variables, parameters and constants, in alphabetical order.
    fn visible(&self) -> Vec<&'t str> {
        let variables = self.scope.iter().filter(|(_, locals)| !locals.is_empty()).map(|(name, _)| *name);
        let mut names: Vec<&'t str> = variables.collect();
        names.extend(self.parameters.keys());
        names.extend(self.constants.keys());
        names.sort_unstable();
        names
    }

    /// A variable or a part of one, and not a constant.
    fn place(&mut self, expr: &'t Expr, what: &str) -> Option<Place> {
        match self.term(expr)? {
            (Value::Place(place, 0), _) => Some(place),
            (_, span) => self.fail(|_| {
                Diagnostic::error("FP0030", format!("this has no {what}"))
                    .at(span, "a constant")
                    .help(format!("only variables have {what}"))
            }),
        }
    }

    #[inline(never)]
    fn field(&mut self, of: &'t Expr, field: &'t Name) -> Option<Value<'t>> {
        let place = self.place(of, "fields")?;
        let shape = place.shape.clone();
        match place.field(&field.text) {
            Some(part) => Some(Value::Place(part, 0)),
            None => self.no_field(&shape, of.span, field),
        }
    }

    fn no_field<T>(&mut self, shape: &Shape, of: Span, field: &Name) -> Option<T> {
        self.fail(|resolver| {
            let sort = shape.describe(&resolver.builder.system);
            let help = match shape {
                Shape::Record(record) => {
                    let names = || record.fields.iter().map(|field| field.name.as_str());
                    let all = format!("its fields are `{}`", names().collect::<Vec<_>>().join("`, `"));
                    suggest(&field.text, names(), &all)
                }
                Shape::Array(_) => "an array has elements, `g[1]`".to_owned(),
                Shape::Single(_) => "only records have fields".to_owned(),
            };
            Diagnostic::error("FP0029", format!("`{sort}` has no field `{}`", field.text))
                .at(field.span, "no such field")
                .also(of, format!("of sort `{sort}`"))
                .help(help)
        })
    }

    #[inline(never)]
    fn element(&mut self, of: &'t Expr, index: &'t Expr) -> Option<Value<'t>> {
        let (place, at) = (self.place(of, "elements"), self.term(index));
        let (place, (at, span)) = (place?, at?);
        let Shape::Array(array) = &place.shape else { return self.no_array(&place.shape, of.span) };
        let (first, n) = (array.first, array.n);
        match at {
            Value::Number(number) => match place.element(number.value) {
                Some(element) => Some(Value::Place(element, 0)),
                None => self.no_element(number.value, first, n, span),
            },
            Value::Place(index, offset) if self.is_range(&index) => {
                place.element_at(index, offset).map(|element| Value::Place(element, 0))
            }
            _ => self.fail(|_| {
                Diagnostic::error("FP0030", "an index is a number")
                    .at(span, "not a number")
                    .help("use a constant or a variable of a range, `i: 1..k`")
            }),
        }
    }

    fn is_range(&self, place: &Place) -> bool {
        place.shape.single().is_some_and(|sort| self.builder.bounds(sort).is_some())
    }

    fn no_array<T>(&mut self, shape: &Shape, span: Span) -> Option<T> {
        self.fail(|resolver| {
            let sort = shape.describe(&resolver.builder.system);
            Diagnostic::error("FP0030", "only arrays have elements").at(span, format!("of sort `{sort}`"))
        })
    }

    fn no_element<T>(&mut self, number: i64, first: u64, n: u64, span: Span) -> Option<T> {
        self.fail(|_| {
            let help = match n {
                0 => "the array is empty for these parameters".to_owned(),
                _ => format!("its elements are {first} to {}", first + n - 1),
            };
            Diagnostic::error("FP0030", format!("the array has no element {number}")).at(span, "").help(help)
        })
    }

    /// Sums of a variable and constants, and constant expressions.
    #[inline(never)]
    fn sum(&mut self, op: Binary, a: Term<'t>, b: Term<'t>, span: Span) -> Option<Value<'t>> {
        match (a.0, op, b.0) {
            (Value::Number(a), _, Value::Number(b)) => self.calculate(op, a, b, span).map(Value::Number),
            (Value::Place(place, offset), Binary::Add | Binary::Subtract, Value::Number(number))
            | (Value::Number(number), Binary::Add, Value::Place(place, offset))
                if self.has_successors(&place) =>
            {
                let by = Number { value: offset, symbolic: false };
                self.calculate(op, by, number, span).map(|sum| Value::Place(place, sum.value))
            }
            _ => self.fail(|_| {
                Diagnostic::error("FP0040", "this sum or product is not possible")
                    .at(span, "")
                    .help("write a variable of a range plus or minus a constant, such as `x + 1`")
            }),
        }
    }

    /// True for ranges, enumerations and listed sorts of the model.
    fn has_successors(&self, place: &Place) -> bool {
        let is_listed = |position: usize| self.signature.sorts[position].domain.n_listed().is_some();
        place.shape.single().is_some_and(|sort| match self.builder.system.sorts[sort].kind {
            SortKind::Range(..) | SortKind::Enum(_) => true,
            SortKind::Model(position) => is_listed(position),
            SortKind::Bool => false,
        })
    }

    /// The variables of a column or of a part of it.
    pub(super) fn column(&mut self, expr: &'t Expr) -> Option<Vec<VariableId>> {
        let (value, span) = self.term(expr)?;
        let variables = if let Value::Place(place, 0) = value { place.variables() } else { None };
        variables.or_else(|| {
            self.fail(|_| {
                Diagnostic::error("FP0041", "a wish is about columns of the relation")
                    .at(span, "not a column")
                    .help("name a parameter of the relation or a part of one, such as `u.global`")
            })
        })
    }

    /// A term as a side of an atom, where a value of the given shape is expected.
    pub(super) fn side(&mut self, (value, span): Term<'t>, wanted: &Shape, because: Span) -> Option<Side> {
        match (value, wanted) {
            (Value::Place(place, offset), _) if place.shape.matches(wanted, &self.builder.system) => {
                Some(Side::Place(place, offset))
            }
            (Value::Bool(value), Shape::Single(Builder::BOOL)) => Some(Side::Value(Builder::BOOL, u64::from(value))),
            (Value::Number(number), Shape::Single(sort)) if self.builder.bounds(*sort).is_some() => {
                Some(Side::Number(number.value))
            }
            (Value::Named(name, candidates), Shape::Single(sort)) if candidates.iter().any(|(of, _)| of == sort) => {
                self.only_value(name, &candidates, *sort, span)
            }
            (value, _) => self.wrong_sort(&value, wanted, span, because),
        }
    }

    /// The value of a sort that a name means.
    fn only_value(&mut self, name: &str, candidates: &[(SortId, u64)], sort: SortId, span: Span) -> Option<Side> {
        let mut fitting = candidates.iter().filter(|(of, _)| *of == sort);
        match (fitting.next(), fitting.next()) {
            (Some((sort, value)), None) => Some(Side::Value(*sort, *value)),
            _ => self.ambiguous(name, span),
        }
    }

    pub(super) fn ambiguous<T>(&mut self, name: &str, span: Span) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("FP0039", format!("`{name}` is the name of several values"))
                .at(span, "not clear which of them")
                .help("compare it with a variable of its sort, or choose other names")
        })
    }

    /// A number that a variable plus an offset never is decides the atom; if no parameter decides that, it is a slip.
    pub(super) fn warn_if_never(&mut self, (value, span): &Term<'t>, wanted: &Shape, offset: i64, effect: &str) {
        let (Value::Number(number), Some(sort)) = (value, wanted.single()) else { return };
        let Some((low, high)) = self.builder.bounds(sort) else { return };
        let (low, high) = ((low as i64).saturating_add(offset), (high as i64).saturating_add(offset));
        let depends = number.symbolic || self.symbolic.contains(&sort);
        if depends || (low..=high).contains(&number.value) {
            return;
        }
        let message = format!("{} is not a value of `{low}..{high}`", number.value);
        let warning = Diagnostic::warning("FP0051", message).at(*span, "never a value of the other side");
        self.report.push(warning.help(effect));
    }

    #[inline(never)]
    fn wrong_sort<T>(&mut self, value: &Value<'t>, wanted: &Shape, span: Span, because: Span) -> Option<T> {
        self.fail(|resolver| {
            let system = &resolver.builder.system;
            let (wanted, found) = (wanted.describe(system), resolver.describe(value));
            Diagnostic::error("FP0026", format!("expected a value of `{wanted}`, found {found}"))
                .at(span, found)
                .also(because, format!("of sort `{wanted}`"))
        })
    }

    pub(super) fn describe(&self, value: &Value<'t>) -> String {
        let system = &self.builder.system;
        match value {
            Value::Place(place, _) => format!("one of `{}`", place.shape.describe(system)),
            Value::Number(number) => format!("the number {}", number.value),
            Value::Bool(value) => format!("`{value}`"),
            Value::Named(_, candidates) => {
                let sorts = candidates.iter().map(|(sort, _)| system.sorts[*sort].name.as_str());
                let mut sorts: Vec<&str> = sorts.collect();
                sorts.dedup();
                format!("a value of `{}`", sorts.join("` or `"))
            }
        }
    }
}
