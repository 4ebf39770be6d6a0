//! What a name means at some place, and expressions.

use base::Diagnostic;
use program::{BinaryOp, Expr as Term, NaryOp, VariableId};

use super::Lowering;
use super::declare::ProcedureIndex;
use crate::syntax::{Binary, Expr, Name, Nary};
use base::names::similar;

/// From where names are seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside of procedures: shared variables, and the private ones of the thread.
    Outside(Option<usize>),
    /// Inside a procedure.
    Inside(ProcedureIndex),
}

/// How an expression is read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) place: Place,
    /// Whether `'x` is allowed.
    pub(super) primes: bool,
}

impl Reading {
    /// The state before alone.
    pub(super) fn before(place: Place) -> Self {
        Self { place, primes: false }
    }

    /// Plain names are read before, primed ones after.
    pub(super) fn relation(place: Place) -> Self {
        Self { place, primes: true }
    }
}

impl Lowering<'_> {
    /// The variable that a name means, if any.
    pub(super) fn find_variable(&self, place: Place, name: Name) -> Option<VariableId> {
        let (locals, thread) = match place {
            Place::Outside(thread) => (None, thread),
            Place::Inside(index) => {
                let procedure = &self.symbols.procedures[index];
                (procedure.locals.get(name.symbol), procedure.thread)
            }
        };
        let private = || self.symbols.threads[thread?].privates.get(name.symbol);
        locals.or_else(private).or_else(|| self.symbols.globals.get(name.symbol))
    }

    /// The variable that a name means, or an error.
    pub(super) fn variable(&mut self, place: Place, name: Name) -> Option<VariableId> {
        let found = self.find_variable(place, name);
        if found.is_none() && !self.report.only_counts() {
            let diagnostic = self.unknown_variable(place, name);
            self.report.push(diagnostic);
        }
        found
    }

    fn unknown_variable(&self, place: Place, name: Name) -> Diagnostic {
        let text = self.text(name);
        let diagnostic =
            Diagnostic::error("BP0020", format!("unknown variable `{text}`")).at(name.span, "not declared");
        if self.find_procedure(place, name).is_some() {
            return diagnostic.help(format!("`{text}` is a procedure; to call it, write `{text}(...)`"));
        }
        let ids = self.visible_variables(place);
        let variables = &self.builder.program().variables;
        match similar(text, ids.iter().map(|id| variables[*id].name.as_str())) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("declare it with `decl {text};`")),
        }
    }

    /// All variables that can be named at a place, innermost first.
    pub(super) fn visible_variables(&self, place: Place) -> Vec<VariableId> {
        let (mut ids, thread) = match place {
            Place::Outside(thread) => (Vec::new(), thread),
            Place::Inside(index) => {
                let procedure = &self.symbols.procedures[index];
                (procedure.locals.ids.clone(), procedure.thread)
            }
        };
        if let Some(thread) = thread {
            ids.extend(&self.symbols.threads[thread].privates.ids);
        }
        ids.extend(&self.symbols.globals.ids);
        ids
    }

    /// The procedure that a name means at a place.
    pub(super) fn find_procedure(&self, place: Place, name: Name) -> Option<ProcedureIndex> {
        let thread = match place {
            Place::Outside(thread) => thread,
            Place::Inside(index) => self.symbols.procedures[index].thread,
        };
        let inner = thread.and_then(|thread| self.symbols.threads[thread].by_name.get(&name.symbol));
        inner.or_else(|| self.symbols.by_name.get(&name.symbol)).copied()
    }

    /// The procedure that a name means, or an error.
    pub(super) fn procedure(&mut self, place: Place, name: Name) -> Option<ProcedureIndex> {
        let found = self.find_procedure(place, name);
        if found.is_none() && !self.report.only_counts() {
            let diagnostic = self.unknown_procedure(place, name);
            self.report.push(diagnostic);
        }
        found
    }

    fn unknown_procedure(&self, place: Place, name: Name) -> Diagnostic {
        let text = self.text(name);
        let diagnostic =
            Diagnostic::error("BP0021", format!("unknown procedure `{text}`")).at(name.span, "not defined");
        let thread = self.symbols.threads.iter().find(|thread| thread.by_name.contains_key(&name.symbol));
        if let Some(thread) = thread {
            let thread = self.text(thread.name);
            return diagnostic
                .help(format!("`{text}` belongs to the thread `{thread}` and cannot be called from here"));
        }
        let visible = self.symbols.procedures.iter().filter_map(|procedure| procedure.name);
        let visible = visible.filter(|other| self.find_procedure(place, *other).is_some());
        match similar(text, visible.map(|other| self.text(other))) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("define it: `void {text}(...) begin ... end`")),
        }
    }

    /// Lowers an expression; after an error its value is of no interest.
    pub(super) fn expr(&mut self, reading: Reading, expr: &Expr) -> Term {
        match expr {
            Expr::Const(value) => Term::bool(*value),
            Expr::Name(name) => self.read(reading, *name),
            Expr::Primed(name) => self.read_primed(reading, *name),
            Expr::Any => Term::Any,
            Expr::Not(operand) => self.expr(reading, operand).not(),
            Expr::Nary(op, operands) => {
                let operands = operands.iter().map(|operand| self.expr(reading, operand)).collect();
                Term::Nary(nary(*op), operands)
            }
            Expr::Binary(op, operands) => self.binary(reading, *op, operands),
            Expr::Conditional(operands) => self.conditional(reading, operands),
            Expr::Choose(operands) => self.choose(reading, operands),
        }
    }

    fn binary(&mut self, reading: Reading, op: Binary, operands: &[Expr; 2]) -> Term {
        let [left, right] = operands.each_ref().map(|operand| Box::new(self.expr(reading, operand)));
        let op = match op {
            Binary::Implies => BinaryOp::Implies,
            Binary::Iff | Binary::Equal => BinaryOp::Eq,
            Binary::NotEqual => BinaryOp::Ne,
        };
        Term::Binary(op, left, right)
    }

    fn conditional(&mut self, reading: Reading, operands: &[Expr; 3]) -> Term {
        let [condition, then, otherwise] = operands.each_ref().map(|operand| Box::new(self.expr(reading, operand)));
        Term::Ite(condition, then, otherwise)
    }

    /// `schoose[p, n]`: true if p, else false if n, else arbitrary.
    fn choose(&mut self, reading: Reading, operands: &[Expr; 2]) -> Term {
        let [positive, negative] = operands.each_ref().map(|operand| Box::new(self.expr(reading, operand)));
        self.lint_choose(operands, &positive, &negative);
        let unless = Term::Ite(negative, Box::new(Term::FALSE), Box::new(Term::Any));
        Term::Ite(positive, Box::new(Term::TRUE), Box::new(unless))
    }

    fn read(&mut self, reading: Reading, name: Name) -> Term {
        if let Some(variable) = self.find_variable(reading.place, name) {
            return Term::before(variable);
        }
        match self.text(name) {
            "T" => Term::TRUE,
            "F" => Term::FALSE,
            _ => {
                let missing = self.variable(reading.place, name);
                assert!(missing.is_none(), "a variable that was not found is not found");
                Term::FALSE
            }
        }
    }

    fn read_primed(&mut self, reading: Reading, name: Name) -> Term {
        if !reading.primes {
            let text = self.text(name);
            self.report.push(
                Diagnostic::error("BP0012", format!("`'{text}` has no meaning here"))
                    .at(name.span, "a primed variable is the value after the statement")
                    .help(format!("write `{text}`, or use `'{text}` in a `constrain`")),
            );
            return Term::FALSE;
        }
        self.variable(reading.place, name).map_or(Term::FALSE, Term::after)
    }
}

fn nary(op: Nary) -> NaryOp {
    match op {
        Nary::Or => NaryOp::Or,
        Nary::Xor => NaryOp::Xor,
        Nary::And => NaryOp::And,
    }
}
