//! What the tests share: diagnostics as compact text.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use std::fmt::Write;

use base::{Diagnostics, Severity, Source};
use front_pds::Options;
use question::front::Lowered;

/// Reads a pushdown system without options.
pub fn read(text: &str) -> (Option<Lowered>, Diagnostics) {
    front_pds::read_pds(&Source::new("test.pds", text), &Options::default())
}

/// The program of a text without mistakes, in its text form.
pub fn model(text: &str) -> String {
    let (lowered, diagnostics) = read(text);
    assert!(diagnostics.is_empty(), "{}", show(text, &diagnostics));
    let lowered = lowered.expect("there are no errors");
    assert_eq!(program::verify(&lowered.program), Ok(()), "{text}");
    program::text::print(&lowered.program)
}

/// Diagnostics as `code severity: message`, with labels and help below.
pub fn show(text: &str, diagnostics: &Diagnostics) -> String {
    let source = Source::new("test.pds", text);
    let place = |span: base::Span| {
        let position = source.position(span.start);
        format!("{}:{} `{}`", position.line, position.column, source.slice(span).replace('\0', "<NUL>"))
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{severity}[{}]: {}", diagnostic.code, diagnostic.message).expect("strings take all text");
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            writeln!(out, "  at {} {}", place(label.span), label.text).expect("strings take all text");
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").expect("strings take all text");
        }
    }
    out
}
