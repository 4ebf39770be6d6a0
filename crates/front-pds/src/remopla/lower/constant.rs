//! Defines and other constant expressions.

use base::Span;

use super::super::syntax::{Expr, Operator};
use super::Lowering;
use crate::Options;
use crate::pds::lower::constant::calculate;
use crate::pds::syntax::Operator as Basic;

impl Lowering<'_> {
    /// Values of all defines; those of the options replace those of the source.
    pub(super) fn constants(&mut self, options: &Options) {
        let tree = self.tree;
        for (name, value) in &tree.defines {
            let text = self.text(*name);
            let given =
                options.defines.iter().rev().find(|(given, _)| given == text).map(|(_, value)| i128::from(*value));
            let value = given.or_else(|| self.constant(value)).unwrap_or(1);
            match self.constants.get(&name.symbol) {
                Some((_, first)) => {
                    let first = *first;
                    self.twice::<()>(*name, first);
                }
                None => drop(self.constants.insert(name.symbol, (value, name.span))),
            }
        }
        for (name, _) in &options.defines {
            let known = tree.names.find(name).is_some_and(|symbol| self.constants.contains_key(&symbol));
            if !known && !tree.lost {
                let message = format!("a value is given for `{name}`, which the file does not define");
                self.report.push(base::Diagnostic::error("PD0035", message));
            }
        }
    }

    /// The value of a define, if there is one of this name.
    pub(super) fn define(&self, name: &str) -> Option<i128> {
        let symbol = self.tree.names.find(name)?;
        self.constants.get(&symbol).map(|(value, _)| *value)
    }

    /// The value of a constant expression, or nothing after an error has been reported.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i128> {
        match expr {
            Expr::Number(value, _) => Some(*value),
            Expr::Name(name) => match self.constants.get(&name.symbol) {
                Some((value, _)) => Some(*value),
                None => {
                    let known = |it: &Self| it.tree.defines.iter().map(|(name, _)| name.symbol).collect();
                    let help = "only numbers and earlier defines are constant";
                    self.unknown("PD0122", "constant", *name, known, help)
                }
            },
            Expr::Chain(operands, span) => self.constant_chain(operands, *span),
            other => {
                let help = "only numbers and earlier defines are constant";
                self.error("PD0122", "this is not a constant".to_owned(), other.span(), "not a number", help)
            }
        }
    }

    fn constant_chain(&mut self, operands: &[(Operator, Expr)], span: Span) -> Option<i128> {
        let mut value = 0;
        for (at, (op, operand)) in operands.iter().enumerate() {
            let right = self.constant(operand)?;
            let basic = match op {
                _ if at == 0 => Basic::Plus,
                Operator::Plus => Basic::Plus,
                Operator::Minus => Basic::Minus,
                Operator::Times => Basic::Times,
                Operator::Divide => Basic::Divide,
                Operator::ShiftLeft => Basic::Shift,
                _ => {
                    let help = "constants are made by `+ - * / <<`";
                    return self.error("PD0122", "this is not a constant".to_owned(), span, "an operator", help);
                }
            };
            value = match calculate(basic, value, right) {
                Ok(value) => value,
                Err(why) => {
                    let message = format!("this constant has no value: {why}");
                    return self.error("PD0123", message, span, why, "constants lie between -2^63 and 2^63-1");
                }
            };
        }
        Some(value)
    }
}
