//! Temporal properties: formulae and automata in, verdicts with runs without end out.

use crate::harness::Lab;

/// Requests that are served, or not.
const SERVER: &str = "\
decl busy, again;

void serve()
begin
  WORK: busy := 0;
end

void main()
begin
  busy := 0;
  while (*) do
    REQUEST: busy := 1;
    again := *;
    if (again) then
      serve();
    fi
  od
  DONE: skip;
end
";

/// Two procedures that call each other for ever, if `g` is true at the start.
const STACK: &str = "\
decl g;

void p(a)
begin
  L: skip;
  if (a) then
    q(!a);
  fi
end

void q(b)
begin
  p(!b);
end

void main()
begin
  p(g);
end
";

const STUCK: &str = "\
decl x;

void main()
begin
  x := *;
  assume(x);
  OK: skip;
end
";

/// Runs `check` on a program and returns everything. Which of several runs is shown depends on the search, so that is fixed.
fn check(program: &str, arguments: &[&str]) -> String {
    let lab = Lab::with("a.bp", program);
    lab.run(&[&["check", "a.bp", "--cycles", "emerson-lei"], arguments].concat()).transcript()
}

/// The exit code of `check`.
fn code(program: &str, arguments: &[&str]) -> Option<i32> {
    Lab::with("a.bp", program).run(&[&["check", "a.bp", "-q"], arguments].concat()).code
}

/// Recursion that comes to an end from some entries and not from others.
#[test]
fn recursion_ends_where_it_does() {
    let counts = |next: &str| {
        let rules = format!("q <f> --> q <f r> ({next})\nq <f> --> q <> (n <= 1)\nq <r> --> q <>\n");
        format!("local (f) int n(2);\n(q <f>)\n{rules}")
    };
    for (next, verdict) in [("n > 1 & n' = n - 1", 0), ("n > 1 & n' < n", 0), ("n > 1 & n' > 1", 10)] {
        let lab = Lab::with("a.pds", counts(next));
        for other in [&[][..], &["--no-components"], &["--no-reachable-first"], &["--cycles", "emerson-lei"]] {
            let done = lab.run(&[&["check", "a.pds", "--terminates", "--runs", "infinite"], other].concat());
            assert_eq!(done.code, Some(verdict), "{next} {other:?} {}", done.transcript());
        }
    }
}

#[test]
fn a_run_that_ends_stays_in_its_last_state() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "[] (REQUEST -> <> WORK)"]), @"
    --- stdout
    a.bp: [] (REQUEST -> <> WORK) is VIOLATED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state

      main
      10   busy := 0                       busy=0
      11   while (*)
      12   REQUEST: busy := 1              busy=1
      13   again := *                      again=0
      14   if (again)
      11   while (*)
      18   DONE: skip
           (the program has ended)         <-- stays so for ever

      7 steps, no calls. Replayed: yes, the formula is false on it. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
}

#[test]
fn a_loop_is_shown_as_one() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "<> [] busy || <> DONE"]), @"
    --- stdout
    a.bp: <> [] busy || <> DONE is VIOLATED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state

      main                                 busy=1
      10   busy := 0                       busy=0
    +----- from here on, again and again
    | 11   while (*)
    | 12   REQUEST: busy := 1              busy=1
    | 13   again := *                      again=1
    | 14   if (again)
    | 15   serve()
    |      serve
    | 5      WORK: busy := 0               busy=0
    +----- and so on

      1 step, then rounds of 6, 1 call deep. Replayed: 3 rounds, the formula is false on it. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
}

#[test]
fn the_same_among_runs_without_end() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "[] (REQUEST -> <> WORK)", "--runs", "infinite", "-v"]), @"
    --- stdout
    a.bp: [] (REQUEST -> <> WORK) is VIOLATED  [cost]
      only runs without end count

      main
      10   busy := 0                       busy=0
      11   while (*)
      12   REQUEST: busy := 1              busy=1
      13   again := *                      again=0
      14   if (again)
      11   while (*)
      12   REQUEST: busy := 1              busy=1
    +----- from here on, again and again
    | 13   again := *                      again=0
    | 14   if (again)
    | 11   while (*)
    | 12   REQUEST: busy := 1              busy=1
    +----- and so on

      7 steps, then rounds of 4, no calls. Replayed: 3 rounds, the formula is false on it. Not shown: values that do not matter.

      automaton of what must not happen: 2 states, 3 edges
      engine: recurrence (cycles by Emerson-Lei; in components, reachable first); passes: none
      13 steps, 26 BDD variables, 290 nodes at the peak, 0 states
      assumed: execution starts in main
      assumed: a variable without an initial value may have any value
    result: violated
    --- exit 10
    ");
}

#[test]
fn what_holds() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "[] (in(serve) -> <> !busy)", "-v"]), @"
    --- stdout
    a.bp: [] (in(serve) -> <> !busy) HOLDS  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state
      no run violates it; there is no certificate
      automaton of what must not happen: 2 states, 3 edges
      engine: recurrence (cycles by Emerson-Lei; in components, reachable first); passes: none
      13 steps, 26 BDD variables, 162 nodes at the peak, 0 states
      assumed: execution starts in main
      assumed: a variable without an initial value may have any value
    result: holds (no certificate)
    --- exit 0
    ");
}

#[test]
fn a_stack_that_grows() {
    insta::assert_snapshot!(check(STACK, &["--terminates"]), @"
    --- stdout
    a.bp: termination is VIOLATED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state

      main                                 g=1
      18   p(g)
           p                               a=1
    +----- from here on, again and again
    | 5      L: skip
    | 6      if (a)
    | 7      q(!a)
    |        q                             b=0
    | 13       p(!b)
    |          p                           a=1
    +----- and so on; every round adds 2 frames to the stack

      1 step, then rounds of 4, 3 calls deep. Replayed: 3 rounds, it does not end. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
    let never = STACK.replace("p(g)", "p(0)");
    insta::assert_snapshot!(check(&never, &["--terminates"]), @"
    --- stdout
    a.bp: termination HOLDS  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state
      no run violates it; there is no certificate
    result: holds (no certificate)
    --- exit 0
    ");
}

#[test]
fn a_run_that_cannot_go_on() {
    insta::assert_snapshot!(check(STUCK, &["--terminates"]), @"
    --- stdout
    a.bp: termination is VIOLATED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state

      main
      5    x := *                          x=0
      6    assume(x)                       <-- cannot go on here

      1 step, no calls. Replayed: yes, it does not end. Not shown: values that do not matter.

    result: violated
    --- exit 10
    ");
    insta::assert_snapshot!(check(STUCK, &["--terminates", "--runs", "infinite"]), @"
    --- stdout
    a.bp: termination HOLDS  [cost]
      only runs without end count
      no run violates it; there is no certificate
      note: every run ends or cannot go on, so that none counts (vacuous)
    result: holds (no certificate)
    --- exit 0
    ");
    insta::assert_snapshot!(check(STUCK, &["--ltl", "OK || !OK"]), @"
    --- stdout
    a.bp: OK || !OK HOLDS  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state
      no run violates it; there is no certificate
      note: no run of any program violates it (vacuous)
    result: holds (no certificate)
    --- exit 0
    ");
}

/// Atoms of every kind, each in a formula and its negation: not both hold, as there are runs.
#[test]
fn atoms_of_every_kind() {
    let verdicts = |formula: &str| {
        let negated = format!("!({formula})");
        [formula, &negated].map(|formula| code(STACK, &["--ltl", formula]).unwrap_or_default())
    };
    assert_eq!(verdicts("<> L"), [0, 10]);
    assert_eq!(verdicts("[] !in(q)"), [10, 10]);
    assert_eq!(verdicts("X in(p)"), [0, 10]);
    assert_eq!(verdicts("<> end"), [10, 10]);
    assert_eq!(verdicts("g -> [] !end"), [0, 10]);
    assert_eq!(verdicts("\"g = 1\" <-> g"), [0, 10]);
    assert_eq!(verdicts("[] (L -> (\"p::a\" <-> X X in(q)))"), [10, 10]);
    assert_eq!(verdicts("[] (\"a = 1 && g\" -> <> \"b = 0\")"), [0, 10]);
}

#[test]
fn all_ways_to_search_agree() {
    let formulae = ["[] (REQUEST -> <> WORK)", "<> DONE", "[] (WORK -> busy)", "G F busy", "busy U DONE"];
    for runs in ["all", "infinite"] {
        for formula in formulae {
            let common = ["--ltl", formula, "--runs", runs];
            let expected = code(SERVER, &common);
            assert!(matches!(expected, Some(0 | 10)), "{formula}");
            let ways: [&[&str]; 6] = [
                &["--cycles", "emerson-lei"],
                &["--cycles", "owcty"],
                &["--cycles", "closure"],
                &["--no-components"],
                &["--no-reachable-first"],
                &["--no-arrangement"],
            ];
            for way in ways {
                assert_eq!(code(SERVER, &[&common, way].concat()), expected, "{formula} {runs} {way:?}");
            }
            // Nothing is plain that was not checked.
            let unchecked = if expected == Some(0) { Some(12) } else { Some(13) };
            let way: &[&str] = &["--no-validate", "--engine", "recurrence"];
            assert_eq!(code(SERVER, &[&common, way].concat()), unchecked, "{formula} {runs}");
        }
    }
}

#[test]
fn atoms_that_mean_nothing_are_shown_in_the_formula() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "[] (REQEST -> in(sreve)) && \"busy = 3\""]), @r#"
    --- stderr
    error[LT0060]: nothing is called `REQEST`
     --> --ltl:1:5
      |
    1 | [] (REQEST -> in(sreve)) && "busy = 3"
      |     ^^^^^^
      |
      = help: perhaps `REQUEST`?

    error[LT0061]: there is no procedure `sreve`
     --> --ltl:1:18
      |
    1 | [] (REQEST -> in(sreve)) && "busy = 3"
      |                  ^^^^^
      |
      = help: perhaps `serve`?

    error[LT0062]: the two sides are not of one sort
     --> --ltl:1:30
      |
    1 | [] (REQEST -> in(sreve)) && "busy = 3"
      |                              ^^^^^^^^

    --ltl: 3 errors
    --- exit 3
    "#);
}

#[test]
fn a_formula_that_cannot_be_read() {
    insta::assert_snapshot!(check(SERVER, &["--ltl", "[] (busy -> "]), @"
    --- stderr
    error[LT0003]: a formula is missing before the end
     --> --ltl:1:13
      |
    1 | [] (busy -> 
      |             ^ expected a formula

    error[LT0003]: a closing bracket is missing
     --> --ltl:1:13
      |
    1 | [] (busy -> 
      |    -        ^ expected `)`
      |    |
      |    opened here

    --ltl: 2 errors
    --- exit 3
    ");
}

const HOA: &str = "\
HOA: v1
States: 2
Start: 0
AP: 1 \"WORK\"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[t] 0
[!0] 1
State: 1 {0}
[!0] 1
--END--
";

const NEVER: &str = "\
never { /* G F busy */
T0_init:
  do
  :: (busy) -> goto accept_S
  :: (1) -> goto T0_init
  od;
accept_S:
  do
  :: (1) -> goto T0_init
  od;
}
";

#[test]
fn automata_of_other_tools() {
    let lab = Lab::with("a.bp", SERVER.replace("again := *", "again := 1"));
    lab.write("claim.hoa", HOA);
    lab.write("claim.never", NEVER);
    let run = |arguments: &[&str]| {
        lab.run(&[&["check", "a.bp", "--runs", "infinite", "--cycles", "emerson-lei"], arguments].concat()).transcript()
    };
    insta::assert_snapshot!(run(&["--hoa", "claim.hoa"]), @"
    --- stdout
    a.bp: never claim.hoa HOLDS  [cost]
      only runs without end count
      no run violates it; there is no certificate
    result: holds (no certificate)
    --- exit 0
    ");
    insta::assert_snapshot!(run(&["--never", "claim.never", "-v"]), @"
    --- stdout
    a.bp: never claim.never is VIOLATED  [cost]
      only runs without end count

      main                                 busy=0
      10   busy := 0                       busy=0
    +----- from here on, again and again
    | 11   while (*)
    | 12   REQUEST: busy := 1              busy=1
    | 13   again := 1                      again=1
    | 14   if (again)
    | 15   serve()
    |      serve
    | 5      WORK: busy := 0               busy=0
    +----- and so on

      1 step, then rounds of 6, 1 call deep. Replayed: 3 rounds, the automaton accepts it. Not shown: values that do not matter.

      automaton of what must not happen: 2 states, 3 edges
      engine: recurrence (cycles by Emerson-Lei; in components, reachable first); passes: none
      12 steps, 26 BDD variables, 306 nodes at the peak, 0 states
      assumed: execution starts in main
      assumed: a variable without an initial value may have any value
    result: violated
    --- exit 10
    ");
}

#[test]
fn automata_that_cannot_be_read() {
    let lab = Lab::with("a.bp", SERVER);
    lab.write("claim.never", NEVER);
    lab.write("bad.hoa", HOA.replace("[!0] 1", "[!2] 1"));
    let run = |arguments: &[&str]| lab.run(&[&["check", "a.bp"], arguments].concat()).transcript();
    insta::assert_snapshot!(run(&["--hoa", "bad.hoa"]), @"
    --- stderr
    error[LT0105]: there are 1 atomic propositions, counted from 0
     --> bad.hoa:9:3
      |
    9 | [!2] 1
      |   ^

    error[LT0105]: there are 1 atomic propositions, counted from 0
      --> bad.hoa:11:3
       |
    11 | [!2] 1
       |   ^

    bad.hoa: 2 errors
    --- exit 3
    ");
    insta::assert_snapshot!(run(&["--never", "claim.nevr"]), @"
    --- stderr
    error[CL0001]: there is no file `claim.nevr`
      help: did you mean `claim.never`?
    --- exit 3
    ");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let lab = Lab::with("a.bp", SERVER);
    let others: [&[&str]; 10] = [
        &["--reach", "WORK"],
        &["--assertions"],
        &["--certificate", "c"],
        &["--trace", "t"],
        &["--engine", "summary"],
        &["--algorithm", "entry-forward"],
        &["--passes", "live"],
        &["--switches", "2"],
        &["--rounds", "2"],
        &["--profile"],
    ];
    let mut text = String::new();
    for other in others {
        let done = lab.run(&[&["check", "a.bp", "--terminates"], other].concat());
        assert_eq!(done.code, Some(2), "{other:?}");
        text.push_str(&done.err);
    }
    insta::assert_snapshot!(text, @"
    error: `--reach` does not go with `--terminates`
      help: a temporal property is a question of its own: ask for labels and assertions in another run
    error: `--assertions` does not go with `--terminates`
      help: a temporal property is a question of its own: ask for labels and assertions in another run
    error: `--certificate` does not go with `--terminates`
      help: there are no certificates for temporal properties yet
    error: `--trace` does not go with `--terminates`
      help: the run is in the report: `--json FILE`, which `cauldron replay` reads
    error: `--engine` does not go with `--terminates`
      help: temporal properties have an engine of their own, `recurrence`; `--cycles` chooses how it searches
    error: `--algorithm` does not go with `--terminates`
      help: temporal properties have a formula of their own, `recurrence`
    error: `--passes` does not go with `--terminates`
      help: temporal properties are answered on the program as it is, without passes
    error: `--switches` does not go with `--terminates`
      help: temporal properties are about programs with one thread, which need no bound
    error: `--rounds` does not go with `--terminates`
      help: temporal properties are about programs with one thread, which need no bound
    error: `--profile` does not go with `--terminates`
    ");
    for wrong in [&["--ltl", "end", "--terminates"][..], &["--runs", "all"], &["--no-components"]] {
        assert_eq!(lab.run(&[&["check", "a.bp"], wrong].concat()).code, Some(2), "{wrong:?}");
    }
    let alone = lab.run(&["check", "a.bp", "--engine", "recurrence"]);
    assert!(alone.code == Some(2) && alone.err.contains("--terminates"), "{alone:?}");
}

#[test]
fn limits_and_threads_have_their_exit_codes() {
    insta::assert_snapshot!(check(SERVER, &["--terminates", "--max-steps", "1"]), @"
    --- stdout
    a.bp: termination is NOT DECIDED  [cost]
      all runs count; one that ends, or cannot go on, stays in its last state
      stopped: the step limit was reached
    result: unknown (steps)
    --- exit 20
    ");
    let lab = Lab::new();
    assert_eq!(lab.run(&["gen", "--family", "bluetooth", "-o", "threads.bp"]).code, Some(0));
    insta::assert_snapshot!(lab.run(&["check", "threads.bp", "--terminates"]).transcript(), @"
    --- stderr
    error[CL0009]: no engine supports temporal properties of programs with several threads
    --- exit 4
    ");
}

#[test]
fn the_report_for_programs() {
    let lab = Lab::with("a.bp", STACK);
    let done = lab.run(&["check", "a.bp", "--ltl", "<> end", "--cycles", "emerson-lei", "--json", "r.json"]);
    assert_eq!(done.code, Some(10));
    let report: serde_json::Value = serde_json::from_str(&lab.read("r.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&lab.run(&["schema", "report"]).out).unwrap();
    jsonschema::validate(&schema, &report).unwrap();
    let mut temporal = report["temporal"].clone();
    temporal["lasso"]["trace"] = serde_json::json!(null);
    insta::assert_snapshot!(temporal, @r#"
    {"kind":"formula","property":"<> end","runs":"all","search":{"cycles":"emerson-lei","components":true,"reachable_first":true,"arranged":true},"automaton":{"states":1,"edges":1},"vacuous":null,"lasso":{"trace":null,"loop_start":1,"stem_steps":1,"round_steps":4,"ending":"repeats","rounds":3,"growth":2}}
    "#);
    assert_eq!(report["temporal"]["lasso"]["trace"]["story"]["loop_start"], report["temporal"]["lasso"]["loop_start"]);
    assert_eq!(report["temporal"]["lasso"]["trace"]["replayed"], true);
    // What was asked is in the report even when there is no answer.
    assert_eq!(lab.run(&["check", "a.bp", "--ltl", "<> nd", "--json", "bad.json"]).code, Some(3));
    let report: serde_json::Value = serde_json::from_str(&lab.read("bad.json")).unwrap();
    assert_eq!((&report["result"], &report["temporal"]["property"]), (&"bad-input".into(), &"<> nd".into()));
    assert_eq!(report["messages"][0]["code"], "LT0060");
}

#[test]
fn the_automaton_of_the_negation_asks_the_same_question() {
    let lab = Lab::with("server.bp", SERVER);
    let formula = "G(REQUEST -> <>WORK)";
    let claim = lab.run(&["automaton", formula, "--negate"]);
    assert_eq!(claim.code, Some(0), "{claim:?}");
    lab.write("claim.hoa", &claim.out);
    let by_formula = lab.run(&["check", "server.bp", "--ltl", formula]);
    let by_automaton = lab.run(&["check", "server.bp", "--hoa", "claim.hoa"]);
    assert_eq!(by_formula.code, Some(10), "{by_formula:?}");
    assert_eq!((by_automaton.code, by_automaton.last_line()), (Some(10), by_formula.last_line()), "{by_automaton:?}");
    let again = lab.run(&["automaton", "--hoa", "claim.hoa"]);
    assert_eq!(again.out, claim.out, "what is written is small already");
}

#[test]
fn automata_are_drawn_and_mistakes_shown() {
    let lab =
        Lab::with("claim.pml", "never { S: if :: (p) -> goto S :: (!p) -> goto accept_all fi; accept_all: skip }");
    let drawn = lab.run(&["automaton", "--never", "claim.pml", "--format", "dot"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    let expected =
        "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n  start0 [shape=point];\n  start0 -> s0;\n";
    assert!(drawn.out.starts_with(expected), "{drawn:?}");
    assert!(drawn.out.contains("s1 -> s1 [label=\"true\", style=bold];"), "{drawn:?}");
    let wrong = lab.run(&["automaton", "p U"]);
    assert_eq!(wrong.code, Some(3), "{wrong:?}");
    assert!(wrong.err.contains("error[LT0003]: a formula is missing before the end"), "{wrong:?}");
    assert_eq!(lab.run(&["automaton", "--hoa", "claim.pml", "--negate"]).code, Some(2));
}

#[test]
fn runs_without_end_are_replayed_from_the_report() {
    let lab = Lab::with("server.bp", SERVER);
    let formula = "G(REQUEST -> <>WORK)";
    let done = lab.run(&["check", "server.bp", "--ltl", formula, "--runs", "infinite", "--json", "r.json"]);
    assert_eq!(done.code, Some(10), "{done:?}");
    let done = lab.run(&["replay", "server.bp", "r.json"]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: replayed"), "{done:?}");
    assert!(done.out.starts_with("server.bp: G(REQUEST -> <>WORK) is violated\n"), "{done:?}");
    assert!(done.out.contains("3 rounds, the formula is false on it"), "{done:?}");
    assert_eq!(lab.run(&["replay", "server.bp", "r.json", "-q"]).out, "result: replayed\n");
    let tampered = |from: &str, to: &str| {
        let report = lab.read("r.json");
        assert!(report.contains(from), "{report}");
        lab.write("t.json", report.replace(from, to));
        lab.run(&["replay", "server.bp", "t.json"])
    };
    let done = tampered("G(REQUEST -> <>WORK)", "G(WORK -> <>REQUEST)");
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a violation"), "{done:?}");
    let done = tampered("\"action\": \"take\"", "\"action\": \"enter\"");
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a run"), "{done:?}");
    let done = tampered("\"loop_start\": ", "\"loop_start\": 9");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("its loop begins behind them"), "{done:?}");
    assert_eq!(lab.run(&["replay", "server.bp", "r.json", "--nth", "2"]).code, Some(3));
}

#[test]
fn runs_that_end_are_replayed_where_they_count() {
    let lab = Lab::with("server.bp", SERVER);
    lab.write("claim.never", "never { accept_init: do :: (!WORK) -> goto accept_init od }");
    assert_eq!(lab.run(&["check", "server.bp", "--never", "claim.never", "--json", "r.json"]).code, Some(10));
    let done = lab.run(&["replay", "server.bp", "r.json", "--never", "claim.never"]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: replayed"), "{done:?}");
    assert_eq!(lab.run(&["check", "server.bp", "--ltl", "!<>DONE", "--json", "e.json"]).code, Some(10));
    assert_eq!(lab.run(&["replay", "server.bp", "e.json"]).last_line(), "result: replayed");
    lab.write("i.json", lab.read("e.json").replace("\"runs\": \"all\"", "\"runs\": \"infinite\""));
    let done = lab.run(&["replay", "server.bp", "i.json"]);
    assert_eq!((done.code, done.last_line()), (Some(10), "result: not a violation"), "{done:?}");
}

#[test]
fn the_formula_of_the_calculus_gives_the_same_answers() {
    let lab = Lab::with("server.bp", SERVER);
    lab.write("stack.bp", STACK);
    for (file, formula) in [
        ("server.bp", "G(REQUEST -> <>WORK)"),
        ("server.bp", "G(WORK -> <>!busy)"),
        ("server.bp", "<>end"),
        ("stack.bp", "<>end"),
        ("stack.bp", "<>[]L"),
    ] {
        for runs in ["all", "infinite"] {
            let question = ["check", file, "--ltl", formula, "--runs", runs];
            let (engine, by_formula) =
                (lab.run(&question), lab.run(&[&question[..], &["--algorithm", "recurrence"]].concat()));
            assert_eq!((by_formula.code, by_formula.last_line()), (engine.code, engine.last_line()), "{question:?}");
            assert!(by_formula.err.is_empty(), "{by_formula:?}");
        }
    }
    let other = lab.run(&["check", "server.bp", "--terminates", "--algorithm", "summary"]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("temporal properties have a formula of their own, `recurrence`"), "{other:?}");
}

/// A cycle that no run reaches stands before one that runs reach.
const BEHIND: &str = "\
decl x;
void main() begin x := 0; f(); end
void f() begin
  L: if (*) then A: while (x) do skip; od goto L; fi
  B: while (!x) do skip; od
  goto L;
end
";

/// The same about an array that the start leaves open.
const BEHIND_ARRAY: &str = "\
bool a[2];
module void f() {
 l: if
   :: true -> do :: a[0] -> skip; :: else -> break; od; goto l;
   :: true -> skip;
 fi;
 do :: !a[0] -> skip; :: else -> break; od;
 goto l;
}
module void main() { a[0] = false; f(); }
";

#[test]
fn a_cycle_out_of_reach_does_not_hide_another() {
    let lab = Lab::with("a.bp", BEHIND);
    lab.write("a.rem", BEHIND_ARRAY);
    let places: [&[&str]; 4] =
        [&[], &["--no-reachable-first"], &["--no-components"], &["--no-reachable-first", "--no-components"]];
    for file in ["a.bp", "a.rem"] {
        for cycles in ["owcty", "emerson-lei", "closure"] {
            for place in places {
                let done = lab.run(&[&["check", file, "--terminates", "-q", "--cycles", cycles], place].concat());
                assert_eq!(done.code, Some(10), "{file} {cycles} {place:?}: {done:?}");
            }
        }
    }
}

#[test]
fn rules_and_starts_with_many_symbols_are_one_moment() {
    let lab = Lab::with("rule.pds", "(q <a>)\nq <a> --> q <b c d>\nq <b> --> q <>\nq <c> --> q <>\nq <d> --> q <d>\n");
    lab.write("start.pds", "(q <a b c>)\nq <a> --> q <>\nq <b> --> q <>\nq <c> --> q <c>\n");
    let holds = [
        ("rule.pds", "[] (a || b || c || d)"),
        ("rule.pds", "a && X (b && X (c && X [] d))"),
        ("rule.pds", "a U b"),
        ("start.pds", "a && X (b && X [] c)"),
        ("start.pds", "[] (a || b || c)"),
    ];
    let violated = [("rule.pds", "X !b"), ("rule.pds", "<> (!a && !b && !c && !d)"), ("start.pds", "! a")];
    let cases = holds.map(|case| (case, 0)).into_iter().chain(violated.map(|case| (case, 10)));
    for ((file, formula), code) in cases {
        for more in [&["--runs", "infinite"][..], &["--algorithm", "recurrence"], &["--cycles", "closure"]] {
            let done = lab.run(&[&["check", file, "--ltl", formula, "-q"], more].concat());
            assert_eq!(done.code, Some(code), "{file} {formula} {more:?}: {done:?}");
        }
    }
}

#[test]
fn names_mean_what_they_say() {
    let lab = Lab::with("end.pds", "(q <a>)\nq <a> --> q <end>\nq <end> --> q <end>\n");
    lab.write("atoms.pds", "(q <a>)\natoms a b\nq <a> --> q <b>\nq <b> --> q <c>\nq <c> --> q <c>\n");
    lab.write("in.bp", "void f() begin skip; end\nvoid f1() begin skip; end\nvoid main() begin f1(); end\n");
    lab.write("signed.rem", "signed int s(3);\nint a[1,3](2);\nmodule void main() { s = 0 - 2, a[1] = 1; K: skip; }\n");
    let cases: [(&[&str], i32); 6] = [
        (&["end.pds", "--terminates"], 10),
        (&["atoms.pds", "--ltl", "b U c"], 0),
        (&["atoms.pds", "--ltl", "[] (b -> !a)"], 10),
        (&["in.bp", "--ltl", "[] !in(f)"], 0),
        (&["signed.rem", "--ltl", "[] (K -> \"s = -2 && a[1] = 1\")"], 0),
        (&["signed.rem", "--ltl", "[] (K -> \"a[0] = 1\")"], 3),
    ];
    for (arguments, code) in cases {
        let done = lab.run(&[&["check"], arguments, &["-q"]].concat());
        assert_eq!(done.code, Some(code), "{arguments:?}: {done:?}");
    }
}
