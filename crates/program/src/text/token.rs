//! Words of the text form, and how names are quoted.

use std::fmt::Write as _;

use base::{Diagnostic, Diagnostics, Source, Span};
use logos::Logos;

use super::codes;

/// The kind of a word.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Word,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Quoted,
    #[regex(r"[0-9]+")]
    Nat,
    #[regex(r"-[0-9]+")]
    Negative,
    #[regex(r"[0-9]+u[0-9]+")]
    Bits,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("::")]
    Scope,
    #[token(".")]
    Dot,
    #[token("#")]
    Hash,
    #[token("'")]
    Prime,
    #[token(":=")]
    Assign,
    #[token("->")]
    Arrow,
    #[token("=>")]
    Implies,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("=")]
    Equal,
    #[token("!=")]
    Unequal,
    #[token("!")]
    Not,
    /// After the last word.
    End,
}

/// Words that are not names unless they are quoted.
const KEYWORDS: [&str; 31] = [
    "any",
    "atomic",
    "between",
    "bits",
    "bool",
    "call",
    "do",
    "enter",
    "entry",
    "enum",
    "exit",
    "false",
    "havoc",
    "init",
    "int",
    "leave",
    "local",
    "private",
    "procedure",
    "result",
    "saved",
    "shared",
    "spawn",
    "start",
    "thread",
    "true",
    "uninterruptible",
    "untouched",
    "violation",
    "when",
    "where",
];

/// The words of a text with their places; the last one is [`Token::End`].
pub(super) fn tokens(source: &Source, diagnostics: &mut Diagnostics) -> Vec<(Token, Span)> {
    let mut tokens: Vec<(Token, Span)> = Vec::new();
    let mut unknown: Option<Span> = None;
    let mut report = |unknown: &mut Option<Span>| {
        if let Some(span) = unknown.take() {
            let message = format!("{:?} belongs to no word", source.slice(span));
            diagnostics
                .push(Diagnostic::error(codes::CHARACTER, message).at(span, "").help("quote names that need it"));
        }
    };
    for (token, range) in Token::lexer(source.text()).spanned() {
        let span = source.span(range);
        match token {
            Ok(token) => {
                report(&mut unknown);
                tokens.push((token, span));
            }
            Err(()) => {
                unknown = Some(unknown.filter(|unknown| unknown.end == span.start).map_or(span, |it| it.to(span)))
            }
        }
    }
    report(&mut unknown);
    tokens.push((Token::End, source.end()));
    tokens
}

/// True when a word is a keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// A name as it is written: itself, or in quotes if it is not a plain word.
#[must_use]
pub fn quote(name: &str) -> String {
    let mut text = String::new();
    push_name(&mut text, name);
    text
}

/// Appends a name as it is written.
pub(super) fn push_name(text: &mut String, name: &str) {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || "_$".contains(first));
    let goes_on = chars.all(|char| char.is_ascii_alphanumeric() || "_$".contains(char));
    if starts && goes_on && !is_keyword(name) {
        text.push_str(name);
        return;
    }
    text.push('"');
    for char in name.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            char if is_invisible(char) => {
                let written = write!(text, "\\u{{{:x}}}", char as u32);
                assert!(written.is_ok(), "writing to a string does not fail");
            }
            char => text.push(char),
        }
    }
    text.push('"');
}

/// Characters that a reader cannot see, or that change how others look.
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The name that a quoted word stands for; the place of a wrong escape, relative to the word.
pub(super) fn unquote(word: &str) -> Result<String, std::ops::Range<usize>> {
    let inner = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or("");
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((at, char)) = chars.next() {
        if char != '\\' {
            name.push(char);
            continue;
        }
        let escape = at + 1..at + 3;
        name.push(match chars.next().map(|(_, char)| char) {
            Some(char @ ('"' | '\\')) => char,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let rest = &inner[at + 2..];
                let hex = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(hex, _)| hex);
                let hex = hex.filter(|hex| hex.len() <= 6 && hex.chars().all(|char| char.is_ascii_hexdigit()));
                let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
                let Some((hex, char)) = hex.zip(code) else { return Err(escape) };
                chars.nth(hex.len() + 1);
                char
            }
            _ => return Err(escape),
        });
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn quoting_keeps_every_name() {
        for name in ["x", "_a$1", "true", "", "a b", "{x<10}", "\"\\\n\r\t\u{0}\u{202e}é😀", "1x", "u{41}", "\\u{41}"]
        {
            let quoted = quote(name);
            let back = if quoted.starts_with('"') { unquote(&quoted) } else { Ok(quoted.clone()) };
            assert_eq!(back.as_deref(), Ok(name), "{quoted}");
            assert!(!quoted.contains(|char: char| char.is_control()));
        }
        assert_eq!(quote("x"), "x");
        assert_eq!(quote("true"), "\"true\"");
    }

    #[test]
    fn wrong_escapes_are_refused() {
        for word in [r#""\q""#, r#""\u{}""#, r#""\u{110000}""#, r#""\u{d800}""#, r#""\u{41""#, r#""\u41""#, r#""\""#] {
            assert!(unquote(word).is_err(), "{word}");
        }
        assert_eq!(unquote(r#""\u{41}b""#).as_deref(), Ok("Ab"));
    }
}
