//! Operators on integers, which never wrap.

use arith::Int;

use super::{ill_sorted, mask};
use crate::{BinaryOp, Sort, Value};

/// `op` applied to two integers.
pub(super) fn apply_integers(op: BinaryOp, left: &Int, right: &Int) -> Value {
    Value::Int(match op {
        BinaryOp::Slt => return Value::Bool(left < right),
        BinaryOp::Sle => return Value::Bool(left <= right),
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Sdiv => quotient(left, right),
        BinaryOp::Srem => left - &(right * &quotient(left, right)),
        _ => ill_sorted(),
    })
}

/// The quotient rounded towards zero; 0 when the divisor is.
fn quotient(dividend: &Int, divisor: &Int) -> Int {
    if divisor.is_zero() {
        return Int::ZERO;
    }
    let quotient = dividend.abs().div_floor(&divisor.abs());
    if dividend.is_negative() == divisor.is_negative() { quotient } else { -quotient }
}

/// An integer modulo two to the power of a width.
pub(super) fn wrapped(value: &Int, width: u32) -> u64 {
    match value.to_i64() {
        Some(word) => word as u64 & mask(width),
        None => {
            let modulus = Int::from(1i128 << width.min(Sort::MAX_BITS));
            let rest = value.mod_floor(&modulus);
            // What is left is below 2 to the power of 64, but may not fit into a word with a sign.
            rest.to_i64().map_or_else(|| (&rest - &modulus).to_i64().map_or(0, |low| low as u64), |low| low as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::UnaryOp;
    use crate::semantics::{apply_binary, apply_index, apply_unary, binary_sort, unary_sort};

    fn int(value: i128) -> Value {
        Value::Int(Int::from(value))
    }

    fn on(op: BinaryOp, left: &Value, right: &Value) -> Value {
        apply_binary(op, left, right, &Sort::Int)
    }

    /// The operators in a second arithmetic.
    fn on_words(op: BinaryOp, left: i128, right: i128) -> Value {
        int(match op {
            BinaryOp::Eq => return Value::Bool(left == right),
            BinaryOp::Ne => return Value::Bool(left != right),
            BinaryOp::Slt => return Value::Bool(left < right),
            BinaryOp::Sle => return Value::Bool(left <= right),
            BinaryOp::Add => left + right,
            BinaryOp::Sub => left - right,
            BinaryOp::Mul => left * right,
            BinaryOp::Sdiv => left.checked_div(right).unwrap_or(0),
            BinaryOp::Srem => left.checked_rem(right).unwrap_or(left),
            _ => unreachable!("not on integers"),
        })
    }

    const ALL: [BinaryOp; 9] = [
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Slt,
        BinaryOp::Sle,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Sdiv,
        BinaryOp::Srem,
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn operators_agree_with_machine_words(left: i64, right: i64, near in -3i64..4) {
            for op in ALL {
                for (left, right) in [(left, right), (left, near), (near, right), (left, left)] {
                    let [l, r] = [left, right].map(i128::from);
                    prop_assert_eq!(on(op, &int(l), &int(r)), on_words(op, l, r), "{:?} {} {}", op, l, r);
                }
            }
        }

        #[test]
        fn quotient_and_remainder_make_up_the_dividend(left: i128, right: i128) {
            let [l, r] = [int(left), int(right)];
            let product = on(BinaryOp::Mul, &r, &on(BinaryOp::Sdiv, &l, &r));
            prop_assert_eq!(on(BinaryOp::Add, &product, &on(BinaryOp::Srem, &l, &r)), l);
        }

        #[test]
        fn conversions_wrap_and_come_back(value: i128, bits: u64, width in 1u32..=64) {
            let cut = Value::Bits(value as u64 & mask(width));
            prop_assert_eq!(apply_unary(UnaryOp::Resize(width), &int(value), &Sort::Int), cut);
            let bits = Value::Bits(bits & mask(width));
            for op in [UnaryOp::ToInt, UnaryOp::SignedToInt] {
                let wide = apply_unary(op, &bits, &Sort::Bits(width));
                prop_assert_eq!(&apply_unary(UnaryOp::Resize(width), &wide, &Sort::Int), &bits);
            }
        }
    }

    #[test]
    fn division_rounds_towards_zero_whatever_the_signs() {
        let cases = [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (1, 5, 0, 1), (-1, 5, 0, -1)];
        for (left, right, quotient, remainder) in cases {
            assert_eq!(on(BinaryOp::Sdiv, &int(left), &int(right)), int(quotient), "{left} / {right}");
            assert_eq!(on(BinaryOp::Srem, &int(left), &int(right)), int(remainder), "{left} % {right}");
        }
        assert_eq!(on(BinaryOp::Sdiv, &int(5), &int(0)), int(0));
        assert_eq!(on(BinaryOp::Srem, &int(-5), &int(0)), int(-5));
        assert_eq!(on(BinaryOp::Sdiv, &int(i64::MIN.into()), &int(-1)), int(1 << 63));
    }

    #[test]
    fn nothing_wraps_beyond_machine_words() {
        let square = |value: &Value| on(BinaryOp::Mul, value, value);
        let large = square(&square(&int(i128::from(u64::MAX))));
        let Value::Int(number) = &large else { panic!("{large:?}") };
        assert_eq!(
            number.to_string(),
            (u128::MAX - 2 * u128::from(u64::MAX))
                .to_string()
                .parse::<Int>()
                .map_or_else(|_| String::new(), |square| (&square * &square).to_string())
        );
        assert_eq!(on(BinaryOp::Sub, &large, &large), int(0));
        assert_eq!(
            on(BinaryOp::Slt, &apply_unary(UnaryOp::Neg, &large, &Sort::Int), &int(i64::MIN.into())),
            true.into()
        );
        assert_eq!(on(BinaryOp::Sdiv, &large, &square(&int(i128::from(u64::MAX)))), square(&int(i128::from(u64::MAX))));
        assert_eq!(apply_unary(UnaryOp::Resize(64), &int(-1 - (1 << 100)), &Sort::Int), Value::Bits(u64::MAX));
    }

    #[test]
    fn readings_of_bits_differ_in_the_sign() {
        let read = |op, bits, width| apply_unary(op, &Value::Bits(bits), &Sort::Bits(width));
        assert_eq!(read(UnaryOp::ToInt, 0xFF, 8), int(255));
        assert_eq!(read(UnaryOp::SignedToInt, 0xFF, 8), int(-1));
        assert_eq!(read(UnaryOp::ToInt, u64::MAX, 64), int(u64::MAX.into()));
        assert_eq!(read(UnaryOp::SignedToInt, 1 << 63, 64), int(i64::MIN.into()));
        assert_eq!(apply_unary(UnaryOp::ToInt, &Value::Bool(true), &Sort::Bool), int(1));
    }

    #[test]
    fn operators_know_which_of_them_integers_have() {
        for op in BinaryOp::ORDER.into_iter().chain(BinaryOp::ARITHMETIC) {
            assert_eq!(binary_sort(op, &Sort::Int, &Sort::Int).is_some(), ALL.contains(&op), "{op:?}");
        }
        assert_eq!(binary_sort(BinaryOp::Eq, &Sort::Int, &Sort::Bits(8)), None);
        assert_eq!(unary_sort(UnaryOp::BitNot, &Sort::Int), None);
        assert_eq!(unary_sort(UnaryOp::SignResize(8), &Sort::Int), None);
        assert_eq!(unary_sort(UnaryOp::ToInt, &Sort::Int), None);
        assert_eq!(unary_sort(UnaryOp::SignedToInt, &Sort::Bool), None);
        assert_eq!(unary_sort(UnaryOp::Resize(8), &Sort::Int), Some(Sort::Bits(8)));
    }

    #[test]
    fn integers_are_indices() {
        let array = Value::Array([4, 5].map(int).to_vec());
        assert_eq!(apply_index(&array, &int(1)), Some(&int(5)));
        for outside in [-1, 2, 1 << 70] {
            assert_eq!(apply_index(&array, &int(outside)), None);
        }
    }
}
