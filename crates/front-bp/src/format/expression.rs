//! Expressions, with as few parentheses as keep their structure.

use super::Printer;
use crate::syntax::{Binary, Expr, Name, Nary};

/// How tightly the outermost operator of an expression binds; the loosest is 0.
fn level(expr: &Expr) -> u32 {
    match expr {
        Expr::Conditional(_) => 0,
        Expr::Binary(Binary::Implies, _) => 1,
        Expr::Binary(Binary::Iff, _) => 2,
        Expr::Nary(Nary::Or, _) => 3,
        Expr::Nary(Nary::Xor, _) => 4,
        Expr::Nary(Nary::And, _) => 5,
        Expr::Binary(Binary::Equal | Binary::NotEqual, _) => 6,
        Expr::Not(_) | Expr::Const(_) | Expr::Name(_) | Expr::Primed(_) | Expr::Any | Expr::Choose(_) => 7,
    }
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(value) => self.out.push(if *value { '1' } else { '0' }),
            Expr::Name(name) => self.variable_or_constant(*name),
            Expr::Primed(name) => {
                self.out.push('\'');
                self.name(*name);
            }
            Expr::Any => self.out.push('*'),
            Expr::Not(operand) => {
                self.out.push('!');
                self.operand(operand, 7);
            }
            Expr::Nary(op, operands) => self.nary(*op, operands, level(expr) + 1),
            Expr::Binary(op, operands) => self.binary(*op, operands, level(expr)),
            Expr::Conditional(operands) => self.conditional(operands),
            Expr::Choose(operands) => {
                self.out.push_str("schoose[");
                self.list(operands.as_slice(), Self::expr);
                self.out.push(']');
            }
        }
    }

    /// In parentheses if it binds more loosely than its place allows.
    fn operand(&mut self, expr: &Expr, least: u32) {
        let parentheses = level(expr) < least;
        if parentheses {
            self.out.push('(');
        }
        self.expr(expr);
        if parentheses {
            self.out.push(')');
        }
    }

    /// Unless a variable of that name is declared somewhere, `T` and `F` are constants like the others.
    fn variable_or_constant(&mut self, name: Name) {
        match self.tree.names.text(name.symbol) {
            "T" if !self.tree.hides_constants => self.out.push('1'),
            "F" if !self.tree.hides_constants => self.out.push('0'),
            text => self.out.push_str(text),
        }
    }

    fn nary(&mut self, op: Nary, operands: &[Expr], least: u32) {
        let operator = match op {
            Nary::Or => " | ",
            Nary::Xor => " ^ ",
            Nary::And => " & ",
        };
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.out.push_str(operator);
            }
            self.operand(operand, least);
        }
    }

    fn binary(&mut self, op: Binary, [left, right]: &[Expr; 2], level: u32) {
        let (operator, left_least, right_least) = match op {
            Binary::Implies => (" => ", level + 1, level),
            Binary::Iff => (" <=> ", level, level + 1),
            Binary::Equal => (" = ", level, level + 1),
            Binary::NotEqual => (" != ", level, level + 1),
        };
        self.operand(left, left_least);
        self.out.push_str(operator);
        self.operand(right, right_least);
    }

    fn conditional(&mut self, [condition, then, otherwise]: &[Expr; 3]) {
        self.operand(condition, 7);
        self.out.push_str(" ? ");
        self.expr(then);
        self.out.push_str(" : ");
        // `c ? a : d ? b : e` is a chain.
        let least = if matches!(otherwise, Expr::Conditional(_)) { 0 } else { 7 };
        self.operand(otherwise, least);
    }
}
