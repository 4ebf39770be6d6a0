//! Expressions, by precedence climbing.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::syntax::{Binary, Expr, Nary};
use crate::token::Token;

/// An expression with what its context must know.
struct Operand {
    expr: Expr,
    height: u32,
    /// The place of its `?` when it is a `c ? a : b` without parentheses around it.
    conditional: Option<Span>,
}

/// An operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Binary(Binary),
    Nary(Nary),
}

impl Operator {
    fn of(token: Token) -> Option<Self> {
        Some(match token {
            Token::Implies => Self::Binary(Binary::Implies),
            Token::Iff => Self::Binary(Binary::Iff),
            Token::Or => Self::Nary(Nary::Or),
            Token::Xor => Self::Nary(Nary::Xor),
            Token::And => Self::Nary(Nary::And),
            Token::Equal => Self::Binary(Binary::Equal),
            Token::NotEqual => Self::Binary(Binary::NotEqual),
            _ => return None,
        })
    }

    /// How tightly it binds; the loosest is 1.
    fn level(self) -> u32 {
        match self {
            Self::Binary(Binary::Implies) => 1,
            Self::Binary(Binary::Iff) => 2,
            Self::Nary(Nary::Or) => 3,
            Self::Nary(Nary::Xor) => 4,
            Self::Nary(Nary::And) => 5,
            Self::Binary(Binary::Equal | Binary::NotEqual) => 6,
        }
    }

    /// The loosest operator that its right operand may contain without parentheses.
    fn right_level(self) -> u32 {
        match self {
            Self::Binary(Binary::Implies) => self.level(),
            _ => self.level() + 1,
        }
    }
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        let depth = self.depth();
        let operand = self.binary(1);
        self.set_depth(depth);
        operand.map(|operand| operand.expr)
    }

    /// Operands joined by operators of at least the given level.
    fn binary(&mut self, level: u32) -> Option<Operand> {
        self.descend()?;
        let mut left = self.operand()?;
        // The operator whose operands `left` is still collecting.
        let mut collecting = None;
        while let Some(operator) = Operator::of(self.token()).filter(|operator| operator.level() >= level) {
            self.reject_conditional(&left);
            self.advance();
            let right = self.binary(operator.right_level())?;
            self.reject_conditional(&right);
            left = join(left, operator, right, collecting == Some(operator));
            collecting = Some(operator);
            self.check_depth(left.height)?;
        }
        self.ascend();
        Some(left)
    }

    /// `c ? a : b` beside an operator is read in two ways by different tools; here it needs parentheses.
    #[inline(never)]
    fn reject_conditional(&mut self, operand: &Operand) {
        if let Some(place) = operand.conditional {
            self.diagnose(
                Diagnostic::error("BP0008", "`?:` beside another operator needs parentheses")
                    .at(place, "the condition or the last branch could end in several places")
                    .help("write `(c ? a : b)` around it, or parentheses around its condition and branches"),
            );
        }
    }

    /// An operand, perhaps the condition of `c ? a : b`.
    fn operand(&mut self) -> Option<Operand> {
        let condition = self.unary()?;
        if self.token() != Token::Question {
            return Some(condition);
        }
        self.conditional(condition)
    }

    #[inline(never)]
    fn conditional(&mut self, condition: Operand) -> Option<Operand> {
        let place = self.advance();
        let then = self.binary(1)?;
        self.expect(Token::Colon, "`:` and the other branch of `?:`")?;
        self.descend()?;
        let otherwise = self.operand()?;
        self.ascend();
        let height = 1 + condition.height.max(then.height).max(otherwise.height);
        self.check_depth(height)?;
        let expr = Expr::Conditional(Box::new([condition.expr, then.expr, otherwise.expr]));
        Some(Operand { expr, height, conditional: Some(place) })
    }

    /// Negations and what they negate.
    fn unary(&mut self) -> Option<Operand> {
        let mut n_nots = 0;
        while self.eat(Token::Not).is_some() {
            n_nots += 1;
            self.check_depth(n_nots)?;
        }
        let mut operand = self.primary()?;
        for _ in 0..n_nots {
            operand.expr = Expr::Not(Box::new(operand.expr));
        }
        operand.height += n_nots;
        self.check_depth(operand.height)?;
        Some(operand)
    }

    fn primary(&mut self) -> Option<Operand> {
        let expr = match self.token() {
            Token::Open => return self.parenthesised(),
            Token::Schoose | Token::Choose if self.second() == Token::OpenBracket => return self.choose(),
            Token::Number | Token::BadNumber => self.constant()?,
            Token::True | Token::False => Expr::Const(self.advance_over(Token::True)),
            Token::Star | Token::Question => {
                self.advance();
                Expr::Any
            }
            Token::Prime => {
                self.advance();
                Expr::Primed(self.name("a variable after `'`")?)
            }
            _ if self.at_name() => Expr::Name(self.variable()?),
            _ => {
                self.unexpected("an expression");
                return None;
            }
        };
        Some(Operand { expr, height: 1, conditional: None })
    }

    /// Consumes the token; true when it is the given one.
    fn advance_over(&mut self, token: Token) -> bool {
        let is = self.token() == token;
        self.advance();
        is
    }

    fn parenthesised(&mut self) -> Option<Operand> {
        let open = self.advance();
        let inner = self.binary(1)?;
        self.close(open, Token::Close, "`)`")?;
        Some(Operand { conditional: None, ..inner })
    }

    /// Consumes a closing bracket or reports where it was opened.
    pub(super) fn close(&mut self, open: Span, token: Token, what: &str) -> Option<Span> {
        let closed = self.eat(token);
        if closed.is_none() {
            self.unclosed(open, what);
        }
        closed
    }

    #[inline(never)]
    fn unclosed(&mut self, open: Span, what: &str) {
        if self.is_after_mistake() {
            return;
        }
        let found = self.found();
        self.diagnose(
            Diagnostic::error("BP0004", format!("expected an operator or {what}, found {found}"))
                .at(self.span(), format!("expected {what}"))
                .also(open, "opened here"),
        );
    }

    #[inline(never)]
    fn choose(&mut self) -> Option<Operand> {
        self.advance();
        let open = self.advance();
        let positive = self.binary(1)?;
        self.expect(Token::Comma, "`,` and the second argument of `schoose`")?;
        let negative = self.binary(1)?;
        self.close(open, Token::CloseBracket, "`]`")?;
        let height = 1 + positive.height.max(negative.height);
        self.check_depth(height)?;
        let expr = Expr::Choose(Box::new([positive.expr, negative.expr]));
        Some(Operand { expr, height, conditional: None })
    }

    #[inline(never)]
    fn constant(&mut self) -> Option<Expr> {
        let text = self.text();
        let value = match text {
            "0" => false,
            "1" => true,
            _ => {
                self.diagnose(
                    Diagnostic::error("BP0007", format!("`{text}` is not a Boolean constant"))
                        .at(self.span(), "only `0` and `1` are")
                        .help("write `0` for false or `1` for true"),
                );
                return None;
            }
        };
        self.advance();
        Some(Expr::Const(value))
    }

    /// A variable; a call in its place is a frequent mistake.
    #[inline(never)]
    fn variable(&mut self) -> Option<crate::syntax::Name> {
        let name = self.take_name();
        if self.token() != Token::Open {
            return Some(name);
        }
        let text = self.names.text(name.symbol);
        let help = format!("call it in a statement of its own, `x := {text}(...)`, and use `x` here");
        self.diagnose(
            Diagnostic::error("BP0010", "a call cannot be part of an expression")
                .at(name.span, "called here")
                .help(help),
        );
        None
    }
}

fn join(left: Operand, operator: Operator, right: Operand, collecting: bool) -> Operand {
    let (expr, height) = match (operator, left.expr) {
        (Operator::Nary(_), Expr::Nary(op, mut operands)) if collecting => {
            operands.push(right.expr);
            (Expr::Nary(op, operands), left.height.max(right.height + 1))
        }
        (Operator::Nary(op), first) => (Expr::Nary(op, vec![first, right.expr]), 1 + left.height.max(right.height)),
        (Operator::Binary(op), first) => {
            (Expr::Binary(op, Box::new([first, right.expr])), 1 + left.height.max(right.height))
        }
    };
    Operand { expr, height, conditional: None }
}
