//! `init` removed.

use std::collections::BTreeSet;

use base::Budget;
use engine::Engine as _;
use engine::init::WithoutInit;
use engine::network::Network;
use program::{Bound, LocationId};

use super::{Rewrote, everywhere, explicit, random_program};

#[test]
fn threads_that_start_with_what_init_leaves_reach_what_they_reach_after_it() {
    let (mut n_equal, mut n_inside) = (0, 0);
    for seed in 0..400 {
        let program = random_program(seed);
        if program.init.is_none() || Network::Lazy.supports(&program).is_err() {
            continue;
        }
        let (targets, bound) = (everywhere(&program), Bound::Switches(seed as u32 % 3));
        let Some(without) = Rewrote::by(&WithoutInit, &program, &targets) else { continue };
        let Some(original) = explicit(&program, &targets, bound).filter(|it| it.stopped.is_none()) else { continue };
        let Some((reached, _)) = without.reached(&Network::Lazy, Some(bound), &Budget::unlimited()) else { continue };
        let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
        assert_eq!(reached, original, "seed {seed}, {bound}\n{}", program::text::print(&program));
        n_equal += 1;
        n_inside += without.way.steps()[0].back.found().len();
    }
    assert!(n_equal > 10 && n_inside > 20, "{n_equal} {n_inside}");
}
