//! Expressions under known values: what they evaluate to, and what is left of them.

use std::borrow::Cow;

use program::semantics::{apply_binary, apply_index, apply_unary, binary_sort, unary_sort};
use program::{BinaryOp, Expr, NaryOp, Program, Sort, UnaryOp, Value, VariableId, When};

use crate::edit::{for_each_read, may_block};

/// What is known when an expression is evaluated.
pub(super) trait Lookup {
    /// The program that the expression is part of.
    fn program(&self) -> &Program;
    /// The known value of a variable at a moment.
    fn value(&self, variable: VariableId, when: When) -> Option<Value>;
    /// The same for a Boolean variable.
    fn truth(&self, variable: VariableId, when: When) -> Option<bool>;
}

/// The value of a Boolean expression, if it is known whenever the expression has one.
pub(super) fn truth(expr: &Expr, known: &impl Lookup) -> Option<bool> {
    match expr {
        Expr::Any => None,
        Expr::Const(value, _) => Some(*value == Value::Bool(true)),
        Expr::Read(variable, when) => known.truth(*variable, *when),
        Expr::Unary(UnaryOp::Not, operand) => truth(operand, known).map(|value| !value),
        Expr::Nary(op, operands) => nary(*op, operands.iter().map(|operand| truth(operand, known))),
        Expr::Binary(BinaryOp::Implies, left, right) => match (truth(left, known), truth(right, known)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        },
        other => match evaluate(other, known) {
            Some(Value::Bool(value)) => Some(value),
            _ => None,
        },
    }
}

/// The value of an expression, if it is known whenever the expression has one.
pub(super) fn evaluate(expr: &Expr, known: &impl Lookup) -> Option<Value> {
    match expr {
        Expr::Const(value, _) => Some(value.clone()),
        Expr::Read(variable, when) => known.value(*variable, *when),
        Expr::Any | Expr::Nary(..) | Expr::Unary(UnaryOp::Not, _) | Expr::Binary(BinaryOp::Implies, ..) => {
            truth(expr, known).map(Value::Bool)
        }
        Expr::Unary(op, operand) => {
            let value = evaluate(operand, known)?;
            Some(apply_unary(*op, &value, &sort_of(operand, known.program())))
        }
        Expr::Binary(op, left, right) => {
            let (left_value, right) = (evaluate(left, known)?, evaluate(right, known)?);
            Some(apply_binary(*op, &left_value, &right, &sort_of(left, known.program())))
        }
        Expr::Ite(condition, then, otherwise) => match truth(condition, known) {
            Some(true) => evaluate(then, known),
            Some(false) => evaluate(otherwise, known),
            None => evaluate(then, known).filter(|value| evaluate(otherwise, known).as_ref() == Some(value)),
        },
        Expr::Index(array, index) => {
            let (array, index) = (evaluate(array, known)?, evaluate(index, known)?);
            apply_index(&array, &index).cloned()
        }
    }
}

fn nary(op: NaryOp, mut operands: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let absorbing = match op {
        NaryOp::And => false,
        NaryOp::Or => true,
        NaryOp::Xor => return operands.try_fold(false, |parity, operand| Some(parity ^ operand?)),
    };
    let mut all_known = true;
    for operand in operands {
        if operand == Some(absorbing) {
            return operand;
        }
        all_known &= operand.is_some();
    }
    all_known.then_some(!absorbing)
}

/// The sort of a well-sorted expression.
fn sort_of<'a>(expr: &'a Expr, program: &'a Program) -> Cow<'a, Sort> {
    match expr {
        Expr::Const(_, sort) => Cow::Borrowed(sort),
        Expr::Read(variable, _) => Cow::Borrowed(program.sort(*variable)),
        Expr::Any | Expr::Nary(..) => Cow::Owned(Sort::Bool),
        Expr::Unary(op, operand) => Cow::Owned(unary_sort(*op, &sort_of(operand, program)).unwrap_or(Sort::Bool)),
        Expr::Binary(op, left, right) => {
            let (left, right) = (sort_of(left, program), sort_of(right, program));
            Cow::Owned(binary_sort(*op, &left, &right).unwrap_or(Sort::Bool))
        }
        Expr::Ite(_, then, _) => sort_of(then, program),
        Expr::Index(array, _) => match sort_of(array, program) {
            Cow::Borrowed(Sort::Array(element, _)) => Cow::Borrowed(&**element),
            Cow::Owned(Sort::Array(element, _)) => Cow::Owned(*element),
            other => other,
        },
    }
}

/// Replaces known reads and folds; adds the variables that were replaced to `used`. True when the expression changed.
///
/// An expression that can make its edge impossible is not dropped, whatever its value.
pub(super) fn simplify(expr: &mut Expr, known: &impl Lookup, used: &mut Vec<VariableId>) -> bool {
    let n_used = used.len();
    for_each_read(expr, &mut |variable, when| {
        if known.value(variable, when).is_some() {
            used.push(variable);
        }
    });
    if used.len() == n_used {
        return false;
    }
    let old = std::mem::replace(expr, Expr::TRUE);
    let program = known.program();
    *expr = old.map(&mut |node| match node {
        Expr::Read(variable, when) => match known.value(variable, when) {
            Some(value) => Expr::Const(value, program.sort(variable).clone()),
            None => node,
        },
        other => fold(other, program),
    });
    true
}

/// One node with simplified operands.
fn fold(expr: Expr, program: &Program) -> Expr {
    match expr {
        Expr::Const(..) | Expr::Read(..) | Expr::Any => expr,
        Expr::Nary(op, operands) => fold_nary(op, operands),
        Expr::Unary(UnaryOp::Not, operand) => operand.not(),
        Expr::Binary(op, left, right) => fold_binary(op, *left, *right, program),
        Expr::Ite(condition, then, otherwise) => match *condition {
            Expr::Const(Value::Bool(true), _) if !may_block(&otherwise) => *then,
            Expr::Const(Value::Bool(false), _) if !may_block(&then) => *otherwise,
            condition => Expr::Ite(Box::new(condition), then, otherwise),
        },
        Expr::Unary(..) | Expr::Index(..) => constant(expr, program),
    }
}

/// The constant that an operator on constants stands for, or the expression itself.
fn constant(expr: Expr, program: &Program) -> Expr {
    match evaluate(&expr, &Nothing(program)) {
        Some(value) => {
            let sort = sort_of(&expr, program).into_owned();
            Expr::Const(value, sort)
        }
        None => expr,
    }
}

/// Nothing is known but constants.
struct Nothing<'p>(&'p Program);

impl Lookup for Nothing<'_> {
    fn program(&self) -> &Program {
        self.0
    }
    fn value(&self, _: VariableId, _: When) -> Option<Value> {
        None
    }
    fn truth(&self, _: VariableId, _: When) -> Option<bool> {
        None
    }
}

fn fold_binary(op: BinaryOp, left: Expr, right: Expr, program: &Program) -> Expr {
    let truth = |expr: &Expr| match expr {
        Expr::Const(Value::Bool(value), _) => Some(*value),
        _ => None,
    };
    match (op, truth(&left), truth(&right)) {
        (BinaryOp::Eq, Some(true), None)
        | (BinaryOp::Ne, Some(false), None)
        | (BinaryOp::Implies, Some(true), None) => right,
        (BinaryOp::Eq, Some(false), None) | (BinaryOp::Ne, Some(true), None) => right.not(),
        (BinaryOp::Eq, None, Some(true)) | (BinaryOp::Ne, None, Some(false)) => left,
        (BinaryOp::Eq, None, Some(false))
        | (BinaryOp::Ne, None, Some(true))
        | (BinaryOp::Implies, None, Some(false)) => left.not(),
        (BinaryOp::Implies, Some(false), None) if !may_block(&right) => Expr::TRUE,
        (BinaryOp::Implies, None, Some(true)) if !may_block(&left) => Expr::TRUE,
        _ => match (&left, &right) {
            (Expr::Const(..), Expr::Const(..)) => constant(Expr::Binary(op, Box::new(left), Box::new(right)), program),
            _ => Expr::Binary(op, Box::new(left), Box::new(right)),
        },
    }
}

fn fold_nary(op: NaryOp, mut operands: Vec<Expr>) -> Expr {
    let (unit, negated) = match op {
        NaryOp::And => (Expr::TRUE, false),
        NaryOp::Or => (Expr::FALSE, false),
        NaryOp::Xor => {
            let n_true = operands.iter().filter(|operand| **operand == Expr::TRUE).count();
            operands.retain(|operand| *operand != Expr::TRUE);
            (Expr::FALSE, n_true % 2 == 1)
        }
    };
    operands.retain(|operand| *operand != unit);
    let absorbing = unit.clone().not();
    if op != NaryOp::Xor && operands.contains(&absorbing) && !operands.iter().any(may_block) {
        return absorbing;
    }
    let folded = match <[Expr; 1]>::try_from(operands) {
        Ok([only]) => only,
        Err(operands) if operands.is_empty() => unit,
        Err(operands) => Expr::Nary(op, operands),
    };
    if negated { folded.not() } else { folded }
}
