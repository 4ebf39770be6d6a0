//! Algorithm files on the command line.

use crate::harness::Lab;
use crate::programs::{FIGURE, THREADS, safe_figure};
use insta::assert_snapshot;

#[test]
fn every_sequential_algorithm_answers() {
    let lab = Lab::with("bad.bp", FIGURE);
    lab.write("good.bp", safe_figure());
    for name in ["summary", "entry-forward", "entry-forward-split", "entry-forward-opt", "backward"] {
        let of = |file| lab.run(&["check", file, "--reach", "R", "--algorithm", name, "-q"]).code;
        assert_eq!([of("bad.bp"), of("good.bp")], [Some(10), Some(0)], "{name}");
    }
    let symbolic = ["check", "good.bp", "--reach", "R", "--algorithm", "entry-forward", "--control", "symbolic", "-q"];
    assert_eq!(lab.run(&symbolic).code, Some(0));
    let literal = ["check", "bad.bp", "--reach", "R", "--algorithm", "entry-forward", "--literal", "-q"];
    assert_eq!(lab.run(&literal).code, Some(10));
}

#[test]
fn the_report_names_the_algorithm() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.run(&["check", "x.bp", "--reach", "R", "--algorithm", "backward", "--json", "r.json"]);
    let report: serde_json::Value = serde_json::from_str(&lab.read("r.json")).unwrap();
    assert_eq!((&report["engine"], &report["algorithm"]), (&"formula".into(), &"backward".into()));
}

#[test]
fn what_does_not_fit_is_said() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("threads.bp", THREADS);
    let said = |arguments: &[&str]| lab.run(arguments).transcript();
    assert_snapshot!(said(&["check", "x.bp", "--reach", "R", "--algorithm", "entry-foward"]), @r"
    --- stderr
    error: there is no algorithm `entry-foward`
      help: did you mean `entry-forward`? The algorithms are: summary, entry-forward, entry-forward-split, entry-forward-opt, context-bounded, round-robin, backward, non-termination, recurrence; a file of your own is given with its extension: `entry-foward.fp`
    --- exit 2
    ");
    assert_snapshot!(said(&["check", "threads.bp", "--algorithm", "summary", "--switches", "2"]), @r"
    --- stderr
    error[CL0009]: the algorithm `summary` does not support programs with several threads
      help: the algorithms for threads have a parameter `k`: `context-bounded` (--switches K), `round-robin` (--rounds K)
    --- exit 4
    ");
    assert_snapshot!(said(&["check", "threads.bp", "--algorithm", "round-robin", "--switches", "2"]), @r"
    --- stderr
    error: the algorithm `round-robin` is about a number of rounds: give `--rounds K`, or take `context-bounded`
    --- exit 2
    ");
    assert_snapshot!(said(&["check", "threads.bp", "--algorithm", "context-bounded"]), @r"
    --- stderr
    error[CL0015]: the algorithm `context-bounded` follows threads up to a bound, and none was given
      help: say how far: `--switches K` (context switches); `--increase` tries one bound after the other
    --- exit 2
    ");
}

#[test]
fn files_that_do_not_answer_the_question_are_rejected() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("own.fp", "query reached(p: Location) = k = 1;");
    let said = |arguments: &[&str]| lab.run(arguments).transcript();
    assert_snapshot!(said(&["check", "x.bp", "--reach", "R", "--algorithm", "non-termination"]), @r"
    --- stderr
    error[CL0016]: the file does not say which locations are reached: it has no query `reached(p: Location)`
      --> non-termination.fp:29:7
       |
    29 | query runs_forever = exists u: State. Entry(u.loc) & Init(u.loc) & Forever(u);
       |       ^^^^^^^^^^^^ this query asks for something else
       |
       = help: `cauldron solve FILE.fp --program PROGRAM` answers the queries that a file has

    non-termination.fp: 1 error
    --- exit 3
    ");
    assert_snapshot!(said(&["check", "x.bp", "--reach", "R", "--algorithm", "own.fp"]), @r"
    --- stderr
    error[FP0020]: there is no variable or constant `k`
     --> own.fp:1:30
      |
    1 | query reached(p: Location) = k = 1;
      |                              ^ not known here
      |
      = help: declare it with a quantifier: `exists x: Sort. ...`

    own.fp: 1 error
    --- exit 3
    ");
    assert_snapshot!(said(&["check", "x.bp", "--reach", "R", "--literal"]), @r"
    --- stderr
    error: `--literal` has no meaning without `--algorithm`
    --- exit 2
    ");
    assert_snapshot!(said(&["coverage", "x.bp", "--algorithm", "own.fp"]), @r"
    --- stderr
    error: what `own.fp` says about every statement would not be checked
      help: `coverage` takes built-in algorithms; `cauldron solve` answers the queries of a file
    --- exit 2
    ");
    assert_snapshot!(said(&["solve", "own.fp"]), @r"
    --- stderr
    error[FP0020]: there is no variable or constant `k`
     --> own.fp:1:30
      |
    1 | query reached(p: Location) = k = 1;
      |                              ^ not known here
      |
      = help: declare it with a quantifier: `exists x: Sort. ...`

    own.fp: 1 error
    --- exit 3
    ");
    assert_snapshot!(said(&["solve", "summary"]), @r"
    --- stderr
    error: the file speaks of a program, and none is given
      help: name it with `--program PROGRAM`
    --- exit 2
    ");
}

#[test]
fn a_file_that_speaks_of_no_program_needs_none() {
    let lab = Lab::with(
        "alone.fp",
        "mu Even(n: 0..6) = n = 0 | (exists m: 0..6. Even(m) & n = m + 2);\nquery even(n: 0..6) = Even(n);\n",
    );
    assert_snapshot!(lab.run(&["solve", "alone.fp"]).transcript(), @r"
    --- stdout
    even(n): 4 solutions
      0
      2
      4
      6
    result: solved
    --- exit 0
    ");
    assert_snapshot!(lab.run(&["solve", "alone.fp", "--reach", "R"]).transcript(), @r"
    --- stderr
    error: `--reach` has no meaning without a program
    --- exit 2
    ");
}

#[test]
fn equations_that_do_not_settle_are_reported() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("restless.fp", "mu R(p: Location) = !R(p);\nquery reached(p: Location) = R(p);\n");
    assert_snapshot!(lab.run(&["check", "x.bp", "--reach", "R", "--algorithm", "restless.fp"]).transcript(), @r"
    --- stdout
    x.bp: R (line 12) is NOT DECIDED  [cost]
      stopped: the equations of the algorithm do not settle (0 of 1 target decided)
      `R` has in round 4 the value that it had in round 2, and not in between
    result: unknown (oscillates)
    --- exit 20
    ");
    assert_snapshot!(lab.run(&["solve", "restless.fp", "--program", "x.bp"]).transcript(), @r"
    --- stdout
    reached(p): not answered
    stopped: the algorithm's equations do not settle: `R` has in round 4 the value that it had in round 2, and not in between
    result: unknown (oscillates)
    --- exit 20
    ");
}

/// What was answered before is printed, and what was not is named.
#[test]
fn answers_before_a_stop_are_shown() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("part.fp", "query easy = true;\nmu N(x: 0..2) = !N(x);\nquery osc(x: 0..2) = N(x);\n");
    assert_snapshot!(lab.run(&["solve", "part.fp"]).transcript(), @r"
    --- stdout
    easy: true
    osc(x): not answered
    stopped: the algorithm's equations do not settle: `N` has in round 4 the value that it had in round 2, and not in between
    result: unknown (oscillates)
    --- exit 20
    ");
    lab.write("part.mu", "true;\nenum R {0..1};\nnu bool N(R x) !N(x);\nexists R x. N(x);\n");
    assert_snapshot!(lab.run(&["solve", "part.mu"]).transcript(), @r"
    --- stdout
    formula in line 1: true
    formula in line 4: not answered
    stopped: the algorithm's equations do not settle: `N` has in round 4 the value that it had in round 2, and not in between
    result: unknown (oscillates)
    --- exit 20
    ");
}

#[test]
fn an_algorithm_that_claims_too_much_is_found_out() {
    let lab = Lab::with("x.bp", safe_figure());
    lab.write("all.fp", "input Target(p: Location);\nquery reached(p: Location) = Target(p);\n");
    assert_snapshot!(lab.run(&["check", "x.bp", "--reach", "R", "--algorithm", "all.fp"]).transcript(), @r"
    --- stderr
    error[CL0017]: the answer of the algorithm `all.fp` does not check, so there is no answer: a target is reached, but no run was found that reaches it
      help: the equations of the file do not fit the program: `cauldron explain CL0017`
    --- exit 3
    ");
}

#[test]
fn plans_and_costs_are_shown_when_asked_for() {
    let lab = Lab::with("x.bp", FIGURE);
    let small =
        "input Target(p: Location);\nmu R(p: Location) = Target(p) | R(p);\nquery targets(p: Location) = R(p);\n";
    lab.write("small.fp", small);
    let shown = |options: &[&str]| {
        let solve = ["solve", "small.fp", "--program", "x.bp", "--reach", "R"];
        lab.run(&[&solve, options].concat()).transcript()
    };
    assert_snapshot!(shown(&["--explain"]), @r"
    --- stdout
    Columns marked # are keys; the others are bits of decision diagrams.
    Relations in the order in which they are solved.

    by increments: positive, least
      mu R(#p)
        1. Target(p)
        2. R(p)

    once
      query targets(#p)
        1. R(p)

    inputs
      Target(#p)

    targets(p): 1 solution
      main.6 (line 12)
    result: solved
    --- exit 0
    ");
    assert_snapshot!(shown(&["--profile"]), @r"
    --- stdout
         runs   results        time
     [time]  mu R: 1 entry, 0 nodes
            1         1 [time]    1. Target(p)
            1         1 [time]    2. R(p)
     [time]  query targets: 1 entry, 0 nodes
            1         1 [time]    1. R(p)

    targets(p): 1 solution
      main.6 (line 12)
    result: solved
    --- exit 0
    ");
    assert_snapshot!(shown(&["--profile", "--literal"]), @r"
    --- stdout
         runs   results        time
     [time]  mu R: 1 entry, 0 nodes, 2 rounds
            2         2 [time]    1. Target(p)
            2         1 [time]    2. R(p)
     [time]    round 1: 1 entry, 0 nodes
     [time]    round 2: 1 entry, 0 nodes
     [time]  query targets: 1 entry, 0 nodes
            1         1 [time]    1. R(p)

    targets(p): 1 solution
      main.6 (line 12)
    result: solved
    --- exit 0
    ");
    let checked = |option| lab.run(&["check", "x.bp", "--reach", "R", "--algorithm", "entry-forward", option]).out;
    assert!(checked("--explain").contains("mu Summary(#u.loc"));
    assert!(checked("--profile").contains("Summary(u, x) & ProgramInt(x, v)"));
    assert!(!checked("-v").contains("mu Summary"));
}

#[test]
fn plans_and_costs_of_mucke_files() {
    let lab = Lab::with("c.mu", "mu bool R(bool x) x | R(x);\nexists bool x. R(x);\n");
    assert_snapshot!(lab.run(&["solve", "c.mu", "--explain", "--profile"]).transcript(), @r"
    --- stdout
    All columns are bits of decision diagrams.
    Relations in the order in which they are solved.

    by increments: positive, least
      mu R(x)
        1. x = true
        2. R(x)

    once
      query formula 1()
        1. R(x)

         runs   results        time
     [time]  mu R: 1 entry, 0 nodes
            1         1 [time]    1. x = true
            1         1 [time]    2. R(x)
     [time]  query formula 1: 1 entry, 0 nodes
            1         1 [time]    1. R(x)

    formula in line 2: true
    true
    --- exit 0
    ");
}

#[test]
fn algorithms_are_listed_and_printed() {
    let lab = Lab::new();
    assert_snapshot!(lab.run(&["algorithms"]).out, @r"
    summary               Summaries from all entries.
    entry-forward         Summaries of reachable entries only.
    entry-forward-split   Summaries of reachable entries, with the return clause in two groups.
    entry-forward-opt     Summaries of reachable entries, from the locations that matter.
    context-bounded       Reachability within k context switches.
    round-robin           Reachability within k rounds, in each of which the threads have one turn each, in order.
    backward              Backward, from what is asked about, on the fly.
    non-termination       An infinite run.
    recurrence            A run that comes to a target again and again.
    ");
    let printed = lab.run(&["algorithms", "backward"]);
    assert_eq!(printed.out, include_str!("../../../../algorithms/backward.fp"));
    assert_eq!(lab.run(&["algorithms", "bakward"]).code, Some(2));
}

#[test]
fn algorithm_files_are_formatted() {
    let lab = Lab::with("a.fp", "query  q=true  ;");
    assert_eq!(lab.run(&["fmt", "a.fp", "--check"]).code, Some(10));
    assert_eq!(lab.run(&["fmt", "a.fp", "--write"]).code, Some(0));
    assert_eq!(lab.read("a.fp"), "query q = true;\n");
    lab.write("a.fp", "query q = ;");
    assert_eq!(lab.run(&["fmt", "a.fp"]).code, Some(3));
}

#[test]
fn files_of_mucke_are_solved() {
    let lab = Lab::with("b.mu", "mu bool R(bool x) x | R(x);\n");
    lab.write("a.mu", "#load b;\nexists bool x. R(x);\nforall bool x. R(x);\n");
    let loaded = lab.run(&["solve", "a.mu", "-q"]);
    assert_eq!((loaded.code, loaded.out.as_str()), (Some(0), "false\n"), "{}", loaded.err);
    let text = "mu bool R(bool x) x | R(x);\nexists bool x. R(x);\nforall bool x. R(x);\n";
    lab.write("c.mu", text);
    assert_snapshot!(lab.run(&["solve", "c.mu"]).transcript(), @r"
    --- stdout
    formula in line 2: true
    formula in line 3: false
    false
    --- exit 0
    ");
    let quiet = lab.run(&["solve", "c.mu", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(0), "false\n"));
    lab.write("d.mu", "R(");
    assert_eq!(lab.run(&["solve", "d.mu"]).code, Some(3));
    assert_eq!(lab.run(&["solve", "c.mu", "--program", "x.bp"]).code, Some(2));
}
