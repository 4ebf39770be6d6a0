//! Sequentialization.

use std::collections::BTreeSet;

use base::Budget;
use engine::summary::Summary;
use program::{Bound, LocationId};
use transform::sequentialize::Sequentialize;
use transform::thread_slots::has_spawns;

use super::{Rewrote, everywhere, explicit, random_program, slotted};

#[test]
fn a_sequential_program_reaches_what_the_threads_reach() {
    let (mut n_equal, mut n_spawning) = (0, 0);
    for seed in 0..200 {
        let mut program = random_program(seed);
        let spawns = has_spawns(&program);
        if spawns {
            let Some(with_slots) = slotted(program, 2 + u32::from(seed.is_multiple_of(2)), seed % 4 < 2) else {
                continue;
            };
            program = with_slots;
        }
        let targets = everywhere(&program);
        let bound = if seed % 3 == 2 { Bound::Rounds(1 + seed as u32 % 2) } else { Bound::Switches(seed as u32 % 3) };
        let Some(original) = explicit(&program, &targets, bound).filter(|it| it.stopped.is_none()) else { continue };
        let Some(sequential) = Rewrote::by(&Sequentialize { bound }, &program, &targets) else { continue };
        let (reached, certified) = sequential.reached(&Summary, None, &Budget::unlimited()).expect("there is no limit");
        assert!(certified.is_none(), "a proof up to a bound is no proof");
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        assert_eq!(reached, original, "seed {seed}, {bound}\n{}", program::text::print(&program));
        n_equal += 1;
        n_spawning += u32::from(spawns);
    }
    assert!(n_equal > 40 && n_spawning > 5, "{n_equal} {n_spawning}");
}
