//! Integer feasibility of the bounds in the tableau.
//!
//! First the rational relaxation; its proofs are single linear combinations, which interpolants like best. If it has a
//! solution that is no integer solution: do the equalities alone have one? Then branch on a variable whose value is not
//! an integer, for a limited number of nodes, because branching need not end. Last, the Omega test, which does.

use base::{Budget, StopReason};

use super::Found;
use super::derivation::{Reason, Refutation};
use super::omega::{self, Row};
use super::state::{State, refutation};
use super::tableau::Side;
use crate::constraint::Relation;
use crate::proof::{End, Premise};
use crate::{Int, Linear, Model, Var};

/// Branching gives up after so many nodes.
const MAX_NODES: u32 = 60;

impl State {
    /// An integer solution of all bounds, or a proof that there is none.
    pub(super) fn integers(&mut self, budget: &Budget) -> Result<Found, StopReason> {
        if let Some(conflict) = self.tableau.check(budget)? {
            return Ok(Found::Refuted(refutation(&conflict)));
        }
        if self.fractional().is_none() {
            return Ok(Found::Model(self.model()));
        }
        let equalities = self.rows(|row| row.relation == Relation::Equal);
        if !equalities.is_empty()
            && let Found::Refuted(refutation) = omega::solve(equalities, &mut self.derivations, budget)?
        {
            return Ok(Found::Refuted(refutation));
        }
        let mut nodes = MAX_NODES;
        if let Some(found) = self.branch(&mut nodes, budget)? {
            return Ok(found);
        }
        let rows = self.rows(|_| true);
        omega::solve(rows, &mut self.derivations, budget)
    }

    /// The first variable whose value is not an integer, and the next integer below.
    fn fractional(&self) -> Option<(u32, Int)> {
        let columns = 0..self.tableau.n_columns() as u32;
        let mut variables = columns.filter(|column| self.forms[*column as usize].terms().len() == 1);
        variables.find_map(|column| self.tableau.value(column).err().map(|floor| (column, floor)))
    }

    /// The values of all variables, which are integers.
    fn model(&self) -> Model {
        let value = |(column, form): (usize, &Linear)| match form.terms() {
            [(var, _)] => self.tableau.value(column as u32).ok().map(|value| (*var, value)),
            _ => None,
        };
        self.forms.iter().enumerate().filter_map(value).collect()
    }

    /// Branches on variables; None after too many nodes.
    fn branch(&mut self, nodes: &mut u32, budget: &Budget) -> Result<Option<Found>, StopReason> {
        budget.step()?;
        if let Some(conflict) = self.tableau.check(budget)? {
            return Ok(Some(Found::Refuted(refutation(&conflict))));
        }
        let Some((column, floor)) = self.fractional() else { return Ok(Some(Found::Model(self.model()))) };
        if *nodes == 0 {
            return Ok(None);
        }
        *nodes -= 1;
        let case = self.derivations.assume();
        let mut refuted = Vec::with_capacity(2);
        for (side, bound) in [(Side::Upper, floor.clone()), (Side::Lower, &floor + &Int::ONE)] {
            self.push();
            let reason = Reason::exactly(Premise::Derived(case));
            let found = match self.set(column, side, &bound, reason) {
                Ok(()) => self.branch(nodes, budget)?,
                Err(refutation) => Some(Found::Refuted(refutation)),
            };
            match found {
                Some(Found::Refuted(mut refutation)) => {
                    let used = refutation.close(case, &self.derivations);
                    self.pop();
                    if !used {
                        return Ok(Some(Found::Refuted(refutation)));
                    }
                    refuted.push(refutation);
                }
                other => {
                    self.pop();
                    return Ok(other);
                }
            }
        }
        let form = self.forms[column as usize].with_constant(-floor);
        Ok(Some(Found::Refuted(split(form, case, refuted))))
    }

    /// The bounds as constraints, as far as they are wanted.
    fn rows(&self, wanted: impl Fn(&Row) -> bool) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, form) in self.forms.iter().enumerate() {
            let [lower, upper] = [Side::Lower, Side::Upper].map(|side| self.tableau.bound(index as u32, side));
            let row = |sign: i64, value: &Int, relation: Relation, reason: &Reason| {
                let form = (form * &Int::from(sign)).with_constant(value * &Int::from(-sign));
                Row { form, relation, reason: reason.clone() }
            };
            let upper_row = |relation| upper.map(|bound| row(1, &bound.value, relation, &bound.reason));
            let both = lower.zip(upper).is_some_and(|(lower, upper)| {
                lower.value == upper.value && lower.reason.premise == upper.reason.premise
            });
            if both {
                rows.extend(upper_row(Relation::Equal));
            } else {
                rows.extend(upper_row(Relation::AtMost));
                rows.extend(lower.map(|bound| row(-1, &bound.value, Relation::AtMost, &bound.reason)));
            }
        }
        rows.retain(wanted);
        rows
    }
}

/// The refutation of both cases `form <= 0` and `form >= 1`.
pub(super) fn split(form: Linear, case: u32, refuted: Vec<Refutation>) -> Refutation {
    let end = |mut proofs: Vec<_>| {
        let (at_least, at_most) = (proofs.pop(), proofs.pop());
        match (at_most, at_least) {
            (Some(at_most), Some(at_least)) => {
                End::Split { form, case, at_most: Box::new(at_most), at_least: Box::new(at_least) }
            }
            _ => End::Farkas(Vec::new()),
        }
    };
    Refutation::branching(refuted, end, None)
}

/// Every variable of some rows once, in order.
pub(super) fn variables(rows: &[Row]) -> Vec<Var> {
    let mut variables: Vec<Var> = rows.iter().flat_map(|row| row.form.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}
