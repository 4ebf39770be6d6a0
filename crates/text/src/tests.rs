//! A small language: lists of names in parentheses, with comments.

use base::{Diagnostic, Diagnostics, Source};
use logos::Logos;

use crate::{Comment, Cursor, Descent, Piece, Rules, Scanner};

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
enum Token {
    #[regex("[a-z]+")]
    Name,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token("/*")]
    Comment,
    #[token("!")]
    Shout,
    EndOfFile,
}

impl<'s> crate::Token<'s> for Token {
    const END_OF_FILE: Self = Self::EndOfFile;
    const COMMA: Self = Self::Comma;
    const RULES: Rules = Rules {
        unknown: "X0001",
        unexpected: "X0003",
        too_deep: "X0004",
        too_deep_help: "write less",
        max_depth: 3,
        more: "X0099",
    };

    fn piece(self, scanner: &mut Scanner<'s, Self>) -> Piece<Self> {
        match self {
            Self::Comment => {
                scanner.take_block("X0002");
                Piece::Comment
            }
            Self::Shout => {
                scanner.report(Diagnostic::error("X0005", "too loud").at(scanner.span(), ""));
                Piece::Mistaken(Self::Semicolon)
            }
            token => Piece::Token(token),
        }
    }

    fn unknown_help(_: &str) -> &'static str {
        "remove it"
    }

    fn misplaced_help(self, text: &str) -> Option<String> {
        (self == Self::Close).then(|| format!("nothing is open before `{text}`"))
    }
}

struct Parser<'s>(Cursor<'s, Token>);

impl<'s> Descent<'s> for Parser<'s> {
    type Token = Token;

    fn cursor(&self) -> &Cursor<'s, Token> {
        &self.0
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'s, Token> {
        &mut self.0
    }
}

impl Parser<'_> {
    /// Lists, each behind its place in the layout.
    fn file(&mut self) -> String {
        let mut read = String::new();
        while self.token() != Token::EndOfFile {
            let (line, blank) = (self.is_first_on_line(), self.blank_before());
            match self.list(Self::item) {
                Some(items) if self.eat(Token::Semicolon).is_some() => {
                    let layout = if blank {
                        "="
                    } else if line {
                        "-"
                    } else {
                        ""
                    };
                    read += &format!("{layout}{};", items.join(","));
                }
                Some(_) => self.unexpected("`;`"),
                None => {
                    self.set_depth(0);
                    self.skip_behind(Token::Semicolon, |token| token == Token::Open);
                }
            }
        }
        read
    }

    fn item(&mut self) -> Option<String> {
        if let Some(open) = self.eat(Token::Open) {
            self.descend()?;
            let items = self.list(Self::item)?;
            self.close(open, Token::Close, "`,` or `)`")?;
            self.ascend();
            return Some(format!("({})", items.join(",")));
        }
        let text = self.text();
        self.expect(Token::Name, "a name").map(|_| text.to_owned())
    }
}

fn parse(text: &str) -> (Option<(String, Vec<Comment>)>, Diagnostics) {
    let source = Source::new("x", text);
    let mut parser = Parser(Cursor::new(&source));
    let read = parser.file();
    parser.0.finish(|comments| (read, comments))
}

fn read(text: &str) -> String {
    let (tree, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    tree.map(|(read, _)| read).unwrap_or_default()
}

/// Codes and messages.
fn mistakes(text: &str) -> Vec<String> {
    parse(text).1.iter().map(|mistake| format!("{} {}", mistake.code, mistake.message)).collect()
}

#[test]
fn lists_and_layout() {
    assert_eq!(read("a, (b, c); d;\ne;\n\n f;"), "-a,(b,c);d;-e;=f;");
    assert_eq!(read("\u{FEFF}a;"), "-a;", "a byte order mark is no text");
    assert_eq!(read(""), "");
}

#[test]
fn comments_come_back_with_their_layout() {
    let (tree, _) = parse("a; /* one */\n\n/* two\n */ b;");
    let (read, comments) = tree.unwrap_or_default();
    assert_eq!(read, "-a;-b;", "a comment does not separate a token from the beginning of its line");
    let found: Vec<_> = comments.iter().map(|it| (it.start, &*it.text, it.first_on_line, it.blank_before)).collect();
    assert_eq!(found, [(3, "/* one */", false, false), (14, "/* two\n */", true, true)]);
}

#[test]
fn mistakes_are_reported_once_and_reading_goes_on() {
    assert_eq!(
        mistakes("a ??? ; b"),
        ["X0001 `?` does not belong to the language", "X0003 expected `;`, found the end of the file"]
    );
    assert_eq!(mistakes("a ? b; /*"), ["X0001 `?` does not belong to the language", "X0002 this comment does not end"]);
    assert_eq!(mistakes("a! b;"), ["X0005 too loud"], "what is read in its place is no further mistake");
    assert_eq!(mistakes("(a; ,; b;"), ["X0003 expected `,` or `)`, found `;`", "X0003 expected a name, found `,`"]);
}

#[test]
fn messages_show_what_was_opened_and_what_helps() {
    let (_, diagnostics) = parse("(a; );");
    let shown: Vec<_> = diagnostics.iter().map(|it| (it.secondary.len(), it.help.as_deref())).collect();
    assert_eq!(shown, [(1, None), (0, Some("nothing is open before `)`"))]);
}

#[test]
fn nesting_beyond_the_limit_ends_reading() {
    assert_eq!(read("(((a)));"), "-(((a)));");
    let (tree, diagnostics) = parse("((((a)))); ?");
    assert!(tree.is_none());
    let found: Vec<_> = diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(found, ["nested more than 3 levels deep"]);
}
