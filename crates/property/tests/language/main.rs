//! Formulae and automata as text: reading, writing, and what is said about faults.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod automata;
mod formula;

use base::{Diagnostics, Source};

/// The diagnostics, one line each, with what they point at.
fn listed(source: &Source, diagnostics: &Diagnostics) -> String {
    let line = |it: &base::Diagnostic| {
        let place = it.primary.as_ref().map_or(String::new(), |label| {
            let at = source.position(label.span.start);
            format!(" at {}:{} `{}`", at.line, at.column, source.slice(label.span))
        });
        let help = it.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{} {}{place}{help}\n", it.code, it.message)
    };
    diagnostics.iter().map(line).collect()
}
