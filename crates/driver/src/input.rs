//! Source files to a program.

use std::collections::BTreeMap;

use base::{Diagnostics, FileId, Sources};
use program::{Origins, Program, Proposition, VariableId};
use question::Writing;
use question::front::{Content, FrontEnd, FrontOptions, Lowered};
use transform::entries::{Split, split_entries};
use transform::returns::split_returns;

/// A program with its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The files that it was read from; the user gave the first.
    pub sources: Sources,
    /// The front end that read it.
    pub front: &'static FrontEnd,
    /// The program, as lowered, before any pass.
    pub program: Program,
    /// Where its parts come from.
    pub origins: Origins,
    /// What the names mean that the source declares for its configurations: control states and `atoms`.
    pub propositions: BTreeMap<String, Vec<Proposition>>,
    /// The variable that holds the control state of a pushdown system, if it has several.
    pub state: Option<VariableId>,
    /// How the source writes its variables.
    pub writing: Writing,
    /// Warnings.
    pub warnings: Diagnostics,
}

impl Loaded {
    /// A program as a front end gave it.
    #[must_use]
    pub fn new(sources: Sources, front: &'static FrontEnd, lowered: Lowered) -> Self {
        let Lowered { program, origins, propositions, state, writing, warnings } = lowered;
        Self { sources, front, program, origins, propositions, state, writing, warnings }
    }
}

/// Reads the first file of the sources, with all that it includes: parse, resolve, lower, verify. All errors come at once.
pub fn load(
    sources: impl Into<Sources>,
    front: &'static FrontEnd,
    options: &FrontOptions,
) -> Result<Loaded, (Sources, Diagnostics)> {
    let mut sources = sources.into();
    match read(&mut sources, front, options) {
        Ok(lowered) => {
            debug_assert_eq!(program::verify(&lowered.program), Ok(()), "lowered programs are well-formed");
            Ok(with_sure_returns(with_single_entries(Loaded::new(sources, front, lowered))))
        }
        Err(diagnostics) => Err((sources, diagnostics)),
    }
}

fn read(sources: &mut Sources, front: &FrontEnd, options: &FrontOptions) -> Result<Lowered, Diagnostics> {
    front.check_options(options)?;
    let file = FileId::default();
    if front.content == Content::Text {
        sources.decode(file).map_err(|error| error.diagnostic())?;
    }
    (front.read)(sources, file, options)
}

/// Where a run stops behind a call, temporal properties need a place for it.
fn with_sure_returns(loaded: Loaded) -> Loaded {
    match split_returns(&loaded.program, &loaded.origins) {
        Some(split) => with_split(loaded, split),
        None => loaded,
    }
}

/// Pushdown systems push any symbol, and threads start anywhere; engines want procedures with one entry.
fn with_single_entries(loaded: Loaded) -> Loaded {
    match split_entries(&loaded.program, &loaded.origins) {
        Some(split) => with_split(loaded, split),
        None => loaded,
    }
}

/// What the source says of parts of the program is true of what they have become.
fn with_split(mut loaded: Loaded, split: Split) -> Loaded {
    let Split { program, origins, locations, locals, .. } = split;
    for propositions in loaded.propositions.values_mut() {
        let copies = |it: &Proposition| match *it {
            Proposition::Location(location) => {
                locations[location].iter().map(|it| Proposition::Location(*it)).collect()
            }
            other => vec![other],
        };
        *propositions = propositions.iter().flat_map(copies).collect();
    }
    loaded.writing.note_copies(&program, &locations, &locals);
    Loaded { program, origins, ..loaded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::MODEL;
    use base::Source;
    use front_bp::FRONT_END as BOOLEAN_PROGRAMS;

    fn codes(text: &str, front: &'static FrontEnd, options: &FrontOptions) -> Vec<&'static str> {
        let diagnostics = match load(Source::new("test", text), front, options) {
            Ok(loaded) => loaded.warnings,
            Err((_, diagnostics)) => diagnostics,
        };
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn boolean_programs_are_read_with_their_warnings() {
        let text = "decl g; void main() begin decl g; L: skip; end";
        let loaded = load(Source::new("test", text), &BOOLEAN_PROGRAMS, &FrontOptions::default()).unwrap();
        assert_eq!(loaded.program.label_targets("L").len(), 1);
        assert_eq!(loaded.warnings.len(), 1);
        assert_eq!(loaded.origins.locations.len(), loaded.program.locations.len());
    }

    #[test]
    fn errors_of_syntax_and_names_come_together_in_order_of_their_places() {
        let text = "void main() begin x := 1; y := ; z := 1; end";
        let found = codes(text, &BOOLEAN_PROGRAMS, &FrontOptions::default());
        assert_eq!(found, ["BP0020", "BP0004", "BP0020"]);
    }

    #[test]
    fn the_text_form_is_read_and_takes_no_options() {
        let text = "void main() begin skip; end";
        let loaded = load(Source::new("test", text), &BOOLEAN_PROGRAMS, &FrontOptions::default()).unwrap();
        let printed = program::text::print(&loaded.program);
        let again = load(Source::new("test", printed.clone()), &MODEL, &FrontOptions::default()).unwrap();
        assert_eq!(again.program, loaded.program);
        let options = FrontOptions::default().with_word("entry", "main");
        assert_eq!(codes(&printed, &MODEL, &options), ["PM0012"]);
        assert!(!codes("nonsense", &MODEL, &FrontOptions::default()).is_empty());
    }
}
