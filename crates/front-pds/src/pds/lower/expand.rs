//! Conditions without quantifiers, as expressions of the model.

use base::{Diagnostic, Span};
use program::{Expr, NaryOp};
use question::term::{self, Array, Order, Term, TooWide};

use super::super::syntax::{Comparison, Connective, Operator};
use super::Lowering;
use super::resolve::{Condition, Number, Read};
use crate::allowance::Spent;

/// A condition grows to at most so many parts when its quantifiers are expanded.
const MOST_PARTS: usize = 2_000_000;

/// A term has at most so many nodes. Building one copies its operands at every level, so that this bounds the time too.
const MOST_TERM_NODES: usize = 100_000;

/// The terms of a condition have at most so many nodes together.
const MOST_NODES: usize = 10_000_000;

/// Why there is no expression for a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfit {
    /// Its values need more bits than there are.
    TooWide,
    /// It needs too many nodes.
    TooLarge,
}

impl From<TooWide> for Unfit {
    fn from(_: TooWide) -> Self {
        Self::TooWide
    }
}

/// Values of the enclosing quantifiers, and what has been used up.
#[derive(Debug, Default)]
pub(super) struct Instance {
    pub(super) slots: Vec<i128>,
    n_parts: usize,
    n_nodes: usize,
    /// An error has been reported: one is enough for a condition.
    failed: bool,
}

impl Lowering<'_> {
    /// Counts a part; false when there are too many.
    pub(super) fn afford(&mut self, span: Span, instance: &mut Instance) -> bool {
        let spent = self.allowance.spend(&mut instance.n_parts, MOST_PARTS);
        let is_well = spent == Spent::Well;
        if let (Spent::TooMuch(what), false) = (spent, instance.failed) {
            self.report.push(
                Diagnostic::error("PD0039", "the quantifiers of this condition stand for too many cases")
                    .at(span, what)
                    .help("make the ranges smaller, or the quantified part"),
            );
        }
        instance.failed |= !is_well;
        !instance.failed
    }

    /// Counts the nodes of the terms of a part, even if they turn out not to matter; false when there are too many.
    pub(super) fn afford_nodes(&mut self, n_nodes: usize, span: Span, instance: &mut Instance) -> bool {
        instance.n_nodes += n_nodes;
        if instance.n_nodes > MOST_NODES {
            self.unfit(Unfit::TooLarge, span, instance);
        }
        !instance.failed
    }

    /// A condition as an expression; false after an error.
    pub(super) fn expand(&mut self, condition: &Condition, instance: &mut Instance) -> Expr {
        match condition {
            Condition::Flag(read, index, span) => self.expand_flag(*read, index.as_deref(), *span, instance),
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
                if *all { Expr::all_of(operands) } else { Expr::any_of(operands) }
            }
            Condition::Wrong => Expr::FALSE,
        }
    }

    fn expand_flag(&mut self, read: Read, index: Option<&Number>, span: Span, instance: &mut Instance) -> Expr {
        let expr = Expr::Read(read.variable, read.when);
        let Some((index, (first, n))) = index.zip(read.shape.array) else { return expr };
        if !self.afford(span, instance) {
            return Expr::FALSE;
        }
        let array = Array { array: expr, first: i128::from(first), n };
        let flag = number(index, &instance.slots).and_then(|index| Ok((index.n_nodes(), index.flag(array)?)));
        self.expanded(flag, span, instance)
    }

    /// What a part has become, given the number of nodes of its terms; false after an error.
    fn expanded(&mut self, part: Result<(usize, Expr), Unfit>, span: Span, instance: &mut Instance) -> Expr {
        match part {
            Ok((n_nodes, expr)) if self.afford_nodes(n_nodes, span, instance) => expr,
            Ok(_) => Expr::FALSE,
            Err(unfit) => {
                self.unfit(unfit, span, instance);
                Expr::FALSE
            }
        }
    }

    fn expand_compare(&mut self, op: Comparison, operands: &[Number; 2], span: Span, instance: &mut Instance) -> Expr {
        if !self.afford(span, instance) {
            return Expr::FALSE;
        }
        let compared = operands_of(operands, &instance.slots).and_then(|terms| {
            let expr = compare(op, &terms)?;
            if expr == Expr::FALSE && instance.slots.is_empty() {
                self.never_true(span, &terms);
            }
            Ok((terms.iter().map(Term::n_nodes).sum(), expr))
        });
        self.expanded(compared, span, instance)
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

    /// Reports that there is no expression for a term.
    pub(super) fn unfit(&mut self, unfit: Unfit, span: Span, instance: &mut Instance) {
        if std::mem::replace(&mut instance.failed, true) {
            return;
        }
        let has_shift = self.source.slice(span).contains("<<");
        let (code, message, help) = match unfit {
            Unfit::TooWide if has_shift => ("PD0040", TOO_WIDE, "make the variables narrower, or the shift smaller"),
            Unfit::TooWide => ("PD0040", TOO_WIDE, "make the variables narrower"),
            Unfit::TooLarge => ("PD0044", TOO_LARGE, "keep what stands inside in a variable, by a rule of its own"),
        };
        self.report.push(Diagnostic::error(code, message).at(span, "too large").help(help));
    }
}

const TOO_WIDE: &str = "the values of this term may need more than 64 bits";
const TOO_LARGE: &str = "the terms of this condition are too large when they are written out";

/// The term, unless it has too many nodes.
fn of_sane_size(term: Term) -> Result<Term, Unfit> {
    if term.n_nodes() > MOST_TERM_NODES { Err(Unfit::TooLarge) } else { Ok(term) }
}

fn operands_of(operands: &[Number; 2], slots: &[i128]) -> Result<[Term; 2], Unfit> {
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
pub(super) fn number(number: &Number, slots: &[i128]) -> Result<Term, Unfit> {
    match number {
        Number::Constant(value) => Ok(Term::constant(*value)?),
        Number::Slot(slot) => Ok(Term::constant(slots.get(*slot).copied().unwrap_or(0))?),
        Number::Read(read, index) => {
            let expr = Expr::Read(read.variable, read.when);
            let width = read.shape.bits.unwrap_or(1);
            match (index, read.shape.array) {
                (Some(index), Some((first, n))) => {
                    let array = Array { array: expr, first: i128::from(first), n };
                    let index = self::number(index, slots)?;
                    of_sane_size(index.element(array, |element| Term::unsigned(element, width))?)
                }
                _ => Ok(Term::unsigned(expr, width)),
            }
        }
        Number::Chain(operands) => {
            let mut operands = operands.iter();
            let Some((_, first)) = operands.next() else { return Ok(Term::constant(0)?) };
            let mut result = self::number(first, slots)?;
            for (op, operand) in operands {
                let operand = self::number(operand, slots)?;
                let next = match op {
                    Operator::Plus => result.plus(&operand)?,
                    Operator::Minus => result.minus(&operand)?,
                    Operator::Times => result.times(&operand)?,
                    Operator::Divide => result.divided_by(&operand)?,
                    Operator::Shift => result.shifted_left(&operand)?,
                };
                result = of_sane_size(next)?;
            }
            Ok(result)
        }
    }
}

fn chain(connective: Connective, operands: Vec<Expr>) -> Expr {
    match connective {
        Connective::And => Expr::all_of(operands),
        Connective::Or => Expr::any_of(operands),
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
