//! What the tests of all languages of the calculus share; those of `mucke` include this file.

use std::fmt::Write;

use base::{Diagnostics, Severity, Source};
use calculus::MAX_DEPTH;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Diagnostics as `severity[code]: message`, with labels and help below.
pub(crate) fn show_diagnostics(text: &str, diagnostics: &Diagnostics) -> String {
    let source = Source::new("test", text);
    let place = |span: base::Span| {
        let position = source.position(span.start);
        format!("{}:{} `{}`", position.line, position.column, source.slice(span).replace('\0', "<NUL>"))
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{severity}[{}]: {}", diagnostic.code, diagnostic.message).unwrap();
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            writeln!(out, "  at {} {}", place(label.span), label.text).unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    out
}

/// Runs on a thread with the stack that [`calculus::MAX_DEPTH`] promises to fit in.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(16 << 20);
        builder.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// Openings, a middle and closings.
pub(crate) fn nest((before, open, middle, close, after): (&str, &str, &str, &str, &str), depth: usize) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth))
}

/// The deepest nesting that is read.
pub(crate) fn deepest(mut is_read: impl FnMut(usize) -> bool) -> usize {
    let (mut read, mut rejected) = (0, MAX_DEPTH as usize + 1);
    while rejected - read > 1 {
        let middle = usize::midpoint(read, rejected);
        if is_read(middle) {
            read = middle;
        } else {
            rejected = middle;
        }
    }
    read
}

/// Words of all languages, and some of none.
pub(crate) const WORDS: &[&str] = &[
    "param",
    "sort",
    "input",
    "define",
    "mu",
    "nu",
    "order",
    "query",
    "enum",
    "exists",
    "forall",
    "true",
    "false",
    "x",
    "y",
    "k",
    "Reach",
    "State",
    "Bool",
    "Global",
    "Location",
    "bool",
    "class",
    "if",
    "else",
    "case",
    "esac",
    "assume",
    "#size",
    "#print",
    "#load",
    "above",
    "apart",
    "0",
    "1",
    "7",
    "99999999999",
    "1x",
    ":",
    ";",
    ";",
    ",",
    ".",
    "..",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "!",
    "&",
    "|",
    "->",
    "<-",
    "<->",
    "<+>",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "~+",
    "~-",
    "\"",
    "// c\n",
    "/* c */",
    "/*",
    "\n",
    "\n\n",
    "@",
    "\u{e9}",
    "\0",
    "'",
    "x: Bool",
    "exists x: Bool. ",
    "x = y",
    "x[1]",
    "u.loc",
    "0..k",
];

/// A text with some of its words replaced, removed or added.
pub(crate) fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let n = text.split(' ').count();
    vec((0..n, 0..3_u8, select(WORDS)), 1..4).prop_map(move |changes| {
        let mut words: Vec<&str> = text.split(' ').collect();
        for (at, how, word) in changes {
            match how {
                0 => words[at] = word,
                1 => words[at] = "",
                _ => words.insert(at, word),
            }
        }
        words.join(" ")
    })
}
