//! Tokens of Remopla.

use base::{Diagnostic, Source, Span};
use logos::Logos;

use base::report::{Report, describe_character};

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"(#|//)[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("define")]
    Define,
    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("unsigned")]
    Unsigned,
    #[token("signed")]
    Signed,
    #[token("enum")]
    Enum,
    #[token("struct")]
    Struct,
    #[token("module")]
    Module,
    #[token("void")]
    Void,
    #[token("shared")]
    Shared,
    #[token("init")]
    Init,
    #[token("if")]
    If,
    #[token("fi")]
    Fi,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("return")]
    Return,
    #[token("goto")]
    Goto,
    #[token("break")]
    Break,
    #[token("skip")]
    Skip,
    #[token("fork")]
    Fork,
    #[token("else")]
    Else,
    #[token("undef")]
    Undef,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("A", priority = 3)]
    All,
    #[token("E", priority = 3)]
    Exists,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*")]
    BadNumber,
    #[token("/*")]
    Comment,
    #[token("->")]
    Arrow,
    #[token("-->")]
    LongArrow,
    #[token("::")]
    Guard,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
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
    #[token("=")]
    Becomes,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("<=>")]
    Iff,
    #[token("||")]
    OrOr,
    #[token("^^")]
    XorXor,
    #[token("&&")]
    AndAnd,
    #[token("!")]
    Not,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
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

/// Reads tokens one by one.
pub(crate) struct Lexer<'s> {
    source: &'s Source,
    inner: logos::Lexer<'s, Token>,
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
            let next = self.inner.next();
            let range = self.inner.span();
            let span = Span::new(range.start, range.end);
            match next {
                None => {
                    let end = self.source.text().len();
                    return Lexeme { token: Token::EndOfFile, span: Span::new(end, end), after_unknown };
                }
                Some(Ok(Token::Comment)) => self.comment(span, report),
                Some(Ok(token)) => return Lexeme { token, span, after_unknown },
                Some(Err(())) => {
                    self.unknown(span, report);
                    after_unknown = true;
                }
            }
        }
    }

    fn comment(&mut self, span: Span, report: &mut Report) {
        let rest = self.inner.remainder();
        let end = rest.find("*/");
        self.inner.bump(end.map_or(rest.len(), |end| end + 2));
        if end.is_none() {
            let diagnostic = Diagnostic::error("PD0102", "this comment does not end");
            report.push(diagnostic.at(span, "it begins here").help("end it with `*/`"));
        }
    }

    fn unknown(&mut self, place: Span, report: &mut Report) {
        let continues = self.unknown.is_some_and(|last| last.end == place.start);
        self.unknown = Some(place);
        if !continues {
            let text = describe_character(self.inner.slice());
            report.push(
                Diagnostic::error("PD0101", format!("{text} does not belong to the language"))
                    .at(place, "not understood")
                    .help("remove it; comments begin with `#` or `//`"),
            );
        }
    }
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
