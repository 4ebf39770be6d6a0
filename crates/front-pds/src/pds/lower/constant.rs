//! Defines and other constant expressions.

use base::{Diagnostic, Span};

use super::super::syntax::{Name, Operator, Term, Variable};
use super::Lowering;
use crate::Options;
use base::names::similar;

/// Constants lie between these, so that arithmetic on them cannot overflow before it is noticed.
const RANGE: std::ops::RangeInclusive<i128> = -(1 << 63)..=(1 << 63) - 1;

impl Lowering<'_> {
    /// Values of all defines; those of the options replace those of the source.
    pub(super) fn constants(&mut self, options: &Options) {
        let tree = self.tree;
        for define in &tree.defines {
            let text = self.text(define.name);
            let given =
                options.defines.iter().rev().find(|(name, _)| name == text).map(|(_, value)| i128::from(*value));
            if given.is_some() {
                self.overridden.insert(define.name.symbol);
            }
            let value = given.or_else(|| self.constant(&define.value)).unwrap_or(1);
            match self.constants.get(&define.name.symbol) {
                Some((_, first)) => {
                    let first = *first;
                    self.twice(define.name, first);
                }
                None => drop(self.constants.insert(define.name.symbol, (value, define.name.span))),
            }
        }
        for (name, _) in &options.defines {
            let known = tree.names.find(name).is_some_and(|symbol| self.constants.contains_key(&symbol));
            if !known && !tree.lost {
                self.unknown_define(name);
            }
        }
    }

    fn unknown_define(&mut self, name: &str) {
        let names = self.tree.defines.iter().map(|define| self.tree.names.text(define.name.symbol));
        let help = match similar(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.tree.defines.is_empty() => "the file has no defines".to_owned(),
            None => "only names that the file defines can be given another value".to_owned(),
        };
        let message = format!("a value is given for `{name}`, which the file does not define");
        self.report.push(Diagnostic::error("PD0035", message).help(help));
    }

    pub(super) fn twice(&mut self, name: Name, first: Span) {
        let message = format!("`{}` is declared twice", self.text(name));
        self.report.push(
            Diagnostic::error("PD0021", message)
                .at(name.span, "declared again")
                .also(first, "declared here")
                .help("choose another name for one of them"),
        );
    }

    /// The value of a constant expression, or nothing after an error has been reported.
    pub(super) fn constant(&mut self, term: &Term) -> Option<i128> {
        match term {
            Term::Number(value, _) => Some(*value),
            Term::Variable(variable) => self.constant_name(variable),
            Term::Chain(operands, span) => {
                let mut value = 0;
                for (op, operand) in operands {
                    let operand = self.constant(operand)?;
                    value = match calculate(*op, value, operand) {
                        Ok(value) => value,
                        Err(why) => return self.bad_constant(*span, why),
                    };
                }
                Some(value)
            }
        }
    }

    fn constant_name(&mut self, variable: &Variable) -> Option<i128> {
        if let Some((value, _)) = self.constants.get(&variable.name.symbol) {
            return Some(*value);
        }
        if self.report.only_counts() {
            return None;
        }
        let text = self.text(variable.name);
        let names = self.tree.defines.iter().map(|define| self.tree.names.text(define.name.symbol));
        if self.declares(variable.name) {
            let diagnostic = Diagnostic::error("PD0027", format!("`{text}` is not a constant"));
            let help = "widths, indices of declarations and ranges of quantifiers are made of numbers and defines";
            self.report.push(diagnostic.at(variable.span, "a variable").help(help));
            return None;
        }
        let mut diagnostic = Diagnostic::error("PD0027", format!("`{text}` is not a constant"))
            .at(variable.span, "not defined before this place");
        diagnostic.help = Some(match similar(text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write `define {text} ...` before it; only numbers and defines are constant"),
        });
        self.report.push(diagnostic);
        None
    }

    /// Whether the name is that of a variable.
    fn declares(&self, name: Name) -> bool {
        let locals = self.tree.locals.iter().flat_map(|local| &local.variables);
        self.tree.globals.iter().chain(locals).any(|declaration| declaration.name.symbol == name.symbol)
    }

    fn bad_constant(&mut self, span: Span, why: &str) -> Option<i128> {
        let diagnostic = Diagnostic::error("PD0028", format!("this constant has no value: {why}"));
        self.report.push(diagnostic.at(span, why).help("constants lie between -2^63 and 2^63-1"));
        None
    }

    /// The place of the define that a constant expression consists of, and where its value comes from.
    pub(super) fn define_behind(&self, term: &Term) -> Option<(Span, String)> {
        let Term::Variable(Variable { name, .. }) = term else { return None };
        let (value, span) = self.constants.get(&name.symbol)?;
        let label = if self.overridden.contains(&name.symbol) {
            format!("defined here, but `-D {}={value}` replaces the value", self.text(*name))
        } else {
            format!("defined here as {value}")
        };
        Some((*span, label))
    }
}

/// One step of a chain; the first operand is added to zero.
pub(crate) fn calculate(op: Operator, left: i128, right: i128) -> Result<i128, &'static str> {
    let value = match op {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Divide if right == 0 => return Err("it divides by zero"),
        Operator::Divide => left / right,
        Operator::Shift if right < 0 => return Err("it shifts by a negative number"),
        Operator::Shift if left == 0 => 0,
        Operator::Shift if right > 63 => return Err("it is too large"),
        Operator::Shift => left << right,
    };
    if RANGE.contains(&value) { Ok(value) } else { Err("it is too large") }
}
