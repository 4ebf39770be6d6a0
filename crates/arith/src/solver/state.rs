//! What is asserted, level by level.
//!
//! A constraint `e <= 0` or `e = 0` becomes bounds on a column of the tableau: `e` is a multiple of a primitive form,
//! plus a constant, and the primitive form is a variable or has a row of its own. Bounds on a primitive form are rounded
//! to integers. That is the first and most frequent cut. Everything else waits until a model violates it.

use rustc_hash::FxHashMap;

use super::derivation::{Derivations, Reason, Refutation};
use super::tableau::{Bound, Conflict, Side, Tableau};
use crate::constraint::{Constraint, Formula, Relation};
use crate::proof::{End, Premise, Proof, Rule};
use crate::{Int, Linear, Var};

#[derive(Default)]
pub(crate) struct State {
    pub(super) tableau: Tableau,
    pub(super) derivations: Derivations,
    /// The form of each column.
    pub(super) forms: Vec<Linear>,
    /// Columns of variables.
    variables: FxHashMap<Var, u32>,
    /// Columns of other primitive forms whose first coefficient is positive.
    columns: FxHashMap<Linear, u32>,
    /// Conditions that are not bounds.
    pub(super) waiting: Vec<(Premise, Formula)>,
    /// Places of waiting conditions of which a case, or the quotient, is asserted.
    pub(super) expanded: Vec<usize>,
    levels: Vec<Level>,
    n_fresh: u32,
}

struct Level {
    tableau: usize,
    derivations: usize,
    waiting: usize,
    expanded: usize,
    n_fresh: u32,
}

/// A constraint as bounds: worked out once, however often it is asserted.
#[derive(Clone, Debug)]
pub(crate) enum Bounds {
    /// A constraint without variables, true or not.
    Constant(bool),
    /// An equality whose coefficients have a divisor that does not divide the constant.
    Indivisible(Int),
    /// The column is `value`. The constraint is the equality divided by `scale`.
    Equal { column: u32, value: Int, scale: Int },
    /// A bound that is the constraint divided by `scale`, rounded if `rounded`.
    One { column: u32, side: Side, value: Int, scale: Int, rounded: bool },
}

impl State {
    pub(crate) fn n_levels(&self) -> usize {
        self.levels.len()
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            tableau: self.tableau.mark(),
            derivations: self.derivations.len(),
            waiting: self.waiting.len(),
            expanded: self.expanded.len(),
            n_fresh: self.n_fresh,
        });
    }

    /// Takes back what was asserted since the last `push`. Rows stay: forms are likely to come again.
    pub(crate) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        self.tableau.undo_to(level.tableau);
        self.derivations.truncate(level.derivations);
        self.waiting.truncate(level.waiting);
        self.expanded.truncate(level.expanded);
        self.n_fresh = level.n_fresh;
    }

    pub(crate) fn pop_to(&mut self, n_levels: usize) {
        while self.levels.len() > n_levels {
            self.pop();
        }
    }

    /// The complete proof of a refutation.
    pub(crate) fn finish(&self, refutation: Refutation) -> Proof {
        refutation.finish(&self.derivations)
    }

    /// A variable that occurs nowhere else.
    pub(super) fn fresh(&mut self) -> Var {
        let var = Var(Var::FIRST_FRESH.0 + self.n_fresh);
        self.n_fresh += 1;
        var
    }

    /// The column of a variable.
    pub(super) fn variable(&mut self, var: Var) -> u32 {
        *self.variables.entry(var).or_insert_with(|| {
            self.forms.push(var.into());
            self.tableau.add_variable()
        })
    }

    /// The column of a primitive form whose first coefficient is positive, and which has no constant.
    fn column(&mut self, form: &Linear) -> u32 {
        if let [(var, _)] = form.terms() {
            return self.variable(*var);
        }
        if let Some(column) = self.columns.get(form) {
            return *column;
        }
        let mut terms: Vec<(u32, Int)> = Vec::with_capacity(form.terms().len());
        for (var, factor) in form.terms() {
            terms.push((self.variable(*var), factor.clone()));
        }
        let column = self.tableau.add_form(&terms);
        self.forms.push(form.clone());
        self.columns.insert(form.clone(), column);
        column
    }

    /// Works out the bounds that a constraint stands for; not for `!=`.
    pub(crate) fn bounds(&mut self, constraint: &Constraint) -> Bounds {
        let form = &constraint.form;
        let Some((_, first)) = form.terms().first() else {
            return Bounds::Constant(constraint.holds_for(form.constant()));
        };
        let negative = first.is_negative();
        // e = divisor * (+-primitive) + constant.
        let divisor = form.content();
        let signed = if negative { -&divisor } else { divisor.clone() };
        let exact = divisor.divides(form.constant());
        if !exact && constraint.relation == Relation::Equal {
            return Bounds::Indivisible(divisor);
        }
        let primitive = if signed.is_one() {
            form.with_constant(Int::ZERO)
        } else {
            let terms = form.terms().iter().map(|(var, factor)| (*var, factor.div_floor(&signed)));
            Linear::from_sorted(terms.collect(), Int::ZERO)
        };
        let column = self.column(&primitive);
        let value = (-form.constant()).div_floor(&divisor);
        match constraint.relation {
            Relation::AtMost if negative => {
                Bounds::One { column, side: Side::Lower, value: -value, scale: divisor, rounded: !exact }
            }
            Relation::AtMost => Bounds::One { column, side: Side::Upper, value, scale: divisor, rounded: !exact },
            _ => Bounds::Equal { column, value: if negative { -value } else { value }, scale: signed },
        }
    }

    /// Asserts a condition that is known under the name of a premise.
    pub(crate) fn assert(&mut self, premise: Premise, formula: &Formula) -> Result<(), Refutation> {
        match formula {
            Formula::Constraint(constraint) if constraint.relation != Relation::Different => {
                let bounds = self.bounds(constraint);
                self.assert_bounds(premise, &bounds)
            }
            Formula::All(parts) => parts.iter().enumerate().try_for_each(|(place, part)| {
                let premise = self.derivations.derive(Rule::Part { of: premise, place });
                self.assert(premise, part)
            }),
            _ => {
                self.waiting.push((premise, formula.clone()));
                Ok(())
            }
        }
    }

    /// Asserts a constraint by its bounds.
    pub(crate) fn assert_bounds(&mut self, premise: Premise, bounds: &Bounds) -> Result<(), Refutation> {
        match bounds {
            Bounds::Constant(true) => Ok(()),
            Bounds::Constant(false) => Err(Refutation::new(End::Farkas(vec![(premise, Int::ONE)]))),
            Bounds::Indivisible(divisor) => {
                Err(Refutation::new(End::Indivisible { sum: vec![(premise, Int::ONE)], divisor: divisor.clone() }))
            }
            Bounds::Equal { column, value, scale } => {
                let upper = Reason { premise, scale: scale.clone() };
                let lower = Reason { premise, scale: -scale };
                self.set(*column, Side::Upper, value, upper)?;
                self.set(*column, Side::Lower, value, lower)
            }
            Bounds::One { column, side, value, scale, rounded } => {
                let reason = if *rounded {
                    let sum = vec![(premise, Int::ONE)];
                    Reason::exactly(self.derivations.derive(Rule::Combination { sum, divisor: scale.clone() }))
                } else {
                    Reason { premise, scale: scale.clone() }
                };
                self.set(*column, *side, value, reason)
            }
        }
    }

    pub(super) fn set(&mut self, column: u32, side: Side, value: &Int, reason: Reason) -> Result<(), Refutation> {
        let bound = Bound { value: value.clone(), reason };
        self.tableau.set_bound(column, side, bound).map_err(|conflict| refutation(&conflict))
    }
}

pub(super) fn refutation(conflict: &Conflict) -> Refutation {
    Refutation::farkas(conflict.iter().map(|(reason, multiple)| (reason, multiple)))
}
