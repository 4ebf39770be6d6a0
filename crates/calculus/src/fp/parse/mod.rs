//! Recursive descent from tokens to the syntax tree.
//!
//! After a mistake reading goes on with the next declaration. What all parsers share is in [`text`].

mod expression;
mod item;
mod sort;

use base::{Diagnostics, Source};
use text::{Cursor, Descent};

use super::syntax::{Item, Name, SyntaxTree};
use super::token::Token;

/// Reads a file. There is a tree unless reading had to stop; with errors it lacks what could not be understood, and is
/// good only for finding further errors.
#[must_use]
pub fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let items = parser.items();
    let Parser { cursor, lost, .. } = parser;
    cursor.finish(|comments| SyntaxTree { items, comments, lost })
}

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
    lost: bool,
    /// In a constant expression a `.` behind a name is that of a quantifier, `exists x: 0..k. f`.
    in_constant: bool,
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
        Self { cursor: Cursor::new(source), lost: false, in_constant: false }
    }

    /// All declarations.
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::EndOfFile {
            if self.eat(Token::Semicolon).is_some() {
                continue;
            }
            let (start, blank_before) = (self.span(), self.blank_before());
            self.set_depth(0);
            self.in_constant = false;
            match self.item() {
                Some(kind) => items.push(Item { kind, span: start.to(self.previous()), blank_before }),
                None => self.skip_item(),
            }
        }
        items
    }

    /// After a mistake: goes behind the next `;`, or to a word that begins a declaration.
    fn skip_item(&mut self) {
        self.lost = true;
        self.skip_behind(Token::Semicolon, Token::begins_item);
    }

    /// Consumes a name or reports that it is missing.
    #[inline(never)]
    fn name(&mut self, what: &str) -> Option<Name> {
        if self.token() == Token::Name {
            return Some(self.take_name());
        }
        let help = self.token().is_word().then_some("this word is reserved: choose another name");
        self.unexpected_help(what, help);
        None
    }

    #[inline(never)]
    fn take_name(&mut self) -> Name {
        let text = self.text().into();
        Name { text, span: self.advance() }
    }
}
