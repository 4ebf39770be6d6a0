//! Declarations and modules.

use base::{Diagnostic, Span};
use text::Descent;

use super::super::syntax::{Body, Declaration, Dim, Enumeration, Expr, Module, Name, Structure, SyntaxTree, Type};
use super::super::token::Token;
use super::Parser;
use crate::rule::RuleParser as _;

impl Parser<'_> {
    /// The whole file.
    pub(super) fn file(&mut self) -> SyntaxTree {
        let mut tree = SyntaxTree::default();
        if self.token() == Token::EndOfFile {
            let place = self.span();
            let diagnostic = Diagnostic::error("PD0106", "the file contains no program").at(place, "nothing");
            self.diagnose(diagnostic.help("the smallest one is `module void main() { skip; }`"));
            tree.lost = true;
        }
        while self.token() != Token::EndOfFile {
            if self.item(&mut tree).is_none() {
                self.set_depth(0);
                self.skip_item();
            }
        }
        tree
    }

    fn item(&mut self, tree: &mut SyntaxTree) -> Option<()> {
        let done = match self.token() {
            Token::Define => self.define(tree),
            Token::Shared => {
                self.advance();
                self.declarations(tree, true).map(|declared| tree.globals.extend(declared))
            }
            Token::Bool | Token::Int | Token::Unsigned | Token::Signed | Token::Enum | Token::Struct => {
                self.declarations(tree, false).map(|declared| tree.globals.extend(declared))
            }
            Token::Module => self.module(tree).map(|module| tree.modules.push(module)),
            Token::Init => self.init(tree),
            _ => {
                let read =
                    if self.at_rule() { self.rule_here() } else { self.statement().map(|it| tree.statements.push(it)) };
                self.lost_statements |= read.is_none();
                return read;
            }
        };
        tree.lost |= done.is_none();
        done
    }

    fn define(&mut self, tree: &mut SyntaxTree) -> Option<()> {
        self.advance();
        let name = self.name("the name that is defined")?;
        let value = self.constant()?;
        tree.defines.push((name, value));
        Some(())
    }

    fn second_init(&mut self, place: Span, first: &[Name]) {
        let mut diagnostic = Diagnostic::error("PD0120", "`init` is declared twice").at(place, "declared again");
        if let [first, ..] = first {
            diagnostic = diagnostic.also(first.span, "declared here");
        }
        self.diagnose(diagnostic.help("execution starts at one place: `init a b;` runs `a`, then `b`"));
    }

    fn init(&mut self, tree: &mut SyntaxTree) -> Option<()> {
        let start = self.advance();
        let mut names = vec![self.name("a module or a label")?];
        while self.token() == Token::Name {
            names.push(self.take_name());
        }
        let place = start.to(self.previous());
        self.expect(Token::Semicolon, "`;`")?;
        match &tree.init {
            Some(first) => self.second_init(place, first),
            None => tree.init = Some(names),
        }
        Some(())
    }

    /// After a mistake: goes to what may begin an item.
    fn skip_item(&mut self) {
        let mut braces = 0_u32;
        loop {
            match self.token() {
                Token::EndOfFile => return,
                Token::OpenBrace => braces += 1,
                Token::CloseBrace => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        self.advance();
                        self.eat(Token::Semicolon);
                        return;
                    }
                }
                Token::Semicolon if braces == 0 => {
                    self.advance();
                    return;
                }
                Token::Module | Token::Define | Token::Shared | Token::Init if braces == 0 => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// A type; enumerations and structures that are written out are added to the tree.
    fn ty(&mut self, tree: &mut SyntaxTree) -> Option<Type> {
        match self.token() {
            Token::Bool => {
                self.advance();
                Some(Type::Bool)
            }
            Token::Int | Token::Unsigned | Token::Signed => {
                let signed = self.token() == Token::Signed;
                if self.eat(Token::Int).is_none() {
                    self.advance();
                    self.expect(Token::Int, "`int`")?;
                }
                Some(Type::Int { signed })
            }
            Token::Enum => {
                self.advance();
                let name = (self.token() == Token::Name).then(|| self.take_name());
                match (self.eat(Token::OpenBrace), name) {
                    (Some(open), name) => {
                        let values = self.list(|parser| parser.name("a value"))?;
                        self.close(open, Token::CloseBrace, "`,` or `}`")?;
                        tree.enums.push(Enumeration { name, values });
                        Some(Type::Enum(tree.enums.len() - 1))
                    }
                    (None, Some(name)) => Some(Type::Named(name)),
                    (None, None) => self.missing("a name or `{`"),
                }
            }
            Token::Struct => self.structure(tree),
            _ => self.missing("a type"),
        }
    }

    fn missing<T>(&mut self, what: &str) -> Option<T> {
        self.unexpected(what);
        None
    }

    fn structure(&mut self, tree: &mut SyntaxTree) -> Option<Type> {
        self.advance();
        let name = (self.token() == Token::Name).then(|| self.take_name());
        let Some(open) = self.eat(Token::OpenBrace) else {
            return match name {
                Some(name) => Some(Type::Named(name)),
                None => self.missing("a name or `{`"),
            };
        };
        self.descend()?;
        let mut fields = Vec::new();
        while self.token() != Token::CloseBrace && self.token() != Token::EndOfFile {
            fields.extend(self.declarations(tree, false)?);
        }
        self.close(open, Token::CloseBrace, "a field or `}`")?;
        self.ascend();
        tree.structs.push(Structure { name, fields });
        Some(Type::Struct(tree.structs.len() - 1))
    }

    /// `type v, v;` or a type alone.
    fn declarations(&mut self, tree: &mut SyntaxTree, shared: bool) -> Option<Vec<Declaration>> {
        let ty = self.ty(tree)?;
        if self.eat(Token::Semicolon).is_some() {
            return Some(Vec::new());
        }
        let declared = self.list(|parser| parser.declaration(ty, shared))?;
        self.expect(Token::Semicolon, "`,` or `;`")?;
        Some(declared)
    }

    fn declaration(&mut self, ty: Type, shared: bool) -> Option<Declaration> {
        let name = self.name("a variable")?;
        let (dims, bits) = self.size()?;
        Some(Declaration { name, ty, dims, bits, shared })
    }

    /// Indices and bits.
    fn size(&mut self) -> Option<(Vec<Dim>, Option<Expr>)> {
        let mut dims = Vec::new();
        while let Some(open) = self.eat(Token::OpenBracket) {
            let first = self.constant()?;
            let last = if self.eat(Token::Comma).is_some() { Some(self.constant()?) } else { None };
            self.close(open, Token::CloseBracket, "`]`")?;
            dims.push(Dim { first, last });
            self.check_depth(dims.len() as u32)?;
        }
        let mut bits = None;
        if let Some(open) = self.eat(Token::Open) {
            bits = Some(self.constant()?);
            self.close(open, Token::Close, "`)`")?;
        }
        Some((dims, bits))
    }

    fn module(&mut self, tree: &mut SyntaxTree) -> Option<Module> {
        self.advance();
        let result = if self.eat(Token::Void).is_some() {
            None
        } else {
            let ty = self.ty(tree)?;
            Some((ty, self.size()?))
        };
        let name = self.name("the module's name")?;
        let result = result.map(|(ty, (dims, bits))| Declaration { name, ty, dims, bits, shared: false });
        let open = self.expect(Token::Open, "`(` and the parameters")?;
        let mut parameters = Vec::new();
        if self.token() != Token::Close {
            parameters = self.list(|parser| {
                let ty = parser.ty(tree)?;
                parser.declaration(ty, false)
            })?;
        }
        self.close(open, Token::Close, "`,` or `)`")?;
        if self.eat(Token::Semicolon).is_some() {
            return Some(Module { name, result, parameters, body: None });
        }
        let open = self.expect(Token::OpenBrace, "`{` and the body, or `;`")?;
        self.module = Some(tree.modules.len());
        let body = self.body(tree, open);
        self.module = None;
        let body = body?;
        self.eat(Token::Semicolon);
        Some(Module { name, result, parameters, body: Some(body) })
    }

    fn body(&mut self, tree: &mut SyntaxTree, open: Span) -> Option<Body> {
        let mut locals = Vec::new();
        while matches!(
            self.token(),
            Token::Bool | Token::Int | Token::Unsigned | Token::Signed | Token::Enum | Token::Struct
        ) {
            locals.extend(self.declarations(tree, false)?);
        }
        let statements = self.statements();
        let end = self.close(open, Token::CloseBrace, "a statement or `}`")?;
        Some(Body { locals, statements, end })
    }
}
