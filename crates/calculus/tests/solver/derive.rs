//! The facts that a solution is said to rest on are enough for it.

use std::collections::BTreeMap;

use base::{Budget, Silent};
use bdd::{Config, Manager};
use calculus::print::Printer;
use calculus::{Control, Domain, Fact, Options, Plan, Solver, System};

use crate::dice::Dice;
use crate::literal::{Literal, Tuples};
use crate::model::Small;
use crate::random::{self, Style};

/// A fact as a tuple of its input.
fn tuple(model: &Small, fact: &Fact) -> Vec<u64> {
    let (mut key, mut bits) = (fact.key.iter(), fact.bits.iter());
    let mut value = |column: &Option<usize>| {
        let width = match column.map(|sort| &model.signature.sorts[sort].domain) {
            Some(Domain::Listed(_) | Domain::Counted(_)) => {
                return key.next().map_or(u64::MAX, |value| u64::from(*value));
            }
            Some(Domain::Bits(width)) => *width,
            None => 1,
        };
        bits.by_ref().take(width).enumerate().map(|(at, bit)| u64::from(bit) << at).sum()
    };
    model.signature.inputs[fact.input].columns.iter().map(&mut value).collect()
}

/// The listed values of the solutions of a query when only some facts hold.
fn rederived(system: &System, model: &Small, facts: &[Tuples], query: usize) -> Option<Vec<Vec<u32>>> {
    let mut literal = Literal { system, signature: &model.signature, inputs: facts, work: 3_000_000 };
    let query = &system.queries[query];
    let values = literal.relations_of(&query.formula, &BTreeMap::new()).ok()?;
    let solutions = literal.solutions(&query.free, &query.formula, &values).ok()?;
    let is_listed = |at: &usize| match system.sorts[system.variables[query.free[*at]].sort].kind {
        calculus::SortKind::Model(sort) => model.signature.sorts[sort].domain.n_listed().is_some(),
        calculus::SortKind::Bool => false,
        calculus::SortKind::Enum(_) | calculus::SortKind::Range(..) => true,
    };
    let listed: Vec<usize> = (0..query.free.len()).filter(is_listed).collect();
    Some(solutions.into_iter().map(|tuple| listed.iter().map(|at| tuple[*at] as u32).collect()).collect())
}

fn check(seed: u64, control: Control, most: usize) -> usize {
    let mut dice = Dice::new(seed);
    let mut model = Small::new(&mut dice);
    let system = random::system(&mut dice, &model, Style::Monotone);
    let plan = Plan::with_most_clauses(&system, &model.signature, control, most);
    assert!((0..system.queries.len()).all(|query| plan.is_positive(query)));
    let options = Options { history: true, ..Options::default() };
    let budget = Budget::unlimited();
    let manager = Manager::new(&Config::small());
    let Ok(mut solver) = Solver::new(&plan, &mut model, manager, options, &budget, &Silent) else { return 0 };
    assert!(solver.solve().is_ok());
    let mut n_derived = 0;
    for query in 0..system.queries.len() {
        for key in solver.keys(query).unwrap_or_default().into_iter().take(3) {
            // Of other columns than listed ones nothing is said, so keys are enough.
            let mut facts: Vec<Fact> = Vec::new();
            let mut take = |fact: Fact| {
                facts.push(fact);
                Ok(())
            };
            assert!(solver.derive(query, &key, &mut take).is_ok());
            let mut only = vec![Tuples::new(); model.inputs.len()];
            for fact in &facts {
                let tuple = tuple(&model, fact);
                assert!(model.inputs[fact.input].contains(&tuple), "seed {seed}: {fact:?} is no fact");
                only[fact.input].insert(tuple);
            }
            let Some(found) = rederived(&system, &model, &only, query) else { continue };
            let text = || Printer::new(&system, &model.signature).system();
            assert!(
                found.contains(&key),
                "seed {seed} {control:?} {most} query {query} {key:?}: {facts:?}\n{}",
                text()
            );
            n_derived += usize::from(!facts.is_empty());
        }
    }
    n_derived
}

#[test]
fn facts_are_enough() {
    let both = |seed, most| check(seed, Control::Explicit, most) + check(seed, Control::Symbolic, most);
    for most in [1 << 11, 0] {
        let n_derived: usize = (0..400).map(|seed| both(seed, most)).sum();
        assert!(n_derived > 500, "{n_derived}");
    }
}

/// Solves the system without the negated uses of equations; how many solutions were derived.
fn check_core(system: &System, model: &mut Small, control: Control) -> usize {
    let core = Plan::new(system, &model.signature, control).positive_core();
    let options = Options { history: true, ..Options::default() };
    let (budget, manager) = (Budget::unlimited(), Manager::new(&Config::small()));
    let Ok(mut solver) = Solver::new(&core, model, manager, options, &budget, &Silent) else { return 0 };
    let is_solved = solver.solve().is_ok();
    let mut n_derived = 0;
    for query in (0..system.queries.len()).filter(|query| is_solved && core.is_positive(*query)) {
        for key in solver.keys(query).unwrap_or_default().into_iter().take(3) {
            assert!(solver.derive(query, &key, &mut |_| Ok(())).is_ok(), "{control:?} query {query} {key:?}");
            n_derived += 1;
        }
    }
    n_derived
}

#[test]
fn a_core_may_have_clauses_without_atoms() {
    let text = "input I0(p: Place);
        mu S(b: Bool, q: Place) = b | R(q);
        mu R(p: Place) = exists q: Place. !S(true, q);
        query reached(p: Place) = I0(p) & (exists q: Place. S(true, q));";
    let models = (0..10).map(|seed| Small::new(&mut Dice::new(seed)));
    let mut n_derived = 0;
    for mut model in models {
        let system = model.system(text, &[]);
        n_derived += check_core(&system, &mut model, Control::Explicit);
        n_derived += check_core(&system, &mut model, Control::Symbolic);
    }
    assert!(n_derived > 0, "some model has a fact");
}

#[test]
fn the_core_of_any_system_can_be_solved() {
    let mut n_derived = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut model = Small::new(&mut dice);
        let system = random::system(&mut dice, &model, Style::Any);
        n_derived += check_core(&system, &mut model, Control::Explicit);
        n_derived += check_core(&system, &mut model, Control::Symbolic);
    }
    assert!(n_derived > 100, "only {n_derived} were derived");
}
