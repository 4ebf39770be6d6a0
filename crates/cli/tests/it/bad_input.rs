//! Every kind of bad input: its message, and exit code 3.

use crate::harness::Lab;
use crate::programs::FIGURE;
use insta::assert_snapshot;

#[test]
fn syntax() {
    let lab = Lab::with("x.bp", "void main() begin\n  x := ;\n  if (T then skip; fi\nend\n");
    let done = lab.run(&["check", "x.bp"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("x.bp:2:") && done.err.contains("x.bp:3:"), "all errors at once: {}", done.err);
}

#[test]
fn names_arities_duplicates() {
    let text = "decl g, g;\nvoid main() begin\n  h := T;\n  p(T, F);\n  goto L;\nend\nvoid p(a) begin skip; end\n";
    let done = Lab::with("x.bp", text).run(&["check", "x.bp"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    for line in [1, 3, 4, 5] {
        assert!(done.err.contains(&format!("x.bp:{line}:")), "line {line}: {}", done.err);
    }
}

#[test]
fn an_unknown_label() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp", "--reach", "r", "--reach", "main::Q"]).transcript(), @r#"
    --- stderr
    error[CL0007]: there is no label `r` in `figure1.bp`
      help: did you mean `R`?
    error[CL0007]: there is no label `main::Q` in `figure1.bp`
      help: did you mean `main::R`?
    --- exit 3
    "#);
}

#[test]
fn nothing_to_check() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure1.bp"]).transcript(), @r#"
    --- stderr
    error[CL0008]: there is nothing to check in `figure1.bp`
      help: the program has no assertion; name a label with `--reach LABEL`
            its labels are: R
    --- exit 3
    "#);
}

#[test]
fn a_missing_file() {
    let lab = Lab::with("figure1.bp", FIGURE);
    assert_snapshot!(lab.run(&["check", "figure.bp", "--reach", "R"]).transcript(), @r#"
    --- stderr
    error[CL0001]: there is no file `figure.bp`
      help: did you mean `figure1.bp`?
    --- exit 3
    "#);
}

#[test]
fn a_directory() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("folder.bp")).unwrap();
    assert_snapshot!(lab.run(&["check", "folder.bp"]).transcript(), @r#"
    --- stderr
    error[CL0002]: `folder.bp` is a directory, not a file
    --- exit 3
    "#);
}

#[test]
fn an_empty_file() {
    assert_snapshot!(Lab::with("empty.bp", "").run(&["check", "empty.bp"]).transcript(), @r#"
    --- stderr
    error[CL0004]: `empty.bp` is empty
      help: a program has at least a procedure `main`: `void main() begin skip; end`
    --- exit 3
    "#);
}

#[test]
fn what_an_empty_file_lacks_depends_on_its_language() {
    for (name, least) in [("empty.pds", "(q <main>)"), ("empty.rem", "module void main() { skip; }")] {
        let done = Lab::with(name, "").run(&["check", name]);
        assert!(done.code == Some(3) && done.err.contains(least), "{done:?}");
        // What is advised is read.
        let advised = Lab::with(name, least).run(&["check", name, "--reach", "main", "-q"]);
        assert!(advised.code == Some(10), "{advised:?}");
    }
}

#[test]
fn a_file_with_only_a_comment() {
    let done = Lab::with("comment.bp", "// nothing\n").run(&["check", "comment.bp"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("main"), "{}", done.err);
}

#[test]
fn a_binary_file() {
    let lab = Lab::with("nul.bp", b"decl g;\n\x00");
    assert_snapshot!(lab.run(&["check", "nul.bp"]).transcript(), @r#"
    --- stderr
    error[CL0005]: `nul.bp` is not a text file: a NUL byte at offset 8, in line 2
      help: source files are UTF-8 text
    --- exit 3
    "#);
    lab.write("latin.bp", b"decl g; // \xe7a\n");
    assert_snapshot!(lab.run(&["check", "latin.bp"]).transcript(), @r#"
    --- stderr
    error[CL0005]: `latin.bp` is not a text file: a byte that is not UTF-8 at offset 11, in line 1
      help: source files are UTF-8 text
    --- exit 3
    "#);
}

#[test]
fn a_file_that_is_too_large() {
    let lab = Lab::new();
    // Sparse: it takes no room on the disk.
    std::fs::File::create(lab.path("large.bp")).unwrap().set_len(200_000_000).unwrap();
    assert_snapshot!(lab.run(&["check", "large.bp"]).transcript(), @r#"
    --- stderr
    error[CL0006]: `large.bp` is too large: 200 MB
      help: files of up to 64 MB are read
    --- exit 3
    "#);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let lab = Lab::with("secret.bp", FIGURE);
    let mode = |name: &str, mode| {
        std::fs::set_permissions(lab.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("secret.bp", 0o000);
    mode("", 0o755);
    let mut command = lab.command(&["check", "secret.bp"]);
    if std::fs::read(lab.path("secret.bp")).is_ok() {
        // The superuser may read everything, so somebody else has to try.
        command.uid(65_534);
    }
    let done = crate::harness::Done::from(command.output().unwrap());
    assert_snapshot!(done.transcript(), @r#"
    --- stderr
    error[CL0003]: no permission to read `secret.bp`
    --- exit 3
    "#);
}

#[test]
fn a_million_nested_parentheses() {
    let (open, close) = ("(".repeat(1_000_000), ")".repeat(1_000_000));
    let text = format!("void main() begin\n  assert({open}T{close});\nend\n");
    let done = Lab::with("deep.bp", text).run(&["check", "deep.bp"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(done.err.len() < 10_000 && done.err.contains("deep.bp:2:"), "{} bytes", done.err.len());
}

#[test]
fn a_million_nested_ifs() {
    let text =
        format!("void main() begin\n{}skip;\n{}end\n", "if (*) then\n".repeat(1_000_000), "fi\n".repeat(1_000_000));
    let done = Lab::with("deep.bp", text).run(&["check", "deep.bp"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(done.err.len() < 10_000 && done.err.contains("deep.bp:"), "{} bytes", done.err.len());
}

#[test]
fn hostile_characters_do_not_reach_the_terminal() {
    let done = Lab::with("x.bp", "decl {\u{1b}[2J\u{7}};\nvoid main() begin {\u{1b}]0;x\u{7}} := T; end\n").run(&[
        "check",
        "x.bp",
        "--reach",
        "\u{1b}[31m",
    ]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(!done.err.chars().any(|c| c.is_control() && c != '\n'), "{:?}", done.err);
}

#[test]
fn other_commands_read_files_in_the_same_way() {
    let lab = Lab::with("empty.bp", "");
    for arguments in [
        vec!["coverage", "empty.bp"],
        vec!["fmt", "empty.bp"],
        vec!["fmt", "missing.bp"],
        vec!["validate", "empty.bp", "x.cert"],
        vec!["replay", "empty.bp", "x.json"],
        vec!["shrink", "empty.bp", "--", "true"],
    ] {
        assert_eq!(lab.run(&arguments).code, Some(3), "{arguments:?}");
    }
}
