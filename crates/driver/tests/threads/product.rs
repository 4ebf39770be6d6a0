//! All interleavings as one program.

use std::collections::BTreeSet;

use base::Budget;
use engine::summary::Summary;
use program::{Bound, LocationId};
use transform::interleaving::{self, Interleave};
use transform::thread_slots::has_spawns;

use super::{Rewrote, everywhere, explicit, random_program, slotted};

#[test]
fn the_interleavings_reach_what_the_threads_reach_within_many_switches() {
    let (mut n_equal, mut n_certified) = (0, 0);
    for seed in 0..300 {
        let mut program = random_program(seed);
        if has_spawns(&program) {
            let foreseen = interleaving::supports(&program, 2_usize.saturating_sub(program.threads.len()));
            let Some(with_slots) = slotted(program, 2, true) else { continue };
            program = with_slots;
            assert_eq!(
                interleaving::supports(&program, 0),
                foreseen,
                "seed {seed}\n{}",
                program::text::print(&program)
            );
        }
        let targets = everywhere(&program);
        let Some(product) = Rewrote::by(&Interleave, &program, &targets) else { continue };
        // No small program needs more switches than that.
        let Some(original) = explicit(&program, &targets, Bound::Switches(60)).filter(|it| it.stopped.is_none()) else {
            continue;
        };
        let budget = Budget::unlimited();
        let (reached, certified) = product.reached(&Summary, None, &budget).expect("there is no limit");
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        assert_eq!(reached, original, "seed {seed}\n{}", program::text::print(&program));
        if let Some(certified) = certified {
            let about = certified.about.expect("it is about the interleavings");
            assert_eq!(witness::validate(&about, &certified.certificate, &budget), Ok(()), "seed {seed}");
            n_certified += 1;
        }
        n_equal += 1;
    }
    assert!(n_equal > 60 && n_certified > 30, "{n_equal} {n_certified}");
}
