//! Evidence leaves the process and comes back: `replay`, `validate`.

use crate::harness::Lab;
use crate::json::valid;
use crate::programs::{ASSERTIONS, FIGURE, safe_figure};
use insta::assert_snapshot;

fn with_trace() -> Lab {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["check", "figure1.bp", "--reach", "R", "--trace", "trace.json", "--json", "report.json"]);
    assert_eq!(done.code, Some(10), "{done:?}");
    lab
}

#[test]
fn a_trace_is_replayed() {
    let lab = with_trace();
    valid(&lab.read("trace.json"), "trace");
    assert_snapshot!(lab.run(&["replay", "figure1.bp", "trace.json"]).transcript(), @"");
}

#[test]
fn a_report_is_replayed() {
    let lab = with_trace();
    let from_report = lab.run(&["replay", "figure1.bp", "report.json"]);
    assert_eq!(from_report.out, lab.run(&["replay", "figure1.bp", "trace.json"]).out);
    let second = lab.run(&["replay", "figure1.bp", "report.json", "--nth", "2"]);
    assert_eq!(second.code, Some(3));
    assert!(second.err.contains("the report has no trace number 2"), "{}", second.err);
}

#[test]
fn every_trace_of_a_report_can_be_chosen() {
    let lab = Lab::with("x.bp", ASSERTIONS.replace("assert(x | y)", "assert(x)"));
    assert_eq!(lab.run(&["check", "x.bp", "--json", "report.json"]).code, Some(10));
    for nth in ["1", "2"] {
        let done = lab.run(&["replay", "x.bp", "report.json", "--nth", nth]);
        assert_eq!((done.code, done.last_line()), (Some(0), "result: replayed"), "{done:?}");
    }
}

#[test]
fn a_forged_trace_is_no_run() {
    let lab = with_trace();
    let forged = lab.read("trace.json");
    let mut document: serde_json::Value = serde_json::from_str(&forged).unwrap();
    document["trace"]["replay"]["steps"].as_array_mut().unwrap().truncate(1);
    lab.write("forged.json", document.to_string());
    let done = lab.run(&["replay", "figure1.bp", "forged.json"]);
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a run"), "{done:?}");
}

#[test]
fn a_trace_of_another_program_is_bad_input() {
    let lab = with_trace();
    lab.write("figure1.bp", safe_figure());
    assert_snapshot!(lab.run(&["replay", "figure1.bp", "trace.json"]).transcript(), @"");
}

#[test]
fn what_is_not_a_trace_is_bad_input() {
    let lab = with_trace();
    for (content, message) in [
        ("{", "is not a trace: EOF"),
        ("{}", "it names no schema"),
        ("{\"schema\": \"cauldron-trace/1\"}", "missing field"),
        ("{\"schema\": \"other\"}", "its schema is `other`"),
        (&"[".repeat(100_000), "recursion limit"),
    ] {
        lab.write("bad.json", content);
        let done = lab.run(&["replay", "figure1.bp", "bad.json"]);
        assert_eq!(done.code, Some(3), "{done:?}");
        assert!(done.err.contains(message), "{message}: {}", done.err);
    }
}

#[test]
fn a_certificate_is_validated() {
    let lab = Lab::with("safe.bp", safe_figure());
    assert_eq!(lab.run(&["check", "safe.bp", "--reach", "R", "--certificate", "safe.cert"]).code, Some(0));
    assert_snapshot!(lab.run(&["validate", "safe.bp", "safe.cert"]).transcript(), @"");
}

#[test]
fn a_certificate_of_another_program_is_bad_input() {
    let lab = Lab::with("safe.bp", safe_figure());
    assert_eq!(lab.run(&["check", "safe.bp", "--reach", "R", "--certificate", "safe.cert"]).code, Some(0));
    lab.write("unsafe.bp", FIGURE);
    let done = lab.run(&["validate", "unsafe.bp", "safe.cert"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("error[CL0012]"), "{}", done.err);
    let done = lab.run(&["validate", "safe.bp", "unsafe.bp"]);
    assert_eq!(done.code, Some(3), "{done:?}");
}
