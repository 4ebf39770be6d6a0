//! Every row of the table of exit codes.

use crate::harness::Lab;
use crate::programs::{ASSERTIONS, FIGURE, THREADS, endless, safe_figure};
use insta::assert_snapshot;

#[test]
fn holds() {
    let lab = Lab::with("figure1.bp", safe_figure());
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is not reachable  [cost]
      no run reaches R; certificate validated (11 locations)
    result: holds
    --- exit 0
    "#);
}

#[test]
fn violated() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is REACHABLE  [cost]

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

      16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.

    result: violated
    --- exit 10
    "#);
}

#[test]
fn violated_with_every_call_written_out() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R", "--expand"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is REACHABLE  [cost]

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
      9    A(g, h)
           A                               a1=1 a2=0
      20     if (a1)
      21     A(a2, a1)
             A                             a1=0 a2=1
      20       if (a1)
      24       g := a2                     g=1
      22     skip
      10   skip
      11   if (g)
      12   R: skip                         <-- R

      16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.

    result: violated
    --- exit 10
    "#);
}

#[test]
fn several_targets() {
    let lab = Lab::with("several.bp", ASSERTIONS);
    assert_snapshot!(lab.run(&["check", "several.bp"]).transcript(), @r#"
    --- stdout
    several.bp: assertion in main (line 7) is VIOLATED  [cost]

      main
      3    x := *                          x=0
      4    y := !x                         y=1
      5    assert(x | y)
      6    if (*)
      7    assert(x & !y)                  <-- violated

      5 steps, no calls, shortest. Replayed: yes. Not shown: values that do not matter.

    several.bp: assertion in main (line 5) holds
    several.bp: assertion in main (line 10) holds
      2 targets hold: no run reaches them; certificate validated (8 locations)
    result: violated
    --- exit 10
    "#);
}

#[test]
fn unknown_by_steps() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R", "--max-steps", "1"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is NOT DECIDED  [cost]
      stopped: the step limit was reached (0 of 1 target decided)
    result: unknown (steps)
    --- exit 20
    "#);
}

#[test]
fn unknown_by_time() {
    let lab = Lab::with("endless.bp", endless());
    let started = std::time::Instant::now();
    let done = lab.run(&["check", "endless.bp", "--timeout", "500ms"]);
    assert!(started.elapsed().as_secs_f64() < 5.0, "took {:?}", started.elapsed());
    assert_eq!((done.code, done.last_line()), (Some(21), "result: unknown (time)"), "{done:?}");
}

#[test]
fn unknown_by_memory() {
    let lab = Lab::with("endless.bp", endless());
    let done = lab.run(&["check", "endless.bp", "--memory", "1M"]);
    assert_eq!((done.code, done.last_line()), (Some(22), "result: unknown (memory)"), "{done:?}");
}

#[test]
fn unvalidated() {
    let lab = Lab::with("figure1.bp", safe_figure());
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "R", "--no-validate"]).transcript(), @r#"
    --- stdout
    figure1.bp: R (line 12) is not reachable, NOT VALIDATED  [cost]
      no run reaches R; no certificate was asked for (--no-validate)
    result: unvalidated (not asked)
    --- exit 12
    "#);
    let done = lab.run(&["check", "figure1.bp", "--reach", "R", "--no-validate", "--certificate", "c.cert"]);
    assert!(done.out.contains("certificate NOT validated (11 locations), written to c.cert: that was not asked for"));
    assert_eq!((done.code, done.last_line()), (Some(12), "result: unvalidated (not asked)"), "{done:?}");
    let done = lab.run(&["coverage", "figure1.bp", "--no-validate"]);
    assert_eq!((done.code, done.last_line()), (Some(12), "result: unvalidated (not asked)"), "{done:?}");
}

#[test]
fn unreplayed() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["check", "figure1.bp", "--reach", "R", "--no-validate"]);
    assert_eq!((done.code, done.last_line()), (Some(13), "result: unreplayed (not asked)"), "{done:?}");
    assert!(done.out.contains("R (line 12) is REACHABLE, NOT REPLAYED"), "{}", done.out);
    assert!(done.out.contains("Replayed: no."), "{}", done.out);
}

#[test]
fn usage() {
    assert_eq!(Lab::new().run(&["check"]).code, Some(2));
}

#[test]
fn bad_input() {
    assert_eq!(Lab::new().run(&["check", "missing.bp"]).code, Some(3));
}

#[test]
fn unsupported() {
    let done = Lab::with("threads.bp", THREADS).run(&["check", "threads.bp", "--engine", "summary"]);
    assert_eq!(done.code, Some(4));
    assert!(done.err.contains("the engine `summary` does not support"), "{}", done.err);
}

#[test]
fn internal_error() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let done = lab.run(&["internal-error"]);
    assert_eq!(done.code, Some(70));
    assert!(done.err.starts_with("error: internal error: on purpose"), "{}", done.err);
    assert!(done.err.contains("Please report it"), "{}", done.err);
    assert!(!done.err.contains("backtrace"), "{}", done.err);
    let traced = lab.command(&["internal-error"]).env("RUST_BACKTRACE", "1").output().unwrap();
    assert!(traced.stderr.len() > done.err.len(), "a stack for those who ask");
}

#[test]
fn mathematical_integers_are_refused_with_the_name_of_the_variable() {
    let text = "shared count: int; thread main: main;\n\
        procedure main() { entry 0; 0: -> 1 when slt(count, 5); 1 (R): }\n";
    let lab = Lab::with("count.cauldron", text);
    for more in
        [&["--engine", "explicit", "--reach", "R"][..], &["--algorithm", "summary", "--reach", "R"], &["--terminates"]]
    {
        let done = lab.run(&[&["check", "count.cauldron"], more].concat());
        assert_eq!(done.code, Some(4), "{}", done.err);
        assert!(done.err.contains("`count`"), "{}", done.err);
    }
    assert_eq!(lab.run(&["configurations", "count.cauldron"]).code, Some(4));
}
