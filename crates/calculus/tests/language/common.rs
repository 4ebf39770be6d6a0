//! What the tests share: a signature, and systems and diagnostics as compact text.

use std::collections::BTreeMap;

use base::{Diagnostics, Source};
use calculus::fuzz::signature;
use calculus::print::Printer;
use calculus::{System, fp};

use crate::shared::show_diagnostics;

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

/// The canonical text of an `.fp` text without syntax errors.
pub(crate) fn formatted(text: &str) -> String {
    let (tree, diagnostics) = fp::parse(&Source::new("test.fp", text));
    assert!(!diagnostics.has_errors(), "{}", show_diagnostics(text, &diagnostics));
    fp::format(&tree.unwrap())
}
