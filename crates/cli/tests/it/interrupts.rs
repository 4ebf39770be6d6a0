//! Signals: the first one ends with what is known, the second one at once.
#![cfg(unix)]

use crate::harness::{Done, Lab};
use crate::json::valid;
use crate::programs::{FIGURE, endless};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::time::Duration;

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Starts a check that does not end, and waits until it is under way.
fn under_way(lab: &Lab) -> Child {
    let arguments = ["check", "endless.bp", "--json", "report.json", "--progress", "json"];
    let mut child = lab.command(&arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert!(line["phase"].is_string() && line["seconds"].as_f64() >= Some(1.0), "{line}");
    // The rest is read elsewhere, so that the pipe stays open.
    std::thread::spawn(move || lines.for_each(drop));
    child
}

#[test]
fn a_signal_gives_the_partial_result() {
    for name in ["INT", "TERM"] {
        let lab = Lab::with("endless.bp", endless());
        let child = under_way(&lab);
        signal(&child, name);
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!((done.code, done.last_line()), (Some(20), "result: unknown (cancelled)"), "{done:?}");
        let report = valid(&lab.read("report.json"), "report");
        assert_eq!((&report["result"], &report["reason"]), (&"unknown".into(), &"cancelled".into()));
        assert_eq!(report["complete"], false);
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("slow.sh", "touch started\nsleep 30\n");
    let child = lab.command(&["shrink", "x.bp", "--", "sh", "slow.sh"]).spawn().unwrap();
    while !lab.path("started").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(700));
    signal(&child, "INT");
    let started = std::time::Instant::now();
    let mut child = child;
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(5));
}

/// `timeout` signals the process and its group.
#[test]
fn two_signals_close_together_are_one() {
    let lab = Lab::with("endless.bp", endless());
    let child = under_way(&lab);
    signal(&child, "INT");
    signal(&child, "TERM");
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!((done.code, done.last_line()), (Some(20), "result: unknown (cancelled)"), "{done:?}");
}

#[test]
fn plain_progress_is_text() {
    let lab = Lab::with("endless.bp", endless());
    let done = lab.run(&["check", "endless.bp", "--timeout", "1500ms", "--progress", "plain"]);
    assert_eq!(done.code, Some(21), "{done:?}");
    assert!(done.err.contains(" | ") && done.err.contains(" left"), "{}", done.err);
    let silent = lab.run(&["check", "endless.bp", "--timeout", "1500ms"]);
    assert_eq!(silent.err, "", "without a terminal there is no progress line");
}
