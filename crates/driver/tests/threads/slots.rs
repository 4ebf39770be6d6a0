//! Thread slots.

use std::collections::BTreeSet;

use base::{Budget, Silent};
use driver::{FrontOptions, Options, Question, Verdict};
use engine::explicit::Explicit;
use program::{Bound, LocationId, Program};
use transform::thread_slots::{WithSlots, has_spawns};

use super::{Rewrote, everywhere, explicit, random_program};

/// What a slotted program reaches, in terms of the original, with every trace replayed on the original; and whether
/// there were too few slots.
fn reached(program: &Program, targets: &[LocationId], bound: Bound) -> Option<(BTreeSet<LocationId>, bool)> {
    let reuse = matches!(bound, Bound::Switches(_));
    let slots = Rewrote::by(&WithSlots { max_threads: 3, reuse }, program, targets)?;
    let budget = Budget::unlimited().with_max_depth(Some(4)).with_max_steps(Some(4_000));
    let (reached, _) = slots.reached(&Explicit, Some(bound), &budget)?;
    let overflow = slots.way.steps()[0].back.overflow().expect("there are so many slots");
    let full = explicit(&overflow.program, &overflow.locations, bound)?;
    Some((reached, !full.reached.is_empty()))
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
        let Some((reached, is_full)) = reached(&program, &targets, bound) else { continue };
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

/// Whatever ends first, the search or the writing of the run that it found: nothing is said without evidence.
#[test]
fn a_limit_leaves_no_verdict_without_a_run() {
    let source = base::Source::new("a.bp", include_str!("../../../../corpus/bp/start_thread.bp"));
    let loaded = driver::load(source, &front_bp::FRONT_END, &FrontOptions::default()).expect("a program");
    let question = Question { labels: vec!["BEHIND".to_owned()], ..Question::default() };
    let bound = Some(Bound::Switches(2));
    let options = Options { engine: Some("network".to_owned()), bound, ..Options::default() };
    let verdicts = (1..20).map(|max_steps| {
        let budget = Budget::unlimited().with_max_steps(Some(max_steps));
        let outcome = driver::check(&loaded, &question, &options, &driver::Context::new(&budget, &Silent));
        outcome.map(|outcome| matches!(outcome.findings[0].verdict, Verdict::Fails(_)))
    });
    let verdicts: BTreeSet<bool> = verdicts.collect::<Result<_, _>>().expect("an answer, or none");
    assert_eq!(verdicts.len(), 2, "it is found, if there is time");
}
