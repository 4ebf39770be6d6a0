//! Systems with known answers, hard for one method or another.

mod common;

use arith::proof::{End, Fault, Premise, check};
use arith::{Answer, Formula, Int, Linear, Proof, Var, entails, equivalent};
use base::{Budget, Cancel, StopReason};
use common::solve_checked;

fn form(terms: &[(u32, i64)], constant: i64) -> Linear {
    Linear::new(terms.iter().map(|(var, factor)| (Var(*var), *factor)), constant)
}

fn is_sat(conditions: &[Formula]) -> bool {
    match solve_checked(conditions, &Budget::unlimited().with_max_steps(Some(1_000_000))) {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

fn at_most(terms: &[(u32, i64)], bound: i64) -> Formula {
    form(terms, 0).at_most(&bound.into()).into()
}

fn equal(terms: &[(u32, i64)], value: i64) -> Formula {
    form(terms, 0).equal(&value.into()).into()
}

#[test]
fn divisors_exclude_solutions() {
    assert!(!is_sat(&[equal(&[(0, 6), (1, -9)], 4)]));
    assert!(is_sat(&[equal(&[(0, 6), (1, -9)], 3)]));
    // No single equality is absurd.
    assert!(!is_sat(&[equal(&[(0, 3), (1, 6), (2, -1)], 1), equal(&[(2, 1), (3, -3)], 0)]));
    assert!(!is_sat(&[equal(&[(0, 1), (1, -2)], 0), equal(&[(0, 1), (2, -2)], 1)]));
}

/// Branching alone never ends on these: there are rational solutions everywhere.
#[test]
fn unbounded_strips_without_integers() {
    assert!(!is_sat(&[at_most(&[(0, 3), (1, -3)], 2), at_most(&[(0, -3), (1, 3)], -1)]));
    let sides = [at_most(&[(0, 3), (1, -3), (2, 1)], 2), at_most(&[(0, -3), (1, 3), (2, -1)], -1)];
    assert!(!is_sat(&[&sides[..], &[equal(&[(2, 1), (3, -3)], 0)]].concat()));
    assert!(!is_sat(&strip()));
}

/// Pugh's example of a shadow that is not exact: 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4.
fn strip() -> [Formula; 4] {
    [
        at_most(&[(0, -11), (1, -13)], -27),
        at_most(&[(0, 11), (1, 13)], 45),
        at_most(&[(0, -7), (1, 9)], 10),
        at_most(&[(0, 7), (1, -9)], 4),
    ]
}

#[test]
fn narrow_cones() {
    // Between two almost parallel lines through the origin; the first integer point is far away.
    let cone = [at_most(&[(0, 100), (1, -101)], -1), at_most(&[(0, -101), (1, 102)], -1)];
    assert!(is_sat(&cone));
    let mut near = cone.to_vec();
    near.push(at_most(&[(0, 1)], 150));
    assert!(!is_sat(&near));
}

#[test]
fn nothing_and_constants() {
    assert!(is_sat(&[]));
    assert!(is_sat(&[Formula::TRUE, at_most(&[], 0)]));
    assert!(!is_sat(&[Formula::FALSE]));
    assert!(!is_sat(&[equal(&[], 1)]));
    assert!(!is_sat(&[equal(&[], -1)]));
    assert!(!is_sat(&[form(&[], 0).different(&0.into()).into()]));
    assert!(is_sat(&[Formula::Any(vec![Formula::FALSE, Formula::TRUE])]));
}

#[test]
fn quotients_and_selections() {
    let [x, q, r] = [0, 1, 2].map(Var);
    let seven = Int::from(7);
    let quotient = Formula::quotient(q, &x.into(), &seven);
    let remainder: Formula = Linear::from(r).equal(&form(&[(0, 1), (1, -7)], 0)).into();
    let conditions = [quotient, remainder, equal(&[(0, 1)], -20)];
    assert!(entails(&conditions, &equal(&[(1, 1)], -3), &Budget::unlimited()).is_unsat());
    assert!(entails(&conditions, &equal(&[(2, 1)], 1), &Budget::unlimited()).is_unsat());
    let absolute = Formula::selects(r, &at_most(&[(0, -1)], 0), &x.into(), &form(&[(0, -1)], 0));
    assert!(entails(&[absolute], &at_most(&[(2, -1)], 0), &Budget::unlimited()).is_unsat());
}

#[test]
fn equivalence() {
    let even = Formula::divides(&Int::from(2), Var(0).into());
    let odd = Formula::divides(&Int::from(2), form(&[(0, 1)], 1));
    assert!(equivalent(&even.negated(), &odd, &Budget::unlimited()).is_unsat());
    assert!(equivalent(&even, &odd, &Budget::unlimited()).is_sat());
    let (a, b) = (at_most(&[(0, 2)], 5), at_most(&[(0, 1)], 2));
    assert!(equivalent(&a, &b, &Budget::unlimited()).is_unsat());
}

#[test]
fn a_rational_refutation_is_one_combination() {
    let sum = at_most(&[(0, 1), (1, 1)], 1);
    let conditions = [sum, at_most(&[(0, -1)], -1), at_most(&[(1, -1)], -1), at_most(&[(2, 1)], 0)];
    let Answer::Unsat(proof) = solve_checked(&conditions, &Budget::unlimited()) else { panic!("x + y <= 1 < 2") };
    assert!(proof.is_farkas());
    assert_eq!(proof.core(), [0, 1, 2]);
}

#[test]
fn limits_are_answers() {
    let strip = strip();
    let few = Budget::unlimited().with_max_steps(Some(5));
    assert_eq!(solve_checked(&strip, &few), Answer::Unknown(StopReason::Steps));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Budget::unlimited().with_cancel(cancel);
    assert_eq!(solve_checked(&strip, &cancelled), Answer::Unknown(StopReason::Cancelled));
}

/// Every condition is a split below the one before.
#[test]
fn deep_searches_end() {
    let conditions: Vec<Formula> = (0..900).map(|var| form(&[(var, 1)], 0).different(&0.into()).into()).collect();
    assert!(is_sat(&conditions));
    let deeper: Vec<Formula> = (0..1_200).map(|var| form(&[(var, 1)], 0).different(&0.into()).into()).collect();
    assert_eq!(solve_checked(&deeper, &Budget::unlimited()), Answer::Unknown(StopReason::Depth));
}

#[test]
fn a_proof_that_is_too_deep_is_refused() {
    let mut proof = Proof { steps: Vec::new(), end: End::Farkas(vec![(Premise::Given(0), Int::ONE)]) };
    for case in 0..3_000 {
        let at_least = Box::new(Proof { steps: Vec::new(), end: End::Farkas(vec![(Premise::Given(0), Int::ONE)]) });
        let end = End::Split { form: Var(0).into(), case: 3_000 - case, at_most: Box::new(proof), at_least };
        proof = Proof { steps: Vec::new(), end };
    }
    let absurd = equal(&[], 1);
    assert_eq!(check(&[absurd], &proof), Err(Fault::TooDeep));
}
