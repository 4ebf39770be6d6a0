//! Tokens: the words of the language. Comments are dropped.

use base::Diagnostic;
use logos::Logos;
use text::{Piece, Rules, Scanner};

use calculus::MAX_DEPTH;

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
    /// True for what begins a definition or a directive.
    pub(crate) fn begins_item(self) -> bool {
        matches!(self, Self::Class | Self::Enum | Self::Mu | Self::Nu | Self::Directive)
    }
}

impl<'s> text::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "MU0001",
        unexpected: "MU0003",
        too_deep: "MU0004",
        too_deep_help: "move parts of the formula into definitions of their own",
        max_depth: MAX_DEPTH,
        more: "MU0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        match self {
            Self::BlockComment => {
                scanner.take_block("MU0002");
                Piece::Nothing
            }
            Self::OpenText => {
                let diagnostic = Diagnostic::error("MU0008", "this text does not end");
                scanner.report(diagnostic.at(scanner.span(), "it begins here"));
                scanner.take(scanner.rest().len());
                Piece::Mistaken(Self::EndOfFile)
            }
            // What follows is not read by the original either, whatever it is.
            Self::Directive if scanner.slice() == "#quit" => {
                scanner.take(scanner.rest().len());
                Piece::Token(Self::EndOfFile)
            }
            token => Piece::Token(token),
        }
    }

    fn unknown_help(_: &str) -> &'static str {
        "remove it"
    }
}
