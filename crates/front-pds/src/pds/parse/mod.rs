//! Recursive descent from tokens to the syntax tree.
//!
//! What all parsers share is in [`text`].

mod expression;
mod item;

use base::names::Names;
use base::{Diagnostics, Source};
use text::{Cursor, Descent};

use super::syntax::{Formula, Name, SyntaxTree};
use super::token::Token;
use crate::rule::{RuleParser, RuleTokens};

/// Reads a source. There is a tree unless reading had to stop; with errors it lacks what could not be understood, and
/// is good only for finding further errors.
#[must_use]
pub(crate) fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let mut tree = parser.file();
    tree.names = parser.names;
    parser.cursor.finish(|_| tree)
}

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
    names: Names,
}

impl<'s> Descent<'s> for Parser<'s> {
    type Token = Token;

    fn cursor(&self) -> &Cursor<'s, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'s, Token> {
        &mut self.cursor
    }
}

impl<'s> RuleParser<'s> for Parser<'s> {
    type Condition = Formula;
    const TOKENS: RuleTokens<Token> = RuleTokens {
        less: Token::Less,
        greater: Token::Greater,
        arrow: Token::Arrow,
        text: Token::Text,
        name: Token::Name,
    };

    fn name(&mut self, what: &str) -> Option<Name> {
        if self.token() == Token::Name {
            return Some(self.take_name());
        }
        self.unexpected(what);
        None
    }

    fn condition(&mut self) -> Option<Option<Formula>> {
        let Some(open) = self.eat(Token::Open) else { return Some(None) };
        let formula = self.formula()?;
        self.close(open, Token::Close, "an operator or `)`")?;
        Some(Some(formula))
    }
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        Self { cursor: Cursor::new(source), names: Names::default() }
    }

    fn take_name(&mut self) -> Name {
        let symbol = self.names.intern(self.text());
        Name { symbol, span: self.advance() }
    }
}
