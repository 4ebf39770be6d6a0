//! What is written fits the published schemas and says what it has to.

use crate::harness::{Done, Lab};
use crate::programs::{ASSERTIONS, FIGURE, endless, safe_figure};
use serde_json::Value;

/// The document, which fits its schema.
pub(crate) fn valid(text: &str, schema: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap();
    let schema = Lab::new().run(&["schema", schema]).out;
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    document
}

fn check(text: &str, arguments: &[&str]) -> (Done, Value) {
    let lab = Lab::with("x.bp", text);
    let mut all = vec!["check", "x.bp", "--json", "report.json"];
    all.extend(arguments);
    let done = lab.run(&all);
    let report = valid(&lab.read("report.json"), "report");
    assert_eq!(report["exit_code"].as_i64().map(|code| code as i32), done.code);
    (done, report)
}

#[test]
fn a_violation() {
    let (_, report) = check(FIGURE, &["--reach", "R"]);
    assert_eq!(report["schema"], "cauldron-report/1");
    assert_eq!(report["result"], "violated");
    assert_eq!(report["complete"], true);
    assert_eq!(report["question"]["labels"][0], "R");
    let target = &report["targets"][0];
    assert_eq!((&target["label"], &target["line"], &target["verdict"]), (&"R".into(), &12.into(), &"violated".into()));
    assert_eq!((&target["trace"]["replayed"], &target["trace"]["depth"]), (&true.into(), &2.into()));
    let story = &target["trace"]["story"];
    let line = |event: &Value| story["statements"][event["statement"].as_u64()? as usize]["line"].as_i64();
    let lines: Vec<i64> = story["events"].as_array().unwrap().iter().filter_map(line).collect();
    assert_eq!(lines, [6, 7, 8, 9, 10, 11]);
}

#[test]
fn a_proof() {
    let (_, report) = check(&safe_figure(), &["--reach", "R", "--certificate", "c.cert"]);
    assert_eq!(
        (&report["result"], &report["vacuous"], &report["bound"]),
        (&"holds".into(), &false.into(), &Value::Null)
    );
    assert_eq!(report["certificate"]["validated"], true);
    assert_eq!(report["certificate"]["file"], "c.cert");
}

/// What stands behind an answer, with and without checking it, and where there is nothing to check.
#[test]
fn evidence() {
    let evidence = |text: &str, more: &[&str]| {
        let (_, report) = check(text, more);
        let of_target = report["targets"].get(0).map_or(Value::Null, |target| target["evidence"].clone());
        (report["result"].clone(), report["evidence"].clone(), of_target)
    };
    let all = |result: &str, evidence: &str| (result.into(), evidence.into(), evidence.into());
    assert_eq!(evidence(FIGURE, &["--reach", "R"]), all("violated", "validated"));
    assert_eq!(evidence(FIGURE, &["--reach", "R", "--no-validate"]), all("unreplayed", "not-validated"));
    assert_eq!(evidence(&safe_figure(), &["--reach", "R"]), all("holds", "validated"));
    assert_eq!(evidence(&safe_figure(), &["--reach", "R", "--no-validate"]), all("unvalidated", "not-validated"));
    let explicit = ["--reach", "R", "--engine", "explicit"];
    assert_eq!(evidence(&safe_figure(), &explicit), all("holds", "none"));
    const ENDS: &str = "void main() begin L: skip; if (F) then E: skip; fi end";
    let temporal = |result: &str, evidence: &str| (result.into(), evidence.into(), Value::Null);
    assert_eq!(evidence(ENDS, &["--ltl", "[] !E"]), temporal("holds", "none"));
    assert_eq!(evidence(ENDS, &["--ltl", "[] !E", "--no-validate"]), temporal("unvalidated", "not-validated"));
    assert_eq!(evidence(ENDS, &["--ltl", "[] !L"]), temporal("violated", "validated"));
    assert_eq!(evidence(ENDS, &["--ltl", "[] !L", "--no-validate"]), temporal("unreplayed", "not-validated"));
    let (_, unknown) = check(FIGURE, &["--reach", "R", "--max-steps", "1"]);
    assert_eq!((&unknown["evidence"], &unknown["targets"][0]["evidence"]), (&Value::Null, &Value::Null));
}

#[test]
fn several_targets() {
    let (_, report) = check(ASSERTIONS, &[]);
    let verdicts: Vec<&str> =
        report["targets"].as_array().unwrap().iter().map(|target| target["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "violated", "holds"]);
    assert_eq!(report["question"]["assertions"], true);
}

#[test]
fn what_no_path_leads_to_holds_vacuously() {
    let text = "void main() begin skip; end\nvoid uncalled() begin E: skip; end\n";
    let (done, report) = check(text, &["--reach", "E"]);
    assert_eq!((&report["result"], &report["vacuous"]), (&"holds".into(), &true.into()));
    assert!(done.out.contains("vacuous"), "{}", done.out);
}

#[test]
fn a_time_limit() {
    let (_, report) = check(&endless(), &["--timeout", "300ms"]);
    assert_eq!((&report["result"], &report["reason"]), (&"unknown".into(), &"time".into()));
    assert_eq!((&report["complete"], &report["limits_hit"][0]), (&false.into(), &"time".into()));
    assert_eq!(report["targets"][0]["verdict"], "unknown");
    assert_eq!(report["limits"]["seconds"], 0.3);
}

/// The parser does not look at limits, but the process does.
#[test]
fn a_limit_holds_while_the_source_is_read() {
    let procedure = "void p() begin if (*) then skip; else skip; fi end\n";
    let text: String = (0..200_000).map(|n| procedure.replace('p', &format!("p{n}"))).collect();
    let (done, report) = check(&text, &["--timeout", "1ms", "--reach", "L"]);
    assert_eq!((done.code, done.last_line()), (Some(21), "result: unknown (time)"), "{done:?}");
    assert_eq!((&report["complete"], &report["targets"]), (&false.into(), &Value::Array(vec![])));
    assert!(report["resources"]["seconds"].as_f64() < Some(5.0), "{report}");
}

#[test]
fn bad_input_is_reported_as_such() {
    let (_, report) = check("void main() begin x := T; end", &[]);
    assert_eq!((&report["result"], &report["complete"]), (&"bad-input".into(), &false.into()));
    assert_eq!(report["messages"][0]["line"], 1);
    let (_, report) = check(FIGURE, &["--reach", "r"]);
    assert_eq!((&report["result"], &report["messages"][0]["code"]), (&"bad-input".into(), &"CL0007".into()));
}

#[test]
fn on_the_standard_output_there_is_only_json() {
    let done = Lab::with("x.bp", FIGURE).run(&["check", "x.bp", "--reach", "R", "--json", "-"]);
    valid(&done.out, "report");
    assert_eq!((done.code, done.err.as_str()), (Some(10), "result: violated\n"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let bytes = || {
        let (_, mut report) = check(ASSERTIONS, &["--assertions"]);
        report.as_object_mut().unwrap().remove("resources");
        report.to_string()
    };
    assert_eq!(bytes(), bytes());
}
