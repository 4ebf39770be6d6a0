//! The explicit search of interleavings: what a switch, a round and an atomic section are.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use base::{Budget, Silent, Source, StopReason};
use engine::explicit::Explicit;
use engine::{Answer, Context, Engine, Task};
use program::{Bound, LocationId, Program, interp};

fn load(text: &str) -> Program {
    let source = Source::new("test.bp", text);
    let (tree, diagnostics) = front_bp::parse(&source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    front_bp::lower(&tree.expect("a tree"), &source, &front_bp::Options::default()).expect("it lowers").0.program
}

fn solve(program: &Program, label: &str, bound: Bound, max_depth: Option<u32>) -> Answer {
    let targets: Vec<LocationId> = program.label_targets(label).iter().map(|target| target.location).collect();
    assert_eq!(targets.len(), 1, "the label names one location");
    let task = Task { program, targets: &targets, lengths: &[], bound: Some(bound), traces: true, certificate: false };
    let budget = Budget::unlimited().with_max_depth(max_depth);
    let answer = Explicit.solve(&task, &Context { budget: &budget, observer: &Silent });
    for (target, trace) in &answer.traces {
        interp::replay(program, trace, *target).unwrap_or_else(|error| panic!("{label}, {bound}: {error}"));
    }
    answer
}

/// The smallest numbers of switches and of rounds with which the label is reached, below six.
fn needed(program: &Program, label: &str) -> (Option<u32>, Option<u32>) {
    let reached = |bound| !solve(program, label, bound, None).reached.is_empty();
    let switches = (0..6).find(|k| reached(Bound::Switches(*k)));
    assert!((switches.unwrap_or(6)..6).all(|k| reached(Bound::Switches(k))), "a larger bound reaches no less");
    (switches, (0..6).find(|k| reached(Bound::Rounds(*k))))
}

/// Two threads that take turns by `turn`, four times.
const PING_PONG: &str = "decl turn, n;
    init begin turn, n := F, F; end
    thread a begin void main() begin assume(!turn); turn := T; assume(!turn); A: turn := T; assume(!turn); END: skip; end end
    thread b begin void main() begin assume(turn); turn := F; assume(turn); B: turn := F; end end";

#[test]
fn changes_of_the_active_thread_are_counted_and_the_first_is_free() {
    let program = load(PING_PONG);
    assert_eq!(needed(&program, "A"), (Some(2), Some(2)));
    assert_eq!(needed(&program, "B"), (Some(3), Some(2)));
    assert_eq!(needed(&program, "END"), (Some(4), Some(3)));
}

#[test]
fn a_turn_may_be_empty_but_threads_come_in_order() {
    let text = "decl g;
        init begin g := F; end
        thread a begin void main() begin assume(g); L: skip; end end
        thread b begin void main() begin g := T; M: skip; end end";
    let program = load(text);
    assert_eq!(needed(&program, "M"), (Some(0), Some(1)));
    assert_eq!(needed(&program, "L"), (Some(1), Some(2)));
}

#[test]
fn a_thread_is_not_interrupted_in_an_atomic_section() {
    let text = |begin: &str, end: &str| {
        format!(
            "decl g;
             init begin g := F; end
             void set() begin g := T; g := F; end
             thread a begin void main() begin {begin} set(); {end} end end
             thread b begin void main() begin if (g) then L: skip; fi end end"
        )
    };
    assert_eq!(needed(&load(&text("", "")), "L").0, Some(1));
    assert_eq!(needed(&load(&text("atomic_begin;", "atomic_end;")), "L").0, None);
}

#[test]
fn traces_are_shortest_and_name_their_threads() {
    let program = load(PING_PONG);
    let answer = solve(&program, "END", Bound::Switches(5), None);
    let (_, trace) = &answer.traces[0];
    // `init` runs as thread 0, like the first thread.
    let mut turns: Vec<u32> = trace.steps.iter().map(|step| step.thread).collect();
    turns.dedup();
    assert_eq!(turns, [0, 1, 0, 1, 0]);
    assert!(Explicit.traces_are_shortest(&program) && Explicit.is_bounded(&program));
}

#[test]
fn what_is_not_followed_is_not_unreached() {
    let deep = load(
        "thread a begin void main() begin down(); end void down() begin if (*) then down(); fi end end
         thread b begin void main() begin if (F) then NEVER: skip; fi END: skip; end end",
    );
    assert_eq!(solve(&deep, "NEVER", Bound::Switches(1), Some(5)).stopped, Some(StopReason::Depth));
    assert_eq!(solve(&deep, "END", Bound::Switches(1), Some(5)).stopped, None);
    let many = load(
        "void run() begin if (F) then NEVER: skip; fi end
         void main() begin while (*) do start_thread run(); od end",
    );
    assert_eq!(solve(&many, "NEVER", Bound::Switches(1), None).stopped, Some(StopReason::Threads));
}

#[test]
fn the_only_thread_after_init_needs_no_bound() {
    let program = load(
        "decl g;
         init begin decl l; l := T; g := !l; end
         thread a begin decl p := T; void main() begin down(); if (g) then NEVER: skip; else L: skip; fi end
           void down() begin if (*) then g := !g; down(); g := !g; fi end end",
    );
    assert!(!Explicit.is_bounded(&program));
    for (label, reached) in [("L", 1), ("NEVER", 0)] {
        let answer = solve(&program, label, Bound::Switches(0), Some(2));
        assert_eq!((answer.reached.len(), answer.stopped), (reached, None), "{label}");
    }
}
