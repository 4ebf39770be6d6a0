//! `cauldron coverage`.

use crate::harness::Lab;
use crate::json::valid;
use crate::programs::{ASSERTIONS, endless};
use insta::assert_snapshot;

#[test]
fn the_source_is_marked() {
    assert_snapshot!(Lab::with("several.bp", ASSERTIONS).run(&["coverage", "several.bp"]).transcript(), @"");
}

#[test]
fn lcov_and_json_are_written() {
    let lab = Lab::with("several.bp", ASSERTIONS);
    let done = lab.run(&["coverage", "several.bp", "--lcov", "several.info", "--json", "several.json"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_snapshot!(lab.read("several.info"), @"");
    let report = valid(&lab.read("several.json"), "coverage");
    assert_eq!((&report["complete"], &report["summary"]["violated"]), (&true.into(), &1.into()));
    let lines: Vec<i64> =
        report["statements"].as_array().unwrap().iter().filter_map(|statement| statement["line"].as_i64()).collect();
    assert!(lines.is_sorted(), "{lines:?}");
}

#[test]
fn a_limit_leaves_what_is_known() {
    let lab = Lab::with("endless.bp", endless());
    let done = lab.run(&["coverage", "endless.bp", "--timeout", "500ms", "--json", "c.json"]);
    assert_eq!((done.code, done.last_line()), (Some(21), "result: partial (time)"), "{done:?}");
    let report = valid(&lab.read("c.json"), "coverage");
    assert_eq!((&report["complete"], &report["limits_hit"][0]), (&false.into(), &"time".into()));
    assert!(report["summary"]["reachable"].as_u64() > Some(0), "the loop was reached: {report}");
    assert!(report["summary"]["undecided"].as_u64() > Some(0), "its end was not: {report}");
}

#[test]
fn json_on_the_standard_output_stands_alone() {
    let done = Lab::with("several.bp", ASSERTIONS).run(&["coverage", "several.bp", "--json", "-"]);
    valid(&done.out, "coverage");
    assert!(done.err.ends_with("result: complete\n"), "{}", done.err);
}
