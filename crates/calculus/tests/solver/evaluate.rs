//! Answers of the solver, in all its ways, against the literal semantics.

use std::collections::BTreeMap;

use base::{Budget, Silent};
use bdd::{Config, Manager};
use calculus::print::Printer;
use calculus::{Control, Halt, Options, Order, Plan, RelationKind, Solver, System};

use crate::dice::Dice;
use crate::literal::{Literal, Trouble, Tuples};
use crate::model::Small;
use crate::random::{self, Style};

/// What the literal semantics says about all queries.
pub(crate) fn expected(system: &System, model: &Small) -> Result<Vec<Tuples>, Trouble> {
    let mut literal = Literal { system, signature: &model.signature, inputs: &model.inputs, work: 3_000_000 };
    let mut answers = Vec::new();
    for query in &system.queries {
        let values = literal.relations_of(&query.formula, &BTreeMap::new())?;
        answers.push(literal.solutions(&query.free, &query.formula, &values)?);
    }
    Ok(answers)
}

pub(crate) fn solved(system: &System, model: &mut Small, control: Control, literal: bool) -> Result<Vec<Tuples>, Halt> {
    let answers = limited(system, model, control, literal, usize::MAX)?;
    Ok(answers.into_iter().map(|tuples| tuples.into_iter().collect()).collect())
}

/// Some solutions of all queries.
pub(crate) fn limited(
    system: &System,
    model: &mut Small,
    control: Control,
    literal: bool,
    limit: usize,
) -> Result<Vec<Vec<Vec<u64>>>, Halt> {
    answers(&Plan::new(system, &model.signature, control), system, model, literal, limit)
}

fn answers(
    plan: &Plan,
    system: &System,
    model: &mut Small,
    literal: bool,
    limit: usize,
) -> Result<Vec<Vec<Vec<u64>>>, Halt> {
    let options = Options { literal, ..Options::default() };
    let budget = Budget::unlimited();
    let mut solver = Solver::new(plan, model, Manager::new(&Config::small()), options, &budget, &Silent)?;
    solver.solve()?;
    (0..system.queries.len()).map(|query| solver.solutions(query, limit)).collect()
}

/// All plans of a system: multiplied out, and as it is written.
fn plans(system: &System, model: &Small) -> Vec<(String, Plan)> {
    let controls = [Control::Explicit, Control::Symbolic];
    let named = controls.into_iter().flat_map(|control| {
        [1 << 11, 0].map(|most| {
            let plan = Plan::with_most_clauses(system, &model.signature, control, most);
            (format!("{control:?}, at most {most} clauses"), plan)
        })
    });
    named.collect()
}

/// The value in a round, when the last of the rounds has returned to an earlier one.
fn round(rounds: &[Tuples], at: u64) -> &Tuples {
    let last = rounds.len() - 1;
    let start = rounds.iter().position(|value| *value == rounds[last]).unwrap_or(last);
    let at = at as usize;
    if at < last { &rounds[at] } else { &rounds[start + (at - start) % (last - start)] }
}

/// What came out of a seed.
#[derive(Default, Debug)]
struct Tally {
    values: usize,
    oscillations: usize,
    too_long: usize,
    unneeded: usize,
}

fn check(seed: u64, tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let mut model = Small::new(&mut dice);
    let style = if dice.once_in(3) { Style::Positive } else { Style::Any };
    let system = random::system(&mut dice, &model, style);
    calculus::fuzz::verify(&system);
    let expected = expected(&system, &model);
    if expected == Err(Trouble::TooLong) {
        tally.too_long += 1;
        return;
    }
    for (name, plan) in plans(&system, &model) {
        for literal in [true, false] {
            let found = answers(&plan, &system, &mut model, literal, usize::MAX);
            let found: Result<Vec<Tuples>, Halt> =
                found.map(|all| all.into_iter().map(|tuples| tuples.into_iter().collect()).collect());
            let text = || Printer::new(&system, &model.signature).system();
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => {
                    for ((expected, found), query) in expected.iter().zip(found).zip(&system.queries) {
                        let at = format!("seed {seed} {name} literal {literal} query {}", query.name);
                        assert_eq!(expected, found, "{at}\n{}\n{:?}", text(), model.inputs);
                    }
                    tally.values += 1;
                }
                (Err(Trouble::Oscillates(relation, rounds)), Err(Halt::Oscillates { relation: name, from, to })) => {
                    let is_equation = |of: &&calculus::Relation| matches!(of.kind, RelationKind::Fixpoint(..));
                    if system.relations.iter().filter(is_equation).count() == 1 {
                        assert_eq!(*name, system.relations[*relation].name, "seed {seed}");
                        assert!(from < to && round(rounds, *from) == round(rounds, *to), "seed {seed}: {from} {to}");
                    }
                    tally.oscillations += 1;
                }
                // Clauses that contradict themselves are dropped, and with them the relations that only they use.
                (Err(Trouble::Oscillates(..)), Ok(_)) => tally.unneeded += 1,
                _ => panic!("seed {seed} {name} literal {literal}: {expected:?} but {found:?}\n{}", text()),
            }
        }
    }
}

fn check_all(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    let n = seeds.clone().count();
    seeds.for_each(|seed| check(seed, &mut tally));
    assert!(tally.values > 6 * n && tally.oscillations > n / 10, "most systems have values, some do not: {tally:?}");
    assert!(tally.unneeded < n / 10 && tally.too_long < n / 20, "nearly all are compared: {tally:?}");
}

#[test]
fn random_systems() {
    check_all(0..500);
}

/// The answers to all queries, the order that is learnt from them, and whether another one was begun with.
fn learnt(plan: &Plan, system: &System, model: &mut Small) -> Option<(Vec<Tuples>, Option<Order>, bool)> {
    let budget = Budget::unlimited();
    let manager = Manager::new(&Config::small());
    let mut solver = Solver::new(plan, model, manager, Options::default(), &budget, &Silent).ok()?;
    let is_moved = !solver.manager().order().is_sorted();
    solver.solve().ok()?;
    let answers = (0..system.queries.len()).map(|query| solver.solutions(query, usize::MAX));
    let answers: Result<Vec<Tuples>, Halt> = answers.map(|tuples| Ok(tuples?.into_iter().collect())).collect();
    Some((answers.ok()?, solver.learn_order().ok()?, is_moved))
}

#[test]
fn a_learnt_order_changes_no_answer() {
    let mut n_moved = 0;
    for seed in 0..50 {
        let mut dice = Dice::new(seed);
        let mut model = Small::new(&mut dice);
        let system = random::system(&mut dice, &model, Style::Positive);
        for control in [Control::Explicit, Control::Symbolic] {
            let mut plan = Plan::new(&system, &model.signature, control);
            let Some((before, Some(order), false)) = learnt(&plan, &system, &mut model) else {
                panic!("seed {seed}: there is something to learn from")
            };
            plan.set_order(order);
            let Some((after, _, is_moved)) = learnt(&plan, &system, &mut model) else {
                panic!("seed {seed}: it can be solved in another order")
            };
            assert_eq!(before, after, "seed {seed} {control:?}");
            n_moved += usize::from(is_moved);
        }
    }
    assert!(n_moved > 20, "only {n_moved} orders were different ones");
}
