//! How a process ends: without standard output, at limits on files, at signals, at limits in the middle of a bound.
#![cfg(unix)]

use crate::harness::{Done, Lab};
use crate::json::valid;
use crate::programs::{FIGURE, endless, safe_figure};
use std::process::{Child, Command, Stdio};

/// Runs `cauldron` from a shell, after some words of it.
fn in_shell(lab: &Lab, script: &str, arguments: &[&str]) -> Done {
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_cauldron")]).args(arguments).current_dir(lab.path(""));
    command.stdin(Stdio::null()).output().unwrap().into()
}

#[test]
fn a_closed_standard_output_is_an_error_in_every_command() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("safe.bp", safe_figure());
    lab.write("f.fp", "query always = true;\n");
    let files = ["check", "x.bp", "--reach", "R", "--trace", "t.json", "-q"];
    assert_eq!(lab.run(&files).code, Some(10));
    assert_eq!(lab.run(&["check", "safe.bp", "--reach", "R", "--certificate", "c.cert", "-q"]).code, Some(0));
    let commands: [&[&str]; 15] = [
        &["check", "x.bp", "--reach", "R"],
        &["check", "x.bp", "--reach", "R", "--json", "-"],
        &["coverage", "x.bp"],
        &["configurations", "x.bp"],
        &["automaton", "[] p"],
        &["solve", "f.fp"],
        &["algorithms"],
        &["fmt", "x.bp"],
        &["validate", "safe.bp", "c.cert", "--reach", "R"],
        &["replay", "x.bp", "t.json"],
        &["gen"],
        &["explain", "CL0010"],
        &["schema", "report"],
        &["--version"],
        &["--help"],
    ];
    for command in commands {
        let done = in_shell(&lab, r#"exec "$0" "$@" >&-"#, command);
        assert_eq!(done.code, Some(74), "{command:?}: {done:?}");
        assert!(done.err.contains("error[CL0010]: cannot write the standard output: it is closed"), "{}", done.err);
    }
}

#[test]
fn without_a_standard_output_files_are_written_all_the_same() {
    let lab = Lab::with("x.bp", FIGURE);
    let done = in_shell(&lab, r#"exec "$0" "$@" >&-"#, &["check", "x.bp", "--reach", "R", "--json", "r.json"]);
    assert_eq!(done.code, Some(74), "{done:?}");
    assert_eq!(valid(&lab.read("r.json"), "report")["result"], "violated");
    let done = in_shell(&lab, r#"exec "$0" "$@" >&-"#, &["gen", "-o", "y.bp"]);
    assert_eq!(done.code, Some(0), "nothing was to be printed: {done:?}");
    let limited = r#"ulimit -v 8000000; exec "$0" "$@" >&-"#;
    assert_eq!(in_shell(&lab, limited, &["check", "x.bp", "--reach", "R"]).code, Some(74));
}

#[test]
fn symbolic_links_are_written_through() {
    let lab = Lab::with("x.bp", FIGURE);
    std::fs::create_dir(lab.path("far")).unwrap();
    for (link, target) in [("one", "two"), ("two", "far/new.json"), ("old", "far/old.json"), ("loop", "loop")] {
        std::os::unix::fs::symlink(target, lab.path(link)).unwrap();
    }
    lab.write("far/old.json", "old");
    for (link, file) in [("one", "far/new.json"), ("old", "far/old.json")] {
        let done = lab.run(&["check", "x.bp", "--reach", "R", "--json", link, "-q"]);
        assert_eq!(done.code, Some(10), "{done:?}");
        assert!(std::fs::symlink_metadata(lab.path(link)).unwrap().is_symlink(), "{link}");
        valid(&lab.read(file), "report");
    }
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--json", "loop", "-q"]);
    assert_eq!((done.code, done.last_line()), (Some(74), "result: violated"), "{done:?}");
    assert_eq!(lab.files(), ["far", "loop", "old", "one", "two", "x.bp"]);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing_behind() {
    let lab = Lab::with("x.bp", FIGURE);
    let limited = r#"ulimit -f 1; exec "$0" "$@""#;
    let done = in_shell(&lab, limited, &["gen", "--family", "bebop", "-n", "500", "-o", "big.bp"]);
    assert_eq!(done.code, Some(74), "{done:?}");
    assert!(done.err.contains("error[CL0010]: cannot write `big.bp`"), "{}", done.err);
    let done = in_shell(&lab, limited, &["check", "x.bp", "--reach", "R", "--json", "r.json"]);
    assert_eq!((done.code, done.last_line()), (Some(74), "result: violated"), "{done:?}");
    let into_a_file = r#"ulimit -f 1; exec "$0" "$@" > out.bp"#;
    let done = in_shell(&lab, into_a_file, &["gen", "--family", "bebop", "-n", "500"]);
    assert_eq!(done.code, Some(74), "{done:?}");
    assert_eq!(lab.files(), ["out.bp", "x.bp"]);
}

/// Waits until the process handles a signal. Before that it has not done anything.
fn listens(child: &Child, number: u32) -> bool {
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let Some(mask) = status.lines().find_map(|line| line.strip_prefix("SigCgt:")) else { return false };
        if u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << (number - 1)) != 0 {
            return true;
        }
        std::hint::spin_loop();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_right_at_the_start_gives_a_result() {
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        for _ in 0..10 {
            let lab = Lab::with("endless.bp", endless());
            let child = lab.command(&["check", "endless.bp", "--json", "r.json"]).spawn().unwrap();
            assert!(listens(&child, number));
            assert!(
                Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success()
            );
            let done = Done::from(child.wait_with_output().unwrap());
            assert_eq!((done.code, done.last_line()), (Some(20), "result: unknown (cancelled)"), "{done:?}");
            assert_eq!(valid(&lab.read("r.json"), "report")["complete"], false);
        }
    }
}

/// Two processes that take turns by Peterson's algorithm, for ever.
const PETERSON: &str = "\
decl a, b, turn, in_a, in_b;
init begin a := F; b := F; in_a := F; in_b := F; end
thread one begin
  void main() begin
    while (T) do
      a := T; turn := T;
      while (b & turn) do skip; od
      in_a := T; assert(!in_b); in_a := F;
      a := F;
    od
  end
end
thread two begin
  void main() begin
    while (T) do
      b := T; turn := F;
      while (a & !turn) do skip; od
      in_b := T; assert(!in_a); in_b := F;
      b := F;
    od
  end
end
";

#[test]
fn growing_bounds_find_what_is_found_without_a_bound() {
    let lab = Lab::with("peterson.bp", PETERSON);
    assert_eq!(lab.run(&["check", "peterson.bp", "-q"]).last_line(), "result: holds");
    let done = lab.run(&["check", "peterson.bp", "--increase", "-q"]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: holds"), "{done:?}");
    let broken = PETERSON.replace("while (b & turn)", "while (F)");
    let done = Lab::with("broken.bp", broken).run(&["check", "broken.bp", "--increase", "-q"]);
    assert_eq!((done.code, done.last_line()), (Some(10), "result: violated"), "{done:?}");
}

/// Threads that recurse, so that there is no search without a bound, and whose stacks grow with every switch.
const GROWING: &str = "\
decl x, y;
thread one begin
  void main() begin up(); assert(T); end
  void up() begin x := !y; if (*) then up(); fi y := x; if (*) then up(); fi end
end
thread two begin
  void main() begin up(); if (F) then NEVER: skip; fi end
  void up() begin y := !y; if (*) then up(); fi x := y; if (*) then up(); fi end
end
";

#[test]
fn a_limit_says_which_bound_was_finished() {
    let lab = Lab::with("x.bp", GROWING);
    for way in [&["--increase"][..], &["--switches", "40"][..], &["--increase", "--switches", "40"][..]] {
        let common =
            ["check", "x.bp", "--reach", "NEVER", "--engine", "network", "--max-steps", "3", "--json", "r.json"];
        let done = lab.run(&[&common, way].concat());
        let report = valid(&lab.read("r.json"), "report");
        assert_eq!((done.code, &report["complete"]), (Some(20), &false.into()), "{way:?} {done:?}");
        assert_eq!((&report["result"], &report["reason"]), (&"unknown".into(), &"steps".into()), "{way:?}");
        assert_eq!(report["finished"]["kind"], "switches", "{way:?} {done:?}");
        let k = report["finished"]["k"].as_u64().unwrap();
        let finished = if k == 1 { "1 context switch".to_owned() } else { format!("{k} context switches") };
        assert_eq!(done.last_line(), format!("result: unknown (steps, finished {finished})"), "{way:?}");
        assert!(done.out.contains(&format!("is NOT DECIDED beyond {finished}")), "{}", done.out);
        // What is said to be finished is what a search within that bound finds.
        let within = lab.run(&["check", "x.bp", "--reach", "NEVER", "--switches", &k.to_string(), "-q"]);
        assert_eq!(within.code, Some(11), "{within:?}");
    }
}

#[test]
fn the_engine_and_how_it_splits_may_be_said_together() {
    let lab = Lab::with("x.bp", GROWING);
    let ask = |more: &[&str]| lab.run(&[&["check", "x.bp", "--switches", "1", "-q"], more].concat());
    for more in [["network", "eager"], ["network", "lazy"], ["network-eager", "eager"]] {
        let done = ask(&["--engine", more[0], "--split", more[1]]);
        assert_eq!((done.code, done.last_line()), (Some(11), "result: bounded (1 context switch)"), "{done:?}");
    }
    let done = ask(&["--engine", "explicit", "--split", "eager"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("`--split eager` does not go with `--engine explicit`"), "{}", done.err);
}
