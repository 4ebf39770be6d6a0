//! The laws of interpolants: implied inside, absurd outside, in common variables, and fitting together in a tree.

mod common;

use std::collections::BTreeSet;

use arith::{Answer, Formula, Int, Linear, Var, entails, interpolate};
use base::Budget;
use common::{Random, Shape, constraint, formula, solve_checked};

/// Conditions that belong to the parts of a tree.
struct Tree {
    given: Vec<Formula>,
    part_of: Vec<usize>,
    parents: Vec<Option<usize>>,
}

impl Tree {
    fn below(&self, part: usize) -> Vec<bool> {
        let under = |mut other: usize| loop {
            match (other == part, self.parents[other]) {
                (true, _) => return true,
                (false, Some(parent)) => other = parent,
                (false, None) => return false,
            }
        };
        (0..self.parents.len()).map(under).collect()
    }

    fn conditions(&self, wanted: impl Fn(usize) -> bool) -> Vec<Formula> {
        let all = self.given.iter().zip(&self.part_of);
        all.filter(|(_, part)| wanted(**part)).map(|(condition, _)| condition.clone()).collect()
    }

    /// Checks all laws, if the system is unsatisfiable; how many interpolants there are, and how many are missing.
    fn check(&self) -> Option<(usize, usize)> {
        let Answer::Unsat(proof) = solve_checked(&self.given, &Budget::unlimited()) else { return None };
        let found = interpolate::tree(&self.given, &self.part_of, &self.parents, &proof);
        for (part, interpolant) in found.iter().enumerate() {
            let Some(interpolant) = interpolant else { continue };
            let below = self.below(part);
            let (inner, outer) = (self.conditions(|other| below[other]), self.conditions(|other| !below[other]));
            self.is_implied(&inner, interpolant);
            let absurd = [&outer[..], std::slice::from_ref(interpolant)].concat();
            assert!(solve_checked(&absurd, &Budget::unlimited()).is_unsat(), "{interpolant} in {:?}", self.given);
            let variables = |side: &[Formula]| side.iter().flat_map(Formula::variables).collect::<BTreeSet<Var>>();
            let shared: BTreeSet<Var> = variables(&inner).intersection(&variables(&outer)).copied().collect();
            assert!(interpolant.variables().is_subset(&shared), "{interpolant}");
            let children = found.iter().zip(&self.parents).filter(|(_, parent)| **parent == Some(part));
            if let Some(children) = children.map(|(child, _)| child.clone()).collect::<Option<Vec<_>>>() {
                self.is_implied(&[children, self.conditions(|other| other == part)].concat(), interpolant);
            }
        }
        let missing = found.iter().filter(|interpolant| interpolant.is_none()).count();
        Some((found.len() - missing, missing))
    }

    fn is_implied(&self, premises: &[Formula], interpolant: &Formula) {
        let answer = entails(premises, interpolant, &Budget::unlimited());
        assert!(answer.is_unsat(), "{premises:?} should imply {interpolant} in {:?}", self.given);
    }
}

/// Random parents: each part's parent has a greater number.
fn parents(random: &mut Random, n_parts: usize, chain: bool) -> Vec<Option<usize>> {
    let parent = |part: usize, random: &mut Random| match n_parts - part - 1 {
        0 => None,
        _ if chain => Some(part + 1),
        rest => Some(part + 1 + random.below(rest as u64) as usize),
    };
    (0..n_parts).map(|part| parent(part, random)).collect()
}

/// Renames variables 0, 1, 2 of a random condition to three out of `n_vars`.
fn spread(condition: &Formula, places: &[u32; 3]) -> Formula {
    let form = |form: &Linear| {
        let terms = form.terms().iter().map(|(var, factor)| (Var(places[var.0 as usize]), factor.clone()));
        Linear::new(terms, form.constant().clone())
    };
    match condition {
        Formula::Constraint(constraint) => arith::Constraint::new(form(&constraint.form), constraint.relation).into(),
        Formula::Divides(divisor, inner) => Formula::Divides(divisor.clone(), form(inner)),
        Formula::Indivisible(divisor, inner) => Formula::Indivisible(divisor.clone(), form(inner)),
        Formula::All(parts) => Formula::All(parts.iter().map(|part| spread(part, places)).collect()),
        Formula::Any(parts) => Formula::Any(parts.iter().map(|part| spread(part, places)).collect()),
    }
}

fn random_trees(seed: u64, rounds: usize, condition: impl Fn(&mut Random) -> Formula) -> (usize, usize) {
    let mut random = Random::new(seed);
    let (mut found, mut missing) = (0, 0);
    for round in 0..rounds {
        let n_parts = 2 + round % 4;
        let mut tree =
            Tree { given: Vec::new(), part_of: Vec::new(), parents: parents(&mut random, n_parts, round % 2 == 0) };
        for part in 0..n_parts {
            let places = [part as u32, part as u32 + 1, random.below(n_parts as u64 + 1) as u32];
            for _ in 0..1 + random.below(3) {
                tree.given.push(spread(&condition(&mut random), &places));
                tree.part_of.push(part);
            }
        }
        if let Some((more, none)) = tree.check() {
            found += more;
            missing += none;
        }
    }
    (found, missing)
}

#[test]
fn conjunctions() {
    let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 3, max_constant: 8 };
    let (found, missing) = random_trees(1, 3_000, |random| constraint(random, shape).into());
    assert!(found > 2_000 && missing * 10 < found, "{found} found, {missing} missing");
}

#[test]
fn unit_coefficients_always_have_interpolants() {
    let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 1, max_constant: 4 };
    let (found, missing) = random_trees(2, 2_000, |random| constraint(random, shape).into());
    assert!(found > 1_000 && missing * 50 < found, "{found} found, {missing} missing");
}

#[test]
fn boolean_structure_and_divisibility() {
    let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 2, max_constant: 5 };
    let (found, missing) = random_trees(3, 1_500, |random| formula(random, shape, 1));
    assert!(found > 1_000 && missing * 5 < found, "{found} found, {missing} missing");
}

/// Random straight-line programs over three variables: assignments, choices and assumptions; a part for every step.
#[test]
fn traces() {
    let mut random = Random::new(4);
    let (mut found, mut missing) = (0, 0);
    for round in 0..400 {
        let n_steps = 3 + round % 12;
        let at = |step: usize, var: u32| Linear::from(Var(3 * step as u32 + var));
        let mut tree = Tree {
            given: (0..3).map(|var| at(0, var).equal(&i64::from(var).into()).into()).collect(),
            part_of: vec![0; 3],
            parents: parents(&mut random, n_steps + 1, true),
        };
        for step in 0..n_steps {
            let assigned = random.below(3) as u32;
            let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 2, max_constant: 5 };
            let now = |condition: &Formula| spread(condition, &[0, 1, 2].map(|var| 3 * step as u32 + var));
            let value = &at(step, random.below(3) as u32) + &random.between(-3, 3).into();
            let assignment = at(step + 1, assigned).equal(&value);
            let mut conditions: Vec<Formula> = vec![match random.below(4) {
                0 => Formula::choice(
                    &now(&constraint(&mut random, shape).into()),
                    assignment.into(),
                    at(step + 1, assigned).at_most(&value).into(),
                ),
                _ => assignment.into(),
            }];
            let copied = (0..3).filter(|var| *var != assigned);
            conditions.extend(copied.map(|var| Formula::from(at(step + 1, var).equal(&at(step, var)))));
            if random.below(2) == 0 {
                conditions.push(now(&constraint(&mut random, shape).into()));
            }
            tree.part_of.extend(vec![step + 1; conditions.len()]);
            tree.given.extend(conditions);
        }
        if let Some((more, none)) = tree.check() {
            found += more;
            missing += none;
        }
    }
    assert!(found > 1_000 && missing * 20 < found, "{found} found, {missing} missing");
}

/// x = 2y inside, x = 2z + 1 outside: x is even.
#[test]
fn divisibility_is_an_interpolant() {
    let double = |var: u32, constant: i64| Linear::new([(Var(var), 2)], constant);
    let x = Linear::from(Var(0));
    let given: Vec<Formula> = vec![x.equal(&double(1, 0)).into(), x.equal(&double(2, 1)).into()];
    let Answer::Unsat(proof) = solve_checked(&given, &Budget::unlimited()) else { panic!("even and odd") };
    let found = interpolate::sequence(&given, &[0, 1], 2, &proof);
    assert_eq!(found, [Some(Formula::divides(&Int::from(2), x)), Some(Formula::FALSE)]);
}

/// The steps of `x = 0; y = x + 1; assume y <= 0`.
#[test]
fn a_trace_has_an_interpolant_after_each_step() {
    let [x, y] = [Var(0), Var(1)].map(Linear::from);
    let given: Vec<Formula> =
        vec![x.equal(&0.into()).into(), y.equal(&(&x + &1.into())).into(), y.at_most(&0.into()).into()];
    let Answer::Unsat(proof) = solve_checked(&given, &Budget::unlimited()) else { panic!("y is 1") };
    let found = interpolate::sequence(&given, &[0, 1, 2], 3, &proof);
    let texts: Vec<String> = found.into_iter().flatten().map(|one| one.to_string()).collect();
    assert_eq!(texts, ["-x0 <= 0", "-x1 <= -1", "false"]);
}
