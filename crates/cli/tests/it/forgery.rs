//! Evidence that was tampered with: nothing is confirmed that the run or the sets do not show.

use crate::harness::{Done, Lab};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// R is reached, NEVER is not, and the assertions hold.
const PROGRAM: &str = "\
decl g;
void main() begin
  g := T;
  if (g) then
    R: skip;
  else
    NEVER: skip;
  fi
  assert(g);
  LAST: assert(g);
end
";

/// Two threads, of which the second spoils what the first has written.
const RACE: &str = "\
decl x;
init begin x := F; end
thread one begin
  void main() begin x := T; assert(x); end
end
thread two begin
  void main() begin flip(); end
  void flip() begin x := !x; end
end
";

/// A lab with a program, a trace and a report about it.
fn with_trace(program: &str, question: &[&str]) -> Lab {
    let lab = Lab::with("x.bp", program);
    let files = ["--trace", "t.json", "--json", "r.json"];
    let done = lab.run(&[&["check", "x.bp"], question, &files].concat());
    assert_eq!(done.code, Some(10), "{done:?}");
    lab
}

/// Replays a file after a change to it.
fn replayed(lab: &Lab, file: &str, change: impl FnOnce(&mut Value)) -> Done {
    let mut document: Value = serde_json::from_str(&lab.read(file)).unwrap();
    change(&mut document);
    lab.write("forged.json", document.to_string());
    lab.run(&["replay", "x.bp", "forged.json"])
}

fn assert_refused(done: &Done, why: &str) {
    assert_eq!((done.code, done.out.as_str()), (Some(5), "result: refused\n"), "{done:?}");
    assert!(done.err.starts_with("error[CL0018]: `forged.json` is refused: "), "{}", done.err);
    assert!(done.err.contains(why), "{why}: {}", done.err);
}

/// Sets the value at a JSON pointer.
fn set(document: &mut Value, at: &str, value: Value) {
    let (parent, key) = at.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(keys) => drop(keys.insert(key.to_owned(), value)),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        other => panic!("{at}: {other}"),
    }
}

#[test]
fn another_label_is_refused() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    let done = replayed(&lab, "t.json", |trace| trace["target"]["label"] = json!("NEVER"));
    assert_snapshot!(done.transcript(), @r"
    --- stdout
    result: refused
    --- stderr
    error[CL0018]: `forged.json` is refused: it says that the run reaches NEVER (line 5), but what is reached is R (line 5)
    --- exit 5
    ");
}

#[test]
fn every_part_of_the_target_is_checked() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    for (key, value, why) in [
        ("label", json!("NOWHERE"), "reaches NOWHERE (line 5), but what is reached is R (line 5)"),
        ("label", json!("other::R"), "reaches other::R"),
        ("label", Value::Null, "but what is reached is R"),
        ("kind", json!("assertion"), "but what is reached is R"),
        ("kind", json!("statement"), "but what is reached is R"),
        ("line", json!(7), "`target.line` is 7 in the file, but should be 5"),
        ("column", json!(1), "`target.column` is 1 in the file, but should be 8"),
        ("text", json!("g := F"), "`target.text` is \"g := F\" in the file, but should be \"skip\""),
        ("procedure", json!("p"), "`target.procedure` is \"p\" in the file"),
    ] {
        assert_refused(&replayed(&lab, "t.json", |trace| trace["target"][key] = value.clone()), why);
        assert_refused(&replayed(&lab, "r.json", |report| report["targets"][0][key] = value), why);
    }
    let done = replayed(&lab, "t.json", |trace| {
        trace["target"]["kind"] = json!("assertion");
        trace["target"]["label"] = Value::Null;
    });
    assert_refused(&done, "reaches assertion in main (line 5), but what is reached is R (line 5)");
    assert_eq!(replayed(&lab, "t.json", |_| {}).last_line(), "result: replayed");
}

#[test]
fn what_the_story_tells_is_checked() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    for (at, value) in [
        ("/trace/steps", json!(1)),
        ("/trace/depth", json!(3)),
        ("/trace/switches", json!(2)),
        ("/trace/story/only_what_matters", json!(false)),
        ("/trace/story/threads", json!(["a", "b"])),
        ("/trace/story/opening/0/procedure", json!("p")),
        ("/trace/story/statements/0/line", json!(9)),
        ("/trace/story/statements/0/text", json!("g := F")),
        ("/trace/story/statements/1/labels", json!(["NEVER"])),
        ("/trace/story/events/0/changed/0/value", json!(false)),
        ("/trace/story/events/0/changed", json!([])),
        ("/trace/story/events/1/statement", json!(0)),
        ("/trace/story/events", json!([])),
        ("/trace/story", Value::Null),
        ("/trace/remark", json!("trust me")),
    ] {
        let done = replayed(&lab, "t.json", |trace| set(trace, at, value));
        assert_refused(&done, at[1..].split('/').next().unwrap());
    }
}

#[test]
fn threads_and_switches_are_checked() {
    let lab = with_trace(RACE, &["--switches", "2"]);
    assert_eq!(replayed(&lab, "t.json", |_| {}).last_line(), "result: replayed");
    for (at, value) in [
        ("/trace/switches", json!(1)),
        ("/trace/story/threads/0", json!("three")),
        ("/trace/story/init_events", json!(0)),
        ("/trace/story/switches/0/thread", json!(0)),
        ("/trace/story/switches", json!([])),
        ("/trace/story/events/1/thread", json!(1)),
        ("/trace/story/events/2/switch", json!(0)),
    ] {
        assert_refused(&replayed(&lab, "t.json", |trace| set(trace, at, value)), "`trace.");
    }
}

#[test]
fn a_report_that_says_something_else_is_refused() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    for (at, why) in [("/targets/0/verdict", "`verdict` is \"holds\""), ("/result", "`result` is \"holds\"")] {
        assert_refused(&replayed(&lab, "r.json", |report| set(report, at, json!("holds"))), why);
    }
}

#[test]
fn that_no_run_is_shorter_is_not_repeated() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    let done = replayed(&lab, "t.json", |trace| trace["trace"]["shortest"] = json!(true));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(!done.out.contains("shortest"), "{}", done.out);
}

#[test]
fn what_was_asked_for_must_be_what_is_reached() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    assert_eq!(lab.run(&["replay", "x.bp", "t.json", "--reach", "R", "-q"]).code, Some(0));
    let done = lab.run(&["replay", "x.bp", "t.json", "--reach", "NEVER", "-q"]);
    assert_eq!((done.code, done.last_line()), (Some(5), "result: refused"), "{done:?}");
    assert!(done.err.contains("the run reaches R (line 5), which is not what was asked for"), "{}", done.err);
}

#[test]
fn another_program_is_refused_even_with_its_fingerprint() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    lab.write("other.bp", PROGRAM.replace("g := T", "g := F"));
    let done = lab.run(&["replay", "other.bp", "t.json"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("error[CL0013]") && done.err.contains("it was made for another program"), "{done:?}");
    assert_eq!(lab.run(&["check", "other.bp", "--reach", "NEVER", "--trace", "o.json"]).code, Some(10));
    let other: Value = serde_json::from_str(&lab.read("o.json")).unwrap();
    let mut forged: Value = serde_json::from_str(&lab.read("t.json")).unwrap();
    forged["trace"]["replay"]["program"] = other["trace"]["replay"]["program"].clone();
    lab.write("forged.json", forged.to_string());
    let done = lab.run(&["replay", "other.bp", "forged.json", "-q"]);
    assert_eq!((done.code, done.out.as_str()), (Some(10), "result: not a run\n"), "{done:?}");
}

#[test]
fn a_run_that_ends_elsewhere_is_none() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    // The location of NEVER.
    let done = replayed(&lab, "t.json", |trace| trace["trace"]["replay"]["target"] = json!(3));
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a run"), "{done:?}");
}

#[test]
fn replaying_has_limits() {
    let lab = with_trace(PROGRAM, &["--reach", "R"]);
    let done = lab.run(&["replay", "x.bp", "t.json", "--max-steps", "1"]);
    assert_eq!((done.code, done.last_line()), (Some(20), "result: unknown (steps)"), "{done:?}");
    let done = lab.run(&["replay", "x.bp", "t.json", "--memory", "1M"]);
    assert_eq!((done.code, done.last_line()), (Some(22), "result: unknown (memory)"), "{done:?}");
    assert_eq!(lab.run(&["replay", "x.bp", "t.json", "--max-steps", "100", "--timeout", "1m"]).code, Some(0));
}

/// A program that ends, and an automaton that accepts what does not stay in front of R.
const CLAIM: &str = "never { T0: if :: (true) -> goto accept fi; accept: if :: (true) -> goto accept fi }";

#[test]
fn an_automaton_is_read_only_from_a_file_that_the_user_names() {
    let lab = Lab::with("x.bp", PROGRAM);
    lab.write("claim.pml", CLAIM);
    assert_eq!(lab.run(&["check", "x.bp", "--never", "claim.pml", "--json", "r.json"]).code, Some(10));
    let done = lab.run(&["replay", "x.bp", "r.json"]);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{done:?}");
    assert!(done.err.contains("only files that you name are opened"), "{}", done.err);
    assert!(done.err.contains("name it: `--never FILE`; the report was made with `claim.pml`"), "{}", done.err);
    let done = replayed(&lab, "r.json", |report| report["temporal"]["property"] = json!("/dev/zero"));
    assert_eq!(done.code, Some(2), "{done:?}");
    lab.write("claim.pml", CLAIM);
    let done = lab.run(&["replay", "x.bp", "forged.json", "--never", "claim.pml"]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: replayed"), "{done:?}");
    assert!(done.out.starts_with("x.bp: never claim.pml is violated"), "{}", done.out);
}

#[test]
fn a_run_without_end_is_judged_by_its_property() {
    let lab = Lab::with("x.bp", "decl g; void main() begin g := F; while (T) do L: skip; od end");
    assert_eq!(lab.run(&["check", "x.bp", "--ltl", "<> g", "--json", "r.json"]).code, Some(10));
    assert_eq!(replayed(&lab, "r.json", |_| {}).last_line(), "result: replayed");
    let done = replayed(&lab, "r.json", |report| report["temporal"]["property"] = json!("<> !g"));
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a violation"), "{done:?}");
    for (at, value) in [
        ("/temporal/lasso/stem_steps", json!(40)),
        ("/temporal/lasso/round_steps", json!(40)),
        ("/temporal/lasso/rounds", json!(99)),
        ("/temporal/lasso/ending", json!("ended")),
        ("/temporal/lasso/growth", json!(2)),
        ("/temporal/lasso/trace/story/loop_start", json!(0)),
        ("/temporal/lasso/trace/story/statements/0/line", json!(7)),
        ("/result", json!("holds")),
    ] {
        assert_refused(&replayed(&lab, "r.json", |report| set(report, at, value)), "` is ");
    }
}

/// A lab with a program and a certificate.
fn with_certificate(question: &[&str]) -> Lab {
    let lab = Lab::with("x.bp", PROGRAM);
    let done = lab.run(&[&["check", "x.bp", "--certificate", "c.cert"], question].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    lab
}

#[test]
fn a_certificate_says_what_it_proves() {
    let lab = with_certificate(&["--reach", "NEVER", "--assertions"]);
    assert_snapshot!(lab.run(&["validate", "x.bp", "c.cert", "--reach", "NEVER", "--assertions"]).transcript(), @r"
    --- stdout
    x.bp: no run reaches NEVER (line 7)
    x.bp: no run reaches assertion in main (line 9)
    x.bp: no run reaches assertion in main (line 10)
    result: valid (NEVER, all 2 assertions)
    --- exit 0
    ");
    let quiet = lab.run(&["validate", "x.bp", "c.cert", "--reach", "NEVER", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(0), "result: valid (NEVER)\n"));
    let quiet = lab.run(&["validate", "x.bp", "c.cert", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(0), "result: valid (all 2 assertions)\n"));
}

#[test]
fn a_certificate_for_fewer_targets_is_refused() {
    let lab = with_certificate(&["--reach", "NEVER"]);
    assert_snapshot!(lab.run(&["validate", "x.bp", "c.cert"]).transcript(), @r"
    --- stdout
    result: refused (0 of 2 targets proved)
    --- stderr
    error[CL0019]: the certificate proves less than was asked: nothing about assertion in main (line 9), assertion in main (line 10)
      help: `check --certificate` writes one for what holds; `--reach` and `--assertions` say what is asked
    --- exit 5
    ");
    let done = lab.run(&["validate", "x.bp", "c.cert", "--reach", "NEVER", "--reach", "R", "-q"]);
    assert_eq!((done.code, done.out.as_str()), (Some(5), "result: refused (1 of 2 targets proved)\n"), "{done:?}");
    assert!(done.err.contains("nothing about R (line 5)"), "{}", done.err);
}

#[test]
fn a_certificate_without_targets_is_refused() {
    let lab = with_certificate(&["--reach", "NEVER"]);
    let text = lab.read("c.cert");
    assert!(text.contains("targets 1\nmain.3\n"), "{text}");
    lab.write("none.cert", text.replace("targets 1\nmain.3\n", "targets 0\n"));
    let done = lab.run(&["validate", "x.bp", "none.cert", "--reach", "NEVER"]);
    assert_eq!((done.code, done.last_line()), (Some(5), "result: refused (0 of 1 target proved)"), "{done:?}");
    assert!(done.err.contains("error[CL0019]"), "{}", done.err);
}

#[test]
fn a_certificate_with_other_targets_proves_nothing() {
    let lab = with_certificate(&["--reach", "NEVER"]);
    // The location of R.
    lab.write("other.cert", lab.read("c.cert").replace("targets 1\nmain.3\n", "targets 1\nmain.2\n"));
    let done = lab.run(&["validate", "x.bp", "other.cert", "--reach", "R"]);
    assert_eq!((done.code, done.last_line()), (Some(10), "result: invalid"), "{done:?}");
}

#[test]
fn a_certificate_with_weakened_sets_proves_nothing() {
    let lab = with_certificate(&["--reach", "NEVER"]);
    let text = lab.read("c.cert");
    for (at, from, to) in [
        ("a fact is left out", "main.1 facts 1\ng true\n", "main.1 facts 0\n"),
        ("a fact is turned round", "main.1 facts 1\ng true\n", "main.1 facts 1\ng false\n"),
        ("a set is left out", "main.2 facts 1\ng true\n", ""),
    ] {
        let mut forged = text.replace(from, to);
        assert_ne!(forged, text, "{at}");
        if to.is_empty() {
            forged = forged.replace("sets 6", "sets 5");
        }
        lab.write("weak.cert", forged);
        let done = lab.run(&["validate", "x.bp", "weak.cert", "--reach", "NEVER", "-q"]);
        assert_eq!((done.code, done.out.as_str()), (Some(10), "result: invalid\n"), "{at}: {done:?}");
    }
}

#[test]
fn a_certificate_of_another_program_is_bad_input_even_with_its_fingerprint() {
    let lab = with_certificate(&["--reach", "NEVER"]);
    lab.write("other.bp", PROGRAM.replace("g := T", "g := F"));
    let done = lab.run(&["validate", "other.bp", "c.cert", "--reach", "NEVER"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("error[CL0012]") && done.err.contains("about another program"), "{}", done.err);
    assert_eq!(lab.run(&["check", "other.bp", "--reach", "R", "--certificate", "o.cert", "-q"]).code, Some(0));
    let line = |name: &str| lab.read(name).lines().nth(1).unwrap().to_owned();
    lab.write("forged.cert", lab.read("c.cert").replace(&line("c.cert"), &line("o.cert")));
    let done = lab.run(&["validate", "other.bp", "forged.cert", "--reach", "NEVER", "-q"]);
    assert_eq!((done.code, done.out.as_str()), (Some(10), "result: invalid\n"), "{done:?}");
}

#[test]
fn a_question_without_targets_is_bad_input() {
    let lab = Lab::with("x.bp", "void main() begin if (F) then N: skip; fi end");
    assert_eq!(lab.run(&["check", "x.bp", "--reach", "N", "--certificate", "c.cert"]).code, Some(0));
    let done = lab.run(&["validate", "x.bp", "c.cert"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("error[CL0008]"), "{}", done.err);
}
