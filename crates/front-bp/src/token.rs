//! Tokens: the words of the language, with the comments between them set aside.
//!
//! Nothing is dropped silently: a character that belongs to no token is reported, and comments are kept for the
//! formatter.

use base::Diagnostic;
use logos::Logos;
use text::{Piece, Rules, Scanner};

use crate::MAX_DEPTH;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+", extras = Braces)]
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
    /// Also the names in braces, which are made of [`Token::OpenBrace`].
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

impl<'s> text::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "BP0001",
        unexpected: "BP0004",
        too_deep: "BP0006",
        too_deep_help: "split the expression or the procedure",
        max_depth: MAX_DEPTH,
        more: "BP0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        match self {
            Self::LineComment => Piece::Comment,
            Self::BlockComment => {
                scanner.take_block("BP0002");
                Piece::Comment
            }
            Self::Hash if scanner.is_first_on_line() => {
                scanner.take_line();
                Piece::Comment
            }
            Self::Hash => Piece::Unknown,
            Self::OpenBrace => open_brace(scanner),
            Self::CloseBrace => {
                lone_brace(scanner, "begin the name with `{`; a block ends with `end`");
                Piece::Mistaken(Self::End)
            }
            token => Piece::Token(token),
        }
    }

    fn unknown(scanner: &mut Scanner<'s, Self>) -> Option<Diagnostic> {
        if scanner.slice() == "#" {
            // Meant as a comment: one mistake, however many words follow.
            scanner.take_line();
        }
        None
    }

    fn unknown_help(text: &str) -> &'static str {
        match text {
            "#" => "`#` begins a comment only at the start of a line; use `//`",
            "+" | "-" | "/" | "%" => "all values are Boolean: there is no arithmetic",
            _ => "remove it",
        }
    }
}

/// What is known about the braces of the current line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Braces {
    /// There is no `}` before this place on its line.
    unclosed_until: usize,
}

/// `{` and the text up to `}` on the same line are a name. A brace without partner is a mistake; reading goes on as if
/// the block had been written as it should.
fn open_brace(scanner: &mut Scanner<'_, Token>) -> Piece<Token> {
    if let Some(length) = rest_of_name(scanner) {
        scanner.take(length);
        return Piece::Token(Token::Name);
    }
    lone_brace(scanner, "end the name with `}`; a block begins with `begin`");
    Piece::Mistaken(Token::Begin)
}

fn lone_brace(scanner: &mut Scanner<'_, Token>, help: &str) {
    let message = format!("`{}` without a partner on the same line", scanner.slice());
    let diagnostic = Diagnostic::error("BP0003", message).at(scanner.span(), "braces enclose a name");
    scanner.report(diagnostic.help(help));
}

/// Length of a name behind its `{`. A line without `}` is searched only once.
fn rest_of_name(scanner: &mut Scanner<'_, Token>) -> Option<usize> {
    let (start, rest) = (scanner.span().end as usize, scanner.rest().as_bytes());
    if start < scanner.extras().unclosed_until {
        return None;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'}' | b'\n')).unwrap_or(rest.len());
    let closed = rest.get(end) == Some(&b'}');
    scanner.extras().unclosed_until = if closed { 0 } else { start + end };
    closed.then_some(end + 1)
}

impl Token {
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
