//! Recursive descent from tokens to the syntax tree.
//!
//! `None` from a parsing function means that an error has been reported; reading goes on behind the next `;`. Recursion
//! is bounded by [`crate::MAX_DEPTH`].

mod expression;
mod item;

use base::{Diagnostic, Diagnostics, Source, Span};

use super::syntax::{Item, Name, SyntaxTree};
use super::token::{Lexeme, Lexer, Token};
use crate::MAX_DEPTH;
use base::report::Report;

/// Reads a file up to its end or to `#quit`. There is a tree unless reading had to stop; with errors it lacks what could
/// not be understood, and is good only for finding further errors.
#[must_use]
pub fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let items = parser.items();
    let Parser { report, lost, stopped, .. } = parser;
    ((!stopped).then_some(SyntaxTree { items, lost }), report.finish())
}

struct Parser<'s> {
    source: &'s Source,
    lexer: Lexer<'s>,
    /// The next tokens.
    ahead: [Lexeme; 2],
    /// The token before them.
    previous: Span,
    report: Report,
    lost: bool,
    /// Constructs and parentheses around the current token.
    depth: u32,
    /// Nesting was too deep: nothing more is read.
    stopped: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        let mut report = Report::new("MU0099");
        let mut lexer = Lexer::new(source);
        let ahead = std::array::from_fn(|_| lexer.next(&mut report));
        Self { source, lexer, ahead, previous: Span::default(), report, lost: false, depth: 0, stopped: false }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::EndOfFile && self.text() != "#quit" {
            if self.eat(Token::Semicolon).is_some() {
                continue;
            }
            self.depth = 0;
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
        let mut moved = false;
        while self.token() != Token::EndOfFile {
            let begins = matches!(self.token(), Token::Class | Token::Enum | Token::Mu | Token::Nu | Token::Directive);
            if self.eat(Token::Semicolon).is_some() || (moved && begins) {
                return;
            }
            self.advance();
            moved = true;
        }
    }

    fn token(&self) -> Token {
        self.ahead[0].token
    }

    /// The token after the current one.
    fn second(&self) -> Token {
        self.ahead[1].token
    }

    fn span(&self) -> Span {
        self.ahead[0].span
    }

    fn text(&self) -> &'s str {
        self.source.slice(self.span())
    }

    /// Goes to the next token and returns the place of the current one.
    #[inline(never)]
    fn advance(&mut self) -> Span {
        let span = self.span();
        self.previous = span;
        let next = if self.stopped { self.end_of_file() } else { self.lexer.next(&mut self.report) };
        self.ahead = [self.ahead[1], next];
        span
    }

    fn end_of_file(&self) -> Lexeme {
        let end = self.source.text().len();
        Lexeme { token: Token::EndOfFile, span: Span::new(end, end), after_unknown: false }
    }

    /// Consumes the token if it is the next one.
    fn eat(&mut self, token: Token) -> Option<Span> {
        (self.token() == token).then(|| self.advance())
    }

    /// Consumes the token or reports that it is missing.
    fn expect(&mut self, token: Token, what: &str) -> Option<Span> {
        let eaten = self.eat(token);
        if eaten.is_none() {
            self.unexpected(what);
        }
        eaten
    }

    /// Consumes a closing bracket or reports where it was opened.
    fn close(&mut self, open: Span, token: Token, what: &str) -> Option<Span> {
        let closed = self.eat(token);
        if closed.is_none() {
            self.unexpected_with(what, |diagnostic| diagnostic.also(open, "opened here"));
        }
        closed
    }

    /// Reports that something else was expected here.
    fn unexpected(&mut self, what: &str) {
        self.unexpected_with(what, |diagnostic| diagnostic);
    }

    #[inline(never)]
    fn unexpected_with(&mut self, what: &str, complete: impl FnOnce(Diagnostic) -> Diagnostic) {
        if self.ahead[0].after_unknown {
            return;
        }
        let found = self.token().describe(self.text());
        let diagnostic = Diagnostic::error("MU0003", format!("expected {what}, found {found}"))
            .at(self.span(), format!("expected {what}"));
        self.diagnose(complete(diagnostic));
    }

    fn diagnose(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.report.push(diagnostic);
        }
    }

    /// Enters a construct; `None` when it is nested too deeply.
    fn descend(&mut self) -> Option<()> {
        self.depth += 1;
        self.check_depth(0)
    }

    fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// `None` when something of the given height would make the tree too deep here.
    fn check_depth(&mut self, height: u32) -> Option<()> {
        if self.stopped {
            return None;
        }
        if self.depth + height <= MAX_DEPTH {
            return Some(());
        }
        self.stop()
    }

    #[inline(never)]
    fn stop(&mut self) -> Option<()> {
        let place = self.span();
        self.diagnose(
            Diagnostic::error("MU0004", format!("nested more than {MAX_DEPTH} levels deep"))
                .at(place, "nothing beyond this place is read")
                .help("move parts of the formula into definitions of their own"),
        );
        self.stopped = true;
        self.ahead = [self.end_of_file(); 2];
        None
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

    /// `item, item, item`, at least one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Token::Comma).is_some() {
            items.push(item(self)?);
        }
        Some(items)
    }
}
