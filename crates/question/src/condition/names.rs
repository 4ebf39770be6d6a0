//! What the names of a condition mean.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{About, Mistake, Read, is_copy, wrong};
use crate::{Writing, Written};
use program::{LocationId, ProcedureId, Program, Scope, VariableId};

/// The longest list of names that a message has.
const MOST_NAMES: usize = 8;

/// The names that a condition may use.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) writing: &'a Writing,
    about: About,
}

impl<'a> Names<'a> {
    pub(super) fn new(program: &'a Program, writing: &'a Writing, about: About) -> Self {
        Self { program, writing, about }
    }

    /// The variable that a word means and how it is written; `own` is the procedure whose locals were read before.
    pub(super) fn variable(
        &self,
        word: &str,
        range: Range<usize>,
        own: Option<ProcedureId>,
    ) -> Read<Option<(VariableId, Written)>> {
        if self.writing.is_by_location() {
            return self.seen(word, range);
        }
        let mut found = self.named(word);
        if found.is_empty() {
            let (procedure, name) = qualified(word);
            let procedure = procedure.map_or(String::new(), |procedure| format!("{procedure}::"));
            found = self.named(&format!("{procedure}{{{name}}}"));
        }
        found = self.of_copies(found, own);
        if found.len() > 1 {
            let first = self.program.qualified_name(found[0]);
            let message = format!("several procedures have a variable `{word}`: say which, as in `{first}`");
            return wrong(range, message);
        }
        found.first().map(|variable| self.written(*variable, word, range)).transpose()
    }

    fn written(&self, variable: VariableId, word: &str, range: Range<usize>) -> Read<(VariableId, Written)> {
        match self.writing.of(variable) {
            Some(written) => Ok((variable, written)),
            None => {
                let message =
                    format!("variables called `{word}` are declared in different ways: a condition cannot tell which");
                wrong(range, message)
            }
        }
    }

    fn inside(&self) -> Option<ProcedureId> {
        match self.about {
            About::Anything => None,
            About::Procedure(procedure) => Some(procedure),
            About::Location(location) => Some(self.program.locations[location].procedure),
        }
    }

    /// The variables that a word may mean.
    fn named(&self, word: &str) -> Vec<VariableId> {
        let (procedure, name) = qualified(word);
        let named = || self.program.variables.iter_ids().filter(|(_, variable)| variable.name == name);
        match procedure {
            Some(procedure) => {
                let is_meant = |scope: Scope| match scope {
                    Scope::Local(id) => is_copy(&self.program.procedures[id].name, procedure),
                    Scope::Shared | Scope::Private => procedure.is_empty(),
                };
                named().filter(|(_, variable)| is_meant(variable.scope)).map(|(id, _)| id).collect()
            }
            None => {
                let own = named().find(|(_, variable)| self.inside().map(Scope::Local) == Some(variable.scope));
                let global = named().find(|(_, variable)| !matches!(variable.scope, Scope::Local(_)));
                own.or(global).map_or_else(|| named().map(|(id, _)| id).collect(), |(id, _)| vec![id])
            }
        }
    }

    /// Of variables that belong to copies of one procedure, the one of the copy that the condition is about.
    fn of_copies(&self, found: Vec<VariableId>, own: Option<ProcedureId>) -> Vec<VariableId> {
        let of = |id: VariableId| match self.program.variables[id].scope {
            Scope::Local(procedure) => Some(procedure),
            Scope::Shared | Scope::Private => None,
        };
        let name = |id: VariableId| of(id).map(|procedure| self.program.procedures[procedure].name.as_str());
        let Some(first) = found.first().copied() else { return found };
        // The copies come after the original.
        let is_one = |id: VariableId| name(first).zip(name(id)).is_some_and(|(first, other)| is_copy(other, first));
        if !found.iter().all(|id| is_one(*id)) {
            return found;
        }
        let wanted = self.inside().or(own);
        vec![found.iter().copied().find(|id| of(*id) == wanted).unwrap_or(first)]
    }

    /// What a word means where locals are those of locations.
    fn seen(&self, word: &str, range: Range<usize>) -> Read<Option<(VariableId, Written)>> {
        let (owner, name) = qualified(word);
        let at = match self.about {
            About::Location(location) if owner.is_none_or(|owner| self.is_called(location, owner)) => Some(location),
            _ => None,
        };
        let seen = at.and_then(|location| self.writing.seen_at(location).iter().find(|seen| seen.name == name));
        if let Some(seen) = seen {
            return Ok(Some((seen.variable, seen.written.clone())));
        }
        let global = |(_, variable): &(VariableId, &program::Variable)| {
            variable.name == name && !matches!(variable.scope, Scope::Local(_))
        };
        let global = self.program.variables.iter_ids().find(global).filter(|_| owner.is_none_or(str::is_empty));
        if let Some((variable, _)) = global {
            return self.written(variable, word, range).map(Some);
        }
        let is_local = self.writing.sights().flatten().any(|seen| seen.name == name);
        if is_local && owner != Some("") { Err(Mistake::Elsewhere(range, word.to_owned())) } else { Ok(None) }
    }

    /// Whether a location is a stack symbol of that name, or in a procedure of that name if there is no such symbol.
    fn is_called(&self, location: LocationId, name: &str) -> bool {
        let here = &self.program.locations[location];
        let has_label = |location: &program::Location| location.labels.iter().any(|label| label == name);
        has_label(here)
            || is_copy(&self.program.procedures[here.procedure].name, name)
                && !self.program.locations.iter().any(has_label)
    }

    /// Why a word that is a local of some stack symbols means nothing here.
    pub(super) fn elsewhere(&self, word: &str) -> String {
        let (owner, name) = qualified(word);
        let sees = |location: LocationId| self.writing.seen_at(location).iter().any(|seen| seen.name == name);
        let with_it: Vec<LocationId> = self.program.locations.ids().filter(|location| sees(*location)).collect();
        let symbols: BTreeSet<&String> =
            with_it.iter().flat_map(|location| &self.program.locations[*location].labels).collect();
        let mut symbols: Vec<String> = symbols.into_iter().map(|symbol| format!("`{symbol}`")).collect();
        if symbols.len() > MOST_NAMES {
            symbols.truncate(MOST_NAMES);
            symbols.push("...".to_owned());
        }
        let symbols = symbols.join(", ");
        if let Some(owner) = owner.filter(|owner| !with_it.iter().any(|at| self.is_called(*at, owner))) {
            return format!("the stack symbol `{owner}` has no variable `{name}`: it is a local of {symbols}");
        }
        let here = match self.about {
            About::Location(location) => self.program.locations[location].labels.first(),
            About::Anything | About::Procedure(_) => None,
        };
        match (here, owner) {
            (Some(here), Some(owner)) => format!("`{word}` is a local of `{owner}`, and this is about `{here}`"),
            (Some(here), None) => {
                format!("the stack symbol `{here}` has no variable `{name}`: it is a local of {symbols}")
            }
            (None, _) => {
                format!("no stack symbol has all the variables of this condition: `{name}` is a local of {symbols}")
            }
        }
    }

    /// That a name is unknown, with some that are not.
    pub(super) fn unknown(&self, name: &str) -> String {
        let is_shown = |id: &VariableId| {
            !self.writing.is_by_location() || !matches!(self.program.variables[*id].scope, Scope::Local(_))
        };
        let variables = self.program.variables.ids().filter(is_shown).map(|id| self.program.qualified_name(id));
        let seen = self.writing.sights().flatten().map(|seen| seen.name.clone());
        let known: BTreeSet<String> = variables.chain(seen).collect();
        let known: Vec<String> = known.into_iter().take(MOST_NAMES).collect();
        match known.is_empty() {
            true => format!("there is no variable `{name}`: the program has none"),
            false => format!("there is no variable `{name}`; there are, for example: {}", known.join(", ")),
        }
    }
}

/// The procedure of a word, if it names one, and the rest. What stands in braces is not taken apart.
fn qualified(word: &str) -> (Option<&str>, &str) {
    let braces = if word.ends_with('}') { word.rfind('{') } else { None };
    let split = match braces {
        Some(at) => word[..at].strip_suffix("::").map(|procedure| (procedure, &word[at..])),
        None => word.rsplit_once("::"),
    };
    split.map_or((None, word), |(procedure, name)| (Some(procedure), name))
}
