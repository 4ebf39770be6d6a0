//! Expressions, by precedence climbing. From loose to tight: quantifiers and `if`; `<-> <+> -> <-`; `|`; `&`; `!`; `= !=`.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::syntax::{Binary, Expr, ExprKind, Name, Part, Quantifier};
use crate::token::Token;

/// An expression with the height of its tree.
struct Operand {
    expr: Expr,
    height: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// One of those that do not associate.
    Loose(Binary),
    Or,
    And,
}

impl Operator {
    fn of(token: Token) -> Option<Self> {
        Some(match token {
            Token::Iff => Self::Loose(Binary::Iff),
            Token::Xor => Self::Loose(Binary::Xor),
            Token::Implies => Self::Loose(Binary::Implies),
            Token::ImpliedBy => Self::Loose(Binary::ImpliedBy),
            Token::Or => Self::Or,
            Token::And => Self::And,
            _ => return None,
        })
    }

    fn level(self) -> u32 {
        match self {
            Self::Loose(_) => 1,
            Self::Or => 2,
            Self::And => 3,
        }
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Option<Expr> {
        let depth = self.depth();
        let operand = self.binary(1);
        self.set_depth(depth);
        operand.map(|operand| operand.expr)
    }

    /// Operands joined by operators of at least the given level.
    fn binary(&mut self, level: u32) -> Option<Operand> {
        self.descend()?;
        let mut left = self.unary()?;
        // The operator whose operands `left` is still collecting.
        let mut collecting = None;
        while let Some(operator) = Operator::of(self.token()).filter(|operator| operator.level() >= level) {
            self.reject_chain(collecting, operator);
            self.advance();
            let right = self.binary(operator.level() + 1)?;
            left = join(left, operator, right, collecting == Some(operator));
            collecting = Some(operator);
            self.check_depth(left.height)?;
        }
        self.ascend();
        Some(left)
    }

    #[inline(never)]
    fn reject_chain(&mut self, before: Option<Operator>, operator: Operator) {
        if let (Some(Operator::Loose(_)), Operator::Loose(_)) = (before, operator) {
            self.diagnose(
                Diagnostic::error("MU0007", "this needs parentheses")
                    .at(self.span(), "a second operator of this kind")
                    .help("write `(a -> b) -> c` or `a -> (b -> c)`"),
            );
        }
    }

    /// Negations and what they negate: `!a = b` is `!(a = b)`.
    fn unary(&mut self) -> Option<Operand> {
        match self.token() {
            Token::Not => {
                let start = self.advance();
                self.descend()?;
                let inner = self.unary()?;
                self.ascend();
                self.wrap(start, inner, |inner| ExprKind::Not(Box::new(inner)))
            }
            Token::If => self.conditional(),
            Token::Exists => self.quantified(Quantifier::Exists),
            Token::Forall => self.quantified(Quantifier::Forall),
            _ => self.comparison(),
        }
    }

    fn wrap(&mut self, start: Span, inner: Operand, make: impl FnOnce(Expr) -> ExprKind) -> Option<Operand> {
        let (span, height) = (start.to(self.previous()), inner.height + 1);
        self.check_depth(height)?;
        Some(Operand { expr: Expr { kind: make(inner.expr), span }, height })
    }

    /// `if (c) a else b`; without `else` it is `c -> a`.
    fn conditional(&mut self) -> Option<Operand> {
        let start = self.advance();
        let open = self.expect(Token::Open, "`(` and a condition")?;
        let condition = self.binary(1)?;
        self.close(open, Token::Close, "an operator or `)`")?;
        let then = self.binary(1)?;
        let otherwise = match self.eat(Token::Else) {
            Some(_) => self.binary(1)?,
            None => constant(true, start),
        };
        self.choice(start, condition, then, otherwise)
    }

    fn choice(&mut self, start: Span, condition: Operand, then: Operand, otherwise: Operand) -> Option<Operand> {
        let height = condition.height.max(then.height).max(otherwise.height) + 1;
        self.check_depth(height)?;
        let span = start.to(self.previous());
        let kind = ExprKind::If(Box::new([condition.expr, then.expr, otherwise.expr]));
        Some(Operand { expr: Expr { kind, span }, height })
    }

    /// `exists T x, U y. f`
    fn quantified(&mut self, quantifier: Quantifier) -> Option<Operand> {
        let start = self.advance();
        let variables = self.list(Self::variable)?;
        if self.eat(Token::Colon).is_none() {
            self.expect(Token::Dot, "`,` or `.` and a formula")?;
        }
        let body = self.binary(1)?;
        self.wrap(start, body, |body| ExprKind::Quantified(quantifier, variables, Box::new(body)))
    }

    /// `a = b`
    fn comparison(&mut self) -> Option<Operand> {
        let left = self.assumption()?;
        let op = match self.token() {
            Token::Equal => Binary::Equal,
            Token::NotEqual => Binary::NotEqual,
            _ => return Some(left),
        };
        self.advance();
        let right = self.assumption()?;
        self.pair(op, left, right)
    }

    /// `e assume f`
    fn assumption(&mut self) -> Option<Operand> {
        let left = self.basic()?;
        if !matches!(self.token(), Token::Assume | Token::Cofactor) {
            return Some(left);
        }
        self.advance();
        let right = self.basic()?;
        self.pair(Binary::Cofactor, left, right)
    }

    #[inline(never)]
    fn pair(&mut self, op: Binary, left: Operand, right: Operand) -> Option<Operand> {
        let joined = binary(op, left, right);
        self.check_depth(joined.height)?;
        Some(joined)
    }

    fn basic(&mut self) -> Option<Operand> {
        let mut operand = match self.token() {
            Token::Open => {
                let open = self.advance();
                let inner = self.binary(1)?;
                self.close(open, Token::Close, "an operator or `)`")?;
                inner
            }
            Token::Case => self.case()?,
            Token::Name if self.second() == Token::Open => self.application()?,
            Token::Name => self.path()?,
            _ => self.constant()?,
        };
        while let Some(open) = self.eat(Token::OpenBrace) {
            operand = self.attribute(operand, open)?;
        }
        Some(operand)
    }

    #[inline(never)]
    fn constant(&mut self) -> Option<Operand> {
        let span = self.span();
        match self.token() {
            Token::True | Token::False => {
                let value = self.token() == Token::True;
                self.advance();
                Some(constant(value, span))
            }
            Token::Number => {
                let value = self.number()?;
                Some(Operand { expr: Expr { kind: ExprKind::Number(value), span }, height: 1 })
            }
            _ => {
                self.unexpected("a formula");
                None
            }
        }
    }

    /// `case c: e; d: f; esac`: the first that applies; false if none does.
    fn case(&mut self) -> Option<Operand> {
        let start = self.advance();
        let mut arms = Vec::new();
        while arms.is_empty() || self.token() != Token::Esac {
            let condition = self.binary(1)?;
            self.expect(Token::Colon, "an operator or `:`")?;
            let value = self.binary(1)?;
            self.expect(Token::Semicolon, "an operator or `;`")?;
            arms.push((condition, value));
            self.check_depth(arms.len() as u32)?;
        }
        self.advance();
        let mut chain = constant(false, start);
        for (condition, value) in arms.into_iter().rev() {
            chain = self.choice(start, condition, value, chain)?;
        }
        Some(chain)
    }

    /// `P(x, y)`
    fn application(&mut self) -> Option<Operand> {
        let name = self.take_name();
        let open = self.advance();
        let arguments = if self.token() == Token::Close { Vec::new() } else { self.list(|parser| parser.binary(1))? };
        self.close(open, Token::Close, "`,` or `)`")?;
        let height = 1 + arguments.iter().map(|argument| argument.height).max().unwrap_or(0);
        self.check_depth(height)?;
        let span = name.span.to(self.previous());
        let arguments = arguments.into_iter().map(|argument| argument.expr).collect();
        Some(Operand { expr: Expr { kind: ExprKind::Apply(name, arguments), span }, height })
    }

    /// `s.h[2].v`
    #[inline(never)]
    fn path(&mut self) -> Option<Operand> {
        let start = self.span();
        let mut parts = Vec::new();
        loop {
            let name: Name = self.name("the name of a component")?;
            let index = match self.eat(Token::OpenBracket) {
                Some(open) => {
                    let index = self.number()?;
                    self.close(open, Token::CloseBracket, "`]`")?;
                    Some(index)
                }
                None => None,
            };
            parts.push(Part { name, index });
            if self.eat(Token::Dot).is_none() {
                let expr = Expr { kind: ExprKind::Path(parts), span: start.to(self.previous()) };
                return Some(Operand { expr, height: 1 });
            }
        }
    }

    /// `e { assume f }`; other attributes are about witnesses and say nothing here.
    fn attribute(&mut self, operand: Operand, open: Span) -> Option<Operand> {
        if matches!(self.token(), Token::Assume | Token::Cofactor) {
            self.advance();
            let right = self.binary(1)?;
            self.close(open, Token::CloseBrace, "an operator or `}`")?;
            return self.pair(Binary::Cofactor, operand, right);
        }
        let warning = Diagnostic::warning("MU0051", format!("the attribute `{}` is ignored", self.text()));
        self.diagnose(warning.at(self.span(), "it does not change any answer"));
        while !matches!(self.token(), Token::CloseBrace | Token::Semicolon | Token::EndOfFile) {
            self.advance();
        }
        self.close(open, Token::CloseBrace, "`}`")?;
        Some(operand)
    }
}

fn constant(value: bool, span: Span) -> Operand {
    Operand { expr: Expr { kind: ExprKind::Const(value), span }, height: 1 }
}

fn binary(op: Binary, left: Operand, right: Operand) -> Operand {
    let (span, height) = (left.expr.span.to(right.expr.span), 1 + left.height.max(right.height));
    Operand { expr: Expr { kind: ExprKind::Binary(op, Box::new([left.expr, right.expr])), span }, height }
}

fn join(mut left: Operand, operator: Operator, right: Operand, collecting: bool) -> Operand {
    if let Operator::Loose(op) = operator {
        return binary(op, left, right);
    }
    let span = left.expr.span.to(right.expr.span);
    if let (true, ExprKind::And(operands) | ExprKind::Or(operands)) = (collecting, &mut left.expr.kind) {
        operands.push(right.expr);
        left.expr.span = span;
        left.height = left.height.max(right.height + 1);
        return left;
    }
    let height = 1 + left.height.max(right.height);
    let operands = vec![left.expr, right.expr];
    let kind = if operator == Operator::And { ExprKind::And(operands) } else { ExprKind::Or(operands) };
    Operand { expr: Expr { kind, span }, height }
}
