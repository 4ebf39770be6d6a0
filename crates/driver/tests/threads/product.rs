//! All interleavings as one program.

use std::collections::BTreeSet;

use base::{Budget, Silent};
use engine::summary::Summary;
use engine::{Context, Engine, Task};
use program::{Bound, LocationId, interp, verify};
use transform::interleaving::interleaving;
use transform::thread_slots::{has_spawns, with_slots};

use super::{everywhere, explicit, random_program};

#[test]
fn the_interleavings_reach_what_the_threads_reach_within_many_switches() {
    let (mut n_equal, mut n_certified) = (0, 0);
    for seed in 0..300 {
        let mut program = random_program(seed);
        if has_spawns(&program) {
            let Ok(slots) = with_slots(&program, &[], 2, true) else { continue };
            program = slots.program;
        }
        let targets = everywhere(&program);
        let Ok(product) = interleaving(&program, &targets) else { continue };
        // No small program needs more switches than that.
        let Some(original) = explicit(&program, &targets, Bound::Switches(60)).filter(|it| it.stopped.is_none()) else {
            continue;
        };
        assert_eq!(verify(&product.program), Ok(()));
        let (goals, lengths) = (&product.goals, &[]);
        let task =
            Task { program: &product.program, targets: goals, lengths, bound: None, traces: true, certificate: true };
        let budget = Budget::unlimited();
        let answer = Summary.solve(&task, &Context { budget: &budget, observer: &Silent });
        assert_eq!(answer.stopped, None);
        let target = |goal: &LocationId| targets[goals.iter().position(|it| it == goal).expect("a goal")];
        for (goal, trace) in &answer.traces {
            let back = product.trace_back(&program, trace).expect("a trace of the interleavings");
            interp::replay(&program, &back, target(goal)).unwrap_or_else(|error| {
                let texts = [&program, &product.program].map(program::text::print);
                panic!("{error}, {:?}\n{}\n{}\n{back:#?}", target(goal), texts[0], texts[1])
            });
        }
        let reached: BTreeSet<LocationId> = answer.reached.iter().map(target).collect();
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        assert_eq!(reached, original, "seed {seed}\n{}", program::text::print(&program));
        if let Some(certificate) = &answer.certificate {
            assert_eq!(witness::validate(&product.program, certificate, &budget), Ok(()), "seed {seed}");
            n_certified += 1;
        }
        n_equal += 1;
    }
    assert!(n_equal > 60 && n_certified > 30, "{n_equal} {n_certified}");
}
