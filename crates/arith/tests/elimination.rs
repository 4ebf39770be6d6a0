//! Elimination against enumeration: at every point, the result says whether a value exists.

mod common;

use arith::{Formula, Linear, Model, Var, eliminate};
use base::{Budget, StopReason};
use common::{Random, Shape, box_of, conjunction, formula, points};

/// Variables 0 and 1 stay; the others, which are in a box of the given size, are eliminated.
fn check(conditions: &[Formula], n_vars: u32, size: i64) {
    let condition = Formula::All(conditions.to_vec());
    let vars: Vec<Var> = (2..n_vars).map(Var).collect();
    let Ok(result) = eliminate(&vars, &condition, &Budget::unlimited()) else { panic!("no limit was set") };
    assert!(result.variables().iter().all(|var| var.0 < 2), "{result}");
    for point in points(2, 4) {
        let exists = points(n_vars - 2, size).any(|rest| {
            let joined: Model = point
                .iter()
                .map(|(var, value)| (var, value.clone()))
                .chain(rest.iter().map(|(var, value)| (Var(var.0 + 2), value.clone())))
                .collect();
            condition.holds(&joined)
        });
        assert_eq!(result.holds(&point), exists, "{condition} at {point:?} gave {result}");
    }
}

fn in_box(mut conditions: Vec<Formula>, n_vars: u32, size: i64) -> Vec<Formula> {
    conditions.extend(box_of(n_vars, size).into_iter().skip(4));
    conditions
}

#[test]
fn one_variable_of_a_conjunction() {
    let mut random = Random::new(1);
    for round in 0..1_500 {
        let shape = Shape { n_vars: 3, n_constraints: 1 + round % 4, max_factor: 6, max_constant: 12 };
        check(&in_box(conjunction(&mut random, shape), 3, 10), 3, 10);
    }
}

#[test]
fn two_variables_of_a_conjunction() {
    let mut random = Random::new(2);
    for round in 0..300 {
        let shape = Shape { n_vars: 4, n_constraints: 1 + round % 3, max_factor: 3, max_constant: 8 };
        check(&in_box(conjunction(&mut random, shape), 4, 3), 4, 3);
    }
}

#[test]
fn one_variable_of_any_condition() {
    let mut random = Random::new(3);
    for round in 0..500 {
        let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 3, max_constant: 6 };
        let conditions = (0..1 + round % 3).map(|_| formula(&mut random, shape, 2)).collect();
        check(&in_box(conditions, 3, 6), 3, 6);
    }
}

/// Without bounds on one side, only divisibility is left.
#[test]
fn unbounded_variables() {
    let [x, y] = [Var(0), Var(1)];
    let condition: Formula = Linear::new([(x, 1), (y, -3)], 1).equal(&0.into()).into();
    let result = eliminate(&[y], &condition, &Budget::unlimited());
    assert_eq!(result.map(|result| result.to_string()), Ok("3 | x0 + 1".to_owned()));
    let condition: Formula = Linear::new([(x, 1), (y, -3)], 1).at_most(&0.into()).into();
    assert_eq!(eliminate(&[y], &condition, &Budget::unlimited()), Ok(Formula::TRUE));
}

#[test]
fn the_budget_is_kept() {
    let [x, y] = [Var(0), Var(1)];
    let huge = i64::MAX / 3;
    let condition = Formula::all([
        Linear::new([(x, 1), (y, -huge)], 1).at_most(&0.into()).into(),
        Linear::new([(x, -2), (y, huge - 1)], 1).at_most(&0.into()).into(),
    ]);
    let budget = Budget::unlimited().with_max_steps(Some(1_000));
    assert_eq!(eliminate(&[y], &condition, &budget), Err(StopReason::Steps));
}
