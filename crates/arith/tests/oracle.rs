//! Answers against the truth: enumeration of boxes, models that are evaluated, proofs that are checked.

mod common;

use arith::{Answer, Formula};
use base::Budget;
use common::{Random, Shape, box_of, conjunction, formula, points, solve_checked};

fn agrees_with_enumeration(conditions: &[Formula], n_vars: u32, size: i64) {
    let truth = points(n_vars, size).any(|point| conditions.iter().all(|condition| condition.holds(&point)));
    match solve_checked(conditions, &Budget::unlimited()) {
        Answer::Sat(_) => assert!(truth, "{conditions:?}"),
        Answer::Unsat(_) => assert!(!truth, "{conditions:?}"),
        Answer::Unknown(reason) => panic!("{reason}: {conditions:?}"),
    }
}

#[test]
fn conjunctions_in_a_box() {
    let mut random = Random::new(1);
    for round in 0..3_000 {
        let n_vars = 2 + round % 3;
        let shape = Shape { n_vars, n_constraints: 1 + round as usize % 6, max_factor: 5, max_constant: 12 };
        let mut conditions = conjunction(&mut random, shape);
        conditions.extend(box_of(n_vars, 3));
        agrees_with_enumeration(&conditions, n_vars, 3);
    }
}

#[test]
fn boolean_structure_in_a_box() {
    let mut random = Random::new(2);
    for round in 0..2_000 {
        let n_vars = 2 + round % 2;
        let shape = Shape { n_vars, n_constraints: 0, max_factor: 4, max_constant: 8 };
        let mut conditions: Vec<Formula> = (0..1 + round % 4).map(|_| formula(&mut random, shape, 2)).collect();
        conditions.extend(box_of(n_vars, 4));
        agrees_with_enumeration(&conditions, n_vars, 4);
    }
}

/// Without a box there is no enumeration, but all answers carry their evidence.
#[test]
fn unbounded_conjunctions_are_decided() {
    let mut random = Random::new(3);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..6_000_u32 {
        let n_vars = 2 + round % 4;
        let n_constraints = 1 + round as usize % 8;
        let shape = Shape { n_vars, n_constraints, max_factor: 1 + i64::from(round % 9), max_constant: 30 };
        let conditions = conjunction(&mut random, shape);
        match solve_checked(&conditions, &Budget::unlimited().with_max_steps(Some(200_000))) {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat(_) => unsat += 1,
            Answer::Unknown(reason) => panic!("round {round}: {reason} {conditions:?}"),
        }
    }
    assert!(sat > 500 && unsat > 500, "{sat} {unsat}");
}

#[test]
fn huge_coefficients_are_exact() {
    let mut random = Random::new(4);
    for round in 0..1_000_u32 {
        let n_vars = 2 + round % 2;
        let huge = i64::MAX >> (round % 8);
        let shape = Shape { n_vars, n_constraints: 1 + round as usize % 4, max_factor: huge, max_constant: huge };
        let conditions = conjunction(&mut random, shape);
        let answer = solve_checked(&conditions, &Budget::unlimited().with_max_steps(Some(3_000)));
        assert!(answer.is_sat() || answer.is_unsat() || round % 2 == 1, "{conditions:?}");
    }
}
