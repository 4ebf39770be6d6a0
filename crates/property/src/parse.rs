//! From text to a formula, by operator precedence.
//!
//! From loosest to tightest: `<->`, `->`, `||`, `&&`, the temporal operators with two operands, those with one and `!`.
//! Operators with two operands associate to the right. After a fault reading goes on, so that all faults are found.

use base::{Diagnostic, Diagnostics, Source, Span};

use crate::atom::OPERATORS;
use crate::formula::{BinaryOp, NaryOp, UnaryOp};
use crate::tape::Tape;
use crate::token::{Token, tokens};
use crate::{Atom, Formula};

/// How deeply formulae may nest.
pub const MAX_NESTING: usize = 5_000;

/// A formula, and where its atoms stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// Every occurrence of an atom, in order. The place of an expression is that between the quotation marks.
    pub atoms: Vec<(Atom, Span)>,
}

/// Reads a formula. There is none if and only if there are errors; there may be warnings either way.
#[must_use]
pub fn parse(source: &Source) -> (Option<Parsed>, Diagnostics) {
    parse_within(source, source.span(0..source.text().len()))
}

/// Reads a formula from a part of a text.
pub(crate) fn parse_within(source: &Source, within: Span) -> (Option<Parsed>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let tokens = tokens(source, within, &mut diagnostics);
    let mut parser =
        Parser { source, tape: Tape::new(tokens), depth: 0, too_deep: false, atoms: Vec::new(), diagnostics };
    let formula = if parser.tape.is_empty() { parser.empty() } else { parser.whole() };
    let Parser { atoms, mut diagnostics, .. } = parser;
    diagnostics.sort();
    let parsed = (!diagnostics.has_errors()).then_some(Parsed { formula, atoms });
    (parsed, diagnostics)
}

struct Parser<'a> {
    source: &'a Source,
    tape: Tape<Token>,
    depth: usize,
    too_deep: bool,
    atoms: Vec<(Atom, Span)>,
    diagnostics: Diagnostics,
}

/// An operator between operands, with how tightly it binds.
enum Infix {
    Binary(BinaryOp, u32),
    Nary(NaryOp, u32),
}

fn infix(token: Token) -> Option<Infix> {
    Some(match token {
        Token::Iff => Infix::Binary(BinaryOp::Iff, 0),
        Token::Implies => Infix::Binary(BinaryOp::Implies, 1),
        Token::Or => Infix::Nary(NaryOp::Or, 2),
        Token::And => Infix::Nary(NaryOp::And, 3),
        Token::Until => Infix::Binary(BinaryOp::Until, 4),
        Token::WeakUntil => Infix::Binary(BinaryOp::WeakUntil, 4),
        Token::Release => Infix::Binary(BinaryOp::Release, 4),
        Token::StrongRelease => Infix::Binary(BinaryOp::StrongRelease, 4),
        _ => return None,
    })
}

fn prefix(token: Token) -> Option<UnaryOp> {
    Some(match token {
        Token::Not => UnaryOp::Not,
        Token::Next => UnaryOp::Next,
        Token::Finally => UnaryOp::Finally,
        Token::Globally => UnaryOp::Globally,
        _ => return None,
    })
}

fn starts_operand(token: Token) -> bool {
    use Token::{False, Name, Number, Open, Text, True};
    prefix(token).is_some() || matches!(token, Name | Text | Open | True | False | Number)
}

impl Parser<'_> {
    fn empty(&mut self) -> Formula {
        if !self.diagnostics.has_errors() {
            let span = self.tape.span();
            let diagnostic = Diagnostic::error("LT0006", "the formula is empty").at(span, "");
            self.diagnostics.push(diagnostic.help("`true` is the formula that always holds"));
        }
        Formula::Const(true)
    }

    fn whole(&mut self) -> Formula {
        let mut formula = self.all_operands();
        while self.tape.peek() != Token::End {
            let span = self.tape.take();
            self.diagnostics.push(Diagnostic::error("LT0003", "this bracket closes nothing").at(span, ""));
            formula = self.continued(formula, 0);
            if starts_operand(self.tape.peek()) {
                formula = self.all_operands();
            }
        }
        formula
    }

    /// Reads up to a closing bracket or the end, complaining about operands without operators between them.
    fn all_operands(&mut self) -> Formula {
        let mut formula = self.expression(0);
        while starts_operand(self.tape.peek()) {
            let span = self.tape.span();
            let gap = Span { end: span.start, ..self.tape.previous().behind() };
            // What stands between has been complained about already.
            if self.source.slice(gap).trim().is_empty() {
                let message = format!("an operator is missing before `{}`", self.source.slice(span));
                self.diagnostics.push(Diagnostic::error("LT0003", message).at(span, "expected `&&`, `U`, ..."));
            }
            formula = self.expression(0);
        }
        formula
    }

    fn expression(&mut self, least: u32) -> Formula {
        let left = self.operand();
        self.continued(left, least)
    }

    /// Reads the operators that bind at least so tightly, and their right sides.
    fn continued(&mut self, mut left: Formula, least: u32) -> Formula {
        while let Some(infix) = infix(self.tape.peek()) {
            match infix {
                Infix::Binary(_, strength) if strength >= least => left = self.chain(left, strength),
                Infix::Nary(op, strength) if strength >= least => {
                    let token = self.tape.peek();
                    let mut parts = vec![left];
                    while self.tape.take_if(token) {
                        parts.push(self.expression(strength + 1));
                    }
                    left = Formula::Nary(op, parts);
                }
                _ => break,
            }
        }
        left
    }

    /// Operators that bind equally tightly, grouped from the right.
    fn chain(&mut self, first: Formula, strength: u32) -> Formula {
        let mut before = Vec::new();
        let mut last = first;
        while let Some(Infix::Binary(op, same)) = infix(self.tape.peek())
            && same == strength
            && !self.too_deep
        {
            let place = self.tape.take();
            if let Some((_, earlier)) = before.last() {
                self.warn_of_chain(*earlier, op, place);
            }
            before.push((last, op));
            last = self.deeper(before.len() - 1, |parser| parser.expression(strength + 1));
        }
        before.into_iter().rev().fold(last, |right, (left, op)| Formula::binary(op, left, right))
    }

    /// Spin reads chains from the left, Spot from the right.
    fn warn_of_chain(&mut self, earlier: BinaryOp, op: BinaryOp, place: Span) {
        if op == BinaryOp::Iff {
            return;
        }
        let message = format!("`{earlier}` and `{op}` follow each other without brackets");
        let diagnostic = Diagnostic::warning("LT0050", message).at(place, "");
        self.diagnostics.push(diagnostic.help(format!("read as `a {earlier} (b {op} c)`; brackets make it plain")));
    }

    /// Goes one level deeper, or gives up when that is too deep.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Formula) -> Formula {
        self.deeper(1, read)
    }

    fn deeper(&mut self, levels: usize, read: impl FnOnce(&mut Self) -> Formula) -> Formula {
        if self.depth + levels > MAX_NESTING {
            if !self.too_deep {
                let message = format!("the formula nests more than {MAX_NESTING} levels deep");
                self.diagnostics
                    .push(Diagnostic::error("LT0004", message).at(self.tape.span(), "not read from here on"));
            }
            self.too_deep = true;
            self.tape.skip_all();
            return Formula::Const(true);
        }
        self.depth += levels;
        let formula = read(self);
        self.depth -= levels;
        formula
    }

    fn operand(&mut self) -> Formula {
        if let Some(op) = prefix(self.tape.peek()) {
            self.tape.take();
            return Formula::unary(op, self.nested(Self::operand));
        }
        match self.tape.peek() {
            Token::True | Token::False => {
                let value = self.tape.peek() == Token::True;
                self.tape.take();
                Formula::Const(value)
            }
            Token::Open => self.brackets(),
            Token::Name => self.name(),
            Token::Text => {
                let span = self.tape.take();
                self.atom(Atom::Text, Span { start: span.start + 1, end: span.end - 1, ..span })
            }
            Token::Number => {
                let span = self.tape.take();
                let message = format!("`{}` is no formula", self.source.slice(span));
                let help = "only `1` and `0` are: they mean `true` and `false`";
                self.diagnostics.push(Diagnostic::error("LT0005", message).at(span, "").help(help));
                Formula::Const(true)
            }
            _ => self.missing(),
        }
    }

    fn brackets(&mut self) -> Formula {
        let open = self.tape.take();
        let formula = self.nested(Self::all_operands);
        self.close(open);
        formula
    }

    fn close(&mut self, open: Span) {
        if !self.tape.take_if(Token::Close) && !self.too_deep {
            let diagnostic = Diagnostic::error("LT0003", "a closing bracket is missing");
            self.diagnostics.push(diagnostic.at(self.tape.span(), "expected `)`").also(open, "opened here"));
        }
    }

    fn missing(&mut self) -> Formula {
        if !self.too_deep {
            let found = self.source.slice(self.tape.span());
            let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
            let message = format!("a formula is missing before {found}");
            let mut diagnostic = Diagnostic::error("LT0003", message).at(self.tape.span(), "expected a formula");
            diagnostic.help = self.help_with_letters();
            self.diagnostics.push(diagnostic);
        }
        Formula::Const(true)
    }

    /// Where an operator that is a letter stands beside a gap, perhaps a name was meant.
    fn help_with_letters(&self) -> Option<String> {
        let beside = [self.tape.span(), self.tape.previous()].map(|span| self.source.slice(span));
        let letter = beside.into_iter().find(|text| OPERATORS.contains(text))?;
        Some(format!(
            "`{letter}` is an operator; a label of this name is written with its procedure, as in `main::{letter}`, and \
             a variable in double quotes, as in `\"{letter}\"`"
        ))
    }

    fn atom(&mut self, kind: impl FnOnce(String) -> Atom, span: Span) -> Formula {
        let atom = kind(self.source.slice(span).to_owned());
        self.atoms.push((atom.clone(), span));
        Formula::Atom(atom)
    }

    /// A name, `in(procedure)`, or letters of operators without blanks between them, as in `GF p`.
    fn name(&mut self) -> Formula {
        let span = self.tape.take();
        let text = self.source.slice(span);
        if text == "in" && self.tape.peek() == Token::Open {
            return self.procedure();
        }
        let operators: Option<Vec<UnaryOp>> = text.chars().map(letter).collect();
        match operators {
            Some(operators) if starts_operand(self.tape.peek()) => {
                let inner = self.deeper(operators.len(), Self::operand);
                if self.too_deep {
                    return inner;
                }
                operators.into_iter().rev().fold(inner, |inner, op| Formula::unary(op, inner))
            }
            _ => self.atom(Atom::Name, span),
        }
    }

    fn procedure(&mut self) -> Formula {
        let open = self.tape.take();
        let span = self.tape.span();
        let word = self.source.slice(span);
        let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_word {
            let diagnostic = Diagnostic::error("LT0003", "the name of a procedure is missing");
            self.diagnostics.push(diagnostic.at(span, "expected a name").help("write `in(p)` for a procedure p"));
            if self.tape.peek() != Token::Close {
                self.brackets_skipped();
                return Formula::Const(true);
            }
            self.tape.take();
            return Formula::Const(true);
        }
        self.tape.take();
        self.close(open);
        self.atom(Atom::In, span)
    }

    /// Skips to the closing bracket of brackets already open.
    fn brackets_skipped(&mut self) {
        let mut open = 1;
        while open > 0 && self.tape.peek() != Token::End {
            match self.tape.peek() {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                _ => {}
            }
            self.tape.take();
        }
    }
}

fn letter(letter: char) -> Option<UnaryOp> {
    match letter {
        'G' => Some(UnaryOp::Globally),
        'F' => Some(UnaryOp::Finally),
        'X' => Some(UnaryOp::Next),
        _ => None,
    }
}
