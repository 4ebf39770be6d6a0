//! Questions: one at a time, or many related ones.

use base::{Budget, StopReason};

use crate::Model;
use crate::constraint::{Constraint, Formula, Relation};
use crate::presolve::Presolved;
use crate::proof::{Premise, Proof};
use crate::solver::{Bounds, Found, Refutation, State};

/// Whether conditions have a common integer solution.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Answer {
    /// A solution; it was evaluated.
    Sat(Model),
    /// There is none. The proof is for [`crate::proof::check`]; [`Proof::core`] is an unsatisfiable subset.
    Unsat(Proof),
    /// A limit was reached.
    Unknown(StopReason),
}

impl Answer {
    /// True if there is a solution.
    #[must_use]
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    /// True if there is none.
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat(_))
    }
}

/// Looks for a common solution of all conditions.
///
/// Premises of a proof are places in the slice.
pub fn solve(conditions: &[Formula], budget: &Budget) -> Answer {
    let (presolved, rest) = Presolved::new(conditions);
    let mut context = Context::new();
    let ids: Vec<Condition> = rest.into_iter().map(|condition| context.add(condition)).collect();
    match context.check(&ids, budget) {
        Answer::Sat(mut model) => {
            presolved.complete_model(&mut model);
            assert!(conditions.iter().all(|condition| condition.holds(&model)), "a model satisfies all conditions");
            Answer::Sat(model)
        }
        Answer::Unsat(proof) => {
            let proof = presolved.complete_proof(conditions, proof);
            assert!(proof.is_ok(), "a proof about what is left of conditions is one about the conditions");
            proof.map_or(Answer::Unknown(StopReason::Depth), Answer::Unsat)
        }
        unknown @ Answer::Unknown(_) => unknown,
    }
}

/// Whether the conditions imply another one. Sat: they do not, and the model shows it. In a proof, the negated
/// conclusion is the last premise.
pub fn entails(conditions: &[Formula], conclusion: &Formula, budget: &Budget) -> Answer {
    let refuted: Vec<Formula> = conditions.iter().cloned().chain([conclusion.negated()]).collect();
    solve(&refuted, budget)
}

/// Whether two conditions hold in the same places. Sat: they differ in the model. The proof, if there is one, refutes
/// `a and not b` or `not a and b`.
pub fn equivalent(a: &Formula, b: &Formula, budget: &Budget) -> Answer {
    let differ =
        Formula::Any(vec![Formula::All(vec![a.clone(), b.negated()]), Formula::All(vec![a.negated(), b.clone()])]);
    solve(&[differ], budget)
}

base::define_ids! {
    /// A condition that a context knows.
    Condition,
}

/// Many related questions: conditions are prepared once, then asserted or assumed in any combination.
///
/// Asserted conditions hold until the matching [`Context::pop`]; assumed ones hold in one question. The rows of the
/// simplex tableau stay from question to question, so a question costs as much as it differs from the one before.
#[derive(Default)]
pub struct Context {
    conditions: Vec<Formula>,
    prepared: Vec<Option<Bounds>>,
    state: State,
    asserted: Vec<Condition>,
    /// How many conditions were asserted before each open level.
    levels: Vec<usize>,
    /// A refutation found while asserting, and the level at which it was.
    absurd: Option<(usize, Proof)>,
}

impl Context {
    /// A context without conditions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a condition known, without asserting it. Given premises of proofs are numbered as conditions are.
    pub fn add(&mut self, condition: impl Into<Formula>) -> Condition {
        let condition = condition.into();
        let prepared = match &condition {
            Formula::Constraint(constraint @ Constraint { relation: Relation::AtMost | Relation::Equal, .. }) => {
                Some(self.state.bounds(constraint))
            }
            _ => None,
        };
        self.prepared.push(prepared);
        self.conditions.push(condition);
        Condition((self.conditions.len() - 1) as u32)
    }

    /// All known conditions, by number: what proofs are checked against.
    #[must_use]
    pub fn conditions(&self) -> &[Formula] {
        &self.conditions
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.asserted.len());
        self.state.push();
    }

    /// Closes the last level: what was asserted in it no longer holds.
    pub fn pop(&mut self) {
        let Some(n_asserted) = self.levels.pop() else { return };
        self.asserted.truncate(n_asserted);
        self.state.pop();
        if self.absurd.as_ref().is_some_and(|(level, _)| *level > self.levels.len()) {
            self.absurd = None;
        }
    }

    /// Asserts a condition in the present level.
    pub fn assert(&mut self, condition: Condition) {
        self.asserted.push(condition);
        if let Err(refutation) = self.impose(condition)
            && self.absurd.is_none()
        {
            self.absurd = Some((self.levels.len(), self.state.finish(refutation)));
        }
    }

    /// Looks for a solution of all that is asserted, and of some assumptions.
    pub fn check(&mut self, assumptions: &[Condition], budget: &Budget) -> Answer {
        if let Some((_, proof)) = &self.absurd {
            return Answer::Unsat(proof.clone());
        }
        let level = self.state.n_levels();
        self.state.push();
        let answer = self.answer(assumptions, budget);
        self.state.pop_to(level);
        answer
    }

    fn answer(&mut self, assumptions: &[Condition], budget: &Budget) -> Answer {
        let refuted = assumptions.iter().try_for_each(|condition| self.impose(*condition));
        let found = match refuted {
            Ok(()) => self.state.search(budget),
            Err(refutation) => Ok(Found::Refuted(refutation)),
        };
        match found {
            Ok(Found::Model(model)) => {
                let holds = |condition: &Condition| self.conditions[condition.0 as usize].holds(&model);
                assert!(self.asserted.iter().chain(assumptions).all(holds), "a model satisfies all conditions");
                Answer::Sat(model)
            }
            Ok(Found::Refuted(refutation)) => Answer::Unsat(self.state.finish(refutation)),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn impose(&mut self, condition: Condition) -> Result<(), Refutation> {
        let premise = Premise::Given(condition.0);
        match &self.prepared[condition.0 as usize] {
            Some(bounds) => self.state.assert_bounds(premise, bounds),
            None => self.state.assert(premise, &self.conditions[condition.0 as usize]),
        }
    }
}
