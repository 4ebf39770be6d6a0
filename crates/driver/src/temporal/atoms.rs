//! What the atoms of a property mean in a program.

use base::{Diagnostic, Diagnostics, Span};
use program::{
    Expr, LocationId, Observation, Procedure, Program, Proposition, Scope, Sort, Value, VariableId, condition,
};
use property::Atom;

use super::{Read, Specification};
use crate::question::similar;
use crate::{CheckError, Loaded};

/// The meanings of the automaton's atoms, in their order. All errors come at once.
pub(super) fn observations(
    loaded: &Loaded,
    specification: &Specification,
    read: &Read,
) -> Result<Vec<Observation>, CheckError> {
    let mut errors = Diagnostics::new();
    // Also what the automaton no longer speaks of must mean something.
    for (atom, span) in &read.places {
        if let Err(diagnostic) = observation(loaded, atom, *span) {
            errors.push(*diagnostic);
        }
    }
    let place = |atom: &Atom| read.places.iter().find(|(other, _)| other == atom).map_or(Span::default(), |it| it.1);
    let mut meanings = Vec::new();
    for atom in &read.automaton.atoms {
        match observation(loaded, atom, place(atom)) {
            Ok(meaning) => meanings.push(meaning),
            Err(diagnostic) if errors.is_empty() => errors.push(*diagnostic),
            Err(_) => {}
        }
    }
    if errors.has_errors() {
        errors.sort();
        return Err(CheckError::Algorithm(specification.source().clone(), errors));
    }
    Ok(meanings)
}

fn observation(loaded: &Loaded, atom: &Atom, span: Span) -> Result<Observation, Box<Diagnostic>> {
    let program = &loaded.program;
    match atom {
        Atom::Name(name) => named(loaded, name)
            .ok_or_else(|| Box::new(unknown(&format!("nothing is called `{name}`"), name, loaded, span))),
        Atom::In(name) => {
            let is_meant = |procedure: &&Procedure| is_copy(&procedure.name, name);
            let mut locations: Vec<LocationId> = program
                .procedures
                .iter()
                .filter(is_meant)
                .flat_map(|procedure| &procedure.locations)
                .copied()
                .collect();
            if locations.is_empty() {
                let names = program.procedures.iter().map(|procedure| procedure.name.as_str());
                let diagnostic = Diagnostic::error("LT0061", format!("there is no procedure `{name}`")).at(span, "");
                return Err(Box::new(with_similar(diagnostic, &similar(name, names))));
            }
            locations.sort_unstable();
            Ok(Observation::At(locations))
        }
        Atom::Text(text) => match condition::parse(program, text) {
            Ok((condition, procedure)) => Ok(Observation::Holds { condition, procedure }),
            Err(error) => {
                let start = span.start + error.range.start as u32;
                let place = Span { start, end: (span.start + error.range.end as u32).max(start) };
                Err(Box::new(Diagnostic::error("LT0062", error.message).at(place, "")))
            }
        },
    }
}

/// Procedures with several entries are split into copies `p.2`, `p.3`, ...: all of them are p.
fn is_copy(procedure: &str, name: &str) -> bool {
    let rest = procedure.strip_prefix(name).map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    procedure == name || rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A label, a name that the source declares, the end of the program, `state:symbol`, or a Boolean variable.
fn named(loaded: &Loaded, name: &str) -> Option<Observation> {
    let program = &loaded.program;
    let labelled: Vec<LocationId> = program.label_targets(name).into_iter().map(|target| target.location).collect();
    if !labelled.is_empty() {
        return Some(Observation::At(labelled));
    }
    if let Some(propositions) = loaded.propositions.get(name) {
        return Some(Observation::AnyOf(propositions.iter().map(|it| declared(program, *it)).collect()));
    }
    if name == "end" {
        return Some(Observation::Ended);
    }
    let is_it = |id: &VariableId| program.variables[*id].name == name && *program.sort(*id) == Sort::Bool;
    let shared = program.variables_in(Scope::Shared).chain(program.variables_in(Scope::Private)).find(is_it);
    shared.map(|variable| Observation::Holds { condition: Expr::before(variable), procedure: None })
}

fn declared(program: &Program, proposition: Proposition) -> Observation {
    match proposition {
        Proposition::Everywhere => Observation::Holds { condition: Expr::TRUE, procedure: None },
        Proposition::Location(location) => Observation::At(vec![location]),
        Proposition::Value(variable, value) => {
            let value = Expr::Const(Value::Enum(value), program.sort(variable).clone());
            Observation::Holds { condition: Expr::before(variable).eq(value), procedure: None }
        }
    }
}

fn unknown(message: &str, name: &str, loaded: &Loaded, span: Span) -> Diagnostic {
    let program = &loaded.program;
    let labels = program.locations.iter().flat_map(|location| &location.labels).map(String::as_str);
    let shared = program.variables_in(Scope::Shared).map(|id| program.variables[id].name.as_str());
    let names = labels.chain(loaded.propositions.keys().map(String::as_str)).chain(shared).chain(["end"]);
    let diagnostic = Diagnostic::error("LT0060", message).at(span, "");
    with_similar(diagnostic, &similar(name, names))
}

fn with_similar(diagnostic: Diagnostic, similar: &[String]) -> Diagnostic {
    match similar.first() {
        Some(first) => diagnostic.help(format!("perhaps `{first}`?")),
        None => diagnostic.help(
            "an atom is a label or stack symbol, a declared proposition, `in(procedure)`, `end`, a Boolean variable, or a \
             condition in double quotes",
        ),
    }
}
