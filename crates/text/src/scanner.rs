//! From text to tokens. Nothing is dropped silently: text that belongs to no token is reported.

use base::report::{Report, describe_character};
use base::{Diagnostic, Source, Span};
use logos::Logos;

/// The tokens of a language.
pub trait Token<'s>: Logos<'s, Source = str, Error = (), Extras: Default> + Copy + Eq {
    /// The end of the file; it is never made from text, but a language may let its text end earlier.
    const END_OF_FILE: Self;
    /// What stands between the parts of a list.
    const COMMA: Self;
    /// What the language says about mistakes that all languages know.
    const RULES: Rules;

    /// What to do with text that forms this token; the scanner can make the text longer.
    fn piece(self, _: &mut Scanner<'s, Self>) -> Piece<Self> {
        Piece::Token(self)
    }

    /// Text that belongs to no token: the scanner can make it longer, and the language can have a message of its own.
    fn unknown(_: &mut Scanner<'s, Self>) -> Option<Diagnostic> {
        None
    }

    /// What to do about text that belongs to no token.
    fn unknown_help(text: &str) -> &'static str;

    /// What may help where something else than this token was expected.
    fn misplaced_help(self, _text: &str) -> Option<String> {
        None
    }
}

/// What a language says about mistakes that all languages know.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The code for text that belongs to no token.
    pub unknown: &'static str,
    /// The code for a token where another was expected.
    pub unexpected: &'static str,
    /// The code for nesting that is too deep.
    pub too_deep: &'static str,
    /// What to do about such nesting.
    pub too_deep_help: &'static str,
    /// How deep the syntax tree may become.
    pub max_depth: u32,
    /// The code of the message that says how many more mistakes there are.
    pub more: &'static str,
}

/// What the text of a token is for the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<T> {
    /// A token.
    Token(T),
    /// A mistake that has been reported; reading goes on as if this token had been written.
    Mistaken(T),
    /// A comment that the parser wants back.
    Comment,
    /// Nothing.
    Nothing,
    /// Text that belongs to no token.
    Unknown,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme<T> {
    /// The token.
    pub token: T,
    /// Its place.
    pub span: Span,
    /// The token is the first on its line.
    pub first_on_line: bool,
    /// An empty line lies between the token and the token or comment before it.
    pub blank_before: bool,
    /// A mistake before the token, or in it, has been reported: that it does not fit follows from that.
    pub after_mistake: bool,
}

/// A comment, kept for a formatter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Where it starts.
    pub start: u32,
    /// With its marks, without the end of its line.
    pub text: Box<str>,
    /// False when it follows something on its line.
    pub first_on_line: bool,
    /// An empty line precedes it.
    pub blank_before: bool,
}

/// Reads tokens one by one, so that a huge file does not become a huge table.
pub struct Scanner<'s, T: Token<'s>> {
    source: &'s Source,
    inner: logos::Lexer<'s, T>,
    pub(crate) report: Report,
    pub(crate) comments: Vec<Comment>,
    /// Where the text begins, behind a byte order mark.
    start: usize,
    /// End of the last token or comment.
    last_end: usize,
    /// End of the last text that belongs to no token.
    unknown_end: Option<usize>,
}

impl<'s, T: Token<'s>> Scanner<'s, T> {
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut inner = T::lexer(source.text());
        let start = if source.text().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        inner.bump(start);
        let report = Report::new(T::RULES.more);
        Self { source, inner, report, comments: Vec::new(), start, last_end: start, unknown_end: None }
    }

    pub(crate) fn source(&self) -> &'s Source {
        self.source
    }

    /// The next token; after the last one the end of the file, for ever.
    pub(crate) fn next(&mut self) -> Lexeme<T> {
        let (mut first_on_line, mut after_mistake) = (false, false);
        loop {
            let next = self.inner.next();
            let start = if next.is_some() { self.inner.span().start } else { self.source.text().len() };
            first_on_line |= self.begins_line(start);
            let blank_before = self.newlines_before(start) > 1;
            let piece = match next {
                None => Piece::Token(T::END_OF_FILE),
                Some(Ok(token)) => token.piece(self),
                Some(Err(())) => Piece::Unknown,
            };
            match piece {
                Piece::Nothing => {}
                Piece::Comment => self.comment(),
                Piece::Unknown => {
                    self.unknown();
                    after_mistake = true;
                }
                Piece::Token(token) | Piece::Mistaken(token) => {
                    after_mistake |= matches!(piece, Piece::Mistaken(_));
                    let span = if token == T::END_OF_FILE { self.end() } else { self.span() };
                    self.last_end = span.end as usize;
                    return Lexeme { token, span, first_on_line, blank_before, after_mistake };
                }
            }
        }
    }

    /// The place behind the text.
    pub(crate) fn end(&self) -> Span {
        self.source.end()
    }

    /// The place of the current text.
    pub fn span(&self) -> Span {
        self.source.span(self.inner.span())
    }

    /// The current text.
    pub fn slice(&self) -> &'s str {
        self.inner.slice()
    }

    /// The text behind the current one.
    pub fn rest(&self) -> &'s str {
        self.inner.remainder()
    }

    /// Adds that many bytes to the current text.
    pub fn take(&mut self, n_bytes: usize) {
        self.inner.bump(n_bytes);
    }

    /// Adds the rest of its line to the current text.
    pub fn take_line(&mut self) {
        let rest = self.rest();
        self.take(rest.find('\n').unwrap_or(rest.len()));
    }

    /// Adds the rest of a comment that ends with `*/` to the current text; a comment that does not end is reported.
    pub fn take_block(&mut self, code: &'static str) {
        let (start, end) = (self.span(), self.rest().find("*/"));
        self.take(end.map_or(self.rest().len(), |at| at + 2));
        if end.is_none() {
            let diagnostic = Diagnostic::error(code, "this comment does not end");
            self.report(diagnostic.at(start, "it begins here").help("end it with `*/`"));
        }
    }

    /// What the language remembers from token to token.
    pub fn extras(&mut self) -> &mut T::Extras {
        &mut self.inner.extras
    }

    /// Adds a mistake.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.report.push(diagnostic);
    }

    /// True when no token or comment precedes the current text on its line.
    pub fn is_first_on_line(&self) -> bool {
        self.begins_line(self.inner.span().start)
    }

    fn begins_line(&self, start: usize) -> bool {
        self.last_end == self.start || self.newlines_before(start) > 0
    }

    /// The ends of lines between the last token or comment and a place.
    fn newlines_before(&self, start: usize) -> usize {
        let gap = &self.source.text().as_bytes()[self.last_end.min(start)..start];
        gap.iter().filter(|byte| **byte == b'\n').count()
    }

    fn comment(&mut self) {
        let std::ops::Range { start, end } = self.inner.span();
        let (first_on_line, blank_before) = (self.begins_line(start), self.newlines_before(start) > 1);
        let text = self.slice().trim_end().into();
        self.comments.push(Comment { start: start as u32, text, first_on_line, blank_before });
        self.last_end = end;
    }

    /// Reports text that belongs to no token; adjacent pieces are one mistake.
    fn unknown(&mut self) {
        let (place, text) = (self.span(), self.slice());
        if let Some(diagnostic) = T::unknown(self) {
            self.report(diagnostic);
        } else if self.unknown_end != Some(place.start as usize) {
            let message = format!("{} does not belong to the language", describe_character(text));
            let diagnostic = Diagnostic::error(T::RULES.unknown, message).at(place, "not understood");
            self.report(diagnostic.help(T::unknown_help(text)));
        }
        self.last_end = self.inner.span().end;
        self.unknown_end = Some(self.last_end);
    }
}
