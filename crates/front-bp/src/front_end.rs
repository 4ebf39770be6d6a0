//! Boolean programs as a front end.

use base::{Diagnostics, FileId, Source, Sources};
use question::front::{Content, FrontEnd, FrontOption, FrontOptions, LINT, Lowered, OptionKind};
use question::{Notation, Writing};

use crate::lower::{Dialect, Options, lower};
use crate::{CODES, format, parse};

const DIALECT: FrontOption = FrontOption {
    name: "dialect",
    short: None,
    value: "DIALECT",
    help: "Convention for threads and initial states",
    kind: OptionKind::Choice(&[
        ("standard", "What the file itself says"),
        (
            "getafix",
            "`init` runs first, procedures named `thread...` are threads, the global `atomic` forbids switches",
        ),
    ]),
};

const ENTRY: FrontOption = FrontOption {
    name: "entry",
    short: None,
    value: "PROCEDURE",
    help: "Procedure in which execution starts, if not `main`",
    kind: OptionKind::Word,
};

/// Boolean programs.
pub static FRONT_END: FrontEnd = FrontEnd {
    name: "bp",
    title: "Boolean programs",
    extensions: &["bp"],
    content: Content::Text,
    recognises: |_| false,
    smallest: "a program has at least a procedure `main`: `void main() begin skip; end`",
    options: &[DIALECT, ENTRY, LINT],
    foreign_option: "BP0039",
    codes: CODES,
    read,
    format: Some(canonical),
};

impl Options {
    fn of(options: &FrontOptions) -> Self {
        let dialect = match options.word(DIALECT.name) {
            Some("getafix") => Dialect::Getafix,
            _ => Dialect::Standard,
        };
        Self { dialect, entry: options.word(ENTRY.name).map(str::to_owned), lint: options.flag(LINT.name) }
    }
}

/// Names are resolved even after syntax errors, so that errors of both kinds come at once.
fn read(sources: &mut Sources, file: FileId, options: &FrontOptions) -> Result<Lowered, Diagnostics> {
    let source = sources.text(file);
    let (tree, mut diagnostics) = parse(source);
    let Some(tree) = tree else { return Err(diagnostics) };
    let (lowered, found) = match lower(&tree, source, &Options::of(options)) {
        Ok((lowered, warnings)) => (Some(lowered), warnings),
        Err(errors) => (None, errors),
    };
    diagnostics.extend(found);
    diagnostics.sort();
    match lowered {
        Some(crate::Lowered { program, origins }) if !diagnostics.has_errors() => {
            let writing = Writing::new(Notation::BOOLEAN_PROGRAM);
            Ok(Lowered { warnings: diagnostics, ..Lowered::new(program, origins, writing) })
        }
        _ => Err(diagnostics),
    }
}

fn canonical(source: &Source) -> Result<String, Diagnostics> {
    match parse(source) {
        (Some(tree), diagnostics) if !diagnostics.has_errors() => Ok(format(&tree)),
        (_, diagnostics) => Err(diagnostics),
    }
}
