//! The methods of a parser by recursive descent.
//!
//! `None` from a parsing function means that an error has been reported; the caller decides where to go on, so that one
//! run reports every mistake. Recursion is bounded by [`crate::Rules::max_depth`]: nesting beyond it is one error, and
//! reading stops there. Functions that are not part of the recursion are kept out of its stack frames (`inline(never)`).

use base::{Diagnostic, Source, Span};

use crate::cursor::Cursor;
use crate::scanner::{Lexeme, Token};

/// A parser: something that holds a cursor.
pub trait Descent<'s> {
    /// The tokens of its language.
    type Token: Token<'s>;

    /// The cursor, to look.
    fn cursor(&self) -> &Cursor<'s, Self::Token>;

    /// The cursor, to move.
    fn cursor_mut(&mut self) -> &mut Cursor<'s, Self::Token>;

    /// What is being read.
    fn source(&self) -> &'s Source {
        self.cursor().source()
    }

    /// The next tokens.
    fn ahead(&self) -> [Lexeme<Self::Token>; 3] {
        self.cursor().ahead()
    }

    /// The current token.
    fn token(&self) -> Self::Token {
        self.ahead()[0].token
    }

    /// The token after the current one.
    fn second(&self) -> Self::Token {
        self.ahead()[1].token
    }

    /// The place of the current token.
    fn span(&self) -> Span {
        self.ahead()[0].span
    }

    /// The text of the current token.
    fn text(&self) -> &'s str {
        self.source().slice(self.span())
    }

    /// How the current token is called in messages.
    fn found(&self) -> String {
        if self.token() == <Self::Token as Token<'s>>::END_OF_FILE {
            return "the end of the file".to_owned();
        }
        format!("`{}`", self.text())
    }

    /// The place of the token before the current one.
    fn previous(&self) -> Span {
        self.cursor().previous()
    }

    /// True when the current token is the first on its line.
    fn is_first_on_line(&self) -> bool {
        self.ahead()[0].first_on_line
    }

    /// True when an empty line precedes the current token.
    fn blank_before(&self) -> bool {
        self.ahead()[0].blank_before
    }

    /// True when a mistake before the current token, or in it, has been reported: what is wrong here follows from it.
    fn is_after_mistake(&self) -> bool {
        self.ahead()[0].after_mistake
    }

    /// Goes to the next token and returns the place of the current one.
    fn advance(&mut self) -> Span {
        self.cursor_mut().advance()
    }

    /// Consumes the token if it is the next one.
    fn eat(&mut self, token: Self::Token) -> Option<Span> {
        (self.token() == token).then(|| self.advance())
    }

    /// Consumes the token or reports that it is missing.
    fn expect(&mut self, token: Self::Token, what: &str) -> Option<Span> {
        let eaten = self.eat(token);
        if eaten.is_none() {
            self.unexpected(what);
        }
        eaten
    }

    /// Consumes a closing bracket or reports where it was opened.
    fn close(&mut self, open: Span, token: Self::Token, what: &str) -> Option<Span> {
        let closed = self.eat(token);
        if closed.is_none() {
            self.unexpected_with(what, |diagnostic| diagnostic.also(open, "opened here"));
        }
        closed
    }

    /// Reports that something else was expected here.
    fn unexpected(&mut self, what: &str) {
        self.unexpected_help(what, None);
    }

    /// Reports that something else was expected here, and what to write instead.
    fn unexpected_help(&mut self, what: &str, help: Option<&str>) {
        let help = help.map(str::to_owned).or_else(|| self.token().misplaced_help(self.text()));
        self.unexpected_with(what, |diagnostic| Diagnostic { help, ..diagnostic });
    }

    /// Reports that something else was expected here; the message can be completed.
    #[inline(never)]
    fn unexpected_with(&mut self, what: &str, complete: impl FnOnce(Diagnostic) -> Diagnostic) {
        if self.is_after_mistake() {
            return;
        }
        let found = self.found();
        let code = <Self::Token as Token<'s>>::RULES.unexpected;
        let diagnostic = Diagnostic::error(code, format!("expected {what}, found {found}"))
            .at(self.span(), format!("expected {what}"));
        self.diagnose(complete(diagnostic));
    }

    /// Reports a mistake, unless reading has stopped.
    fn diagnose(&mut self, diagnostic: Diagnostic) {
        self.cursor_mut().diagnose(diagnostic);
    }

    /// True when an error has been reported.
    fn has_errors(&self) -> bool {
        self.cursor().has_errors()
    }

    /// True when reading has stopped.
    fn is_stopped(&self) -> bool {
        self.cursor().is_stopped()
    }

    /// Constructs and parentheses around the current token.
    fn depth(&self) -> u32 {
        self.cursor().depth()
    }

    /// Leaves constructs, after a mistake in them.
    fn set_depth(&mut self, depth: u32) {
        self.cursor_mut().set_depth(depth);
    }

    /// Enters a construct; `None` when it is nested too deeply.
    fn descend(&mut self) -> Option<()> {
        self.set_depth(self.depth() + 1);
        self.check_depth(0)
    }

    /// Leaves a construct.
    fn ascend(&mut self) {
        self.set_depth(self.depth() - 1);
    }

    /// `None` when something of the given height would make the tree too deep here.
    fn check_depth(&mut self, height: u32) -> Option<()> {
        self.cursor_mut().check_depth(height)
    }

    /// After a mistake: goes behind the next token that ends something, or to a later one that begins something.
    fn skip_behind(&mut self, end: Self::Token, begins: impl Fn(Self::Token) -> bool) {
        let mut moved = false;
        while self.token() != <Self::Token as Token<'s>>::END_OF_FILE {
            if self.eat(end).is_some() || (moved && begins(self.token())) {
                return;
            }
            self.advance();
            moved = true;
        }
    }

    /// `item, item, item`, at least one.
    fn list<X>(&mut self, mut item: impl FnMut(&mut Self) -> Option<X>) -> Option<Vec<X>> {
        let mut items = vec![item(self)?];
        while self.eat(<Self::Token as Token<'s>>::COMMA).is_some() {
            items.push(item(self)?);
        }
        Some(items)
    }
}
