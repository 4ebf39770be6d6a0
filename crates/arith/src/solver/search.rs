//! Conditions that are no conjunctions of bounds, by cases.
//!
//! The search is guided by models: only what the model at hand violates is looked at. A disjunction, or `e != 0`, is
//! split; a statement on divisibility gets a name for its quotient. If the proof of a case does not use the assumption
//! of the case, it refutes everything, and the other cases are not looked at.

use base::{Budget, StopReason};

use super::Found;
use super::state::State;
use crate::constraint::{Constraint, Formula, Relation};
use crate::proof::{End, Premise, Rule};
use crate::{Int, Linear, Model};

/// Splits nest at most so deeply: searching and checking are recursive.
const MAX_DEPTH: usize = 1_000;

impl State {
    /// A model of all that is asserted, or a proof that there is none.
    pub(crate) fn search(&mut self, budget: &Budget) -> Result<Found, StopReason> {
        loop {
            budget.step()?;
            let model = match self.integers(budget)? {
                Found::Model(model) => model,
                refuted @ Found::Refuted(_) => return Ok(refuted),
            };
            let Some(place) = self.violated(&model) else { return Ok(Found::Model(model)) };
            self.expanded.push(place);
            let (premise, formula) = self.waiting[place].clone();
            let named = match &formula {
                Formula::Divides(divisor, form) | Formula::Indivisible(divisor, form) => {
                    self.name_quotient(premise, &formula, divisor, form)
                }
                _ => return self.cases(premise, &cases_of(&formula), budget),
            };
            if let Err(refutation) = named {
                return Ok(Found::Refuted(refutation));
            }
        }
    }

    /// The place of the condition with the fewest cases that is false in a model. Where a case is asserted already, it
    /// is the case that is looked at.
    fn violated(&self, model: &Model) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate().filter(|(place, _)| !self.expanded.contains(place));
        let violated = waiting.filter(|(_, (_, formula))| !formula.holds(model));
        violated.min_by_key(|(_, (_, formula))| n_cases(formula)).map(|(place, _)| place)
    }

    fn name_quotient(
        &mut self,
        premise: Premise,
        formula: &Formula,
        divisor: &Int,
        form: &Linear,
    ) -> Result<(), super::Refutation> {
        let name = self.fresh();
        let remainder = form - &(&Linear::from(name) * divisor);
        let named = match formula {
            Formula::Divides(..) => Constraint::new(remainder, Relation::Equal).into(),
            _ => Formula::All(vec![
                Linear::from(1).at_most(&remainder).into(),
                remainder.less(&Linear::from(divisor.clone())).into(),
            ]),
        };
        let premise = self.derivations.derive(Rule::Quotient { of: premise, name });
        self.assert(premise, &named)
    }

    fn cases(&mut self, of: Premise, cases: &[Formula], budget: &Budget) -> Result<Found, StopReason> {
        if self.n_levels() > MAX_DEPTH {
            return Err(StopReason::Depth);
        }
        let case = self.derivations.assume();
        let mut refuted = Vec::with_capacity(cases.len());
        for formula in cases {
            self.push();
            let found = match self.assert(Premise::Derived(case), formula) {
                Ok(()) => self.search(budget)?,
                Err(refutation) => Found::Refuted(refutation),
            };
            let Found::Refuted(mut refutation) = found else {
                self.pop();
                return Ok(found);
            };
            let used = refutation.close(case, &self.derivations);
            self.pop();
            if !used {
                return Ok(Found::Refuted(refutation));
            }
            refuted.push(refutation);
        }
        let end = |branches| End::Cases { of, case, branches };
        Ok(Found::Refuted(super::Refutation::branching(refuted, end, Some(of))))
    }
}

fn n_cases(formula: &Formula) -> usize {
    match formula {
        Formula::Any(parts) => parts.len(),
        Formula::Constraint(_) => 2,
        Formula::Divides(..) | Formula::Indivisible(..) | Formula::All(_) => 1,
    }
}

/// The cases of a disjunction or of `e != 0`.
fn cases_of(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Any(parts) => parts.clone(),
        Formula::Constraint(Constraint { form, .. }) => {
            let one = Linear::from(1);
            [form + &one, &one - form].map(|side| Constraint::new(side, Relation::AtMost).into()).into()
        }
        Formula::Divides(..) | Formula::Indivisible(..) | Formula::All(_) => Vec::new(),
    }
}
