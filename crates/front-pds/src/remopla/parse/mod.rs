//! Recursive descent from tokens to the syntax tree.
//!
//! What all parsers share is in [`text`].

mod expression;
mod item;
mod statement;

use base::names::Names;
use base::{Diagnostics, Source};
use text::{Cursor, Descent};

use super::syntax::{Expr, Name, Rule, SyntaxTree};
use super::token::Token;
use crate::rule::{RuleParser, RuleTokens};

/// Reads a source. There is a tree unless reading had to stop.
#[must_use]
pub(crate) fn parse(source: &Source) -> (Option<SyntaxTree>, Diagnostics) {
    let mut parser = Parser::new(source);
    let mut tree = parser.file();
    tree.names = parser.names;
    tree.rules = parser.rules;
    tree.n_statements = parser.n_statements;
    tree.lost_statements = parser.lost_statements;
    parser.cursor.finish(|_| tree)
}

struct Parser<'s> {
    cursor: Cursor<'s, Token>,
    names: Names,
    rules: Vec<(Option<usize>, Rule)>,
    /// Position of the module whose body is being read.
    module: Option<usize>,
    notation: Notation,
    /// How many `if` and `do` are around the statement.
    n_alternatives: usize,
    n_statements: usize,
    lost_statements: bool,
}

/// How expressions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    Statement,
    /// As in pushdown systems.
    Rule,
}

impl<'s> Descent<'s> for Parser<'s> {
    type Token = Token;

    fn cursor(&self) -> &Cursor<'s, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'s, Token> {
        &mut self.cursor
    }
}

impl<'s> RuleParser<'s> for Parser<'s> {
    type Condition = Expr;
    const TOKENS: RuleTokens<Token> = RuleTokens {
        less: Token::Less,
        greater: Token::Greater,
        arrow: Token::LongArrow,
        text: Token::Text,
        name: Token::Name,
    };

    fn name(&mut self, what: &str) -> Option<Name> {
        if self.token() == Token::Name {
            return Some(self.take_name());
        }
        let help = self.token().is_word().then_some("words of the language are no names");
        self.unexpected_help(what, help);
        None
    }

    fn condition(&mut self) -> Option<Option<Expr>> {
        let Some(open) = self.eat(Token::Open) else { return Some(None) };
        self.notation = Notation::Rule;
        let condition = self.expr();
        self.notation = Notation::Statement;
        let condition = condition?;
        let help = match self.token() {
            Token::AndAnd | Token::OrOr | Token::XorXor => Some("in the condition of a rule write `&`, `|` and `^`"),
            Token::ShiftRight => Some("in the condition of a rule write `x / 2`"),
            _ => None,
        };
        if help.is_some() {
            self.unexpected_help("an operator of rules or `)`", help);
            return None;
        }
        self.close(open, Token::Close, "an operator or `)`")?;
        Some(Some(condition))
    }
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source) -> Self {
        Self {
            cursor: Cursor::new(source),
            names: Names::default(),
            rules: Vec::new(),
            module: None,
            notation: Notation::Statement,
            n_alternatives: 0,
            n_statements: 0,
            lost_statements: false,
        }
    }

    fn take_name(&mut self) -> Name {
        let symbol = self.names.intern(self.text());
        Name { symbol, span: self.advance() }
    }
}
