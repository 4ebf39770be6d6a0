//! `cauldron coverage`.

use crate::harness::Lab;
use crate::json::valid;
use crate::programs::{ASSERTIONS, endless};
use insta::assert_snapshot;

#[test]
fn the_source_is_marked() {
    assert_snapshot!(Lab::with("several.bp", ASSERTIONS).run(&["coverage", "several.bp"]).transcript(), @r#"
    --- stdout
       1 | void main() begin
       2 |   decl x, y;
    +  3 |   x := *;
    +  4 |   y := !x;
    +  5 |   assert(x | y);
    +  6 |   if (*) then
    !  7 |     assert(x & !y);
       8 |   fi
    +  9 |   while (T) do skip; od
    - 10 |   assert(F);
      11 | end

    several.bp: 8 statements: 7 reachable (+), 1 unreachable (-), 0 not decided (?); 1 violated assertion (!)
    certificate for what is unreachable: validated
    result: complete
    --- exit 0
    "#);
}

#[test]
fn lcov_and_json_are_written() {
    let lab = Lab::with("several.bp", ASSERTIONS);
    let done = lab.run(&["coverage", "several.bp", "--lcov", "several.info", "--json", "several.json"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_snapshot!(lab.read("several.info"), @r#"
    TN:
    SF:several.bp
    FN:3,main
    FNDA:1,main
    FNF:1
    FNH:1
    DA:3,1
    DA:4,1
    DA:5,1
    DA:6,1
    DA:7,1
    DA:9,1
    DA:10,0
    LF:7
    LH:6
    end_of_record
    "#);
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
