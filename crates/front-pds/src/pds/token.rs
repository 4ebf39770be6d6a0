//! Tokens of pushdown systems.
//!
//! Nothing is dropped silently: a character that belongs to no token is reported, and so is a `{` that hides the rest of
//! its line.

use base::Diagnostic;
use logos::Logos;
use text::{Piece, Rules, Scanner};

use crate::MAX_DEPTH;

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

impl<'s> text::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "PD0001",
        unexpected: "PD0003",
        too_deep: "PD0004",
        too_deep_help: "split the expression",
        max_depth: MAX_DEPTH,
        more: "PD0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        if self == Self::OpenBrace && scanner.is_first_on_line() {
            brace_comment(scanner);
            return Piece::Nothing;
        }
        Piece::Token(self)
    }

    fn unknown(scanner: &mut Scanner<'s, Self>) -> Option<Diagnostic> {
        crate::rule::endless_name(scanner)
    }

    fn unknown_help(_: &str) -> &'static str {
        "remove it; comments begin with `#` or `%`"
    }

    fn misplaced_help(self, text: &str) -> Option<String> {
        self.is_word().then(|| format!("`{text}` is a word of the language and no name"))
    }
}

/// A `{` at the start of a line hides the line, as it does in Moped.
fn brace_comment(scanner: &mut Scanner<'_, Token>) {
    scanner.take_line();
    let diagnostic = Diagnostic::warning("PD0050", "a `{` that begins a line makes the line a comment")
        .at(scanner.span(), "not read")
        .help("begin comments with `#`; a group `{ ... }` must not be the first thing on a line");
    scanner.report(diagnostic);
}

impl Token {
    /// True for words that could be names were they not reserved.
    pub(crate) fn is_word(self) -> bool {
        (self as u8) <= (Self::Exists as u8)
    }
}
