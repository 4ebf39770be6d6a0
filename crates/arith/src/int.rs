//! Integers without bounds: machine words while they fit, big integers beyond.
//!
//! Nearly all numbers of a query fit into a word. Every operation tries the word first, with overflow checked, and the
//! result is kept as a word whenever it fits, so equal numbers are equal values.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// Invariant: `Big` holds only what does not fit into a word.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Int {
    /// Zero.
    pub const ZERO: Self = Self(Small(0));
    /// One.
    pub const ONE: Self = Self(Small(1));

    /// The value as a word, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// The value as a big integer of the library.
    #[must_use]
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// True for 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// True for 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// True for 1 and -1.
    #[must_use]
    pub fn is_unit(&self) -> bool {
        matches!(self.0, Small(1 | -1))
    }

    /// True below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(value) => *value < 0,
            Big(value) => value.sign() == num_bigint::Sign::Minus,
        }
    }

    /// True above 0.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest common divisor, never negative; that of 0 and 0 is 0.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(1 | -1), _) | (_, Small(1 | -1)) => Self::ONE,
            (Small(a), Small(b)) => Self::from(i128::from(a.unsigned_abs().gcd(&b.unsigned_abs()))),
            _ => Self::from(self.to_big().gcd(&other.to_big())),
        }
    }

    /// The least common multiple, never negative.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        (self * &other.div_floor(&self.gcd(other))).abs()
    }

    /// The quotient rounded down. The divisor must not be 0.
    #[must_use]
    pub fn div_floor(&self, divisor: &Self) -> Self {
        match (&self.0, &divisor.0) {
            (_, Small(1)) => self.clone(),
            // The one quotient of words that is no word.
            (_, Small(-1)) => -self,
            (Small(a), Small(b)) => Self(Small(Integer::div_floor(a, b))),
            _ => Self::from(self.to_big().div_floor(&divisor.to_big())),
        }
    }

    /// The quotient rounded up. The divisor must not be 0.
    #[must_use]
    pub fn div_ceil(&self, divisor: &Self) -> Self {
        -&(-self).div_floor(divisor)
    }

    /// The remainder that belongs to [`Self::div_floor`]: its sign is the divisor's.
    #[must_use]
    pub fn mod_floor(&self, divisor: &Self) -> Self {
        match (&self.0, &divisor.0) {
            (_, Small(1 | -1)) => Self::ZERO,
            (Small(a), Small(b)) => Self(Small(a.mod_floor(b))),
            _ => Self::from(self.to_big().mod_floor(&divisor.to_big())),
        }
    }

    /// True if `self` divides `other`. Only 0 is divided by 0.
    #[must_use]
    pub fn divides(&self, other: &Self) -> bool {
        if self.is_zero() { other.is_zero() } else { other.mod_floor(self).is_zero() }
    }

    /// Adds the product of two numbers.
    pub fn add_product(&mut self, a: &Self, b: &Self) {
        if let (Small(sum), Small(a), Small(b)) = (&mut self.0, &a.0, &b.0)
            && let Some(result) = a.checked_mul(*b).and_then(|product| sum.checked_add(product))
        {
            *sum = result;
            return;
        }
        *self = &*self + &(a * b);
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Self(Small(value))
    }
}

impl From<i32> for Int {
    fn from(value: i32) -> Self {
        Self(Small(value.into()))
    }
}

impl From<i128> for Int {
    fn from(value: i128) -> Self {
        i64::try_from(value).map_or_else(|_| Self(Big(Box::new(value.into()))), |small| Self(Small(small)))
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Self(Small(small)),
            Err(_) => Self(Big(Box::new(value))),
        }
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        BigInt::from_str(text).map(Self::from)
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // What does not fit into a word is beyond all that do.
            (Small(_), Big(_)) if other.is_negative() => Ordering::Greater,
            (Small(_), Big(_)) => Ordering::Less,
            (Big(_), Small(_)) if self.is_negative() => Ordering::Less,
            (Big(_), Small(_)) => Ordering::Greater,
        }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident, $assign_trait:ident, $assign:ident) => {
        operator!($trait, $method, $checked);

        impl $assign_trait<&Int> for Int {
            fn $assign(&mut self, other: &Int) {
                *self = $trait::$method(&*self, other);
            }
        }
    };
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Int {
            type Output = Int;
            fn $method(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Int(Small(result));
                }
                Int::from($trait::$method(self.to_big(), other.to_big()))
            }
        }

        impl $trait for Int {
            type Output = Int;
            fn $method(self, other: Int) -> Int {
                $trait::$method(&self, &other)
            }
        }
    };
}

operator!(Add, add, checked_add, AddAssign, add_assign);
operator!(Sub, sub, checked_sub, SubAssign, sub_assign);
operator!(Mul, mul, checked_mul);

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Small(value) => value.checked_neg().map_or_else(|| Int::from(-i128::from(*value)), Int::from),
            Big(value) => Int::from(-(**value).clone()),
        }
    }
}

impl Neg for Int {
    type Output = Self;
    fn neg(self) -> Self {
        -&self
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => fmt::Display::fmt(value, f),
            Big(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers around the places where words end.
    fn samples() -> Vec<BigInt> {
        let word = BigInt::from(i64::MAX);
        let huge = &word * &word * 12_345;
        let bases = [BigInt::from(0), BigInt::from(12), word, BigInt::from(i64::MIN), huge];
        let near = |base: &BigInt| [-3, -2, -1, 0, 1, 2, 3].map(|offset| base + offset);
        bases.iter().flat_map(near).flat_map(|value| [-&value, value]).collect()
    }

    #[test]
    fn every_operation_agrees_with_the_library() {
        for a in samples() {
            for b in samples() {
                let (x, y) = (Int::from(a.clone()), Int::from(b.clone()));
                assert_eq!((&x + &y).to_big(), &a + &b);
                assert_eq!((&x - &y).to_big(), &a - &b);
                assert_eq!((&x * &y).to_big(), &a * &b);
                assert_eq!(x.cmp(&y), a.cmp(&b));
                assert_eq!(x.gcd(&y).to_big(), a.gcd(&b));
                assert_eq!(x.lcm(&y).to_big(), a.lcm(&b));
                let mut sum = x.clone();
                sum.add_product(&x, &y);
                assert_eq!(sum.to_big(), &a + &a * &b);
                if !y.is_zero() {
                    assert_eq!(x.div_floor(&y).to_big(), a.div_floor(&b), "{a} / {b}");
                    assert_eq!(x.div_ceil(&y).to_big(), -(-&a).div_floor(&b));
                    assert_eq!(x.mod_floor(&y).to_big(), a.mod_floor(&b));
                    assert_eq!(y.divides(&x), a.mod_floor(&b) == BigInt::from(0));
                }
            }
        }
    }

    #[test]
    fn equal_numbers_are_equal_values() {
        for a in samples() {
            let x = Int::from(a.clone());
            assert_eq!(&(&x + &Int::from(i64::MAX)) - &Int::from(i64::MAX), x);
            assert_eq!((-&x).to_big(), -&a);
            assert_eq!(
                x.abs().to_big().sign(),
                if x.is_zero() { num_bigint::Sign::NoSign } else { num_bigint::Sign::Plus }
            );
            assert_eq!(a.to_string().parse::<Int>(), Ok(x.clone()));
            assert_eq!(x.to_i64(), i64::try_from(&a).ok());
        }
    }
}
