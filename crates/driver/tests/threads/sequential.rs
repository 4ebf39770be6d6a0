//! Sequentialization.

use std::collections::BTreeSet;

use base::{Budget, Silent};
use engine::summary::Summary;
use engine::{Context, Engine, Task};
use program::{Bound, LocationId, Program, interp, verify};
use transform::sequentialize::sequentialize;
use transform::thread_slots::{has_spawns, with_slots};

use super::{everywhere, explicit, random_program};

/// What the sequential program reaches, in terms of the original, with every trace replayed on the original.
fn sequential(program: &Program, targets: &[LocationId], bound: Bound) -> Option<BTreeSet<LocationId>> {
    let sequential = sequentialize(program, targets, bound).ok()?;
    assert_eq!(verify(&sequential.program), Ok(()));
    let task = Task {
        program: &sequential.program,
        targets: &sequential.goals,
        lengths: &[],
        bound: None,
        traces: true,
        certificate: false,
    };
    let budget = Budget::unlimited();
    let answer = Summary.solve(&task, &Context { budget: &budget, observer: &Silent });
    assert_eq!(answer.stopped, None);
    let original = |goal: &LocationId| {
        let at = sequential.goals.iter().position(|it| it == goal);
        targets[at.expect("engines reach what was asked for")]
    };
    for (goal, trace) in &answer.traces {
        let back = sequential.trace_back(program, trace).expect("a trace of the sequential program");
        interp::replay(program, &back, original(goal)).unwrap_or_else(|error| {
            let texts = [program, &sequential.program].map(program::text::print);
            panic!("{error}, {:?}\n{}\n{}\n{back:#?}", original(goal), texts[0], texts[1])
        });
    }
    Some(answer.reached.iter().map(original).collect())
}

#[test]
fn a_sequential_program_reaches_what_the_threads_reach() {
    let (mut n_equal, mut n_spawning) = (0, 0);
    for seed in 0..200 {
        let mut program = random_program(seed);
        let spawns = has_spawns(&program);
        if spawns {
            let Ok(slots) = with_slots(&program, &[], 2 + u32::from(seed.is_multiple_of(2)), seed % 4 < 2) else {
                continue;
            };
            program = slots.program;
        }
        let targets = everywhere(&program);
        let bound = if seed % 3 == 2 { Bound::Rounds(1 + seed as u32 % 2) } else { Bound::Switches(seed as u32 % 3) };
        let Some(original) = explicit(&program, &targets, bound).filter(|it| it.stopped.is_none()) else { continue };
        let Some(reached) = sequential(&program, &targets, bound) else { continue };
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        assert_eq!(reached, original, "seed {seed}, {bound}\n{}", program::text::print(&program));
        n_equal += 1;
        n_spawning += u32::from(spawns);
    }
    assert!(n_equal > 40 && n_spawning > 5, "{n_equal} {n_spawning}");
}
