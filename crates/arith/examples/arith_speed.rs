//! Microseconds per question; run with `cargo run --release -p arith --example arith_speed`.
//!
//! Small: conjunctions over three variables, as predicate abstraction asks them, each from nothing, and as cubes over
//! prepared predicates in one context. Large: traces of a loop as one infeasible system.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use arith::{Answer, Condition, Constraint, Context, Formula, Linear, Relation, Var, interpolate, proof, solve};
use base::Budget;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + ((self.next() >> 16) % ((high - low + 1) as u64)) as i64
    }
}

fn constraint(random: &mut Random, n_vars: u32, max_factor: i64) -> Constraint {
    let terms: Vec<(Var, i64)> = (0..n_vars).map(|var| (Var(var), random.between(-max_factor, max_factor))).collect();
    let relation = match random.between(0, 7) {
        0 => Relation::Equal,
        1 => Relation::Different,
        _ => Relation::AtMost,
    };
    Constraint::new(Linear::new(terms, random.between(-10, 10)), relation)
}

/// The best of three, so that a busy machine matters less.
fn best(ask: &mut impl FnMut() -> Answer) -> Duration {
    let time = |_| {
        let start = Instant::now();
        let _ = ask();
        start.elapsed()
    };
    (0..3).map(time).min().unwrap_or_default()
}

/// The median, the ninety-ninth percentile and the sum of some times.
fn report(name: &str, mut times: Vec<Duration>, sat: usize) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_nanos() as f64 / 1000.0;
    let mean = times.iter().sum::<Duration>().as_nanos() as f64 / 1000.0 / times.len() as f64;
    let (median, slow, worst) = (at(0.5), at(0.99), at(1.0));
    let n = times.len();
    println!("{name:44} median {median:7.2} us, mean {mean:7.2}, 99 % {slow:7.2}, worst {worst:9.2}; {sat} of {n} sat");
}

fn questions(name: &str, n_vars: u32, n_constraints: usize, max_factor: i64) {
    let mut random = Random(1);
    let mut times = Vec::new();
    let mut sat = 0;
    for _ in 0..10_000 {
        let conditions: Vec<Formula> =
            (0..n_constraints).map(|_| constraint(&mut random, n_vars, max_factor).into()).collect();
        let budget = Budget::unlimited().with_max_steps(Some(100_000));
        let mut ask = || black_box(solve(&conditions, &budget));
        times.push(best(&mut ask));
        sat += usize::from(ask().is_sat());
    }
    report(name, times, sat);
}

/// Cubes over ten predicates with their negations, after an assignment `x3 = x0 + 1`.
fn cubes() {
    let mut random = Random(7);
    let mut context = Context::new();
    let step: Constraint = Linear::from(Var(3)).equal(&Linear::new([(Var(0), 1)], 1));
    let step = context.add(step);
    context.assert(step);
    let predicates: Vec<[Condition; 2]> = (0..10)
        .map(|_| {
            let constraint = constraint(&mut random, 4, 1);
            [context.add(constraint.negated()), context.add(constraint)]
        })
        .collect();
    let budget = Budget::unlimited();
    let (mut times, mut sat) = (Vec::new(), 0);
    for cube in 0..20_000_usize {
        let size = 1 + cube % 5;
        let literals: Vec<Condition> =
            (0..size).map(|_| predicates[random.between(0, 9) as usize][random.between(0, 1) as usize]).collect();
        // Not the best of several: the second time the tableau is where the first one left it.
        let start = Instant::now();
        let answer = black_box(context.check(&literals, &budget));
        times.push(start.elapsed());
        sat += usize::from(answer.is_sat());
    }
    report("cubes of 1 to 5 of 10 predicates", times, sat);
}

/// A loop `while (x < n) { x += 2; y += 1 }` unwound: x = 2 y at the end of every round, and then it is not.
fn trace(n_rounds: u32) {
    let var = |round: u32, which: u32| Linear::from(Var(3 * round + which));
    let mut conditions: Vec<Formula> = vec![var(0, 0).equal(&0.into()).into(), var(0, 1).equal(&0.into()).into()];
    for round in 0..n_rounds {
        conditions.push(var(round, 0).less(&var(round, 2)).into());
        conditions.push(var(round + 1, 0).equal(&(&var(round, 0) + &2.into())).into());
        conditions.push(var(round + 1, 1).equal(&(&var(round, 1) + &1.into())).into());
        conditions.push(var(round + 1, 2).equal(&var(round, 2)).into());
    }
    let double = &var(n_rounds, 1) + &var(n_rounds, 1);
    conditions.push(var(n_rounds, 0).less(&double).into());
    let start = Instant::now();
    let answer = solve(&conditions, &Budget::unlimited());
    let elapsed = start.elapsed();
    let Answer::Unsat(refuted) = answer else { return };
    let start = Instant::now();
    let accepted = proof::check(&conditions, &refuted).is_ok();
    let checked = start.elapsed();
    let n_parts = n_rounds as usize + 2;
    // Two conditions at the start, four in each round, one at the end.
    let part_of: Vec<usize> = (0..conditions.len()).map(|place| (place + 2) / 4).collect();
    let start = Instant::now();
    let interpolants = interpolate::sequence(&conditions, &part_of, n_parts, &refuted);
    println!(
        "trace of {n_rounds} rounds, {} constraints: {elapsed:?}, core {}, one combination: {}; checked in {checked:?}: \
         {accepted}; {} interpolants in {:?}",
        conditions.len(),
        refuted.core().len(),
        refuted.is_farkas(),
        interpolants.iter().flatten().count(),
        start.elapsed()
    );
}

fn main() {
    questions("3 variables, 4 constraints, factors to 1", 3, 4, 1);
    questions("3 variables, 6 constraints, factors to 1", 3, 6, 1);
    questions("3 variables, 6 constraints, factors to 5", 3, 6, 5);
    questions("3 variables, 10 constraints, factors to 5", 3, 10, 5);
    questions("5 variables, 8 constraints, factors to 5", 5, 8, 5);
    cubes();
    for n_rounds in [10, 50, 100, 200, 400] {
        trace(n_rounds);
    }
}
