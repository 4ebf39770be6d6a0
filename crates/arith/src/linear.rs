//! Linear forms: sums of multiples of variables, and a constant.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use crate::constraint::{Constraint, Relation};
use crate::{Int, Model};

base::define_ids! {
    /// A variable whose values are the integers. Numbers from [`Var::FIRST_FRESH`] on are the solver's own.
    Var,
}

impl Var {
    /// The first variable that the solver may introduce.
    pub const FIRST_FRESH: Self = Self(1 << 31);
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self >= Self::FIRST_FRESH {
            write!(f, "q{}", self.0 - Self::FIRST_FRESH.0)
        } else {
            write!(f, "x{}", self.0)
        }
    }
}

/// `a1 x1 + ... + an xn + c` with integer coefficients.
///
/// Invariant: terms are ordered by variable, and no coefficient is 0. Equal forms are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Linear {
    terms: Vec<(Var, Int)>,
    constant: Int,
}

impl Default for Int {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Linear {
    /// The sum of the terms and a constant. Terms come in any order; several with the same variable are added.
    #[must_use]
    pub fn new<C: Into<Int>>(terms: impl IntoIterator<Item = (Var, C)>, constant: impl Into<Int>) -> Self {
        let mut terms: Vec<(Var, Int)> = terms.into_iter().map(|(var, factor)| (var, factor.into())).collect();
        terms.sort_by_key(|(var, _)| *var);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        terms.retain(|(_, factor)| !factor.is_zero());
        Self { terms, constant: constant.into() }
    }

    /// A form of terms that are in order already, without zeros.
    pub(crate) fn from_sorted(terms: Vec<(Var, Int)>, constant: Int) -> Self {
        debug_assert!(terms.is_sorted_by(|a, b| a.0 < b.0) && terms.iter().all(|(_, factor)| !factor.is_zero()));
        Self { terms, constant }
    }

    /// The constant form.
    #[must_use]
    pub fn constant_of(value: impl Into<Int>) -> Self {
        Self { terms: Vec::new(), constant: value.into() }
    }

    /// The terms, by variable.
    #[must_use]
    pub fn terms(&self) -> &[(Var, Int)] {
        &self.terms
    }

    /// The constant.
    #[must_use]
    pub fn constant(&self) -> &Int {
        &self.constant
    }

    /// True if no variable occurs.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = Var> {
        self.terms.iter().map(|(var, _)| *var)
    }

    /// The coefficient of a variable, 0 if it does not occur.
    #[must_use]
    pub fn coefficient(&self, var: Var) -> &Int {
        match self.terms.binary_search_by_key(&var, |(var, _)| *var) {
            Ok(place) => &self.terms[place].1,
            Err(_) => const { &Int::ZERO },
        }
    }

    /// The greatest common divisor of the coefficients, without the constant; 0 for a constant form.
    #[must_use]
    pub fn content(&self) -> Int {
        let mut gcd = Int::ZERO;
        for (_, factor) in &self.terms {
            gcd = gcd.gcd(factor);
            if gcd.is_one() {
                break;
            }
        }
        gcd
    }

    /// `self + factor * other`.
    #[must_use]
    pub fn plus_multiple(&self, factor: &Int, other: &Self) -> Self {
        let mut constant = self.constant.clone();
        constant.add_product(factor, &other.constant);
        Self { terms: merge(&self.terms, factor, &other.terms), constant }
    }

    /// The form with another constant.
    #[must_use]
    pub fn with_constant(&self, constant: Int) -> Self {
        Self { terms: self.terms.clone(), constant }
    }

    /// The form without one of its variables.
    #[must_use]
    pub fn without(&self, var: Var) -> Self {
        let mut rest = self.clone();
        rest.terms.retain(|(other, _)| *other != var);
        rest
    }

    /// The form with a variable replaced by a form.
    #[must_use]
    pub fn substitute(&self, var: Var, by: &Self) -> Self {
        let factor = self.coefficient(var);
        if factor.is_zero() { self.clone() } else { self.without(var).plus_multiple(factor, by) }
    }

    /// Divides all coefficients by a positive number that divides them, and the constant, which is rounded up.
    #[must_use]
    pub fn divide_rounding_up(&self, divisor: &Int) -> Self {
        let terms = self.terms.iter().map(|(var, factor)| (*var, factor.div_floor(divisor))).collect();
        Self { terms, constant: self.constant.div_ceil(divisor) }
    }

    /// The value in a model.
    #[must_use]
    pub fn value(&self, model: &Model) -> Int {
        let mut value = self.constant.clone();
        for (var, factor) in &self.terms {
            value.add_product(factor, model.get(*var));
        }
        value
    }

    /// `self <= other`.
    #[must_use]
    pub fn at_most(&self, other: &Self) -> Constraint {
        Constraint::new(self - other, Relation::AtMost)
    }

    /// `self < other`.
    #[must_use]
    pub fn less(&self, other: &Self) -> Constraint {
        let difference = self - other;
        let constant = &difference.constant + &Int::ONE;
        Constraint::new(Self { constant, ..difference }, Relation::AtMost)
    }

    /// `self = other`.
    #[must_use]
    pub fn equal(&self, other: &Self) -> Constraint {
        Constraint::new(self - other, Relation::Equal)
    }

    /// `self != other`.
    #[must_use]
    pub fn different(&self, other: &Self) -> Constraint {
        Constraint::new(self - other, Relation::Different)
    }
}

/// `a + factor * b` of two ordered lists of terms.
fn merge(a: &[(Var, Int)], factor: &Int, b: &[(Var, Int)]) -> Vec<(Var, Int)> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((left, x)), Some((right, y))) = (a.peek(), b.peek()) {
        match left.cmp(right) {
            std::cmp::Ordering::Less => sum.extend(a.next().cloned()),
            std::cmp::Ordering::Greater => sum.extend(b.next().map(|(var, y)| (*var, factor * y))),
            std::cmp::Ordering::Equal => {
                let mut total = x.clone();
                total.add_product(factor, y);
                if !total.is_zero() {
                    sum.push((*left, total));
                }
                a.next();
                b.next();
            }
        }
    }
    sum.extend(a.cloned());
    sum.extend(b.map(|(var, y)| (*var, factor * y)));
    if factor.is_zero() {
        sum.retain(|(_, factor)| !factor.is_zero());
    }
    sum
}

impl From<Var> for Linear {
    fn from(var: Var) -> Self {
        Self { terms: vec![(var, Int::ONE)], constant: Int::ZERO }
    }
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Self {
        Self::constant_of(constant)
    }
}

impl From<Int> for Linear {
    fn from(constant: Int) -> Self {
        Self::constant_of(constant)
    }
}

impl Add for &Linear {
    type Output = Linear;
    fn add(self, other: &Linear) -> Linear {
        self.plus_multiple(&Int::ONE, other)
    }
}

impl Sub for &Linear {
    type Output = Linear;
    fn sub(self, other: &Linear) -> Linear {
        self.plus_multiple(&Int::from(-1), other)
    }
}

impl Neg for &Linear {
    type Output = Linear;
    fn neg(self) -> Linear {
        self * &Int::from(-1)
    }
}

impl Mul<&Int> for &Linear {
    type Output = Linear;
    fn mul(self, factor: &Int) -> Linear {
        Linear::default().plus_multiple(factor, self)
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (var, factor)) in self.terms.iter().enumerate() {
            let sign = match (place, factor.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            if !factor.is_unit() {
                write!(f, "{}*", factor.abs())?;
            }
            write!(f, "{var}")?;
        }
        match &self.constant {
            constant if self.terms.is_empty() => write!(f, "{constant}"),
            constant if constant.is_zero() => Ok(()),
            constant if constant.is_negative() => write!(f, " - {}", constant.abs()),
            constant => write!(f, " + {constant}"),
        }
    }
}

impl fmt::Debug for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_added_and_ordered() {
        let form = Linear::new([(Var(2), 3), (Var(0), 1), (Var(2), -1), (Var(1), 5), (Var(1), -5)], -4);
        assert_eq!(form.to_string(), "x0 + 2*x2 - 4");
        assert_eq!(form.coefficient(Var(2)), &Int::from(2));
        assert_eq!(form.coefficient(Var(1)), &Int::ZERO);
        assert_eq!(form.variables().collect::<Vec<_>>(), [Var(0), Var(2)]);
    }

    #[test]
    fn sums_cancel() {
        let (x, y) = (Linear::from(Var(0)), Linear::from(Var(1)));
        let form = &(&x * &Int::from(2)) - &y;
        assert_eq!(form.to_string(), "2*x0 - x1");
        assert_eq!((&form + &y).to_string(), "2*x0");
        assert_eq!(form.substitute(Var(0), &y).to_string(), "x1");
        assert_eq!(&form - &form, Linear::default());
        assert_eq!(&form * &Int::ZERO, Linear::default());
    }
}
