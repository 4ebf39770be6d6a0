//! Random conditions, and the truth about them.
#![allow(dead_code, reason = "every test uses its own part")]
#![allow(unreachable_pub, reason = "shared by the tests of this crate")]

use arith::proof::check;
use arith::{Answer, Constraint, Formula, Int, Linear, Model, Relation, Var, solve};
use base::Budget;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = (i128::from(high) - i128::from(low) + 1) as u128;
        (i128::from(low) + (u128::from(self.next()) % width) as i128) as i64
    }
}

/// A kind of random conditions.
#[derive(Clone, Copy)]
pub struct Shape {
    pub n_vars: u32,
    pub n_constraints: usize,
    pub max_factor: i64,
    pub max_constant: i64,
}

pub fn linear(random: &mut Random, shape: Shape) -> Linear {
    let mut terms = Vec::new();
    for var in (0..shape.n_vars).map(Var) {
        if random.below(3) > 0 {
            terms.push((var, random.between(-shape.max_factor, shape.max_factor)));
        }
    }
    Linear::new(terms, random.between(-shape.max_constant, shape.max_constant))
}

pub fn constraint(random: &mut Random, shape: Shape) -> Constraint {
    let relation = match random.below(8) {
        0 | 1 => Relation::Equal,
        2 => Relation::Different,
        _ => Relation::AtMost,
    };
    Constraint::new(linear(random, shape), relation)
}

pub fn conjunction(random: &mut Random, shape: Shape) -> Vec<Formula> {
    (0..shape.n_constraints).map(|_| constraint(random, shape).into()).collect()
}

pub fn formula(random: &mut Random, shape: Shape, depth: u32) -> Formula {
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => Formula::divides(&Int::from(random.between(2, 5)), linear(random, shape)),
        1 => Formula::divides(&Int::from(random.between(2, 5)), linear(random, shape)).negated(),
        2..5 => constraint(random, shape).into(),
        5 => Formula::All((0..random.below(4)).map(|_| formula(random, shape, depth - 1)).collect()),
        _ => Formula::Any((0..random.below(4)).map(|_| formula(random, shape, depth - 1)).collect()),
    }
}

/// `-size <= x <= size` for all variables.
pub fn box_of(n_vars: u32, size: i64) -> Vec<Formula> {
    let sides = |var: u32| {
        let x = Linear::from(Var(var));
        [x.at_most(&size.into()).into(), Linear::from(-size).at_most(&x).into()]
    };
    (0..n_vars).flat_map(sides).collect()
}

/// All points of a box.
pub fn points(n_vars: u32, size: i64) -> impl Iterator<Item = Model> {
    let width = 2 * size + 1;
    (0..width.pow(n_vars)).map(move |number| {
        let digit = |var: u32| number / width.pow(var) % width - size;
        (0..n_vars).map(|var| (Var(var), digit(var))).collect()
    })
}

/// Solves; a model is evaluated, a proof checked.
pub fn solve_checked(conditions: &[Formula], budget: &Budget) -> Answer {
    let answer = solve(conditions, budget);
    match &answer {
        Answer::Sat(model) => assert!(conditions.iter().all(|condition| condition.holds(model)), "{conditions:?}"),
        Answer::Unsat(proof) => assert_eq!(check(conditions, proof), Ok(()), "{conditions:?}\n{proof:#?}"),
        Answer::Unknown(_) => {}
    }
    answer
}
