//! Programs with threads: the bound is asked for, said, and has an exit code of its own.

use crate::harness::Lab;
use crate::programs::{FIGURE, THREADS};
use insta::assert_snapshot;

/// Somebody else changes `x` between the assignment and the assertion: violated with two switches.
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

#[test]
fn a_bound_is_needed() {
    let recursive = "thread a begin void main() begin deep(); end void deep() begin if (*) then deep(); fi end end
        thread b begin void main() begin assert(T); end end";
    assert_snapshot!(Lab::with("threads.bp", recursive).run(&["check", "threads.bp"]).transcript(), @r"
    --- stderr
    error[CL0015]: threads are followed up to a bound only, and none was given
      help: say how far: `--switches K` (context switches) or `--rounds K` (round-robin rounds); `--increase` tries one bound after the other
    --- exit 2
    ");
}

/// `f` finds what `init` leaves, not what was there when it was started; it comes after the thread `a`.
#[test]
fn threads_that_init_starts_begin_when_it_is_over() {
    let program = "\
decl x, y;
void f(a) begin assert(!x); y := a; end
init begin x := T; y := F; start_thread f(T); x := F; end
thread a begin void main() begin L: assert(!y); end end
";
    let lab = Lab::with("threads.bp", program);
    let ways: [&[&str]; 6] = [
        &[],
        &["--engine", "explicit"],
        &["--engine", "network"],
        &["--algorithm", "context-bounded"],
        &["--sequentialize"],
        &["--engine", "product"],
    ];
    for way in ways {
        let bound: &[&str] = if way.contains(&"product") { &[] } else { &["--switches", "2"] };
        let done = lab.run(&[&["check", "threads.bp"], way, bound].concat());
        assert_eq!(done.code, Some(10), "{way:?} {done:?}");
        assert!(done.out.contains("assertion in main (line 4) is VIOLATED"), "{way:?} {done:?}");
        assert!(!done.out.contains("assertion in f (line 2) is VIOLATED"), "{way:?} {done:?}");
    }
    assert_snapshot!(lab.run(&["check", "threads.bp", "--switches", "1"]).transcript(), @r"
    --- stdout
    threads.bp: assertion in main (line 4) is VIOLATED, 1 context switch  [cost]

           init
      3    x := T                      x=1
      3    y := F                      y=0
      3    start_thread f(T)           starts f
             (f)                       a=1
      3    x := F                      x=0
           a             | f
           main          |
      2                  | assert(!x)
      2                  | y := a      y=1
           -- switch 1 to a --  x=0 y=1
      4    L: assert(!y) |             <-- violated

      7 steps, 1 context switch, no calls. Replayed: yes. Not shown: values that do not matter.

    threads.bp: assertion in f (line 2) has no violation within 1 context switch
      runs beyond 1 context switch were not looked at
    result: violated
    --- exit 10
    ");
}

#[test]
fn nothing_within_the_bound_is_not_holds() {
    let lab = Lab::with("race.bp", RACE);
    assert_snapshot!(lab.run(&["check", "race.bp", "--switches", "1"]).transcript(), @r"
    --- stdout
    race.bp: assertion in one::main (line 4) has no violation within 1 context switch  [cost]
      runs beyond 1 context switch were not looked at
    result: bounded (1 context switch)
    --- exit 11
    ");
    let rounds = lab.run(&["check", "race.bp", "--rounds", "1", "-q"]);
    assert_eq!((rounds.code, rounds.last_line()), (Some(11), "result: bounded (1 round)"));
    let rounds = lab.run(&["check", "race.bp", "--rounds", "2", "-q"]);
    assert_eq!((rounds.code, rounds.last_line()), (Some(10), "result: violated"));
}

#[test]
fn a_violation_has_one_lane_per_thread() {
    assert_snapshot!(Lab::with("race.bp", RACE).run(&["check", "race.bp", "--switches", "2"]).transcript(), @r"
    --- stdout
    race.bp: assertion in one::main (line 4) is VIOLATED, 2 context switches  [cost]

           init
      2    x := F                   x=0
           one        | two
           one::main  |
                      | two::main
      4    x := T     |             x=1
           -- switch 1 to two --  x=1
      7               | flip()
                      | flip
      8               |   x := !x   x=0
           -- switch 2 to one --  x=0
      4    assert(x)  |             <-- violated

      5 steps, 2 context switches, 1 call deep. Replayed: yes. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
}

#[test]
fn the_report_has_bound_threads_and_switches() {
    let lab = Lab::with("race.bp", RACE);
    let done = lab.run(&["check", "race.bp", "--switches", "2", "--json", "r.json", "--trace", "t.json"]);
    assert_eq!(done.code, Some(10));
    let report: serde_json::Value = serde_json::from_str(&lab.read("r.json")).unwrap();
    assert_eq!(report["bound"], serde_json::json!({"kind": "switches", "k": 2}));
    let trace = &report["targets"][0]["trace"];
    let story = &trace["story"];
    assert_eq!((&trace["switches"], &story["threads"]), (&2.into(), &serde_json::json!(["one", "two"])));
    let steps: Vec<(u64, u64)> = story["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["thread"].as_u64().unwrap_or(0), event["switch"].as_u64().unwrap_or(0)))
        .collect();
    assert!(steps.contains(&(1, 1)) && steps.contains(&(0, 2)), "{steps:?}");
    let stacks = &story["switches"][1]["stacks"];
    assert_eq!(stacks[0]["frames"], serde_json::json!([{"procedure": "one::main", "line": 4}]));
    assert_eq!(stacks[1]["frames"][0]["procedure"], "two::main");
    let replayed = lab.run(&["replay", "race.bp", "t.json", "-q"]);
    assert_eq!((replayed.code, replayed.last_line()), (Some(0), "result: replayed"));
}

#[test]
fn one_thread_needs_no_bound() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["check", "figure1.bp", "--reach", "R", "--switches", "3"]);
    assert_eq!(done.code, Some(10));
    assert!(done.out.contains("one thread: the bound of 3 context switches does not matter"), "{}", done.out);
}

#[test]
fn coverage_says_its_bound_too() {
    let lab = Lab::with("threads.bp", THREADS);
    // Threads that do not recurse need no bound.
    assert_eq!(lab.run(&["coverage", "threads.bp"]).code, Some(0));
    let done = lab.run(&["coverage", "threads.bp", "--switches", "0", "--json", "c.json"]);
    assert_eq!((done.code, done.last_line()), (Some(11), "result: bounded (0 context switches)"));
    let report: serde_json::Value = serde_json::from_str(&lab.read("c.json")).unwrap();
    assert_eq!(report["bound"]["k"], 0);
}

#[test]
fn stacks_that_grow_too_high_leave_the_question_open() {
    let text = "thread a begin void main() begin deep(); L: skip; end void deep() begin if (*) then deep(); fi end end
        thread b begin void main() begin if (F) then NEVER: skip; fi end end";
    let lab = Lab::with("deep.bp", text);
    let done = lab.run(&[
        "check",
        "deep.bp",
        "--reach",
        "NEVER",
        "--switches",
        "1",
        "--engine",
        "explicit",
        "--max-depth",
        "4",
        "-q",
    ]);
    assert_eq!((done.code, done.last_line()), (Some(20), "result: unknown (depth)"));
}
