//! Elimination of variables: a condition on the other variables that says exactly when a value exists.
//!
//! Disjunctions are eliminated part by part. In a conjunction, in this order:
//! - an equality `a x = e` replaces `x`, and leaves `a | e`;
//! - statements on divisibility depend on the remainder of `x` by a common modulus `m`: for each remainder `r`, `x` is
//!   replaced by `m x + r`;
//! - bounds `b x >= l` and `a x <= u` leave `a l <= b u` where `a = 1` or `b = 1`. Otherwise they leave the dark shadow
//!   `b u - a l >= (a - 1) (b - 1)`, or `b x = l + i` for a small `i` (Pugh, *A practical algorithm for exact array
//!   dependence analysis*, CACM 1992; for the remainders: Cooper, *Theorem proving in arithmetic without multiplication*,
//!   1972).
//!
//! No proof is kept. What is asked about the result afterwards has one.

use base::{Budget, StopReason};

use crate::constraint::{Constraint, Formula, Relation};
use crate::context::solve;
use crate::{Answer, Int, Linear, Var};

/// The condition that some values of the variables satisfy `condition`, without these variables.
///
/// # Errors
/// A limit of the budget.
pub fn eliminate(vars: &[Var], condition: &Formula, budget: &Budget) -> Result<Formula, StopReason> {
    let mut result = condition.clone();
    for var in vars {
        result = exists(*var, &result, budget)?;
    }
    Ok(result)
}

fn exists(var: Var, condition: &Formula, budget: &Budget) -> Result<Formula, StopReason> {
    budget.step()?;
    if !condition.variables().contains(&var) {
        return Ok(condition.clone());
    }
    if let Formula::Any(parts) = condition {
        return any_of(parts.iter().map(|part| exists(var, part, budget)), budget);
    }
    let parts = match Formula::all([condition.clone()]) {
        Formula::All(parts) => parts,
        part => vec![part],
    };
    let (mut with, without): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.variables().contains(&var));
    let projected = match with.iter().position(|part| cases(part).is_some()) {
        Some(place) => {
            let cases = cases(&with.swap_remove(place)).unwrap_or_default();
            let conjunctions = cases.into_iter().map(|case| Formula::all(with.iter().cloned().chain([case])));
            any_of(conjunctions.map(|conjunction| exists(var, &conjunction, budget)), budget)?
        }
        None => Conjunction::new(var, &with).project(budget)?,
    };
    Ok(Formula::all(without.into_iter().chain([projected])))
}

/// The disjunction, without parts that have no solution.
fn any_of(parts: impl Iterator<Item = Result<Formula, StopReason>>, budget: &Budget) -> Result<Formula, StopReason> {
    let mut kept: Vec<Formula> = Vec::new();
    for part in parts {
        let part = part?;
        if !kept.contains(&part) {
            match solve(std::slice::from_ref(&part), budget) {
                Answer::Unsat(_) => {}
                Answer::Sat(_) => kept.push(part),
                Answer::Unknown(reason) => return Err(reason),
            }
        }
    }
    Ok(Formula::any(kept))
}

/// The cases of what is neither an equality, a bound nor a divisibility.
fn cases(part: &Formula) -> Option<Vec<Formula>> {
    match part {
        Formula::Any(parts) => Some(parts.clone()),
        Formula::Constraint(Constraint { form, relation: Relation::Different }) => {
            Some(vec![form.less(&0.into()).into(), Linear::from(0).less(form).into()])
        }
        Formula::Indivisible(divisor, form) => {
            let mut cases = Vec::new();
            let mut remainder = Int::ONE;
            while remainder < *divisor {
                cases.push(Formula::divides(divisor, form - &Linear::from(remainder.clone())));
                remainder += &Int::ONE;
            }
            Some(cases)
        }
        Formula::Constraint(_) | Formula::Divides(..) | Formula::All(_) => None,
    }
}

/// Constraints on a variable, all of which contain it.
#[derive(Clone)]
struct Conjunction {
    var: Var,
    equal: Vec<Linear>,
    at_most: Vec<Linear>,
    divides: Vec<(Int, Linear)>,
}

impl Conjunction {
    fn new(var: Var, parts: &[Formula]) -> Self {
        let mut sorted = Self { var, equal: Vec::new(), at_most: Vec::new(), divides: Vec::new() };
        for part in parts {
            match part {
                Formula::Constraint(Constraint { form, relation: Relation::Equal }) => sorted.equal.push(form.clone()),
                Formula::Constraint(Constraint { form, .. }) => {
                    sorted.at_most.push(form.divide_rounding_up(&form.content()));
                }
                Formula::Divides(divisor, form) => sorted.divides.push((divisor.clone(), form.clone())),
                Formula::Indivisible(..) | Formula::All(_) | Formula::Any(_) => {
                    unreachable!("cases were distinguished before")
                }
            }
        }
        sorted
    }

    fn project(&self, budget: &Budget) -> Result<Formula, StopReason> {
        budget.step()?;
        let smallest = self.equal.iter().enumerate().min_by_key(|(_, form)| form.coefficient(self.var).abs());
        if let Some((place, _)) = smallest {
            return Ok(self.substitute(place));
        }
        if !self.divides.is_empty() {
            return self.by_remainder(budget);
        }
        self.shadow(budget)
    }

    /// Replaces the variable by its value in one of the equalities.
    fn substitute(&self, place: usize) -> Formula {
        let equality = &self.equal[place];
        let a = equality.coefficient(self.var);
        // (|a| / g) (c x + f) is free of x after subtracting (c / g) times the equality, up to sign.
        let without = |form: &Linear| {
            let c = form.coefficient(self.var);
            let g = a.gcd(c);
            let scale = a.abs().div_floor(&g);
            let sign = if a.is_negative() { Int::ONE } else { Int::from(-1) };
            ((form * &scale).plus_multiple(&(&sign * &c.div_floor(&g)), equality), scale)
        };
        let mut parts = vec![Formula::divides(a, equality.without(self.var))];
        for (other, form) in self.equal.iter().enumerate() {
            if other != place {
                parts.push(Constraint::new(without(form).0, Relation::Equal).into());
            }
        }
        parts.extend(self.at_most.iter().map(|form| Constraint::new(without(form).0, Relation::AtMost).into()));
        parts.extend(self.divides.iter().map(|(divisor, form)| {
            let (form, scale) = without(form);
            Formula::divides(&(divisor * &scale), form)
        }));
        Formula::all(parts)
    }

    /// One case for each remainder of the variable.
    fn by_remainder(&self, budget: &Budget) -> Result<Formula, StopReason> {
        let mut modulus = Int::ONE;
        for (divisor, form) in &self.divides {
            modulus = modulus.lcm(&divisor.div_floor(&divisor.gcd(form.coefficient(self.var))));
        }
        let mut cases = Vec::new();
        let mut remainder = Int::ZERO;
        while remainder < modulus {
            budget.step()?;
            let value = (&Linear::from(self.var) * &modulus).plus_multiple(&remainder, &Linear::from(1));
            let at_most = self.at_most.iter().map(|form| form.substitute(self.var, &value));
            let bounds = Self { at_most: at_most.collect(), divides: Vec::new(), ..self.clone() };
            let divided = self.divides.iter().map(|(divisor, form)| {
                // The coefficient of the variable is divisible now.
                Formula::divides(divisor, form.substitute(self.var, &value).without(self.var))
            });
            let divided: Vec<Formula> = divided.collect();
            let projected = bounds.project(budget)?;
            cases.push(Ok(Formula::all(divided.into_iter().chain([projected]))));
            remainder += &Int::ONE;
        }
        any_of(cases.into_iter(), budget)
    }

    /// The dark shadow and the splinters of the bounds.
    fn shadow(&self, budget: &Budget) -> Result<Formula, StopReason> {
        let factor = |form: &Linear| form.coefficient(self.var).clone();
        let (lower, upper): (Vec<&Linear>, Vec<&Linear>) =
            self.at_most.iter().partition(|form| factor(form).is_negative());
        let mut dark = Vec::new();
        for low in &lower {
            for high in &upper {
                budget.step()?;
                let (b, a) = (-factor(low), factor(high));
                let shadow = (*low * &a).plus_multiple(&b, high);
                let gap = &(&a - &Int::ONE) * &(&b - &Int::ONE);
                dark.push(shadow.plus_multiple(&gap, &Linear::from(1)).at_most(&0.into()).into());
            }
        }
        let mut cases = vec![Ok(Formula::all(dark))];
        if let Some(a) = upper.iter().map(|form| factor(form)).max() {
            for low in &lower {
                let b = -factor(low);
                let k = (&(&(&a * &b) - &a) - &b).div_floor(&a);
                let mut i = Int::ZERO;
                while i <= k {
                    budget.step()?;
                    // b x = l + i
                    let equality = low.plus_multiple(&i, &Linear::from(1));
                    cases.push(Ok(Self { equal: vec![equality], ..self.clone() }.substitute(0)));
                    i += &Int::ONE;
                }
            }
        }
        if cases.len() == 1 { cases.swap_remove(0) } else { any_of(cases.into_iter(), budget) }
    }
}
