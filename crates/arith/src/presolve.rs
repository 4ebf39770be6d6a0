//! Equalities solved before the search: what a trace of a program needs first.
//!
//! A trace is mostly equalities in which a variable has coefficient 1 or -1: `x1 = x0 + 1`. Such a variable is replaced
//! everywhere, over the integers without loss. What is left is small, however long the trace is. The way back: values of
//! replaced variables are computed from their equalities; and every sum in a proof is completed by the multiples of the
//! equalities that make it free of replaced variables, as it is for the search. So a single combination stays a single
//! combination.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::constraint::{Constraint, Formula, Relation};
use crate::proof::{End, Fault, Premise, Proof, Rule, Scope, Step, Sum};
use crate::{Int, Linear, Model, Var};

/// The solved equalities.
#[derive(Default)]
pub(crate) struct Presolved {
    equalities: Vec<Equality>,
    /// Which equality replaces a variable.
    by_var: FxHashMap<Var, usize>,
}

struct Equality {
    /// The place of the condition.
    given: u32,
    var: Var,
    /// The condition without variables that earlier equalities replace; `var` has coefficient 1 or -1.
    form: Linear,
    /// The form is the condition plus these multiples of the forms of earlier equalities.
    multiples: Vec<(usize, Int)>,
}

impl Presolved {
    /// Solves equalities among some conditions; what is left of the conditions, in the same places.
    pub(crate) fn new(conditions: &[Formula]) -> (Self, Vec<Formula>) {
        let mut presolved = Self::default();
        for (given, condition) in conditions.iter().enumerate() {
            if let Formula::Constraint(Constraint { form, relation: Relation::Equal }) = condition {
                presolved.take(given as u32, form);
            }
        }
        if presolved.equalities.is_empty() {
            return (presolved, conditions.to_vec());
        }
        let rest = conditions.iter().enumerate().map(|(given, condition)| presolved.rest(given as u32, condition));
        let rest = rest.collect();
        (presolved, rest)
    }

    fn take(&mut self, given: u32, form: &Linear) {
        let (form, multiples) = self.reduce(form);
        // The newest variable: in a trace, the one that the equality defines.
        let newest = form.terms().iter().rev().find(|(_, factor)| factor.is_unit());
        if let Some((var, _)) = newest {
            self.by_var.insert(*var, self.equalities.len());
            self.equalities.push(Equality { given, var: *var, form, multiples });
        }
    }

    /// The form without replaced variables, and the multiples of forms of equalities that were added.
    fn reduce(&self, form: &Linear) -> (Linear, Vec<(usize, Int)>) {
        let mut form = form.clone();
        let mut multiples = Vec::new();
        // An equality contains no variable of an earlier one, so the first one first: none comes twice.
        while let Some(place) = form.variables().filter_map(|var| self.by_var.get(&var)).min() {
            let equality = &self.equalities[*place];
            let unit = equality.form.coefficient(equality.var);
            let multiple = -&(form.coefficient(equality.var) * unit);
            form = form.plus_multiple(&multiple, &equality.form);
            multiples.push((*place, multiple));
        }
        (form, multiples)
    }

    /// What is left of a condition.
    fn rest(&self, given: u32, condition: &Formula) -> Formula {
        match condition {
            Formula::Constraint(_) if self.equalities.binary_search_by_key(&given, |one| one.given).is_ok() => {
                Formula::TRUE
            }
            condition => self.rewrite(condition),
        }
    }

    fn rewrite(&self, condition: &Formula) -> Formula {
        let form = |form: &Linear| self.reduce(form).0;
        match condition {
            Formula::Constraint(constraint) => Constraint::new(form(&constraint.form), constraint.relation).into(),
            Formula::Divides(divisor, inner) => Formula::Divides(divisor.clone(), form(inner)),
            Formula::Indivisible(divisor, inner) => Formula::Indivisible(divisor.clone(), form(inner)),
            Formula::All(parts) => Formula::All(parts.iter().map(|part| self.rewrite(part)).collect()),
            Formula::Any(parts) => Formula::Any(parts.iter().map(|part| self.rewrite(part)).collect()),
        }
    }

    /// Adds the values of replaced variables to a model of what is left.
    pub(crate) fn complete_model(&self, model: &mut Model) {
        // An equality may contain variables of later ones.
        for equality in self.equalities.iter().rev() {
            let unit = equality.form.coefficient(equality.var);
            let value = &equality.form.without(equality.var).value(model) * &-unit;
            model.set(equality.var, value);
        }
    }

    /// A proof about the conditions from a proof about what is left of them.
    pub(crate) fn complete_proof(&self, conditions: &[Formula], proof: Proof) -> Result<Proof, Fault> {
        if self.equalities.is_empty() {
            return Ok(proof);
        }
        let mut numbers = 0;
        largest_number(&proof, &mut numbers);
        Completion { presolved: self, scope: Scope::new(conditions), next: numbers + 1 }.node(proof)
    }
}

/// The largest number of a derived premise.
fn largest_number(proof: &Proof, largest: &mut u32) {
    for step in &proof.steps {
        *largest = step.derives.max(*largest);
    }
    match &proof.end {
        End::Farkas(_) | End::Indivisible { .. } => {}
        End::Split { case, at_most, at_least, .. } => {
            *largest = (*case).max(*largest);
            largest_number(at_most, largest);
            largest_number(at_least, largest);
        }
        End::Cases { case, branches, .. } => {
            *largest = (*case).max(*largest);
            branches.iter().for_each(|branch| largest_number(branch, largest));
        }
    }
}

/// The premises of a proof as they are for the given conditions.
struct Completion<'a> {
    presolved: &'a Presolved,
    scope: Scope<'a>,
    /// The next free number.
    next: u32,
}

impl Completion<'_> {
    fn node(&mut self, proof: Proof) -> Result<Proof, Fault> {
        let above = self.scope.len();
        let mut steps = Vec::with_capacity(proof.steps.len());
        for Step { derives, rule } in proof.steps {
            let rule = self.rule(rule, &mut steps)?;
            self.scope.derive(derives, self.scope.apply(&rule)?)?;
            steps.push(Step { derives, rule });
        }
        let end = self.end(proof.end)?;
        self.scope.truncate(above);
        Ok(Proof { steps, end })
    }

    fn rule(&mut self, rule: Rule, steps: &mut Vec<Step>) -> Result<Rule, Fault> {
        Ok(match rule {
            Rule::Combination { sum, divisor } => Rule::Combination { sum: self.complete(sum)?, divisor },
            Rule::Squeeze { at_most, at_least } => {
                let at_most = self.reduced(at_most, steps)?;
                Rule::Squeeze { at_most, at_least: self.reduced(at_least, steps)? }
            }
            other @ (Rule::Part { .. } | Rule::Quotient { .. }) => other,
        })
    }

    /// The premise without replaced variables.
    fn reduced(&mut self, premise: Premise, steps: &mut Vec<Step>) -> Result<Premise, Fault> {
        let sum = self.complete(vec![(premise, Int::ONE)])?;
        if sum.len() == 1 {
            return Ok(premise);
        }
        let (derives, rule) = (self.next, Rule::Combination { sum, divisor: Int::ONE });
        self.next += 1;
        self.scope.derive(derives, self.scope.apply(&rule)?)?;
        steps.push(Step { derives, rule });
        Ok(Premise::Derived(derives))
    }

    fn end(&mut self, end: End) -> Result<End, Fault> {
        Ok(match end {
            End::Farkas(sum) => End::Farkas(self.complete(sum)?),
            End::Indivisible { sum, divisor } => End::Indivisible { sum: self.complete(sum)?, divisor },
            End::Split { form, case, at_most, at_least } => {
                let low = Constraint::new(form.clone(), Relation::AtMost);
                let high = low.negated();
                let at_most = Box::new(self.case(case, low.into(), *at_most)?);
                let at_least = Box::new(self.case(case, high.into(), *at_least)?);
                End::Split { form, case, at_most, at_least }
            }
            End::Cases { of, case, branches } => {
                let cases = self.scope.cases(of)?.into_iter().zip(branches);
                let branches = cases.map(|(assumption, branch)| self.case(case, assumption, branch));
                End::Cases { of, case, branches: branches.collect::<Result<_, _>>()? }
            }
        })
    }

    fn case(&mut self, number: u32, assumption: Formula, proof: Proof) -> Result<Proof, Fault> {
        let above = self.scope.len();
        self.scope.derive(number, assumption)?;
        let completed = self.node(proof);
        self.scope.truncate(above);
        completed
    }

    /// Adds the multiples of equalities that make a sum free of replaced variables.
    fn complete(&self, mut sum: Sum) -> Result<Sum, Fault> {
        let (total, _) = self.scope.add_up(&sum)?;
        let (_, multiples) = self.presolved.reduce(&total);
        let mut open: BTreeMap<usize, Int> = BTreeMap::new();
        multiples.into_iter().for_each(|(place, multiple)| *open.entry(place).or_default() += &multiple);
        // The form of an equality is the condition plus multiples of earlier forms.
        while let Some((place, multiple)) = open.pop_last() {
            if multiple.is_zero() {
                continue;
            }
            let equality = &self.presolved.equalities[place];
            for (earlier, share) in &equality.multiples {
                open.entry(*earlier).or_default().add_product(share, &multiple);
            }
            sum.push((Premise::Given(equality.given), multiple));
        }
        Ok(sum)
    }
}
