//! Text to syntax tree.
//!
//! After an error the parser goes on behind the next semicolon, or at the next word that begins an item, so that
//! independent errors are all reported.

use base::{Diagnostic, Diagnostics, Source, Span};

use super::MAX_DEPTH;
use super::codes;
use super::syntax::{
    Clauses, Declaration, Edge, Effect, Enum, Expr, File, Location, Name, Nat, Place, Procedure, Qualifier, Sort,
    Update, Variable,
};
use super::token::{Token, is_keyword, tokens, unquote};
use crate::Role;

/// Errors are not listed beyond this.
pub(super) const MAX_ERRORS: usize = 100;

pub(super) fn parse(source: &Source, diagnostics: &mut Diagnostics) -> File {
    let tokens = tokens(source, diagnostics);
    let mut parser = Parser { source, tokens, at: 0, diagnostics, depth: 0, braces: 0 };
    let mut file = File::default();
    while parser.peek() != Token::End {
        if parser.item(&mut file).is_err() {
            parser.skip_to_item();
        }
    }
    file
}

/// An error that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

pub(super) struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<(Token, Span)>,
    at: usize,
    diagnostics: &'a mut Diagnostics,
    depth: u32,
    /// Braces that are open.
    braces: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.at].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// The text of the next token.
    pub(super) fn word(&self) -> &'a str {
        self.source.slice(self.span())
    }

    pub(super) fn advance(&mut self) {
        match self.peek() {
            Token::End => return,
            Token::OpenBrace => self.braces += 1,
            Token::CloseBrace => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.at += 1;
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Token::Word && self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn report<T>(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Parsed<T> {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(Diagnostic::error(code, message).at(span, ""));
        }
        Err(Reported)
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Token::End => "the end of the text".into(),
            _ => format!("`{}`", self.word()),
        };
        self.report(codes::SYNTAX, format!("expected {what}, found {found}"), self.span())
    }

    pub(super) fn need(&mut self, token: Token, what: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { self.expected(what) }
    }

    /// Goes one level deeper for the time of `inner`.
    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            let result = self.report(codes::DEPTH, format!("nesting is deeper than {MAX_DEPTH}"), span);
            // What follows cannot be made sense of.
            self.at = self.tokens.len() - 1;
            return result;
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![one(self)?];
        while self.eat(Token::Comma) {
            items.push(one(self)?);
        }
        Ok(items)
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        let text = match self.peek() {
            Token::Word if !is_keyword(self.word()) => self.word().to_owned(),
            Token::Quoted => match unquote(self.word()) {
                Ok(text) => text,
                Err(range) => {
                    let start = span.start as usize;
                    let escape = Span::new(span.file, start + range.start, (start + range.end).min(span.end as usize));
                    self.advance();
                    return self.report(codes::ESCAPE, "there is no such escape", escape);
                }
            },
            _ => return self.expected(what),
        };
        self.advance();
        Ok(Name { text, span })
    }

    pub(super) fn nat(&mut self, what: &str) -> Parsed<Nat> {
        if self.peek() != Token::Nat {
            return self.expected(what);
        }
        let span = self.span();
        let Ok(value) = self.word().parse() else {
            return self.report(codes::NUMBER, "this number is too large", span);
        };
        self.advance();
        Ok(Nat { value, span })
    }

    fn id(&mut self) -> Parsed<Option<Nat>> {
        if self.eat(Token::Hash) { self.nat("the number of an id").map(Some) } else { Ok(None) }
    }

    fn skip_to_item(&mut self) {
        const ITEMS: [&str; 8] =
            ["enum", "shared", "private", "thread", "init", "start", "uninterruptible", "procedure"];
        self.advance();
        while self.peek() != Token::End && !(self.peek() == Token::Word && ITEMS.contains(&self.word())) {
            self.advance();
        }
        self.braces = 0;
    }

    fn item(&mut self, file: &mut File) -> Parsed<()> {
        if self.eat_word("enum") {
            file.enums.push(self.enumeration()?);
        } else if self.eat_word("shared") {
            file.globals.push(self.declaration(Place::Shared)?);
            self.semicolon()?;
        } else if self.eat_word("private") {
            file.globals.push(self.declaration(Place::Private)?);
            self.semicolon()?;
        } else if self.eat_word("thread") {
            let name = self.name("the name of the thread")?;
            self.need(Token::Colon, "`:`")?;
            file.threads.push((name, self.name("the name of a procedure")?));
            self.semicolon()?;
        } else if self.eat_word("init") {
            file.inits.push(self.name("the name of a procedure")?);
            self.semicolon()?;
        } else if self.eat_word("start") {
            file.starts.push(self.condition()?);
        } else if self.eat_word("uninterruptible") {
            file.uninterruptibles.push(self.condition()?);
        } else if self.eat_word("procedure") {
            let procedure = self.procedure()?;
            file.procedures.push(procedure);
        } else {
            return self.expected("a declaration");
        }
        Ok(())
    }

    fn condition(&mut self) -> Parsed<(Expr, Span)> {
        let keyword = self.previous();
        let condition = self.expr()?;
        let span = keyword.to(self.previous());
        self.semicolon()?;
        Ok((condition, span))
    }

    fn semicolon(&mut self) -> Parsed<()> {
        self.need(Token::Semicolon, "`;`")
    }

    fn enumeration(&mut self) -> Parsed<Enum> {
        let (id, name) = (self.id()?, self.name("the name of the enumeration")?);
        self.need(Token::OpenBrace, "`{`")?;
        let values = self.list(|parser| parser.name("the name of a value"))?;
        self.need(Token::CloseBrace, "`}`")?;
        Ok(Enum { id, name, values })
    }

    fn declaration(&mut self, place: Place) -> Parsed<Declaration> {
        let (id, name) = (self.id()?, self.name("the name of a variable")?);
        self.need(Token::Colon, "`:`")?;
        Ok(Declaration { place, id, name, sort: self.sort()? })
    }

    fn sort(&mut self) -> Parsed<Sort> {
        if self.eat_word("bool") {
            return Ok(Sort::Bool);
        }
        if self.eat_word("int") {
            return Ok(Sort::Int);
        }
        if self.eat_word("bits") {
            self.need(Token::Less, "`<`")?;
            let width = self.nat("the number of bits")?;
            self.need(Token::Greater, "`>`")?;
            return Ok(Sort::Bits(width));
        }
        if self.eat(Token::OpenBracket) {
            let element = self.deeper(Self::sort)?;
            self.semicolon()?;
            let n = self.nat("the number of elements")?;
            self.need(Token::CloseBracket, "`]`")?;
            return Ok(Sort::Array(Box::new(element), n));
        }
        Ok(Sort::Name(self.name("a sort")?))
    }

    fn variables(&mut self, place: Place, into: &mut Vec<Declaration>) -> Parsed<()> {
        self.need(Token::Open, "`(`")?;
        if self.peek() != Token::Close {
            into.extend(self.list(|parser| parser.declaration(place))?);
        }
        self.need(Token::Close, "`)`")
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        let (id, name) = (self.id()?, self.name("the name of the procedure")?);
        let mut variables = Vec::new();
        self.variables(Place::Parameter, &mut variables)?;
        if self.eat(Token::Arrow) {
            self.variables(Place::Result, &mut variables)?;
        }
        self.need(Token::OpenBrace, "`{`")?;
        let (untouched, entries, exits, locations) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut procedure = Procedure { id, name, variables, untouched, entries, exits, locations };
        while self.peek() != Token::CloseBrace {
            if self.peek() == Token::End {
                return self.expected("`}`");
            }
            if self.part(&mut procedure).is_err() {
                self.skip_to_part();
            }
        }
        self.advance();
        Ok(procedure)
    }

    fn skip_to_part(&mut self) {
        while self.peek() != Token::End && !(self.peek() == Token::CloseBrace && self.braces <= 1) {
            let is_end = self.peek() == Token::Semicolon && self.braces <= 1;
            self.advance();
            if is_end {
                return;
            }
        }
    }

    fn part(&mut self, procedure: &mut Procedure) -> Parsed<()> {
        if self.peek() == Token::Nat {
            let location = self.location()?;
            procedure.locations.push(location);
            return Ok(());
        }
        if self.peek() == Token::Arrow {
            let Some(at) = procedure.locations.len().checked_sub(1) else { return self.expected("a location") };
            let edge = self.edge()?;
            procedure.locations[at].edges.push(edge);
            return Ok(());
        }
        if self.eat_word("local") {
            procedure.variables.push(self.declaration(Place::Local)?);
        } else if self.eat_word("untouched") {
            procedure.untouched.extend(self.list(Self::variable)?);
        } else if self.eat_word("entry") {
            procedure.entries.extend(self.list(|parser| parser.nat("the number of a location"))?);
        } else if self.eat_word("exit") {
            procedure.exits.extend(self.list(|parser| parser.nat("the number of a location"))?);
        } else {
            return self.expected("a location, an edge or a declaration");
        }
        self.semicolon()
    }

    fn location(&mut self) -> Parsed<Location> {
        let (number, id) = (self.nat("the number of a location")?, self.id()?);
        let mut labels = Vec::new();
        if self.eat(Token::Open) {
            labels = self.list(|parser| parser.name("a label"))?;
            self.need(Token::Close, "`)`")?;
        }
        let atomic = self.eat_word("atomic");
        let role = match () {
            () if self.eat_word("violation") => Role::Violation,
            () if self.eat_word("between") => Role::Between,
            () if self.eat_word("returned") => Role::Returned,
            () => Role::Plain,
        };
        self.need(Token::Colon, "`:`")?;
        Ok(Location { number, id, labels, atomic, role, edges: Vec::new() })
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let start = self.span();
        self.need(Token::Arrow, "`->`")?;
        let (id, target) = (self.id()?, self.nat("the number of a location")?);
        let effect = if self.eat_word("call") {
            let (callee, entry) = self.entered()?;
            Effect::Call { callee, entry, enter: self.block("enter")?, leave: self.block("leave")? }
        } else if self.eat_word("spawn") {
            let (callee, entry) = self.entered()?;
            Effect::Spawn { callee, entry, enter: self.block("enter")? }
        } else {
            Effect::Step(self.clauses()?)
        };
        let span = start.to(self.previous());
        self.semicolon()?;
        Ok(Edge { id, target, effect, span })
    }

    fn entered(&mut self) -> Parsed<(Name, Nat)> {
        let callee = self.name("the name of a procedure")?;
        self.need(Token::Dot, "`.`")?;
        Ok((callee, self.nat("the number of a location")?))
    }

    fn block(&mut self, keyword: &str) -> Parsed<Clauses> {
        if !self.eat_word(keyword) {
            return Ok(Clauses::default());
        }
        self.need(Token::OpenBrace, "`{`")?;
        let clauses = self.clauses()?;
        self.need(Token::CloseBrace, "`}`")?;
        Ok(clauses)
    }

    fn clauses(&mut self) -> Parsed<Clauses> {
        let guard = if self.eat_word("when") { Some(self.expr()?) } else { None };
        let updates = if self.eat_word("do") { self.list(Self::update)? } else { Vec::new() };
        let constraint = if self.eat_word("where") { Some(self.expr()?) } else { None };
        Ok(Clauses { guard, updates, constraint })
    }

    fn update(&mut self) -> Parsed<Update> {
        let havoc = self.eat_word("havoc");
        let saved = self.eat_word("saved");
        let variable = self.variable()?;
        let mut index = None;
        if self.eat(Token::OpenBracket) {
            index = Some(self.expr()?);
            self.need(Token::CloseBracket, "`]`")?;
        }
        let mut value = None;
        if !havoc {
            self.need(Token::Assign, "`:=`")?;
            value = Some(self.expr()?);
        }
        Ok(Update { variable, saved, index, value })
    }

    pub(super) fn variable(&mut self) -> Parsed<Variable> {
        if self.eat(Token::Scope) {
            return Ok(Variable { qualifier: Qualifier::Global, name: self.name("the name of a variable")? });
        }
        let name = self.name("the name of a variable")?;
        if self.eat(Token::Scope) {
            let qualifier = Qualifier::Procedure(name);
            return Ok(Variable { qualifier, name: self.name("the name of a variable")? });
        }
        Ok(Variable { qualifier: Qualifier::None, name })
    }
}
