//! Expressions, by precedence climbing.

use base::Diagnostic;
use text::Descent;

use super::super::syntax::{Expr, Name, Operator, Quantifier};
use super::super::token::Token;
use super::{Notation, Parser};
use crate::rule::RuleParser as _;

/// How tightly an operator binds; the loosest is 0.
fn level(operator: Operator) -> usize {
    match operator {
        Operator::Or => 0,
        Operator::Xor => 1,
        Operator::And => 2,
        Operator::Iff
        | Operator::Less
        | Operator::LessEqual
        | Operator::Equal
        | Operator::NotEqual
        | Operator::GreaterEqual
        | Operator::Greater => 3,
        Operator::BitOr => 4,
        Operator::BitXor => 5,
        Operator::BitAnd => 6,
        Operator::ShiftLeft | Operator::ShiftRight => 7,
        Operator::Plus | Operator::Minus => 8,
        Operator::Times | Operator::Divide => 9,
    }
}

const LEVELS: usize = 10;

fn operator(token: Token) -> Option<Operator> {
    Some(match token {
        Token::OrOr => Operator::Or,
        Token::XorXor => Operator::Xor,
        Token::AndAnd => Operator::And,
        Token::Iff => Operator::Iff,
        Token::Less => Operator::Less,
        Token::LessEqual => Operator::LessEqual,
        Token::Equal => Operator::Equal,
        Token::NotEqual => Operator::NotEqual,
        Token::GreaterEqual => Operator::GreaterEqual,
        Token::Greater => Operator::Greater,
        Token::Or => Operator::BitOr,
        Token::Xor => Operator::BitXor,
        Token::And => Operator::BitAnd,
        Token::ShiftLeft => Operator::ShiftLeft,
        Token::ShiftRight => Operator::ShiftRight,
        Token::Plus => Operator::Plus,
        Token::Minus => Operator::Minus,
        Token::Star => Operator::Times,
        Token::Slash => Operator::Divide,
        _ => return None,
    })
}

/// The operators of rules and how tightly they bind, as in pushdown systems.
fn rule_operator(token: Token) -> Option<(Operator, usize)> {
    Some(match token {
        Token::Equal | Token::Iff => (Operator::Iff, 0),
        Token::Xor => (Operator::Xor, 1),
        Token::Or => (Operator::Or, 2),
        Token::And => (Operator::And, 3),
        Token::Becomes => (Operator::Equal, 4),
        Token::Less | Token::LessEqual | Token::NotEqual | Token::GreaterEqual | Token::Greater => {
            (operator(token)?, 4)
        }
        Token::Plus | Token::Minus => (operator(token)?, 5),
        Token::Star | Token::Slash => (operator(token)?, 6),
        // Shifts bind tightest, as in Moped: `8 / 1 << 1` is 4.
        Token::ShiftLeft => (Operator::ShiftLeft, 7),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression of any type.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        self.chain(0)
    }

    /// A constant expression; it ends before comparisons, so that `define N 3` may be followed by anything.
    pub(super) fn constant(&mut self) -> Option<Expr> {
        self.chain(match self.notation {
            Notation::Statement => level(Operator::BitOr),
            Notation::Rule => 5,
        })
    }

    /// The operator that is next, if it is one of a level.
    fn operator_at(&self, at: usize) -> Option<Operator> {
        let found = match self.notation {
            Notation::Statement => operator(self.token()).map(|operator| (operator, level(operator))),
            Notation::Rule => rule_operator(self.token()),
        };
        found.filter(|(_, level)| *level == at).map(|(operator, _)| operator)
    }

    fn chain(&mut self, at: usize) -> Option<Expr> {
        if at == LEVELS {
            return self.unary();
        }
        let first = self.chain(at + 1)?;
        let mut next = self.operator_at(at);
        if next.is_none() {
            return Some(first);
        }
        let start = first.span();
        let mut operands = vec![(Operator::Plus, first)];
        while let Some(operator_here) = next {
            self.advance();
            operands.push((operator_here, self.chain(at + 1)?));
            // Conditions are flat in the program, too; other chains nest.
            if !matches!(operator_here, Operator::Or | Operator::Xor | Operator::And) {
                self.check_depth(operands.len() as u32)?;
            }
            next = self.operator_at(at);
        }
        let span = start.to(self.previous());
        Some(Expr::Chain(operands, span))
    }

    fn unary(&mut self) -> Option<Expr> {
        match self.token() {
            Token::Not => {
                let start = self.advance();
                self.descend()?;
                let operand = self.unary()?;
                self.ascend();
                let span = start.to(operand.span());
                Some(Expr::Not(Box::new(operand), span))
            }
            Token::All | Token::Exists => {
                let start = self.span();
                let quantifier = self.quantifier()?;
                self.descend()?;
                let body = self.expr()?;
                self.ascend();
                let span = start.to(self.previous());
                Some(Expr::Quantified(Box::new(quantifier), Box::new(body), span))
            }
            Token::Open => self.group(Token::Close, "an operator or `)`"),
            Token::OpenBrace if self.notation == Notation::Rule => self.group(Token::CloseBrace, "an operator or `}`"),
            Token::Number | Token::BadNumber => self.number(),
            Token::True | Token::False => {
                let value = self.token() == Token::True;
                Some(Expr::Bool(value, self.advance()))
            }
            Token::Name => self.place(),
            _ => {
                let help = match self.token() {
                    Token::Minus => Some("there is no sign: write `0 - x`"),
                    Token::Undef => Some("`undef` is the whole right side of an assignment"),
                    _ => None,
                };
                self.unexpected_help("an expression", help);
                None
            }
        }
    }

    fn group(&mut self, closer: Token, what: &str) -> Option<Expr> {
        let open = self.advance();
        self.descend()?;
        let inner = self.expr()?;
        self.close(open, closer, what)?;
        self.ascend();
        Some(inner)
    }

    /// `A i (lo, hi)`.
    pub(super) fn quantifier(&mut self) -> Option<Quantifier> {
        let all = self.token() == Token::All;
        self.advance();
        let name = self.name("the name that ranges over numbers")?;
        let open = self.expect(Token::Open, "`(` and the range `(from, to)`")?;
        let from = self.constant()?;
        self.expect(Token::Comma, "`,` and the end of the range")?;
        let to = self.constant()?;
        self.close(open, Token::Close, "`)`")?;
        Some(Quantifier { all, name, range: [from, to] })
    }

    /// Whether an expression would go on here.
    pub(super) fn at_operator(&self) -> bool {
        operator(self.token()).is_some()
    }

    /// Reports a call that is a part of an expression.
    pub(super) fn call_inside<T>(&mut self, callee: Name) -> Option<T> {
        self.diagnose(
            Diagnostic::error("PD0108", "a call cannot be part of an expression")
                .at(callee.span, "called here")
                .help("call it in a statement of its own, `x = f(...);`, and use `x` here"),
        );
        None
    }

    /// A variable, perhaps with indices and fields.
    pub(super) fn place(&mut self) -> Option<Expr> {
        let name = self.name("a variable")?;
        if self.token() == Token::Open {
            return self.call_inside(name);
        }
        let mut place = self.primed(name);
        let mut height = 0;
        loop {
            if let Some(open) = self.eat(Token::OpenBracket) {
                self.descend()?;
                let index = self.expr()?;
                let end = self.close(open, Token::CloseBracket, "an operator or `]`")?;
                self.ascend();
                let span = place.span().to(end);
                place = Expr::Index(Box::new(place), Box::new(index), span);
            } else if self.eat(Token::Dot).is_some() {
                let field = self.name("a field")?;
                place = Expr::Field(Box::new(place), field);
            } else {
                return Some(place);
            }
            height += 1;
            self.check_depth(height)?;
        }
    }

    /// A name with the primes that follow it in a rule.
    fn primed(&mut self, name: Name) -> Expr {
        let mut primes = 0;
        while self.notation == Notation::Rule && self.eat(Token::Prime).is_some() {
            primes += 1;
        }
        if primes == 0 { Expr::Name(name) } else { Expr::Primed(name, primes, name.span.to(self.previous())) }
    }

    fn number(&mut self) -> Option<Expr> {
        let (text, span) = (self.text(), self.span());
        let value = text.parse::<i64>().ok().map(i128::from);
        let Some(value) = value.filter(|_| self.token() == Token::Number) else {
            let what = if self.token() == Token::Number { "is too large" } else { "is neither a number nor a name" };
            self.diagnose(Diagnostic::error("PD0105", format!("`{text}` {what}")).at(span, "not a number"));
            return None;
        };
        self.advance();
        Some(Expr::Number(value, span))
    }
}
