//! Formulae.

use base::{Diagnostic, Span};

use super::declare::variables;
use super::term::{Term, Value};
use super::{Known, Resolver};
use crate::build::{Builder, Comparison, Shape, Side, TooLarge, conjunction, disjunction, negation};
use crate::fp::syntax::{Binary, Binder, Expr, ExprKind, Name, Nary, Quantifier};
use crate::system::{Formula, SortId, SortKind, VariableId};
use base::names::suggest;

/// What follows for a comparison with a number that the other side never is.
const DECIDED: &str = "the comparison does not depend on the variable";

impl<'t> Resolver<'t> {
    /// A formula; all mistakes in it are reported.
    pub(super) fn formula(&mut self, expr: &'t Expr) -> Option<Formula> {
        match &expr.kind {
            ExprKind::Const(value) => Some(Formula::Const(*value)),
            ExprKind::Apply(name, arguments) => self.application(name, arguments, expr.span),
            ExprKind::Not(inner) => self.formula(inner).map(negation),
            ExprKind::Nary(op, operands) => self.nary(*op, operands),
            ExprKind::Quantified(quantifier, binders, body) => self.quantified(*quantifier, binders, body),
            ExprKind::Binary(op, operands) => self.binary(*op, &operands[0], &operands[1], expr),
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Element(..) => self.boolean(expr),
            ExprKind::Number(_) => self.no_formula(expr.span, "a number"),
        }
    }

    fn no_formula<T>(&mut self, span: Span, found: &str) -> Option<T> {
        self.fail(|_| {
            Diagnostic::error("FP0027", "this is not a formula")
                .at(span, format!("{found}, not true or false"))
                .help("compare it with something, such as `x = 1`")
        })
    }

    fn nary(&mut self, op: Nary, operands: &'t [Expr]) -> Option<Formula> {
        let mut parts = Some(Vec::with_capacity(operands.len()));
        for operand in operands {
            match (self.formula(operand), &mut parts) {
                (Some(part), Some(parts)) => parts.push(part),
                _ => parts = None,
            }
        }
        parts.map(|parts| match op {
            Nary::And => conjunction(parts),
            Nary::Or => disjunction(parts),
        })
    }

    fn binary(&mut self, op: Binary, a: &'t Expr, b: &'t Expr, whole: &'t Expr) -> Option<Formula> {
        match op {
            Binary::Iff => {
                let (a, b) = (self.formula(a), self.formula(b));
                Some(Formula::Iff(Box::new(a?), Box::new(b?)))
            }
            Binary::Implies => {
                let (a, b) = (self.formula(a), self.formula(b));
                Some(disjunction(vec![negation(a?), b?]))
            }
            Binary::Add | Binary::Subtract | Binary::Multiply => self.no_formula(whole.span, "a number"),
            _ => self.comparison(op, a, b, whole.span),
        }
    }

    /// `x = y`, `x < y` and the like.
    #[inline(never)]
    fn comparison(&mut self, op: Binary, a: &'t Expr, b: &'t Expr, span: Span) -> Option<Formula> {
        let (a, b) = (self.term(a), self.term(b));
        let (a, b) = (a?, b?);
        if !matches!(op, Binary::Equal | Binary::NotEqual) {
            self.check_ordered(&a)?;
            self.check_ordered(&b)?;
        }
        let (a, b) = self.agree(a, b)?;
        let compared = match op {
            Binary::Equal => self.builder.compare(Comparison::Equal, &a, &b),
            Binary::NotEqual => self.builder.differ(&a, &b),
            Binary::Less => self.builder.compare(Comparison::Less, &a, &b),
            Binary::Greater => self.builder.compare(Comparison::Less, &b, &a),
            Binary::LessEqual => self.at_most(&a, &b),
            _ => self.at_most(&b, &a),
        };
        match compared {
            Ok(formula) => Some(formula),
            Err(_) => self.too_large(span),
        }
    }

    fn at_most(&mut self, a: &Side, b: &Side) -> Result<Formula, TooLarge> {
        let less = self.builder.compare(Comparison::Less, a, b)?;
        let equal = self.builder.compare(Comparison::Equal, a, b)?;
        Ok(disjunction(vec![less, equal]))
    }

    /// Only single values are in order.
    fn check_ordered(&mut self, (value, span): &Term<'t>) -> Option<()> {
        match value {
            Value::Place(place, _) if place.shape.single().is_none() => self.fail(|resolver| {
                let sort = place.shape.describe(&resolver.builder.system);
                Diagnostic::error("FP0026", format!("values of `{sort}` have no order"))
                    .at(*span, "not a single value")
                    .help("compare its fields or elements")
            }),
            _ => Some(()),
        }
    }

    /// Both sides as values of the same sort.
    fn agree(&mut self, a: Term<'t>, b: Term<'t>) -> Option<(Side, Side)> {
        let (first, second) = (a.1, b.1);
        match (&a.0, &b.0) {
            (Value::Place(place, offset), _) => {
                let shape = place.shape.clone();
                self.warn_if_never(&b, &shape, *offset, DECIDED);
                let b = self.side(b, &shape, first);
                Some((self.side(a, &shape, first)?, b?))
            }
            (_, Value::Place(place, offset)) => {
                let shape = place.shape.clone();
                self.warn_if_never(&a, &shape, *offset, DECIDED);
                let a = self.side(a, &shape, second);
                Some((a?, self.side(b, &shape, second)?))
            }
            (Value::Number(a), Value::Number(b)) => Some((Side::Number(a.value), Side::Number(b.value))),
            _ => self.agree_on_constant(a, b),
        }
    }

    /// Two constants, of which at least one is no number.
    fn agree_on_constant(&mut self, a: Term<'t>, b: Term<'t>) -> Option<(Side, Side)> {
        let sorts = |value: &Value<'_>| match value {
            Value::Named(_, candidates) => candidates.iter().map(|(sort, _)| *sort).collect(),
            Value::Bool(_) => vec![Builder::BOOL],
            _ => Vec::new(),
        };
        let (ours, theirs): (Vec<SortId>, Vec<SortId>) = (sorts(&a.0), sorts(&b.0));
        let mut common: Vec<SortId> = ours.iter().copied().filter(|sort| theirs.contains(sort)).collect();
        common.dedup();
        if let (Value::Named(name, _), [_, _, ..]) = (&a.0, common.as_slice()) {
            return self.ambiguous(name, a.1);
        }
        let shape = Shape::Single(*common.first().or(ours.first()).or(theirs.first())?);
        let (first, second) = (a.1, b.1);
        let a = self.side(a, &shape, second);
        let b = self.side(b, &shape, first);
        Some((a?, b?))
    }

    /// A variable of truth values as a formula.
    #[inline(never)]
    fn boolean(&mut self, expr: &'t Expr) -> Option<Formula> {
        let (value, span) = self.term(expr)?;
        let side = match value {
            Value::Place(place, 0) if place.shape == Shape::Single(Builder::BOOL) => Side::Place(place, 0),
            other => {
                let found = self.describe(&other);
                return self.no_formula(span, &found);
            }
        };
        match self.builder.compare(Comparison::Equal, &side, &Side::Value(Builder::BOOL, 1)) {
            Ok(formula) => Some(formula),
            Err(_) => self.too_large(span),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, binders: &'t [Binder], body: &'t Expr) -> Option<Formula> {
        let bound = self.bind(binders);
        self.warn_hiding(&bound);
        self.enter(&bound, false);
        let parts = self.scope_parts(quantifier, body);
        let unused = self.leave(&bound);
        let (ids, (inside, mut outside)) = (variables(&bound), parts?);
        unused.into_iter().for_each(|name| self.warn_unused("variable", name));
        if ids.is_empty() || self.has_empty_sort(&ids) {
            // Without values the parts cannot be told apart.
            outside.extend(inside);
            return Some(quantify(quantifier, ids, join(quantifier, outside)));
        }
        if !inside.is_empty() {
            outside.insert(0, quantify(quantifier, ids, join(quantifier, inside)));
        }
        Some(join(quantifier, outside))
    }

    /// The parts of a body that mention the innermost variables, and those that do not.
    ///
    /// A quantifier reaches as far as it can, and so in a list of clauses, `exists x: S. A(x) | exists y: T. B(y)`, the
    /// later ones lie inside the earlier. They do not depend on it: the list becomes flat again.
    fn scope_parts(&mut self, quantifier: Quantifier, body: &'t Expr) -> Option<(Vec<Formula>, Vec<Formula>)> {
        let operands = match (quantifier, &body.kind) {
            (Quantifier::Exists, ExprKind::Nary(Nary::Or, operands))
            | (Quantifier::Forall, ExprKind::Nary(Nary::And, operands)) => operands.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let frame = self.frames.len() - 1;
        let mut parts = Some((Vec::new(), Vec::new()));
        for operand in operands {
            self.frames[frame].touched = operands.len() == 1;
            match (self.formula(operand), &mut parts) {
                (Some(part), Some((inside, _))) if self.frames[frame].touched => inside.push(part),
                (Some(part), Some((_, outside))) => outside.push(part),
                _ => parts = None,
            }
        }
        parts
    }

    fn has_empty_sort(&self, variables: &[VariableId]) -> bool {
        variables.iter().any(|variable| match self.builder.system.sorts[self.builder.sort_of(*variable)].kind {
            SortKind::Model(position) => self.signature.sorts[position].domain.n_listed() == Some(0),
            _ => false,
        })
    }

    /// A variable that hides a column of its relation is rarely meant.
    #[inline(never)]
    fn warn_hiding(&mut self, bound: &[super::Bound<'t>]) {
        for variable in bound {
            let outer = self.scope.get(&*variable.name.text).and_then(|locals| locals.last());
            let Some(outer) = outer.filter(|outer| self.frames[outer.frame].is_head) else { continue };
            let message = format!("`{}` hides the column of that name", variable.name.text);
            let warning = Diagnostic::warning("FP0052", message)
                .at(variable.name.span, "from here on this one is meant")
                .also(outer.span, "the column")
                .help("choose another name");
            self.report.push(warning);
        }
    }

    /// A relation by its name.
    pub(super) fn relation(&mut self, name: &'t Name) -> Option<Known<'t>> {
        if let Some(known) = self.relations.get(&*name.text) {
            return Some(known.clone());
        }
        self.fail(|resolver| {
            let mut names: Vec<&str> = resolver.relations.keys().copied().collect();
            names.sort_unstable();
            let offered = resolver.signature.inputs.iter().find(|input| *input.name == *name.text);
            let help = match offered {
                Some(input) => format!("declare the input: `input {};`", input.declaration),
                None => suggest(&name.text, names, "declare it with `input`, `define`, `mu` or `nu`"),
            };
            Diagnostic::error("FP0022", format!("there is no relation `{}`", name.text))
                .at(name.span, "not declared")
                .help(help)
        })
    }

    /// `R(x, y)`
    #[inline(never)]
    fn application(&mut self, name: &'t Name, arguments: &'t [Expr], span: Span) -> Option<Formula> {
        let known = self.relation(name);
        let terms: Vec<Option<Term<'t>>> = arguments.iter().map(|argument| self.term(argument)).collect();
        let Known { id, columns, span: declared } = known?;
        self.mentioned.push(id);
        if terms.len() != columns.len() {
            return self.wrong_number(name, columns.len(), terms.len(), declared);
        }
        // All of them before the first mistake ends this, so that each is reported.
        let side = |(term, column): (Option<Term<'t>>, &super::Bound<'t>)| {
            let (term, shape) = (term?, &column.place.as_ref()?.shape);
            self.warn_if_never(&term, shape, 0, "the application is always false");
            self.side(term, shape, column.name.span)
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
            Diagnostic::error("FP0025", format!("`{}` has {expected} column{plural}, not {found}", name.text))
                .at(name.span, format!("{found} given"))
                .also(declared, "declared here")
        })
    }
}

fn quantify(quantifier: Quantifier, ids: Vec<VariableId>, body: Formula) -> Formula {
    match quantifier {
        _ if ids.is_empty() => body,
        Quantifier::Exists => Formula::Exists(ids, Box::new(body)),
        Quantifier::Forall => Formula::Forall(ids, Box::new(body)),
    }
}

/// The parts joined as the quantifier would join their instances.
fn join(quantifier: Quantifier, parts: Vec<Formula>) -> Formula {
    match quantifier {
        Quantifier::Exists => disjunction(parts),
        Quantifier::Forall => conjunction(parts),
    }
}
