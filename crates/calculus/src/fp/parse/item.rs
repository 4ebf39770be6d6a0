//! Declarations.

use super::Parser;
use crate::fp::syntax::{Expr, Head, ItemKind, Name, Param, Wish};
use crate::fp::token::Token;
use crate::system::{Fixpoint, HintKind};
use base::names::similar;
use text::Descent;

/// Words that begin a declaration, for suggestions.
const WORDS: [&str; 8] = ["param", "sort", "input", "define", "mu", "nu", "order", "query"];

impl Parser<'_> {
    /// A declaration with its `;`.
    pub(super) fn item(&mut self) -> Option<ItemKind> {
        let item = match self.token() {
            Token::Param => self.params()?,
            Token::Sort => self.sort_item()?,
            Token::Input => self.inputs()?,
            Token::Define => self.equation(ItemKind::Define)?,
            Token::Mu => self.equation(|head, body| ItemKind::Fixpoint(Fixpoint::Least, head, body))?,
            Token::Nu => self.equation(|head, body| ItemKind::Fixpoint(Fixpoint::Greatest, head, body))?,
            Token::Order => self.order()?,
            Token::Query => self.equation(ItemKind::Query)?,
            _ => return self.no_item(),
        };
        self.end_of_item()?;
        Some(item)
    }

    /// The `;` behind a declaration. Where another one follows, only the `;` is missing.
    fn end_of_item(&mut self) -> Option<()> {
        let closed = self.expect(Token::Semicolon, "an operator or `;`").is_some();
        (closed || self.token().begins_item()).then_some(())
    }

    fn no_item(&mut self) -> Option<ItemKind> {
        let near = similar(self.text(), WORDS);
        self.unexpected_with("a declaration", |diagnostic| match near {
            Some(word) => diagnostic.help(format!("did you mean `{word}`?")),
            None => diagnostic.help(format!("a declaration begins with one of `{}`", WORDS.join("`, `"))),
        });
        None
    }

    /// `param k, n = 3`
    fn params(&mut self) -> Option<ItemKind> {
        self.advance();
        self.list(Self::param).map(ItemKind::Param)
    }

    fn param(&mut self) -> Option<Param> {
        let name = self.name("the name of a parameter")?;
        let default = if self.eat(Token::Equal).is_some() { Some(self.number()?) } else { None };
        Some(Param { name, default })
    }

    /// `input R(x: S), Q(y: T)`
    fn inputs(&mut self) -> Option<ItemKind> {
        self.advance();
        self.list(Self::head).map(ItemKind::Input)
    }

    /// `mu R(x: S) = f`, its first word being any of those that have this form.
    fn equation(&mut self, make: impl FnOnce(Head, Expr) -> ItemKind) -> Option<ItemKind> {
        self.advance();
        let head = self.head()?;
        self.expect(Token::Equal, "`=` and a formula")?;
        let body = self.expr()?;
        Some(make(head, body))
    }

    /// A name, and its parameters if it has any.
    fn head(&mut self) -> Option<Head> {
        let name = self.name("a name")?;
        let Some(open) = self.eat(Token::Open) else { return Some(Head { name, binders: Vec::new() }) };
        if self.eat(Token::Close).is_some() {
            return Some(Head { name, binders: Vec::new() });
        }
        let binders = self.binders("a parameter")?;
        self.close(open, Token::Close, "`,` or `)`")?;
        Some(Head { name, binders })
    }

    /// `order R: u above v, x interleaved y`
    fn order(&mut self) -> Option<ItemKind> {
        self.advance();
        let relation: Name = self.name("the name of a relation")?;
        self.expect(Token::Colon, "`:` and what is wished for the columns")?;
        let wishes = self.list(Self::wish)?;
        Some(ItemKind::Order(relation, wishes))
    }

    fn wish(&mut self) -> Option<Wish> {
        let first = self.column()?;
        let kind = match self.text() {
            "above" => HintKind::Above,
            "interleaved" => HintKind::Interleave,
            "apart" => HintKind::Separate,
            _ => {
                self.unexpected("`above`, `interleaved` or `apart`");
                return None;
            }
        };
        self.advance();
        let second = self.column()?;
        Some(Wish { kind, first, second })
    }
}
