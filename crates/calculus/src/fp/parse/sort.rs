//! Sorts and the variables that have them.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::fp::syntax::{Binder, Expr, ItemKind, SortBody, SortExpr};
use crate::fp::token::Token;

impl Parser<'_> {
    /// `sort Name = ...`
    pub(super) fn sort_item(&mut self) -> Option<ItemKind> {
        self.advance();
        let name = self.name("the name of a sort")?;
        self.expect(Token::Equal, "`=` and a sort")?;
        let body = match self.token() {
            Token::OpenBrace => {
                let open = self.advance();
                let fields = self.binders("a field")?;
                self.close(open, Token::CloseBrace, "`,` or `}`")?;
                SortBody::Record(fields)
            }
            Token::Enum => {
                self.advance();
                let open = self.expect(Token::OpenBrace, "`{` and the values")?;
                let values = self.list(|parser| parser.name("the name of a value"))?;
                self.close(open, Token::CloseBrace, "`,` or `}`")?;
                SortBody::Enum(values)
            }
            _ => SortBody::Alias(self.sort()?),
        };
        Some(ItemKind::Sort(name, body))
    }

    /// `x, y: S, z: T`
    pub(super) fn binders(&mut self, what: &str) -> Option<Vec<Binder>> {
        self.list(|parser| {
            let names = parser.list(|parser| parser.name(what))?;
            parser.expect(Token::Colon, "`,` or `:` and a sort")?;
            let sort = parser.sort()?;
            Some(Binder { names, sort })
        })
    }

    /// A sort that needs no name.
    pub(super) fn sort(&mut self) -> Option<SortExpr> {
        self.descend()?;
        let start = self.span();
        let mut sort = self.sort_without_brackets()?;
        let mut height = 0;
        while let Some(open) = self.eat(Token::OpenBracket) {
            height += 1;
            self.check_depth(height)?;
            let (low, high, _) = self.range()?;
            self.close(open, Token::CloseBracket, "`]`")?;
            sort = SortExpr::Array(Box::new(sort), Box::new([low, high]), start.to(self.previous()));
        }
        self.ascend();
        Some(sort)
    }

    fn sort_without_brackets(&mut self) -> Option<SortExpr> {
        match self.token() {
            Token::Name if !matches!(self.second(), Token::Dots | Token::Plus | Token::Minus | Token::Times) => {
                Some(SortExpr::Name(self.take_name()))
            }
            Token::Name | Token::Number | Token::BadNumber => {
                let (low, high, span) = self.range()?;
                Some(SortExpr::Range(Box::new([low, high]), span))
            }
            Token::Open => {
                let open = self.advance();
                let sort = self.sort()?;
                self.close(open, Token::Close, "`)`")?;
                Some(sort)
            }
            Token::OpenBrace | Token::Enum => self.nameless_sort(),
            _ => {
                self.unexpected("a sort");
                None
            }
        }
    }

    fn nameless_sort(&mut self) -> Option<SortExpr> {
        self.diagnose(
            Diagnostic::error("FP0006", "a record or an enumeration needs a name")
                .at(self.span(), "begins here")
                .help("declare it before, `sort Name = ...;`, and write `Name` here"),
        );
        None
    }

    /// `0..k - 1`
    fn range(&mut self) -> Option<(Expr, Expr, Span)> {
        let start = self.span();
        let low = self.constant_expr()?;
        self.expect(Token::Dots, "`..` and the last number")?;
        let high = self.constant_expr()?;
        Some((low, high, start.to(self.previous())))
    }
}
