//! The values that an expression may take.
//!
//! An expression with choices ([`Expr::Any`]) has several possible values. Each choice occurs once, so the operands of an
//! operator choose independently of each other, and the possible values of the whole are the operator applied to all
//! combinations of possible values of its operands: the computation bottom up is exact. An index out of range removes
//! the combination in which it occurs; an expression without possible values makes its edge impossible.
//!
//! A [`Reader`] may also give several values for a variable. Then the result contains all values that the expression
//! takes when the variables take these values, and perhaps more, because two reads of a variable are not correlated.

use std::borrow::Cow;

use crate::{BinaryOp, Expr, NaryOp, Program, Sort, UnaryOp, Value, VariableId, When, semantics};

/// More possible values than this are not listed.
pub const MAX_VALUES: usize = 1 << 16;

/// An expression has more than [`MAX_VALUES`] possible values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyValues;

/// A set of values of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Possible {
    /// Booleans.
    Bool {
        /// Whether false is among them.
        falsity: bool,
        /// Whether true is among them.
        truth: bool,
    },
    /// Values that are not Booleans: ascending, without repetitions.
    Values(Vec<Value>),
    /// Any values that are not Booleans: too many to list.
    Anything,
}

/// Gives the values of variables.
pub trait Reader {
    /// The values that the variable may have at the moment.
    fn read(&self, variable: VariableId, when: When) -> Possible;
}

impl Possible {
    const BOTH: Self = Self::Bool { falsity: true, truth: true };

    /// One value.
    #[must_use]
    pub fn one(value: Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool { falsity: !value, truth: value },
            other => Self::Values(vec![other]),
        }
    }

    /// All values of a sort; those of a sort with more than `limit` values are not listed.
    #[must_use]
    pub fn all(program: &Program, sort: &Sort, limit: usize) -> Self {
        match sort {
            Sort::Bool => Self::BOTH,
            other => other.values(program, limit).map_or(Self::Anything, Self::Values),
        }
    }

    /// True when the value is among these.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool { falsity, truth }, Value::Bool(value)) => {
                if *value {
                    *truth
                } else {
                    *falsity
                }
            }
            (Self::Values(values), value) => values.binary_search(value).is_ok(),
            (Self::Anything, _) => true,
            (Self::Bool { .. }, _) => false,
        }
    }

    /// True when there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Bool { falsity, truth } => !falsity && !truth,
            Self::Values(values) => values.is_empty(),
            Self::Anything => false,
        }
    }

    /// True when `true` is possible.
    #[must_use]
    pub fn can_be_true(&self) -> bool {
        matches!(self, Self::Bool { truth: true, .. })
    }

    /// The value, if there is exactly one.
    #[must_use]
    pub fn single(&self) -> Option<Value> {
        match self {
            Self::Bool { falsity, truth } => (falsity != truth).then_some(Value::Bool(*truth)),
            Self::Values(values) => {
                if let [only] = values.as_slice() {
                    Some(only.clone())
                } else {
                    None
                }
            }
            Self::Anything => None,
        }
    }

    /// The values in ascending order, if they are listed.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'_, [Value]>> {
        static BOOLEANS: [Value; 2] = [Value::Bool(false), Value::Bool(true)];
        match self {
            Self::Bool { falsity, truth } => {
                let (from, to) = (usize::from(!falsity), 1 + usize::from(*truth));
                Some(Cow::Borrowed(BOOLEANS.get(from..to).unwrap_or(&[])))
            }
            Self::Values(values) => Some(Cow::Borrowed(values)),
            Self::Anything => None,
        }
    }

    fn collect(sort: &Sort, values: impl Iterator<Item = Value>) -> Self {
        if *sort == Sort::Bool {
            let (mut falsity, mut truth) = (false, false);
            for value in values {
                truth |= value == Value::Bool(true);
                falsity |= value == Value::Bool(false);
            }
            return Self::Bool { falsity, truth };
        }
        let mut values: Vec<Value> = values.collect();
        values.sort_unstable();
        values.dedup();
        Self::Values(values)
    }

    fn nothing(sort: &Sort) -> Self {
        Self::collect(sort, std::iter::empty())
    }

    fn truths(&self) -> (bool, bool) {
        match self {
            Self::Bool { falsity, truth } => (*falsity, *truth),
            _ => unreachable!("verify accepts Boolean operators on Booleans only"),
        }
    }
}

/// The possible values of an expression of a program that `verify` accepts.
pub fn possible_values(program: &Program, expr: &Expr, reader: &impl Reader) -> Result<Possible, TooManyValues> {
    Ok(Evaluator { program, reader }.eval(expr)?.0)
}

struct Evaluator<'a, R> {
    program: &'a Program,
    reader: &'a R,
}

/// Possible values with their sort.
type Sorted<'a> = (Possible, Cow<'a, Sort>);

const BOOL: Cow<'static, Sort> = Cow::Borrowed(&Sort::Bool);

impl<'a, R: Reader> Evaluator<'a, R> {
    fn eval(&self, expr: &'a Expr) -> Result<Sorted<'a>, TooManyValues> {
        match expr {
            Expr::Const(value, sort) => Ok((Possible::one(value.clone()), Cow::Borrowed(sort))),
            Expr::Read(variable, when) => {
                Ok((self.reader.read(*variable, *when), Cow::Borrowed(self.program.sort(*variable))))
            }
            Expr::Any | Expr::Unary(UnaryOp::Not, _) | Expr::Nary(..) => {
                let (falsity, truth) = self.truths(expr)?;
                Ok((Possible::Bool { falsity, truth }, BOOL))
            }
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Ite(condition, then, otherwise) => self.ite(condition, then, otherwise),
            Expr::Index(array, index) => self.index(array, index),
        }
    }

    /// Whether a Boolean expression can be false, and whether it can be true.
    fn truths(&self, expr: &'a Expr) -> Result<(bool, bool), TooManyValues> {
        match expr {
            Expr::Any => Ok((true, true)),
            Expr::Read(variable, when) => Ok(self.reader.read(*variable, *when).truths()),
            Expr::Unary(UnaryOp::Not, operand) => {
                let (falsity, truth) = self.truths(operand)?;
                Ok((truth, falsity))
            }
            Expr::Nary(op, operands) => self.nary(*op, operands),
            other => Ok(self.eval(other)?.0.truths()),
        }
    }

    fn unary(&self, op: UnaryOp, operand: &'a Expr) -> Result<Sorted<'a>, TooManyValues> {
        let (operand, sort) = self.eval(operand)?;
        let result = semantics::unary_sort(op, &sort);
        let Some(result) = result else { unreachable!("verify accepts operators on their sorts only") };
        let values = match operand.list() {
            Some(values) => {
                Possible::collect(&result, values.iter().map(|value| semantics::apply_unary(op, value, &sort)))
            }
            None => Possible::Anything,
        };
        Ok((values, Cow::Owned(result)))
    }

    fn binary(&self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Result<Sorted<'a>, TooManyValues> {
        let (left, sort) = self.eval(left)?;
        let (right, _) = self.eval(right)?;
        let result = semantics::binary_sort(op, &sort, &sort);
        let Some(result) = result else { unreachable!("verify accepts operators on their sorts only") };
        let values = match (left.list(), right.list()) {
            _ if left.is_empty() || right.is_empty() => Possible::nothing(&result),
            (Some(lefts), Some(rights)) => {
                if lefts.len().saturating_mul(rights.len()) > MAX_VALUES {
                    return Err(TooManyValues);
                }
                let pairs = lefts.iter().flat_map(|l| rights.iter().map(move |r| (l, r)));
                Possible::collect(&result, pairs.map(|(l, r)| semantics::apply_binary(op, l, r, &sort)))
            }
            _ if result == Sort::Bool => Possible::BOTH,
            _ => Possible::Anything,
        };
        Ok((values, Cow::Owned(result)))
    }

    fn nary(&self, op: NaryOp, operands: &'a [Expr]) -> Result<(bool, bool), TooManyValues> {
        let start = semantics::apply_nary(op, []);
        let (mut falsity, mut truth) = (!start, start);
        for operand in operands {
            let (f, t) = self.truths(operand)?;
            if !f && !t {
                return Ok((false, false));
            }
            (falsity, truth) = match op {
                NaryOp::And => (falsity || f, truth && t),
                NaryOp::Or => (falsity && f, truth || t),
                NaryOp::Xor => (falsity && f || truth && t, falsity && t || truth && f),
            };
        }
        Ok((falsity, truth))
    }

    fn ite(&self, condition: &'a Expr, then: &'a Expr, otherwise: &'a Expr) -> Result<Sorted<'a>, TooManyValues> {
        let condition = self.truths(condition)?;
        let (then, sort) = self.eval(then)?;
        let (otherwise, _) = self.eval(otherwise)?;
        let values = match condition {
            _ if then.is_empty() || otherwise.is_empty() => Possible::nothing(&sort),
            (false, false) => Possible::nothing(&sort),
            (false, true) => then,
            (true, false) => otherwise,
            (true, true) => match (then.list(), otherwise.list()) {
                (Some(some), Some(more)) if some.len() + more.len() <= MAX_VALUES => {
                    Possible::collect(&sort, some.iter().chain(more.iter()).cloned())
                }
                (Some(_), Some(_)) => return Err(TooManyValues),
                _ => Possible::Anything,
            },
        };
        Ok((values, sort))
    }

    fn index(&self, array: &'a Expr, index: &'a Expr) -> Result<Sorted<'a>, TooManyValues> {
        let (array, sort) = self.eval(array)?;
        let (index, _) = self.eval(index)?;
        let element = match sort {
            Cow::Borrowed(Sort::Array(element, _)) => Cow::Borrowed(element.as_ref()),
            Cow::Owned(Sort::Array(element, _)) => Cow::Owned(*element),
            _ => unreachable!("verify accepts indices on arrays only"),
        };
        let values = match (array.list(), index.list()) {
            (Some(arrays), Some(indices)) => {
                if arrays.len().saturating_mul(indices.len()) > MAX_VALUES {
                    return Err(TooManyValues);
                }
                let pairs = arrays.iter().flat_map(|array| indices.iter().map(move |index| (array, index)));
                let elements = pairs.filter_map(|(array, index)| semantics::apply_index(array, index));
                Possible::collect(&element, elements.cloned())
            }
            _ if array.is_empty() || index.is_empty() => Possible::nothing(&element),
            _ if *element == Sort::Bool => Possible::BOTH,
            _ => Possible::Anything,
        };
        Ok((values, element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgramBuilder;

    const NEITHER: Possible = Possible::Bool { falsity: false, truth: false };

    struct Values(Vec<Value>);

    impl Reader for Values {
        fn read(&self, variable: VariableId, _: When) -> Possible {
            Possible::one(self.0[variable.0 as usize].clone())
        }
    }

    fn any() -> Box<Expr> {
        Box::new(Expr::Any)
    }

    fn bits(value: u64) -> Expr {
        Expr::Const(Value::Bits(value), Sort::Bits(4))
    }

    fn eval(expr: &Expr) -> Possible {
        possible_values(&ProgramBuilder::new().finish(), expr, &Values(Vec::new())).unwrap()
    }

    #[test]
    fn each_choice_is_its_own() {
        assert_eq!(eval(&Expr::Any.eq(Expr::Any)), Possible::BOTH);
        let nary = |op, operands| eval(&Expr::Nary(op, operands));
        assert_eq!(nary(NaryOp::And, vec![Expr::Any, Expr::FALSE]), Possible::one(false.into()));
        assert_eq!(nary(NaryOp::Or, vec![Expr::Any, Expr::TRUE]), Possible::one(true.into()));
        assert_eq!(nary(NaryOp::Xor, vec![Expr::Any, Expr::TRUE]), Possible::BOTH);
        assert_eq!(nary(NaryOp::Xor, vec![Expr::TRUE, Expr::TRUE]), Possible::one(false.into()));
    }

    #[test]
    fn choices_give_sets_of_numbers() {
        let either = |a, b| Box::new(Expr::Ite(any(), Box::new(bits(a)), Box::new(bits(b))));
        let sum = Expr::Binary(BinaryOp::Add, either(1, 2), either(10, 15));
        let expected = [0, 1, 11, 12].map(Value::Bits).to_vec();
        assert_eq!(eval(&sum), Possible::Values(expected));
        assert_eq!(eval(&Expr::Binary(BinaryOp::Ult, either(1, 2), either(2, 3))), Possible::BOTH);
        assert_eq!(eval(&Expr::Binary(BinaryOp::Ult, either(1, 2), either(3, 4))), Possible::one(true.into()));
    }

    #[test]
    fn an_index_out_of_range_has_no_value_wherever_it_stands() {
        let array = Value::Array([3, 4].map(Value::Bits).to_vec());
        let array = Box::new(Expr::Const(array, Sort::Array(Box::new(Sort::Bits(4)), 2)));
        let at = |index: Expr| Expr::Index(array.clone(), Box::new(index));
        assert_eq!(eval(&at(bits(1))), Possible::one(Value::Bits(4)));
        assert!(eval(&at(bits(2))).is_empty());
        let wrong = at(bits(2)).eq(bits(3));
        assert_eq!(eval(&Expr::Nary(NaryOp::Or, vec![Expr::TRUE, wrong.clone()])), NEITHER);
        assert_eq!(eval(&Expr::Nary(NaryOp::Or, vec![wrong.clone(), Expr::TRUE])), NEITHER);
        let ite = Expr::Ite(Box::new(Expr::TRUE), Box::new(Expr::TRUE), Box::new(wrong));
        assert_eq!(eval(&ite), NEITHER);
        let perhaps = at(Expr::Ite(any(), Box::new(bits(0)), Box::new(bits(9))));
        assert_eq!(eval(&perhaps), Possible::one(Value::Bits(3)));
    }

    #[test]
    fn what_is_not_listed_stays_a_superset() {
        let mut builder = ProgramBuilder::new();
        let wide = builder.shared("wide", Sort::Bits(64));
        struct Unknown;
        impl Reader for Unknown {
            fn read(&self, _: VariableId, _: When) -> Possible {
                Possible::Anything
            }
        }
        let program = builder.finish();
        let zero = Expr::Const(Value::Bits(0), Sort::Bits(64));
        let sum = Expr::Binary(BinaryOp::Add, Box::new(Expr::before(wide)), Box::new(zero.clone()));
        assert_eq!(possible_values(&program, &sum, &Unknown), Ok(Possible::Anything));
        assert_eq!(possible_values(&program, &sum.eq(zero), &Unknown), Ok(Possible::BOTH));
    }

    #[test]
    fn too_many_values_are_an_error() {
        let wide = |at: u32| {
            let [zero, one] = [0, 1 << at].map(|bits| Box::new(Expr::Const(Value::Bits(bits), Sort::Bits(32))));
            Expr::Ite(any(), zero, one)
        };
        let add = |sum: Expr, at| Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(wide(at)));
        let sum = |n| (1..n).fold(wide(0), add);
        assert_eq!(eval(&sum(8)).list().unwrap().len(), 256);
        let program = ProgramBuilder::new().finish();
        assert_eq!(possible_values(&program, &sum(20), &Values(Vec::new())), Err(TooManyValues));
    }
}
