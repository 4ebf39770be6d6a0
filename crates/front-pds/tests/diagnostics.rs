//! The text of every kind of error and warning.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use base::Source;
use common::{read, show};
use front_pds::{CODES, Options};

/// All snippets with their diagnostics.
fn check(snippets: &[&str]) -> String {
    let mut out = String::new();
    for text in snippets {
        let (lowered, diagnostics) = read(text);
        assert!(!diagnostics.is_empty(), "no diagnostics: {text}");
        assert_eq!(lowered.is_none(), diagnostics.has_errors(), "{text}");
        out += &format!("{}\n{}\n", text.replace('\0', "<NUL>"), show(text, &diagnostics));
    }
    out
}

/// With a few declarations and a start around the given rules.
fn check_rules(rules: &[&str]) -> String {
    let declarations = "define N 3\nglobal int g(2), a[1,N](2); bool b, c[2];\nlocal (s) int x(2);\n(q <s>)\n";
    let texts: Vec<String> = rules.iter().map(|rule| format!("{declarations}{rule}")).collect();
    let shown = check(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    shown.replace(declarations, "")
}

#[test]
fn words_and_syntax() {
    insta::assert_snapshot!(check(&[
        "",
        "(q <a>)\nq <a> --> q <a> $$ @\nq <b> -> q <a>",
        "(q <a>)\nq <a> --> q <a> \"name\nq <a> --> q <\0>",
        "(q <a>)\nq <a --> q <b>\nq <a b> --> q <c>\nq <> --> q <c>\nq <a> --> <b>",
        "global int x;\n(q <a>)\nq <a> --> q <y> (x = 1)",
        "global x;\nlocal a int x(2);\nlocal (a b) bool c;\n(q <a>)",
        "global bool b\n(q <a>)\nq <a> --> q <a>",
        "q <a> --> q <a>",
        "(q <a>) (q <b>)\nq <a> --> q <a> q <b> --> q <b>",
        "(q <a>\nq <a> --> q <b>",
        "define\ndefine N\n(q <a>)\nq <a> --> q <a>",
        "bool x;\n(q <a>)\nq <a> --> q <a>",
        "(A <a>)\nE <a> --> A <a>",
        "(q <a>)\n{ hidden\nq <a> --> q <b> # shown\n",
    ]));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(check_rules(&[
        "q <s> --> q <s> (g = 1",
        "q <s> --> q <s> (g = )",
        "q <s> --> q <s> (g + 1)",
        "q <s> --> q <s> (3)",
        "q <s> --> q <s> (g = 2 * (g + 1))",
        "q <s> --> q <s> ((g + 1) * 2 = g)",
        "q <s> --> q <s> ((g) = 1)",
        "q <s> --> q <s> (0 < g < 2)",
        "q <s> --> q <s> (-1 < g | g = -1)",
        "q <s> --> q <s> (g = 1x & g = 99999999999999999999)",
        "q <s> --> q <s> (a[1 = 1)",
        "q <s> --> q <s> (A i (1 2) g = i)",
        "q <s> --> q <s> (A (1,2) g = 1)",
        "q <s> --> q <s> (& b)",
    ]));
}

#[test]
fn names() {
    insta::assert_snapshot!(check_rules(&[
        "q <s> --> q <s> (h = 1 & gg' = x)",
        "q <s> --> q <s> (x'' = x)",
        "q <s> --> q <> (x' = x & g'' = 1)",
        "q <s> --> q <s s> (g'' = x)",
        "q <s> --> q <u> (x' = x)",
        "q <u> --> q <s> (x = 1)",
        "q <s> --> q <u s> (x' = x)",
        "q <s> --> q <s> (g)",
        "q <s> --> q <s> (b = 1 & c[0] != 1)",
        "q <s> --> q <s> (a = a & c)",
        "q <s> --> q <s> (g[1] = 1 & b[0])",
        "q <s> --> q <s> (N' = 3 & E i (1,2) i' = 1)",
        "q <s> --> q <s> (E i (1,g) g = i & A j (1,i) g = j)",
        "q <s> --> q <s> (N & E i (0,1) i)",
        "atoms sss p\nq <s> --> q <s>",
    ]));
}

#[test]
fn declarations() {
    insta::assert_snapshot!(check(&[
        "define N 70\nglobal int x(N);\n(q <a>)\nq <a> --> q <a>",
        "define N 2\nglobal int x(N-2), y(1<<7), z(M);\n(q <a>)\nq <a> --> q <a>",
        "define N 1<<63\ndefine M 1/0\ndefine K 1<<(0-1)\ndefine L (1<<62)*4\n(q <a>)\nq <a> --> q <a>",
        "define N 1\ndefine N 2\nglobal bool N, x; int x(2);\nlocal (a) bool y; int y(2);\n(q <a>)\nq <a> --> q <a>",
        "local (a) bool x;\nlocal (b, a) bool y;\n(q <a>)\nq <a> --> q <b>",
        "global bool x[0]; int y[3,1](2), z[0-1,1](2), w[2000000000](3);\n(q <a>)\nq <a> --> q <a>",
        "define M N\n(q <a>)\nq <a> --> q <a>",
        "local (a, bbb) bool x;\n(q <a>)\nq <a> --> q <bb>",
    ]));
}

#[test]
fn starts_and_values() {
    insta::assert_snapshot!(
        check(&[
            "global int x(2);\n(q (x = 4) <a>)\nq <a> --> q <a>",
            "global int x(2);\n(q (x' = 1) <a>)\nq <a> --> q <a>",
            "local (a) int x(2);\n(q (x = 1) <a>)\nq <a> --> q <a>",
            "(q <>)\nq <a> --> q <a>",
            "(q <a>)\np <a> --> q <a>",
            "(q <b>)\nq <a> --> q <a>",
            "local (a) int x(2);\n(q <a (x = 4) b>)\nq <a> --> q <a>",
        ]) + &check_rules(&[
            "q <s> --> q <s> (g' = 4)",
            "q <s> --> q <s> (g > 3 & a[4] = 0)",
            "q <s> --> q <s> (g / 0 = 1)",
            "q <s> --> q <s> (A i (2,1) g = i)",
            "q <s> --> q <s> (g << 70 = 1)",
            "q <s> --> q <s> (g' = g * 9000000000000000000 * 3)",
            "q <s> --> q <s> (c[1<<{g*g*g*g}])",
            "q <s> --> q <s> (!c'[g * 9000000000000000000 * 3] & g' = g)",
            "q <s> --> q <s> ((c'[1<<{g*g*g*g}] == b) & !c[1<<{g*g*g*g}])",
            "q <s> --> q <s> (A i (0,1999) A j (0,1999) g < i + j)",
        ])
    );
}

#[test]
fn values_on_the_command_line() {
    let text = "define N 3\nglobal int x(N);\n(q <a>)\nq <a> --> q <a> (x = 7)";
    let with = |name: &str, value: i64| {
        let options = Options { defines: vec![(name.to_owned(), value)] };
        let (lowered, diagnostics) = front_pds::read_pds(&Source::new("test.pds", text), &options);
        (lowered.map(|lowered| program::text::print(&lowered.program)), show(text, &diagnostics))
    };
    assert!(with("N", 5).0.is_some_and(|model| model.contains("bits<5>")));
    insta::assert_snapshot!(with("N", 2).1 + &with("M", 2).1 + &with("N", 65).1);
}

/// Every explanation has an example that shows the fault.
#[test]
fn codes_have_examples() {
    let without: Vec<&str> = ["PD0004", "PD0035", "PD0043", "PD0044", "PD0099", "PD0104"].to_vec();
    for code in CODES {
        let example: Vec<&str> = code.explanation.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        let source = Source::new("example", example.join("\n"));
        let reader = if code.code > "PD0100" { front_pds::read_remopla } else { front_pds::read_pds };
        let (_, diagnostics) = reader(&source, &Options::default());
        let found: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        let expected = if without.contains(&code.code) { example.is_empty() } else { found.contains(&code.code) };
        assert!(expected, "{}: {found:?}", code.code);
    }
    assert!(CODES.is_sorted_by(|a, b| a.code < b.code));
}

#[test]
fn chains_of_arithmetic_are_not_called_nested() {
    let sum = vec!["g"; 5_002].join("+");
    let text = format!("global int g(2);\n(q <a>)\nq <a> --> q <a> ({sum} = 1)\nq <a> --> q <a> (h)");
    let shown = show(&text, &read(&text).1);
    assert!(shown.contains("error[PD0004]: a chain of arithmetic with more than"), "{shown}");
    assert!(shown.contains("error[PD0025]"), "what follows is read: {shown}");
}

/// Indices in indices and divisors in divisors become large with the square of their depth, not exponentially.
#[test]
fn deep_terms_are_affordable_and_deeper_ones_an_error() {
    let nested = |open: &str, close: &str, n: usize| {
        let term = format!("{}x[0]{}", open.repeat(n), close.repeat(n));
        let text = format!("global int x[3](2);\n(q <a>)\nq <a> --> q <a> (1 = {term})");
        read(&text).1.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
    };
    let work = move || {
        for (open, close) in [("x[", "]"), ("x[1]/{", "}")] {
            assert_eq!(nested(open, close, 100), [""; 0]);
            assert_eq!(nested(open, close, 1_000), ["PD0044"]);
        }
    };
    std::thread::Builder::new().stack_size(16 << 20).spawn(work).expect("a thread").join().expect("it ends");
}

#[test]
fn many_terms_together_are_too_large() {
    let term = format!("{}y{}", "x[".repeat(10), "]".repeat(10));
    let text = format!("global int x[3](2), y(2);\n(q <a>)\nq <a> --> q <a> (E j (0,199999) {term} = j)");
    let codes: Vec<&str> = read(&text).1.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["PD0044"]);
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_not() {
    let nested = |n: usize| {
        let formula = format!("{}g = 1{}", "(".repeat(n), ")".repeat(n));
        format!("global int g(2);\n(q <a>)\nq <a> --> q <a> ({formula} & g = {}1{})", "{".repeat(n), "}".repeat(n))
    };
    let codes = |text: &str| read(text).1.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>();
    let work = move || {
        assert_eq!(codes(&nested(1_000)), [""; 0]);
        assert_eq!(codes(&nested(100_000)), ["PD0004"]);
        let chain = |operator: &str| vec!["g = 1"; 100_000].join(operator);
        for operator in ["&", "|", "^", "=="] {
            let text = format!("global int g(2);\n(q <a>)\nq <a> --> q <a> ({})", chain(operator));
            assert_eq!(codes(&text), [""; 0]);
        }
        let sum = vec!["g"; 100_000].join("+");
        assert_eq!(codes(&format!("global int g(2);\n(q <a>)\nq <a> --> q <a> ({sum} = 1)")), ["PD0004"]);
        let nots = "!".repeat(100_000);
        assert_eq!(codes(&format!("global bool g;\n(q <a>)\nq <a> --> q <a> ({nots} g)")), ["PD0004"]);
    };
    std::thread::Builder::new().stack_size(16 << 20).spawn(work).expect("a thread").join().expect("it ends");
}
