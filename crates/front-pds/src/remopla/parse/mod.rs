//! Recursive descent from tokens to the syntax tree.
//!
//! `None` from a parsing function means that an error has been reported; the caller decides where to go on. Recursion is
//! bounded by [`crate::MAX_DEPTH`].

mod expression;
mod item;
mod statement;

use base::{Diagnostic, Diagnostics, Source, Span};

use super::syntax::{Name, SyntaxTree};
use super::token::{Lexeme, Lexer, Token};
use crate::MAX_DEPTH;
use base::names::Names;
use base::report::Report;

/// Reads a source. There is a tree unless reading had to stop.
#[must_use]
pub(crate) fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let mut tree = parser.file();
    tree.names = parser.names;
    tree.n_statements = parser.n_statements;
    tree.lost_statements = parser.lost_statements;
    ((!parser.stopped).then_some(tree), parser.report.finish())
}

struct Parser<'s> {
    source: &'s Source,
    lexer: Lexer<'s>,
    ahead: [Lexeme; 2],
    previous: Span,
    names: Names,
    report: Report,
    n_statements: usize,
    depth: u32,
    stopped: bool,
    lost_statements: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        let mut report = Report::new("PD0099");
        let mut lexer = Lexer::new(source);
        let ahead = std::array::from_fn(|_| lexer.next(&mut report));
        Self {
            source,
            lexer,
            ahead,
            previous: Span::default(),
            names: Names::default(),
            report,
            n_statements: 0,
            depth: 0,
            stopped: false,
            lost_statements: false,
        }
    }

    fn token(&self) -> Token {
        self.ahead[0].token
    }

    fn second(&self) -> Token {
        self.ahead[1].token
    }

    fn span(&self) -> Span {
        self.ahead[0].span
    }

    fn text(&self) -> &'s str {
        self.source.slice(self.span())
    }

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

    fn eat(&mut self, token: Token) -> Option<Span> {
        (self.token() == token).then(|| self.advance())
    }

    fn expect(&mut self, token: Token, what: &str) -> Option<Span> {
        let eaten = self.eat(token);
        if eaten.is_none() {
            self.unexpected(what, None);
        }
        eaten
    }

    /// Consumes a closing bracket or reports where it was opened.
    fn close(&mut self, open: Span, token: Token, what: &str) -> Option<Span> {
        if let Some(span) = self.eat(token) {
            return Some(span);
        }
        if !self.ahead[0].after_unknown {
            let found = self.token().describe(self.text());
            self.diagnose(
                Diagnostic::error("PD0103", format!("expected {what}, found {found}"))
                    .at(self.span(), format!("expected {what}"))
                    .also(open, "opened here"),
            );
        }
        None
    }

    fn unexpected(&mut self, what: &str, help: Option<&str>) {
        if self.ahead[0].after_unknown {
            return;
        }
        let found = self.token().describe(self.text());
        let mut diagnostic = Diagnostic::error("PD0103", format!("expected {what}, found {found}"))
            .at(self.span(), format!("expected {what}"));
        diagnostic.help = help.map(str::to_owned);
        self.diagnose(diagnostic);
    }

    fn diagnose(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.report.push(diagnostic);
        }
    }

    fn descend(&mut self) -> Option<()> {
        self.depth += 1;
        self.check_depth(0)
    }

    fn check_depth(&mut self, height: usize) -> Option<()> {
        if self.stopped {
            return None;
        }
        if self.depth as usize + height <= MAX_DEPTH as usize {
            return Some(());
        }
        let place = self.span();
        self.diagnose(
            Diagnostic::error("PD0104", format!("nested more than {MAX_DEPTH} levels deep"))
                .at(place, "nothing beyond this place is read")
                .help("split the expression or the module"),
        );
        self.stopped = true;
        self.ahead = [self.end_of_file(); 2];
        None
    }

    fn name(&mut self, what: &str) -> Option<Name> {
        if self.token() == Token::Name {
            return Some(self.take_name());
        }
        let help = self.token().is_word().then_some("words of the language are no names");
        self.unexpected(what, help);
        None
    }

    fn take_name(&mut self) -> Name {
        let symbol = self.names.intern(self.text());
        Name { symbol, span: self.advance() }
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
