//! Sorts and constant expressions.

use base::{Diagnostic, Span};

use super::{NamedSort, Resolver};
use crate::build::{Builder, Shape};
use crate::fp::syntax::{Binary, Binder, Expr, ExprKind, ItemKind, Name, SortBody, SortExpr};
use crate::signature::Domain;
use crate::system::{Sort, SortKind};
use base::names::suggest;

/// A constant number.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: i64,
    /// It depends on a parameter.
    pub(super) symbolic: bool,
}

impl<'t> Resolver<'t> {
    pub(super) fn declare_sorts(&mut self) {
        let tree = self.tree;
        for item in &tree.items {
            let ItemKind::Sort(name, body) = &item.kind else { continue };
            if self.is_given_sort(&name.text) {
                self.fail::<()>(|_| {
                    Diagnostic::error("FP0023", format!("the sort `{}` is already given", name.text))
                        .at(name.span, "declared again")
                        .help("choose another name")
                });
                continue;
            }
            if let Some(before) = self.sorts.get(&*name.text) {
                let before = before.span;
                self.declared_twice::<()>("sort", name, before);
                continue;
            }
            let shape = match body {
                SortBody::Alias(sort) => self.shape(sort),
                SortBody::Record(fields) => self.record(name, fields),
                SortBody::Enum(values) => self.enumeration(name, values),
            };
            self.sorts.insert(&name.text, NamedSort { shape, span: name.span, used: false });
        }
    }

    fn is_given_sort(&self, name: &str) -> bool {
        name == "Bool" || self.signature.sorts.iter().any(|sort| sort.name == name)
    }

    fn record(&mut self, name: &Name, binders: &'t [Binder]) -> Option<Shape> {
        let mut seen = rustc_hash::FxHashMap::default();
        let mut fields = Some(Vec::new());
        for binder in binders {
            let shape = self.shape(&binder.sort);
            for field in &binder.names {
                if let Some(before) = seen.insert(&*field.text, field.span) {
                    fields = self.declared_twice("field", field, before);
                }
                match (&mut fields, &shape) {
                    (Some(fields), Some(shape)) => fields.push((field.text.as_ref().to_owned(), shape.clone())),
                    _ => fields = None,
                }
            }
        }
        match Shape::record(&name.text, fields?) {
            Ok(shape) => Some(shape),
            Err(_) => self.too_large(name.span),
        }
    }

    fn enumeration(&mut self, name: &Name, values: &'t [Name]) -> Option<Shape> {
        let names = values.iter().map(|value| value.text.as_ref().to_owned()).collect();
        let sort = Sort { name: name.text.as_ref().to_owned(), kind: SortKind::Enum(names) };
        let id = self.builder.system.sorts.push(sort);
        let mut seen = rustc_hash::FxHashMap::default();
        for (at, value) in values.iter().enumerate() {
            if let Some(before) = seen.insert(&*value.text, value.span) {
                self.declared_twice::<()>("value", value, before);
                continue;
            }
            self.constants.entry(&value.text).or_default().push((id, at as u64));
        }
        Some(Shape::Single(id))
    }

    /// What a variable of a sort consists of.
    pub(super) fn shape(&mut self, sort: &'t SortExpr) -> Option<Shape> {
        match sort {
            SortExpr::Name(name) => self.named_sort(name),
            SortExpr::Range(bounds, span) => {
                let [low, high] = &**bounds;
                let (low, high) = (self.number(low), self.number(high));
                let symbolic = low?.symbolic || high?.symbolic;
                let (low, high) = self.bounds(low?, high?, *span)?;
                if low > high {
                    return self.empty_range(low, high, *span);
                }
                let sort = self.builder.range(low, high);
                if symbolic {
                    self.symbolic.insert(sort);
                }
                Some(Shape::Single(sort))
            }
            SortExpr::Array(element, bounds, span) => {
                let [low, high] = &**bounds;
                let (element, low, high) = (self.shape(element), self.number(low), self.number(high));
                // An array may be empty: `1..k` for k = 0.
                let (low, past) = self.bounds(low?, Number { value: high?.value.saturating_add(1), ..high? }, *span)?;
                match Shape::array(element?, low, past.saturating_sub(low)) {
                    Ok(shape) => Some(shape),
                    Err(_) => self.too_large(*span),
                }
            }
        }
    }

    fn named_sort(&mut self, name: &'t Name) -> Option<Shape> {
        if let Some(sort) = self.sorts.get_mut(&*name.text) {
            sort.used = true;
            return sort.shape.clone();
        }
        if &*name.text == "Bool" {
            return Some(Shape::Single(Builder::BOOL));
        }
        if let Some(position) = self.signature.sorts.iter().position(|sort| *sort.name == *name.text) {
            return Some(self.model_sort(position));
        }
        self.unknown_sort(name)
    }

    fn unknown_sort(&mut self, name: &Name) -> Option<Shape> {
        let declared = self.tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Sort(name, _) => Some(name),
            _ => None,
        });
        if let Some(later) = declared.clone().find(|sort| sort.text == name.text) {
            return self.fail(|_| {
                Diagnostic::error("FP0024", format!("the sort `{}` is used before it is declared", name.text))
                    .at(name.span, "used here")
                    .also(later.span, "declared here")
                    .help("sorts are declared before they are used, and do not contain themselves")
            });
        }
        self.fail(|resolver| {
            let given = resolver.signature.sorts.iter().map(|sort| sort.name.as_str()).chain(["Bool"]);
            let names = declared.map(|name| &*name.text).chain(given);
            let help = match &*name.text {
                "bool" | "boolean" | "Boolean" => "did you mean `Bool`?".to_owned(),
                text => suggest(text, names, "declare it before, `sort Name = ...;`"),
            };
            Diagnostic::error("FP0021", format!("there is no sort `{}`", name.text))
                .at(name.span, "not declared")
                .help(help)
        })
    }

    /// A sort of the model; its named values can be used from now on.
    pub(super) fn model_sort(&mut self, position: usize) -> Shape {
        if let Some(sort) = self.model_sorts[position] {
            return Shape::Single(sort);
        }
        let given = &self.signature.sorts[position];
        let kind = SortKind::Model(position);
        let id = self.builder.system.sorts.push(Sort { name: given.name.clone(), kind });
        self.model_sorts[position] = Some(id);
        if let Domain::Listed(names) = &given.domain {
            for (at, name) in names.iter().enumerate() {
                self.constants.entry(name).or_default().push((id, at as u64));
            }
        }
        Shape::Single(id)
    }

    fn bounds(&mut self, low: Number, high: Number, span: Span) -> Option<(u64, u64)> {
        match (u64::try_from(low.value), u64::try_from(high.value)) {
            (Ok(low), Ok(high)) => Some((low, high)),
            _ => self.empty_range(low.value, high.value, span),
        }
    }

    fn empty_range<T>(&mut self, low: impl std::fmt::Display, high: impl std::fmt::Display, span: Span) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("FP0033", format!("the range {low}..{high} is not possible"))
                .at(span, "this range")
                .help("a range begins at 0 or above and has at least one number")
        })
    }

    /// The value of a constant expression.
    pub(super) fn number(&mut self, expr: &'t Expr) -> Option<Number> {
        match &expr.kind {
            ExprKind::Number(value) => Some(Number { value: *value as i64, symbolic: false }),
            ExprKind::Name(name) => self.parameter(name, expr.span),
            ExprKind::Binary(op @ (Binary::Add | Binary::Subtract | Binary::Multiply), operands) => {
                let [a, b] = &**operands;
                let (a, b) = (self.number(a), self.number(b));
                self.calculate(*op, a?, b?, expr.span)
            }
            _ => self.not_constant(expr.span),
        }
    }

    fn parameter(&mut self, name: &'t str, span: Span) -> Option<Number> {
        let Some(parameter) = self.parameters.get_mut(name) else { return self.no_parameter(name, span) };
        parameter.used = true;
        Some(Number { value: parameter.value? as i64, symbolic: true })
    }

    fn no_parameter(&mut self, name: &str, span: Span) -> Option<Number> {
        self.fail(|resolver| {
            let names = super::parameters(resolver.tree);
            let declare = format!("declare it: `param {name};`");
            Diagnostic::error("FP0031", format!("`{name}` is not a parameter"))
                .at(span, "a constant is expected here")
                .help(suggest(name, names.iter().map(|parameter| parameter.name.as_str()), &declare))
        })
    }

    fn not_constant(&mut self, span: Span) -> Option<Number> {
        self.fail(|_| {
            Diagnostic::error("FP0031", "this is not a constant")
                .at(span, "a number is expected here")
                .help("constants are numbers and parameters, joined by `+`, `-` and `*`")
        })
    }

    pub(super) fn calculate(&mut self, op: Binary, a: Number, b: Number, span: Span) -> Option<Number> {
        let value = match op {
            Binary::Add => a.value.checked_add(b.value),
            Binary::Subtract => a.value.checked_sub(b.value),
            _ => a.value.checked_mul(b.value),
        };
        match value {
            Some(value) => Some(Number { value, symbolic: a.symbolic || b.symbolic }),
            None => self.fail(|_| {
                Diagnostic::error("FP0005", "this number is too large").at(span, "").help("use smaller numbers")
            }),
        }
    }
}
