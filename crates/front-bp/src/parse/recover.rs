//! Where to go on after a mistake.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::token::Token;

/// Numbers of open constructs, by the word that closes them.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    pub(super) ifs: u32,
    pub(super) whiles: u32,
    pub(super) begins: u32,
    /// `begin` where a statement should be: a mistake, counted so that its `end` closes nothing else.
    pub(super) misplaced_begins: u32,
}

impl Open {
    /// True when some open construct waits for the token.
    fn waits_for(self, token: Token) -> bool {
        match token {
            Token::Fi | Token::Else | Token::Elsif => self.ifs > 0,
            Token::Od => self.whiles > 0,
            Token::End => self.begins > 0,
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// True at a token that ends the statements of some open construct, or at one that begins a procedure.
    pub(super) fn at_block_end(&self) -> bool {
        match self.token() {
            Token::EndOfFile | Token::Void => true,
            Token::Bool => self.at_procedure_with_results(),
            Token::End if self.open.misplaced_begins > 0 => false,
            token => self.open.waits_for(token),
        }
    }

    /// True at `bool p(` or `bool<`, as opposed to the declaration `bool x`.
    pub(super) fn at_procedure_with_results(&self) -> bool {
        let [first, second, third] = self.ahead().map(|lexeme| lexeme.token);
        first == Token::Bool && (second == Token::Less || third == Token::Open)
    }

    /// After a mistake in a statement: goes behind its `;`, or to the end of the block, or to the next line that
    /// begins with a word of the language.
    #[inline(never)]
    pub(super) fn skip_statement(&mut self) {
        self.lost.statements = true;
        if self.is_closer() {
            self.advance();
            self.eat(Token::Semicolon);
            return;
        }
        let mut moved = false;
        while !self.at_block_end() {
            if self.eat(Token::Semicolon).is_some() {
                return;
            }
            let starts_statement = self.is_first_on_line() && (self.token().is_word() || self.at_label());
            if moved && starts_statement && !self.is_closer() {
                return;
            }
            self.advance();
            moved = true;
        }
    }

    fn is_closer(&self) -> bool {
        use Token as T;
        matches!(self.token(), T::Then | T::Else | T::Elsif | T::Fi | T::Do | T::Od | T::End | T::Begin)
    }

    /// After a mistake outside of procedures: goes to what may begin a declaration or procedure.
    pub(super) fn skip_item(&mut self) {
        self.lost.declarations = true;
        let mut moved = false;
        loop {
            match self.token() {
                Token::EndOfFile => return,
                Token::Semicolon => {
                    self.advance();
                    return;
                }
                Token::Decl | Token::Void | Token::Bool | Token::Enforce if moved => return,
                Token::End if self.open.begins > 0 => return,
                _ => {
                    self.advance();
                    moved = true;
                }
            }
        }
    }

    /// Consumes the word that closes a construct, or reports that the construct is not closed.
    #[inline(never)]
    pub(super) fn close_construct(&mut self, token: Token, construct: &str, word: &str, start: Span) -> Span {
        if self.token() == token || self.text() == "}" {
            return self.advance();
        }
        if self.open.misplaced_begins > 0 {
            return self.nowhere();
        }
        let found = self.found();
        self.diagnose(
            Diagnostic::error("BP0005", format!("this `{construct}` is not closed"))
                .at(start, "opened here")
                .also(self.span(), format!("expected `{word}` before {found}"))
                .help(format!("write `{word}` where the `{construct}` ends")),
        );
        self.nowhere()
    }

    /// The empty place before the current token.
    fn nowhere(&self) -> Span {
        self.span().before()
    }

    /// The `;` behind a statement; optional before the word that ends the block.
    pub(super) fn end_statement(&mut self) {
        if self.eat(Token::Semicolon).is_some() || self.at_block_end() {
            return;
        }
        let place = self.previous().behind();
        if !self.is_after_mistake() {
            let found = self.found();
            let help = match self.token() {
                Token::Prime => "a new value is written with the prime in front: `'x`",
                _ => "statements end with `;`",
            };
            self.diagnose(
                Diagnostic::error("BP0004", format!("expected `;`, found {found}"))
                    .at(place, "expected `;` here")
                    .help(help),
            );
        }
        if !self.is_first_on_line() {
            self.skip_statement();
        }
    }
}
