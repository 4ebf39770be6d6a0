//! Recursive descent from tokens to the syntax tree.
//!
//! After a mistake reading goes on behind the next `;`. What all parsers share is in [`text`].

mod expression;
mod item;

use base::{Diagnostic, Diagnostics, Source};
use text::{Cursor, Descent};

use super::syntax::{Item, Name, SyntaxTree};
use super::token::Token;

/// Reads a file up to its end or to `#quit`. There is a tree unless reading had to stop; with errors it lacks what could
/// not be understood, and is good only for finding further errors.
#[must_use]
pub fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let items = parser.items();
    let Parser { cursor, lost } = parser;
    cursor.finish(|_| SyntaxTree { items, lost })
}

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
    lost: bool,
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
        Self { cursor: Cursor::new(source), lost: false }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::EndOfFile {
            if self.eat(Token::Semicolon).is_some() {
                continue;
            }
            self.set_depth(0);
            match self.item() {
                Some(item) => items.push(item),
                None => self.skip_item(),
            }
        }
        items
    }

    /// After a mistake: goes behind the next `;`, or to a word that begins a definition or a directive.
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
        self.unexpected(what);
        None
    }

    #[inline(never)]
    fn take_name(&mut self) -> Name {
        let text = self.text().into();
        Name { text, span: self.advance() }
    }

    /// A number without sign.
    #[inline(never)]
    fn number(&mut self) -> Option<u64> {
        /// As in the other language of this crate.
        const MAX: u64 = u32::MAX as u64;
        let (text, span) = (self.text(), self.span());
        self.expect(Token::Number, "a number")?;
        let value = text.parse().ok().filter(|value| *value <= MAX);
        if value.is_none() {
            let help = format!("the largest number is {MAX}");
            self.diagnose(Diagnostic::error("MU0005", format!("`{text}` is too large")).at(span, "").help(help));
        }
        Some(value.unwrap_or(0))
    }
}
