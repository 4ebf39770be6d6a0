//! The Omega test (Pugh, Communications of the ACM 1992), with proofs: integer feasibility of constraints, always decided.
//!
//! Equalities are solved first, by Euclid's algorithm on their coefficients: while the smallest coefficient `a` of `x` is
//! not a unit, `x` is replaced by `x - sum q_i x_i` so that all other coefficients shrink below `a`. A step of this kind
//! is unimodular: integer forms over the new variables are integer forms over the old ones, so no proof needs to know
//! of it. Then variables are eliminated one by one. From `b z >= l` and `a z <= u` follows `a l <= b u` (Fourier and
//! Motzkin). The converse holds over the integers if `a = 1` or `b = 1`. Otherwise it holds if the lower bound is
//! strengthened to `b z >= l + k + 1` with `k = floor((a b - a - b) / a)` (the dark shadow); what this excludes are the
//! cases `b z = l + i` for `0 <= i <= k` (the splinters), which are equalities again. In a proof, all that is a number
//! of splits on `b z - l`.
//!
//! Every row knows the premise that it is a quotient of. What a row is derived from is noted; proofs take from the notes
//! what they need.

use std::collections::BTreeMap;

use base::{Budget, StopReason};

use super::Found;
use super::derivation::{Derivations, Reason, Refutation, combine};
use super::integers::{split, variables};
use crate::constraint::Relation;
use crate::proof::{End, Premise, Rule};
use crate::{Int, Linear, Model, Var};

/// A constraint `form <= 0` or `form = 0`: over the given variables, its premise divided by its scale.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) form: Linear,
    pub(super) relation: Relation,
    pub(super) reason: Reason,
}

/// An integer solution of the rows, or a proof that there is none. Premises derived on the way are noted.
pub(super) fn solve(rows: Vec<Row>, derivations: &mut Derivations, budget: &Budget) -> Result<Found, StopReason> {
    let system = System { rows, meanings: BTreeMap::new(), eliminated: Vec::new() };
    Omega { derivations, budget, depth: 0 }.solve(system)
}

/// Deeper nests of splits are not followed.
const MAX_DEPTH: usize = 200;

#[derive(Clone)]
struct System {
    rows: Vec<Row>,
    /// What changed variables stand for, as forms over the given ones. Others stand for themselves.
    meanings: BTreeMap<Var, Linear>,
    /// How to get the values of variables that were eliminated or changed, the last one first.
    eliminated: Vec<Eliminated>,
}

#[derive(Clone)]
enum Eliminated {
    /// The value is that of a form.
    Substituted(Var, Linear),
    /// The value is an integer within the bounds that some forms `<= 0` set.
    Bounded(Var, Vec<Linear>),
}

struct Omega<'a> {
    derivations: &'a mut Derivations,
    budget: &'a Budget,
    depth: usize,
}

/// A variable that is to be eliminated next.
struct Choice {
    var: Var,
    /// Places of rows to be strengthened, with their `k`.
    inexact: Vec<(usize, Int)>,
}

impl Omega<'_> {
    fn solve(&mut self, mut system: System) -> Result<Found, StopReason> {
        loop {
            self.budget.step()?;
            if let Some(refutation) = self.tidy(&mut system)? {
                return Ok(Found::Refuted(refutation));
            }
            if let Some(place) = system.smallest_equality() {
                self.eliminate_equality(&mut system, place);
                continue;
            }
            let Some(choice) = choose(&system.rows) else { return Ok(Found::Model(system.model())) };
            let with_var = system.rows.iter().filter(|row| !row.form.coefficient(choice.var).is_zero());
            let bounds = with_var.map(|row| row.form.clone()).collect();
            system.eliminated.push(Eliminated::Bounded(choice.var, bounds));
            if !choice.inexact.is_empty() {
                return self.strengthen(system, choice);
            }
            self.shadow(&mut system, choice.var)?;
        }
    }

    /// Rounds all rows, and keeps the strongest of those with the same coefficients. Opposite rows that leave a single
    /// value become an equality.
    fn tidy(&mut self, system: &mut System) -> Result<Option<Refutation>, StopReason> {
        let mut kept: BTreeMap<Vec<(Var, Int)>, Row> = BTreeMap::new();
        let mut equalities = Vec::new();
        for row in std::mem::take(&mut system.rows) {
            self.budget.step()?;
            let row = match self.round(row) {
                Ok(Some(row)) => row,
                Ok(None) => continue,
                Err(refutation) => return Ok(Some(refutation)),
            };
            if row.relation == Relation::Equal {
                equalities.push(row);
                continue;
            }
            if let Some(opposite) = kept.get((-&row.form).terms()) {
                let gap = &-opposite.form.constant() - row.form.constant();
                if gap.is_negative() {
                    let reasons = [&row.reason, &opposite.reason];
                    return Ok(Some(Refutation::farkas(reasons.into_iter().map(|reason| (reason, &Int::ONE)))));
                }
                if gap.is_zero() {
                    equalities.push(self.squeeze(&row, opposite));
                }
            }
            let terms = row.form.terms().to_vec();
            if kept.get(terms.as_slice()).is_none_or(|old| old.form.constant() < row.form.constant()) {
                kept.insert(terms, row);
            }
        }
        system.rows = equalities.into_iter().chain(kept.into_values()).collect();
        Ok(None)
    }

    /// The row with coefficients that have no common divisor; None if it holds everywhere.
    fn round(&mut self, row: Row) -> Result<Option<Row>, Refutation> {
        let content = row.form.content();
        if content.is_one() {
            return Ok(Some(row));
        }
        let one = Int::ONE;
        let alone = std::iter::once((&row.reason, &one));
        if content.is_zero() {
            let constant = row.form.constant();
            let holds = if row.relation == Relation::Equal { constant.is_zero() } else { !constant.is_positive() };
            return if holds { Ok(None) } else { Err(Refutation::farkas(alone)) };
        }
        if row.relation == Relation::Equal && !content.divides(row.form.constant()) {
            let (sum, divisor) = combine(alone);
            return Err(Refutation::new(End::Indivisible { sum, divisor: &divisor * &content }));
        }
        let reason = if content.divides(row.form.constant()) {
            Reason { premise: row.reason.premise, scale: &row.reason.scale * &content }
        } else {
            self.derivations.combination(alone, &content)
        };
        Ok(Some(Row { form: row.form.divide_rounding_up(&content), reason, ..row }))
    }

    /// The equality of two opposite rows.
    fn squeeze(&mut self, row: &Row, opposite: &Row) -> Row {
        let [at_most, at_least] = [row, opposite].map(|row| match &row.reason {
            Reason { premise, scale } if scale.is_one() => *premise,
            reason => self.derivations.combination(std::iter::once((reason, &Int::ONE)), &Int::ONE).premise,
        });
        let premise = self.derivations.derive(Rule::Squeeze { at_most, at_least });
        Row { form: row.form.clone(), relation: Relation::Equal, reason: Reason::exactly(premise) }
    }

    /// One step towards the elimination of a variable by an equality.
    fn eliminate_equality(&mut self, system: &mut System, place: usize) {
        let terms = system.rows[place].form.terms();
        let smallest = terms.iter().min_by_key(|(_, factor)| factor.abs()).cloned();
        let Some((var, factor)) = smallest else { return };
        if factor.is_unit() {
            self.substitute(system, place, var, &factor);
        } else {
            system.change(place, var, &factor);
        }
    }

    /// Removes a variable with coefficient 1 or -1 in an equality from all rows, and the equality itself.
    fn substitute(&mut self, system: &mut System, place: usize, var: Var, factor: &Int) {
        let equality = system.rows.remove(place);
        for row in &mut system.rows {
            let own = row.form.coefficient(var);
            if own.is_zero() {
                continue;
            }
            let multiple = -&(own * factor);
            let one = Int::ONE;
            let summands = [(&row.reason, &one), (&equality.reason, &multiple)];
            row.reason = self.derivations.combination(summands.into_iter(), &Int::ONE);
            row.form = row.form.plus_multiple(&multiple, &equality.form);
        }
        let value = &equality.form.without(var) * &-factor;
        system.eliminated.push(Eliminated::Substituted(var, value));
    }

    /// Replaces all rows with a variable by the combinations without it.
    fn shadow(&mut self, system: &mut System, var: Var) -> Result<(), StopReason> {
        let (with_var, mut rows): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut system.rows).into_iter().partition(|row| !row.form.coefficient(var).is_zero());
        let (lower, upper): (Vec<&Row>, Vec<&Row>) =
            with_var.iter().partition(|row| row.form.coefficient(var).is_negative());
        for low in &lower {
            for high in &upper {
                self.budget.step()?;
                let (b, a) = (-low.form.coefficient(var), high.form.coefficient(var).clone());
                let gcd = a.gcd(&b);
                let (a, b) = (a.div_floor(&gcd), b.div_floor(&gcd));
                let form = (&low.form * &a).plus_multiple(&b, &high.form);
                let summands = [(&low.reason, &a), (&high.reason, &b)];
                let content = form.content();
                let divisor = if content.is_zero() { Int::ONE } else { content };
                let reason = self.derivations.combination(summands.into_iter(), &divisor);
                rows.push(Row { form: form.divide_rounding_up(&divisor), relation: Relation::AtMost, reason });
            }
        }
        system.rows = rows;
        Ok(())
    }

    /// The dark shadow, then the splinters, of one row after the other.
    fn strengthen(&mut self, system: System, mut choice: Choice) -> Result<Found, StopReason> {
        let Some((place, k)) = choice.inexact.pop() else {
            let mut system = system;
            self.shadow(&mut system, choice.var)?;
            return self.solve(system);
        };
        // The slack, b z - l, is at least 0. Here it is compared with k.
        let row = system.rows[place].form.clone();
        let beyond = (-&row).plus_multiple(&Int::ONE, &Linear::from(-&k));
        let dark = |omega: &mut Self, reason| {
            let mut dark = system.clone();
            dark.rows[place] = Row::at_most(row.plus_multiple(&Int::ONE, &Linear::from(&k + &Int::ONE)), reason);
            omega.strengthen(dark, choice)
        };
        let splinters = |omega: &mut Self, reason| {
            let mut rest = system.clone();
            rest.eliminated.pop();
            rest.rows.push(Row::at_most(beyond.clone(), reason));
            omega.splinters(&rest, place, &k)
        };
        self.split(system.meaning(&beyond), dark, splinters)
    }

    /// The slack of a row is between 0 and `k`: each value is a case.
    fn splinters(&mut self, system: &System, place: usize, k: &Int) -> Result<Found, StopReason> {
        if k.is_zero() {
            return self.solve(system.clone());
        }
        let row = system.rows[place].form.clone();
        let slack = -&row;
        let more = |omega: &mut Self, reason| {
            let mut rest = system.clone();
            rest.rows[place] = Row::at_most(row.plus_multiple(&Int::ONE, &Linear::from(1)), reason);
            omega.splinters(&rest, place, &(k - &Int::ONE))
        };
        let none = |omega: &mut Self, reason| {
            let mut equal = system.clone();
            equal.rows.push(Row::at_most(slack.clone(), reason));
            omega.solve(equal)
        };
        self.split(system.meaning(&slack), more, none)
    }

    /// Looks for a solution with `form >= 1`, then for one with `form <= 0`.
    fn split(
        &mut self,
        form: Linear,
        at_least: impl FnOnce(&mut Self, Reason) -> Result<Found, StopReason>,
        at_most: impl FnOnce(&mut Self, Reason) -> Result<Found, StopReason>,
    ) -> Result<Found, StopReason> {
        if self.depth >= MAX_DEPTH {
            return Err(StopReason::Depth);
        }
        let case = self.derivations.assume();
        let high = match self.case(case, at_least)? {
            Case::NeedsOther(refutation) => refutation,
            Case::Decides(found) => return Ok(found),
        };
        let low = match self.case(case, at_most)? {
            Case::NeedsOther(refutation) => refutation,
            Case::Decides(found) => return Ok(found),
        };
        Ok(Found::Refuted(split(form, case, vec![low, high])))
    }

    fn case(
        &mut self,
        case: u32,
        search: impl FnOnce(&mut Self, Reason) -> Result<Found, StopReason>,
    ) -> Result<Case, StopReason> {
        let mark = self.derivations.len();
        self.depth += 1;
        let found = search(self, Reason::exactly(Premise::Derived(case)))?;
        self.depth -= 1;
        let Found::Refuted(mut refutation) = found else { return Ok(Case::Decides(found)) };
        let used = refutation.close(case, self.derivations);
        self.derivations.truncate(mark);
        Ok(if used { Case::NeedsOther(refutation) } else { Case::Decides(Found::Refuted(refutation)) })
    }
}

/// What one case of a split says about both.
enum Case {
    /// A solution, or a proof that does not use the assumption of the case.
    Decides(Found),
    NeedsOther(Refutation),
}

impl Row {
    fn at_most(form: Linear, reason: Reason) -> Self {
        Self { form, relation: Relation::AtMost, reason }
    }
}

impl System {
    /// The equality with the smallest coefficient.
    fn smallest_equality(&self) -> Option<usize> {
        let equalities = self.rows.iter().enumerate().filter(|(_, row)| row.relation == Relation::Equal);
        let smallest = |row: &Row| row.form.terms().iter().map(|(_, factor)| factor.abs()).min();
        equalities.min_by_key(|(_, row)| smallest(row)).map(|(place, _)| place)
    }

    /// Replaces `var` by `var - sum q_i x_i`, so that all coefficients of an equality but that of `var` become smaller
    /// than `factor`, which is the coefficient of `var`.
    fn change(&mut self, place: usize, var: Var, factor: &Int) {
        let others = self.rows[place].form.terms().iter().filter(|(other, _)| *other != var);
        let quotients: Vec<(Var, Int)> = others.map(|(other, own)| (*other, nearest(own, factor))).collect();
        let shift = Linear::new(quotients, 0);
        let old = &Linear::from(var) - &shift;
        for row in &mut self.rows {
            row.form = row.form.substitute(var, &old);
        }
        let meaning = &self.meaning(&var.into()) + &self.meaning(&shift);
        self.meanings.insert(var, meaning);
        self.eliminated.push(Eliminated::Substituted(var, old));
    }

    /// A form over the given variables that stands for a form over the present ones.
    fn meaning(&self, form: &Linear) -> Linear {
        let mut meaning = Linear::constant_of(form.constant().clone());
        for (var, factor) in form.terms() {
            meaning = match self.meanings.get(var) {
                Some(known) => meaning.plus_multiple(factor, known),
                None => meaning.plus_multiple(factor, &(*var).into()),
            };
        }
        meaning
    }

    /// The values of the eliminated variables, when no row is left.
    fn model(&self) -> Model {
        let mut model = Model::default();
        for eliminated in self.eliminated.iter().rev() {
            match eliminated {
                Eliminated::Substituted(var, form) => model.set(*var, form.value(&model)),
                Eliminated::Bounded(var, forms) => model.set(*var, within(*var, forms, &model)),
            }
        }
        model
    }
}

/// The nearest integer to a quotient.
fn nearest(value: &Int, divisor: &Int) -> Int {
    let two = Int::from(2);
    (&(value * &two) + divisor).div_floor(&(divisor * &two))
}

/// A value of a variable for which some forms are at most 0: the lower bound if there is one.
fn within(var: Var, forms: &[Linear], model: &Model) -> Int {
    let (mut lower, mut upper): (Option<Int>, Option<Int>) = (None, None);
    for form in forms {
        let (factor, rest) = (form.coefficient(var), form.without(var).value(model));
        if factor.is_negative() {
            let bound = rest.div_ceil(&-factor);
            lower = Some(lower.map_or(bound.clone(), |lower| lower.max(bound)));
        } else {
            let bound = (-rest).div_floor(factor);
            upper = Some(upper.map_or(bound.clone(), |upper| upper.min(bound)));
        }
    }
    if let (Some(lower), Some(upper)) = (&lower, &upper) {
        assert!(lower <= upper, "a shadow is exact where it is used for a model");
    }
    lower.or(upper).unwrap_or_default()
}

/// The variable whose elimination has the fewest splinters, then the fewest combinations. None without variables.
fn choose(rows: &[Row]) -> Option<Choice> {
    let mut best: Option<((Int, usize), Choice)> = None;
    for var in variables(rows) {
        let n_side = |negative: bool| {
            let factors = rows.iter().map(|row| row.form.coefficient(var));
            factors.filter(|factor| !factor.is_zero() && factor.is_negative() == negative).count()
        };
        let n_pairs = n_side(true) * n_side(false);
        for negative in [true, false] {
            let inexact = inexact(rows, var, negative);
            let mut n_splinters = Int::ZERO;
            inexact.iter().for_each(|(_, k)| n_splinters += &(k + &Int::ONE));
            let cost = (n_splinters, n_pairs);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, Choice { var, inexact }));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// The bounds of a variable on one side that must be strengthened for an exact elimination, each with its `k`.
fn inexact(rows: &[Row], var: Var, negative: bool) -> Vec<(usize, Int)> {
    let factor = |row: &Row| row.form.coefficient(var).clone();
    let opposite = rows.iter().map(factor).filter(|factor| factor.is_negative() != negative);
    let Some(a) = opposite.map(|factor| factor.abs()).max().filter(Int::is_positive) else { return Vec::new() };
    let mut inexact = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let b = factor(row);
        if !b.is_zero() && b.is_negative() == negative {
            let b = b.abs();
            let k = (&(&(&a * &b) - &a) - &b).div_floor(&a);
            if !k.is_negative() {
                inexact.push((place, k));
            }
        }
    }
    inexact
}
