//! Procedures with one entry, and returns that cannot fail.

use std::collections::BTreeSet;

use base::Budget;
use engine::explicit::Explicit;
use program::random::{self, Shape};
use program::{LocationId, Program};
use transform::Rewriting;
use transform::entries::SplitEntries;
use transform::returns::SplitReturns;

use super::{Rewrote, ask, everywhere};

/// Programs with one thread on which the rewriting had something to do, and agreed with the original.
fn agrees(rewriting: &dyn Rewriting, program: &Program) -> bool {
    let targets = everywhere(program);
    let Some(split) = Rewrote::by(rewriting, program, &targets).filter(|it| !it.way.steps().is_empty()) else {
        return false;
    };
    let budget = || Budget::unlimited().with_max_steps(Some(20_000));
    let way = transform::Way::new(split.program.clone(), targets);
    let (original, _) = ask(&Explicit, &way, None, &budget());
    let Some((reached, _)) = split.reached(&Explicit, None, &budget()).filter(|_| original.stopped.is_none()) else {
        return false;
    };
    let original: BTreeSet<LocationId> = original.reached.into_iter().collect();
    assert_eq!(reached, original, "{}", program::text::print(program));
    true
}

#[test]
fn what_is_split_reaches_what_the_original_reaches() {
    for rewriting in [&SplitEntries as &dyn Rewriting, &SplitReturns] {
        let shape = |seed| Shape { seed, procedures: 3, locations: 4, ..Shape::default() };
        let n_equal = (0..150).filter(|seed| agrees(rewriting, &random::program(&shape(*seed)))).count();
        assert!(n_equal > 20, "{}: {n_equal}", rewriting.name());
    }
}
