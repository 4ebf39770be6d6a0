//! Recursive descent from tokens to the syntax tree.
//!
//! What all parsers share is in [`text`].

mod expression;
mod item;

use base::names::Names;
use base::{Diagnostics, Source};
use text::{Cursor, Descent};

use super::syntax::{Name, SyntaxTree};
use super::token::Token;

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

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        Self { cursor: Cursor::new(source), names: Names::default() }
    }

    /// Consumes a name or reports that it is missing.
    fn name(&mut self, what: &str) -> Option<Name> {
        if self.token() == Token::Name {
            return Some(self.take_name());
        }
        self.unexpected(what);
        None
    }

    fn take_name(&mut self) -> Name {
        let symbol = self.names.intern(self.text());
        Name { symbol, span: self.advance() }
    }
}
