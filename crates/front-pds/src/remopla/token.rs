//! Tokens of Remopla.

use base::Diagnostic;
use logos::Logos;
use text::{Piece, Rules, Scanner};

use crate::MAX_DEPTH;

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
    #[regex("\"[^\"\n]*\"")]
    Text,
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
    #[token("'")]
    Prime,
    /// The end of the source; the lexer never makes it from text.
    EndOfFile,
}

impl<'s> text::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "PD0101",
        unexpected: "PD0103",
        too_deep: "PD0104",
        too_deep_help: "split the expression or the module",
        max_depth: MAX_DEPTH,
        more: "PD0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        if self == Self::Comment {
            scanner.take_block("PD0102");
            return Piece::Nothing;
        }
        Piece::Token(self)
    }

    fn unknown(scanner: &mut Scanner<'s, Self>) -> Option<Diagnostic> {
        crate::rule::endless_name(scanner)
    }

    fn unknown_help(_: &str) -> &'static str {
        "remove it; comments begin with `#` or `//`"
    }
}

impl Token {
    /// True for words that could be names were they not reserved.
    pub(crate) fn is_word(self) -> bool {
        (self as u8) <= (Self::Exists as u8)
    }
}
