//! Expressions on one line, with as few parentheses as keep their structure.

use crate::fp::syntax::{Binary, Binder, Expr, ExprKind, Nary, Quantifier, SortExpr};

/// How tightly the outermost operator of an expression binds.
pub(super) fn level(expr: &Expr) -> u32 {
    match &expr.kind {
        ExprKind::Binary(op, _) => op.level(),
        ExprKind::Nary(op, _) => op.level(),
        _ => 8,
    }
}

/// True when an expression needs parentheses where at least the given level is wanted. `tail`: nothing follows it, so
/// that a quantifier may reach to the end.
pub(super) fn needs_parentheses(expr: &Expr, least: u32, tail: bool) -> bool {
    level(expr) < least || (!tail && matches!(expr.kind, ExprKind::Quantified(..)))
}

/// The text of an expression if it is not longer than `room`; with parentheses for readers if wanted.
pub(super) fn fitting(expr: &Expr, room: usize, courtesy: bool, (least, tail): (u32, bool)) -> Option<String> {
    let mut out = String::new();
    let mut flat = Flat { out: &mut out, limit: room, courtesy };
    flat.expr(expr, least, tail);
    let fits = flat.fits();
    fits.then_some(out)
}

/// The height of an expression's tree.
pub(super) fn height(expr: &Expr) -> u32 {
    let tallest = |parts: &[Expr]| parts.iter().map(height).max().unwrap_or(0);
    1 + match &expr.kind {
        ExprKind::Const(_) | ExprKind::Number(_) | ExprKind::Name(_) => 0,
        ExprKind::Field(inner, _) | ExprKind::Not(inner) | ExprKind::Quantified(_, _, inner) => height(inner),
        ExprKind::Element(parts) | ExprKind::Binary(_, parts) => tallest(parts.as_slice()),
        ExprKind::Apply(_, parts) | ExprKind::Nary(_, parts) => tallest(parts),
    }
}

/// Writes until it is clear that the text is too long.
pub(super) struct Flat<'o> {
    out: &'o mut String,
    limit: usize,
    /// Parentheses show how far quantifiers reach.
    courtesy: bool,
}

impl<'o> Flat<'o> {
    pub(super) fn unlimited(out: &'o mut String) -> Self {
        Self { out, limit: usize::MAX, courtesy: true }
    }

    fn fits(&self) -> bool {
        self.out.len() <= self.limit
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn expr(&mut self, expr: &Expr, least: u32, tail: bool) {
        if !self.fits() {
            return;
        }
        if needs_parentheses(expr, least, tail) {
            self.push("(");
            self.bare(expr, true);
            self.push(")");
        } else {
            self.bare(expr, tail);
        }
    }

    fn bare(&mut self, expr: &Expr, tail: bool) {
        match &expr.kind {
            ExprKind::Const(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Number(value) => self.push(&value.to_string()),
            ExprKind::Name(name) => self.push(name),
            ExprKind::Field(of, field) => {
                self.expr(of, 8, false);
                self.push(".");
                self.push(&field.text);
            }
            ExprKind::Element(parts) => {
                self.expr(&parts[0], 8, false);
                self.push("[");
                self.expr(&parts[1], Binary::Add.level(), true);
                self.push("]");
            }
            ExprKind::Apply(name, arguments) => {
                self.push(&name.text);
                self.push("(");
                self.list(arguments, |flat, argument| flat.expr(argument, 0, true));
                self.push(")");
            }
            ExprKind::Not(inner) => {
                self.push("!");
                self.expr(inner, 8, tail);
            }
            ExprKind::Nary(op, operands) => self.nary(*op, operands, tail),
            ExprKind::Binary(op, operands) => self.binary(*op, operands, tail),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantifier(*quantifier, binders);
                self.push(" ");
                let shown = self.courtesy && matches!(body.kind, ExprKind::Nary(Nary::Or, _));
                self.expr(body, if shown { 4 } else { 0 }, true);
            }
        }
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    fn nary(&mut self, op: Nary, operands: &[Expr], tail: bool) {
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.push(" ");
                self.push(op.text());
                self.push(" ");
            }
            self.expr(operand, op.level() + 1, tail && at + 1 == operands.len());
        }
    }

    fn binary(&mut self, op: Binary, [left, right]: &[Expr; 2], tail: bool) {
        let (left_least, right_least) = operand_levels(op);
        self.expr(left, left_least, false);
        self.push(" ");
        self.push(op.text());
        self.push(" ");
        self.expr(right, right_least, tail);
    }

    /// `exists x: S, y: T.`
    pub(super) fn quantifier(&mut self, quantifier: Quantifier, binders: &[Binder]) {
        self.push(if quantifier == Quantifier::Exists { "exists " } else { "forall " });
        self.list(binders, Self::binder);
        self.push(".");
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        self.list(&binder.names, |flat, name| flat.push(&name.text));
        self.push(": ");
        self.sort(&binder.sort, false);
    }

    /// A sort; a range has parentheses where brackets follow.
    pub(super) fn sort(&mut self, sort: &SortExpr, brackets_follow: bool) {
        match sort {
            SortExpr::Name(name) => self.push(&name.text),
            SortExpr::Range(bounds, _) => {
                self.push(if brackets_follow { "(" } else { "" });
                self.range(bounds);
                self.push(if brackets_follow { ")" } else { "" });
            }
            SortExpr::Array(element, bounds, _) => {
                self.sort(element, true);
                self.push("[");
                self.range(bounds);
                self.push("]");
            }
        }
    }

    fn range(&mut self, [low, high]: &[Expr; 2]) {
        self.expr(low, Binary::Add.level(), false);
        self.push("..");
        self.expr(high, Binary::Add.level(), false);
    }
}

/// The loosest operators that the operands may have without parentheses.
pub(super) fn operand_levels(op: Binary) -> (u32, u32) {
    let level = op.level();
    match op {
        Binary::Implies => (level + 1, level),
        Binary::Iff | Binary::Add | Binary::Subtract | Binary::Multiply => (level, level + 1),
        _ => (level + 1, level + 1),
    }
}
