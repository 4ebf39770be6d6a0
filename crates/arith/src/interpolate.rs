//! Interpolants: what one part of an unsatisfiable system says to the others, read off a proof.
//!
//! The conditions of the system belong to parts, and the parts form a tree: a sequence of steps, or steps and calls. The
//! interpolant of a part is a condition that follows from the part and those below it, contradicts all others, and uses
//! only variables that occur on both sides (Craig). One proof gives the interpolants of all parts, and these fit
//! together: those of the children of a part, and the part itself, imply its own (McMillan, *An interpolating theorem
//! prover*, TACAS 2004; for trees: Heizmann, Hoenicke and Podelski, *Nested interpolants*, POPL 2010).
//!
//! For a linear combination that is absurd, the interpolant is the share of the inner premises: the sum without the
//! outer ones. A premise derived on the way has a share, too. Rounding is allowed if it may be done to the share alone: if
//! the share has integer coefficients. For equalities whose sum is not divisible, the interpolant says that the share
//! is. Cases on an inner premise give a disjunction, cases on an outer one a conjunction. Where none of this applies
//! (a cut that mixes both sides, a split on a form that no side knows) there is no interpolant, and the answer is `None`.

use std::collections::{BTreeMap, BTreeSet};

use crate::constraint::{Constraint, Formula, Relation};
use crate::proof::{End, Premise, Proof, Rule, Scope, Sum};
use crate::{Int, Linear, Var};

/// The interpolants of a sequence of parts: the condition with number `i` belongs to part `part_of[i]`, and the
/// interpolant with number `i` stands between parts `0..=i` and the rest. The last one is "false".
#[must_use]
pub fn sequence(given: &[Formula], part_of: &[usize], n_parts: usize, proof: &Proof) -> Vec<Option<Formula>> {
    let parents: Vec<Option<usize>> = (1..=n_parts).map(|next| (next < n_parts).then_some(next)).collect();
    tree(given, part_of, &parents, proof)
}

/// The interpolants of a tree of parts: the condition with number `i` belongs to part `part_of[i]`, and the interpolant
/// with number `i` stands between the parts of the subtree of part `i` and the rest. Those of roots are "false".
///
/// A part must be numbered before its parent. `None`: this proof does not show an interpolant.
#[must_use]
pub fn tree(given: &[Formula], part_of: &[usize], parents: &[Option<usize>], proof: &Proof) -> Vec<Option<Formula>> {
    assert!(part_of.len() == given.len(), "every condition has a part");
    let ordered = |(part, parent): (usize, &Option<usize>)| parent.is_none_or(|parent| parent > part);
    assert!(parents.iter().enumerate().all(ordered), "a part is numbered before its parent");
    let variables = subtree_variables(given, part_of, parents);
    let users = users(given, part_of);
    let mut scope = Scope::new(given);
    let mut interpolant = |part: usize| {
        let inside = subtree(part, parents);
        let cut = Cut { part_of, inside: &inside, variables: &variables };
        scope.truncate(0);
        let found = Reader { scope: &mut scope, shares: Vec::new(), names: BTreeMap::new(), cut }.node(proof)?;
        let is_shared = |var: &Var| {
            let users = users.get(var).map_or(&[][..], Vec::as_slice);
            users.iter().any(|part| inside[*part]) && users.iter().any(|part| !inside[*part])
        };
        found.variables().iter().all(is_shared).then_some(found)
    };
    (0..parents.len()).map(&mut interpolant).collect()
}

/// The parts that use each variable.
fn users(given: &[Formula], part_of: &[usize]) -> BTreeMap<Var, Vec<usize>> {
    let mut users: BTreeMap<Var, Vec<usize>> = BTreeMap::new();
    for (condition, part) in given.iter().zip(part_of) {
        for var in condition.variables() {
            users.entry(var).or_default().push(*part);
        }
    }
    users
}

/// Which parts belong to the subtree of a part.
fn subtree(part: usize, parents: &[Option<usize>]) -> Vec<bool> {
    let mut inside = vec![false; parents.len()];
    for other in (0..=part).rev() {
        inside[other] = other == part || parents[other].is_some_and(|parent| parent <= part && inside[parent]);
    }
    inside
}

/// The variables of each subtree.
fn subtree_variables(given: &[Formula], part_of: &[usize], parents: &[Option<usize>]) -> Vec<BTreeSet<Var>> {
    let mut variables = vec![BTreeSet::new(); parents.len()];
    for (condition, part) in given.iter().zip(part_of) {
        variables[*part].extend(condition.variables());
    }
    for (part, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            let below = variables[part].clone();
            variables[*parent].extend(below);
        }
    }
    variables
}

/// A subtree against the rest.
struct Cut<'a> {
    part_of: &'a [usize],
    inside: &'a [bool],
    /// Of each subtree.
    variables: &'a [BTreeSet<Var>],
}

/// What the inner side contributes to a premise.
#[derive(Clone)]
enum Share {
    /// All of it.
    Inside,
    /// Nothing.
    Outside,
    /// Of `e <= 0` or `e = 0` the form `at_most`, which is at most 0 inside, while the rest is at most 0 outside.
    /// Of an equality also such a share of `-e`.
    Sum { at_most: Quotient, at_least: Option<Quotient> },
    /// Not known.
    Mixed,
}

/// A form divided by a positive number.
#[derive(Clone, PartialEq, Eq)]
struct Quotient {
    form: Linear,
    divisor: Int,
}

struct Reader<'a, 'g> {
    scope: &'a mut Scope<'g>,
    /// Shares of derived premises.
    shares: Vec<(u32, Share)>,
    /// On which side a name of a quotient is.
    names: BTreeMap<Var, Share>,
    cut: Cut<'a>,
}

impl Reader<'_, '_> {
    fn node(&mut self, proof: &Proof) -> Option<Formula> {
        let above = self.scope.len();
        for step in &proof.steps {
            let derived = self.scope.apply(&step.rule).ok()?;
            let share = self.share_of(&step.rule, &derived);
            self.derive(step.derives, derived, share)?;
        }
        let found = self.end(&proof.end);
        self.scope.truncate(above);
        self.shares.truncate(above);
        found
    }

    fn derive(&mut self, number: u32, formula: Formula, share: Share) -> Option<()> {
        self.scope.derive(number, formula).ok()?;
        self.shares.push((number, share));
        Some(())
    }

    fn share(&self, premise: Premise) -> Share {
        match premise {
            Premise::Given(place) if self.cut.inside[self.cut.part_of[place as usize]] => Share::Inside,
            Premise::Given(_) => Share::Outside,
            Premise::Derived(number) => {
                let found = self.shares.iter().rev().find(|(other, _)| *other == number);
                found.map_or(Share::Mixed, |(_, share)| share.clone())
            }
        }
    }

    /// The side on which all of some premises are.
    fn side(&self, premises: impl IntoIterator<Item = Premise>) -> Option<Share> {
        let mut shares = premises.into_iter().map(|premise| self.share(premise));
        let first = shares.next()?;
        match first {
            Share::Inside => shares.all(|share| matches!(share, Share::Inside)).then_some(first),
            Share::Outside => shares.all(|share| matches!(share, Share::Outside)).then_some(first),
            Share::Sum { .. } | Share::Mixed => None,
        }
    }

    fn share_of(&mut self, rule: &Rule, derived: &Formula) -> Share {
        if let Some(side) = self.side(rule.premises()) {
            if let Rule::Quotient { name, .. } = rule {
                self.names.insert(*name, side.clone());
            }
            return side;
        }
        let share = match rule {
            Rule::Combination { sum, divisor } => self.share_of_combination(sum, divisor, derived),
            Rule::Squeeze { at_most, at_least } => {
                let [at_most, at_least] = [*at_most, *at_least].map(|side| self.add_up(&[(side, Int::ONE)]));
                at_most.zip(at_least).map(|(at_most, at_least)| Share::Sum { at_most, at_least: Some(at_least) })
            }
            Rule::Part { .. } | Rule::Quotient { .. } => None,
        };
        share.unwrap_or(Share::Mixed)
    }

    fn share_of_combination(&self, sum: &Sum, divisor: &Int, derived: &Formula) -> Option<Share> {
        let Formula::Constraint(constraint) = derived else { return None };
        let at_most = self.add_up(sum)?.divided(divisor);
        if constraint.relation == Relation::Equal {
            let at_least = Some(self.add_up(&opposite(sum))?.divided(divisor));
            return Some(Share::Sum { at_most, at_least });
        }
        let (total, _) = self.scope.add_up(sum).ok()?;
        let rounded = !divisor.divides(total.constant());
        let at_most = if rounded { at_most.rounded()? } else { at_most };
        Some(Share::Sum { at_most, at_least: None })
    }

    /// The share of a sum.
    fn add_up(&self, sum: &[(Premise, Int)]) -> Option<Quotient> {
        let mut total = Total::default();
        for (premise, multiple) in sum {
            match self.share(*premise) {
                Share::Outside => {}
                Share::Inside => total.add(&self.form(*premise)?, multiple, &Int::ONE),
                Share::Sum { at_most, .. } if !multiple.is_negative() => {
                    total.add(&at_most.form, multiple, &at_most.divisor);
                }
                Share::Sum { at_least, .. } => {
                    let at_least = at_least?;
                    total.add(&at_least.form, &-multiple, &at_least.divisor);
                }
                Share::Mixed => return None,
            }
        }
        Some(total.finish())
    }

    fn form(&self, premise: Premise) -> Option<Linear> {
        match self.scope.premise(premise).ok()? {
            Formula::Constraint(constraint) => Some(constraint.form.clone()),
            _ => None,
        }
    }

    fn end(&mut self, end: &End) -> Option<Formula> {
        match end {
            End::Farkas(sum) => {
                // Equalities may add up to a negative number; then their opposites add up to a positive one.
                let share = if self.is_negative(sum) { self.add_up(&opposite(sum))? } else { self.add_up(sum)? };
                Some(Formula::all([at_most_zero(&share.form)]))
            }
            End::Indivisible { sum, divisor } => self.divisible(sum, divisor),
            End::Split { form, case, at_most, at_least } => {
                let side = self.side_of(form);
                let low = Constraint::new(form.clone(), Relation::AtMost);
                let high = low.negated();
                let cases = vec![low.into(), high.into()];
                self.cases(&side, *case, cases, [&**at_most, &**at_least])
            }
            End::Cases { of, case, branches } => {
                let side = self.share(*of);
                let cases = self.scope.cases(*of).ok()?;
                self.cases(&side, *case, cases, branches)
            }
        }
    }

    /// True if equalities add up to a negative number.
    fn is_negative(&self, sum: &Sum) -> bool {
        let equality = |premise: Premise| {
            let premise = self.scope.premise(premise);
            matches!(premise, Ok(Formula::Constraint(constraint)) if constraint.relation == Relation::Equal)
        };
        let equalities = sum.iter().all(|(premise, _)| equality(*premise));
        equalities && self.scope.add_up(sum).is_ok_and(|(total, _)| total.constant().is_negative())
    }

    /// The share of equalities is divisible, though the sum is not.
    fn divisible(&self, sum: &Sum, divisor: &Int) -> Option<Formula> {
        let share = self.add_up(sum)?;
        let opposite = self.add_up(&opposite(sum))?;
        // A squeezed equality may come half from inside.
        if -&share.form != opposite.form || share.divisor != opposite.divisor {
            return None;
        }
        let modulus = &share.divisor * divisor;
        let terms = share.form.terms().iter().filter(|(_, factor)| !modulus.divides(factor)).cloned();
        let rest = Linear::new(terms, share.form.constant().clone());
        let common = rest.content().gcd(rest.constant()).gcd(&modulus);
        Some(Formula::all([Formula::divides(&modulus.div_floor(&common), rest.divide_rounding_up(&common))]))
    }

    fn cases<'p>(
        &mut self,
        side: &Share,
        case: u32,
        cases: Vec<Formula>,
        proofs: impl IntoIterator<Item = &'p Proof>,
    ) -> Option<Formula> {
        let above = self.scope.len();
        let mut found = Vec::with_capacity(cases.len());
        for (assumption, proof) in cases.into_iter().zip(proofs) {
            self.derive(case, assumption, side.clone())?;
            found.push(self.node(proof)?);
            self.scope.truncate(above);
            self.shares.truncate(above);
        }
        match side {
            Share::Inside => Some(Formula::any(found)),
            Share::Outside => Some(Formula::all(found)),
            Share::Sum { .. } | Share::Mixed => None,
        }
    }

    /// The side of a split: that of the lowest part which knows the variables together with those below it.
    fn side_of(&self, form: &Linear) -> Share {
        if let Some(side) = form.variables().find_map(|var| self.names.get(&var)) {
            return side.clone();
        }
        let knows = |part: &usize| form.variables().all(|var| self.cut.variables[*part].contains(&var));
        match (0..self.cut.variables.len()).find(knows) {
            Some(part) if self.cut.inside[part] => Share::Inside,
            Some(_) => Share::Outside,
            None => Share::Mixed,
        }
    }
}

fn opposite(sum: &Sum) -> Sum {
    sum.iter().map(|(premise, multiple)| (*premise, -multiple)).collect()
}

/// `form <= 0`, with coefficients that have no common divisor.
fn at_most_zero(form: &Linear) -> Formula {
    let content = form.content();
    let form = if content.is_zero() { form.clone() } else { form.divide_rounding_up(&content) };
    Constraint::new(form, Relation::AtMost).into()
}

impl Quotient {
    fn divided(self, divisor: &Int) -> Self {
        Self { divisor: &self.divisor * divisor, ..self }
    }

    /// The constant rounded up, if all coefficients are integers.
    fn rounded(&self) -> Option<Self> {
        let integral = self.form.terms().iter().all(|(_, factor)| self.divisor.divides(factor));
        integral.then(|| Self { form: self.form.divide_rounding_up(&self.divisor), divisor: Int::ONE })
    }
}

/// A sum of many forms, divided by a number.
struct Total {
    terms: BTreeMap<Var, Int>,
    constant: Int,
    divisor: Int,
}

impl Default for Total {
    fn default() -> Self {
        Self { terms: BTreeMap::new(), constant: Int::ZERO, divisor: Int::ONE }
    }
}

impl Total {
    /// Adds `multiple * form / divisor`.
    fn add(&mut self, form: &Linear, multiple: &Int, divisor: &Int) {
        let common = self.divisor.lcm(divisor);
        let grow = common.div_floor(&self.divisor);
        if !grow.is_one() {
            self.terms.values_mut().for_each(|factor| *factor = &*factor * &grow);
            self.constant = &self.constant * &grow;
        }
        let multiple = multiple * &common.div_floor(divisor);
        self.divisor = common;
        for (var, factor) in form.terms() {
            self.terms.entry(*var).or_default().add_product(factor, &multiple);
        }
        self.constant.add_product(form.constant(), &multiple);
    }

    fn finish(self) -> Quotient {
        Quotient { form: Linear::new(self.terms, self.constant), divisor: self.divisor }
    }
}
