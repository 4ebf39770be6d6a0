//! Thread slots.

use std::collections::BTreeSet;

use program::{Bound, LocationId, interp, verify};
use transform::thread_slots::{has_spawns, with_slots};

use super::{everywhere, explicit, random_program};

/// What a slotted program reaches, in terms of the original, with every trace replayed on the original; and whether
/// there were too few slots.
fn slotted(
    program: &program::Program,
    targets: &[LocationId],
    (max_threads, bound): (u32, Bound),
) -> Option<(BTreeSet<LocationId>, bool)> {
    let reuse = matches!(bound, Bound::Switches(_));
    let slots = with_slots(program, targets, max_threads, reuse).ok()?;
    assert_eq!(verify(&slots.program), Ok(()));
    let arrivals = slots.arrivals.iter().map(|(arrival, _)| *arrival);
    let all: Vec<LocationId> = targets.iter().copied().chain(arrivals).chain(slots.full.iter().copied()).collect();
    let answer = explicit(&slots.program, &all, bound)?;
    let original = |location: LocationId| {
        let arrival = slots.arrivals.iter().find(|(arrival, _)| *arrival == location);
        arrival.map_or(location, |(_, target)| *target)
    };
    for (location, trace) in answer.traces.iter().filter(|(location, _)| !slots.full.contains(location)) {
        let back = slots.trace_back(trace);
        interp::replay(program, &back, original(*location)).unwrap_or_else(|error| {
            let texts = [program, &slots.program].map(program::text::print);
            panic!("{error}\n{}\n{}\n{trace:#?}\n{back:#?}", texts[0], texts[1])
        });
    }
    let is_full = answer.reached.iter().any(|location| slots.full.contains(location));
    let reached = answer.reached.into_iter().filter(|location| !slots.full.contains(location)).map(original);
    Some((reached.collect(), is_full))
}

#[test]
fn a_program_with_slots_reaches_what_the_original_reaches() {
    let (mut n_equal, mut n_full) = (0, 0);
    for seed in 0..350 {
        let program = random_program(seed);
        let targets = everywhere(&program);
        let bound = if seed % 4 == 3 { Bound::Rounds(2) } else { Bound::Switches(seed as u32 % 3) };
        if !has_spawns(&program) {
            continue;
        }
        let Some((reached, is_full)) = slotted(&program, &targets, (3, bound)) else { continue };
        let Some(original) = explicit(&program, &targets, bound) else { continue };
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        if is_full {
            assert!(reached.is_subset(&original), "seed {seed}");
            n_full += 1;
        } else {
            assert_eq!(reached, original, "seed {seed}, {bound}");
            n_equal += 1;
        }
    }
    assert!(n_equal > 80 && n_full > 4, "{n_equal} {n_full}");
}
