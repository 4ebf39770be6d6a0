//! Choices of a clause under construction, and how many clauses they come to.
//!
//! Taken apart, a conjunction of disjunctions has as many clauses as the product of their widths, and a chain of
//! equivalences twice as many for each of its members. So the number is worked out before anything is taken apart.

use crate::system::Formula;

/// A conjunction of formulae, each as it is or negated.
pub(super) type Way<'f> = Vec<(&'f Formula, bool)>;

/// A disjunction, a negated conjunction or an equivalence that is still to be taken apart.
#[derive(Clone)]
pub(super) struct Choice<'f> {
    /// What there is to choose from.
    pub(super) ways: Vec<Way<'f>>,
    formula: &'f Formula,
    positive: bool,
}

impl<'f> Choice<'f> {
    /// One of these, all of them as they are or all negated; together they are the formula, or its opposite.
    pub(super) fn of(formula: &'f Formula, parts: &'f [Formula], positive: bool) -> Self {
        Self { ways: parts.iter().map(|part| vec![(part, positive)]).collect(), formula, positive }
    }

    /// Both or neither; negated: one without the other.
    pub(super) fn equivalence(formula: &'f Formula, a: &'f Formula, b: &'f Formula, positive: bool) -> Self {
        let ways = [true, false].map(|sign| vec![(a, sign), (b, sign == positive)]);
        Self { ways: ways.to_vec(), formula, positive }
    }

    /// The formula that is chosen from, without a negation around it: what it stands for can then be used positively.
    pub(super) fn formula(&self) -> Formula {
        let negation = |formula: &Formula| Formula::Not(Box::new(formula.clone()));
        match self.formula {
            formula if self.positive => formula.clone(),
            Formula::And(parts) => Formula::Or(parts.iter().map(negation).collect()),
            Formula::Iff(a, b) => Formula::Iff(Box::new(negation(a)), b.clone()),
            other => negation(other),
        }
    }

    /// How many clauses it comes to when everything in it is taken apart.
    pub(super) fn n_clauses(&self) -> usize {
        let Numbers { positive, negative } = numbers(self.formula);
        if self.positive { positive } else { negative }
    }
}

/// How many clauses a formula and its opposite come to.
#[derive(Clone, Copy)]
struct Numbers {
    positive: usize,
    negative: usize,
}

/// How many clauses a formula comes to when everything in it is taken apart: an upper bound, because equalities with
/// constants contradict each other in many of them.
pub(super) fn n_clauses(formula: &Formula) -> usize {
    numbers(formula).positive
}

fn numbers(formula: &Formula) -> Numbers {
    let one = Numbers { positive: 1, negative: 1 };
    match formula {
        Formula::Const(_) | Formula::Apply(..) | Formula::Equal(..) | Formula::Less(..) | Formula::Cofactor(..) => one,
        Formula::Not(inner) => opposite(numbers(inner)),
        Formula::And(parts) => all(parts.iter().map(numbers)),
        Formula::Or(parts) => opposite(all(parts.iter().map(|part| opposite(numbers(part))))),
        Formula::Iff(a, b) => {
            let (a, b) = (numbers(a), numbers(b));
            let both = |x: usize, y: usize| x.saturating_mul(y);
            Numbers {
                positive: both(a.positive, b.positive).saturating_add(both(a.negative, b.negative)),
                negative: both(a.positive, b.negative).saturating_add(both(a.negative, b.positive)),
            }
        }
        // The other one becomes a view.
        Formula::Exists(_, body) => Numbers { negative: 1, ..numbers(body) },
        Formula::Forall(_, body) => Numbers { positive: 1, ..numbers(body) },
    }
}

fn opposite(Numbers { positive, negative }: Numbers) -> Numbers {
    Numbers { positive: negative, negative: positive }
}

/// Of a conjunction.
fn all(parts: impl Iterator<Item = Numbers>) -> Numbers {
    parts.fold(Numbers { positive: 1, negative: 0 }, |sum, part| Numbers {
        positive: sum.positive.saturating_mul(part.positive),
        negative: sum.negative.saturating_add(part.negative),
    })
}
