//! Every row of the table of exit codes.

use crate::harness::Lab;
use crate::programs::{ASSERTIONS, FIGURE, THREADS, endless, safe_figure};
use insta::assert_snapshot;

#[test]
fn holds() {
    let lab = Lab::with("figure1.bp", safe_figure());
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R"]).transcript(), @"");
}

#[test]
fn violated() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R"]).transcript(), @"");
}

#[test]
fn violated_with_every_call_written_out() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R", "--expand"]).transcript(), @"");
}

#[test]
fn several_targets() {
    let lab = Lab::with("several.bp", ASSERTIONS);
    assert_snapshot!(lab.run(&["check", "several.bp"]).transcript(), @"");
}

#[test]
fn unknown_by_steps() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R", "--max-steps", "1"]).transcript(), @"");
}

#[test]
fn unknown_by_time() {
    let lab = Lab::with("endless.bp", endless());
    let started = std::time::Instant::now();
    let done = lab.run(&["check", "endless.bp", "--timeout", "500ms"]);
    assert!(started.elapsed().as_secs_f64() < 2.5, "took {:?}", started.elapsed());
    assert_eq!((done.code, done.last_line()), (Some(21), "result: unknown (time)"), "{done:?}");
}

#[test]
fn unknown_by_memory() {
    let lab = Lab::with("endless.bp", endless());
    let done = lab.run(&["check", "endless.bp", "--memory", "1M"]);
    assert_eq!((done.code, done.last_line()), (Some(22), "result: unknown (memory)"), "{done:?}");
}

#[test]
fn usage() {
    assert_eq!(Lab::new().run(&["check"]).code, Some(2));
}

#[test]
fn bad_input() {
    assert_eq!(Lab::new().run(&["check", "missing.bp"]).code, Some(3));
}

#[test]
fn unsupported() {
    let lab = Lab::with("threads.bp", THREADS);
    assert_snapshot!(lab.run(&["check", "threads.bp"]).transcript(), @"");
}

#[test]
fn internal_error() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["internal-error"]);
    assert_eq!(done.code, Some(70));
    assert!(done.err.starts_with("error: internal error: on purpose"), "{}", done.err);
    assert!(done.err.contains("Please report it"), "{}", done.err);
    assert!(!done.err.contains("backtrace"), "{}", done.err);
    let traced = lab.command(&["internal-error"]).env("RUST_BACKTRACE", "1").output().unwrap();
    assert!(traced.stderr.len() > done.err.len(), "a stack for those who ask");
}
