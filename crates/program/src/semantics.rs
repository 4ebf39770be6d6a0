//! What operators and sorts mean, on concrete values and in one place.
//!
//! The interpreter and the checkers of evidence compute with these functions. Nothing here knows about states,
//! choices or programs beyond the sizes of enumerations. Operators panic on values of the wrong sort: `verify` accepts
//! no program in which they meet one.

mod integers;

use arith::Int;

use crate::{BinaryOp, NaryOp, Program, Sort, UnaryOp, Value};
use integers::{apply_integers, wrapped};

/// The sort of `op` on an operand of the given sort; none if it is not defined there.
#[must_use]
pub fn unary_sort(op: UnaryOp, operand: &Sort) -> Option<Sort> {
    match (op, operand) {
        (UnaryOp::Not, Sort::Bool) => Some(Sort::Bool),
        (UnaryOp::BitNot | UnaryOp::Neg, Sort::Bits(width)) => Some(Sort::Bits(*width)),
        (UnaryOp::Neg, Sort::Int)
        | (UnaryOp::ToInt, Sort::Bool | Sort::Bits(_))
        | (UnaryOp::SignedToInt, Sort::Bits(_)) => Some(Sort::Int),
        (UnaryOp::Resize(width), Sort::Bool | Sort::Bits(_) | Sort::Int)
        | (UnaryOp::SignResize(width), Sort::Bits(_)) => {
            (1..=Sort::MAX_BITS).contains(&width).then_some(Sort::Bits(width))
        }
        _ => None,
    }
}

/// The sort of `op` on operands of the given sorts; none if it is not defined there.
#[must_use]
pub fn binary_sort(op: BinaryOp, left: &Sort, right: &Sort) -> Option<Sort> {
    if left != right {
        return None;
    }
    match (op, left) {
        (BinaryOp::Eq | BinaryOp::Ne, _) | (BinaryOp::Implies, Sort::Bool) => Some(Sort::Bool),
        (BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle, Sort::Bits(_)) => Some(Sort::Bool),
        (BinaryOp::Slt | BinaryOp::Sle, Sort::Int) => Some(Sort::Bool),
        (BinaryOp::Implies | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle, _) => None,
        (_, Sort::Bits(width)) => Some(Sort::Bits(*width)),
        (op, Sort::Int) => BinaryOp::INTEGER.contains(&op).then_some(Sort::Int),
        _ => None,
    }
}

/// `op` applied to a value of the given sort.
#[must_use]
pub fn apply_unary(op: UnaryOp, operand: &Value, sort: &Sort) -> Value {
    match (op, operand, sort) {
        (UnaryOp::Not, Value::Bool(operand), _) => Value::Bool(!operand),
        (UnaryOp::BitNot, Value::Bits(bits), Sort::Bits(width)) => Value::Bits(!bits & mask(*width)),
        (UnaryOp::Neg, Value::Bits(bits), Sort::Bits(width)) => Value::Bits(bits.wrapping_neg() & mask(*width)),
        (UnaryOp::Resize(_), Value::Bool(operand), _) => Value::Bits(u64::from(*operand)),
        (UnaryOp::Resize(to), Value::Bits(bits), _) => Value::Bits(bits & mask(to)),
        (UnaryOp::SignResize(to), Value::Bits(bits), Sort::Bits(width)) => {
            Value::Bits(signed(*bits, *width) as u64 & mask(to))
        }
        (UnaryOp::Neg, Value::Int(operand), _) => Value::Int(-operand),
        (UnaryOp::Resize(to), Value::Int(operand), _) => Value::Bits(wrapped(operand, to)),
        (UnaryOp::ToInt, Value::Bool(operand), _) => Value::Int(i64::from(*operand).into()),
        (UnaryOp::ToInt, Value::Bits(bits), _) => Value::Int(i128::from(*bits).into()),
        (UnaryOp::SignedToInt, Value::Bits(bits), Sort::Bits(width)) => Value::Int(signed(*bits, *width).into()),
        _ => ill_sorted(),
    }
}

/// `op` applied to two values of the given sort.
#[must_use]
pub fn apply_binary(op: BinaryOp, left: &Value, right: &Value, sort: &Sort) -> Value {
    match (op, left, right, sort) {
        (BinaryOp::Eq, ..) => Value::Bool(left == right),
        (BinaryOp::Ne, ..) => Value::Bool(left != right),
        (BinaryOp::Implies, Value::Bool(left), Value::Bool(right), _) => Value::Bool(!left || *right),
        (_, Value::Bits(left), Value::Bits(right), Sort::Bits(width)) => apply_bits(op, *left, *right, *width),
        (_, Value::Int(left), Value::Int(right), _) => apply_integers(op, left, right),
        _ => ill_sorted(),
    }
}

fn apply_bits(op: BinaryOp, left: u64, right: u64, width: u32) -> Value {
    let (signed_left, signed_right) = (signed(left, width), signed(right, width));
    let bits = match op {
        BinaryOp::Ult => return Value::Bool(left < right),
        BinaryOp::Ule => return Value::Bool(left <= right),
        BinaryOp::Slt => return Value::Bool(signed_left < signed_right),
        BinaryOp::Sle => return Value::Bool(signed_left <= signed_right),
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Udiv => left.checked_div(right).unwrap_or(u64::MAX),
        BinaryOp::Urem => left.checked_rem(right).unwrap_or(left),
        BinaryOp::Sdiv if right == 0 => {
            if signed_left < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BinaryOp::Sdiv => signed_left.wrapping_div(signed_right) as u64,
        BinaryOp::Srem if right == 0 => left,
        BinaryOp::Srem => signed_left.wrapping_rem(signed_right) as u64,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Shl => {
            if right < u64::from(width) {
                left << right
            } else {
                0
            }
        }
        BinaryOp::Lshr => {
            if right < u64::from(width) {
                left >> right
            } else {
                0
            }
        }
        BinaryOp::Ashr => (signed_left >> right.min(63)) as u64,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Implies => ill_sorted(),
    };
    Value::Bits(bits & mask(width))
}

/// `op` applied to Booleans.
#[must_use]
pub fn apply_nary(op: NaryOp, operands: impl IntoIterator<Item = bool>) -> bool {
    let mut operands = operands.into_iter();
    match op {
        NaryOp::And => operands.all(|operand| operand),
        NaryOp::Or => operands.any(|operand| operand),
        NaryOp::Xor => operands.fold(false, |parity, operand| parity ^ operand),
    }
}

/// The element of an array; none if the index is out of range.
#[must_use]
pub fn apply_index<'a>(array: &'a Value, index: &Value) -> Option<&'a Value> {
    match array {
        Value::Array(elements) => elements.get(position(index)?),
        _ => ill_sorted(),
    }
}

/// The position that an index stands for; none if it is in no array.
#[must_use]
pub fn position(index: &Value) -> Option<usize> {
    match index {
        Value::Bits(index) => usize::try_from(*index).ok(),
        Value::Int(index) => usize::try_from(index.to_i64()?).ok(),
        _ => ill_sorted(),
    }
}

fn ill_sorted() -> ! {
    unreachable!("operators are applied to values of the sorts that `verify` has checked")
}

/// The lowest `width` bits, all ones.
fn mask(width: u32) -> u64 {
    if width >= u64::BITS { u64::MAX } else { (1 << width) - 1 }
}

/// A bit vector read as a number in two's complement.
fn signed(bits: u64, width: u32) -> i64 {
    let unused = u64::BITS.saturating_sub(width.max(1));
    ((bits << unused) as i64) >> unused
}

impl Sort {
    /// The number of values; what does not fit is `u64::MAX`.
    #[must_use]
    pub fn n_values(&self, program: &Program) -> u64 {
        match self {
            Self::Bool => 2,
            Self::Bits(width) => 1u64.checked_shl(*width).unwrap_or(u64::MAX),
            Self::Int => u64::MAX,
            Self::Enum(id) => program.enums.get(*id).map_or(0, |names| names.values.len() as u64),
            Self::Array(element, n) => element.n_values(program).saturating_pow(*n),
        }
    }

    /// The number of bits that a value takes: enumerations take as few as their largest position needs, so one with a
    /// single name takes none; arrays take the bits of their elements. Of an integer, those of a machine word: that is
    /// what limits on the size of arrays count.
    #[must_use]
    pub fn n_bits(&self, program: &Program) -> u64 {
        match self {
            Self::Bool => 1,
            Self::Bits(width) => u64::from(*width),
            Self::Int => u64::from(Self::MAX_BITS),
            Self::Enum(_) => match self.n_values(program).saturating_sub(1) {
                0 => 0,
                largest => u64::from(largest.ilog2()) + 1,
            },
            Self::Array(element, n) => element.n_bits(program).saturating_mul(u64::from(*n)),
        }
    }

    /// True when the value is of this sort.
    #[must_use]
    pub fn contains(&self, program: &Program, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_)) | (Self::Int, Value::Int(_)) => true,
            (Self::Bits(width), Value::Bits(bits)) => *bits <= mask(*width),
            (Self::Enum(_), Value::Enum(position)) => u64::from(*position) < self.n_values(program),
            (Self::Array(element, n), Value::Array(elements)) => {
                elements.len() == *n as usize && elements.iter().all(|value| element.contains(program, value))
            }
            _ => false,
        }
    }

    /// The first value: false, zero, the first name, an array of these.
    #[must_use]
    pub fn smallest(&self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Bits(_) => Value::Bits(0),
            Self::Int => Value::Int(Int::ZERO),
            Self::Enum(_) => Value::Enum(0),
            Self::Array(element, n) => Value::Array(vec![element.smallest(); *n as usize]),
        }
    }

    /// All values in ascending order, if there are at most `limit`.
    #[must_use]
    pub fn values(&self, program: &Program, limit: usize) -> Option<Vec<Value>> {
        (self.n_values(program) <= limit as u64).then(|| self.first_values(program, limit))
    }

    /// The first `limit` values, or all if there are fewer: in ascending order, but integers by their distance from 0.
    #[must_use]
    pub fn first_values(&self, program: &Program, limit: usize) -> Vec<Value> {
        let n = self.n_values(program).min(limit as u64);
        let mut values = Vec::with_capacity(n as usize);
        let mut next = (n > 0).then(|| self.smallest());
        while let Some(value) = next.take() {
            if (values.len() as u64) + 1 < n {
                next = self.successor(program, &value);
            }
            values.push(value);
        }
        values
    }

    /// The next larger value; none after the largest. Integers are gone through as 0, 1, -1, 2, -2 and so on.
    #[must_use]
    pub fn successor(&self, program: &Program, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::Bool, Value::Bool(value)) => (!value).then_some(Value::Bool(true)),
            (Self::Bits(width), Value::Bits(bits)) => (*bits < mask(*width)).then(|| Value::Bits(bits + 1)),
            (Self::Int, Value::Int(value)) if value.is_positive() => Some(Value::Int(-value)),
            (Self::Int, Value::Int(value)) => Some(Value::Int(&Int::ONE - value)),
            (Self::Enum(_), Value::Enum(position)) => {
                (u64::from(*position) + 1 < self.n_values(program)).then(|| Value::Enum(position + 1))
            }
            (Self::Array(element, _), Value::Array(elements)) => {
                let mut elements = elements.clone();
                let last = (0..elements.len()).rev();
                for at in last {
                    if let Some(next) = element.successor(program, &elements[at]) {
                        elements[at] = next;
                        return Some(Value::Array(elements));
                    }
                    elements[at] = element.smallest();
                }
                None
            }
            _ => ill_sorted(),
        }
    }

    /// The bits of a value of a finite sort, least significant first; those of an array element by element.
    #[must_use]
    pub fn bits_of(&self, program: &Program, value: &Value) -> Vec<bool> {
        let number = |bits: u64| (0..self.n_bits(program)).map(|bit| bits >> bit & 1 == 1).collect();
        match (self, value) {
            (Self::Bool, Value::Bool(value)) => vec![*value],
            (Self::Bits(_), Value::Bits(bits)) => number(*bits),
            (Self::Enum(_), Value::Enum(position)) => number(u64::from(*position)),
            (Self::Array(element, _), Value::Array(elements)) => {
                elements.iter().flat_map(|value| element.bits_of(program, value)).collect()
            }
            _ => ill_sorted(),
        }
    }

    /// The value with the given bits; none if there are too few or too many, or if no value has them.
    #[must_use]
    pub fn value_of_bits(&self, program: &Program, bits: &[bool]) -> Option<Value> {
        if bits.len() as u64 != self.n_bits(program) {
            return None;
        }
        let number = || bits.iter().rev().fold(0u64, |number, bit| number << 1 | u64::from(*bit));
        let value = match self {
            Self::Bool => Value::Bool(bits[0]),
            Self::Bits(_) => Value::Bits(number()),
            Self::Int => return None,
            Self::Enum(_) => Value::Enum(u32::try_from(number()).ok()?),
            Self::Array(element, n) => {
                let width = element.n_bits(program) as usize;
                let element_at = |at: usize| element.value_of_bits(program, &bits[at * width..(at + 1) * width]);
                Value::Array((0..*n as usize).map(element_at).collect::<Option<_>>()?)
            }
        };
        self.contains(program, &value).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgramBuilder;

    /// The operators on eight bits, written with Rust's own eight-bit types.
    fn on_bytes(op: BinaryOp, left: u8, right: u8) -> Value {
        let (s, t) = (left as i8, right as i8);
        let bits = match op {
            BinaryOp::Ult => return Value::Bool(left < right),
            BinaryOp::Ule => return Value::Bool(left <= right),
            BinaryOp::Slt => return Value::Bool(s < t),
            BinaryOp::Sle => return Value::Bool(s <= t),
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Sub => left.wrapping_sub(right),
            BinaryOp::Mul => left.wrapping_mul(right),
            BinaryOp::Udiv => left.checked_div(right).unwrap_or(255),
            BinaryOp::Urem => left.checked_rem(right).unwrap_or(left),
            BinaryOp::Sdiv if t == 0 => [255, 1][usize::from(s < 0)],
            BinaryOp::Sdiv => s.wrapping_div(t) as u8,
            BinaryOp::Srem if t == 0 => left,
            BinaryOp::Srem => s.wrapping_rem(t) as u8,
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitOr => left | right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::Shl => left.checked_shl(u32::from(right)).unwrap_or(0),
            BinaryOp::Lshr => left.checked_shr(u32::from(right)).unwrap_or(0),
            BinaryOp::Ashr => s.checked_shr(u32::from(right)).unwrap_or(if s < 0 { -1 } else { 0 }) as u8,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Implies => unreachable!("not on bits"),
        };
        Value::Bits(u64::from(bits))
    }

    #[test]
    fn every_operator_agrees_with_machine_bytes() {
        for op in BinaryOp::ORDER.into_iter().chain(BinaryOp::ARITHMETIC) {
            for left in 0..=255u8 {
                for right in 0..=255u8 {
                    let [l, r] = [left, right].map(|byte| Value::Bits(u64::from(byte)));
                    let got = apply_binary(op, &l, &r, &Sort::Bits(8));
                    assert_eq!(got, on_bytes(op, left, right), "{op:?} {left} {right}");
                }
            }
        }
    }

    #[test]
    fn the_widest_and_the_narrowest_vectors_work() {
        let bits =
            |op, left, right, width| apply_binary(op, &Value::Bits(left), &Value::Bits(right), &Sort::Bits(width));
        assert_eq!(bits(BinaryOp::Add, u64::MAX, 1, 64), Value::Bits(0));
        assert_eq!(bits(BinaryOp::Sdiv, 1 << 63, u64::MAX, 64), Value::Bits(1 << 63));
        assert_eq!(bits(BinaryOp::Ashr, 1 << 63, 64, 64), Value::Bits(u64::MAX));
        assert_eq!(bits(BinaryOp::Shl, 1, 64, 64), Value::Bits(0));
        assert_eq!(bits(BinaryOp::Slt, 1, 0, 1), Value::Bool(true));
        assert_eq!(bits(BinaryOp::Udiv, 1, 0, 1), Value::Bits(1));
    }

    #[test]
    fn conversions_extend_truncate_and_keep_the_sign() {
        let unary = |op, bits, width| apply_unary(op, &Value::Bits(bits), &Sort::Bits(width));
        assert_eq!(unary(UnaryOp::Resize(4), 0xAB, 8), Value::Bits(0xB));
        assert_eq!(unary(UnaryOp::Resize(8), 0xB, 4), Value::Bits(0xB));
        assert_eq!(unary(UnaryOp::SignResize(8), 0xB, 4), Value::Bits(0xFB));
        assert_eq!(unary(UnaryOp::SignResize(2), 0xB, 4), Value::Bits(3));
        assert_eq!(unary(UnaryOp::SignResize(64), 1, 1), Value::Bits(u64::MAX));
        assert_eq!(unary(UnaryOp::BitNot, 0b0101, 4), Value::Bits(0b1010));
        assert_eq!(unary(UnaryOp::Neg, 1, 4), Value::Bits(15));
        assert_eq!(apply_unary(UnaryOp::Resize(3), &Value::Bool(true), &Sort::Bool), Value::Bits(1));
        assert_eq!(apply_unary(UnaryOp::Not, &Value::Bool(true), &Sort::Bool), Value::Bool(false));
    }

    #[test]
    fn operators_know_their_sorts() {
        assert_eq!(unary_sort(UnaryOp::Resize(65), &Sort::Bool), None);
        assert_eq!(unary_sort(UnaryOp::SignResize(8), &Sort::Bool), None);
        assert_eq!(unary_sort(UnaryOp::Not, &Sort::Bits(1)), None);
        assert_eq!(binary_sort(BinaryOp::Ult, &Sort::Bool, &Sort::Bool), None);
        assert_eq!(binary_sort(BinaryOp::Add, &Sort::Bits(3), &Sort::Bits(4)), None);
        assert_eq!(binary_sort(BinaryOp::Add, &Sort::Bits(4), &Sort::Bits(4)), Some(Sort::Bits(4)));
        let array = Sort::Array(Box::new(Sort::Bool), 2);
        assert_eq!(binary_sort(BinaryOp::Eq, &array, &array), Some(Sort::Bool));
    }

    #[test]
    fn empty_chains_are_the_units() {
        assert!(apply_nary(NaryOp::And, []));
        assert!(!apply_nary(NaryOp::Or, []));
        assert!(!apply_nary(NaryOp::Xor, []));
        assert!(apply_nary(NaryOp::Xor, [true, true, true]));
    }

    fn with_colours() -> (Program, Sort) {
        let mut builder = ProgramBuilder::new();
        let names = ["red", "green", "blue"].map(String::from).to_vec();
        let id = builder.enumeration("colour", names);
        (builder.finish(), Sort::Enum(id))
    }

    #[test]
    fn sorts_list_their_values_in_order_and_know_their_bits() {
        let (program, colour) = with_colours();
        let array = Sort::Array(Box::new(colour.clone()), 2);
        assert_eq!(Sort::Int.first_values(&program, 5), [0, 1, -1, 2, -2].map(|value| Value::Int(value.into())));
        for sort in [Sort::Bool, Sort::Bits(3), colour, array] {
            let values = sort.values(&program, 64).unwrap();
            assert_eq!(values.len() as u64, sort.n_values(&program));
            assert!(values.is_sorted_by(|a, b| a < b));
            assert_eq!(values[0], sort.smallest());
            for value in &values {
                assert!(sort.contains(&program, value));
                let bits = sort.bits_of(&program, value);
                assert_eq!(bits.len() as u64, sort.n_bits(&program));
                assert_eq!(sort.value_of_bits(&program, &bits).as_ref(), Some(value));
            }
        }
    }

    #[test]
    fn values_outside_a_sort_are_told_apart() {
        let (program, colour) = with_colours();
        assert!(!colour.contains(&program, &Value::Enum(3)));
        assert!(!Sort::Bits(3).contains(&program, &Value::Bits(8)));
        assert!(!Sort::Bool.contains(&program, &Value::Bits(0)));
        assert_eq!(colour.value_of_bits(&program, &[true, true]), None);
        assert_eq!(Sort::Bits(64).values(&program, 1 << 16), None);
        assert_eq!(Sort::Bits(64).n_values(&program), u64::MAX);
        assert_eq!(Sort::Bits(64).first_values(&program, 2), [Value::Bits(0), Value::Bits(1)]);
    }
}
