//! The answer and what it is said to cost do not depend on who takes which turn.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use std::time::Duration;

use base::{Budget, Silent, Source, StopReason};
use program::{Bound, LocationId, Program};

use super::Network;
use crate::{Answer, Context, Task};

const PROGRAM: &str = include_str!("../../tests/data/turns.bp");

fn load(text: &str) -> Program {
    let source = Source::new("test.bp", text);
    let (tree, diagnostics) = front_bp::parse(&source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    front_bp::lower(&tree.expect("a tree"), &source, &front_bp::Options::default()).expect("it lowers").0.program
}

fn targets(program: &Program, labels: &[&str]) -> Vec<LocationId> {
    labels.iter().flat_map(|label| program.label_targets(label)).map(|target| target.location).collect()
}

fn solve(split: Network, program: &Program, targets: &[LocationId], bound: Bound, budget: &Budget) -> Answer {
    let context = Context { budget, observer: &Silent };
    let program = match crate::init::without(program, &context) {
        Ok(program) => program,
        Err(reason) => return Answer { stopped: Some(reason), ..Answer::default() },
    };
    let task = Task { program: &program, targets, lengths: &[], bound: Some(bound), traces: true, certificate: false };
    // Without patience, so that others take all turns that they can.
    split.solve_with(&task, &context, Duration::ZERO)
}

#[test]
fn jobs_make_no_difference() {
    let program = load(PROGRAM);
    for labels in [["ALL"].as_slice(), &["NEVER"], &["BACK", "ALL", "NEVER"]] {
        let targets = targets(&program, labels);
        for (split, bound) in [
            (Network::Lazy, Bound::Switches(3)),
            (Network::Lazy, Bound::Rounds(2)),
            (Network::Eager, Bound::Switches(2)),
            (Network::Eager, Bound::Rounds(2)),
        ] {
            let with = |jobs| {
                let answer = solve(split, &program, &targets, bound, &Budget::unlimited().with_jobs(jobs));
                assert_eq!(answer.stopped, None);
                (answer.reached, answer.traces, answer.unbounded, answer.statistics)
            };
            let alone = with(1);
            let is_much = alone.3.view_tuples > 3 && alone.3.steps > alone.3.view_tuples;
            assert!(is_much || labels == ["ALL"], "{:?}", alone.3);
            for jobs in [2, 8] {
                assert_eq!(with(jobs), alone, "{split:?}, {bound}, {jobs} jobs");
            }
        }
    }
}

#[test]
fn a_limit_on_steps_counts_contexts_whoever_runs_them() {
    let program = load(PROGRAM);
    let targets = targets(&program, &["ALL", "NEVER"]);
    for max_steps in [1, 5, 20] {
        let with = |jobs| {
            let budget = Budget::unlimited().with_jobs(jobs).with_max_steps(Some(max_steps));
            let answer = solve(Network::Lazy, &program, &targets, Bound::Switches(5), &budget);
            assert_eq!(answer.stopped, Some(StopReason::Steps), "{jobs} jobs");
            (answer.reached, answer.statistics)
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn others_stop_at_limits_too() {
    let program = load(PROGRAM);
    let targets = targets(&program, &["NEVER"]);
    let bound = Bound::Switches(30);
    let budget = Budget::unlimited().with_jobs(3).with_time(Some(Duration::from_millis(100)));
    let watch = budget.watch();
    assert_eq!(solve(Network::Eager, &program, &targets, bound, &budget).stopped, Some(StopReason::Time));
    drop(watch);
    let budget = Budget::unlimited().with_jobs(3);
    budget.cancel().cancel();
    assert_eq!(solve(Network::Eager, &program, &targets, bound, &budget).stopped, Some(StopReason::Cancelled));
}
