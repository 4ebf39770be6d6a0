//! Expressions: text to syntax tree, by precedence.

use arith::Int;
use base::Span;

use super::MAX_DEPTH;
use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::{Expr, Moment};
use super::token::{Token, is_keyword};
use crate::{BinaryOp, NaryOp, Sort};

/// Functions with two operands.
pub(super) const BINARY_FUNCTIONS: [(&str, BinaryOp); 17] = [
    ("ult", BinaryOp::Ult),
    ("ule", BinaryOp::Ule),
    ("slt", BinaryOp::Slt),
    ("sle", BinaryOp::Sle),
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("udiv", BinaryOp::Udiv),
    ("urem", BinaryOp::Urem),
    ("sdiv", BinaryOp::Sdiv),
    ("srem", BinaryOp::Srem),
    ("bitand", BinaryOp::BitAnd),
    ("bitor", BinaryOp::BitOr),
    ("bitxor", BinaryOp::BitXor),
    ("shl", BinaryOp::Shl),
    ("lshr", BinaryOp::Lshr),
    ("ashr", BinaryOp::Ashr),
];

/// How tightly operators bind; a larger number binds tighter.
pub(super) const IMPLIES: u8 = 1;
pub(super) const OR: u8 = 2;
pub(super) const XOR: u8 = 3;
pub(super) const AND: u8 = 4;
pub(super) const EQUAL: u8 = 5;
pub(super) const NOT: u8 = 6;
pub(super) const ATOM: u8 = 7;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| parser.infix(IMPLIES))
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn infix(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.prefix()?;
        loop {
            let token = self.peek();
            left = match token {
                Token::Implies if least <= IMPLIES => {
                    self.advance();
                    let right = self.deeper(|parser| parser.infix(IMPLIES))?;
                    Expr::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))
                }
                Token::Or if least <= OR => self.chain(NaryOp::Or, token, OR, left)?,
                Token::Xor if least <= XOR => self.chain(NaryOp::Xor, token, XOR, left)?,
                Token::And if least <= AND => self.chain(NaryOp::And, token, AND, left)?,
                Token::Equal | Token::Unequal if least <= EQUAL => {
                    self.advance();
                    let right = self.prefix()?;
                    if matches!(self.peek(), Token::Equal | Token::Unequal) {
                        return self.expected("parentheses around one of the two comparisons");
                    }
                    let op = if token == Token::Equal { BinaryOp::Eq } else { BinaryOp::Ne };
                    Expr::Binary(op, Box::new(left), Box::new(right))
                }
                _ => return Ok(left),
            };
        }
    }

    /// The rest of `first token b token c ...`.
    fn chain(&mut self, op: NaryOp, token: Token, level: u8, first: Expr) -> Parsed<Expr> {
        let mut operands = vec![first];
        while self.eat(token) {
            operands.push(self.infix(level + 1)?);
        }
        Ok(Expr::Nary(op, operands))
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        if self.eat(Token::Not) {
            let operand = self.deeper(Self::prefix)?;
            return Ok(Expr::Not(Box::new(operand)));
        }
        let mut expr = self.atom()?;
        let mut depth = self.depth();
        while self.peek() == Token::OpenBracket {
            let open = self.span();
            self.advance();
            let index = self.expr()?;
            self.need(Token::CloseBracket, "`]`")?;
            expr = Expr::Index(Box::new(expr), Box::new(index));
            // A row of indices is a nest of expressions.
            depth += 1;
            if depth > MAX_DEPTH {
                return self.report(codes::DEPTH, format!("nesting is deeper than {MAX_DEPTH}"), open);
            }
        }
        Ok(expr)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Token::Open => {
                self.advance();
                let inner = self.expr()?;
                self.need(Token::Close, "`)`")?;
                Ok(inner)
            }
            Token::Bits => self.bits(),
            Token::Nat | Token::Negative => self.integer(),
            Token::OpenBracket => {
                let start = self.span();
                self.advance();
                let elements = self.operands(Token::CloseBracket, "`]`")?;
                Ok(Expr::Array(elements, start))
            }
            Token::Word if is_keyword(self.word()) => self.keyword(),
            Token::Word | Token::Quoted | Token::Scope => self.named(),
            _ => self.expected("an expression"),
        }
    }

    fn integer(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let Ok(value) = self.word().parse::<Int>() else {
            return self.report(codes::NUMBER, "this is not a number", span);
        };
        self.advance();
        Ok(Expr::Int(value))
    }

    fn bits(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let parts = self.word().split_once('u').map(|(value, width)| (value.parse::<u64>(), width.parse::<u32>()));
        let Some((Ok(value), Ok(width))) = parts else {
            return self.report(codes::NUMBER, "this number is too large", span);
        };
        if !(1..=Sort::MAX_BITS).contains(&width) || value.checked_shr(width).unwrap_or(0) != 0 {
            return self.report(
                codes::NUMBER,
                format!("{value} does not fit into {width} bits, or the width is not from 1 to 64"),
                span,
            );
        }
        self.advance();
        Ok(Expr::Bits(value, width))
    }

    fn keyword(&mut self) -> Parsed<Expr> {
        if self.eat_word("true") {
            return Ok(Expr::Bool(true));
        }
        if self.eat_word("false") {
            return Ok(Expr::Bool(false));
        }
        if self.eat_word("any") {
            return Ok(Expr::Any);
        }
        if self.eat_word("saved") {
            return Ok(Expr::Read(self.variable()?, Moment::Saved));
        }
        if self.eat_word("result") {
            return Ok(Expr::Read(self.variable()?, Moment::Result));
        }
        self.expected("an expression")
    }

    /// What begins with a name: a variable, a value of an enumeration or a function.
    fn named(&mut self) -> Parsed<Expr> {
        let (span, is_word) = (self.span(), self.peek() == Token::Word);
        let variable = self.variable()?;
        let is_qualified = variable.name.span != span;
        if self.peek() == Token::Open && is_word && !is_qualified {
            self.advance();
            return self.function(&variable.name.text, span);
        }
        if !is_qualified && self.eat(Token::Dot) {
            return Ok(Expr::Value(variable.name, self.name("the name of a value")?));
        }
        let moment = if self.eat(Token::Prime) { Moment::After } else { Moment::Before };
        Ok(Expr::Read(variable, moment))
    }

    /// Expressions up to and including a closing token.
    fn operands(&mut self, close: Token, what: &str) -> Parsed<Vec<Expr>> {
        let mut operands = Vec::new();
        if self.eat(close) {
            return Ok(operands);
        }
        loop {
            operands.push(self.expr()?);
            if self.eat(close) {
                return Ok(operands);
            }
            self.need(Token::Comma, &format!("`,` or {what}"))?;
        }
    }

    fn function(&mut self, name: &str, span: Span) -> Parsed<Expr> {
        if let "resize" | "signresize" = name {
            let operand = Box::new(self.expr()?);
            self.need(Token::Comma, "`,`")?;
            let width = self.nat("the new width, a plain number")?.value;
            self.need(Token::Close, "`)`")?;
            return Ok(if name == "resize" { Expr::Resize(operand, width) } else { Expr::SignResize(operand, width) });
        }
        let operands = self.operands(Token::Close, "`)`")?;
        let wrong_number = format!("`{name}` does not take {} operands", operands.len());
        let nary = match name {
            "and" => Some(NaryOp::And),
            "or" => Some(NaryOp::Or),
            "xor" => Some(NaryOp::Xor),
            _ => None,
        };
        if let Some(op) = nary {
            return Ok(Expr::Nary(op, operands));
        }
        if let Some((_, op)) = BINARY_FUNCTIONS.iter().find(|(function, _)| *function == name) {
            let Ok([left, right]) = <[Expr; 2]>::try_from(operands) else {
                return self.report(codes::OPERANDS, wrong_number, span);
            };
            return Ok(Expr::Binary(*op, Box::new(left), Box::new(right)));
        }
        match (name, operands.len()) {
            ("ite", 3) => {
                Ok(<[Expr; 3]>::try_from(operands).map_or(Expr::Any, |operands| Expr::Ite(Box::new(operands))))
            }
            ("bitnot" | "neg" | "toint" | "signedtoint", 1) => {
                let operand = operands.into_iter().next().map_or_else(|| Box::new(Expr::Any), Box::new);
                Ok(match name {
                    "neg" => Expr::Neg(operand),
                    "toint" => Expr::ToInt(operand),
                    "signedtoint" => Expr::SignedToInt(operand),
                    _ => Expr::BitNot(operand),
                })
            }
            ("ite" | "bitnot" | "neg" | "toint" | "signedtoint", _) => self.report(codes::OPERANDS, wrong_number, span),
            _ => self.report(codes::UNKNOWN, format!("there is no function `{name}`"), span),
        }
    }
}
