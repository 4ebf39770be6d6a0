//! Conditions without quantifiers, as expressions of the model.

use base::{Diagnostic, Span};
use program::{Expr, NaryOp};

use super::super::syntax::{Comparison, Connective, Operator};
use super::Lowering;
use super::resolve::{Condition, Number, Read};
use crate::term::{self, Array, Order, Term, TooWide};

/// A condition grows to at most so many parts when its quantifiers are expanded.
const MOST_PARTS: usize = 2_000_000;

/// Values of the enclosing quantifiers, and what has been used up.
#[derive(Debug, Default)]
pub(super) struct Instance {
    pub(super) slots: Vec<i128>,
    n_parts: usize,
    /// An error has been reported: one is enough for a condition.
    failed: bool,
}

impl Lowering<'_> {
    /// Counts a part; false when there are too many.
    pub(super) fn afford(&mut self, span: Span, instance: &mut Instance) -> bool {
        instance.n_parts += 1;
        if instance.n_parts > MOST_PARTS && !instance.failed {
            instance.failed = true;
            self.report.push(
                Diagnostic::error("PD0039", "the quantifiers of this condition stand for too many cases")
                    .at(span, format!("more than {MOST_PARTS} parts"))
                    .help("make the ranges smaller, or the quantified part"),
            );
        }
        !instance.failed
    }

    /// A condition as an expression; false after an error.
    pub(super) fn expand(&mut self, condition: &Condition, instance: &mut Instance) -> Expr {
        match condition {
            Condition::Flag(read, index) => self.expand_flag(*read, index.as_deref(), instance).unwrap_or(Expr::FALSE),
            Condition::Compare(op, operands, span) => self.expand_compare(*op, operands, *span, instance),
            Condition::Not(inner) => self.expand(inner, instance).not(),
            Condition::Chain(connective, operands) => {
                let operands: Vec<Expr> = operands.iter().map(|operand| self.expand(operand, instance)).collect();
                chain(*connective, operands)
            }
            Condition::Quantified { all, from, to, body, span } => {
                let mut operands = Vec::new();
                for value in *from..=*to {
                    if !self.afford(*span, instance) {
                        break;
                    }
                    instance.slots.push(value);
                    operands.push(self.expand(body, instance));
                    instance.slots.pop();
                }
                if *all { term::and(operands) } else { term::or(operands) }
            }
            Condition::Wrong => Expr::FALSE,
        }
    }

    fn expand_flag(&mut self, read: Read, index: Option<&Number>, instance: &mut Instance) -> Result<Expr, TooWide> {
        let expr = Expr::Read(read.variable, read.when);
        let Some((index, (first, n))) = index.zip(read.shape.array) else { return Ok(expr) };
        let array = Array { array: expr, first: i128::from(first), n };
        instance.n_parts += 1;
        number(index, &instance.slots)?.flag(array)
    }

    fn expand_compare(&mut self, op: Comparison, operands: &[Number; 2], span: Span, instance: &mut Instance) -> Expr {
        if !self.afford(span, instance) {
            return Expr::FALSE;
        }
        let compared = operands_of(operands, &instance.slots).and_then(|terms| Ok((compare(op, &terms)?, terms)));
        match compared {
            Ok((expr, terms)) => {
                if expr == Expr::FALSE && instance.slots.is_empty() {
                    self.never_true(span, &terms);
                }
                expr
            }
            Err(TooWide) => {
                self.too_wide(span, instance);
                Expr::FALSE
            }
        }
    }

    fn never_true(&mut self, span: Span, terms: &[Term; 2]) {
        if terms.iter().any(|term| term.defined() == Expr::FALSE) {
            self.report.push(
                Diagnostic::warning("PD0052", "an index is always out of range, or a divisor always zero")
                    .at(span, "this comparison is never true"),
            );
        } else if !terms.iter().all(|term| term.as_constant().is_some()) {
            self.report.push(
                Diagnostic::warning("PD0051", "this comparison is never true")
                    .at(span, "no values of these widths satisfy it")
                    .help("a value that does not fit its variable has no successor"),
            );
        }
    }

    pub(super) fn too_wide(&mut self, span: Span, instance: &mut Instance) {
        if !std::mem::replace(&mut instance.failed, true) {
            self.report.push(
                Diagnostic::error("PD0040", "the values of this term may need more than 64 bits")
                    .at(span, "too large")
                    .help("make the variables narrower, or the shift smaller"),
            );
        }
    }
}

fn operands_of(operands: &[Number; 2], slots: &[i128]) -> Result<[Term; 2], TooWide> {
    Ok([number(&operands[0], slots)?, number(&operands[1], slots)?])
}

fn compare(op: Comparison, [left, right]: &[Term; 2]) -> Result<Expr, TooWide> {
    match op {
        Comparison::Less => term::compare(Order::Less, left, right),
        Comparison::LessEqual => term::compare(Order::LessEqual, left, right),
        Comparison::Equal => term::compare(Order::Equal, left, right),
        Comparison::NotEqual => term::compare(Order::NotEqual, left, right),
        Comparison::GreaterEqual => term::compare(Order::LessEqual, right, left),
        Comparison::Greater => term::compare(Order::Less, right, left),
    }
}

/// An integer expression as a term.
pub(super) fn number(number: &Number, slots: &[i128]) -> Result<Term, TooWide> {
    match number {
        Number::Constant(value) => Term::constant(*value),
        Number::Slot(slot) => Term::constant(slots.get(*slot).copied().unwrap_or(0)),
        Number::Read(read, index) => {
            let expr = Expr::Read(read.variable, read.when);
            let width = read.shape.bits.unwrap_or(1);
            match (index, read.shape.array) {
                (Some(index), Some((first, n))) => {
                    let array = Array { array: expr, first: i128::from(first), n };
                    self::number(index, slots)?.element(array, |element| Term::unsigned(element, width))
                }
                _ => Ok(Term::unsigned(expr, width)),
            }
        }
        Number::Chain(operands) => {
            let mut operands = operands.iter();
            let Some((_, first)) = operands.next() else { return Term::constant(0) };
            let mut result = self::number(first, slots)?;
            for (op, operand) in operands {
                let operand = self::number(operand, slots)?;
                result = match op {
                    Operator::Plus => result.plus(&operand)?,
                    Operator::Minus => result.minus(&operand)?,
                    Operator::Times => result.times(&operand)?,
                    Operator::Divide => result.divided_by(&operand)?,
                    Operator::Shift => result.shifted_left(&operand)?,
                };
            }
            Ok(result)
        }
    }
}

fn chain(connective: Connective, operands: Vec<Expr>) -> Expr {
    match connective {
        Connective::And => term::and(operands),
        Connective::Or => term::or(operands),
        Connective::Xor => Expr::Nary(NaryOp::Xor, operands),
        // Equivalence is the negation of exclusive or, once for every operator.
        Connective::Iff => {
            let negated = operands.len().is_multiple_of(2);
            match <[Expr; 2]>::try_from(operands) {
                Ok([left, right]) => left.eq(right),
                Err(operands) => {
                    let parity = Expr::Nary(NaryOp::Xor, operands);
                    if negated { parity.not() } else { parity }
                }
            }
        }
    }
}
