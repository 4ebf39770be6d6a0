//! Transformations of programs with threads: they reach what the explicit search of all interleavings reaches, and
//! their runs are runs of the original.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

mod product;
mod sequential;
mod slots;

use base::{Budget, Silent, StopReason};
use engine::explicit::Explicit;
use engine::{Answer, Context, Engine, Task};
use program::random::{self, Shape};
use program::{Bound, LocationId, Origins, Program};

/// A small random program with threads; its procedures have one entry each.
fn random_program(seed: u64) -> Program {
    let booleans = !seed.is_multiple_of(3);
    let mut program =
        random::program(&Shape { seed, procedures: 2, shared: 2, locals: 1, locations: 4, booleans, threads: true });
    program.threads.truncate(2);
    match transform::entries::split_entries(&program, &Origins::default()) {
        Some(split) => split.program,
        None => program,
    }
}

/// All locations of a program.
fn everywhere(program: &Program) -> Vec<LocationId> {
    program.locations.ids().collect()
}

/// What the explicit search says, with traces; none if it takes too long or the stacks become too high.
fn explicit(program: &Program, targets: &[LocationId], bound: Bound) -> Option<Answer> {
    let task = Task { program, targets, lengths: &[], bound: Some(bound), traces: true, certificate: false };
    let budget = Budget::unlimited().with_max_depth(Some(4)).with_max_steps(Some(4_000));
    let answer = Explicit.solve(&task, &Context { budget: &budget, observer: &Silent });
    let is_usable = matches!(answer.stopped, None | Some(StopReason::Depth));
    is_usable.then_some(answer)
}
