//! Text to certificate.
//!
//! Any text is read or refused with a line; nothing that a text says about its own size is believed beyond what is there.

use std::str::FromStr;

use bdd::{Dag, Var};
use program::text::{parse_value, quote};
use program::{LocationId, ProcedureId, Program, Value, VariableId};
use rustc_hash::FxHashMap;

use super::write::variable;
use super::{FormatError, HEADER, fingerprint};
use crate::{Certificate, Column, Copy, Frame, Set};

/// Reads a certificate of the program. Whether it proves anything is for [`mod@crate::validate`] to say.
pub fn parse(program: &Program, text: &str) -> Result<Certificate, FormatError> {
    let mut reader = Reader::new(program, text);
    reader.header()?;
    let targets = reader.list("targets", |reader| reader.line()?.last(Field::location))?;
    let frames = reader.list("frames", Reader::frame)?;
    let nodes = reader.list("nodes", |reader| {
        let mut line = reader.line()?;
        let (variable, low) = (line.number("a variable")?, line.number("a node")?);
        Ok((Var(variable), low, line.last(|field| field.number("a node"))?))
    })?;
    let roots = reader.list("roots", |reader| reader.line()?.last(|field| field.number("a node")))?;
    let sets = reader.list("sets", Reader::set)?;
    reader.end()?;
    Ok(Certificate { targets, frames, sets, dag: Dag { nodes, roots } })
}

type Read<T> = Result<T, FormatError>;

/// What names stand for.
struct Names<'a> {
    program: &'a Program,
    procedures: FxHashMap<String, ProcedureId>,
    variables: FxHashMap<String, VariableId>,
}

struct Reader<'a> {
    names: Names<'a>,
    lines: std::str::Lines<'a>,
    /// Number of the line read last.
    at: u32,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, text: &'a str) -> Self {
        let procedures = program.procedures.iter_ids().map(|(id, procedure)| (quote(&procedure.name), id)).collect();
        let variables = program.variables.ids().map(|id| (variable(program, id), id)).collect();
        Self { names: Names { program, procedures, variables }, lines: text.lines(), at: 0 }
    }

    fn line(&mut self) -> Read<Line<'_, 'a>> {
        self.at = self.at.saturating_add(1);
        match self.lines.next() {
            Some(text) => Ok(Line { names: &self.names, rest: Some(text), at: self.at }),
            None => Err(FormatError { line: self.at, message: "the certificate ends too early".into() }),
        }
    }

    fn header(&mut self) -> Read<()> {
        let line = self.line()?;
        if line.rest != Some(HEADER) {
            return line.wrong(format!("expected `{HEADER}`"));
        }
        let mut line = self.line()?;
        line.word("program")?;
        let at = line.at;
        let found = line.last(|field| u64::from_str_radix(field.text, 16).map_err(|_| field.wrong("a fingerprint")))?;
        if found != fingerprint(self.names.program) {
            return Err(FormatError { line: at, message: "the certificate is about another program".into() });
        }
        Ok(())
    }

    fn list<T>(&mut self, keyword: &str, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut line = self.line()?;
        line.word(keyword)?;
        let n = line.last(|field| field.number("a count"))?;
        self.items(n, &mut one)
    }

    fn items<T>(&mut self, n: u32, one: &mut impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(one(self)?);
        }
        Ok(items)
    }

    fn frame(&mut self) -> Read<(ProcedureId, Frame)> {
        let mut line = self.line()?;
        let procedure = line.field()?.procedure()?;
        let n_columns = line.number("a count")?;
        let n_unchanged = line.last(|field| field.number("a count"))?;
        let columns = self.items(n_columns, &mut |reader| {
            let mut line = reader.line()?;
            let number = line.number("a variable of the diagrams")?;
            let field = line.field()?;
            let copy = match field.text {
                "entry" => Copy::Entry,
                "now" => Copy::Current,
                _ => return Err(field.wrong("`entry` or `now`")),
            };
            let variable = line.field()?.variable()?;
            Ok((number, Column { variable, bit: line.last(|field| field.number("a bit"))?, copy }))
        })?;
        let unchanged = self.items(n_unchanged, &mut |reader| reader.line()?.last(Field::variable))?;
        Ok((procedure, Frame { columns, unchanged }))
    }

    fn set(&mut self) -> Read<(LocationId, Set)> {
        let mut line = self.line()?;
        let location = line.field()?.location()?;
        let kind = line.field()?;
        let root = match kind.text {
            "facts" => None,
            "diagram" => Some(line.number("a root")?),
            _ => return Err(kind.wrong("`facts` or `diagram`")),
        };
        let n = line.last(|field| field.number("a count"))?;
        let facts = self.items(n, &mut Self::fact)?;
        Ok((
            location,
            match root {
                Some(root) => Set::Diagram { root, facts },
                None => Set::Facts(facts),
            },
        ))
    }

    fn fact(&mut self) -> Read<(VariableId, Value)> {
        let mut line = self.line()?;
        let variable = line.field()?.variable()?;
        let program = line.names.program;
        let text = line.rest.take().unwrap_or_default();
        match parse_value(program, program.sort(variable), text) {
            Some(value) => Ok((variable, value)),
            None => line.wrong(format!("`{text}` is not a value of the variable")),
        }
    }

    fn end(&mut self) -> Read<()> {
        let line = self.line()?;
        if line.rest != Some("end") {
            return line.wrong("expected `end`");
        }
        match self.lines.next() {
            None => Ok(()),
            Some(_) => Err(FormatError { line: self.at + 1, message: "nothing may follow `end`".into() }),
        }
    }
}

/// One line, being read field by field.
struct Line<'r, 'a> {
    names: &'r Names<'a>,
    /// What is left; none after the last field.
    rest: Option<&'a str>,
    at: u32,
}

/// One field of a line.
struct Field<'r, 'a> {
    names: &'r Names<'a>,
    text: &'a str,
    at: u32,
}

impl<'r, 'a> Line<'r, 'a> {
    fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(FormatError { line: self.at, message: message.into() })
    }

    fn field(&mut self) -> Read<Field<'r, 'a>> {
        let Some(rest) = self.rest else { return self.wrong("the line ends too early") };
        let end = field_end(rest);
        self.rest = rest.get(end + 1..);
        Ok(Field { names: self.names, text: &rest[..end], at: self.at })
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        self.field()?.number(what)
    }

    fn word(&mut self, word: &str) -> Read<()> {
        let field = self.field()?;
        if field.text == word { Ok(()) } else { Err(field.wrong(&format!("`{word}`"))) }
    }

    /// Reads the last field.
    fn last<T>(mut self, read: impl FnOnce(Field<'r, 'a>) -> Read<T>) -> Read<T> {
        let field = self.field()?;
        if self.rest.is_some() {
            return self.wrong("there is too much in this line");
        }
        read(field)
    }
}

/// Where the first field ends: at a space that is not in quotes.
fn field_end(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b' ' if !quoted => return at,
            b'"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = quoted && byte == b'\\' && !escaped;
    }
    text.len()
}

impl Field<'_, '_> {
    fn wrong(&self, expected: &str) -> FormatError {
        FormatError { line: self.at, message: format!("expected {expected}, found `{}`", self.text) }
    }

    fn number(self, what: &str) -> Read<u32> {
        u32::from_str(self.text).map_err(|_| self.wrong(what))
    }

    fn procedure(self) -> Read<ProcedureId> {
        self.names.procedures.get(self.text).copied().ok_or_else(|| self.wrong("a procedure"))
    }

    fn variable(self) -> Read<VariableId> {
        self.names.variables.get(self.text).copied().ok_or_else(|| self.wrong("a variable"))
    }

    fn location(self) -> Read<LocationId> {
        let found = self.text.rsplit_once('.').and_then(|(procedure, number)| {
            let procedure = self.names.procedures.get(procedure)?;
            let number: usize = number.parse().ok()?;
            self.names.program.procedures[*procedure].locations.get(number).copied()
        });
        found.ok_or_else(|| self.wrong("a location"))
    }
}
