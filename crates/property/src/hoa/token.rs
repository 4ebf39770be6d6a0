//! The words of the format.

use base::{Diagnostic, Diagnostics, Source, Span};
use logos::{Lexer, Logos};

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(super) enum Token {
    #[token("--BODY--")]
    Body,
    #[token("--END--")]
    Finish,
    #[token("--ABORT--")]
    Abort,
    #[regex(r"[a-zA-Z_][0-9a-zA-Z_-]*:")]
    Header,
    #[regex(r"[a-zA-Z_][0-9a-zA-Z_-]*")]
    Word,
    #[regex(r"@[0-9a-zA-Z_-]+")]
    Alias,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r#""([^"\\]|\\[\s\S])*""#)]
    Text,
    #[token("!")]
    Not,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenLabel,
    #[token("]")]
    CloseLabel,
    #[token("{")]
    OpenSet,
    #[token("}")]
    CloseSet,
    #[token("/*", comment)]
    Comment,
    /// After the last token.
    End,
}

/// Comments nest. Without an end the comment is only its beginning.
fn comment(lexer: &mut Lexer<'_, Token>) -> bool {
    let mut open = 1;
    let bytes = lexer.remainder().as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => open += 1,
            b"*/" => open -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if open == 0 {
            lexer.bump(at);
            return true;
        }
    }
    false
}

/// The tokens with their places, `End` last. What is no token is reported and dropped.
pub(super) fn tokens(source: &Source, diagnostics: &mut Diagnostics) -> Vec<(Token, Span)> {
    let mut tokens = Vec::new();
    for (token, range) in Token::lexer(source.text()).spanned() {
        let span = source.span(range);
        match token {
            Ok(Token::Comment) => {}
            Ok(token) => tokens.push((token, span)),
            Err(()) => {
                let text = source.slice(span);
                let message = match text.chars().next() {
                    Some('"') => "this text has no end".to_owned(),
                    Some('/') => "this comment has no end".to_owned(),
                    _ => format!("`{text}` has no meaning in this format"),
                };
                diagnostics.push(Diagnostic::error("LT0100", message).at(span, ""));
                // One is enough: such a file is in another format.
                break;
            }
        }
    }
    tokens.push((Token::End, source.end()));
    tokens
}
