//! Tokens: the words of the language, with the comments between them set aside.

use base::{Diagnostic, Source, Span};
use logos::Logos;

use crate::fp::syntax::Comment;
use base::report::{Report, describe_character};

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(crate) enum Token {
    #[token("param")]
    Param,
    #[token("sort")]
    Sort,
    #[token("input")]
    Input,
    #[token("define")]
    Define,
    #[token("mu")]
    Mu,
    #[token("nu")]
    Nu,
    #[token("order")]
    Order,
    #[token("query")]
    Query,
    #[token("enum")]
    Enum,
    #[token("exists")]
    Exists,
    #[token("forall")]
    Forall,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[regex(r"[A-Za-z_][A-Za-z0-9_']*")]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+[A-Za-z_'][A-Za-z0-9_']*")]
    BadNumber,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    Dots,
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
    #[token("!")]
    Not,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("->")]
    #[token("=>")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    Iff,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    /// The end of the file; the lexer never makes it from text.
    EndOfFile,
}

impl Token {
    /// How the token is called in messages.
    pub(crate) fn describe(self, text: &str) -> String {
        match self {
            Self::EndOfFile => "the end of the file".to_owned(),
            _ => format!("`{text}`"),
        }
    }

    /// True for words that could be names were they not reserved: they come first in the list of tokens.
    pub(crate) fn is_word(self) -> bool {
        (self as u8) <= (Self::False as u8)
    }

    /// True for the words that begin a declaration.
    pub(crate) fn begins_item(self) -> bool {
        (self as u8) <= (Self::Query as u8)
    }
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
    /// An empty line lies between the token and the token or comment before it.
    pub(crate) blank_before: bool,
    /// Text that belongs to no token precedes the token, and has been reported.
    pub(crate) after_unknown: bool,
}

/// Reads tokens one by one.
pub(crate) struct Lexer<'s> {
    source: &'s Source,
    inner: logos::Lexer<'s, Token>,
    comments: Vec<Comment>,
    /// End of the last token or comment.
    last_end: usize,
    /// The last text that belongs to no token.
    unknown: Option<Span>,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut inner = Token::lexer(source.text());
        let mark = if source.text().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        inner.bump(mark);
        Self { source, inner, comments: Vec::new(), last_end: mark, unknown: None }
    }

    /// The comments met so far, in order.
    pub(crate) fn into_comments(self) -> Vec<Comment> {
        self.comments
    }

    /// The next token; after the last one the end of the file, for ever.
    pub(crate) fn next(&mut self, report: &mut Report) -> Lexeme {
        let mut after_unknown = false;
        loop {
            let next = self.inner.next();
            let end = self.source.text().len();
            let span = if next.is_some() { self.inner.span() } else { end..end };
            let newlines = self.newlines_before(span.start);
            let place = Span::new(span.start, span.end);
            let lexeme = |token| Lexeme { token, span: place, blank_before: newlines > 1, after_unknown };
            match next {
                None => return lexeme(Token::EndOfFile),
                Some(Ok(Token::LineComment)) => self.comment(span, newlines),
                Some(Ok(Token::BlockComment)) => self.block_comment(span, newlines, report),
                Some(Err(())) => {
                    self.unknown(place, report);
                    after_unknown = true;
                }
                Some(Ok(token)) => {
                    self.last_end = span.end;
                    return lexeme(token);
                }
            }
        }
    }

    fn newlines_before(&self, start: usize) -> usize {
        let gap = &self.source.text().as_bytes()[self.last_end.min(start)..start];
        gap.iter().filter(|byte| **byte == b'\n').count()
    }

    fn comment(&mut self, span: std::ops::Range<usize>, newlines: usize) {
        let text = self.source.text()[span.clone()].trim_end().into();
        let first_on_line = newlines > 0 || self.last_end == 0;
        self.comments.push(Comment { start: span.start as u32, text, first_on_line, blank_before: newlines > 1 });
        self.last_end = span.end;
    }

    fn block_comment(&mut self, span: std::ops::Range<usize>, newlines: usize, report: &mut Report) {
        let rest = self.inner.remainder();
        let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
        if !rest[..length].ends_with("*/") {
            let diagnostic = Diagnostic::error("FP0002", "this comment does not end")
                .at(Span::new(span.start, span.end), "it begins here")
                .help("end it with `*/`");
            report.push(diagnostic);
        }
        self.inner.bump(length);
        self.comment(span.start..span.end + length, newlines);
    }

    /// Reports text that belongs to no token; adjacent pieces are one mistake.
    fn unknown(&mut self, place: Span, report: &mut Report) {
        self.last_end = place.end as usize;
        let continues = self.unknown.is_some_and(|last| last.end == place.start);
        self.unknown = Some(place);
        if !continues {
            report.push(unknown_text(self.source.slice(place), place));
        }
    }
}

fn unknown_text(text: &str, span: Span) -> Diagnostic {
    let help = match text {
        "~" => "negation is written `!`",
        "#" => "a comment begins with `//`",
        "^" | "%" | "/" => "the operators on numbers are `+`, `-` and `*`",
        _ => "remove it",
    };
    Diagnostic::error("FP0001", format!("{} does not belong to the language", describe_character(text)))
        .at(span, "not understood")
        .help(help)
}
