//! Evidence leaves the process and comes back: `replay`, `validate`.

use crate::harness::Lab;
use crate::json::valid;
use crate::programs::{FIGURE, safe_figure};
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
    assert_snapshot!(lab.run(&["replay", "figure1.bp", "trace.json"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is reached

      main                                 g=1
      6    h := !g                         h=0
      7    A(g, h)
           A                               a1=1 a2=0
      20     if (a1)
      21     A(a2, a1)
             A                             a1=0 a2=1
      20       if (a1)
      24       g := a2                     g=1
      22     skip
      8    skip
      9    A(g, h)                         (5 steps, as before; --expand)
      10   skip
      11   if (g)
      12   R: skip                         <-- R

      16 steps, 2 calls deep. Replayed: yes. Not shown: values that do not matter.

    result: replayed
    --- exit 0
    "#);
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
    let text = "void main() begin decl x; x := *; if (*) then assert(x); else assert(!x); fi end";
    let lab = Lab::with("x.bp", text);
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
    assert_snapshot!(lab.run(&["replay", "figure1.bp", "trace.json"]).transcript(), @r#"
    --- stderr
    error[CL0013]: the trace in `trace.json` does not fit the program: it was made for another program
    --- exit 3
    "#);
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
    assert_snapshot!(lab.run(&["validate", "safe.bp", "safe.cert", "--reach", "R"]).transcript(), @r#"
    --- stdout
    safe.bp: no run reaches R (line 12)
    result: valid (R)
    --- exit 0
    "#);
}

#[test]
fn a_certificate_of_another_program_is_bad_input() {
    let lab = Lab::with("safe.bp", safe_figure());
    assert_eq!(lab.run(&["check", "safe.bp", "--reach", "R", "--certificate", "safe.cert"]).code, Some(0));
    lab.write("unsafe.bp", FIGURE);
    let done = lab.run(&["validate", "unsafe.bp", "safe.cert", "--reach", "R"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("error[CL0012]"), "{}", done.err);
    let done = lab.run(&["validate", "safe.bp", "unsafe.bp", "--reach", "R"]);
    assert_eq!(done.code, Some(3), "{done:?}");
}
