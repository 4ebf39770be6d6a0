//! Parts of conditions as expressions: numbers with a sign, elements, lists.

use std::ops::Range;

use crate::{BinaryOp, Expr, Sort, UnaryOp, Value, Written};

/// A part that has been read.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: Kind,
    /// Whether all elements exist that it reads.
    pub(super) exists: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Boolean(Expr),
    /// A number with a sign, as a bit vector of this width.
    Number(Expr, u32),
    /// A value of another sort: compared only with its like.
    Other(Expr, Sort),
    /// A whole array, with its sort.
    Array(Expr, Sort, Written),
    /// The values of all elements of an array.
    List(Vec<Term>),
    /// A name that is no variable: perhaps a value of an enumeration.
    Name(String, Range<usize>),
}

impl From<Kind> for Term {
    fn from(kind: Kind) -> Self {
        Self { kind, exists: Expr::TRUE }
    }
}

impl Term {
    pub(super) fn boolean(expr: Expr) -> Self {
        Kind::Boolean(expr).into()
    }

    /// A number that is not negative. One bit more than the value needs: the sign.
    pub(super) fn number(value: u64) -> Self {
        let width = (u64::BITS - value.leading_zeros()).max(1) + 1;
        Kind::Number(Expr::Const(Value::Bits(value), Sort::Bits(width)), width).into()
    }

    /// A value as conditions see it. Numbers get a bit for the sign.
    pub(super) fn value(expr: Expr, sort: Sort, written: &Written) -> Self {
        let kind = match sort {
            Sort::Bool => Kind::Boolean(expr),
            Sort::Bits(width) if written.signed => Kind::Number(expr, width),
            Sort::Bits(width) if width < Sort::MAX_BITS => {
                Kind::Number(Expr::Unary(UnaryOp::Resize(width + 1), Box::new(expr)), width + 1)
            }
            Sort::Array(..) => Kind::Array(expr, sort, written.clone()),
            other => Kind::Other(expr, other),
        };
        kind.into()
    }
}

/// The elements of an array in their order; none if it is no array.
pub(super) fn elements(array: &Expr, sort: &Sort, written: &Written) -> Vec<Term> {
    let Sort::Array(element, n) = sort else { return Vec::new() };
    (0..*n).map(|at| Term::value(at_position(array, at, *n), (**element).clone(), written)).collect()
}

/// The items of a list; those of lists in it are taken out.
pub(super) fn flat(items: Vec<Term>) -> Vec<Term> {
    let one = |item: Term| match item.kind {
        Kind::List(inner) => flat(inner),
        _ => vec![item],
    };
    items.into_iter().flat_map(one).collect()
}

/// An index with its width; the first value that it may have, and how many there are.
pub(super) type Index = ((Expr, u32), i64, u32);

/// The element at some indices, and whether it exists. Where it does not, its value is the smallest one, so that no
/// configuration is without an answer.
pub(super) fn element_at(array: &Expr, indices: &[Index], sort: &Sort) -> (Expr, Expr) {
    let n: u32 = indices.iter().map(|(_, _, n)| *n).product();
    if let Some(position) = constant_position(indices) {
        return (at_position(array, position, n), Expr::TRUE);
    }
    let smallest = Expr::Const(sort.smallest(), sort.clone());
    let value = (0..n).rev().fold(smallest, |rest, at| {
        Expr::Ite(Box::new(is_at(indices, at)), Box::new(at_position(array, at, n)), Box::new(rest))
    });
    (value, Expr::any_of((0..n).map(|at| is_at(indices, at))))
}

fn at_position(array: &Expr, at: u32, n: u32) -> Expr {
    let width = u32::BITS - n.leading_zeros() + 1;
    let position = Expr::Const(Value::Bits(u64::from(at)), Sort::Bits(width));
    Expr::Index(Box::new(array.clone()), Box::new(position))
}

/// The position of an element whose indices are constants, and in range.
fn constant_position(indices: &[Index]) -> Option<u32> {
    indices.iter().try_fold(0, |position, ((index, _), first, n)| {
        let at = u32::try_from(constant(index)? - i128::from(*first)).ok().filter(|at| at < n)?;
        Some(position * n + at)
    })
}

/// Whether some indices are those of an element, by its position.
fn is_at(indices: &[Index], mut position: u32) -> Expr {
    let mut equal = Vec::new();
    for ((index, width), first, n) in indices.iter().rev() {
        let wanted = first + i64::from(position % n);
        position /= n;
        let needed = u64::BITS - wanted.unsigned_abs().leading_zeros() + 1;
        let wide = (*width).max(needed);
        let mask = if wide >= u64::BITS { u64::MAX } else { (1 << wide) - 1 };
        let wanted = Expr::Const(Value::Bits(wanted.cast_unsigned() & mask), Sort::Bits(wide));
        equal.push(resized(index.clone(), *width, wide).eq(wanted));
    }
    equal.reverse();
    Expr::all_of(equal)
}

/// Why there is no element at an index, whatever the values of the variables are.
pub(super) fn never_there(index: &Expr, first: i64, n: u32) -> Option<String> {
    let first = i128::from(first);
    let at = constant(index).filter(|at| !(first..first + i128::from(n)).contains(at))?;
    Some(match n {
        1 => format!("there is no element {at}: the array has one, numbered {first}"),
        _ => format!(
            "there is no element {at}: the array has {n}, numbered from {first} to {}",
            first + i128::from(n) - 1
        ),
    })
}

/// The value of a number without variables. Numbers are as wide as they need to be, so widths do not matter; where even
/// whole numbers of this size do not suffice, there is no answer.
fn constant(number: &Expr) -> Option<i128> {
    match number {
        Expr::Const(Value::Bits(bits), _) => Some(i128::from(*bits)),
        Expr::Unary(UnaryOp::SignResize(_), inner) => constant(inner),
        Expr::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

pub(super) fn resized(expr: Expr, from: u32, to: u32) -> Expr {
    if from == to { expr } else { Expr::Unary(UnaryOp::SignResize(to), Box::new(expr)) }
}
