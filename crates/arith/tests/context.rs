//! Many questions in one context: each answer is that of a question from nothing.

mod common;

use arith::proof::{End, Premise, Proof, Rule, check};
use arith::{Answer, Condition, Constraint, Context, Formula, Int, Linear, Var};
use base::Budget;
use common::{Random, Shape, conjunction, constraint, formula, solve_checked};

fn same_as_alone(context: &mut Context, asserted: &[Condition], assumed: &[Condition]) {
    let all: Vec<Condition> = asserted.iter().chain(assumed).copied().collect();
    let alone: Vec<Formula> = all.iter().map(|id| context.conditions()[id.0 as usize].clone()).collect();
    let expected = solve_checked(&alone, &Budget::unlimited());
    match context.check(assumed, &Budget::unlimited()) {
        Answer::Sat(model) => assert!(expected.is_sat() && alone.iter().all(|condition| condition.holds(&model))),
        Answer::Unsat(proof) => {
            assert!(expected.is_unsat());
            assert_eq!(check(context.conditions(), &proof), Ok(()));
            assert!(proof.core().iter().all(|place| all.contains(&Condition(*place))), "{proof:?}");
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn assertions_levels_and_assumptions() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let shape = Shape { n_vars: 3, n_constraints: 0, max_factor: 1 + round % 4, max_constant: 8 };
        let mut context = Context::new();
        let mut ids: Vec<Condition> = (0..8).map(|_| context.add(constraint(&mut random, shape))).collect();
        ids.extend((0..4).map(|_| context.add(formula(&mut random, shape, 1))));
        let mut levels: Vec<Vec<Condition>> = vec![Vec::new()];
        for _ in 0..60 {
            let id = ids[random.below(12) as usize];
            match random.below(6) {
                0 => {
                    context.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    context.pop();
                    levels.pop();
                }
                2 if levels.len() > 1 => {
                    context.assert(id);
                    levels.last_mut().expect("a level").push(id);
                }
                _ => {
                    let assumed: Vec<Condition> =
                        (0..random.below(4)).map(|_| ids[random.below(12) as usize]).collect();
                    same_as_alone(&mut context, &levels.concat(), &assumed);
                }
            }
        }
    }
}

#[test]
fn a_limit_leaves_the_context_as_it_was() {
    let mut context = Context::new();
    let form = |a: i64, b: i64| Linear::new([(Var(0), a), (Var(1), b)], 0);
    let strip = [
        form(-11, -13).at_most(&(-27).into()),
        form(11, 13).at_most(&45.into()),
        form(-7, 9).at_most(&10.into()),
        form(7, -9).at_most(&4.into()),
    ];
    let ids = strip.map(|side| context.add(side));
    for steps in 0..40 {
        let _ = context.check(&ids, &Budget::unlimited().with_max_steps(Some(steps)));
        assert!(context.check(&ids[..3], &Budget::unlimited()).is_sat());
    }
    same_as_alone(&mut context, &[], &ids);
}

/// Every number of a proof, changed by one: refused, or still a proof by the checker's own reading.
#[test]
fn damaged_proofs() {
    let mut random = Random::new(5);
    let (mut refused, mut accepted, mut satisfiable) = (0, 0, 0);
    for round in 0..600 {
        let shape = Shape { n_vars: 3, n_constraints: 3 + round % 4, max_factor: 4, max_constant: 9 };
        let conditions = conjunction(&mut random, shape);
        let Answer::Unsat(proof) = solve_checked(&conditions, &Budget::unlimited()) else { continue };
        for change in [-1, 1] {
            let mut damaged = proof.clone();
            damage(&mut damaged, change);
            match check(&conditions, &damaged) {
                Ok(()) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
        // Without its premises nothing is proved.
        assert!(check(&[], &proof).is_err());
        // Nothing is proved about conditions that have a solution, however near they are.
        for _ in 0..10 {
            let near: Vec<Formula> = conditions.iter().map(|condition| shifted(condition, &mut random)).collect();
            if solve_checked(&near, &Budget::unlimited()).is_sat() {
                satisfiable += 1;
                assert!(check(&near, &proof).is_err(), "{near:?}");
            }
        }
    }
    assert!(refused > 300 && satisfiable > 300, "{refused} refused, {accepted} accepted, {satisfiable} satisfiable");
}

/// The condition with another constant.
fn shifted(condition: &Formula, random: &mut Random) -> Formula {
    let Formula::Constraint(Constraint { form, relation }) = condition else { return condition.clone() };
    Constraint::new(form + &Linear::from(random.between(-2, 1)), *relation).into()
}

fn damage(proof: &mut Proof, change: i64) {
    for step in &mut proof.steps {
        if let Rule::Combination { sum, .. } = &mut step.rule {
            change_first(sum, change);
            return;
        }
    }
    match &mut proof.end {
        End::Farkas(sum) | End::Indivisible { sum, .. } => change_first(sum, change),
        End::Split { form, .. } => *form = &*form + &Linear::from(change),
        End::Cases { branches, .. } => branches.iter_mut().take(1).for_each(|branch| damage(branch, change)),
    }
}

fn change_first(sum: &mut [(Premise, Int)], change: i64) {
    if let Some((_, multiple)) = sum.first_mut() {
        *multiple += &Int::from(change);
    }
}
