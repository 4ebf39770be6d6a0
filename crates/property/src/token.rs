//! The words of formulae.

use base::{Diagnostic, Diagnostics, Source, Span};
use logos::Logos;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(crate) enum Token {
    #[token("true")]
    #[token("1")]
    True,
    #[token("false")]
    #[token("0")]
    False,
    #[token("!")]
    Not,
    #[token("X")]
    Next,
    #[token("F")]
    #[token("<>")]
    Finally,
    #[token("G")]
    #[token("[]")]
    Globally,
    #[token("U")]
    Until,
    #[token("W")]
    WeakUntil,
    #[token("R")]
    #[token("V")]
    Release,
    #[token("M")]
    StrongRelease,
    #[token("&&")]
    #[token("&")]
    #[token("/\\")]
    And,
    #[token("||")]
    #[token("|")]
    #[token("\\/")]
    Or,
    #[token("->")]
    #[token("=>")]
    Implies,
    #[token("<->")]
    #[token("<=>")]
    Iff,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r"[A-Za-z_][A-Za-z0-9_.]*(:+[A-Za-z0-9_.]+)*", priority = 1)]
    Name,
    #[regex(r"[0-9]+", priority = 1)]
    Number,
    #[regex(r#""[^"]*""#)]
    Text,
    #[token("\"")]
    OpenText,
    /// After the last token.
    End,
}

/// The tokens of a part of the source with their places, `End` last. Characters that belong to no token are reported and
/// dropped.
pub(crate) fn tokens(source: &Source, within: Span, diagnostics: &mut Diagnostics) -> Vec<(Token, Span)> {
    let start = within.start as usize;
    let mut tokens = Vec::new();
    let mut unknown: Option<Span> = None;
    for (token, range) in Token::lexer(source.slice(within)).spanned() {
        let span = source.span(start + range.start..start + range.end);
        match token {
            Ok(Token::OpenText) => {
                let message = "this text has no end";
                let help = "close it with a quotation mark";
                diagnostics.push(Diagnostic::error("LT0002", message).at(span, "begins here").help(help));
                // The rest belongs to the text; in its place stands something that needs no further message.
                tokens.push((Token::True, Span { end: within.end, ..span }));
                break;
            }
            Ok(token) => tokens.push((token, span)),
            // Neighbours are one message: nobody wants ten for ten Cyrillic letters.
            Err(()) => match &mut unknown {
                Some(before) if before.end == span.start => before.end = span.end,
                _ => {
                    report_unknown(source, unknown.replace(span), diagnostics);
                }
            },
        }
    }
    report_unknown(source, unknown, diagnostics);
    tokens.push((Token::End, within.behind()));
    tokens
}

fn report_unknown(source: &Source, span: Option<Span>, diagnostics: &mut Diagnostics) {
    let Some(span) = span else { return };
    let text = source.slice(span);
    let help = match text {
        "~" => Some("negation is written `!`"),
        "^" => Some("write `!(a <-> b)` for either-or"),
        _ if text.starts_with(['=', '<', '>', '+', '-', '*', '%']) => {
            Some("an expression over variables stands between quotation marks: \"x > 3\"")
        }
        _ => None,
    };
    let mut diagnostic = Diagnostic::error("LT0001", format!("`{text}` has no meaning in a formula")).at(span, "");
    diagnostic.help = help.map(str::to_owned);
    diagnostics.push(diagnostic);
}
