//! Recursive descent from tokens to the syntax tree.
//!
//! `None` from a parsing function means that an error has been reported; the caller decides where to go on, so that one
//! run reports every mistake. Recursion is bounded by [`crate::MAX_DEPTH`]: nesting beyond it is one error, and reading
//! stops there. Functions that are not part of the recursion are kept out of its stack frames (`inline(never)`).

mod expression;
mod item;
mod recover;
mod statement;

use base::{Diagnostic, Diagnostics, Source, Span};

use crate::MAX_DEPTH;
use crate::syntax::{Lost, Name, SyntaxTree};
use crate::token::{Lexeme, Lexer, Token};
use base::names::Names;
use base::report::Report;

/// Reads a source. There is a tree unless reading had to stop; with errors it lacks what could not be understood, and
/// is good only for finding further errors.
#[must_use]
pub fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let items = parser.program();
    let Parser { lexer, names, report, lost, stopped, hides_constants, .. } = parser;
    let end = source.text().len() as u32;
    let tree = SyntaxTree { names, items, comments: lexer.into_comments(), end, lost, hides_constants };
    ((!stopped).then_some(tree), report.finish())
}

struct Parser<'s> {
    source: &'s Source,
    lexer: Lexer<'s>,
    /// The next tokens.
    ahead: [Lexeme; 3],
    /// The token before them.
    previous: Span,
    names: Names,
    report: Report,
    lost: Lost,
    hides_constants: bool,
    /// Constructs and parentheses around the current token.
    depth: u32,
    open: recover::Open,
    /// Nesting was too deep: nothing more is read.
    stopped: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        let mut report = Report::new("BP0099");
        let mut lexer = Lexer::new(source);
        let ahead = std::array::from_fn(|_| lexer.next(&mut report));
        Self {
            source,
            lexer,
            ahead,
            previous: Span::default(),
            names: Names::default(),
            report,
            lost: Lost::default(),
            hides_constants: false,
            depth: 0,
            open: recover::Open::default(),
            stopped: false,
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
        self.ahead = [self.ahead[1], self.ahead[2], next];
        span
    }

    fn end_of_file(&self) -> Lexeme {
        let end = self.source.text().len();
        Lexeme {
            token: Token::EndOfFile,
            span: Span::new(end, end),
            first_on_line: true,
            blank_before: false,
            after_unknown: false,
        }
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

    /// Reports that something else was expected here.
    fn unexpected(&mut self, what: &str) {
        self.unexpected_with(what, None);
    }

    #[inline(never)]
    fn unexpected_with(&mut self, what: &str, help: Option<String>) {
        if self.after_unknown_text() {
            return;
        }
        let found = self.token().describe(self.text());
        let mut diagnostic = Diagnostic::error("BP0004", format!("expected {what}, found {found}"))
            .at(self.span(), format!("expected {what}"));
        diagnostic.help = help;
        self.diagnose(diagnostic);
    }

    /// True when text that belongs to no token precedes the current one, or a brace is the current one: it has been
    /// reported, and what is wrong here follows from it.
    fn after_unknown_text(&self) -> bool {
        self.ahead[0].after_unknown || matches!(self.text(), "{" | "}")
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
            Diagnostic::error("BP0006", format!("nested more than {MAX_DEPTH} levels deep"))
                .at(place, "nothing beyond this place is read")
                .help("split the expression or the procedure"),
        );
        self.stopped = true;
        self.ahead = [self.end_of_file(); 3];
        None
    }

    /// Consumes a name or reports that it is missing.
    #[inline(never)]
    fn name(&mut self, what: &str) -> Option<Name> {
        if self.at_name() {
            return Some(self.take_name());
        }
        let as_name = matches!(self.second(), Token::Comma | Token::Semicolon | Token::Becomes | Token::Close);
        if self.token().is_word() && as_name && !self.after_unknown_text() {
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

    /// `item, item, item`, at least one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Token::Comma).is_some() {
            items.push(item(self)?);
        }
        Some(items)
    }
}
