//! Statements.

use super::Printer;
use crate::syntax::{Block, Call, Expr, If, Name, Statement, StatementKind, While};
use crate::token::is_soft_word;

impl<'t> Printer<'t> {
    /// The statements of a block that ends at a place of the source, and the comments before that place.
    pub(super) fn block(&mut self, block: &'t Block, end: u32) {
        self.level += 1;
        self.fresh = true;
        for statement in block {
            self.part(statement.start, statement.blank_before, false);
            self.statement(statement);
        }
        self.comments_before(end, false);
        self.level -= 1;
        self.fresh = false;
    }

    fn statement(&mut self, statement: &'t Statement) {
        for label in &statement.labels {
            self.name(*label);
            self.out.push_str(": ");
        }
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration, statement.start),
            StatementKind::If(branches) => self.if_statement(branches),
            StatementKind::While(repeated) => self.while_statement(repeated),
            simple => {
                self.simple(simple);
                self.out.push(';');
            }
        }
    }

    fn simple(&mut self, kind: &StatementKind) {
        use StatementKind as S;
        match kind {
            S::Assign { targets, values, constraint } => self.assignment(targets, values, constraint.as_ref()),
            S::Call { targets, call } => self.call_statement(targets, call),
            S::Enforce(condition) => {
                self.out.push_str("enforce ");
                self.expr(condition);
            }
            S::Return(values) if values.is_empty() => self.out.push_str("return"),
            S::Return(values) => {
                self.out.push_str("return ");
                self.list(values, Self::expr);
            }
            S::Goto(labels) => self.word_and_names("goto", labels),
            S::Dead(names) => self.word_and_names("dead", names),
            S::Assume(condition) => self.word_and_condition("assume", condition),
            S::Constrain(condition) => self.word_and_condition("constrain", condition),
            S::Assert(condition) => self.word_and_condition("assert", condition),
            S::Abortif(condition) => self.word_and_condition("abortif", condition),
            S::Print(values) => {
                self.out.push_str("print(");
                self.list(values, Self::expr);
                self.out.push(')');
            }
            S::Spawn(call) => {
                self.out.push_str("start_thread ");
                self.call(call);
            }
            S::SpawnGoto(label) => self.word_and_names("start_thread goto", std::slice::from_ref(label)),
            S::AtomicBegin => self.out.push_str("atomic_begin"),
            S::AtomicEnd => self.out.push_str("atomic_end"),
            S::EndThread => self.out.push_str("end_thread"),
            S::Break => self.out.push_str("break"),
            S::Continue => self.out.push_str("continue"),
            S::Empty | S::Skip | S::Declaration(_) | S::If(_) | S::While(_) => self.out.push_str("skip"),
        }
    }

    fn word_and_names(&mut self, word: &str, names: &[Name]) {
        self.out.push_str(word);
        self.out.push(' ');
        self.names(names);
    }

    fn word_and_condition(&mut self, word: &str, condition: &Expr) {
        self.out.push_str(word);
        self.parenthesised(condition);
    }

    fn parenthesised(&mut self, condition: &Expr) {
        self.out.push('(');
        self.expr(condition);
        self.out.push(')');
    }

    fn assignment(&mut self, targets: &[Name], values: &[Expr], constraint: Option<&Expr>) {
        self.names(targets);
        self.out.push_str(" := ");
        self.list(values, Self::expr);
        if let Some(constraint) = constraint {
            self.out.push_str(" constrain ");
            self.parenthesised(constraint);
        }
    }

    fn call_statement(&mut self, targets: &[Name], call: &Call) {
        if !targets.is_empty() {
            self.names(targets);
            self.out.push_str(" := ");
        } else if is_soft_word(self.tree.names.text(call.callee.symbol)) {
            // Without `call`, the name would begin another statement.
            self.out.push_str("call ");
        }
        self.call(call);
    }

    fn call(&mut self, call: &Call) {
        self.name(call.callee);
        self.out.push('(');
        self.list(&call.arguments, Self::expr);
        self.out.push(')');
    }

    fn if_statement(&mut self, branches: &'t If) {
        for (at, arm) in branches.arms.iter().enumerate() {
            if at > 0 {
                self.new_line(false);
            }
            self.out.push_str(if at == 0 { "if " } else { "elsif " });
            self.parenthesised(&arm.condition);
            self.out.push_str(" then");
            let next = branches.arms.get(at + 1).map(|next| next.head.start);
            let otherwise = branches.otherwise.as_ref().map(|otherwise| otherwise.start);
            self.block(&arm.block, next.or(otherwise).unwrap_or(branches.end));
        }
        if let Some(otherwise) = &branches.otherwise {
            self.new_line(false);
            self.out.push_str("else");
            self.block(&otherwise.block, branches.end);
        }
        self.new_line(false);
        self.out.push_str("fi");
    }

    fn while_statement(&mut self, repeated: &'t While) {
        self.out.push_str("while ");
        self.parenthesised(&repeated.condition);
        self.out.push_str(" do");
        self.block(&repeated.block, repeated.end);
        self.new_line(false);
        self.out.push_str("od");
    }
}
