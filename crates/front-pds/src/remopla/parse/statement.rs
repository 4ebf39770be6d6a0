//! Statements.

use base::{Diagnostic, Span};
use text::Descent;

use super::super::syntax::{Assign, AssignValue, Call, Expr, Guarded, Quantifier, Statement, StatementKind};
use super::super::token::Token;
use super::Parser;
use crate::rule::RuleParser as _;

impl Parser<'_> {
    /// Statements up to what ends a block.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.at_block_end() {
            let depth = self.depth();
            let read = if self.at_rule() { self.rule_here() } else { self.statement().map(|it| statements.push(it)) };
            if read.is_none() {
                self.set_depth(depth);
                self.skip_statement();
            }
        }
        statements
    }

    /// Whether a rule begins here.
    pub(super) fn at_rule(&self) -> bool {
        self.token() == Token::Name && self.second() == Token::Less
    }

    /// A rule among statements: control passes it by.
    pub(super) fn rule_here(&mut self) -> Option<()> {
        let start = self.span();
        let rule = self.rule()?;
        self.eat(Token::Semicolon);
        if self.n_alternatives > 0 {
            let message = "a rule does not belong to an alternative: it applies wherever its label is on top";
            self.diagnose(
                Diagnostic::error("PD0107", message)
                    .at(start, "inside of `if` or `do`")
                    .help("write it outside, and what it depends on into its condition"),
            );
        }
        self.rules.push((self.module, rule));
        Some(())
    }

    fn labelled_rule<T>(&mut self) -> Option<T> {
        self.diagnose(
            Diagnostic::error("PD0107", "a rule has no label: no control is ever at it")
                .at(self.span(), "a rule")
                .help("put the label before a statement, or write it into the rule: `q <label> --> ...`"),
        );
        None
    }

    fn at_block_end(&self) -> bool {
        use Token as T;
        matches!(self.token(), T::CloseBrace | T::Fi | T::Od | T::Guard | T::EndOfFile | T::Module | T::Define)
    }

    /// After a mistake: goes behind the next `;`, or to the end of the block.
    fn skip_statement(&mut self) {
        self.lost_statements = true;
        while !self.at_block_end() {
            if self.eat(Token::Semicolon).is_some() {
                return;
            }
            self.advance();
        }
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Option<Statement> {
        let mut labels = Vec::new();
        while self.token() == Token::Name && self.second() == Token::Colon {
            labels.push(self.take_name());
            self.advance();
        }
        let id = self.n_statements;
        self.n_statements += 1;
        let start = self.span();
        self.descend()?;
        let (kind, span) = self.statement_kind(start)?;
        self.ascend();
        Some(Statement { id, labels, kind, span })
    }

    fn statement_kind(&mut self, start: Span) -> Option<(StatementKind, Span)> {
        let kind = match self.token() {
            Token::If => return Some((StatementKind::If(self.alternatives(Token::Fi, "`::` or `fi`")?), start)),
            Token::Do => return Some((StatementKind::Do(self.alternatives(Token::Od, "`::` or `od`")?), start)),
            Token::Return => {
                self.advance();
                let value = if self.token() == Token::Semicolon { None } else { Some(self.expr()?) };
                StatementKind::Return(value)
            }
            Token::Goto => {
                self.advance();
                let target = self.name("a label")?;
                StatementKind::Goto { target, assigns: self.more_assigns()? }
            }
            Token::Break => {
                self.advance();
                StatementKind::Break
            }
            Token::Skip => {
                self.advance();
                let condition = match self.eat(Token::Open) {
                    Some(open) => {
                        let condition = self.expr()?;
                        self.close(open, Token::Close, "an operator or `)`")?;
                        Some(condition)
                    }
                    None => None,
                };
                StatementKind::Skip(condition)
            }
            Token::Fork => {
                self.advance();
                let callee = self.name("a module")?;
                StatementKind::Fork(self.call(callee)?)
            }
            _ if self.at_rule() => return self.labelled_rule(),
            Token::Name if self.second() == Token::Open => {
                let callee = self.take_name();
                let call = self.call(callee)?;
                StatementKind::Call { call, result: None, assigns: self.more_assigns()? }
            }
            Token::Name | Token::All | Token::Exists => self.assignment()?,
            _ => {
                self.unexpected("a statement");
                return None;
            }
        };
        let span = start.to(self.previous());
        self.expect(Token::Semicolon, "`;`")?;
        Some((kind, span))
    }

    /// What stands between `if` and `fi`, or `do` and `od`.
    fn alternatives(&mut self, end: Token, what: &str) -> Option<Vec<Guarded>> {
        let start = self.advance();
        self.n_alternatives += 1;
        let guarded = self.guarded();
        self.n_alternatives -= 1;
        let guarded = guarded?;
        self.close(start, end, what)?;
        self.eat(Token::Semicolon);
        Some(guarded)
    }

    fn guarded(&mut self) -> Option<Vec<Guarded>> {
        let mut all = Vec::new();
        loop {
            let Some(start) = self.eat(Token::Guard) else {
                if all.is_empty() {
                    self.unexpected("`::` and a condition");
                    return None;
                }
                return Some(all);
            };
            let depth = self.depth();
            let (condition, span) = self.guard(start).unwrap_or_else(|| {
                self.set_depth(depth);
                self.skip_guard();
                (Some(Expr::Bool(true, start)), start)
            });
            let statements = self.statements();
            all.push(Guarded { condition, statements, span });
        }
    }

    /// A condition and its arrow; no condition for `else`.
    fn guard(&mut self, start: Span) -> Option<(Option<Expr>, Span)> {
        let condition = if self.eat(Token::Else).is_some() { None } else { Some(self.expr()?) };
        let span = start.to(self.previous());
        if self.token() == Token::Becomes {
            self.unexpected_help("an operator or `->`", Some("`=` assigns; a comparison is written `==`"));
            return None;
        }
        self.expect(Token::Arrow, "`->`")?;
        Some((condition, span))
    }

    /// After a mistake in a guard: goes to what it guards, so that the other alternatives are read.
    fn skip_guard(&mut self) {
        use Token as T;
        while self.eat(T::Arrow).is_none() {
            let at_statement =
                matches!(self.token(), T::If | T::Do | T::Skip | T::Goto | T::Return | T::Break | T::Fork);
            if at_statement || self.at_block_end() || self.eat(T::Semicolon).is_some() {
                // Without an arrow nothing says where the guard ends: a label may have been passed.
                self.lost_statements = true;
                return;
            }
            self.advance();
        }
    }

    pub(super) fn call(&mut self, callee: super::super::syntax::Name) -> Option<Call> {
        let open = self.expect(Token::Open, "`(` and the arguments")?;
        let arguments = if self.token() == Token::Close { Vec::new() } else { self.list(Self::expr)? };
        let end = self.close(open, Token::Close, "`,` or `)`")?;
        Some(Call { callee, arguments, span: callee.span.to(end) })
    }

    /// `, assign, assign`, or nothing.
    fn more_assigns(&mut self) -> Option<Vec<Assign>> {
        if self.eat(Token::Comma).is_none() {
            return Some(Vec::new());
        }
        self.list(Self::assign)
    }

    /// Parallel assignments, or a call whose result is assigned.
    fn assignment(&mut self) -> Option<StatementKind> {
        if self.token() == Token::Name {
            let target = self.place()?;
            if self.token() == Token::Becomes {
                let start = target.span();
                self.advance();
                if self.token() == Token::Name && self.second() == Token::Open {
                    let callee = self.take_name();
                    let call = self.call(callee)?;
                    if self.at_operator() {
                        return self.call_inside(callee);
                    }
                    return Some(StatementKind::Call { call, result: Some(target), assigns: self.more_assigns()? });
                }
                let value = self.value()?;
                let first = Assign { quantifiers: Vec::new(), target, value, span: start.to(self.previous()) };
                return self.rest(first);
            }
            let first = self.assign_to(Vec::new(), target)?;
            return self.rest(first);
        }
        let first = self.assign()?;
        self.rest(first)
    }

    fn rest(&mut self, first: Assign) -> Option<StatementKind> {
        let mut assigns = vec![first];
        assigns.extend(self.more_assigns()?);
        Some(StatementKind::Assign(assigns))
    }

    fn assign(&mut self) -> Option<Assign> {
        let mut quantifiers: Vec<Quantifier> = Vec::new();
        while matches!(self.token(), Token::All | Token::Exists) {
            quantifiers.push(self.quantifier()?);
            self.check_depth(quantifiers.len() as u32)?;
        }
        let target = self.place()?;
        self.assign_to(quantifiers, target)
    }

    fn assign_to(&mut self, quantifiers: Vec<Quantifier>, target: Expr) -> Option<Assign> {
        let start = target.span();
        let value = if self.eat(Token::Becomes).is_some() {
            self.value()?
        } else if self.eat(Token::NotEqual).is_some() {
            AssignValue::Not(self.expr()?)
        } else {
            let help = (self.token() == Token::Equal).then_some("`==` compares; an assignment is written `=`");
            self.unexpected_help("`=`", help);
            return None;
        };
        Some(Assign { quantifiers, target, value, span: start.to(self.previous()) })
    }

    fn value(&mut self) -> Option<AssignValue> {
        if self.eat(Token::Undef).is_some() {
            return Some(AssignValue::Undef);
        }
        self.expr().map(AssignValue::Expr)
    }
}
