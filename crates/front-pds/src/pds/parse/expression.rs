//! Expressions, by precedence climbing.

use base::{Diagnostic, Span};
use text::Descent;

use super::super::syntax::{Comparison, Connective, Formula, Operator, Quantified, Term, Variable};
use super::super::token::Token;
use super::Parser;
use crate::MAX_DEPTH;
use crate::rule::RuleParser as _;

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A constant expression: `( )` groups.
    Constant,
    /// Part of a condition: `( )` groups Boolean expressions, `{ }` groups terms.
    Condition,
}

/// The connectives, loosest first, with their tokens.
const LEVELS: [(Connective, Token); 4] = [
    (Connective::Iff, Token::Iff),
    (Connective::Xor, Token::Xor),
    (Connective::Or, Token::Or),
    (Connective::And, Token::And),
];

impl Parser<'_> {
    /// A constant expression.
    pub(super) fn constant(&mut self) -> Option<Term> {
        self.sum(Place::Constant)
    }

    /// A Boolean expression.
    pub(super) fn formula(&mut self) -> Option<Formula> {
        self.chain(0)
    }

    /// Operands joined by the connective of a level, or of a tighter one.
    fn chain(&mut self, level: usize) -> Option<Formula> {
        let Some((connective, token)) = LEVELS.get(level) else { return self.operand() };
        let first = self.chain(level + 1)?;
        if self.token() != *token {
            return Some(first);
        }
        let mut operands = vec![first];
        while self.eat(*token).is_some() {
            operands.push(self.chain(level + 1)?);
        }
        Some(Formula::Chain(*connective, operands))
    }

    fn operand(&mut self) -> Option<Formula> {
        match self.token() {
            Token::Not => {
                self.advance();
                self.descend()?;
                let operand = self.operand()?;
                self.ascend();
                Some(Formula::Not(Box::new(operand)))
            }
            Token::All | Token::Exists => self.quantified(),
            Token::Open => self.parenthesised(),
            _ => self.comparison(),
        }
    }

    fn parenthesised(&mut self) -> Option<Formula> {
        let open = self.advance();
        self.descend()?;
        let inner = self.formula()?;
        let close = self.close(open, Token::Close, "an operator or `)`")?;
        self.ascend();
        if comparison(self.token()).is_some() || operator(self.token()).is_some() {
            return self.integer_in_parentheses(open.to(close));
        }
        Some(inner)
    }

    fn integer_in_parentheses<T>(&mut self, place: Span) -> Option<T> {
        self.diagnose(
            Diagnostic::error("PD0008", "parentheses group Boolean expressions, not integers")
                .at(place, "an integer")
                .help("write `{ }` around an integer term"),
        );
        None
    }

    /// `A i (lo, hi) expr`: the expression extends as far as it can.
    fn quantified(&mut self) -> Option<Formula> {
        let all = self.token() == Token::All;
        let start = self.advance();
        let name = self.name("the name that ranges over numbers")?;
        let open = self.expect(Token::Open, "`(` and the range `(from, to)`")?;
        let from = self.constant()?;
        self.expect(Token::Comma, "`,` and the end of the range")?;
        let to = self.constant()?;
        let close = self.close(open, Token::Close, "`)`")?;
        self.descend()?;
        let body = self.formula()?;
        self.ascend();
        let span = start.to(close);
        Some(Formula::Quantified(Box::new(Quantified { all, name, range: [from, to], body, span })))
    }

    /// A comparison, or a Boolean variable.
    fn comparison(&mut self) -> Option<Formula> {
        if !matches!(self.token(), Token::Name | Token::Number | Token::BadNumber | Token::OpenBrace) {
            let help = (self.token() == Token::Minus).then_some("there is no sign: write `0 - x`");
            self.unexpected_help("a condition", help);
            return None;
        }
        let left = self.sum(Place::Condition)?;
        let Some(op) = comparison(self.token()) else {
            let goes_on = comparison(self.second()).is_some() || operator(self.second()).is_some();
            if self.token() == Token::Close && goes_on && !matches!(left, Term::Variable(_)) {
                return self.integer_in_parentheses(left.span());
            }
            return match left {
                Term::Variable(variable) => Some(Formula::Variable(variable)),
                Term::Number(..) | Term::Chain(..) => {
                    let help = "conditions are comparisons `x = 1` and Boolean variables";
                    self.unexpected_help("a comparison", Some(help));
                    None
                }
            };
        };
        self.advance();
        let right = self.sum(Place::Condition)?;
        if comparison(self.token()).is_some() {
            let help = "write `a < b & b < c`; Booleans are compared by `==`";
            self.diagnose(
                Diagnostic::error("PD0009", "comparisons do not form chains").at(self.span(), "another one").help(help),
            );
            return None;
        }
        let span = left.span().to(right.span());
        Some(Formula::Compare(op, Box::new([left, right]), span))
    }

    fn sum(&mut self, place: Place) -> Option<Term> {
        self.term(place, |op| matches!(op, Operator::Plus | Operator::Minus), Self::product)
    }

    fn product(&mut self, place: Place) -> Option<Term> {
        self.term(place, |op| matches!(op, Operator::Times | Operator::Divide), Self::shift)
    }

    /// Shifts bind tightest, as in Moped: `8 / 1 << 1` is 4.
    fn shift(&mut self, place: Place) -> Option<Term> {
        self.term(place, |op| *op == Operator::Shift, Self::primary)
    }

    fn term(
        &mut self,
        place: Place,
        belongs: fn(&Operator) -> bool,
        operand: fn(&mut Self, Place) -> Option<Term>,
    ) -> Option<Term> {
        let first = operand(self, place)?;
        let mut op = operator(self.token()).filter(belongs);
        if op.is_none() {
            return Some(first);
        }
        let start = first.span();
        let mut operands = vec![(Operator::Plus, first)];
        while let Some(operator_here) = op {
            self.advance();
            operands.push((operator_here, operand(self, place)?));
            self.check_length(operands.len())?;
            op = operator(self.token()).filter(belongs);
        }
        let span = start.to(self.previous());
        Some(Term::Chain(operands, span))
    }

    /// What is made of a chain of arithmetic is as deep as it is long.
    fn check_length(&mut self, n_operands: usize) -> Option<()> {
        let most = MAX_DEPTH.saturating_sub(self.depth()) as usize;
        if n_operands <= most {
            return Some(());
        }
        self.diagnose(
            Diagnostic::error("PD0004", format!("a chain of arithmetic with more than {most} operands"))
                .at(self.previous(), "one operand too many")
                .help("split the expression"),
        );
        None
    }

    fn primary(&mut self, place: Place) -> Option<Term> {
        match (self.token(), place) {
            (Token::Number | Token::BadNumber, _) => self.number(),
            (Token::Name, _) => self.variable(place).map(Term::Variable),
            (Token::OpenBrace, _) => self.group(place, Token::CloseBrace, "an operator or `}`"),
            (Token::Open, Place::Constant) => self.group(place, Token::Close, "an operator or `)`"),
            (Token::Open, Place::Condition) => self.integer_in_parentheses(self.span()),
            _ => {
                let help = (self.token() == Token::Minus).then_some("there is no sign: write `0 - x`");
                self.unexpected_help("a number or a name", help);
                None
            }
        }
    }

    fn group(&mut self, place: Place, closer: Token, what: &str) -> Option<Term> {
        let open = self.advance();
        self.descend()?;
        let inner = self.sum(place)?;
        let close = self.close(open, closer, what)?;
        self.ascend();
        let span = open.to(close);
        Some(match inner {
            Term::Number(value, _) => Term::Number(value, span),
            Term::Chain(operands, _) => Term::Chain(operands, span),
            Term::Variable(variable) => Term::Variable(Variable { span, ..variable }),
        })
    }

    fn number(&mut self) -> Option<Term> {
        let (text, span) = (self.text(), self.span());
        if self.token() == Token::BadNumber {
            let diagnostic = Diagnostic::error("PD0006", format!("`{text}` is neither a number nor a name"));
            self.diagnose(diagnostic.at(span, "names do not begin with a digit"));
            return None;
        }
        let Some(value) = text.parse::<i64>().ok().map(i128::from) else {
            let diagnostic = Diagnostic::error("PD0006", format!("the number `{text}` is too large"));
            self.diagnose(diagnostic.at(span, "numbers are below two to the power of 63"));
            return None;
        };
        self.advance();
        Some(Term::Number(value, span))
    }

    fn variable(&mut self, place: Place) -> Option<Variable> {
        let name = self.take_name();
        if place == Place::Constant {
            return Some(Variable { name, primes: 0, index: None, span: name.span });
        }
        let mut primes = self.primes();
        let index = match self.eat(Token::OpenBracket) {
            Some(open) => Some(Box::new(self.index(open)?)),
            None => None,
        };
        // `a[i]'` is what people write who think of elements; it means the same as `a'[i]`.
        primes += self.primes();
        Some(Variable { name, primes, index, span: name.span.to(self.previous()) })
    }

    fn index(&mut self, open: Span) -> Option<Term> {
        self.descend()?;
        let index = self.sum(Place::Condition)?;
        self.close(open, Token::CloseBracket, "an operator or `]`")?;
        self.ascend();
        Some(index)
    }

    fn primes(&mut self) -> u32 {
        let mut n = 0;
        while self.eat(Token::Prime).is_some() {
            n += 1;
        }
        n
    }
}

fn comparison(token: Token) -> Option<Comparison> {
    Some(match token {
        Token::Less => Comparison::Less,
        Token::LessEqual => Comparison::LessEqual,
        Token::Equal => Comparison::Equal,
        Token::NotEqual => Comparison::NotEqual,
        Token::GreaterEqual => Comparison::GreaterEqual,
        Token::Greater => Comparison::Greater,
        _ => return None,
    })
}

fn operator(token: Token) -> Option<Operator> {
    Some(match token {
        Token::Plus => Operator::Plus,
        Token::Minus => Operator::Minus,
        Token::Star => Operator::Times,
        Token::Slash => Operator::Divide,
        Token::Shift => Operator::Shift,
        _ => return None,
    })
}
