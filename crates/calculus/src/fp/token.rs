//! Tokens: the words of the language, with the comments between them set aside.

use logos::Logos;
use text::{Piece, Rules, Scanner};

use crate::MAX_DEPTH;

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
    /// True for words that could be names were they not reserved: they come first in the list of tokens.
    pub(crate) fn is_word(self) -> bool {
        (self as u8) <= (Self::False as u8)
    }

    /// True for the words that begin a declaration.
    pub(crate) fn begins_item(self) -> bool {
        (self as u8) <= (Self::Query as u8)
    }
}

impl<'s> text::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "FP0001",
        unexpected: "FP0003",
        too_deep: "FP0004",
        too_deep_help: "move parts of the formula into a `define` of their own",
        max_depth: MAX_DEPTH,
        more: "FP0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        match self {
            Self::LineComment => Piece::Comment,
            Self::BlockComment => {
                scanner.take_block("FP0002");
                Piece::Comment
            }
            token => Piece::Token(token),
        }
    }

    fn unknown_help(text: &str) -> &'static str {
        match text {
            "~" => "negation is written `!`",
            "#" => "a comment begins with `//`",
            "^" | "%" | "/" => "the operators on numbers are `+`, `-` and `*`",
            _ => "remove it",
        }
    }
}
