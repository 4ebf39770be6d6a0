//! Random sources: what is read keeps its meaning when formatted, and nothing makes the front end panic or hang.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use base::Source;
use front_bp::{Dialect, Options, format, lower, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Reads a text as far as it goes; when it has no errors, its canonical text must mean the same.
fn check(text: &str) {
    for dialect in [Dialect::Standard, Dialect::Getafix] {
        let options = Options { dialect, ..Options::default() };
        let source = Source::new("random", text);
        let (tree, diagnostics) = parse(&source);
        let Some(tree) = tree else { continue };
        let Ok((lowered, _)) = lower(&tree, &source, &options) else { continue };
        if diagnostics.has_errors() {
            continue;
        }
        program::verify(&lowered.program).unwrap();
        let canonical = format(&tree);
        let (again, _) = common::read(&canonical, &options).unwrap_or_else(|_| panic!("not read:\n{canonical}"));
        assert_eq!(lowered.program, again.program, "{canonical}");
        assert_eq!(canonical, common::formatted(&canonical));
    }
}

const WORDS: &[&str] = &[
    "decl",
    "bool",
    "void",
    "begin",
    "end",
    "enforce",
    "init",
    "thread",
    "skip",
    "call",
    "return",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "goto",
    "assume",
    "constrain",
    "assert",
    "dead",
    "print",
    "abortif",
    "atomic_begin",
    "atomic_end",
    "start_thread",
    "async",
    "end_thread",
    "break",
    "continue",
    "schoose",
    "choose",
    "true",
    "false",
    "T",
    "F",
    "x",
    "y",
    "main",
    "p",
    "L",
    "{x > 0}",
    "0",
    "1",
    "7",
    "1x",
    ":=",
    ":",
    ";",
    ";",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "'",
    "*",
    "?",
    "=>",
    "<=>",
    "|",
    "^",
    "&",
    "=",
    "!=",
    "!",
    "// c\n",
    "/* c */",
    "/*",
    "\n#",
    "#",
    "{",
    "}",
    "\n",
    "\n\n",
    "@",
    "é",
    "\0",
    "_",
    "ASYNC_1",
];

fn expression() -> impl Strategy<Value = String> {
    let leaf = select(vec!["x", "y", "l", "{x > 0}", "0", "1", "T", "F", "true", "*", "?"]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operator = select(vec!["&", "|", "^", "=", "!=", "=>", "->", "<=>", "&&", "||", "=="]);
        prop_oneof![
            inner.clone().prop_map(|operand| format!("!{operand}")),
            inner.clone().prop_map(|operand| format!("({operand})")),
            (inner.clone(), operator, inner.clone())
                .prop_map(|(left, operator, right)| format!("{left} {operator} {right}")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| format!("(({c}) ? {a} : ({b}))")),
            (inner.clone(), inner).prop_map(|(p, n)| format!("schoose[{p}, {n}]")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        select(vec![
            "skip;",
            "goto L;",
            "goto L, M;",
            "return *;",
            "dead x, l;",
            "x := p(y, 1);",
            "p(x, l);",
            "break;",
            "continue;",
            "l, _ := q();",
            "decl v;",
            "start_thread p(x, y);",
            "start_thread goto L;",
            "end_thread;",
            ";",
            "// comment\n",
            "skip; // behind\n",
            "/* a\n b */ skip;",
            "\n\n",
            "bool w := x;",
            "enforce x | y;",
            "skip /* inside */ ;",
        ])
        .prop_map(str::to_owned),
        expression().prop_map(|value| format!("x := {value};")),
        (expression(), expression()).prop_map(|(first, second)| format!("x, l := {first}, {second};")),
        (expression(), select(vec!["assume", "assert", "constrain", "abortif", "enforce"]))
            .prop_map(|(condition, word)| format!("{word} {condition};")),
        expression().prop_map(|condition| format!("x, y := *, * constrain ('x => {condition});")),
        expression().prop_map(|condition| format!("constrain('l = ({condition}));")),
    ];
    simple.prop_recursive(3, 20, 4, |inner| {
        let block = vec(inner, 0..4).prop_map(|statements| statements.join(" "));
        prop_oneof![
            (expression(), block.clone()).prop_map(|(c, s)| format!("if {c} then {s} fi")),
            (expression(), expression(), block.clone(), block.clone(), block.clone())
                .prop_map(|(c, d, s, t, u)| format!("if ({c}) then {s} elsif {d} then {t}\n else {u} fi;")),
            (expression(), block).prop_map(|(c, s)| format!("while ({c}) do {s} od")),
        ]
    })
}

fn source() -> impl Strategy<Value = String> {
    let body = || vec(statement(), 0..6).prop_map(|statements| statements.join("\n"));
    (body(), body(), any::<bool>()).prop_map(|(main, other, thread)| {
        let main = format!("bool main()\nbegin\ndecl l;\n{main}\nL: skip; while (*) do M: skip; od\nend");
        let main = if thread { format!("thread t[2] begin decl u;\n{main}\nend") } else { main };
        format!("decl x, y := x, {{x > 0}};\n{main}\nbool p(a, b) begin decl l; L: {other} M: end bool<2> q() begin return *, 0; end")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_in_any_order(words in vec(select(WORDS), 0..80)) {
        check(&words.join(" "));
    }

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        check(&text);
    }

    #[test]
    fn sources(text in source()) {
        check(&text);
    }

    #[test]
    fn damaged_sources(text in source(), from in 0.0..1.0f64, length in 0usize..12, word in select(WORDS)) {
        let characters: Vec<char> = text.chars().collect();
        let from = (characters.len() as f64 * from) as usize;
        let until = (from + length).min(characters.len());
        let damaged: String = characters[..from].iter().collect::<String>() + word + &characters[until..].iter().collect::<String>();
        check(&damaged);
    }
}

#[test]
fn more_than_half_of_the_random_sources_are_without_errors() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = source();
    let read = (0..200).filter(|_| {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        common::read(&text, &Options::default()).is_ok()
    });
    let n_read = read.count();
    assert!(n_read >= 100, "only {n_read} of 200: the test of sources would test nothing");
}
