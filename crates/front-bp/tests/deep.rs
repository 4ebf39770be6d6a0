//! Nesting: up to the limit everything works in a stack of 8 MiB, beyond it there is one diagnostic.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use base::Source;
use common::{formatted, read, with_stack};
use front_bp::{MAX_DEPTH, Options, parse};

/// A construct nested to some depth.
struct Nest {
    name: &'static str,
    before: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
    after: &'static str,
}

impl Nest {
    fn text(&self, depth: usize) -> String {
        let Self { before, open, middle, close, after, .. } = self;
        format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth))
    }
}

const MAIN: &str = "decl a, b; void main() begin ";
const ASSIGN: &str = "decl a, b; void main() begin a := ";

const fn expression(name: &'static str, open: &'static str, close: &'static str) -> Nest {
    Nest { name, before: ASSIGN, open, middle: "b", close, after: "; end" }
}

const fn statement(name: &'static str, open: &'static str, close: &'static str) -> Nest {
    Nest { name, before: MAIN, open, middle: "skip;", close, after: " end" }
}

const NESTS: [Nest; 13] = [
    expression("parentheses", "(", ")"),
    expression("negated parentheses", "!(", ")"),
    expression("negations", "!", ""),
    expression("operands in parentheses", "b & (a | ", ")"),
    expression("implications", "a => ", ""),
    expression("equalities", "a = ", ""),
    expression("conditions", "(a ? b : ", ")"),
    expression("chain of conditionals", "a ? b : ", ""),
    expression("first branches", "a ? ", " : b"),
    expression("choices", "schoose[a, ", "]"),
    statement("ifs", "if (a) then ", "fi "),
    statement("else branches", "if (a) then skip; else ", "fi "),
    statement("loops", "while (*) do skip; ", "od "),
];

/// The deepest nesting that is read.
fn deepest(nest: &Nest) -> usize {
    let (mut read, mut rejected) = (0, MAX_DEPTH as usize + 1);
    while rejected - read > 1 {
        let middle = usize::midpoint(read, rejected);
        let (tree, _) = parse(&Source::new("test.bp", nest.text(middle)));
        if tree.is_some() {
            read = middle;
        } else {
            rejected = middle;
        }
    }
    read
}

#[test]
fn nesting_up_to_the_limit_is_read_lowered_and_formatted() {
    for nest in &NESTS {
        with_stack(|| {
            let depth = deepest(nest);
            assert!(depth >= MAX_DEPTH as usize / 4, "{}: only {depth} levels", nest.name);
            let text = nest.text(depth);
            let (lowered, _) = read(&text, &Options::default()).unwrap();
            let again = formatted(&text);
            let (second, _) = read(&again, &Options::default()).unwrap_or_else(|_| panic!("{}", nest.name));
            assert!(lowered.program == second.program, "{}", nest.name);
        });
    }
}

#[test]
fn a_million_levels_end_in_one_diagnostic() {
    for nest in &NESTS {
        let text = nest.text(1_000_000);
        let diagnostics = with_stack(|| read(&text, &Options::default()).unwrap_err());
        let found: Vec<_> =
            diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.message.as_str())).collect();
        assert_eq!(found, [("BP0006", "nested more than 5000 levels deep")], "{}", nest.name);
    }
}

#[test]
fn a_million_blocks_end_quickly() {
    let inside = statement("begin", "begin ", "end ").text(1_000_000);
    let unclosed = format!("{MAIN}{}", "begin ".repeat(1_000_000));
    let outside = "begin ".repeat(1_000_000);
    let ends = "end ".repeat(1_000_000);
    let threads = "thread t begin ".repeat(1_000_000);
    let cases = [
        (inside, ["BP0011"].as_slice()),
        (unclosed, &["BP0011"]),
        (outside, &["BP0004"]),
        (ends, &["BP0004"]),
        (threads, &["BP0016", "BP0006"]),
    ];
    for (text, codes) in cases {
        let diagnostics = with_stack(|| read(&text, &Options::default()).unwrap_err());
        let found: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(found, codes);
    }
}

#[test]
fn chains_are_wide_and_not_deep() {
    let operands = vec!["a"; 100_000];
    for operator in [" & ", " | ", " ^ "] {
        let text = format!("{ASSIGN}{}; end", operands.join(operator));
        assert_eq!(read(&formatted(&text), &Options::default()).unwrap().0.program.edges.len(), 1);
    }
    let arms = "elsif (b) then skip; ".repeat(50_000);
    let text = format!("{MAIN} if (a) then skip; {arms} else skip; fi end");
    assert_eq!(read(&formatted(&text), &Options::default()).unwrap().0.program.edges.len(), 150_004);
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let many = 300_000;
    let texts = [
        "{".repeat(many),
        "}".repeat(many),
        "/*".repeat(many),
        "#".repeat(many),
        "\u{1F980}".repeat(many),
        ";".repeat(many),
        "decl ".repeat(many),
        format!("{MAIN}{} end", "fi ".repeat(many)),
        format!("{MAIN}{} skip; end", "L:".repeat(many)),
        format!("{MAIN}{} end", "a, ".repeat(many)),
        format!("{MAIN} goto {}L; L: skip; end", "L, ".repeat(many)),
        format!("{MAIN}{} end", "if (*) then skip; fi ".repeat(50_000)),
        (0..50_000).map(|at| format!("void p{at}() begin q{at}(); end ")).collect(),
    ];
    for text in texts {
        with_stack(|| drop(read(&text, &Options::default())));
    }
}

#[test]
fn ten_thousand_procedures_with_calls_in_all_directions() {
    let procedures =
        (0..10_000).map(|at| format!("bool p{at}(x) begin x := p{}(x); return x; end\n", (at * 7 + 3) % 10_000));
    let text = format!("void main() begin p0(1); end\n{}", procedures.collect::<String>());
    let (lowered, _) = read(&text, &Options::default()).unwrap();
    assert_eq!(lowered.program.procedures.len(), 10_001);
    assert_eq!(read(&formatted(&text), &Options::default()).unwrap().0.program, lowered.program);
}
