//! Types, definitions and directives.

use base::Diagnostic;
use text::Descent;

use super::Parser;
use crate::syntax::{Declaration, Definition, Directive, Item, Name, Wish};
use crate::token::Token;
use calculus::system::{Fixpoint, HintKind};

impl Parser<'_> {
    /// A declaration, directive or formula with its `;`.
    pub(super) fn item(&mut self) -> Option<Item> {
        let start = self.span();
        let item = match self.token() {
            Token::Class => self.class()?,
            Token::Enum => self.enumeration()?,
            Token::Directive => self.directive()?,
            Token::Mu => {
                self.advance();
                self.definition(Some(Fixpoint::Least))?
            }
            Token::Nu => {
                self.advance();
                self.definition(Some(Fixpoint::Greatest))?
            }
            Token::Name if self.second() == Token::Name => self.definition(None)?,
            _ => {
                let expr = self.expr()?;
                Item::Query(expr, start.to(self.previous()))
            }
        };
        self.expect(Token::Semicolon, "an operator or `;`")?;
        Some(item)
    }

    /// `class C { T x, y[4]; } x < y`
    fn class(&mut self) -> Option<Item> {
        self.advance();
        let name = self.name("the name of a class")?;
        let open = self.expect(Token::OpenBrace, "`{` and the components")?;
        let mut parts = Vec::new();
        while self.token() == Token::Name {
            let of = self.take_name();
            parts.extend(self.list(|parser| parser.declarator(of.clone()))?);
            if self.token() != Token::CloseBrace {
                self.expect(Token::Semicolon, "`,` or `;`")?;
            }
        }
        self.close(open, Token::CloseBrace, "a component or `}`")?;
        let wishes = if self.token() == Token::Semicolon { Vec::new() } else { self.wishes()? };
        Some(Item::Class(name, parts, wishes))
    }

    /// `x` or `x[4]` behind its type.
    fn declarator(&mut self, of: Name) -> Option<Declaration> {
        let name = self.name("a name")?;
        let size = match self.eat(Token::OpenBracket) {
            Some(open) => {
                let size = self.number()?;
                self.close(open, Token::CloseBracket, "`]`")?;
                Some(size)
            }
            None => None,
        };
        Some(Declaration { of, name, size })
    }

    /// `T x`
    pub(super) fn variable(&mut self) -> Option<Declaration> {
        let of = self.name("a type")?;
        self.declarator(of)
    }

    /// `enum E {a, b}` or `enum R {0..3}`
    fn enumeration(&mut self) -> Option<Item> {
        self.advance();
        let name = self.name("the name of a type")?;
        let open = self.expect(Token::OpenBrace, "`{` and the values")?;
        let item = if self.token() == Token::Number {
            let low = self.number()?;
            self.expect(Token::Dot, "`..` and the last number")?;
            self.expect(Token::Dot, "`..` and the last number")?;
            self.eat(Token::Dot);
            Item::Range(name, low, self.number()?)
        } else {
            Item::Enum(name, self.list(|parser| parser.name("the name of a value"))?)
        };
        self.close(open, Token::CloseBrace, "`,` or `}`")?;
        Some(item)
    }

    /// `bool P(T a, U b) a < b expr`, or without anything behind the parameters.
    fn definition(&mut self, fixpoint: Option<Fixpoint>) -> Option<Item> {
        let of = self.name("`bool`")?;
        let name = self.name("the name of a predicate")?;
        if self.token() != Token::Open {
            return self.global_variable(&name);
        }
        if &*of.text != "bool" {
            self.diagnose(
                Diagnostic::error("MU0038", format!("a definition of type `{}` is not supported", of.text))
                    .at(of.span, "only `bool`"),
            );
        }
        let open = self.advance();
        let empty = self.token() == Token::Close;
        let parameters = if empty { Vec::new() } else { self.list(Self::variable)? };
        self.close(open, Token::Close, "`,` or `)`")?;
        let wishes = if self.at_wish() { self.wishes()? } else { Vec::new() };
        let body = if self.token() == Token::Semicolon { None } else { Some(self.expr()?) };
        Some(Item::Definition(Box::new(Definition { fixpoint, name, parameters, wishes, body })))
    }

    fn global_variable(&mut self, name: &Name) -> Option<Item> {
        self.diagnose(
            Diagnostic::error("MU0038", format!("the global variable `{}` is not supported", name.text))
                .at(name.span, "declared outside of a definition")
                .help("for a predicate write parameters in parentheses, for a formula use a quantifier"),
        );
        None
    }

    fn at_wish(&self) -> bool {
        let is_relation = |token| matches!(token, Token::Less | Token::Greater | Token::Interleaved | Token::Separate);
        is_relation(self.token()) || (self.token() == Token::Name && is_relation(self.second()))
    }

    /// Allocation constraints. Those about a single name say nothing about the order.
    fn wishes(&mut self) -> Option<Vec<Wish>> {
        let wishes = self.list(Self::wish)?;
        Some(wishes.into_iter().flatten().collect())
    }

    fn wish(&mut self) -> Option<Option<Wish>> {
        if matches!(self.token(), Token::Interleaved | Token::Separate) {
            self.advance();
            return self.name("a name").map(|_| None);
        }
        let first = self.name("a name")?;
        let (kind, swap) = match self.token() {
            Token::Less => (HintKind::Above, false),
            Token::Greater => (HintKind::Above, true),
            Token::Interleaved => (HintKind::Interleave, false),
            Token::Separate => (HintKind::Separate, false),
            _ => {
                self.unexpected("`<`, `>`, `~+` or `~-`");
                return None;
            }
        };
        self.advance();
        let second = self.name("a name")?;
        let (first, second) = if swap { (second, first) } else { (first, second) };
        Some(Some(Wish { kind, first, second }))
    }

    /// `#word text, expr, ..`
    fn directive(&mut self) -> Option<Item> {
        let word = self.take_name();
        let (mut texts, mut exprs) = (Vec::new(), Vec::new());
        while self.token() != Token::Semicolon {
            if self.token() == Token::Text {
                texts.push(self.text().trim_matches('"').into());
                self.advance();
            } else {
                exprs.push(self.expr()?);
            }
            if self.eat(Token::Comma).is_none() {
                break;
            }
        }
        let span = word.span.to(self.previous());
        Some(Item::Directive(Directive { word, texts, exprs, span }))
    }
}
