//! Every program of the corpus is read, well-formed, keeps its meaning when formatted, and asks sensible questions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::PathBuf;

use base::Source;
use common::{formatted, read, show_diagnostics};
use front_bp::{Dialect, Options};
use program::Program;

/// The questions of a program, as its comments state them.
#[derive(Default)]
struct Questions {
    options: Options,
    expects: Vec<String>,
    reaches: Vec<(String, String)>,
}

impl Questions {
    fn of(text: &str) -> Self {
        let mut questions = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.strip_prefix("// ").and_then(|comment| comment.split_once(": ")) else {
                continue;
            };
            match (key, value.split_once(' ')) {
                ("expect", None) => questions.expects.push(value.to_owned()),
                ("reach", Some((label, answer))) => questions.reaches.push((label.to_owned(), answer.to_owned())),
                ("dialect", None) => {
                    assert_eq!(value, "getafix");
                    questions.options.dialect = Dialect::Getafix;
                }
                ("switches", None) => assert!(value.parse::<u32>().is_ok(), "not a number: {line}"),
                (within, None) if within.starts_with("within ") => {
                    assert!(["holds", "violated"].contains(&value), "not an answer: {line}");
                }
                ("entry", None) => questions.options.entry = Some(value.to_owned()),
                ("expect" | "reach" | "dialect" | "entry", _) => panic!("not a question: {line}"),
                _ => {}
            }
        }
        questions
    }

    fn check(&self, program: &Program) {
        let has_assertions = !program.assertion_targets().is_empty();
        assert_eq!(self.expects.len(), usize::from(has_assertions), "one `expect` if there are assertions");
        assert!(self.expects.iter().all(|answer| ["holds", "violated"].contains(&answer.as_str())));
        for (label, answer) in &self.reaches {
            assert!(["reachable", "unreachable"].contains(&answer.as_str()), "{answer}");
            assert!(!program.label_targets(label).is_empty(), "no label {label}");
        }
        assert!(self.expects.len() + self.reaches.len() > 0, "nothing is asked");
    }
}

fn corpus() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bp");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_program_of_the_corpus_is_read_and_keeps_its_meaning_when_formatted() {
    let paths = corpus();
    assert!(paths.len() >= 60);
    for path in paths {
        println!("{}", path.display());
        let text = std::fs::read_to_string(&path).unwrap();
        let questions = Questions::of(&text);
        let (lowered, _) = read(&text, &questions.options).unwrap_or_else(|diagnostics| {
            panic!("{}", show_diagnostics(&text, &diagnostics));
        });
        program::verify(&lowered.program).unwrap();
        questions.check(&lowered.program);
        let canonical = formatted(&text);
        let (again, _) = read(&canonical, &questions.options).unwrap();
        assert_eq!(lowered.program, again.program);
        assert_eq!(canonical, formatted(&canonical));
        let model = program::text::print(&lowered.program);
        let (same, _) = program::text::parse(&Source::new("model", model)).unwrap();
        assert_eq!(lowered.program, same, "the text form of the program model");
        let n_comments = |text: &str| text.matches("//").count() + text.matches("/*").count();
        assert_eq!(n_comments(&text), n_comments(&canonical), "comments are kept");
    }
}

#[test]
fn figure_one_has_the_line_numbers_of_the_paper() {
    let lines: Vec<&str> = include_str!("../../../examples/figure1.bp").lines().map(str::trim).collect();
    let expected = [
        (1, "decl g;"),
        (6, "h := !g;"),
        (7, "A(g,h);"),
        (8, "skip;"),
        (9, "A(g,h);"),
        (10, "skip;"),
        (11, "if (g) then"),
        (12, "R: skip;"),
        (14, "skip;"),
        (20, "if (a1) then"),
        (21, "A(a2,a1);"),
        (22, "skip;"),
        (24, "g := a2;"),
    ];
    for (line, text) in expected {
        assert_eq!(lines[line - 1], text);
    }
}
