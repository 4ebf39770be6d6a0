//! What the atoms of a property mean in a program.

use base::{Diagnostic, Diagnostics, Span};
use program::{Expr, LocationId, Observation, Procedure, Program, Proposition, Scope, Sort, Value, VariableId};
use property::Atom;
use question::condition::{self, About, ConditionError, is_copy};

use super::{Read, Specification};
use crate::question::similar;
use crate::{CheckError, Loaded};

/// The meanings of the automaton's atoms, in their order. All errors come at once.
pub(super) fn observations(
    loaded: &Loaded,
    specification: &Specification,
    read: &Read,
) -> Result<Vec<Observation>, CheckError> {
    // Whatever else is called so.
    if *specification == Specification::terminates() {
        return Ok(vec![Observation::Ended; read.automaton.atoms.len()]);
    }
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
        Atom::Text(text) => match in_all_copies(loaded, text) {
            Ok(observation) => Ok(observation),
            Err(error) => {
                let start = span.start + error.range.start as u32;
                let place = Span { start, end: (span.start + error.range.end as u32).max(start), ..span };
                Err(Box::new(Diagnostic::error("LT0062", error.message).at(place, "")))
            }
        },
    }
}

/// A condition; if it speaks of locals, then of those of all copies of their procedure.
fn in_all_copies(loaded: &Loaded, text: &str) -> Result<Observation, ConditionError> {
    if loaded.writing.is_by_location() {
        return by_location(loaded, text);
    }
    let program = &loaded.program;
    let holds = |about| {
        let (condition, procedure) = condition::parse(program, &loaded.writing, about, text)?;
        Ok(Observation::Holds { condition, procedure })
    };
    let first = holds(About::Anything)?;
    let Observation::Holds { procedure: Some(original), .. } = first else { return Ok(first) };
    let name = &program.procedures[original].name;
    let copies = program.procedures.ids().filter(|id| is_copy(&program.procedures[*id].name, name));
    let all: Vec<Observation> = copies.map(|copy| holds(About::Procedure(copy))).collect::<Result<_, _>>()?;
    Ok(if all.len() == 1 { first } else { Observation::AnyOf(all) })
}

/// A condition where stack symbols have locals of their own: at each symbol, names are what the source means by them there,
/// and where one means nothing the condition is false. After the end only shared variables have values.
fn by_location(loaded: &Loaded, text: &str) -> Result<Observation, ConditionError> {
    let program = &loaded.program;
    let groups = condition::parse_everywhere(program, &loaded.writing, text)?;
    let holds = |(condition, procedure)| Observation::Holds { condition, procedure };
    let at_end = condition::parse(program, &loaded.writing, About::Anything, text).ok();
    match at_end {
        Some(condition) if groups.iter().all(|(_, other)| *other == condition) => Ok(holds(condition)),
        _ => {
            let at_end = at_end.map(|condition| Observation::AllOf(vec![Observation::Ended, holds(condition)]));
            let at = |(locations, condition)| Observation::AllOf(vec![Observation::At(locations), holds(condition)]);
            Ok(Observation::AnyOf(groups.into_iter().map(at).chain(at_end).collect()))
        }
    }
}

/// A label, a name that the source declares, the end of the program, `state:symbol`, or a Boolean variable.
fn named(loaded: &Loaded, name: &str) -> Option<Observation> {
    let program = &loaded.program;
    let labelled: Vec<LocationId> = program.label_targets(name).into_iter().map(|target| target.location).collect();
    let mut meanings: Vec<Observation> = Vec::new();
    if !labelled.is_empty() {
        meanings.push(Observation::At(labelled));
    }
    // As in Moped, a proposition may be called as a symbol is: then it is true in addition where the symbol is on top.
    meanings.extend(loaded.propositions.get(name).into_iter().flatten().map(|it| declared(program, *it)));
    if !meanings.is_empty() {
        return Some(Observation::AnyOf(meanings));
    }
    if name == "end" {
        return Some(Observation::Ended);
    }
    if let Some(head) = state_and_symbol(loaded, name) {
        return Some(head);
    }
    let is_it = |id: &VariableId| program.variables[*id].name == name && *program.sort(*id) == Sort::Bool;
    let shared = program.variables_in(Scope::Shared).chain(program.variables_in(Scope::Private)).find(is_it);
    shared.map(|variable| Observation::Holds { condition: Expr::before(variable), procedure: None })
}

/// `state:symbol`: the control state and what is on top of the stack. With two colons it is the label of a procedure.
fn state_and_symbol(loaded: &Loaded, name: &str) -> Option<Observation> {
    let program = &loaded.program;
    let (state, symbol) = name.split_once(':').filter(|(_, symbol)| !symbol.starts_with(':'))?;
    let meanings = loaded.propositions.get(state)?;
    let is_state = |it: &Proposition| !matches!(it, Proposition::Location(_));
    let locations: Vec<LocationId> = program.label_targets(symbol).into_iter().map(|target| target.location).collect();
    if locations.is_empty() || !meanings.iter().all(is_state) {
        return None;
    }
    let state = Observation::AnyOf(meanings.iter().map(|it| declared(program, *it)).collect());
    Some(Observation::AllOf(vec![state, Observation::At(locations)]))
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
    match variable_called(loaded, name) {
        Some((name, variable)) => diagnostic.help(quoted(program, &name, variable)),
        None => with_similar(diagnostic, &similar(name, names)),
    }
}

/// A variable that is no atom by its name alone, being local or not Boolean, and how it is named in conditions.
fn variable_called(loaded: &Loaded, name: &str) -> Option<(String, VariableId)> {
    let program = &loaded.program;
    if loaded.writing.is_by_location() {
        // The procedures of a pushdown system are not those of the source.
        let plain = name.rsplit_once("::").map_or(name, |(_, name)| name);
        let seen = loaded.writing.sights().flatten().find(|seen| seen.name == plain);
        let shared = program.variables_in(Scope::Shared).find(|id| program.variables[*id].name == plain);
        return seen.map(|seen| seen.variable).or(shared).map(|variable| (plain.to_owned(), variable));
    }
    let called = |wanted: &dyn Fn(VariableId) -> bool| program.variables.ids().find(|id| wanted(*id));
    let found =
        called(&|id| program.qualified_name(id) == name).or_else(|| called(&|id| program.variables[id].name == name));
    found.map(|variable| (program.qualified_name(variable), variable))
}

/// How a condition on a variable is written.
fn quoted(program: &Program, name: &str, variable: VariableId) -> String {
    let example = match program.sort(variable) {
        Sort::Bool => name.to_owned(),
        Sort::Bits(_) | Sort::Int => format!("{name} = 1"),
        Sort::Enum(id) => format!("{name} = {}", program.enums[*id].values.first().map_or("", String::as_str)),
        Sort::Array(..) => format!("{name}[0] = 1"),
    };
    format!("a condition on variables stands in double quotes: `\"{example}\"`")
}

fn with_similar(diagnostic: Diagnostic, similar: &[String]) -> Diagnostic {
    match similar.first() {
        Some(first) => diagnostic.help(format!("perhaps `{first}`?")),
        None => diagnostic.help(
            "an atom is a label or stack symbol, a control state, `state:symbol`, a declared proposition, `in(procedure)`, \
             `end`, a Boolean variable, or a condition in double quotes",
        ),
    }
}

#[cfg(test)]
mod tests {
    use base::Source;

    use super::*;
    use crate::{FrontEnd, FrontOptions, load};

    fn loaded(language: &'static FrontEnd, text: &str) -> Loaded {
        load(Source::new("a", text), language, &FrontOptions::default()).expect("the program is well formed")
    }

    /// What is advised about an atom that means nothing.
    fn advice(loaded: &Loaded, atom: &str) -> String {
        let wrong = observation(loaded, &Atom::read(atom), Span::default()).expect_err("it means nothing");
        wrong.help.unwrap_or_default()
    }

    #[test]
    fn variables_that_are_no_atoms_are_advised_to_be_conditions() {
        let program = "decl g; void p(y) begin if (y) then p(!y); fi end void main() begin p(g); end";
        let program = loaded(&front_bp::FRONT_END, program);
        assert_eq!(advice(&program, "p::y"), "a condition on variables stands in double quotes: `\"p::y\"`");
        assert_eq!(advice(&program, "y"), "a condition on variables stands in double quotes: `\"p::y\"`");
        assert!(observation(&program, &Atom::read("\"p::y\""), Span::default()).is_ok());
        assert!(advice(&program, "main::y").starts_with("an atom is"));
        let numbers = loaded(&front_pds::PDS, "global int n(2);\n(q <a>)\nq <a> --> q <a> (n' = n)\n");
        assert_eq!(advice(&numbers, "n"), "a condition on variables stands in double quotes: `\"n = 1\"`");
    }

    #[test]
    fn a_variable_may_be_called_like_the_end() {
        let program = loaded(&front_bp::FRONT_END, "decl {end}; void main() begin {end} := 1; end");
        for text in ["\"end\"", "\"{end}\""] {
            let meaning = observation(&program, &Atom::read(text), Span::default());
            assert!(matches!(meaning, Ok(Observation::Holds { .. })), "{text}");
        }
        assert!(matches!(observation(&program, &Atom::read("end"), Span::default()), Ok(Observation::Ended)));
    }

    #[test]
    fn control_states_are_atoms() {
        let system = loaded(&front_pds::PDS, "(q1 <a>)\nq1 <a> --> q2 <b>\nq2 <b> --> q2 <b>\n");
        assert!(observation(&system, &Atom::read("q2"), Span::default()).is_ok());
        let head = observation(&system, &Atom::read("q2:b"), Span::default());
        assert!(matches!(head, Ok(Observation::AllOf(parts)) if parts.len() == 2));
        for wrong in ["q3", "q2:d", "q3:b", "b:q2"] {
            assert!(observation(&system, &Atom::read(wrong), Span::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn locals_are_those_of_the_stack_symbol() {
        let system = "local (a) int x(2);\nlocal (b) int x(3);\n(q <a (x = 1)>)\n\
                      q <a> --> q <b> (x' = 2)\nq <b> --> q <b> (x' = x)\nq <b> --> q <d>\n";
        let system = loaded(&front_pds::PDS, system);
        let read = |text: &str| {
            let meaning = observation(&system, &Atom::read(text), Span::default()).expect("it means something");
            let reads = |location| meaning.at(&system.program, location).reads().len();
            system.program.locations.ids().map(reads).collect::<Vec<usize>>()
        };
        assert_eq!(read("\"x = 2\"")[..3], [1, 1, 0]);
        assert_eq!(read("\"b::x = 2\"")[..3], [0, 1, 0]);
        assert_eq!(advice(&system, "x"), "a condition on variables stands in double quotes: `\"x = 1\"`");
        let wrong = observation(&system, &Atom::read("\"d::x = 1\""), Span::default()).expect_err("d has no x");
        assert_eq!(wrong.message, "the stack symbol `d` has no variable `x`: it is a local of `a`, `b`");
    }

    #[test]
    fn elements_that_never_exist_are_errors() {
        let system = "global int a[0,1](1);\n(q <m>)\nq <m> --> q <m> (A i (0,1) a'[i] = a[i])\n";
        let system = loaded(&front_pds::PDS, system);
        assert!(observation(&system, &Atom::read("\"a[1] = 1\""), Span::default()).is_ok());
        let wrong = observation(&system, &Atom::read("\"a[7] = 1\""), Span { start: 4, end: 12, ..Span::default() })
            .expect_err("there are two");
        assert_eq!(wrong.message, "there is no element 7: the array has 2, numbered from 0 to 1");
        assert_eq!(wrong.primary.map(|label| label.span), Some(Span { start: 6, end: 7, ..Span::default() }));
    }
}
