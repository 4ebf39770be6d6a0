//! Conditions on the variables of a program, as users write them beside it: in temporal formulae and sets of
//! configurations.
//!
//! ```text
//! condition := connectives over "!" a, comparisons and ("A" | "E") name "(" term "," term ")" condition
//! comparison:= term (("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") term)? | array "=" "[" term "," ... "]"
//! term      := "<<", ">>", "+", "-", "*", "/" over numbers, variables, elements `a[term]`, "-" term, "(" condition ")",
//!              "true", "false"
//! variable  := name | procedure "::" name | symbol "::" name | "::" name
//! ```
//! The connectives are `<->` (or `<=>`), `->` (or `=>`, to the right), `||` (or `|`), `^^` (or `^`) and `&&` (or `&`),
//! loosest first. They bind as in the source ([`Notation`](crate::Notation)): in Boolean programs `->` is looser than
//! `<->`; in pushdown systems `==` and `<=>` are looser than `^`, that than `|`, that than `&`; in Remopla `==` and `<=>`
//! stand between `&&` and `^`, `|`, `&`, which also join the bits of numbers. Of the arithmetic, shifts bind tightest in
//! pushdown systems and loosest elsewhere.
//!
//! Numbers are whole: nothing wraps ([`term`](crate::term)). A quotient is rounded towards zero. A value of an enumeration is
//! written by its name. A Boolean element that does not exist is false, and so is a comparison with any element that does
//! not exist, with a quotient by zero or with a shift by less than nothing; to ask for an element by a constant is an
//! error if there is none. What is quantified extends as far as it can; the ends of the range are constants.
//! Signs, indices and named constants are those of the source ([`Writing`]). Names that programs write in braces may be
//! written so, and without where they are words: `{end}` and `end`.
//!
//! A name without a procedure is a local of the procedure that the condition is about, where that is known; a shared or
//! private variable; or else the local of the only procedure that has one of that name. Copies of a procedure
//! ([`is_copy`]) are one. Where locals are those of stack symbols, a name is what the source means by it at the symbol that
//! the condition is about.
//!
//! Modules: `parse` reads text with the operators of `operators`, `quantify` for every value, `compare` compares,
//! `names` says what names mean, `part` is what has been read.

mod compare;
mod names;
mod operators;
mod parse;
mod part;
mod quantify;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use names::Names;

use crate::Writing;
use program::{Expr, LocationId, ProcedureId, Program};

/// What is wrong with a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionError {
    /// The bytes of the text that it is about.
    pub range: Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

/// A condition: an expression over the values before a step, and whose locals it reads, if any.
pub type Condition = (Expr, Option<ProcedureId>);

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// Nothing in particular.
    Anything,
    /// A frame of a procedure.
    Procedure(ProcedureId),
    /// A frame at a location.
    Location(LocationId),
}

/// Why a condition cannot be read.
enum Mistake {
    Wrong(ConditionError),
    /// A word that means something only where the condition is about other locations.
    Elsewhere(Range<usize>, String),
}

type Read<T> = Result<T, Mistake>;

fn wrong<T>(range: Range<usize>, message: impl Into<String>) -> Read<T> {
    Err(Mistake::Wrong(ConditionError { range, message: message.into() }))
}

/// Procedures with several entries are split into copies `p.2`, `p.3`, ...: all of them are p.
#[must_use]
pub fn is_copy(procedure: &str, name: &str) -> bool {
    let rest = procedure.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    procedure == name || rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads a condition on variables that are written in the way given.
pub fn parse(program: &Program, writing: &Writing, about: About, text: &str) -> Result<Condition, ConditionError> {
    let names = Names::new(program, writing, about);
    parse::condition(names, text).map_err(|mistake| match mistake {
        Mistake::Wrong(error) => error,
        Mistake::Elsewhere(range, word) => ConditionError { range, message: names.elsewhere(&word) },
    })
}

/// What a condition says at some locations, in groups that it says the same about: every procedure has locals of its own,
/// and perhaps every location. It must mean something at all of them.
pub fn parse_at(
    program: &Program,
    writing: &Writing,
    locations: &[LocationId],
    text: &str,
) -> Result<Vec<(Vec<LocationId>, Condition)>, ConditionError> {
    let read = |group: Vec<LocationId>| Ok((parse(program, writing, About::Location(group[0]), text)?, group));
    let read: Vec<(Condition, Vec<LocationId>)> =
        groups(program, writing, locations, text).into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(joined(read))
}

/// What a condition says at all locations where it means something, in groups that it says the same about. It must mean
/// something at one.
pub fn parse_everywhere(
    program: &Program,
    writing: &Writing,
    text: &str,
) -> Result<Vec<(Vec<LocationId>, Condition)>, ConditionError> {
    let all: Vec<LocationId> = program.locations.ids().collect();
    let mut read = Vec::new();
    let mut elsewhere = None;
    for group in groups(program, writing, &all, text) {
        match parse::condition(Names::new(program, writing, About::Location(group[0])), text) {
            Ok(condition) => read.push((condition, group)),
            Err(Mistake::Wrong(error)) => return Err(at_symbol(program, writing, group[0], text, error)),
            Err(Mistake::Elsewhere(range, word)) => elsewhere = elsewhere.or(Some((range, word))),
        }
    }
    match elsewhere {
        Some((range, word)) if read.is_empty() => {
            let message = Names::new(program, writing, About::Anything).elsewhere(&word);
            Err(ConditionError { range, message })
        }
        _ => Ok(joined(read)),
    }
}

/// What is wrong at a location; at which one, if the locals of a stack symbol are to blame.
fn at_symbol(
    program: &Program,
    writing: &Writing,
    location: LocationId,
    text: &str,
    error: ConditionError,
) -> ConditionError {
    let elsewhere = parse::condition(Names::new(program, writing, About::Anything), text);
    match (elsewhere, program.locations[location].labels.first()) {
        (Ok(_), Some(symbol)) => {
            let message = format!("at the stack symbol `{symbol}`, with its own variables: {}", error.message);
            ConditionError { message, ..error }
        }
        _ => error,
    }
}

/// Locations at which a text surely means the same.
fn groups(program: &Program, writing: &Writing, locations: &[LocationId], text: &str) -> Vec<Vec<LocationId>> {
    let names_symbols = writing.is_by_location() && text.contains("::");
    let mut groups: BTreeMap<_, Vec<LocationId>> = BTreeMap::new();
    for location in locations {
        // What a location sees says already in whose frame.
        let procedure = (!writing.is_by_location()).then(|| program.locations[*location].procedure);
        let own = names_symbols.then_some(*location);
        groups.entry((procedure, writing.sight(*location), own)).or_default().push(*location);
    }
    groups.into_values().collect()
}

/// Groups with the same condition on the same locals as one, in the order of the first.
fn joined(read: Vec<(Condition, Vec<LocationId>)>) -> Vec<(Vec<LocationId>, Condition)> {
    let mut place: BTreeMap<Condition, usize> = BTreeMap::new();
    let mut groups: Vec<(Vec<LocationId>, Condition)> = Vec::new();
    for (condition, locations) in read {
        let at = *place.entry(condition.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((all, _)) => all.extend(locations),
            None => groups.push((locations, condition)),
        }
    }
    groups.iter_mut().for_each(|(locations, _)| locations.sort_unstable());
    groups
}
