//! Declarations, procedures, threads.

use base::{Diagnostic, Span};
use text::Descent;

use super::Parser;
use crate::syntax::{Body, Declaration, Declarator, Item, ItemKind, Name, Procedure, Thread};
use crate::token::Token;

/// Most results of a procedure and most copies of a thread: more is a slip of the pen.
const MAX_COUNT: u32 = 10_000;

impl Parser<'_> {
    /// The whole source.
    pub(super) fn program(&mut self) -> Vec<Item> {
        let items = self.items();
        if items.is_empty() && !self.has_errors() {
            self.lost.declarations = true;
            self.diagnose(
                Diagnostic::error("BP0013", "this file contains no program")
                    .help("a smallest program is `void main() begin skip; end`"),
            );
        }
        items
    }

    /// Items up to the end of the file, or of the thread that is being read.
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::EndOfFile {
            if self.token() == Token::End && self.open.begins > 0 {
                break;
            }
            if self.eat(Token::Semicolon).is_some() {
                continue;
            }
            let (start, blank_before) = (self.span().start, self.blank_before());
            let depth = self.depth();
            match self.item() {
                Some(kind) => items.push(Item { kind, start, blank_before }),
                None => {
                    self.set_depth(depth);
                    self.skip_item();
                }
            }
        }
        items
    }

    fn item(&mut self) -> Option<ItemKind> {
        match self.token() {
            Token::Decl => self.declaration().map(ItemKind::Declaration),
            Token::Bool if self.at_procedure_with_results() => self.procedure_with_results(),
            Token::Bool => self.declaration().map(ItemKind::Declaration),
            Token::Void => {
                self.advance();
                self.procedure(Some(0))
            }
            Token::Enforce => {
                let span = self.advance();
                let condition = self.expr()?;
                self.end_statement();
                Some(ItemKind::Enforce(condition, span))
            }
            Token::Init if self.second() == Token::Begin => {
                let span = self.advance();
                self.body().map(|body| ItemKind::Init(span, body))
            }
            Token::Thread if self.second() != Token::Open => self.thread(),
            _ if self.at_name() => self.procedure(Some(0)),
            _ => {
                self.unexpected("a declaration or a procedure");
                None
            }
        }
    }

    /// `decl a, b := 0;` or `bool a;`
    pub(super) fn declaration(&mut self) -> Option<Declaration> {
        self.advance();
        let mut declarators = Vec::new();
        loop {
            declarators.push(self.declarator()?);
            let Some(comma) = self.eat(Token::Comma) else { break };
            if self.token() == Token::Semicolon {
                self.diagnose(
                    Diagnostic::warning("BP0052", "a comma without a variable behind it")
                        .at(comma, "")
                        .help("remove the comma"),
                );
                break;
            }
        }
        if self.token() != Token::Semicolon {
            self.unexpected("`,` or `;`");
            return None;
        }
        self.advance();
        Some(Declaration { declarators })
    }

    fn declarator(&mut self) -> Option<Declarator> {
        let name = self.declared_name("a variable to declare")?;
        let value = if self.eat(Token::Becomes).is_some() { Some(self.expr()?) } else { None };
        Some(Declarator { name, value, span: name.span.to(self.previous()) })
    }

    fn procedure_with_results(&mut self) -> Option<ItemKind> {
        self.advance();
        let n_results = if self.eat(Token::Less).is_some() { self.count(Token::Greater, "`>`") } else { Some(1) };
        self.procedure(n_results)
    }

    /// A number and the bracket behind it.
    fn count(&mut self, close: Token, what: &str) -> Option<u32> {
        let (span, text) = (self.span(), self.text());
        self.expect(Token::Number, "a number")?;
        let count = text.parse().ok().filter(|count| (1..=MAX_COUNT).contains(count));
        if count.is_none() {
            self.diagnose(
                Diagnostic::error("BP0015", format!("`{text}` is not a possible number here"))
                    .at(span, format!("expected a number from 1 to {MAX_COUNT}")),
            );
        }
        self.expect(close, what)?;
        Some(count.unwrap_or(1))
    }

    /// `name(parameters) begin ... end`; the number of results has been read. After a mistake in the head the body is
    /// still read, under no name.
    fn procedure(&mut self, n_results: Option<u32>) -> Option<ItemKind> {
        let start = self.span();
        let head = n_results.and_then(|n_results| self.procedure_head(n_results));
        if head.is_none() {
            self.skip_to_body();
        }
        let body = if head.is_some() || self.token() == Token::Begin { self.body()? } else { return None };
        let nobody = Name { symbol: self.names.intern(""), span: start };
        let (name, parameters, n_results) = head.unwrap_or((nobody, Vec::new(), 0));
        Some(ItemKind::Procedure(Box::new(Procedure { name, parameters, n_results, body })))
    }

    fn procedure_head(&mut self, n_results: u32) -> Option<(Name, Vec<Name>, u32)> {
        let name = self.name("the name of a procedure")?;
        let Some(open) = self.eat(Token::Open) else {
            let two_names = self.token() == Token::Name;
            let help = two_names.then_some("a procedure begins with `void`, `bool` or `bool<n>`");
            self.unexpected_help("`(` and the parameters", help);
            return None;
        };
        Some((name, self.parameters(open)?, n_results))
    }

    fn skip_to_body(&mut self) {
        use Token as T;
        self.lost.declarations = true;
        while !matches!(self.token(), T::Begin | T::Semicolon | T::Decl | T::Void | T::Bool | T::EndOfFile) {
            self.advance();
        }
    }

    fn parameters(&mut self, open: Span) -> Option<Vec<Name>> {
        if self.eat(Token::Close).is_some() {
            return Some(Vec::new());
        }
        let parameters = self.list(|parser| parser.declared_name("a parameter"))?;
        self.close(open, Token::Close, "`)`")?;
        Some(parameters)
    }

    /// `begin ... end`
    fn body(&mut self) -> Option<Body> {
        let begin = self.begin()?;
        self.open.begins += 1;
        let statements = self.block();
        self.open.begins -= 1;
        let end = self.close_construct(Token::End, "begin", "end", begin);
        self.open.misplaced_begins = 0;
        self.eat(Token::Semicolon);
        Some(Body { begin: begin.start, statements, end })
    }

    /// `begin`; where statements follow without it, it was forgotten.
    fn begin(&mut self) -> Option<Span> {
        let begin = self.eat(Token::Begin);
        if begin.is_some() {
            return begin;
        }
        let help = match self.token() {
            Token::Semicolon => Some("a procedure may be called before it is defined: no announcement is needed"),
            _ => None,
        };
        self.unexpected_help("`begin`", help);
        let forgotten = !matches!(self.token(), Token::Semicolon | Token::Void | Token::Bool | Token::EndOfFile);
        forgotten.then(|| self.span())
    }

    /// `thread name[copies] begin ... end`
    fn thread(&mut self) -> Option<ItemKind> {
        let keyword = self.advance();
        if self.open.begins == 1 {
            self.diagnose(
                Diagnostic::error("BP0016", "a thread cannot stand inside another one")
                    .at(keyword, "")
                    .help("close the thread above with `end` first"),
            );
        }
        let name = self.name("the name of a thread")?;
        let copies = if self.eat(Token::OpenBracket).is_some() { self.count(Token::CloseBracket, "`]`")? } else { 1 };
        let begin = self.expect(Token::Begin, "`begin`")?;
        self.descend()?;
        self.open.begins += 1;
        let items = self.items();
        self.open.begins -= 1;
        self.ascend();
        let end = self.close_construct(Token::End, "begin", "end", begin);
        Some(ItemKind::Thread(Box::new(Thread { name, copies, items, begin: begin.start, end })))
    }

    /// Reports labels before a declaration or an `enforce`, and forgets them.
    pub(super) fn reject_labels(&mut self, labels: &mut Vec<Name>) {
        if let Some(label) = labels.first() {
            self.diagnose(
                Diagnostic::error("BP0014", "only statements can carry labels")
                    .at(label.span, "this label stands before a declaration")
                    .help("move the label to the statement that it is meant for"),
            );
            labels.clear();
            self.lost.statements = true;
        }
    }
}
