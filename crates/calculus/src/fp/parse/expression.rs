//! Formulae, terms and constant expressions, by precedence climbing.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::fp::syntax::{Binary, Expr, ExprKind, Name, Nary, Quantifier};
use crate::fp::token::Token;

/// An expression with the height of its tree.
struct Operand {
    expr: Expr,
    height: u32,
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
            Token::Iff => Self::Binary(Binary::Iff),
            Token::Implies => Self::Binary(Binary::Implies),
            Token::Or => Self::Nary(Nary::Or),
            Token::And => Self::Nary(Nary::And),
            Token::Equal => Self::Binary(Binary::Equal),
            Token::NotEqual => Self::Binary(Binary::NotEqual),
            Token::Less => Self::Binary(Binary::Less),
            Token::LessEqual => Self::Binary(Binary::LessEqual),
            Token::Greater => Self::Binary(Binary::Greater),
            Token::GreaterEqual => Self::Binary(Binary::GreaterEqual),
            Token::Plus => Self::Binary(Binary::Add),
            Token::Minus => Self::Binary(Binary::Subtract),
            Token::Times => Self::Binary(Binary::Multiply),
            _ => return None,
        })
    }

    /// How tightly it binds; the loosest is 1.
    fn level(self) -> u32 {
        match self {
            Self::Binary(op) => op.level(),
            Self::Nary(op) => op.level(),
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
    /// A formula or a term.
    pub(super) fn expr(&mut self) -> Option<Expr> {
        self.at_level(1)
    }

    /// A constant expression.
    pub(super) fn constant_expr(&mut self) -> Option<Expr> {
        self.in_constant = true;
        let expr = self.at_level(Binary::Add.level());
        self.in_constant = false;
        expr
    }

    /// A variable with fields and elements.
    pub(super) fn column(&mut self) -> Option<Expr> {
        let name = self.name("a column of the relation")?;
        let operand = self.postfix(variable(name))?;
        Some(operand.expr)
    }

    fn at_level(&mut self, level: u32) -> Option<Expr> {
        let depth = self.depth();
        let operand = self.binary(level);
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
            self.reject_chain(collecting, operator)?;
            self.advance();
            let right = self.binary(operator.right_level())?;
            left = join(left, operator, right, collecting == Some(operator));
            collecting = Some(operator);
            self.check_depth(left.height)?;
        }
        self.ascend();
        Some(left)
    }

    /// `a = b = c` means different things to different readers.
    #[inline(never)]
    fn reject_chain(&mut self, before: Option<Operator>, operator: Operator) -> Option<()> {
        let is_comparison = |operator: Operator| operator.level() == Binary::COMPARISON;
        if !before.is_some_and(is_comparison) || !is_comparison(operator) {
            return Some(());
        }
        self.diagnose(
            Diagnostic::error("FP0007", "comparisons cannot be chained")
                .at(self.span(), "a second comparison")
                .help("write `a = b & b = c`, or `<->` between formulae"),
        );
        None
    }

    /// Negations and what they negate.
    fn unary(&mut self) -> Option<Operand> {
        if self.token() != Token::Not {
            return self.primary();
        }
        let mut places = Vec::new();
        while let Some(place) = self.eat(Token::Not) {
            places.push(place);
            self.check_depth(places.len() as u32)?;
        }
        let mut operand = self.primary()?;
        self.check_depth(operand.height + places.len() as u32)?;
        operand.height += places.len() as u32;
        for place in places.into_iter().rev() {
            let span = place.to(operand.expr.span);
            operand.expr = Expr { kind: ExprKind::Not(Box::new(operand.expr)), span };
        }
        Some(operand)
    }

    fn primary(&mut self) -> Option<Operand> {
        match self.token() {
            Token::Open => self.parenthesised(),
            Token::Exists => self.quantified(Quantifier::Exists),
            Token::Forall => self.quantified(Quantifier::Forall),
            Token::Name if self.second() == Token::Open => self.application(),
            Token::Name => {
                let name = self.take_name();
                self.postfix(variable(name))
            }
            _ => self.constant(),
        }
    }

    #[inline(never)]
    fn constant(&mut self) -> Option<Operand> {
        let span = self.span();
        let kind = match self.token() {
            Token::True => ExprKind::Const(true),
            Token::False => ExprKind::Const(false),
            Token::Number | Token::BadNumber => {
                let value = self.number()?;
                return Some(Operand { expr: Expr { kind: ExprKind::Number(value), span }, height: 1 });
            }
            _ => {
                self.unexpected("a formula or a term");
                return None;
            }
        };
        self.advance();
        Some(Operand { expr: Expr { kind, span }, height: 1 })
    }

    /// A number without sign.
    #[inline(never)]
    pub(super) fn number(&mut self) -> Option<u64> {
        /// Sums and products of a few such numbers still fit into a machine word.
        const MAX: u64 = u32::MAX as u64;
        if !matches!(self.token(), Token::Number | Token::BadNumber) {
            self.unexpected("a number");
            return None;
        }
        let (text, span) = (self.text(), self.span());
        let value = text.parse().ok().filter(|value| *value <= MAX);
        if value.is_none() {
            let (what, help) = match self.token() {
                Token::Number => ("is too large", format!("the largest number is {MAX}")),
                _ => ("is neither a number nor a name", "a name begins with a letter".to_owned()),
            };
            self.diagnose(Diagnostic::error("FP0005", format!("`{text}` {what}")).at(span, "").help(help));
        }
        self.advance();
        Some(value.unwrap_or(0))
    }

    fn parenthesised(&mut self) -> Option<Operand> {
        let open = self.advance();
        let inner = self.binary(1)?;
        self.close(open, Token::Close, "an operator or `)`")?;
        Some(inner)
    }

    /// `exists x: S, y: T. f`
    fn quantified(&mut self, quantifier: Quantifier) -> Option<Operand> {
        let start = self.advance();
        let binders = self.binders("a variable")?;
        self.expect(Token::Dot, "`,` or `.` and a formula")?;
        let body = self.binary(1)?;
        let (span, height) = (start.to(body.expr.span), body.height + 1);
        self.check_depth(height)?;
        let kind = ExprKind::Quantified(quantifier, binders, Box::new(body.expr));
        Some(Operand { expr: Expr { kind, span }, height })
    }

    /// `R(x, y)`
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

    /// `.field` and `[index]` behind a variable.
    fn postfix(&mut self, mut operand: Operand) -> Option<Operand> {
        loop {
            match self.token() {
                _ if self.in_constant => return Some(operand),
                Token::Dot => self.field(&mut operand)?,
                Token::OpenBracket => self.element(&mut operand)?,
                _ => return Some(operand),
            }
        }
    }

    #[inline(never)]
    fn field(&mut self, operand: &mut Operand) -> Option<()> {
        self.advance();
        let field = self.name("the name of a field")?;
        wrap(operand, 0, field.span, |inner| ExprKind::Field(Box::new(inner), field));
        self.check_depth(operand.height)
    }

    fn element(&mut self, operand: &mut Operand) -> Option<()> {
        let open = self.advance();
        let index = self.binary(Binary::Add.level())?;
        let end = self.close(open, Token::CloseBracket, "`]`")?;
        wrap(operand, index.height, end, |inner| ExprKind::Element(Box::new([inner, index.expr])));
        self.check_depth(operand.height)
    }
}

fn variable(name: Name) -> Operand {
    Operand { expr: Expr { kind: ExprKind::Name(name.text), span: name.span }, height: 1 }
}

/// Puts an expression inside another one.
fn wrap(operand: &mut Operand, other_height: u32, end: Span, make: impl FnOnce(Expr) -> ExprKind) {
    let span = operand.expr.span.to(end);
    let placeholder = Expr { kind: ExprKind::Const(false), span };
    let inner = std::mem::replace(&mut operand.expr, placeholder);
    operand.expr.kind = make(inner);
    operand.height = 1 + operand.height.max(other_height);
}

fn join(left: Operand, operator: Operator, right: Operand, collecting: bool) -> Operand {
    let span = left.expr.span.to(right.expr.span);
    let (kind, height) = match (operator, left.expr) {
        (Operator::Nary(_), Expr { kind: ExprKind::Nary(op, mut operands), .. }) if collecting => {
            operands.push(right.expr);
            (ExprKind::Nary(op, operands), left.height.max(right.height + 1))
        }
        (Operator::Nary(op), first) => (ExprKind::Nary(op, vec![first, right.expr]), 1 + left.height.max(right.height)),
        (Operator::Binary(op), first) => {
            (ExprKind::Binary(op, Box::new([first, right.expr])), 1 + left.height.max(right.height))
        }
    };
    Operand { expr: Expr { kind, span }, height }
}
