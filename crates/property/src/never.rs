//! Spin's never claims, as Spin, ltl2ba and Spot write them.
//!
//! ```text
//! never { T0_init: if :: (p) -> goto accept_all :: (1) -> goto T0_init fi; accept_all: skip }
//! ```
//!
//! A claim is an automaton: every statement is a state, and those whose labels begin with `accept` accept. A condition
//! is a step, and so is `skip`, also after an arrow; `goto` and `break` are none there. A claim that comes to its end,
//! or to an assertion, accepts whatever follows. Other statements of Spin's language are refused.

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
    #[token("else")]
    Else,
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
        tokens.push((token.unwrap_or(Token::Other), source.span(range)));
    }
    tokens.push((Token::End, source.end()));
    let mut reader = Reader {
        source,
        tape: Tape::new(tokens),
        labels: Labels::new(budget),
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

/// A step of a statement.
#[derive(Clone, Copy)]
struct Move {
    guard: Label,
    /// Whether a `skip`, which reads one more letter, comes before the goal.
    skips: bool,
    goal: Goal,
}

impl Move {
    fn new(guard: Label, goal: Goal) -> Self {
        Self { guard, skips: false, goal }
    }
}

/// When an option of a choice is taken.
enum Guard {
    If(Label),
    /// When no other option is.
    Else(Span),
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
    moves: Vec<Vec<Move>>,
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
                vec![Move::new(Label::TRUE, Goal::Following)]
            }
            Token::Word | Token::Text | Token::Open | Token::Other => {
                let condition = self.condition()?;
                vec![Move::new(condition, Goal::Following)]
            }
            _ => return Err(self.expected("`if`, `do`, `skip`, a condition or `}`")),
        };
        self.accepting.push(accepting);
        self.moves.push(moves);
        Ok(())
    }

    fn choice(&mut self) -> Result<Vec<Move>, Stop> {
        let repeats = self.tape.peek() == Token::Do;
        self.tape.take();
        let (end, what, otherwise) = if repeats {
            (Token::Od, "`::` or `od`", Goal::Same)
        } else {
            (Token::Fi, "`::` or `fi`", Goal::Following)
        };
        let mut options = Vec::new();
        while self.tape.take_if(Token::Option) {
            options.push(self.option(otherwise)?);
        }
        self.expect(end, what)?;
        Ok(self.guarded(options))
    }

    /// An option; of the move that it is, the guard is still open.
    fn option(&mut self, otherwise: Goal) -> Result<(Guard, Move), Stop> {
        let atomic = self.tape.take_if(Token::Atomic);
        if atomic {
            self.expect(Token::OpenBody, "`{`")?;
        }
        let guard = self.guard()?;
        let mut action = Move::new(Label::TRUE, otherwise);
        if self.tape.take_if(Token::Arrow) || matches!(self.tape.peek(), Token::Goto | Token::Break) {
            action = self.action(otherwise)?;
        }
        while self.tape.take_if(Token::Semicolon) {}
        if atomic {
            self.expect(Token::CloseBody, "`}`")?;
        }
        Ok((guard, action))
    }

    /// A `goto` or `break` in the place of a guard is a step that is always possible.
    fn guard(&mut self) -> Result<Guard, Stop> {
        match self.tape.peek() {
            Token::Goto | Token::Break => Ok(Guard::If(Label::TRUE)),
            Token::Else => Ok(Guard::Else(self.tape.take())),
            _ => self.condition().map(Guard::If),
        }
    }

    /// The moves of a choice, now that it is known what `else` means.
    fn guarded(&mut self, options: Vec<(Guard, Move)>) -> Vec<Move> {
        let others = options.iter().filter_map(|(guard, _)| match guard {
            Guard::If(label) => Some(*label),
            Guard::Else(_) => None,
        });
        let any = self.labels.any(others);
        let none = self.labels.not(any);
        let mut elses = 0;
        let mut moves = Vec::with_capacity(options.len());
        for (guard, action) in options {
            let guard = match guard {
                Guard::If(label) => label,
                Guard::Else(span) => {
                    elses += 1;
                    if elses > 1 {
                        let diagnostic = Diagnostic::error("LT0201", "a choice has at most one `else`");
                        self.diagnostics.push(diagnostic.at(span, ""));
                    }
                    none
                }
            };
            moves.push(Move { guard, ..action });
        }
        moves
    }

    /// What follows an arrow: a move with an open guard.
    fn action(&mut self, otherwise: Goal) -> Result<Move, Stop> {
        let (skips, goal) = match self.tape.peek() {
            Token::Goto => {
                self.tape.take();
                (false, Goal::Label(self.expect(Token::Word, "a label")?))
            }
            Token::Assert => {
                self.tape.take();
                self.condition()?;
                (false, Goal::Accept)
            }
            Token::Break => {
                self.tape.take();
                (false, Goal::Following)
            }
            Token::Skip => {
                self.tape.take();
                (true, otherwise)
            }
            _ if self.is_foreign() => return Err(self.foreign()),
            _ => return Err(self.expected("`goto`, `skip`, `break` or `assert`")),
        };
        Ok(Move { guard: Label::TRUE, skips, goal })
    }

    /// Whether a statement of Spin's language comes next that is not read here, such as `d_step { ... }`: no condition
    /// begins with a word and a bracket, but for `in(p)` and temporal operators, of which is complained elsewhere.
    fn is_foreign(&self) -> bool {
        let opens = matches!(self.tape.second(), Token::Open | Token::OpenBody);
        let is_word = match self.tape.peek() {
            Token::Word => {
                let word = self.source.slice(self.tape.span());
                word != "in" && !word.chars().all(|letter| "GFX".contains(letter))
            }
            Token::Atomic | Token::Assert => true,
            _ => false,
        };
        is_word && opens
    }

    fn foreign(&mut self) -> Stop {
        let span = self.tape.span();
        let name = self.source.slice(span);
        let message = format!("`{name}` is a statement of Spin's language that cannot be read here");
        let help = "a claim consists of conditions, `skip`, `if` and `do`; an option may begin with `else` and end \
                    with `goto`, `break`, `skip` or `assert`";
        self.diagnostics.push(Diagnostic::error("LT0201", message).at(span, "").help(help));
        Stop
    }

    /// A condition: all up to an arrow or the end of the option, except within brackets.
    fn condition(&mut self) -> Result<Label, Stop> {
        if self.is_foreign() {
            return Err(self.foreign());
        }
        let (mut span, mut open) = (self.tape.span().before(), 0_usize);
        loop {
            match self.tape.peek() {
                Token::Open => open += 1,
                Token::Close => open = open.saturating_sub(1),
                Token::OpenBody | Token::CloseBody | Token::Semicolon | Token::Fi | Token::Od | Token::End => break,
                Token::Else => return Err(self.expected("a condition (`else` is the whole guard of an option)")),
                Token::Option if open == 0 => break,
                Token::Arrow if open == 0 => break,
                _ => {}
            }
            span = span.to(self.tape.take());
        }
        Ok(self.formula(span))
    }

    /// The function that a condition is.
    fn formula(&mut self, span: Span) -> Label {
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

    /// The states are the statements, one that accepts everything, and one for each `skip` after an arrow.
    fn graph(&mut self) -> Graph {
        let end = self.moves.len();
        let mut arcs = vec![Vec::new(); end];
        arcs.push(vec![Arc { target: end, marks: Marks::all(1), guard: Label::TRUE }]);
        for (state, moves) in std::mem::take(&mut self.moves).into_iter().enumerate() {
            let marks = if self.accepting[state] { Marks::all(1) } else { Marks::default() };
            for Move { guard, skips, goal } in moves {
                let mut target = match goal {
                    Goal::Label(span) => self.named(span),
                    Goal::Following => state + 1,
                    Goal::Same => state,
                    Goal::Accept => end,
                };
                if skips {
                    arcs.push(vec![Arc { target, marks: Marks::default(), guard: Label::TRUE }]);
                    target = arcs.len() - 1;
                }
                arcs[state].push(Arc { target, marks: marks.clone(), guard });
            }
        }
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
