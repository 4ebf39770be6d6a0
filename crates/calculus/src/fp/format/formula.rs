//! Formulae on several lines.

use super::{Flat, Printer, WIDTH, flat};
use crate::fp::syntax::{Binary, Binder, Expr, ExprKind, Name, Nary, Quantifier};

/// How many quantifiers of a list of clauses may lie inside one another and still be printed as a list.
const MAX_CLAUSES: u32 = 200;

impl<'t> Printer<'t> {
    /// A formula that begins at the given column: on this line if it fits, else on several.
    pub(super) fn formula(&mut self, expr: &'t Expr, indent: usize, least: u32, tail: bool) {
        let room = WIDTH.saturating_sub(self.column() + 1);
        let flat = if self.has_comment_before(expr.span.end) && is_breakable(expr) {
            None
        } else {
            self.fitting(expr, room, least, tail)
        };
        if let Some(text) = flat {
            self.out.push_str(&text);
        } else if flat::needs_parentheses(expr, least, tail) {
            self.out.push_str("( ");
            self.broken(expr, indent + 2, true);
            self.out.push_str(if self.open_comment { "" } else { " " });
            if self.open_comment {
                self.new_line(indent);
            }
            self.out.push(')');
        } else {
            self.broken(expr, indent, tail);
        }
    }

    fn broken(&mut self, expr: &'t Expr, indent: usize, tail: bool) {
        match &expr.kind {
            ExprKind::Nary(op, operands) => self.operands(*op, operands, indent, tail),
            ExprKind::Quantified(quantifier, binders, body) => {
                Flat::unlimited(&mut self.out).quantifier(*quantifier, binders);
                self.next_line(body.span.start, indent + 2, "");
                let courtesy = is_or(body) && self.courtesy;
                self.formula(body, indent + 2, if courtesy { 4 } else { 0 }, tail);
            }
            ExprKind::Not(inner) => {
                self.out.push('!');
                self.formula(inner, indent + 1, 8, tail);
            }
            ExprKind::Binary(op @ (Binary::Iff | Binary::Implies), operands) => {
                let (left_least, right_least) = flat::operand_levels(*op);
                self.formula(&operands[0], indent, left_least, false);
                self.next_line(operands[1].span.start, indent, op.text());
                self.formula(&operands[1], indent + op.text().len() + 1, right_least, tail);
            }
            _ => Flat::unlimited(&mut self.out).expr(expr, 0, tail),
        }
    }

    /// Begins a line with an operator, after the comments before a place.
    fn next_line(&mut self, place: u32, indent: usize, operator: &str) {
        self.comments_before(place, indent);
        if !self.is_fresh() {
            self.new_line(indent);
        }
        if !operator.is_empty() {
            self.out.push_str(operator);
            self.out.push(' ');
        }
    }

    /// Operands on lines of their own, the operator two columns before them. A last clause `exists x: S. A | B` whose B
    /// does not mention x is the beginning of further lines.
    fn operands(&mut self, op: Nary, operands: &'t [Expr], indent: usize, tail: bool) {
        let mut operands = operands;
        let mut n_clauses = 0;
        let mut first = true;
        loop {
            let mut rest: Option<(&'t [Binder], &'t [Expr], Quantifier)> = None;
            for (at, operand) in operands.iter().enumerate() {
                let last = tail && at + 1 == operands.len();
                if !first || at > 0 {
                    self.next_line(operand.span.start, indent.saturating_sub(2), op.text());
                }
                if last && n_clauses < MAX_CLAUSES {
                    rest = list_continues(op, operand);
                }
                if rest.is_none() {
                    self.formula(operand, indent, op.level() + 1, last);
                }
            }
            let Some((binders, inner, quantifier)) = rest else { return };
            n_clauses += 1;
            let (clause, further) = inner.split_at(1);
            self.clause(quantifier, binders, &clause[0], indent);
            if further.is_empty() {
                return;
            }
            (operands, first) = (further, false);
        }
    }

    /// `exists x: S. A` in a list of clauses.
    fn clause(&mut self, quantifier: Quantifier, binders: &'t [Binder], body: &'t Expr, indent: usize) {
        Flat::unlimited(&mut self.out).quantifier(quantifier, binders);
        let room = WIDTH.saturating_sub(self.column() + 2);
        let text = if self.has_comment_before(body.span.end) { None } else { self.fitting(body, room, 4, false) };
        if let Some(text) = text {
            self.out.push(' ');
            self.out.push_str(&text);
        } else {
            self.next_line(body.span.start, indent + 2, "");
            self.formula(body, indent + 2, 4, false);
        }
    }
}

fn is_or(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Nary(Nary::Or, _))
}

/// True when the expression can be printed on several lines.
fn is_breakable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Nary(..) | ExprKind::Quantified(..) | ExprKind::Not(_) => true,
        ExprKind::Binary(op, _) => matches!(op, Binary::Iff | Binary::Implies),
        _ => false,
    }
}

type Clause<'t> = (&'t [Binder], &'t [Expr], Quantifier);

/// The operands of a disjunction under the quantifier of a last clause, if only the first depends on the quantifier.
fn list_continues(op: Nary, operand: &Expr) -> Option<Clause<'_>> {
    let ExprKind::Quantified(quantifier, binders, body) = &operand.kind else { return None };
    let ExprKind::Nary(Nary::Or, inner) = &body.kind else { return None };
    let names: Vec<&str> = binders.iter().flat_map(|binder| &binder.names).map(|name| &*name.text).collect();
    let independent = op == Nary::Or && !inner[1..].iter().any(|operand| mentions(operand, &names));
    independent.then_some((binders, inner, *quantifier))
}

/// True when one of the names occurs free.
fn mentions(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Number(_) => false,
        ExprKind::Name(name) => names.contains(&&**name),
        ExprKind::Field(inner, _) | ExprKind::Not(inner) => mentions(inner, names),
        ExprKind::Element(parts) | ExprKind::Binary(_, parts) => parts.iter().any(|part| mentions(part, names)),
        ExprKind::Apply(_, parts) | ExprKind::Nary(_, parts) => parts.iter().any(|part| mentions(part, names)),
        ExprKind::Quantified(_, binders, body) => {
            let hides = |name: &&str| {
                let mut hidden = binders.iter().flat_map(|binder| &binder.names);
                hidden.any(|bound: &Name| *bound.text == **name)
            };
            let visible: Vec<&str> = names.iter().copied().filter(|name| !hides(name)).collect();
            !visible.is_empty() && mentions(body, &visible)
        }
    }
}
