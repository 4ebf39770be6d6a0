//! What proofs are put together from.
//!
//! Premises that the search derives are numbered as they are derived; leaving a case frees the numbers used in it. A
//! [`Refutation`] is a proof that still needs some of them. When a case is closed, the derivations made within it and
//! needed by its proof become the first steps of that proof. So each stands once on every way through the tree, as high
//! as it can, and those that nobody needs disappear.

use std::collections::BTreeSet;

use crate::Int;
use crate::proof::{End, Premise, Proof, Rule, Step, Sum};

/// A constraint as the quotient of a premise and a number that is not 0. The number is negative only for equalities.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    pub(crate) premise: Premise,
    pub(crate) scale: Int,
}

impl Reason {
    pub(crate) fn exactly(premise: Premise) -> Self {
        Self { premise, scale: Int::ONE }
    }
}

/// Multiples of constraints by their reasons: the multiples of the premises, and what their sum is to be divided by.
pub(crate) fn combine<'a>(multiples: impl Iterator<Item = (&'a Reason, &'a Int)> + Clone) -> (Sum, Int) {
    let mut divisor = Int::ONE;
    for (reason, _) in multiples.clone() {
        divisor = divisor.lcm(&reason.scale);
    }
    let share = |(reason, multiple): (&Reason, &Int)| {
        (
            reason.premise,
            if divisor.is_one() && reason.scale.is_one() {
                multiple.clone()
            } else {
                multiple * &divisor.div_floor(&reason.scale)
            },
        )
    };
    (multiples.map(share).collect(), divisor)
}

/// The derivations on the way from the root to the case at hand, by number.
#[derive(Default)]
pub(crate) struct Derivations {
    /// None: an assumption.
    rules: Vec<Option<Rule>>,
}

impl Derivations {
    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.rules.truncate(len);
    }

    pub(crate) fn derive(&mut self, rule: Rule) -> Premise {
        Premise::Derived(self.add(Some(rule)))
    }

    /// Derives the sum of multiples of constraints, divided by a further number.
    pub(crate) fn combination<'a>(
        &mut self,
        multiples: impl Iterator<Item = (&'a Reason, &'a Int)> + Clone,
        divisor: &Int,
    ) -> Reason {
        let (sum, common) = combine(multiples);
        Reason::exactly(self.derive(Rule::Combination { sum, divisor: &common * divisor }))
    }

    /// The number of a new assumption.
    pub(crate) fn assume(&mut self) -> u32 {
        self.add(None)
    }

    fn add(&mut self, rule: Option<Rule>) -> u32 {
        let number = self.rules.len();
        self.rules.push(rule);
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

/// A proof, and the derived premises that it needs and does not derive itself.
#[derive(Debug)]
pub(crate) struct Refutation {
    proof: Proof,
    needs: BTreeSet<u32>,
}

impl Refutation {
    pub(crate) fn new(end: End) -> Self {
        let proof = Proof { steps: Vec::new(), end };
        let mut needs = BTreeSet::new();
        proof.visit(&mut |premise| {
            if let Premise::Derived(number) = premise {
                needs.insert(number);
            }
        });
        Self { proof, needs }
    }

    /// Multiples of constraints that add up to an absurdity.
    pub(crate) fn farkas<'a>(multiples: impl Iterator<Item = (&'a Reason, &'a Int)> + Clone) -> Self {
        Self::new(End::Farkas(combine(multiples).0))
    }

    /// The proof of a node whose children are refuted.
    pub(crate) fn branching(children: Vec<Self>, end: impl FnOnce(Vec<Proof>) -> End, of: Option<Premise>) -> Self {
        let mut needs = BTreeSet::new();
        if let Some(Premise::Derived(number)) = of {
            needs.insert(number);
        }
        let mut proofs = Vec::with_capacity(children.len());
        for child in children {
            needs.extend(child.needs);
            proofs.push(child.proof);
        }
        Self { proof: Proof { steps: Vec::new(), end: end(proofs) }, needs }
    }

    /// Closes the case that assumes premise `case`. True: the proof used the assumption.
    pub(crate) fn close(&mut self, case: u32, derivations: &Derivations) -> bool {
        self.derive_from(case + 1, derivations);
        self.needs.remove(&case)
    }

    /// The complete proof.
    pub(crate) fn finish(mut self, derivations: &Derivations) -> Proof {
        self.derive_from(0, derivations);
        self.proof
    }

    /// Adds the steps for what is needed and has a number from `first` on.
    fn derive_from(&mut self, first: u32, derivations: &Derivations) {
        let mut steps = Vec::new();
        while let Some(number) = self.needs.pop_last() {
            if number < first {
                self.needs.insert(number);
                break;
            }
            let rule = derivations.rules.get(number as usize).cloned().flatten();
            assert!(rule.is_some(), "what a proof needs is derived, or assumed in a case that is closed later");
            let Some(rule) = rule else { break };
            let premises = rule.premises().into_iter();
            self.needs.extend(premises.filter_map(|premise| match premise {
                Premise::Derived(number) => Some(number),
                Premise::Given(_) => None,
            }));
            steps.push(Step { derives: number, rule });
        }
        steps.reverse();
        steps.append(&mut self.proof.steps);
        self.proof.steps = steps;
    }
}
