//! Tokens: the words of the language, with the comments between them set aside.
//!
//! Nothing is dropped silently: a character that belongs to no token is reported, and comments are kept for the
//! formatter.

use base::{Diagnostic, Source, Span};
use logos::Logos;

use crate::syntax::Comment;
use base::report::{Report, describe_character};

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(crate) enum Token {
    #[token("decl")]
    Decl,
    #[token("bool")]
    Bool,
    #[token("void")]
    Void,
    #[token("begin")]
    Begin,
    #[token("end")]
    End,
    #[token("enforce")]
    Enforce,
    #[token("init")]
    Init,
    #[token("thread")]
    Thread,
    #[token("skip")]
    Skip,
    #[token("call")]
    Call,
    #[token("return")]
    Return,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("elsif")]
    Elsif,
    #[token("else")]
    Else,
    #[token("fi")]
    Fi,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("goto")]
    Goto,
    #[token("assume")]
    Assume,
    #[token("constrain")]
    Constrain,
    #[token("assert")]
    Assert,
    #[token("dead")]
    Dead,
    #[token("print")]
    Print,
    #[token("abortif")]
    Abortif,
    #[token("atomic_begin")]
    AtomicBegin,
    #[token("atomic_end")]
    AtomicEnd,
    #[token("start_thread")]
    StartThread,
    #[token("async")]
    Async,
    #[token("end_thread")]
    EndThread,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("schoose")]
    Schoose,
    #[token("choose")]
    Choose,
    #[token("true")]
    True,
    #[token("false")]
    False,
    /// Also the names in braces, which [`Lexer`] makes of [`Token::OpenBrace`].
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$.@]*")]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+[A-Za-z_$.@][A-Za-z0-9_$.@]*")]
    BadNumber,
    #[token(":=")]
    Becomes,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("'")]
    Prime,
    #[token("*")]
    Star,
    #[token("?")]
    Question,
    #[token("=>")]
    #[token("->")]
    Implies,
    #[token("<=>")]
    Iff,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("!")]
    #[token("~")]
    Not,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token("#")]
    Hash,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    /// The end of the source; the lexer never makes it from text.
    EndOfFile,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
    /// The token is the first on its line.
    pub(crate) first_on_line: bool,
    /// An empty line lies between the token and the token or comment before it.
    pub(crate) blank_before: bool,
    /// Text that belongs to no token precedes the token, and has been reported.
    pub(crate) after_unknown: bool,
}

/// Reads tokens one by one, so that a huge file does not become a huge table.
pub(crate) struct Lexer<'s> {
    source: &'s Source,
    inner: logos::Lexer<'s, Token>,
    comments: Vec<Comment>,
    /// End of the last token or comment.
    last_end: usize,
    /// The last text that belongs to no token.
    unknown: Option<Span>,
    /// There is no `}` before this place on its line.
    unclosed_until: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut inner = Token::lexer(source.text());
        let mark = if source.text().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        inner.bump(mark);
        Self { source, inner, comments: Vec::new(), last_end: mark, unknown: None, unclosed_until: 0 }
    }

    /// The comments met so far, in order.
    pub(crate) fn into_comments(self) -> Vec<Comment> {
        self.comments
    }

    /// The next token; after the last one the end of the file, for ever.
    pub(crate) fn next(&mut self, report: &mut Report) -> Lexeme {
        let (mut first_on_line, mut after_unknown) = (self.last_end == 0, false);
        loop {
            let next = self.inner.next();
            let span = if next.is_some() { self.inner.span() } else { self.end_of_file() };
            let newlines = self.newlines_before(span.start);
            let (alone, blank_before) = (newlines > 0 || self.last_end == 0, newlines > 1);
            first_on_line |= alone;
            match next {
                None => {
                    let (token, span) = (Token::EndOfFile, of(&span));
                    return Lexeme { token, span, first_on_line, blank_before, after_unknown };
                }
                Some(Ok(Token::LineComment)) => self.comment(span, alone, blank_before),
                Some(Ok(Token::BlockComment)) => self.block_comment(span, alone, blank_before, report),
                Some(Ok(Token::Hash)) if alone => self.hash_comment(span, blank_before),
                Some(Ok(Token::Hash) | Err(())) => {
                    self.unknown(&span, report);
                    after_unknown = true;
                }
                Some(Ok(token)) => {
                    let (token, span) = self.with_braces(token, of(&span), report);
                    self.last_end = span.end as usize;
                    return Lexeme { token, span, first_on_line, blank_before, after_unknown };
                }
            }
        }
    }

    fn end_of_file(&self) -> std::ops::Range<usize> {
        self.source.text().len()..self.source.text().len()
    }

    fn newlines_before(&self, start: usize) -> usize {
        let gap = &self.source.text().as_bytes()[self.last_end.min(start)..start];
        gap.iter().filter(|byte| **byte == b'\n').count()
    }

    fn comment(&mut self, span: std::ops::Range<usize>, first_on_line: bool, blank_before: bool) {
        let text = self.source.text()[span.clone()].trim_end();
        self.comments.push(Comment { start: span.start as u32, text: text.into(), first_on_line, blank_before });
        self.last_end = span.end;
    }

    fn hash_comment(&mut self, span: std::ops::Range<usize>, blank_before: bool) {
        let rest = self.inner.remainder();
        let length = rest.find('\n').unwrap_or(rest.len());
        self.inner.bump(length);
        self.comment(span.start..span.end + length, true, blank_before);
    }

    fn block_comment(&mut self, span: std::ops::Range<usize>, first: bool, blank: bool, report: &mut Report) {
        let rest = self.inner.remainder();
        let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
        if !rest[..length].ends_with("*/") {
            let diagnostic = Diagnostic::error("BP0002", "this comment does not end")
                .at(of(&span), "it begins here")
                .help("end it with `*/`");
            report.push(diagnostic);
        }
        self.inner.bump(length);
        self.comment(span.start..span.end + length, first, blank);
    }

    /// `{` and the text up to `}` on the same line are a name. A brace without partner is a mistake; reading goes on as if
    /// the block had been written as it should.
    fn with_braces(&mut self, token: Token, span: Span, report: &mut Report) -> (Token, Span) {
        let (text, help, word) = match token {
            Token::OpenBrace => {
                if let Some(length) = self.rest_of_name(span.end as usize) {
                    self.inner.bump(length);
                    return (Token::Name, Span { end: span.end + length as u32, ..span });
                }
                ("{", "end the name with `}`; a block begins with `begin`", Token::Begin)
            }
            Token::CloseBrace => ("}", "begin the name with `{`; a block ends with `end`", Token::End),
            other => return (other, span),
        };
        report.push(
            Diagnostic::error("BP0003", format!("`{text}` without a partner on the same line"))
                .at(span, "braces enclose a name")
                .help(help),
        );
        (word, span)
    }

    /// Length of a name behind its `{`. A line without `}` is searched only once.
    fn rest_of_name(&mut self, start: usize) -> Option<usize> {
        if start < self.unclosed_until {
            return None;
        }
        let rest = &self.source.text().as_bytes()[start..];
        let end = rest.iter().position(|byte| matches!(byte, b'}' | b'\n')).unwrap_or(rest.len());
        let closed = rest.get(end) == Some(&b'}');
        self.unclosed_until = if closed { 0 } else { start + end };
        closed.then_some(end + 1)
    }

    /// Reports text that belongs to no token; adjacent pieces are one mistake.
    fn unknown(&mut self, span: &std::ops::Range<usize>, report: &mut Report) {
        let (place, text) = (of(span), &self.source.text()[span.clone()]);
        self.last_end = span.end;
        if text == "#" {
            // Meant as a comment: one mistake, however many words follow.
            let rest = self.inner.remainder();
            let length = rest.find('\n').unwrap_or(rest.len());
            self.inner.bump(length);
            self.last_end += length;
        }
        let continues = self.unknown.is_some_and(|last| last.end == place.start);
        self.unknown = Some(place);
        if !continues {
            report.push(unknown_text(text, place));
        }
    }
}

fn of(range: &std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

fn unknown_text(text: &str, span: Span) -> Diagnostic {
    let help = match text {
        "#" => "`#` begins a comment only at the start of a line; use `//`",
        "+" | "-" | "/" | "%" => "all values are Boolean: there is no arithmetic",
        _ => "remove it",
    };
    Diagnostic::error("BP0001", format!("{} does not belong to the language", describe_character(text)))
        .at(span, "not understood")
        .help(help)
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

    /// True for words that are reserved only where they begin a construct of their own.
    pub(crate) fn is_soft(self) -> bool {
        use Token as T;
        matches!(
            self,
            T::Init
                | T::Thread
                | T::Call
                | T::Dead
                | T::Print
                | T::Abortif
                | T::Async
                | T::Break
                | T::Continue
                | T::Schoose
                | T::Choose
        )
    }
}

/// True for a name that is also a word which begins a construct of its own.
pub(crate) fn is_soft_word(text: &str) -> bool {
    matches!(Token::lexer(text).next(), Some(Ok(token)) if token.is_soft())
}
