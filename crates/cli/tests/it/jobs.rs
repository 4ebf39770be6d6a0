//! `--jobs`: the output does not depend on it, and engines without use for it say so.

use crate::harness::Lab;
use crate::programs::FIGURE;

const PROGRAM: &str = include_str!("../../../engine/tests/data/turns.bp");

/// The report without what cannot be the same twice.
fn report(lab: &Lab, arguments: &[&str]) -> serde_json::Value {
    let done = lab.run(&[arguments, &["--json", "r.json"]].concat());
    assert!(done.err.is_empty(), "{done:?}");
    let mut report: serde_json::Value = serde_json::from_str(&lab.read("r.json")).unwrap();
    report.as_object_mut().unwrap().remove("resources").unwrap();
    report
}

#[test]
fn reports_are_the_same_for_any_number_of_jobs() {
    let lab = Lab::with("threads.bp", PROGRAM);
    for split in ["lazy", "eager"] {
        for target in ["ALL", "NEVER"] {
            let arguments = ["check", "threads.bp", "--split", split, "--switches", "3", "--reach", target];
            let alone = report(&lab, &[&arguments[..], &["--jobs", "1"]].concat());
            assert_eq!(report(&lab, &arguments), alone);
            for jobs in ["0", "2", "8"] {
                assert_eq!(report(&lab, &[&arguments[..], &["--jobs", jobs]].concat()), alone, "{jobs} jobs");
            }
        }
    }
}

#[test]
fn other_engines_say_that_they_use_one_core() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["check", "figure1.bp", "--reach", "R", "--jobs", "2"]);
    assert_eq!(done.code, Some(10));
    assert_eq!(done.err, "note: `--jobs` makes no difference to the engine `summary`, which uses one core\n");
    let done = lab.run(&["coverage", "figure1.bp", "--jobs", "4", "--engine", "explicit"]);
    assert!(done.err.contains("the engine `explicit`, which uses one core"), "{done:?}");
    assert_eq!(lab.run(&["check", "figure1.bp", "--reach", "R", "--jobs", "1"]).err, "");
    let done = lab.run(&["check", "figure1.bp", "--terminates", "--jobs", "2"]);
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("`--jobs` does not go with `--terminates`"), "{done:?}");
}
