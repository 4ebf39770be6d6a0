//! Tokens of pushdown systems.
//!
//! Nothing is dropped silently: a character that belongs to no token is reported, and so is a `{` that hides the rest of
//! its line.

use base::{Diagnostic, Source, Span};
use logos::Logos;

use base::report::{Report, describe_character};

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"[#%][^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("global")]
    Global,
    #[token("local")]
    Local,
    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("define")]
    Define,
    #[token("atoms")]
    Atoms,
    #[token("A", priority = 3)]
    All,
    #[token("E", priority = 3)]
    Exists,
    #[regex(r"[A-Za-z_][A-Za-z0-9_.]*")]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+[A-Za-z_.][A-Za-z0-9_.]*")]
    BadNumber,
    #[regex("\"[^\"\n]*\"")]
    Text,
    #[token("-->")]
    Arrow,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("==")]
    #[token("<=>")]
    Iff,
    #[token("^")]
    Xor,
    #[token("|")]
    Or,
    #[token("&")]
    And,
    #[token("!")]
    Not,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("<<")]
    Shift,
    #[token("'")]
    Prime,
    /// The end of the source; the lexer never makes it from text.
    EndOfFile,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
    /// Text that belongs to no token precedes the token, and has been reported.
    pub(crate) after_unknown: bool,
}

/// Reads tokens one by one, so that a huge file does not become a huge table.
pub(crate) struct Lexer<'s> {
    source: &'s Source,
    inner: logos::Lexer<'s, Token>,
    /// The last text that belongs to no token.
    unknown: Option<Span>,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut inner = Token::lexer(source.text());
        if source.text().starts_with('\u{FEFF}') {
            inner.bump('\u{FEFF}'.len_utf8());
        }
        Self { source, inner, unknown: None }
    }

    /// The next token; after the last one the end of the file, for ever.
    pub(crate) fn next(&mut self, report: &mut Report) -> Lexeme {
        let mut after_unknown = false;
        loop {
            match self.inner.next() {
                None => {
                    let end = self.source.text().len();
                    return Lexeme { token: Token::EndOfFile, span: Span::new(end, end), after_unknown };
                }
                Some(Ok(Token::OpenBrace)) if is_first_on_line(self.source, self.span()) => self.brace_comment(report),
                Some(Ok(token)) => return Lexeme { token, span: self.span(), after_unknown },
                Some(Err(())) => {
                    self.unknown(report);
                    after_unknown = true;
                }
            }
        }
    }

    fn span(&self) -> Span {
        let range = self.inner.span();
        Span::new(range.start, range.end)
    }

    /// A `{` at the start of a line hides the line, as it does in Moped.
    fn brace_comment(&mut self, report: &mut Report) {
        let rest = self.inner.remainder();
        let length = rest.find('\n').unwrap_or(rest.len());
        let span = self.span();
        self.inner.bump(length);
        report.push(
            Diagnostic::warning("PD0050", "a `{` that begins a line makes the line a comment")
                .at(Span { end: span.end + length as u32, ..span }, "not read")
                .help("begin comments with `#`; a group `{ ... }` must not be the first thing on a line"),
        );
    }

    /// Reports text that belongs to no token; adjacent pieces are one mistake.
    fn unknown(&mut self, report: &mut Report) {
        let (place, text) = (self.span(), self.inner.slice());
        if text.starts_with('"') {
            let rest = self.inner.remainder();
            let length = rest.find('\n').unwrap_or(rest.len());
            self.inner.bump(length);
            let diagnostic = Diagnostic::error("PD0002", "this name of a rule does not end")
                .at(place, "it begins here")
                .help("end it with `\"` on the same line");
            return report.push(diagnostic);
        }
        let continues = self.unknown.is_some_and(|last| last.end == place.start);
        self.unknown = Some(place);
        if !continues {
            report.push(
                Diagnostic::error("PD0001", format!("{} does not belong to the language", describe_character(text)))
                    .at(place, "not understood")
                    .help("remove it; comments begin with `#` or `%`"),
            );
        }
    }
}

/// True when only blanks precede the place on its line.
pub(crate) fn is_first_on_line(source: &Source, span: Span) -> bool {
    let before = &source.text().as_bytes()[..span.start as usize];
    let blank = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    blank.is_none_or(|byte| *byte == b'\n')
}

impl Token {
    /// How the token is called in messages.
    pub(crate) fn describe(self, text: &str) -> String {
        match self {
            Self::EndOfFile => "the end of the file".to_owned(),
            _ => format!("`{text}`"),
        }
    }

    /// True for words that could be names were they not reserved.
    pub(crate) fn is_word(self) -> bool {
        (self as u8) <= (Self::Exists as u8)
    }
}
