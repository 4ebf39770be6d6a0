//! Automata in the Hanoi Omega-Automata format, version 1: <http://adl.github.io/hoaf/>.
//!
//! Read are Büchi and generalised Büchi conditions, on states or on edges, with explicit and implicit labels. Conditions
//! that ask for something to happen only finitely often, and alternating automata, are refused with a reason.
//! Written are Büchi automata with acceptance on edges.

mod acceptance;
mod body;
mod header;
mod token;
mod write;

use base::{Budget, Diagnostic, Diagnostics, Source, Span, StopReason};

pub use write::write;

use crate::file::{self, AutomatonFile};
use crate::label::{Label, Labels};
use crate::parse::MAX_NESTING;
use crate::tape::Tape;
use token::Token;

/// Reads an automaton. What is wrong with the text are diagnostics; making the automaton small may exceed the budget.
pub fn read(source: &Source, budget: &Budget) -> Result<Result<AutomatonFile, Diagnostics>, StopReason> {
    let mut reader = Reader::new(source, budget);
    if reader.diagnostics.has_errors() {
        return Ok(Err(reader.diagnostics));
    }
    let header = reader.header();
    let graph = header.and_then(|header| Ok((reader.body(&header)?, header.atoms)));
    reader.labels.check()?;
    let faulty = reader.diagnostics.has_errors();
    match graph {
        Ok((graph, atoms)) if !faulty => Ok(Ok(file::finish(graph, &mut reader.labels, atoms, budget)?)),
        _ => {
            reader.diagnostics.sort();
            Ok(Err(reader.diagnostics))
        }
    }
}

/// The text cannot be read any further; a diagnostic says why.
struct Stop;

struct Reader<'a> {
    source: &'a Source,
    tape: Tape<Token>,
    depth: usize,
    labels: Labels,
    diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source, budget: &Budget) -> Self {
        let mut diagnostics = Diagnostics::new();
        let tokens = token::tokens(source, &mut diagnostics);
        Self { source, tape: Tape::new(tokens), depth: 0, labels: Labels::new(budget), diagnostics }
    }

    fn text(&self, span: Span) -> &'a str {
        self.source.slice(span)
    }

    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(code, message).at(span, ""));
    }

    fn expected(&mut self, what: &str) -> Stop {
        let span = self.tape.span();
        let found = self.text(span);
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        self.diagnostics.push(Diagnostic::error("LT0101", format!("expected {what}, found {found}")).at(span, ""));
        Stop
    }

    fn expect(&mut self, token: Token, what: &str) -> Result<Span, Stop> {
        if self.tape.peek() == token { Ok(self.tape.take()) } else { Err(self.expected(what)) }
    }

    /// A number; one that is too large for anything becomes the largest.
    fn number(&mut self, what: &str) -> Result<(u32, Span), Stop> {
        let span = self.expect(Token::Number, what)?;
        Ok((self.text(span).parse().unwrap_or(u32::MAX), span))
    }

    /// Goes one level deeper, or gives up when that is too deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.depth == MAX_NESTING {
            let message = format!("this nests more than {MAX_NESTING} levels deep");
            self.error("LT0107", message, self.tape.span());
            return Err(Stop);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A Boolean expression: `|` binds loosest, `!` tightest.
    fn label(&mut self, header: &header::Header) -> Result<Label, Stop> {
        let mut any = self.conjunction(header)?;
        while self.tape.take_if(Token::Or) {
            let next = self.conjunction(header)?;
            any = self.labels.or(any, next);
        }
        Ok(any)
    }

    fn conjunction(&mut self, header: &header::Header) -> Result<Label, Stop> {
        let mut all = self.literal(header)?;
        while self.tape.take_if(Token::And) {
            let next = self.literal(header)?;
            all = self.labels.and(all, next);
        }
        Ok(all)
    }

    fn literal(&mut self, header: &header::Header) -> Result<Label, Stop> {
        match self.tape.peek() {
            Token::Not => {
                self.tape.take();
                let inner = self.nested(|reader| reader.literal(header))?;
                Ok(self.labels.not(inner))
            }
            Token::Open => {
                self.tape.take();
                let inner = self.nested(|reader| reader.label(header))?;
                self.expect(Token::Close, "`)`")?;
                Ok(inner)
            }
            Token::Word if self.text(self.tape.span()) == "t" => {
                self.tape.take();
                Ok(Label::TRUE)
            }
            Token::Word if self.text(self.tape.span()) == "f" => {
                self.tape.take();
                Ok(Label::FALSE)
            }
            Token::Number => {
                let (number, span) = self.number("a number")?;
                Ok(self.proposition(header, number, span))
            }
            Token::Alias => {
                let span = self.tape.take();
                let known = header.aliases.get(self.text(span)).copied();
                if known.is_none() {
                    self.error("LT0105", format!("`{}` has not been defined before", self.text(span)), span);
                }
                Ok(known.unwrap_or(Label::TRUE))
            }
            _ => Err(self.expected("a condition on the atomic propositions")),
        }
    }

    fn proposition(&mut self, header: &header::Header, number: u32, span: Span) -> Label {
        match header.numbers.get(number as usize) {
            Some(atom) => self.labels.literal(*atom, true),
            None => {
                let n = header.numbers.len();
                self.error("LT0105", format!("there are {n} atomic propositions, counted from 0"), span);
                Label::TRUE
            }
        }
    }
}
