//! Proofs that a set of conditions has no integer solution, and their checker.
//!
//! A proof is a tree. A node first derives further premises, then ends: by a linear combination that is absurd, or by
//! cases, each with a proof of its own. The checker multiplies everything out again. It shares nothing with the search:
//! it uses numbers, forms and conditions, and no other module of this crate.
//!
//! Over the rationals one node without steps is enough (Farkas' lemma: Schrijver 1986, section 7.3): non-negative
//! multiples of the premises `e <= 0`, and any multiples of `e = 0`, add up to a positive constant. Over the integers,
//! combinations whose coefficients are integers may be rounded (Chvatal-Gomory cuts: section 23.1), and a form is at
//! most `k` or at least `k + 1`.

mod check;

use std::collections::BTreeSet;

use crate::{Int, Linear, Var};

pub(crate) use check::Scope;
pub use check::{Fault, check};

/// A condition that a proof may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Premise {
    /// One of the conditions that are refuted, by its place.
    Given(u32),
    /// One that the proof derives or assumes in a case. Its number is used once on every way through the tree.
    Derived(u32),
}

/// Multiples of premises, to be added up.
pub type Sum = Vec<(Premise, Int)>;

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Derivations, each from premises before it.
    pub steps: Vec<Step>,
    /// Why there is no solution.
    pub end: End,
}

/// A derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of the derived premise.
    pub derives: u32,
    /// How it is derived.
    pub rule: Rule,
}

/// What follows from premises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The sum divided by a positive number that divides all coefficients of variables. From equalities alone it is an
    /// equality, and the constant is divided, too; otherwise the constant is rounded up, as `e + c <= 0` allows.
    Combination {
        /// What is added up.
        sum: Sum,
        /// What it is divided by.
        divisor: Int,
    },
    /// `e = 0` from `e <= 0` and `-e <= 0`.
    Squeeze {
        /// `e <= 0`.
        at_most: Premise,
        /// `-e <= 0`.
        at_least: Premise,
    },
    /// A part of a conjunction.
    Part {
        /// The conjunction.
        of: Premise,
        /// The place of the part.
        place: usize,
    },
    /// A name for the quotient: `e - k q = 0` from `k | e`, and `1 <= e - k q <= k - 1` from its negation.
    Quotient {
        /// The statement on divisibility.
        of: Premise,
        /// A variable that occurs nowhere before.
        name: Var,
    },
}

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The sum is a constraint without variables that does not hold.
    Farkas(Sum),
    /// A sum of equalities whose coefficients the divisor divides, but not the constant.
    Indivisible {
        /// What is added up.
        sum: Sum,
        /// What does not divide the constant.
        divisor: Int,
    },
    /// The form is at most 0 or at least 1.
    Split {
        /// Any linear form.
        form: Linear,
        /// The number of the assumption in both cases.
        case: u32,
        /// Refutes `form <= 0`.
        at_most: Box<Proof>,
        /// Refutes `form >= 1`.
        at_least: Box<Proof>,
    },
    /// One part of a disjunction holds; of `e != 0`, that is `e <= -1` or `e >= 1`.
    Cases {
        /// The disjunction.
        of: Premise,
        /// The number of the assumption in all cases.
        case: u32,
        /// Refutes the parts, one by one.
        branches: Vec<Proof>,
    },
}

impl Proof {
    /// The given conditions that the proof uses: they have no solution.
    #[must_use]
    pub fn core(&self) -> Vec<u32> {
        let mut given = BTreeSet::new();
        self.visit(&mut |premise| {
            if let Premise::Given(place) = premise {
                given.insert(place);
            }
        });
        given.into_iter().collect()
    }

    /// Shows every use of a premise.
    pub fn visit(&self, see: &mut impl FnMut(Premise)) {
        self.steps.iter().for_each(|step| step.rule.premises().into_iter().for_each(&mut *see));
        match &self.end {
            End::Farkas(sum) | End::Indivisible { sum, .. } => sum.iter().for_each(|(premise, _)| see(*premise)),
            End::Split { at_most, at_least, .. } => {
                at_most.visit(see);
                at_least.visit(see);
            }
            End::Cases { of, branches, .. } => {
                see(*of);
                branches.iter().for_each(|branch| branch.visit(see));
            }
        }
    }

    /// True if one linear combination refutes the premises: no rounding, no cases.
    #[must_use]
    pub fn is_farkas(&self) -> bool {
        self.steps.is_empty() && matches!(self.end, End::Farkas(_))
    }

    /// The number of nodes of the tree.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        1 + match &self.end {
            End::Farkas(_) | End::Indivisible { .. } => 0,
            End::Split { at_most, at_least, .. } => at_most.n_nodes() + at_least.n_nodes(),
            End::Cases { branches, .. } => branches.iter().map(Self::n_nodes).sum(),
        }
    }
}

impl Rule {
    /// The premises that are used.
    #[must_use]
    pub fn premises(&self) -> Vec<Premise> {
        match self {
            Self::Combination { sum, .. } => sum.iter().map(|(premise, _)| *premise).collect(),
            Self::Squeeze { at_most, at_least } => vec![*at_most, *at_least],
            Self::Part { of, .. } | Self::Quotient { of, .. } => vec![*of],
        }
    }
}
