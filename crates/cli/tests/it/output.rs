//! Results that cannot be written, and files that are whole or not there.

use crate::harness::{Done, Lab};
use crate::programs::{FIGURE, safe_figure};
use std::fs::File;
use std::process::Stdio;

#[test]
fn quiet_prints_one_line() {
    let done = Lab::with("x.bp", FIGURE).run(&["check", "x.bp", "--reach", "R", "-q"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(10), "result: violated\n", ""));
}

#[test]
fn verbose_names_engine_passes_and_assumptions() {
    let done = Lab::with("x.bp", safe_figure()).run(&["check", "x.bp", "--reach", "R", "-v"]);
    for part in ["engine: summary", "passes: ", "assumed: execution starts in main"] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    assert_eq!(done.last_line(), "result: holds");
}

#[test]
fn standard_input_is_a_file() {
    let done = Lab::new().run_with_input(&["check", "-", "--reach", "R"], FIGURE);
    assert_eq!(done.code, Some(10), "{done:?}");
    assert!(done.out.starts_with("<stdin>: R (line 12) is REACHABLE"), "{}", done.out);
}

#[test]
fn a_full_disk_is_reported() {
    let lab = Lab::with("x.bp", FIGURE);
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let done = Done::from(lab.command(&["check", "x.bp", "--reach", "R"]).stdout(full()).output().unwrap());
    assert_eq!(done.code, Some(74), "{done:?}");
    assert!(done.err.contains("error[CL0010]: cannot write the standard output"), "{}", done.err);
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--json", "/dev/full"]);
    assert_eq!((done.code, done.last_line()), (Some(74), "result: violated"), "the text is there all the same");
    assert!(done.err.contains("cannot write `/dev/full`"), "{}", done.err);
    let help = Done::from(lab.command(&["--help"]).stdout(full()).output().unwrap());
    assert_eq!(help.code, Some(74));
}

#[test]
fn a_reader_that_went_away_is_no_reason_to_talk() {
    let lab = Lab::new();
    let mut child = lab.command(&["gen", "--family", "bebop", "-n", "20000"]).spawn().unwrap();
    drop(child.stdout.take());
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!((done.code, done.err.as_str()), (Some(74), ""));
}

#[test]
fn a_missing_folder_is_reported() {
    let lab = Lab::with("x.bp", FIGURE);
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--json", "nowhere/report.json"]);
    assert_eq!((done.code, done.last_line()), (Some(74), "result: violated"), "{done:?}");
}

#[test]
fn files_are_replaced_as_a_whole_and_nothing_else_is_left() {
    let lab = Lab::with("x.bp", FIGURE);
    lab.write("report.json", "old");
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--json", "report.json", "--trace", "trace.json"]);
    assert_eq!(done.code, Some(10), "{done:?}");
    assert!(lab.read("report.json").contains("cauldron-report/1"));
    assert_eq!(lab.files(), ["report.json", "trace.json", "x.bp"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::with("x.bp", "void main() begin skip ; end");
    std::os::unix::fs::symlink("x.bp", lab.path("link.bp")).unwrap();
    std::fs::set_permissions(lab.path("x.bp"), std::fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(lab.run(&["fmt", "link.bp", "--write"]).code, Some(0));
    assert!(std::fs::symlink_metadata(lab.path("link.bp")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(lab.path("x.bp")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(lab.run(&["fmt", "x.bp", "--check"]).code, Some(0));
}

#[test]
fn colour_is_a_choice() {
    let lab = Lab::with("x.bp", FIGURE);
    let plain = lab.run(&["check", "x.bp", "--reach", "R"]);
    assert!(!plain.out.contains('\u{1b}'), "not into a pipe");
    let coloured = lab.run(&["check", "x.bp", "--reach", "R", "--color", "always"]);
    assert!(coloured.out.contains("\u{1b}["));
    assert_eq!(coloured.last_line(), "result: violated", "the last line is for scripts");
}

#[test]
fn nothing_is_written_where_nothing_was_found() {
    let lab = Lab::with("x.bp", FIGURE);
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--certificate", "c.cert"]);
    assert_eq!(done.code, Some(10));
    assert!(done.err.contains("no certificate was written"), "{}", done.err);
    lab.write("x.bp", safe_figure());
    let done = lab.run(&["check", "x.bp", "--reach", "R", "--trace", "t.json"]);
    assert_eq!(done.code, Some(0));
    assert!(done.err.contains("no trace was written"), "{}", done.err);
    assert_eq!(lab.files(), ["x.bp"]);
}
