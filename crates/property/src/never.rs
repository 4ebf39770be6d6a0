//! Spin's never claims, as Spin, ltl2ba and Spot write them.
//!
//! ```text
//! never { T0_init: if :: (p) -> goto accept_all :: (1) -> goto T0_init fi; accept_all: skip }
//! ```
//!
//! A claim is an automaton: every statement is a state, and those whose labels begin with `accept` accept. A claim that
//! comes to its end, or to an assertion, accepts whatever follows. Other statements of Spin's language are refused.

use std::collections::BTreeMap;

use base::{Budget, Diagnostic, Diagnostics, Source, Span, StopReason};
use logos::Logos;

use crate::file::{self, AtomTable, AutomatonFile};
use crate::graph::{Arc, Graph, Marks};
use crate::label::{Label, Labels};
use crate::parse::parse_within;
use crate::tape::Tape;

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
enum Token {
    #[token("never")]
    Never,
    #[token("if")]
    If,
    #[token("fi")]
    Fi,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("goto")]
    Goto,
    #[token("skip")]
    Skip,
    #[token("break")]
    Break,
    #[token("atomic")]
    Atomic,
    #[token("assert")]
    Assert,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r#""[^"]*""#)]
    Text,
    #[token("::")]
    Option,
    #[token(":")]
    Colon,
    #[token("->")]
    Arrow,
    #[token(";")]
    Semicolon,
    #[token("{")]
    OpenBody,
    #[token("}")]
    CloseBody,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    /// Part of a condition, which has a reader of its own.
    #[regex(r"[^A-Za-z_ \t\r\n\x0B\x0C:;{}()]", priority = 1)]
    Other,
    /// After the last token.
    End,
}

/// Reads a claim. What is wrong with the text are diagnostics; making the automaton small may exceed the budget.
pub fn read(source: &Source, budget: &Budget) -> Result<Result<AutomatonFile, Diagnostics>, StopReason> {
    let mut tokens = Vec::new();
    for (token, range) in Token::lexer(source.text()).spanned() {
        tokens.push((token.unwrap_or(Token::Other), Span::new(range.start, range.end)));
    }
    let end = source.text().len();
    tokens.push((Token::End, Span::new(end, end)));
    let mut reader = Reader {
        source,
        tape: Tape::new(tokens),
        labels: Labels::new(),
        atoms: AtomTable::default(),
        names: BTreeMap::new(),
        accepting: Vec::new(),
        moves: Vec::new(),
        diagnostics: Diagnostics::new(),
    };
    let read = reader.claim();
    let graph = reader.graph();
    if read.is_err() || reader.diagnostics.has_errors() {
        reader.diagnostics.sort();
        return Ok(Err(reader.diagnostics));
    }
    Ok(Ok(file::finish(graph, &mut reader.labels, reader.atoms, budget)?))
}

/// The text cannot be read any further; a diagnostic says why.
struct Stop;

/// Where a step leads.
#[derive(Clone, Copy)]
enum Goal {
    /// The statement with this label, in the source.
    Label(Span),
    /// The next statement; after the last one everything is accepted.
    Following,
    /// The same statement.
    Same,
    /// Everything is accepted.
    Accept,
}

struct Reader<'a> {
    source: &'a Source,
    tape: Tape<Token>,
    labels: Labels,
    atoms: AtomTable,
    /// The statement of each label.
    names: BTreeMap<&'a str, usize>,
    /// For each statement whether it accepts.
    accepting: Vec<bool>,
    moves: Vec<Vec<(Label, Goal)>>,
    diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    fn expect(&mut self, token: Token, what: &str) -> Result<Span, Stop> {
        if self.tape.peek() == token { Ok(self.tape.take()) } else { Err(self.expected(what)) }
    }

    fn expected(&mut self, what: &str) -> Stop {
        let found = self.source.slice(self.tape.span());
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        let diagnostic = Diagnostic::error("LT0201", format!("expected {what}, found {found}"));
        self.diagnostics.push(diagnostic.at(self.tape.span(), ""));
        Stop
    }

    fn claim(&mut self) -> Result<(), Stop> {
        self.expect(Token::Never, "`never`")?;
        self.tape.take_if(Token::Word);
        self.expect(Token::OpenBody, "`{`")?;
        loop {
            while self.tape.take_if(Token::Semicolon) {}
            if self.tape.peek() == Token::CloseBody {
                break;
            }
            self.statement()?;
        }
        let close = self.tape.take();
        if self.moves.is_empty() {
            self.diagnostics.push(Diagnostic::error("LT0201", "the claim has no statement").at(close, ""));
        }
        if self.tape.peek() != Token::End {
            return Err(self.expected("nothing more: one claim can be asked about"));
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), Stop> {
        let state = self.moves.len();
        let mut accepting = false;
        while self.tape.peek() == Token::Word && self.tape.second() == Token::Colon {
            let span = self.tape.take();
            self.tape.take();
            let name = self.source.slice(span);
            accepting |= name.starts_with("accept");
            if self.names.insert(name, state).is_some() {
                let diagnostic = Diagnostic::error("LT0202", format!("the label `{name}` is used twice"));
                self.diagnostics.push(diagnostic.at(span, ""));
            }
        }
        let moves = match self.tape.peek() {
            Token::If | Token::Do => self.choice()?,
            Token::Skip => {
                self.tape.take();
                vec![(Label::TRUE, Goal::Following)]
            }
            Token::Word | Token::Text | Token::Open | Token::Other => {
                let condition = self.condition();
                vec![(condition, Goal::Following)]
            }
            _ => return Err(self.expected("`if`, `do`, `skip`, a condition or `}`")),
        };
        self.accepting.push(accepting);
        self.moves.push(moves);
        Ok(())
    }

    fn choice(&mut self) -> Result<Vec<(Label, Goal)>, Stop> {
        let repeats = self.tape.peek() == Token::Do;
        self.tape.take();
        let (end, what, otherwise) = if repeats {
            (Token::Od, "`::` or `od`", Goal::Same)
        } else {
            (Token::Fi, "`::` or `fi`", Goal::Following)
        };
        let mut moves = Vec::new();
        while self.tape.take_if(Token::Option) {
            let atomic = self.tape.take_if(Token::Atomic);
            if atomic {
                self.expect(Token::OpenBody, "`{`")?;
            }
            let condition = if self.tape.peek() == Token::Goto { Label::TRUE } else { self.condition() };
            let goal = if self.tape.take_if(Token::Arrow) || self.tape.peek() == Token::Goto {
                self.action(otherwise)?
            } else {
                otherwise
            };
            moves.push((condition, goal));
            while self.tape.take_if(Token::Semicolon) {}
            if atomic {
                self.expect(Token::CloseBody, "`}`")?;
            }
        }
        self.expect(end, what)?;
        Ok(moves)
    }

    /// What follows an arrow.
    fn action(&mut self, otherwise: Goal) -> Result<Goal, Stop> {
        match self.tape.peek() {
            Token::Goto => {
                self.tape.take();
                Ok(Goal::Label(self.expect(Token::Word, "a label")?))
            }
            Token::Assert => {
                self.tape.take();
                self.condition();
                Ok(Goal::Accept)
            }
            Token::Break => {
                self.tape.take();
                Ok(Goal::Following)
            }
            Token::Skip => {
                self.tape.take();
                Ok(otherwise)
            }
            _ => Err(self.expected("`goto`, `skip`, `break` or `assert`")),
        }
    }

    /// A condition: all up to an arrow or the end of the option, except within brackets.
    fn condition(&mut self) -> Label {
        let start = self.tape.span().start;
        let (mut end, mut open) = (start, 0_usize);
        loop {
            match self.tape.peek() {
                Token::Open => open += 1,
                Token::Close => open = open.saturating_sub(1),
                Token::OpenBody | Token::CloseBody | Token::Semicolon | Token::Fi | Token::Od | Token::End => break,
                Token::Option if open == 0 => break,
                Token::Arrow if open == 0 => break,
                _ => {}
            }
            end = self.tape.take().end;
        }
        let span = Span { start, end };
        if self.source.slice(span) == "skip" {
            return Label::TRUE;
        }
        let (parsed, diagnostics) = parse_within(self.source, span);
        self.diagnostics.extend(diagnostics);
        let Some(parsed) = parsed else { return Label::TRUE };
        for (atom, span) in &parsed.atoms {
            self.atoms.number(atom, *span);
        }
        let numbers: BTreeMap<_, u32> = self.atoms.atoms.iter().map(|(atom, _)| atom).zip(0..).collect();
        let label = file::condition(&parsed.formula, &|atom| numbers[atom], &mut self.labels);
        label.unwrap_or_else(|| {
            let message = "a condition speaks of one moment and has no temporal operators";
            self.diagnostics.push(Diagnostic::error("LT0203", message).at(span, ""));
            Label::TRUE
        })
    }

    /// The states are the statements and a last one that accepts everything.
    fn graph(&mut self) -> Graph {
        let end = self.moves.len();
        let mut arcs = Vec::with_capacity(end + 1);
        for (state, moves) in std::mem::take(&mut self.moves).into_iter().enumerate() {
            let marks = if self.accepting[state] { Marks::all(1) } else { Marks::default() };
            let mut leaving = Vec::new();
            for (guard, goal) in moves {
                let target = match goal {
                    Goal::Label(span) => self.named(span),
                    Goal::Following => state + 1,
                    Goal::Same => state,
                    Goal::Accept => end,
                };
                leaving.push(Arc { target, marks: marks.clone(), guard });
            }
            arcs.push(leaving);
        }
        arcs.push(vec![Arc { target: end, marks: Marks::all(1), guard: Label::TRUE }]);
        Graph { n_sets: 1, initial: vec![0], arcs }
    }

    fn named(&mut self, span: Span) -> usize {
        let name: &'a str = self.source.slice(span);
        self.names.get(name).copied().unwrap_or_else(|| {
            let diagnostic = Diagnostic::error("LT0202", format!("there is no label `{name}`"));
            self.diagnostics.push(diagnostic.at(span, ""));
            0
        })
    }
}
