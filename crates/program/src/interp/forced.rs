//! What a condition on the outcome of an edge fixes by equality.
//!
//! An array, or a number of many bits, has too many values to be tried one by one, but conditions mostly say of each
//! element what it becomes. What is found here holds in every outcome that satisfies the condition; it need not be all
//! that does.

use super::possible::{Reader, possible_values};
use crate::{BinaryOp, Expr, NaryOp, Program, Value, VariableId, When, semantics};

/// A variable, or one of its elements, and the value that it must get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Forced {
    pub(crate) variable: VariableId,
    pub(crate) when: When,
    pub(crate) index: Option<usize>,
    pub(crate) value: Value,
}

/// What must be so where a condition holds.
pub(crate) fn forced(program: &Program, condition: &Expr, reader: &impl Reader) -> Vec<Forced> {
    let mut search = Search { program, reader, found: Vec::new() };
    search.require(condition);
    search.found
}

struct Search<'a, R> {
    program: &'a Program,
    reader: &'a R,
    found: Vec<Forced>,
}

impl<R: Reader> Search<'_, R> {
    /// The value of an expression, if there is only one.
    fn single(&self, expr: &Expr) -> Option<Value> {
        possible_values(self.program, expr, self.reader).ok()?.single()
    }

    fn is(&self, expr: &Expr, value: bool) -> bool {
        self.single(expr) == Some(Value::Bool(value))
    }

    fn require(&mut self, condition: &Expr) {
        match condition {
            Expr::Nary(NaryOp::And, operands) => operands.iter().for_each(|operand| self.require(operand)),
            Expr::Nary(NaryOp::Or, operands) => {
                let mut open = operands.iter().filter(|operand| !self.is(operand, false));
                if let (Some(only), None) = (open.next(), open.next()) {
                    self.require(only);
                }
            }
            Expr::Binary(BinaryOp::Implies, premise, conclusion) if self.is(premise, true) => self.require(conclusion),
            Expr::Ite(test, then, otherwise) => match self.single(test) {
                Some(Value::Bool(true)) => self.require(then),
                Some(Value::Bool(false)) => self.require(otherwise),
                _ => {}
            },
            Expr::Binary(BinaryOp::Eq, left, right) => {
                self.equate(left, right);
                self.equate(right, left);
            }
            _ => {}
        }
    }

    fn equate(&mut self, place: &Expr, value: &Expr) {
        let (variable, when, index) = match place {
            Expr::Read(variable, when) => (*variable, *when, None),
            Expr::Index(array, index) => {
                let index = self.single(index).and_then(|index| semantics::position(&index));
                let (Expr::Read(variable, when), Some(index)) = (array.as_ref(), index) else { return };
                (*variable, *when, Some(index))
            }
            _ => return,
        };
        if let Some(value) = self.single(value) {
            self.found.push(Forced { variable, when, index, value });
        }
    }
}
