//! Arithmetic on vectors of diagrams, least significant bit first.

use std::cmp::Reverse;

use bdd::{Bdd, Manager, Stop};

/// A vector of diagrams.
pub(crate) type Bits = Vec<Bdd>;

/// Sum of two vectors and a carry; the carry out is dropped.
pub(crate) fn add(left: &[Bdd], right: &[Bdd], carry: Bdd) -> Result<Bits, Stop> {
    let mut carry = carry;
    let mut sum = Bits::with_capacity(left.len());
    for (a, b) in left.iter().zip(right) {
        let half = a.xor(b)?;
        sum.push(half.xor(&carry)?);
        carry = half.ite(&carry, a)?;
    }
    Ok(sum)
}

/// Bitwise complement.
pub(crate) fn complement(bits: &[Bdd]) -> Result<Bits, Stop> {
    bits.iter().map(Bdd::not).collect()
}

/// Difference, modulo two to the power of the width.
pub(crate) fn subtract(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Result<Bits, Stop> {
    add(left, &complement(right)?, manager.bdd_true())
}

/// Two's complement.
pub(crate) fn negate(manager: &Manager, bits: &[Bdd]) -> Result<Bits, Stop> {
    subtract(manager, &zero(manager, bits.len()), bits)
}

/// All bits zero.
pub(crate) fn zero(manager: &Manager, width: usize) -> Bits {
    vec![manager.bdd_false(); width]
}

/// Product, modulo two to the power of the width.
pub(crate) fn multiply(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Result<Bits, Stop> {
    let width = left.len();
    let mut product = zero(manager, width);
    for (shift, bit) in right.iter().enumerate() {
        let mut addend = zero(manager, shift);
        for a in &left[..width - shift] {
            addend.push(a.and(bit)?);
        }
        product = add(&product, &addend, manager.bdd_false())?;
    }
    Ok(product)
}

/// Unsigned quotient and remainder, by long division; by zero: all ones and the dividend.
pub(crate) fn divide(manager: &Manager, dividend: &[Bdd], divisor: &[Bdd]) -> Result<(Bits, Bits), Stop> {
    let width = dividend.len();
    let mut remainder = zero(manager, width + 1);
    let mut wide = divisor.to_vec();
    wide.push(manager.bdd_false());
    let mut quotient = Bits::new();
    for bit in dividend.iter().rev() {
        remainder.pop();
        remainder.insert(0, bit.clone());
        let fits = less(manager, &remainder, &wide)?.not()?;
        let rest = subtract(manager, &remainder, &wide)?;
        remainder = choose(&fits, &rest, &remainder)?;
        quotient.insert(0, fits);
    }
    remainder.truncate(width);
    // Long division by zero subtracts zero every time: the quotient is all ones and the remainder the dividend.
    Ok((quotient, remainder))
}

/// Signed quotient (rounded towards zero) and remainder (with the sign of the dividend); by zero, as for the sizes of the
/// operands: all ones for a dividend of at least zero and one otherwise, and the dividend.
pub(crate) fn divide_signed(manager: &Manager, dividend: &[Bdd], divisor: &[Bdd]) -> Result<(Bits, Bits), Stop> {
    let (negative, other) = (sign(manager, dividend), sign(manager, divisor));
    let dividend_size = choose(&negative, &negate(manager, dividend)?, dividend)?;
    let divisor_size = choose(&other, &negate(manager, divisor)?, divisor)?;
    let (quotient, remainder) = divide(manager, &dividend_size, &divisor_size)?;
    let quotient = choose(&negative.xor(&other)?, &negate(manager, &quotient)?, &quotient)?;
    let remainder = choose(&negative, &negate(manager, &remainder)?, &remainder)?;
    // By zero the sizes give all ones, minus one, and the dividend's size: the signs then make of it what is wanted.
    Ok((quotient, remainder))
}

fn sign(manager: &Manager, bits: &[Bdd]) -> Bdd {
    bits.last().cloned().unwrap_or_else(|| manager.bdd_false())
}

/// Bitwise `condition ? then : otherwise`.
pub(crate) fn choose(condition: &Bdd, then: &[Bdd], otherwise: &[Bdd]) -> Result<Bits, Stop> {
    then.iter().zip(otherwise).map(|(a, b)| condition.ite(a, b)).collect()
}

/// Equality of two vectors.
///
/// The lowest bits in the order come first: then the conjunction grows at its top, and what is there already is part of
/// what it becomes. Of a bit that is computed and one that is stored, the stored one says where it is.
pub(crate) fn equal(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Result<Bdd, Stop> {
    let top = |bit: &Bdd| bit.branches().map(|(var, ..)| var);
    let mut bits: Vec<(&Bdd, &Bdd)> = left.iter().zip(right).rev().collect();
    bits.sort_by_cached_key(|(a, b)| Reverse(top(a).max(top(b))));
    let mut result = manager.bdd_true();
    for (a, b) in bits {
        result = result.and(&a.iff(b)?)?;
    }
    Ok(result)
}

/// Unsigned less.
pub(crate) fn less(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Result<Bdd, Stop> {
    let mut result = manager.bdd_false();
    for (a, b) in left.iter().zip(right) {
        result = a.xor(b)?.ite(b, &result)?;
    }
    Ok(result)
}

/// Signed less: flipping the sign bits turns it into unsigned less.
pub(crate) fn less_signed(manager: &Manager, left: &[Bdd], right: &[Bdd]) -> Result<Bdd, Stop> {
    less(manager, &flip_sign(left)?, &flip_sign(right)?)
}

fn flip_sign(bits: &[Bdd]) -> Result<Bits, Stop> {
    let mut flipped = bits.to_vec();
    if let Some(last) = flipped.last_mut() {
        *last = last.not()?;
    }
    Ok(flipped)
}

/// Which way a shift goes and what it fills with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    Left,
    Right,
    RightSigned,
}

/// Shift by a vector; by the width or more: only what is filled in.
pub(crate) fn shift(manager: &Manager, bits: &[Bdd], by: &[Bdd], how: Shift) -> Result<Bits, Stop> {
    let fill = if how == Shift::RightSigned { sign(manager, bits) } else { manager.bdd_false() };
    let mut result = bits.to_vec();
    for (stage, bit) in by.iter().enumerate() {
        let moved = move_by(&result, 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX), how, &fill);
        result = choose(bit, &moved, &result)?;
    }
    Ok(result)
}

fn move_by(bits: &[Bdd], n: usize, how: Shift, fill: &Bdd) -> Bits {
    let at = |position: usize| {
        let from = if how == Shift::Left { position.checked_sub(n) } else { position.checked_add(n) };
        from.and_then(|from| bits.get(from)).unwrap_or(fill).clone()
    };
    (0..bits.len()).map(at).collect()
}
