//! Integer terms without overflow, as bit vectors.
//!
//! A term knows the interval of its values and is a bit vector just wide enough for them: unsigned when nothing in the
//! interval is negative, two's complement otherwise. Sums, differences and products are computed at the width of their
//! result, so nothing wraps. A term may be undefined (an index out of range, a division by zero, a negative shift): then
//! every comparison in which it stands is false.

use program::{BinaryOp, Expr, Sort, UnaryOp, Value};

/// An integer term.
#[derive(Clone, Debug)]
pub struct Term {
    expr: Expr,
    lo: i128,
    hi: i128,
    /// The condition under which the term has a value, if it does not always have one.
    defined: Option<Expr>,
}

/// The values of a term need more bits than there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

type Result<T> = std::result::Result<T, TooWide>;

/// An index of more nodes, with the condition that it is in range, is not copied.
const MOST_COPIED: usize = 64;

/// An array that is read.
pub struct Array {
    /// The whole.
    pub array: Expr,
    /// The first index.
    pub first: i128,
    /// How many elements it has.
    pub n: u32,
}

/// Bits of an unsigned number.
fn bits(value: u128) -> u32 {
    u128::BITS - value.leading_zeros()
}

/// Width of a bit vector for an interval.
fn width(lo: i128, hi: i128) -> Result<u32> {
    let needed = if lo >= 0 {
        bits(hi.unsigned_abs()).max(1)
    } else {
        // The top bit is the sign; of -n the number n-1 must fit in the others.
        1 + bits((lo + 1).unsigned_abs()).max(if hi > 0 { bits(hi.unsigned_abs()) } else { 0 })
    };
    if needed <= Sort::MAX_BITS { Ok(needed) } else { Err(TooWide) }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (u64::BITS - width)
}

/// A number as a bit vector.
pub fn number(value: i128, width: u32) -> Expr {
    Expr::Const(Value::Bits(value as u64 & mask(width)), Sort::Bits(width))
}

/// The conjunction of two conditions; one that is not there is true.
fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.and(b)),
        (a, b) => a.or(b),
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

impl Term {
    /// A constant.
    pub fn constant(value: i128) -> Result<Self> {
        Ok(Self { expr: number(value, width(value, value)?), lo: value, hi: value, defined: None })
    }

    /// An unsigned bit vector.
    pub fn unsigned(expr: Expr, width: u32) -> Self {
        Self { expr, lo: 0, hi: i128::from(mask(width)), defined: None }
    }

    /// A bit vector in two's complement.
    pub fn signed(expr: Expr, width: u32) -> Self {
        let half = 1i128 << (width - 1);
        Self { expr, lo: -half, hi: half - 1, defined: None }
    }

    /// The term, with a value only under a further condition.
    pub fn when(mut self, condition: Expr) -> Self {
        if condition != Expr::TRUE {
            self.defined = both(self.defined, Some(condition));
        }
        self
    }

    /// The value, when it is always the same and defined.
    pub fn as_constant(&self) -> Option<i128> {
        (self.lo == self.hi && self.defined.is_none()).then_some(self.lo)
    }

    /// The condition under which there is a value.
    pub fn defined(&self) -> Expr {
        self.defined.clone().unwrap_or(Expr::TRUE)
    }

    /// The term as a bit vector of a width; what does not fit is cut off.
    pub fn at(&self, to: u32) -> Expr {
        if self.lo == self.hi {
            return number(self.lo, to);
        }
        match width(self.lo, self.hi) {
            Ok(own) if own == to => self.expr.clone(),
            _ => {
                let resize = if self.lo >= 0 { UnaryOp::Resize(to) } else { UnaryOp::SignResize(to) };
                Expr::Unary(resize, Box::new(self.expr.clone()))
            }
        }
    }

    /// A term over two others. `make` gets them at the width of the result.
    fn combine(
        a: &Self,
        b: &Self,
        (lo, hi): (i128, i128),
        width: u32,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Self> {
        let defined = both(a.defined.clone(), b.defined.clone());
        if lo == hi {
            return Ok(Self { defined, ..Self::constant(lo)? });
        }
        let own = self::width(lo, hi)?;
        let expr = make(a.at(width), b.at(width));
        let expr = if own == width { expr } else { Expr::Unary(UnaryOp::Resize(own), Box::new(expr)) };
        Ok(Self { expr, lo, hi, defined })
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        let (lo, hi) = (self.lo + other.lo, self.hi + other.hi);
        Self::combine(self, other, (lo, hi), width(lo, hi)?, |a, b| binary(BinaryOp::Add, a, b))
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Result<Self> {
        let (lo, hi) = (self.lo - other.hi, self.hi - other.lo);
        Self::combine(self, other, (lo, hi), width(lo, hi)?, |a, b| binary(BinaryOp::Sub, a, b))
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Result<Self> {
        let mut corners = [0; 4];
        for (at, (a, b)) in
            [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)].into_iter().enumerate()
        {
            corners[at] = a.checked_mul(b).ok_or(TooWide)?;
        }
        let (lo, hi) = hull(&corners);
        Self::combine(self, other, (lo, hi), width(lo, hi)?, |a, b| binary(BinaryOp::Mul, a, b))
    }

    /// The quotient, rounded towards zero; undefined for a divisor of zero.
    pub fn divided_by(&self, other: &Self) -> Result<Self> {
        let nonzero = relation(Order::NotEqual, other, &Self::constant(0)?)?;
        // The divisors nearest to zero on both sides, and the farthest.
        let divisors = [other.lo, other.hi, -1, 1].into_iter().filter(|d| *d != 0 && (other.lo..=other.hi).contains(d));
        let corners: Vec<i128> = divisors.flat_map(|divisor| [self.lo / divisor, self.hi / divisor]).collect();
        if corners.is_empty() {
            return Ok(Self { defined: Some(Expr::FALSE), ..Self::constant(0)? });
        }
        let (mut lo, mut hi) = hull(&corners);
        if self.lo <= 0 && self.hi >= 0 {
            (lo, hi) = (lo.min(0), hi.max(0));
        }
        let is_signed = self.lo < 0 || other.lo < 0;
        let wide = width(self.lo.min(other.lo).min(lo), self.hi.max(other.hi).max(hi))?;
        let op = if is_signed { BinaryOp::Sdiv } else { BinaryOp::Udiv };
        Ok(Self::combine(self, other, (lo, hi), wide, |a, b| binary(op, a, b))?.when(nonzero))
    }

    /// The term times two to the power of another; undefined when that is negative.
    pub fn shifted_left(&self, by: &Self) -> Result<Self> {
        let not_negative = relation(Order::LessEqual, &Self::constant(0)?, by)?;
        if not_negative == Expr::FALSE {
            return Ok(Self { defined: Some(Expr::FALSE), ..Self::constant(0)? });
        }
        if self.lo == 0 && self.hi == 0 {
            let defined = both(self.defined.clone(), by.defined.clone());
            return Ok(Self { defined, ..Self::constant(0)? }.when(not_negative));
        }
        let power =
            |shift: i128| u32::try_from(shift).ok().and_then(|shift| 1i128.checked_shl(shift).filter(|p| *p > 0));
        let (least, most) = (power(by.lo.max(0)).ok_or(TooWide)?, power(by.hi).ok_or(TooWide)?);
        let corner = |value: i128, power: i128| value.checked_mul(power).ok_or(TooWide);
        let corners =
            [corner(self.lo, least)?, corner(self.lo, most)?, corner(self.hi, least)?, corner(self.hi, most)?];
        let (lo, hi) = hull(&corners);
        let wide = width(lo, hi)?.max(width(by.lo, by.hi)?);
        Ok(Self::combine(self, by, (lo, hi), wide, |a, b| binary(BinaryOp::Shl, a, b))?.when(not_negative))
    }

    /// The term divided by two to the power of another, rounded down; undefined when that is negative.
    pub fn shifted_right(&self, by: &Self) -> Result<Self> {
        let not_negative = relation(Order::LessEqual, &Self::constant(0)?, by)?;
        let shift = |value: i128, by: i128| value >> by.clamp(0, 127);
        let corners = [shift(self.lo, by.lo), shift(self.lo, by.hi), shift(self.hi, by.lo), shift(self.hi, by.hi)];
        let (lo, hi) = hull(&corners);
        let wide = width(self.lo.min(lo), self.hi.max(hi))?.max(width(by.lo, by.hi)?);
        let op = if self.lo >= 0 { BinaryOp::Lshr } else { BinaryOp::Ashr };
        Ok(Self::combine(self, by, (lo, hi), wide, |a, b| binary(op, a, b))?.when(not_negative))
    }

    /// A bitwise operation, on two's complement where something may be negative.
    pub fn bitwise(&self, op: BinaryOp, other: &Self) -> Result<Self> {
        let wide = width(self.lo.min(other.lo), self.hi.max(other.hi))?;
        let defined = both(self.defined.clone(), other.defined.clone());
        let expr = binary(op, self.at(wide), other.at(wide));
        let is_signed = self.lo < 0 || other.lo < 0;
        let result = if is_signed { Self::signed(expr, wide) } else { Self::unsigned(expr, wide) };
        Ok(Self { defined, ..result })
    }

    /// Whether the value fits into an unsigned or signed bit vector; false when there is no value.
    pub fn fits(&self, lo: i128, hi: i128) -> Result<Expr> {
        Ok(Expr::all_of([self.defined(), self.between(lo, hi)?]))
    }

    /// Whether the value, if there is one, lies in an interval.
    fn between(&self, lo: i128, hi: i128) -> Result<Expr> {
        let low = relation(Order::LessEqual, &Self::constant(lo)?, self)?;
        let high = relation(Order::LessEqual, self, &Self::constant(hi)?)?;
        Ok(Expr::all_of([low, high]))
    }

    /// The position in an array, and the condition under which it is one.
    fn position(&self, array: &Array) -> Result<(Expr, Expr)> {
        let last = array.first + i128::from(array.n) - 1;
        let in_range = self.fits(array.first, last)?;
        let position = self.minus(&Self::constant(array.first)?)?;
        let wide = width(position.lo, position.hi)?;
        let index = into_range(position.at(wide), &in_range, array.n, wide);
        Ok((index, in_range))
    }

    /// The element of an array of integers at this index.
    pub fn element(&self, array: Array, of: impl FnOnce(Expr) -> Self) -> Result<Self> {
        let (index, in_range) = self.position(&array)?;
        if in_range == Expr::FALSE {
            return Ok(Self { defined: Some(Expr::FALSE), ..Self::constant(0)? });
        }
        let element = of(Expr::Index(Box::new(array.array), Box::new(index)));
        Ok(Self { defined: (in_range != Expr::TRUE).then_some(in_range), ..element })
    }

    /// The element at this index, of whatever sort, and the condition under which there is one.
    pub fn pick(&self, array: Array) -> Result<(Expr, Expr)> {
        let (index, in_range) = self.position(&array)?;
        // Out of range for ever: any element serves, as nothing will look at it.
        let index = if in_range == Expr::FALSE { number(0, 1) } else { index };
        Ok((Expr::Index(Box::new(array.array), Box::new(index)), in_range))
    }

    /// Number of nodes of the expressions of which the term consists.
    pub fn n_nodes(&self) -> usize {
        n_nodes(&self.expr) + self.defined.as_ref().map_or(0, n_nodes)
    }

    /// Width of the bit vector.
    pub fn width(&self) -> u32 {
        width(self.lo, self.hi).unwrap_or(Sort::MAX_BITS)
    }

    /// The element of an array of Booleans at this index; false when there is none.
    pub fn flag(&self, array: Array) -> Result<Expr> {
        let (index, in_range) = self.position(&array)?;
        if in_range == Expr::FALSE {
            return Ok(Expr::FALSE);
        }
        Ok(Expr::all_of([in_range, Expr::Index(Box::new(array.array), Box::new(index))]))
    }
}

/// Number of nodes of an expression.
fn n_nodes(expr: &Expr) -> usize {
    let mut n = 0;
    expr.visit(&mut |_| n += 1);
    n
}

/// A bit vector that is a position under a condition, made one that always is. Where the condition is false nothing looks
/// at what is read, so that any element serves.
fn into_range(index: Expr, in_range: &Expr, n: u32, wide: u32) -> Expr {
    let all_are_positions = u64::from(n) > mask(wide);
    if all_are_positions || matches!(index, Expr::Const(..)) || matches!(in_range, Expr::Const(..)) {
        return index;
    }
    // Chosen by the condition, the index stands here several times, and an index in an index in an index that often to
    // the power of its depth. A remainder has it once, but is harder to compute: it is for what is large already.
    if n_nodes(&index) + n_nodes(in_range) > MOST_COPIED {
        return binary(BinaryOp::Urem, index, number(i128::from(n), wide));
    }
    Expr::Ite(Box::new(in_range.clone()), Box::new(index), Box::new(number(0, wide)))
}

fn hull(values: &[i128]) -> (i128, i128) {
    let lo = values.iter().copied().min().unwrap_or(0);
    (lo, values.iter().copied().max().unwrap_or(0))
}

/// How two terms are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
}

/// The comparison of two terms: false when one of them has no value.
pub fn compare(order: Order, a: &Term, b: &Term) -> Result<Expr> {
    let relation = relation(order, a, b)?;
    Ok(match both(a.defined.clone(), b.defined.clone()) {
        None => relation,
        Some(defined) => Expr::all_of([defined, relation]),
    })
}

/// The comparison of two terms where both have values. It does not repeat when they have: what is made of it says that
/// once, or terms in terms would grow by a factor with each level.
fn relation(order: Order, a: &Term, b: &Term) -> Result<Expr> {
    let disjoint = a.hi < b.lo || b.hi < a.lo;
    let same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
    let decided = match order {
        Order::Less if a.hi < b.lo => Some(true),
        Order::Less if a.lo >= b.hi => Some(false),
        Order::LessEqual if a.hi <= b.lo => Some(true),
        Order::LessEqual if a.lo > b.hi => Some(false),
        Order::Equal | Order::NotEqual if disjoint || same => Some((order == Order::Equal) == same),
        _ => None,
    };
    if let Some(value) = decided {
        return Ok(Expr::bool(value));
    }
    let is_signed = a.lo < 0 || b.lo < 0;
    let wide = width(a.lo.min(b.lo), a.hi.max(b.hi))?;
    let op = match (order, is_signed) {
        (Order::Less, false) => BinaryOp::Ult,
        (Order::Less, true) => BinaryOp::Slt,
        (Order::LessEqual, false) => BinaryOp::Ule,
        (Order::LessEqual, true) => BinaryOp::Sle,
        (Order::Equal, _) => BinaryOp::Eq,
        (Order::NotEqual, _) => BinaryOp::Ne,
    };
    Ok(binary(op, a.at(wide), b.at(wide)))
}

#[cfg(test)]
mod tests {
    use program::interp::{Possible, Reader, possible_values};
    use program::{Program, ProgramBuilder, VariableId, When};

    use super::*;

    /// The values of the variables.
    struct Values(Vec<Value>);

    impl Reader for Values {
        fn read(&self, variable: VariableId, _: When) -> Possible {
            Possible::one(self.0[variable.0 as usize].clone())
        }
    }

    /// Whether the terms are equal. Every index in them is in range, or there would be no answer.
    fn equal(a: &Term, b: &Term, values: &[Value]) -> bool {
        let expr = compare(Order::Equal, a, b).unwrap();
        let answer = possible_values(&declared(), &expr, &Values(values.to_vec())).unwrap();
        let answers = [false, true].map(|value| answer == Possible::one(value.into()));
        assert_ne!(answers, [false, false], "no answer: {expr:?}");
        answers[1]
    }

    fn declared() -> Program {
        let mut builder = ProgramBuilder::new();
        builder.shared("x", Sort::Bits(2));
        builder.shared("array", Sort::Array(Box::new(Sort::Bits(2)), 3));
        builder.finish()
    }

    fn x() -> Term {
        Term::unsigned(Expr::before(VariableId(0)), 2)
    }

    fn constant(value: i128) -> Term {
        Term::constant(value).unwrap()
    }

    /// An element of an array of three, the second variable.
    fn element(index: &Term, first: i128) -> Term {
        let array = Array { array: Expr::before(VariableId(1)), first, n: 3 };
        index.element(array, |element| Term::unsigned(element, 2)).unwrap()
    }

    /// All values of `x` and of the array.
    fn all_values() -> impl Iterator<Item = (u64, [u64; 3])> {
        (0..256).map(|n| (n & 3, [n >> 2 & 3, n >> 4 & 3, n >> 6]))
    }

    fn as_values(x: u64, array: [u64; 3]) -> [Value; 2] {
        [Value::Bits(x), Value::Array(array.map(Value::Bits).to_vec())]
    }

    #[test]
    fn a_negative_shift_has_no_value_whatever_is_shifted() {
        let by = x().minus(&constant(1)).unwrap();
        let difference = x().minus(&x()).unwrap();
        for zero in [constant(0), difference] {
            let shifted = zero.shifted_left(&by).unwrap();
            let defined = [0, 1, 2, 3].map(|x| equal(&shifted, &constant(0), &[Value::Bits(x)]));
            assert_eq!(defined, [false, true, true, true]);
        }
    }

    #[test]
    fn elements_at_elements_at_elements() {
        for (first, depth) in (1..9).flat_map(|depth| [(0, depth), (1, depth)]) {
            let term = (0..depth).fold(x(), |index, _| element(&index, first));
            for (x, array) in all_values() {
                let at = |index: u64| array.get(usize::try_from(i128::from(index) - first).ok()?).copied();
                let expected = (0..depth).try_fold(x, |index, _| at(index));
                for value in 0..4 {
                    let found = equal(&term, &constant(i128::from(value)), &as_values(x, array));
                    assert_eq!(found, expected == Some(value), "{depth} from {first} with {x} in {array:?}");
                }
            }
        }
    }

    #[test]
    fn an_index_without_value_makes_comparisons_false() {
        // By its interval the quotient is a position; divided by zero it is none.
        let term = element(&constant(2).divided_by(&x()).unwrap(), 0);
        for (x, array) in all_values() {
            let expected = 2u64.checked_div(x).map(|index| array[index as usize]);
            for value in 0..4 {
                let found = equal(&term, &constant(i128::from(value)), &as_values(x, array));
                assert_eq!(found, expected == Some(value), "{x} in {array:?}");
            }
        }
    }

    #[test]
    fn terms_in_terms_grow_slowly() {
        let nested = |of: &dyn Fn(&Term) -> Term| (0..50).fold(x(), |inner, _| of(&inner)).n_nodes();
        assert!(nested(&|inner| element(inner, 0)) < 20_000);
        assert!(nested(&|inner| element(inner, 1)) < 40_000);
        assert!(nested(&|inner| x().divided_by(inner).unwrap()) < 20_000);
        let shift = |inner: &Term| constant(0).shifted_left(&inner.minus(&constant(1)).unwrap()).unwrap();
        assert!(nested(&shift) < 20_000);
    }
}
