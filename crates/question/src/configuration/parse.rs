//! Text to sets of configurations: a regular expression becomes an automaton over its places.

use std::ops::Range;

use super::names::{is_part, locations, similar};
use super::{ConfigurationSet, Place};
use crate::{Writing, condition};
use program::{Expr, LocationId, Program, Scope};

/// What is wrong with a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetError {
    /// The bytes of the text that it is about.
    pub range: Range<usize>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

/// Deepest nesting of parentheses.
const MAX_DEPTH: u32 = 200;

/// Reads a set; `writing` says how variables are written. `control` says under which condition (over shared variables) a name is the control state, if it is one.
pub fn parse(
    program: &Program,
    writing: &Writing,
    control: &dyn Fn(&str) -> Option<Expr>,
    text: &str,
) -> Result<ConfigurationSet, SetError> {
    let mut parser = Parser {
        program,
        writing,
        control,
        text,
        at: 0,
        depth: 0,
        set: ConfigurationSet::default(),
        spans: Vec::new(),
        any: Vec::new(),
    };
    loop {
        parser.pattern()?;
        if parser.peek().is_none() {
            break;
        }
        parser.expect('|', "`|` and another pattern, or the end, is expected here")?;
    }
    parser.check_shared()?;
    Ok(parser.set)
}

struct Parser<'a> {
    program: &'a Program,
    writing: &'a Writing,
    control: &'a dyn Fn(&str) -> Option<Expr>,
    text: &'a str,
    at: usize,
    depth: u32,
    set: ConfigurationSet,
    /// By place: the condition in the text.
    spans: Vec<Range<usize>>,
    /// The places of `.`, in ascending order.
    any: Vec<usize>,
}

/// A part of the expression: how it begins and ends.
#[derive(Clone, Debug, Default)]
struct Part {
    first: Vec<usize>,
    last: Vec<usize>,
    may_be_empty: bool,
}

type Read<T> = Result<T, SetError>;

impl Parser<'_> {
    fn skip_space(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char, message: &str) -> Read<()> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error_here(message)) }
    }

    fn error_here(&self, message: &str) -> SetError {
        let end = self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        SetError { range: self.at..end, message: message.to_owned() }
    }

    fn pattern(&mut self) -> Read<()> {
        let start = self.at;
        let mut state = Expr::TRUE;
        if let Some((name, range)) = self.word() {
            state = self.control_state(&name, range)?;
        }
        let condition = self.bracketed()?;
        self.expect('<', "`<` is expected here: the stack is written between `<` and `>`")?;
        let mut part = self.stack()?;
        self.expect('>', "a location, `.`, `(` or `>` is expected here")?;
        for last in &part.last {
            self.set.places[*last].is_last = true;
        }
        if part.may_be_empty {
            let exits = self.program.procedures.iter().flat_map(|procedure| procedure.exits.iter().copied());
            let mut exits: Vec<LocationId> = exits.collect();
            exits.sort_unstable();
            if exits.is_empty() && part.first.is_empty() {
                let message = "the stack never becomes empty here: nothing ever returns".to_owned();
                return Err(SetError { range: start..self.at, message });
            }
            let place = self.place(exits, Expr::TRUE, start..self.at);
            self.set.places[place].is_last = true;
            part.first.push(place);
        }
        for place in part.first {
            let place = if self.any.binary_search(&place).is_ok() { self.any_on_top(place) } else { place };
            let locations = self.set.places[place].locations.clone();
            for (locations, read) in self.conditions(condition.as_ref(), locations)? {
                let top = if locations == self.set.places[place].locations {
                    place
                } else {
                    let copy = Place { locations, ..self.set.places[place].clone() };
                    self.set.places.push(copy);
                    self.spans.push(self.spans[place].clone());
                    self.set.places.len() - 1
                };
                self.set.first.push((top, state.clone().and(read)));
            }
        }
        Ok(())
    }

    /// What a condition says at some locations, in groups: every procedure, or location, has locals of its own.
    fn conditions(
        &self,
        text: Option<&Range<usize>>,
        locations: Vec<LocationId>,
    ) -> Read<Vec<(Vec<LocationId>, Expr)>> {
        let Some(text) = text else { return Ok(vec![(locations, Expr::TRUE)]) };
        // Where symbols have locals of their own, a location that is none has nothing to speak of.
        let is_symbol =
            |at: &LocationId| !self.writing.is_by_location() || !self.program.locations[*at].labels.is_empty();
        let symbols: Vec<LocationId> = locations.iter().copied().filter(is_symbol).collect();
        let asked = if symbols.is_empty() { &locations } else { &symbols };
        let mut found: Vec<(Vec<LocationId>, Expr)> = Vec::new();
        let mut speaks_of_locals = false;
        for (locations, (condition, of)) in self.condition(text, asked)? {
            let procedure = self.program.locations[locations[0]].procedure;
            if of.is_some_and(|of| of != procedure) {
                let message = "the condition speaks of locals that not all of these locations have".to_owned();
                return Err(SetError { range: text.clone(), message });
            }
            speaks_of_locals |= of.is_some();
            found.push((locations, condition));
        }
        match found.first() {
            Some((_, condition)) if !speaks_of_locals => Ok(vec![(locations, condition.clone())]),
            _ => Ok(found),
        }
    }

    /// The place of a `.` on top of the stack. A procedure at its exit has returned, and in the middle of a step there is
    /// no configuration: neither is any location. Below, an exit is where a frame goes on.
    fn any_on_top(&mut self, place: usize) -> usize {
        let program = self.program;
        let is_exit = |at: &LocationId| program.procedures[program.locations[*at].procedure].exits.contains(at);
        let is_between = |at: &LocationId| !program.locations[*at].role.is_moment();
        let mut top = self.set.places[place].clone();
        top.locations.retain(|at| !is_exit(at) && !is_between(at));
        self.set.places.push(top);
        self.spans.push(self.spans[place].clone());
        self.set.places.len() - 1
    }

    fn control_state(&self, name: &str, range: Range<usize>) -> Read<Expr> {
        let message = || format!("there is no control state `{name}`");
        (self.control)(name).ok_or_else(|| SetError { range, message: message() })
    }

    /// The text of `[condition]`, if it comes next; brackets may nest.
    fn bracketed(&mut self) -> Read<Option<Range<usize>>> {
        if !self.eat('[') {
            return Ok(None);
        }
        let (start, mut open) = (self.at, 1);
        let end = self.text[start..].char_indices().find(|(_, c)| {
            open += match c {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            open == 0
        });
        let Some((length, _)) = end else { return Err(self.error_here("the closing `]` is missing")) };
        self.at = start + length + 1;
        Ok(Some(start..start + length))
    }

    /// What a condition says at some locations, and whose locals it speaks of.
    fn condition(
        &self,
        text: &Range<usize>,
        locations: &[LocationId],
    ) -> Read<Vec<(Vec<LocationId>, condition::Condition)>> {
        let read = condition::parse_at(self.program, self.writing, locations, &self.text[text.clone()]);
        read.map_err(|error| SetError {
            range: text.start + error.range.start..text.start + error.range.end,
            message: error.message,
        })
    }

    /// The next word, if there is one: dots stand only inside.
    fn word(&mut self) -> Option<(String, Range<usize>)> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let mut length = 0;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let is_inner_dot = c == '.' && at > 0 && chars.peek().is_some_and(|(_, next)| is_part(*next));
            if !is_part(c) && !is_inner_dot {
                break;
            }
            length = at + c.len_utf8();
        }
        let range = self.at..self.at + length;
        self.at += length;
        (length > 0).then(|| (rest[..length].to_owned(), range))
    }

    /// Alternatives.
    fn stack(&mut self) -> Read<Part> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error_here("the set is nested too deeply"));
        }
        let mut part = self.row()?;
        while self.eat('|') {
            let other = self.row()?;
            part.first.extend(other.first);
            part.last.extend(other.last);
            part.may_be_empty |= other.may_be_empty;
        }
        self.depth -= 1;
        Ok(part)
    }

    /// One item after the other.
    fn row(&mut self) -> Read<Part> {
        let mut row = Part { may_be_empty: true, ..Part::default() };
        while let Some(mut item) = self.item()? {
            while let Some(times @ ('*' | '+' | '?')) = self.peek() {
                self.at += 1;
                if times != '?' {
                    self.link(&item.last, &item.first);
                }
                item.may_be_empty |= times != '+';
            }
            self.link(&row.last, &item.first);
            if row.may_be_empty {
                row.first.extend(&item.first);
            }
            if item.may_be_empty {
                row.last.extend(&item.last);
            } else {
                row.last = item.last;
            }
            row.may_be_empty &= item.may_be_empty;
        }
        Ok(row)
    }

    fn link(&mut self, from: &[usize], to: &[usize]) {
        for place in from {
            let next = &mut self.set.places[*place].next;
            next.extend(to);
            next.sort_unstable();
            next.dedup();
        }
    }

    fn item(&mut self) -> Read<Option<Part>> {
        if self.eat('(') {
            let part = self.stack()?;
            self.expect(')', "a closing parenthesis is expected here")?;
            return Ok(Some(part));
        }
        let start = self.at;
        let name = self.word();
        let is_any = name.is_none();
        let found = match name {
            Some((name, range)) => self.named(&name, range)?,
            None if self.eat('.') => self.program.locations.ids().collect(),
            None => return Ok(None),
        };
        let condition = self.bracketed()?;
        let mut places = Vec::new();
        for (locations, condition) in self.conditions(condition.as_ref(), found)? {
            places.push(self.place(locations, condition, start..self.at));
        }
        if is_any {
            self.any.extend(&places);
        }
        Ok(Some(Part { first: places.clone(), last: places, may_be_empty: false }))
    }

    fn named(&self, name: &str, range: Range<usize>) -> Read<Vec<LocationId>> {
        let found = locations(self.program, name);
        if found.is_empty() {
            let known = similar(self.program).join(", ");
            let message = format!("there is no location `{name}`; there are, for example: {known}");
            return Err(SetError { range, message });
        }
        Ok(found)
    }

    fn place(&mut self, locations: Vec<LocationId>, condition: Expr, span: Range<usize>) -> usize {
        self.set.places.push(Place { locations, condition, next: Vec::new(), is_last: false });
        self.spans.push(span);
        self.set.places.len() - 1
    }

    /// Frames that wait have no shared values.
    fn check_shared(&self) -> Read<()> {
        for place in self.set.places.iter().flat_map(|place| &place.next) {
            let reads = self.set.places[*place].condition.reads();
            if reads.iter().any(|(id, _)| !matches!(self.program.variables[*id].scope, Scope::Local(_))) {
                let message = "shared variables have values at the top of the stack only".to_owned();
                return Err(SetError { range: self.spans[*place].clone(), message });
            }
        }
        Ok(())
    }
}
