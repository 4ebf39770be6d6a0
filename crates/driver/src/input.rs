//! Source text to program.

use std::collections::BTreeMap;

use base::{Diagnostic, Diagnostics, FileId, Source, Sources};
use program::{Origins, Program, Proposition, VariableId};
use question::{Notation, Writing};
use transform::entries::{Split, split_entries};
use transform::returns::split_returns;

pub use front_bp::Dialect;

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Boolean programs.
    BooleanProgram,
    /// Symbolic pushdown systems.
    PushdownSystem,
    /// Remopla, the language of Moped 2.
    Remopla,
    /// The text form of the program model.
    Model,
}

/// How to read a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// The convention.
    pub dialect: Dialect,
    /// Where execution starts, if not in `main`.
    pub entry: Option<String>,
    /// Whether to warn also of what is allowed and perhaps not meant.
    pub lint: bool,
    /// Values that replace those of the source's defines.
    pub defines: Vec<(String, i64)>,
}

/// A program with its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The files that it was read from; the user gave the first.
    pub sources: Sources,
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

/// Reads a source: parse, resolve, lower, verify. All errors come at once.
pub fn load(
    sources: impl Into<Sources>,
    language: Language,
    options: &LoadOptions,
) -> Result<Loaded, (Sources, Diagnostics)> {
    let sources = sources.into();
    let source = sources.text(FileId::default());
    let read = match language {
        Language::BooleanProgram => boolean_program(source, options),
        Language::PushdownSystem => return pushdown_system(sources, options, front_pds::read_pds),
        Language::Remopla => return pushdown_system(sources, options, front_pds::read_remopla),
        Language::Model => model(source, options),
    };
    match read {
        Ok((program, origins, warnings)) => {
            let notation = match language {
                Language::BooleanProgram => Notation::BooleanProgram,
                _ => Notation::Model,
            };
            let (propositions, writing) = (BTreeMap::new(), Writing::new(notation));
            let loaded = Loaded { sources, program, origins, propositions, state: None, writing, warnings };
            // A new thread may begin in the middle of a procedure.
            let loaded = if language == Language::BooleanProgram { with_single_entries(loaded) } else { loaded };
            Ok(with_sure_returns(loaded))
        }
        Err(diagnostics) => Err((sources, diagnostics)),
    }
}

type Read = Result<(Program, Origins, Diagnostics), Diagnostics>;

/// Reads a source of one of the languages of pushdown systems.
type ReadPushdown = fn(&Source, &front_pds::Options) -> (Option<front_pds::Lowered>, Diagnostics);

/// A pushdown system says by itself where it starts, and knows no dialects.
fn pushdown_system(
    sources: Sources,
    options: &LoadOptions,
    read: ReadPushdown,
) -> Result<Loaded, (Sources, Diagnostics)> {
    if options.entry.is_some() || options.dialect != Dialect::default() {
        let message = "`--entry` and `--dialect` have no meaning for pushdown systems";
        return Err((sources, Diagnostic::error("PD0043", message).help("leave them out").into()));
    }
    let read = read(sources.text(FileId::default()), &front_pds::Options { defines: options.defines.clone() });
    let (Some(lowered), warnings) = read else { return Err((sources, read.1)) };
    debug_assert_eq!(program::verify(&lowered.program), Ok(()), "lowered programs are well-formed");
    let front_pds::Lowered { program, origins, propositions, state, writing } = lowered;
    let loaded = Loaded { sources, program, origins, propositions, state, writing, warnings };
    Ok(with_sure_returns(with_single_entries(loaded)))
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

/// Names are resolved even after syntax errors, so that errors of both kinds come at once.
fn boolean_program(source: &Source, options: &LoadOptions) -> Read {
    if !options.defines.is_empty() {
        let message = "`--define` has no meaning for Boolean programs";
        return Err(Diagnostic::error("BP0039", message).help("leave it out").into());
    }
    let (tree, mut diagnostics) = front_bp::parse(source);
    let Some(tree) = tree else { return Err(diagnostics) };
    let options = front_bp::Options { dialect: options.dialect, entry: options.entry.clone(), lint: options.lint };
    let (lowered, found) = match front_bp::lower(&tree, source, &options) {
        Ok((lowered, warnings)) => (Some(lowered), warnings),
        Err(errors) => (None, errors),
    };
    diagnostics.extend(found);
    diagnostics.sort();
    match lowered {
        Some(lowered) if !diagnostics.has_errors() => {
            debug_assert_eq!(program::verify(&lowered.program), Ok(()), "lowered programs are well-formed");
            Ok((lowered.program, lowered.origins, diagnostics))
        }
        _ => Err(diagnostics),
    }
}

/// The text form says by itself where execution starts, and knows no dialects.
fn model(source: &Source, options: &LoadOptions) -> Read {
    if *options != (LoadOptions { lint: options.lint, ..LoadOptions::default() }) {
        let message = "`--entry`, `--dialect` and `--define` have no meaning for the text form of the program model";
        return Err(Diagnostic::error("BP0039", message).help("leave them out").into());
    }
    let (program, origins) = program::text::parse(source)?;
    Ok((program, origins, Diagnostics::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str, language: Language, options: &LoadOptions) -> Vec<&'static str> {
        let diagnostics = match load(Source::new("test", text), language, options) {
            Ok(loaded) => loaded.warnings,
            Err((_, diagnostics)) => diagnostics,
        };
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn boolean_programs_are_read_with_their_warnings() {
        let text = "decl g; void main() begin decl g; L: skip; end";
        let loaded = load(Source::new("test", text), Language::BooleanProgram, &LoadOptions::default()).unwrap();
        assert_eq!(loaded.program.label_targets("L").len(), 1);
        assert_eq!(loaded.warnings.len(), 1);
        assert_eq!(loaded.origins.locations.len(), loaded.program.locations.len());
    }

    #[test]
    fn errors_of_syntax_and_names_come_together_in_order_of_their_places() {
        let text = "void main() begin x := 1; y := ; z := 1; end";
        let found = codes(text, Language::BooleanProgram, &LoadOptions::default());
        assert_eq!(found, ["BP0020", "BP0004", "BP0020"]);
    }

    #[test]
    fn the_text_form_is_read_and_takes_no_options() {
        let text = "void main() begin skip; end";
        let loaded = load(Source::new("test", text), Language::BooleanProgram, &LoadOptions::default()).unwrap();
        let printed = program::text::print(&loaded.program);
        let again = load(Source::new("test", printed.clone()), Language::Model, &LoadOptions::default()).unwrap();
        assert_eq!(again.program, loaded.program);
        let options = LoadOptions { entry: Some("main".into()), ..LoadOptions::default() };
        assert_eq!(codes(&printed, Language::Model, &options), ["BP0039"]);
        assert!(!codes("nonsense", Language::Model, &LoadOptions::default()).is_empty());
    }
}
