//! The smaller commands.

use crate::harness::Lab;
use crate::programs::FIGURE;

#[test]
fn fmt_prints_checks_and_writes() {
    let lab = Lab::with("x.bp", "decl g;void main()begin g:=T;end");
    let printed = lab.run(&["fmt", "x.bp"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let checked = lab.run(&["fmt", "x.bp", "--check"]);
    assert_eq!((checked.code, checked.last_line()), (Some(10), "result: not canonical"));
    assert_eq!(lab.run(&["fmt", "x.bp", "--write"]).code, Some(0));
    assert_eq!(lab.read("x.bp"), printed.out);
    let checked = lab.run(&["fmt", "x.bp", "--check"]);
    assert_eq!((checked.code, checked.last_line()), (Some(0), "result: canonical"));
    assert_eq!(lab.run_with_input(&["fmt", "-"], "decl g;void main()begin g:=T;end").out, printed.out);
}

#[test]
fn the_model_of_a_program_is_a_program() {
    let lab = Lab::with("figure1.bp", FIGURE);
    let model = lab.run(&["fmt", "figure1.bp", "--model"]);
    assert_eq!(model.code, Some(0), "{model:?}");
    lab.write("figure1.cauldron", &model.out);
    assert_eq!(lab.run(&["fmt", "figure1.cauldron"]).out, model.out);
    let done = lab.run(&["check", "figure1.cauldron", "--reach", "R"]);
    assert_eq!((done.code, done.last_line()), (Some(10), "result: violated"), "{done:?}");
}

#[test]
fn generated_programs_are_programs() {
    let lab = Lab::new();
    for arguments in [
        vec!["--family", "bebop", "-n", "3"],
        vec!["--family", "terminator", "-n", "3", "-m", "2", "--bug"],
        vec!["--seed", "7", "--procedures", "2"],
        vec!["--family", "bluetooth", "--variant", "1"],
        vec!["--family", "vector", "-n", "3", "--bug"],
        vec!["--seed", "7", "--threads", "2"],
    ] {
        let mut all = vec!["gen", "-o", "x.bp"];
        all.extend(&arguments);
        assert_eq!(lab.run(&all).code, Some(0), "{arguments:?}");
        let code = lab.run(&["coverage", "x.bp", "--switches", "1"]).code;
        assert!(matches!(code, Some(0 | 11)), "{arguments:?}: {code:?}");
        let again = [&["gen"], arguments.as_slice()].concat();
        assert_eq!(lab.run(&again).out, lab.read("x.bp"), "the same seed gives the same program");
    }
}

#[test]
fn quicksort_ends_and_sorts_unless_it_is_faulty() {
    let lab = Lab::new();
    let generate = |options: &[&str]| lab.run(&[&["gen", "--family", "quicksort", "-o", "q.pds"], options].concat());
    for (variant, formula, code) in [
        ("faulty", "<> main1", 10),
        ("corrected", "<> main1", 0),
        ("sorting", "<> ok", 0),
        ("random-pivot", "<> ok", 0),
        ("sorting", "[] !ok", 10),
    ] {
        assert_eq!(generate(&["-n", "3", "-m", "3", "--variant", variant]).code, Some(0));
        assert_eq!(lab.run(&["check", "q.pds", "--ltl", formula, "-q"]).code, Some(code), "{variant}: {formula}");
    }
    let done = generate(&["-n", "3", "-m", "7", "--variant", "sorting"]);
    assert!(done.code == Some(2) && done.err.contains("3 bits are too few for the indices of 7 elements"), "{done:?}");
    let done = generate(&["--variant", "1"]);
    assert!(done.code == Some(2) && done.err.contains("the variants of `quicksort` are `faulty`"), "{done:?}");
    let done = lab.run(&["gen", "--family", "bluetooth", "--variant", "sorting"]);
    assert!(done.code == Some(2) && done.err.contains("the variants of `bluetooth` are 1, 2 and 3"), "{done:?}");
}

#[test]
fn the_family_of_the_paper_is_answered() {
    let lab = Lab::new();
    for (option, code) in [(None, 10), (Some("--unreachable"), 0)] {
        let mut arguments = vec!["gen", "--family", "bebop", "-n", "20", "-o", "t.bp"];
        arguments.extend(option);
        assert_eq!(lab.run(&arguments).code, Some(0));
        assert_eq!(lab.run(&["check", "t.bp", "--reach", "reach", "-q"]).code, Some(code));
    }
}

#[test]
fn shrink_keeps_what_the_command_sees() {
    let lab = Lab::with("x.bp", FIGURE);
    let tool = env!("CARGO_BIN_EXE_cauldron");
    let arguments = ["shrink", "x.bp", "-o", "small.bp", "--expect", "10", "--", tool, "check", "-q", "--reach", "R"];
    let done = lab.run(&arguments);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(lab.read("small.bp").len() < FIGURE.len() / 2, "{}", lab.read("small.bp"));
    assert_eq!(lab.run(&["check", "small.bp", "--reach", "R"]).code, Some(10));
}

#[test]
fn shrink_needs_a_command_that_works() {
    let lab = Lab::with("x.bp", FIGURE);
    let done = lab.run(&["shrink", "x.bp", "--", "false"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("must give exit code 0 on `x.bp`, but it gave 1"), "{}", done.err);
    let done = lab.run(&["shrink", "x.bp", "--", "./no-such-command"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("cannot run `./no-such-command`"), "{}", done.err);
}

#[test]
fn cross_compares() {
    let done = Lab::new().run(&["cross", "--programs", "20", "--seed", "1"]);
    assert_eq!((done.code, done.last_line()), (Some(0), "result: agree"), "{done:?}");
    assert!(done.out.contains("20 programs, "), "{}", done.out);
}

#[test]
fn explanations_can_be_looked_up() {
    let lab = Lab::new();
    let list = lab.run(&["explain"]);
    assert!(list.out.contains("CL0008  there is nothing to check\n"), "{}", list.out);
    let one = lab.run(&["explain", "cl0008"]);
    assert!(one.out.starts_with("CL0008: there is nothing to check\n\n"), "{}", one.out);
}

#[test]
fn completions_and_manual_pages() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = lab.run(&["completions", shell]);
        assert!(done.code == Some(0) && done.out.contains("coverage"), "{shell}");
    }
    assert!(lab.run(&["man"]).out.contains(".TH cauldron 1"));
    assert!(lab.run(&["man", "check"]).out.contains(".TH cauldron-check 1"));
}

#[test]
fn schemas_are_those_that_are_published() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    for name in ["report", "trace", "coverage", "configurations"] {
        let published = std::fs::read_to_string(folder.join(format!("cauldron-{name}-1.json"))).unwrap();
        assert_eq!(Lab::new().run(&["schema", name]).out, published);
    }
}
