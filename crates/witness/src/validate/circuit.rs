//! Arithmetic on vectors of diagrams, least significant bit first.
//!
//! A number of n bits is n diagrams over the bits of the state. Sums, differences and comparisons pass one carry from bit
//! to bit: where the operands' bits alternate in the order, their diagrams grow linearly with the width. Products of two
//! variables have no small diagram in any order (Bryant 1991).
//!
//! Nothing here knows expressions or sorts, and nothing here can be undefined: as in [`program::semantics`], arithmetic
//! wraps, a quotient by zero is all ones, a remainder by zero is the dividend.

use bdd::{Bdd, Stop};

type Result<T> = std::result::Result<T, Stop>;

/// A number, least significant bit first.
type Number = Vec<Bdd>;

/// `condition ? then : otherwise`, without an operation where the choice is none.
pub(super) fn choose(condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd> {
    if condition.is_true() || then == otherwise {
        return Ok(then.clone());
    }
    if condition.is_false() {
        return Ok(otherwise.clone());
    }
    condition.ite(then, otherwise)
}

/// [`choose`], bit by bit.
pub(super) fn choose_all(condition: &Bdd, then: &[Bdd], otherwise: &[Bdd]) -> Result<Number> {
    then.iter().zip(otherwise).map(|(t, o)| choose(condition, t, o)).collect()
}

/// The conjunction; the last operands first, because they are often the lowest in the order.
pub(super) fn all(always: &Bdd, operands: impl DoubleEndedIterator<Item = Result<Bdd>>) -> Result<Bdd> {
    let mut all = always.clone();
    for operand in operands.rev() {
        all = operand?.and(&all)?;
    }
    Ok(all)
}

/// Bitwise complement.
pub(super) fn complement(a: &[Bdd]) -> Result<Number> {
    a.iter().map(Bdd::not).collect()
}

/// `a + b + carry`.
pub(super) fn sum(a: &[Bdd], b: &[Bdd], carry: &Bdd) -> Result<Number> {
    let mut carry = carry.clone();
    let mut sum = Vec::with_capacity(a.len());
    for (at, (a_bit, b_bit)) in a.iter().zip(b).enumerate() {
        let differ = a_bit.xor(b_bit)?;
        sum.push(differ.xor(&carry)?);
        if at + 1 < a.len() {
            // Where the operands agree, each of them is the carry.
            carry = choose(&differ, &carry, a_bit)?;
        }
    }
    Ok(sum)
}

/// `a - b`, which is `a + !b + 1`.
pub(super) fn difference(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<Number> {
    sum(a, &complement(b)?, &constants.always)
}

/// `0 - a`.
pub(super) fn negative(a: &[Bdd], constants: &Constants) -> Result<Number> {
    difference(&vec![constants.never.clone(); a.len()], a, constants)
}

/// `a = b`.
pub(super) fn equal(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<Bdd> {
    all(&constants.always, a.iter().zip(b).map(|(a, b)| if b.is_true() { Ok(a.clone()) } else { a.iff(b) }))
}

/// `a < b`, unsigned: the highest bit that differs decides.
pub(super) fn below(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<Bdd> {
    let mut below = constants.never.clone();
    for (a, b) in a.iter().zip(b) {
        below = choose(&a.xor(b)?, b, &below)?;
    }
    Ok(below)
}

/// `a < b` in two's complement: as unsigned numbers with the sign bits exchanged.
pub(super) fn below_signed(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<Bdd> {
    let (Some((a_sign, a_rest)), Some((b_sign, b_rest))) = (a.split_last(), b.split_last()) else {
        return Ok(constants.never.clone());
    };
    let rest = below(a_rest, b_rest, constants)?;
    choose(&a_sign.xor(b_sign)?, a_sign, &rest)
}

/// `number < bound`, for a constant.
pub(super) fn below_constant(number: &[Bdd], bound: u64, constants: &Constants) -> Result<Bdd> {
    if number.len() < 64 && bound >> number.len() != 0 {
        return Ok(constants.always.clone());
    }
    let mut below = constants.never.clone();
    for (at, bit) in number.iter().enumerate() {
        let zero = bit.not()?;
        below = if bound >> at & 1 == 1 { zero.or(&below)? } else { zero.and(&below)? };
    }
    Ok(below)
}

/// `number = value`, for a constant.
pub(super) fn equals_constant(number: &[Bdd], value: u64, constants: &Constants) -> Result<Bdd> {
    if number.len() < 64 && value >> number.len() != 0 {
        return Ok(constants.never.clone());
    }
    let literal = |(at, bit): (usize, &Bdd)| if value >> at & 1 == 1 { Ok(bit.clone()) } else { bit.not() };
    all(&constants.always, number.iter().enumerate().map(literal))
}

/// `a * b`: the sum of shifted copies of the operand with fewer constant bits.
pub(super) fn product(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<Number> {
    let n_open = |number: &[Bdd]| number.iter().filter(|bit| !bit.is_true() && !bit.is_false()).count();
    let (factor, by) = if n_open(a) < n_open(b) { (b, a) } else { (a, b) };
    let mut product = vec![constants.never.clone(); a.len()];
    for (shift, bit) in by.iter().enumerate() {
        if bit.is_false() {
            continue;
        }
        let part: Number = factor.iter().take(a.len() - shift).map(|f| f.and(bit)).collect::<Result<_>>()?;
        let upper = sum(&product[shift..], &part, &constants.never)?;
        product.splice(shift.., upper);
    }
    Ok(product)
}

/// Quotient and remainder, unsigned, by long division. A divisor of zero always fits: the quotient is all ones, and the
/// remainder collects all bits of the dividend.
pub(super) fn division(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<(Number, Number)> {
    let width = a.len();
    // What is left before the next bit is below the divisor, so one bit more is enough for what is compared.
    let divisor: Number = b.iter().chain([&constants.never]).cloned().collect();
    let mut left = vec![constants.never.clone(); width];
    let mut quotient = vec![constants.never.clone(); width];
    for at in (0..width).rev() {
        let shifted: Number = std::iter::once(&a[at]).chain(&left).cloned().collect();
        let fits = below(&shifted, &divisor, constants)?.not()?;
        let rest = difference(&shifted, &divisor, constants)?;
        left = choose_all(&fits, &rest[..width], &shifted[..width])?;
        quotient[at] = fits;
    }
    Ok((quotient, left))
}

/// Quotient rounded towards zero and remainder with the sign of the dividend, in two's complement.
pub(super) fn signed_division(a: &[Bdd], b: &[Bdd], constants: &Constants) -> Result<(Number, Number)> {
    let sign = |number: &[Bdd]| number.last().unwrap_or(&constants.never).clone();
    let (a_sign, b_sign) = (sign(a), sign(b));
    let absolute = |number: &[Bdd], sign: &Bdd| choose_all(sign, &negative(number, constants)?, number);
    let (quotient, remainder) = division(&absolute(a, &a_sign)?, &absolute(b, &b_sign)?, constants)?;
    let quotient = absolute(&quotient, &a_sign.xor(&b_sign)?)?;
    Ok((quotient, absolute(&remainder, &a_sign)?))
}

/// Towards which end a shift moves the bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    /// The most significant bit.
    High,
    /// The least significant bit.
    Low,
}

/// A shift by stages of powers of two; `fill` comes in, also for all bits where the distance is the width or more.
pub(super) fn shift(number: &[Bdd], by: &[Bdd], fill: &Bdd, towards: Towards) -> Result<Number> {
    let width = number.len();
    let mut shifted = number.to_vec();
    for (stage, bit) in by.iter().enumerate() {
        if bit.is_false() {
            continue;
        }
        let distance = if stage < 32 { (1usize << stage).min(width) } else { width };
        let from = |at: usize| match towards {
            Towards::High => at.checked_sub(distance),
            Towards::Low => Some(at + distance).filter(|from| *from < width),
        };
        let moved = |at: usize| from(at).map_or(fill, |from| &shifted[from]);
        shifted = (0..width).map(|at| choose(bit, moved(at), &shifted[at])).collect::<Result<_>>()?;
    }
    Ok(shifted)
}

/// The element of the list that a number chooses; anything where the number is too large. All elements are of one width.
pub(super) fn select(elements: &[&[Bdd]], number: &[Bdd]) -> Result<Number> {
    let (Some((top, rest)), [first, _, ..]) = (number.split_last(), elements) else {
        return Ok(elements.first().map_or_else(Vec::new, |only| only.to_vec()));
    };
    let half = if rest.len() < 32 { 1usize << rest.len() } else { usize::MAX };
    if elements.len() <= half || top.is_false() {
        return select(&elements[..elements.len().min(half)], rest);
    }
    let upper = select(&elements[half..], rest)?;
    let lower = select(&elements[..half], rest)?;
    debug_assert_eq!(upper.len(), first.len(), "elements of one width");
    choose_all(top, &upper, &lower)
}

/// The constant diagrams.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    pub(super) always: Bdd,
    pub(super) never: Bdd,
}
