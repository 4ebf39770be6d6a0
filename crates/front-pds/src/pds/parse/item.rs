//! Declarations, the start and rules.

use base::{Diagnostic, Span};
use text::Descent;

use super::super::syntax::{Atoms, Declaration, Define, Indices, Local, Start, SyntaxTree};
use super::super::token::Token;
use super::Parser;
use crate::rule::RuleParser as _;

impl Parser<'_> {
    /// The whole file.
    pub(super) fn file(&mut self) -> SyntaxTree {
        let mut tree = SyntaxTree::default();
        if self.token() == Token::EndOfFile {
            let place = self.span();
            let diagnostic = Diagnostic::error("PD0005", "the file contains no pushdown system").at(place, "nothing");
            self.diagnose(diagnostic.help("the smallest one is `(q <a>)` and a rule `q <a> --> q <a>`"));
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
        match self.token() {
            Token::Name => {
                let rule = self.rule()?;
                tree.rules.push(rule);
                return Some(());
            }
            Token::Open => {
                let start = self.start()?;
                self.only_start(tree.start.as_ref(), &start);
                tree.start.get_or_insert(start);
                return Some(());
            }
            _ => {}
        }
        let declared = self.declaration(tree);
        tree.lost |= declared.is_none();
        declared
    }

    fn declaration(&mut self, tree: &mut SyntaxTree) -> Option<()> {
        match self.token() {
            Token::Define => {
                self.advance();
                let name = self.name("the name that is defined")?;
                tree.defines.push(Define { name, value: self.constant()? });
            }
            Token::Global => {
                self.advance();
                self.declarations(&mut tree.globals)?;
            }
            Token::Local => tree.locals.push(self.local()?),
            Token::Atoms => {
                self.advance();
                let name = self.name("a stack symbol or control state")?;
                let propositions = self.list(|parser| parser.name("a proposition"))?;
                tree.atoms.push(Atoms { name, propositions });
            }
            _ => {
                let help = "a file has defines, `global`, `local`, the start `(state <symbol>)`, `atoms` and rules";
                self.unexpected_help("a declaration, the start or a rule", Some(help));
                return None;
            }
        }
        Some(())
    }

    fn only_start(&mut self, first: Option<&Start>, second: &Start) {
        let Some(first) = first else { return };
        let diagnostic = Diagnostic::error("PD0007", "a second start configuration")
            .at(second.span, "the start is given already")
            .also(first.span, "here")
            .help("let one start configuration have rules to the others");
        self.diagnose(diagnostic);
    }

    /// After a mistake: goes to what may begin an item on a line of its own.
    fn skip_item(&mut self) {
        loop {
            let begins = match self.token() {
                Token::EndOfFile => return,
                Token::Global | Token::Local | Token::Define | Token::Atoms => true,
                Token::Name => self.second() == Token::Less,
                _ => false,
            };
            if begins && self.is_first_on_line() {
                return;
            }
            self.advance();
        }
    }

    fn local(&mut self) -> Option<Local> {
        self.advance();
        // The original allows a name for the group, which means nothing.
        self.eat(Token::Name);
        let open = self.expect(Token::Open, "`(` and the stack symbols that have these variables")?;
        let symbols = self.list(|parser| parser.name("a stack symbol"))?;
        self.close(open, Token::Close, "`,` or `)`")?;
        let mut variables = Vec::new();
        self.declarations(&mut variables)?;
        Some(Local { symbols, variables })
    }

    /// At least one `bool x, y;` or `int x(3), y(4);`.
    fn declarations(&mut self, variables: &mut Vec<Declaration>) -> Option<()> {
        if !matches!(self.token(), Token::Bool | Token::Int) {
            self.unexpected("`bool` or `int`");
            return None;
        }
        while matches!(self.token(), Token::Bool | Token::Int) {
            let is_int = self.token() == Token::Int;
            self.advance();
            loop {
                variables.push(self.variable_declaration(is_int)?);
                if self.eat(Token::Comma).is_none() {
                    break;
                }
            }
            self.expect(Token::Semicolon, "`,` or `;`")?;
        }
        Some(())
    }

    fn variable_declaration(&mut self, is_int: bool) -> Option<Declaration> {
        let name = self.name("a variable")?;
        let indices = match self.eat(Token::OpenBracket) {
            Some(open) => Some(self.indices(open)?),
            None => None,
        };
        let mut bits = None;
        if is_int {
            let help = "an integer has a width in bits: `int x(3);`";
            let Some(open) = self.eat(Token::Open) else {
                self.unexpected_help("`(` and a number of bits", Some(help));
                return None;
            };
            bits = Some(self.constant()?);
            self.close(open, Token::Close, "`)`")?;
        }
        Some(Declaration { name, bits, indices })
    }

    fn indices(&mut self, open: Span) -> Option<Indices> {
        let first = self.constant()?;
        let indices = match self.eat(Token::Comma) {
            Some(_) => Indices::Between(Box::new([first, self.constant()?])),
            None => Indices::Below(first),
        };
        self.close(open, Token::CloseBracket, "`]`")?;
        Some(indices)
    }

    /// `(state (expr) <sym (expr) ...>)`.
    fn start(&mut self) -> Option<Start> {
        let open = self.advance();
        let state = self.name("a control state")?;
        let condition = self.condition()?;
        let less = self.expect(Token::Less, "`<` and the stack")?;
        let mut stack = Vec::new();
        while self.token() == Token::Name {
            let symbol = self.take_name();
            stack.push((symbol, self.condition()?));
        }
        self.close(less, Token::Greater, "a stack symbol or `>`")?;
        let end = self.close(open, Token::Close, "`)`")?;
        Some(Start { state, condition, stack, span: open.to(end) })
    }
}
