//! Formulae.

use base::{Diagnostic, Span};

use super::declare::variables;
use super::term::{Term, Value};
use super::{Known, Resolver};
use crate::syntax::{Binary, Declaration, Expr, ExprKind, Name, Quantifier};
use base::names::suggest;
use calculus::build::{Builder, Comparison, Place, Shape, Side, conjunction, disjunction, negation, size};
use calculus::system::{Formula, VariableId};

/// Most values of a type whose bits are asked for.
const MAX_VALUES_OF_BITS: u64 = 1 << 12;

impl<'t> Resolver<'t> {
    /// A formula; all mistakes in it are reported.
    pub(super) fn formula(&mut self, expr: &'t Expr) -> Option<Formula> {
        match &expr.kind {
            ExprKind::Const(value) => Some(Formula::Const(*value)),
            ExprKind::Number(number @ (0 | 1)) => Some(Formula::Const(*number == 1)),
            ExprKind::Number(_) => self.no_formula(expr.span, "a number"),
            ExprKind::Path(_) => self.boolean(expr),
            ExprKind::Apply(name, arguments) => self.application(name, arguments, expr.span),
            ExprKind::Not(inner) => self.formula(inner).map(negation),
            ExprKind::And(operands) => self.all(operands).map(conjunction),
            ExprKind::Or(operands) => self.all(operands).map(disjunction),
            ExprKind::If(parts) => self.conditional(parts, expr.span),
            ExprKind::Binary(op, operands) => self.binary(*op, operands, expr.span),
            ExprKind::Quantified(quantifier, declarations, body) => self.quantified(*quantifier, declarations, body),
        }
    }

    fn no_formula<T>(&mut self, span: Span, found: &str) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("MU0027", "this is not a formula")
                .at(span, format!("{found}, not true or false"))
                .help("compare it with something, such as `x = 1`")
        })
    }

    fn all(&mut self, operands: &'t [Expr]) -> Option<Vec<Formula>> {
        let mut parts = Some(Vec::with_capacity(operands.len()));
        for operand in operands {
            match (self.formula(operand), &mut parts) {
                (Some(part), Some(parts)) => parts.push(part),
                _ => parts = None,
            }
        }
        parts
    }

    fn conditional(&mut self, [condition, then, otherwise]: &'t [Expr; 3], span: Span) -> Option<Formula> {
        let (condition, then, otherwise) = (self.formula(condition), self.formula(then), self.formula(otherwise));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        // The condition is needed twice.
        if self.builder.charge(size(&condition)).is_err() {
            return self.too_large(span);
        }
        let not = negation(condition.clone());
        Some(disjunction(vec![conjunction(vec![condition, then]), conjunction(vec![not, otherwise])]))
    }

    fn binary(&mut self, op: Binary, operands: &'t [Expr; 2], span: Span) -> Option<Formula> {
        let [a, b] = operands;
        let is_value = |expr: &Expr| matches!(expr.kind, ExprKind::Const(_) | ExprKind::Number(_) | ExprKind::Path(_));
        if matches!(op, Binary::Equal | Binary::NotEqual) && is_value(a) && is_value(b) {
            let equal = self.comparison(a, b, span)?;
            return Some(if op == Binary::Equal { equal } else { negation(equal) });
        }
        let (a, b) = (self.formula(a), self.formula(b));
        let (a, b) = (a?, b?);
        Some(match op {
            Binary::Iff | Binary::Equal => Formula::Iff(Box::new(a), Box::new(b)),
            Binary::Xor | Binary::NotEqual => negation(Formula::Iff(Box::new(a), Box::new(b))),
            Binary::Implies => disjunction(vec![negation(a), b]),
            Binary::ImpliedBy => disjunction(vec![a, negation(b)]),
            Binary::Cofactor => Formula::Cofactor(Box::new(a), Box::new(b)),
        })
    }

    /// `x = y` between variables and constants.
    #[inline(never)]
    fn comparison(&mut self, a: &'t Expr, b: &'t Expr, span: Span) -> Option<Formula> {
        let (a, b) = (self.term(a), self.term(b));
        let (a, b) = (a?, b?);
        if matches!((&a.0, &b.0), (Value::Bit(..), _) | (_, Value::Bit(..))) {
            let (a, b) = (self.truth(a), self.truth(b));
            return Some(Formula::Iff(Box::new(a?), Box::new(b?)));
        }
        let (a, b) = self.agree(a, b)?;
        match self.builder.compare(Comparison::Equal, &a, &b) {
            Ok(formula) => Some(formula),
            Err(_) => self.too_large(span),
        }
    }

    /// Both sides as values of the same type; two constants are compared as truth values unless one has a name.
    fn agree(&mut self, a: Term<'t>, b: Term<'t>) -> Option<(Side, Side)> {
        let (first, second) = (a.1, b.1);
        let (shape, because) = match (&a.0, &b.0) {
            (Value::Place(place), _) => (place.shape.clone(), first),
            (_, Value::Place(place)) => (place.shape.clone(), second),
            (Value::Named(_, ours), Value::Named(_, theirs)) => {
                let common = ours.iter().find(|(sort, _)| theirs.iter().any(|(other, _)| other == sort));
                (Shape::Single(common.or(ours.first())?.0), first)
            }
            (Value::Named(_, ours), _) => (Shape::Single(ours.first()?.0), first),
            (_, Value::Named(_, theirs)) => (Shape::Single(theirs.first()?.0), second),
            (Value::Number(a), Value::Number(b)) => return Some((Side::Number(*a as i64), Side::Number(*b as i64))),
            _ => (Shape::Single(Builder::BOOL), first),
        };
        let a = self.side(a, &shape, because);
        let b = self.side(b, &shape, because);
        Some((a?, b?))
    }

    /// A variable of truth values as a formula.
    #[inline(never)]
    fn boolean(&mut self, expr: &'t Expr) -> Option<Formula> {
        let term = self.term(expr)?;
        self.truth(term)
    }

    fn truth(&mut self, (value, span): Term<'t>) -> Option<Formula> {
        let side = match value {
            Value::Place(place) if place.shape == Shape::Single(Builder::BOOL) => Side::Place(place, 0),
            Value::Bit(place, bit) => return self.bit(place, bit, span),
            Value::Bool(value) => return Some(Formula::Const(value)),
            Value::Number(number @ (0 | 1)) => return Some(Formula::Const(number == 1)),
            _ => return self.no_formula(span, "a variable or value of another type than `bool`"),
        };
        match self.builder.compare(Comparison::Equal, &side, &Side::Value(Builder::BOOL, 1)) {
            Ok(formula) => Some(formula),
            Err(_) => self.too_large(span),
        }
    }

    /// A bit of a number or of the position of a name, by the values that have it.
    fn bit(&mut self, place: Place, bit: u64, span: Span) -> Option<Formula> {
        let sort = place.shape.single()?;
        let (n_values, side) = (self.n_values(sort), Side::Place(place, 0));
        if n_values > MAX_VALUES_OF_BITS || self.builder.charge(n_values as usize).is_err() {
            return self.too_large(span);
        }
        let values = (0..n_values).filter(|value| value >> bit & 1 == 1);
        let case = |value| self.builder.compare(Comparison::Equal, &side, &Side::Value(sort, value));
        match values.map(case).collect::<Result<Vec<_>, _>>() {
            Ok(cases) => Some(disjunction(cases)),
            Err(_) => self.too_large(span),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        declarations: &'t [Declaration],
        body: &'t Expr,
    ) -> Option<Formula> {
        let bound = self.bind(declarations);
        self.enter(&bound);
        let formula = self.formula(body);
        self.leave(&bound);
        let (ids, formula) = (variables(&bound), formula?);
        Some(quantify(quantifier, ids, formula))
    }

    /// A predicate by its name.
    pub(super) fn predicate(&mut self, name: &'t Name) -> Option<Known<'t>> {
        if let Some(known) = self.predicates.get(&*name.text) {
            return Some(known.clone());
        }
        self.fail(|resolver| {
            let mut names: Vec<&str> = resolver.predicates.keys().copied().collect();
            names.sort_unstable();
            Diagnostic::error("MU0022", format!("there is no predicate `{}`", name.text))
                .at(name.span, "not defined")
                .help(suggest(&name.text, names, "define it: `bool P(T x) ...;`"))
        })
    }

    /// `P(x, y)`
    #[inline(never)]
    fn application(&mut self, name: &'t Name, arguments: &'t [Expr], span: Span) -> Option<Formula> {
        let known = self.predicate(name);
        let terms: Vec<Option<Term<'t>>> = arguments.iter().map(|argument| self.term(argument)).collect();
        let Known { id, columns, span: declared } = known?;
        self.mentioned.push(id);
        if terms.len() != columns.len() {
            return self.wrong_number(name, columns.len(), terms.len(), declared);
        }
        // All of them before the first mistake ends this, so that each is reported.
        let side = |(term, column): (Option<Term<'t>>, &super::Bound<'t>)| {
            self.side(term?, &column.place.as_ref()?.shape, column.name.span)
        };
        let sides: Vec<Option<Side>> = terms.into_iter().zip(&*columns).map(side).collect();
        let sides: Option<Vec<Side>> = sides.into_iter().collect();
        match self.builder.apply(id, &sides?) {
            Ok(formula) => Some(formula),
            Err(_) => self.too_large(span),
        }
    }

    fn wrong_number<T>(&mut self, name: &Name, expected: usize, found: usize, declared: Span) -> Option<T> {
        self.fail(|_| {
            let plural = if expected == 1 { "" } else { "s" };
            Diagnostic::error("MU0025", format!("`{}` has {expected} parameter{plural}, not {found}", name.text))
                .at(name.span, format!("{found} given"))
                .also(declared, "defined here")
        })
    }
}

pub(super) fn quantify(quantifier: Quantifier, ids: Vec<VariableId>, body: Formula) -> Formula {
    match quantifier {
        _ if ids.is_empty() => body,
        Quantifier::Exists => Formula::Exists(ids, Box::new(body)),
        Quantifier::Forall => Formula::Forall(ids, Box::new(body)),
    }
}
