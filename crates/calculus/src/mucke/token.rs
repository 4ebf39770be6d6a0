//! Tokens: the words of the language. Comments are dropped.

use base::{Diagnostic, Source, Span};
use logos::Logos;

use base::report::Report;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("class")]
    #[token("struct")]
    Class,
    #[token("enum")]
    Enum,
    #[token("mu")]
    Mu,
    #[token("nu")]
    Nu,
    #[token("exists")]
    #[token("Exists")]
    #[token("EXISTS")]
    Exists,
    #[token("forall")]
    #[token("Forall")]
    #[token("FORALL")]
    Forall,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("case")]
    Case,
    #[token("esac")]
    Esac,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("assume")]
    Assume,
    #[token("cofactor")]
    Cofactor,
    #[regex(r"[A-Za-z_][A-Za-z0-9_$'#]*")]
    Name,
    #[regex(r"#[A-Za-z0-9_$'#]*")]
    Directive,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r#""[^"]*""#)]
    Text,
    #[token("\"")]
    OpenText,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
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
    And,
    #[token("|")]
    Or,
    #[token("->")]
    Implies,
    #[token("<-")]
    ImpliedBy,
    #[token("<->")]
    Iff,
    #[token("<+>")]
    Xor,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("~+")]
    Interleaved,
    #[token("~-")]
    Separate,
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
    /// End of the last text that belongs to no token.
    unknown: Option<u32>,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        Self { source, inner: Token::lexer(source.text()), unknown: None }
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
                Some(Ok(Token::BlockComment)) => self.block_comment(span, report),
                Some(Ok(Token::OpenText)) => {
                    report.push(Diagnostic::error("MU0008", "this text does not end").at(span, "it begins here"));
                    self.inner.bump(self.inner.remainder().len());
                    after_unknown = true;
                }
                Some(Err(())) => {
                    self.unknown(span, report);
                    after_unknown = true;
                }
                Some(Ok(token)) => return Lexeme { token, span, after_unknown },
            }
        }
    }

    fn block_comment(&mut self, span: Span, report: &mut Report) {
        let rest = self.inner.remainder();
        let length = rest.find("*/").map_or(rest.len(), |at| at + 2);
        if !rest[..length].ends_with("*/") {
            let diagnostic = Diagnostic::error("MU0002", "this comment does not end");
            report.push(diagnostic.at(span, "it begins here").help("end it with `*/`"));
        }
        self.inner.bump(length);
    }

    /// Reports text that belongs to no token; adjacent pieces are one mistake.
    fn unknown(&mut self, span: Span, report: &mut Report) {
        let continues = self.unknown == Some(span.start);
        self.unknown = Some(span.end);
        if !continues {
            let text = base::report::describe_character(self.source.slice(span));
            let message = format!("{text} does not belong to the language");
            report.push(Diagnostic::error("MU0001", message).at(span, "not understood").help("remove it"));
        }
    }
}
