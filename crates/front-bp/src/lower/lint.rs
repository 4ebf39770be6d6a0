//! What is allowed and perhaps not meant: looked for on request only.

use base::{Diagnostic, Span};
use program::interp::{Possible, Reader, possible_values};
use program::{Expr as Term, Program, Value, VariableId, When};

use super::Lowering;
use crate::syntax::Expr;

/// With more variables than this it is not found out what can hold together.
const MOST_READS: usize = 12;

impl Lowering<'_> {
    /// Tools differ about `schoose[p, n]` when both arguments hold, so it is better when they cannot.
    pub(super) fn lint_choose(&mut self, operands: &[Expr; 2], positive: &Term, negative: &Term) {
        if !self.options.lint || !can_hold_together(self.builder.program(), positive, negative) {
            return;
        }
        let warning = Diagnostic::warning("BP0061", "both arguments of `schoose` can hold at once");
        let warning = match operands.iter().filter_map(place).reduce(Span::to) {
            Some(place) => warning.at(place, "then the first one wins here, and elsewhere perhaps not"),
            None => warning,
        };
        self.report.push(warning.help("make them exclude each other: `schoose[p, !p & n]`"));
    }
}

/// From the first to the last name in an expression.
fn place(expr: &Expr) -> Option<Span> {
    let all = |operands: &[Expr]| operands.iter().filter_map(place).reduce(Span::to);
    match expr {
        Expr::Const(_) | Expr::Any => None,
        Expr::Name(name) | Expr::Primed(name) => Some(name.span),
        Expr::Not(operand) => place(operand),
        Expr::Nary(_, operands) => all(operands),
        Expr::Binary(_, operands) | Expr::Choose(operands) => all(operands.as_slice()),
        Expr::Conditional(operands) => all(operands.as_slice()),
    }
}

fn can_hold_together(program: &Program, left: &Term, right: &Term) -> bool {
    let mut reads = [left.reads(), right.reads()].concat();
    reads.sort_unstable();
    reads.dedup();
    if reads.len() > MOST_READS {
        return false;
    }
    let can_hold = |term: &Term, values: &Values<'_>| {
        possible_values(program, term, values).is_ok_and(|possible| possible.can_be_true())
    };
    (0..1 << reads.len())
        .map(|bits| Values { reads: &reads, bits })
        .any(|it| can_hold(left, &it) && can_hold(right, &it))
}

/// One value for each read: a bit.
struct Values<'a> {
    reads: &'a [(VariableId, When)],
    bits: u32,
}

impl Reader for Values<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        let at = self.reads.binary_search(&(variable, when));
        Possible::one(Value::Bool(at.is_ok_and(|at| self.bits >> at & 1 == 1)))
    }
}
