//! Symbolic pushdown systems and Remopla as front ends.

use base::{Diagnostics, FileId, Source, Sources};
use question::front::{Content, FrontEnd, FrontOption, FrontOptions, LINT, Lowered, OptionKind};

use crate::{CODES, Options, read_pds, read_remopla};

const DEFINE: FrontOption = FrontOption {
    name: "define",
    short: Some('D'),
    value: "NAME=N",
    help: "Another value for a define of the file, such as N=4; may be repeated (pushdown systems, Remopla)",
    kind: OptionKind::Numbers,
};

/// Symbolic pushdown systems, the language of Moped.
pub static PDS: FrontEnd = FrontEnd {
    name: "pds",
    title: "symbolic pushdown systems",
    extensions: &["pds"],
    content: Content::Text,
    recognises: |bytes| first_word(bytes).starts_with(b"("),
    smallest: "a pushdown system has at least a start: `(q <main>)`",
    options: &[LINT, DEFINE],
    foreign_option: "PD0043",
    codes: CODES,
    read: |sources, file, options| lowered(read_pds, sources, file, options),
    format: None,
};

/// Remopla, the language of Moped 2.
pub static REMOPLA: FrontEnd = FrontEnd {
    name: "rem",
    title: "Remopla",
    extensions: &["rem"],
    content: Content::Text,
    recognises: |bytes| first_word(bytes) == b"module",
    smallest: "a program in Remopla has at least a module `main`: `module void main() { skip; }`",
    options: &[LINT, DEFINE],
    foreign_option: "PD0043",
    codes: CODES,
    read: |sources, file, options| lowered(read_remopla, sources, file, options),
    format: None,
};

type Read = fn(&Source, &Options) -> (Option<Lowered>, Diagnostics);

fn lowered(read: Read, sources: &Sources, file: FileId, options: &FrontOptions) -> Result<Lowered, Diagnostics> {
    let (lowered, diagnostics) = read(sources.text(file), &Options { defines: options.numbers(DEFINE.name) });
    match lowered {
        Some(lowered) => Ok(Lowered { warnings: diagnostics, ..lowered }),
        None => Err(diagnostics),
    }
}

/// What the text begins with behind comments, up to the next blank.
fn first_word(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes.trim_ascii_start();
    loop {
        let end = match rest {
            [b'#' | b'%', ..] | [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] => rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 1),
            _ => break,
        };
        rest = end.map_or(&[][..], |end| &rest[end + 1..]).trim_ascii_start();
    }
    rest.split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognised_by_what_it_begins_with() {
        let begins = |text: &str| [&PDS, &REMOPLA].map(|front| (front.recognises)(text.as_bytes()));
        assert_eq!(begins("# a comment\n/* another */ (q <main>)\n"), [true, false]);
        assert_eq!(begins("// a comment\nmodule void main() { skip; }"), [false, true]);
        for other in ["", "#", "/*", "void main() begin skip; end", "decl module;"] {
            assert_eq!(begins(other), [false, false], "{other}");
        }
    }
}
