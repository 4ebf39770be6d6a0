//! The checker of proofs.

use std::collections::BTreeSet;
use std::fmt;

use super::{End, Premise, Proof, Rule, Sum};
use crate::constraint::{Constraint, Formula, Relation};
use crate::{Int, Linear, Var};

/// Why a proof is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A premise is used that is neither given nor derived before.
    NoSuchPremise(Premise),
    /// A number is derived twice on a way through the tree.
    DerivedTwice(u32),
    /// A premise is not of the kind that the rule needs.
    WrongKind(Premise),
    /// A negative multiple of an inequality, or a multiple of something that cannot be added up.
    WrongMultiple(Premise),
    /// A divisor is not positive, or does not divide what it must divide.
    WrongDivisor,
    /// A sum is not absurd.
    NotAbsurd,
    /// The two sides of an equality do not match.
    NotOpposite,
    /// The name of a quotient occurs before.
    NotFresh(Var),
    /// There are not as many branches as cases.
    WrongBranches,
    /// The tree is deeper than the checker follows.
    TooDeep,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPremise(premise) => write!(f, "{premise:?} is not known here"),
            Self::DerivedTwice(number) => write!(f, "premise {number} is derived twice"),
            Self::WrongKind(premise) => write!(f, "the rule does not apply to {premise:?}"),
            Self::WrongMultiple(premise) => write!(f, "{premise:?} must not have this multiple"),
            Self::WrongDivisor => f.write_str("the divisor does not divide what it must divide"),
            Self::NotAbsurd => f.write_str("the sum is not absurd"),
            Self::NotOpposite => f.write_str("two inequalities are not the two sides of an equality"),
            Self::NotFresh(var) => write!(f, "{var} occurs before it is introduced"),
            Self::WrongBranches => f.write_str("cases are missing or left over"),
            Self::TooDeep => f.write_str("the proof is too deep to be followed"),
        }
    }
}

/// Deeper trees are refused: the checker follows them by recursion.
const MAX_DEPTH: usize = 1_500;

/// Accepts a proof that the given conditions have no common integer solution.
///
/// # Errors
/// The first fault of the proof.
pub fn check(given: &[Formula], proof: &Proof) -> Result<(), Fault> {
    Scope::new(given).node(proof, 0)
}

/// The premises that are known at a place in a proof.
pub(crate) struct Scope<'a> {
    given: &'a [Formula],
    /// The variables of the given conditions.
    names: BTreeSet<Var>,
    /// What is derived or assumed on the way from the root, by number.
    derived: Vec<(u32, Formula)>,
}

impl<'a> Scope<'a> {
    /// The root: what is given.
    pub(crate) fn new(given: &'a [Formula]) -> Self {
        let names = given.iter().flat_map(Formula::variables).collect();
        Self { given, names, derived: Vec::new() }
    }

    fn node(&mut self, proof: &Proof, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(Fault::TooDeep);
        }
        let above = self.len();
        for step in &proof.steps {
            let derived = self.apply(&step.rule)?;
            self.derive(step.derives, derived)?;
        }
        self.end(&proof.end, depth)?;
        self.truncate(above);
        Ok(())
    }

    fn end(&mut self, end: &End, depth: usize) -> Result<(), Fault> {
        match end {
            End::Farkas(sum) => {
                let (form, relation) = self.add_up(sum)?;
                let absurd = Constraint::new(form, relation).decided() == Some(false);
                if absurd { Ok(()) } else { Err(Fault::NotAbsurd) }
            }
            End::Indivisible { sum, divisor } => {
                let (form, relation) = self.add_up(sum)?;
                divide(&form, divisor)?;
                let absurd = relation == Relation::Equal && !divisor.divides(form.constant());
                if absurd { Ok(()) } else { Err(Fault::NotAbsurd) }
            }
            End::Split { form, case, at_most, at_least } => {
                let low = Constraint::new(form.clone(), Relation::AtMost);
                let high = low.negated();
                self.case(*case, low.into(), at_most, depth)?;
                self.case(*case, high.into(), at_least, depth)
            }
            End::Cases { of, case, branches } => {
                let cases = self.cases(*of)?;
                if cases.len() != branches.len() {
                    return Err(Fault::WrongBranches);
                }
                cases
                    .into_iter()
                    .zip(branches)
                    .try_for_each(|(formula, branch)| self.case(*case, formula, branch, depth))
            }
        }
    }

    fn case(&mut self, number: u32, assumption: Formula, proof: &Proof, depth: usize) -> Result<(), Fault> {
        self.derive(number, assumption)?;
        self.node(proof, depth + 1)?;
        self.truncate(self.len() - 1);
        Ok(())
    }

    /// The cases of a disjunction.
    pub(crate) fn cases(&self, of: Premise) -> Result<Vec<Formula>, Fault> {
        match self.premise(of)? {
            Formula::Any(parts) => Ok(parts.clone()),
            Formula::Constraint(Constraint { form, relation: Relation::Different }) => {
                let one = Linear::from(1);
                let sides = [form + &one, &one - form];
                Ok(sides.map(|side| Constraint::new(side, Relation::AtMost).into()).into())
            }
            _ => Err(Fault::WrongKind(of)),
        }
    }

    /// What a rule derives.
    pub(crate) fn apply(&self, rule: &Rule) -> Result<Formula, Fault> {
        match rule {
            Rule::Combination { sum, divisor } => {
                let (form, relation) = self.add_up(sum)?;
                let quotient = divide(&form, divisor)?;
                if relation == Relation::Equal && !divisor.divides(form.constant()) {
                    return Err(Fault::WrongDivisor);
                }
                Ok(Constraint::new(quotient, relation).into())
            }
            Rule::Squeeze { at_most, at_least } => {
                let (form, opposite) = (self.inequality(*at_most)?, self.inequality(*at_least)?);
                if -form != *opposite {
                    return Err(Fault::NotOpposite);
                }
                Ok(Constraint::new(form.clone(), Relation::Equal).into())
            }
            Rule::Part { of, place } => match self.premise(*of)? {
                Formula::All(parts) => parts.get(*place).cloned().ok_or(Fault::WrongKind(*of)),
                _ => Err(Fault::WrongKind(*of)),
            },
            Rule::Quotient { of, name } => self.name_quotient(*of, *name),
        }
    }

    fn name_quotient(&self, of: Premise, name: Var) -> Result<Formula, Fault> {
        let known = self.names.contains(&name) || self.derived.iter().any(|(_, one)| one.variables().contains(&name));
        if known {
            return Err(Fault::NotFresh(name));
        }
        let remainder = |divisor: &Int, form: &Linear| form - &(&Linear::from(name) * divisor);
        match self.premise(of)? {
            Formula::Divides(divisor, form) => Ok(Constraint::new(remainder(divisor, form), Relation::Equal).into()),
            Formula::Indivisible(divisor, form) => {
                let remainder = remainder(divisor, form);
                let above_zero = Linear::from(1).at_most(&remainder);
                let below_divisor = remainder.less(&Linear::from(divisor.clone()));
                Ok(Formula::All(vec![above_zero.into(), below_divisor.into()]))
            }
            _ => Err(Fault::WrongKind(of)),
        }
    }

    /// The sum: an equality if all that is added up is.
    pub(crate) fn add_up(&self, sum: &Sum) -> Result<(Linear, Relation), Fault> {
        let mut total = Linear::default();
        let mut relation = Relation::Equal;
        for (premise, multiple) in sum {
            let Formula::Constraint(constraint) = self.premise(*premise)? else {
                return Err(Fault::WrongMultiple(*premise));
            };
            match constraint.relation {
                Relation::Equal => {}
                Relation::AtMost if !multiple.is_negative() => relation = Relation::AtMost,
                Relation::AtMost | Relation::Different => return Err(Fault::WrongMultiple(*premise)),
            }
            total = total.plus_multiple(multiple, &constraint.form);
        }
        Ok((total, relation))
    }

    /// The form that a premise says is at most 0; an equality says that, too.
    fn inequality(&self, premise: Premise) -> Result<&Linear, Fault> {
        match self.premise(premise)? {
            Formula::Constraint(Constraint { form, relation: Relation::AtMost | Relation::Equal }) => Ok(form),
            _ => Err(Fault::WrongKind(premise)),
        }
    }

    pub(crate) fn premise(&self, premise: Premise) -> Result<&Formula, Fault> {
        let found = match premise {
            Premise::Given(place) => self.given.get(place as usize),
            Premise::Derived(number) => {
                self.derived.iter().rev().find(|(other, _)| *other == number).map(|(_, formula)| formula)
            }
        };
        found.ok_or(Fault::NoSuchPremise(premise))
    }

    /// How many premises are derived.
    pub(crate) fn len(&self) -> usize {
        self.derived.len()
    }

    /// Goes back to where fewer premises were derived.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.derived.truncate(len);
    }

    /// Adds a derived premise.
    pub(crate) fn derive(&mut self, number: u32, formula: Formula) -> Result<(), Fault> {
        if self.derived.iter().any(|(other, _)| *other == number) {
            return Err(Fault::DerivedTwice(number));
        }
        self.derived.push((number, formula));
        Ok(())
    }
}

/// The form divided, its constant rounded up.
fn divide(form: &Linear, divisor: &Int) -> Result<Linear, Fault> {
    let divides = divisor.is_positive() && form.terms().iter().all(|(_, factor)| divisor.divides(factor));
    if divides { Ok(form.divide_rounding_up(divisor)) } else { Err(Fault::WrongDivisor) }
}
