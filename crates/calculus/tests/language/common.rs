//! What the tests share: a signature, and systems and diagnostics as compact text.

use std::collections::BTreeMap;
use std::fmt::Write;

use base::{Diagnostics, Severity, Source};
use calculus::fuzz::signature;
use calculus::print::Printer;
use calculus::{System, fp};

/// Reads an `.fp` text; all diagnostics when that fails.
pub(crate) fn read_fp(text: &str, parameters: &[(&str, u64)]) -> Result<(System, Diagnostics), Diagnostics> {
    let source = Source::new("test.fp", text);
    let (tree, mut diagnostics) = fp::parse(&source);
    let Some(tree) = tree else { return Err(diagnostics) };
    let parameters: BTreeMap<String, u64> =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    match fp::resolve(&tree, &signature(), &parameters) {
        Ok((system, warnings)) => {
            diagnostics.extend(warnings);
            diagnostics.sort();
            if diagnostics.has_errors() { Err(diagnostics) } else { Ok((system, diagnostics)) }
        }
        Err(errors) => {
            diagnostics.extend(errors);
            diagnostics.sort();
            Err(diagnostics)
        }
    }
}

/// The resolved system of an `.fp` text, or what is wrong with it; with warnings.
pub(crate) fn show_fp(text: &str, parameters: &[(&str, u64)]) -> String {
    match read_fp(text, parameters) {
        Ok((system, warnings)) => {
            format!("{}{}", Printer::new(&system, &signature()).system(), show_diagnostics(text, &warnings))
        }
        Err(diagnostics) => show_diagnostics(text, &diagnostics),
    }
}

/// Diagnostics as `severity[code]: message`, with labels and help below.
pub(crate) fn show_diagnostics(text: &str, diagnostics: &Diagnostics) -> String {
    let source = Source::new("test.fp", text);
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

/// The canonical text of an `.fp` text without syntax errors.
pub(crate) fn formatted(text: &str) -> String {
    let (tree, diagnostics) = fp::parse(&Source::new("test.fp", text));
    assert!(!diagnostics.has_errors(), "{}", show_diagnostics(text, &diagnostics));
    fp::format(&tree.unwrap())
}

/// Runs on a thread with the stack that [`calculus::MAX_DEPTH`] promises to fit in.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(16 << 20);
        builder.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}
