//! Recursive descent from tokens to the syntax tree.
//!
//! What all parsers share is in [`text`].

mod expression;
mod item;
mod recover;
mod statement;

use base::names::Names;
use base::{Diagnostic, Diagnostics, Source};
use text::{Cursor, Descent};

use crate::syntax::{Lost, Name, SyntaxTree};
use crate::token::Token;

/// Reads a source. There is a tree unless reading had to stop; with errors it lacks what could not be understood, and
/// is good only for finding further errors.
#[must_use]
pub fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let items = parser.program();
    let Parser { cursor, names, lost, hides_constants, .. } = parser;
    let end = source.text().len() as u32;
    cursor.finish(|comments| SyntaxTree { names, items, comments, end, lost, hides_constants })
}

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
    names: Names,
    lost: Lost,
    hides_constants: bool,
    open: recover::Open,
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
        Self {
            cursor: Cursor::new(source),
            names: Names::default(),
            lost: Lost::default(),
            hides_constants: false,
            open: recover::Open::default(),
        }
    }

    /// Consumes a name or reports that it is missing.
    #[inline(never)]
    fn name(&mut self, what: &str) -> Option<Name> {
        if self.at_name() {
            return Some(self.take_name());
        }
        let as_name = matches!(self.second(), Token::Comma | Token::Semicolon | Token::Becomes | Token::Close);
        if self.token().is_word() && as_name && !self.is_after_mistake() {
            let text = self.text();
            self.diagnose(
                Diagnostic::error("BP0009", format!("expected {what}, found the reserved word `{text}`"))
                    .at(self.span(), "a reserved word")
                    .help(format!("choose another name, or write it in braces: `{{{text}}}`")),
            );
        } else {
            self.unexpected(what);
        }
        None
    }

    /// Consumes a name that is being declared.
    fn declared_name(&mut self, what: &str) -> Option<Name> {
        self.hides_constants |= matches!(self.text(), "T" | "F");
        self.name(what)
    }

    fn at_name(&self) -> bool {
        self.token() == Token::Name || self.token().is_soft()
    }

    #[inline(never)]
    fn take_name(&mut self) -> Name {
        let symbol = self.names.intern(self.text());
        Name { symbol, span: self.advance() }
    }
}
