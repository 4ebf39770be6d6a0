//! Rewritings of programs with threads, and those that come right after a program is read: the result reaches what the
//! explicit search reaches in the original, and its runs are runs of the original.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

mod init;
mod product;
mod sequential;
mod slots;
mod split;

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Budget, Context, Silent, StopReason};
use engine::explicit::Explicit;
use engine::{Answer, Asked, Engine};
use program::random::{self, Shape};
use program::{Bound, LocationId, Program, interp, verify};
use transform::entries::SplitEntries;
use transform::thread_slots::WithSlots;
use transform::{Certified, Rewriting, Way};

/// A small random program with threads; its procedures have one entry each.
fn random_program(seed: u64) -> Program {
    let booleans = !seed.is_multiple_of(3);
    let mut program = random::program(&Shape {
        seed,
        procedures: 2,
        shared: 2,
        locals: 1,
        locations: 4,
        booleans,
        threads: true,
        ..Shape::default()
    });
    program.threads.truncate(2);
    after(&SplitEntries, program).expect("no program is beyond it")
}

/// What a rewriting leaves; none: it refuses.
fn after(rewriting: &dyn Rewriting, program: Program) -> Option<Program> {
    let mut way = Way::new(Arc::new(program), Vec::new());
    way.take(rewriting, &Context::new(&Budget::unlimited(), &Silent)).ok()?;
    Some((*way.subject.program).clone())
}

/// A program with room for some threads; none: it is beyond slots.
fn slotted(program: Program, max_threads: u32, reuse: bool) -> Option<Program> {
    after(&WithSlots { max_threads, reuse }, program)
}

/// All locations of a program.
fn everywhere(program: &Program) -> Vec<LocationId> {
    program.locations.ids().collect()
}

/// What the explicit search says, with traces; none if it takes too long or the stacks become too high.
fn explicit(program: &Program, targets: &[LocationId], bound: Bound) -> Option<Answer> {
    let way = Way::new(Arc::new(program.clone()), targets.to_vec());
    let budget = Budget::unlimited().with_max_depth(Some(4)).with_max_steps(Some(4_000));
    let (answer, _) = ask(&Explicit, &way, Some(bound), &budget);
    let is_usable = matches!(answer.stopped, None | Some(StopReason::Depth));
    is_usable.then_some(answer)
}

fn ask(engine: &dyn Engine, way: &Way, bound: Option<Bound>, budget: &Budget) -> (Answer, Option<Certified>) {
    let asked = Asked { bound, traces: true, certificate: true };
    engine::answer(engine, way, asked, &Context::new(budget, &Silent)).expect("there is a way back")
}

/// A program after a rewriting.
struct Rewrote {
    program: Arc<Program>,
    way: Way,
}

impl Rewrote {
    /// None: the program is beyond the rewriting.
    fn by(rewriting: &dyn Rewriting, program: &Program, targets: &[LocationId]) -> Option<Self> {
        let program = Arc::new(program.clone());
        let mut way = Way::new(Arc::clone(&program), targets.to_vec());
        way.take(rewriting, &Context::new(&Budget::unlimited(), &Silent)).ok()?;
        assert_eq!(verify(&way.subject.program), Ok(()));
        Some(Self { program, way })
    }

    /// What an engine reaches in the new program, in terms of the original, with every trace replayed there; and the
    /// certificate.
    fn reached(
        &self,
        engine: &dyn Engine,
        bound: Option<Bound>,
        budget: &Budget,
    ) -> Option<(BTreeSet<LocationId>, Option<Certified>)> {
        let (answer, certified) = ask(engine, &self.way, bound, budget);
        if !matches!(answer.stopped, None | Some(StopReason::Depth)) {
            return None;
        }
        for (target, trace) in &answer.traces {
            interp::replay(&self.program, trace, *target).unwrap_or_else(|error| {
                let texts = [&self.program, &self.way.subject.program].map(|it| program::text::print(it));
                panic!("{error}, {target:?}\n{}\n{}\n{trace:#?}", texts[0], texts[1])
            });
        }
        Some((answer.reached.into_iter().collect(), certified))
    }
}
