//! What comes before the states.

use std::collections::BTreeMap;

use base::Span;

use super::acceptance::Clause;
use super::token::Token;
use super::{Reader, Stop};
use crate::Atom;
use crate::file::AtomTable;
use crate::label::Label;

/// What the header says.
#[derive(Default)]
pub(super) struct Header {
    pub(super) n_states: Option<u32>,
    pub(super) start: Vec<(u32, Span)>,
    pub(super) atoms: AtomTable,
    /// The atom of each proposition: two propositions may be the same atom.
    pub(super) numbers: Vec<u32>,
    pub(super) aliases: BTreeMap<String, Label>,
    pub(super) n_sets: u32,
    pub(super) clauses: Vec<Clause>,
}

/// Headers that occur at most once.
const SINGLE: &[&str] = &["HOA:", "States:", "AP:", "Acceptance:", "acc-name:", "tool:", "name:"];

impl Reader<'_> {
    pub(super) fn header(&mut self) -> Result<Header, Stop> {
        let mut header = Header::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut aliases = Vec::new();
        if self.tape.peek() != Token::Header || self.text(self.tape.span()) != "HOA:" {
            return Err(self.expected("`HOA: v1`"));
        }
        while self.tape.peek() != Token::Body {
            let span = self.expect(Token::Header, "a header or `--BODY--`")?;
            let name = self.text(span);
            if SINGLE.contains(&name) && seen.contains(&name) {
                self.error("LT0102", format!("`{name}` occurs twice"), span);
            }
            seen.push(name);
            if name == "Alias:" {
                aliases.push(self.tape.position());
                self.skip_values();
            } else {
                self.item(name, span, &mut header)?;
            }
        }
        self.aliases(&aliases, &mut header)?;
        let body = self.tape.take();
        if !seen.contains(&"Acceptance:") {
            self.error("LT0102", "the header `Acceptance:` is missing", body);
        }
        Ok(header)
    }

    fn item(&mut self, name: &str, span: Span, header: &mut Header) -> Result<(), Stop> {
        match name {
            "HOA:" => self.version(),
            "States:" => {
                header.n_states = Some(self.number("the number of states")?.0);
                Ok(())
            }
            "Start:" => {
                let start = self.state()?;
                header.start.push(start);
                Ok(())
            }
            "AP:" => self.propositions(header),
            "Acceptance:" => {
                (header.n_sets, _) = self.number("the number of acceptance sets")?;
                header.clauses = self.condition(header.n_sets)?;
                Ok(())
            }
            _ => {
                let known = SINGLE.contains(&name) || name == "properties:";
                if !known && name.starts_with(|c: char| c.is_ascii_uppercase()) {
                    self.error("LT0102", format!("`{name}` is unknown, and may change what the automaton means"), span);
                }
                self.skip_values();
                Ok(())
            }
        }
    }

    /// Reads the aliases at some positions, then goes on where it was. They speak of propositions, and `AP:` may come
    /// after them.
    fn aliases(&mut self, positions: &[usize], header: &mut Header) -> Result<(), Stop> {
        let body = self.tape.position();
        for position in positions {
            self.tape.go_to(*position);
            self.alias(header)?;
            if !matches!(self.tape.peek(), Token::Header | Token::Body) {
                return Err(self.expected("a header or `--BODY--`"));
            }
        }
        self.tape.go_to(body);
        Ok(())
    }

    fn alias(&mut self, header: &mut Header) -> Result<(), Stop> {
        let span = self.expect(Token::Alias, "a name that begins with `@`")?;
        let label = self.label(header)?;
        let known = header.aliases.insert(self.text(span).to_owned(), label);
        if known.is_some() {
            self.error("LT0102", format!("`{}` is defined twice", self.text(span)), span);
        }
        Ok(())
    }

    fn version(&mut self) -> Result<(), Stop> {
        let span = self.expect(Token::Word, "`v1`")?;
        let version = self.text(span);
        if version != "v1" {
            self.error("LT0102", format!("version `{version}` of the format is unknown; `v1` is known"), span);
        }
        Ok(())
    }

    fn propositions(&mut self, header: &mut Header) -> Result<(), Stop> {
        let (n, span) = self.number("the number of atomic propositions")?;
        while self.tape.peek() == Token::Text {
            let span = self.tape.take();
            let inner = Span { start: span.start + 1, end: span.end - 1, ..span };
            let atom = Atom::read(&unescaped(self.text(inner)));
            header.numbers.push(header.atoms.number(&atom, inner));
        }
        if header.numbers.len() != n as usize {
            self.error(
                "LT0105",
                format!("{n} atomic propositions are announced, {} follow", header.numbers.len()),
                span,
            );
        }
        Ok(())
    }

    /// A state; several at once are refused.
    pub(super) fn state(&mut self) -> Result<(u32, Span), Stop> {
        let state = self.number("the number of a state")?;
        if self.tape.peek() == Token::And {
            let message = "being in several states at once is not supported: this automaton alternates";
            self.error("LT0104", message, self.tape.span());
            return Err(Stop);
        }
        Ok(state)
    }

    fn skip_values(&mut self) {
        while !matches!(self.tape.peek(), Token::Header | Token::Body | Token::End | Token::Abort | Token::Finish) {
            self.tape.take();
        }
    }
}

fn unescaped(text: &str) -> String {
    let mut result = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        result.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    result
}
