//! Comparisons.

use std::ops::Range;

use super::parse::Parser;
use super::term::{Kind, Term, elements, flat, resized};
use super::{Read, wrong};
use crate::{BinaryOp, Expr, Sort, Value};

impl Parser<'_> {
    /// A comparison; it is false where something that is compared does not exist.
    pub(super) fn compare(&self, symbol: &str, left: Term, right: Term, range: Range<usize>) -> Read<Expr> {
        let exist = left.exists.clone().and(right.exists.clone());
        let (left, right) = (self.meant(left.kind, &right.kind)?, right.kind);
        let right = self.meant(right, &left)?;
        if let (Kind::Number(left, wide), Kind::Number(right, other)) = (&left, &right) {
            let width = (*wide).max(*other);
            let [left, right] = [(left, wide), (right, other)].map(|(expr, from)| resized(expr.clone(), *from, width));
            return Ok(exist.and(ordered(symbol, left, right)));
        }
        if !matches!(symbol, "=" | "==" | "!=") {
            return wrong(range, "only numbers are compared by size");
        }
        let equal = self.equal(left, right, range)?;
        Ok(exist.and(if symbol == "!=" { equal.not() } else { equal }))
    }

    fn equal(&self, left: Kind, right: Kind, range: Range<usize>) -> Read<Expr> {
        match (left, right) {
            (Kind::Boolean(left), Kind::Boolean(right)) => Ok(left.eq(right)),
            (Kind::Other(left, sort), Kind::Other(right, other))
            | (Kind::Array(left, sort, _), Kind::Array(right, other, _))
                if sort == other =>
            {
                Ok(left.eq(right))
            }
            (Kind::Array(array, sort, written), Kind::List(items))
            | (Kind::List(items), Kind::Array(array, sort, written)) => {
                self.equal_list(elements(&array, &sort, &written), flat(items), range)
            }
            (Kind::Name(name, range), _) | (_, Kind::Name(name, range)) => self.unknown(&name, range),
            // Boolean programs write their values as 0 and 1.
            (Kind::Boolean(truth), Kind::Number(Expr::Const(Value::Bits(number @ 0..=1), _), _))
            | (Kind::Number(Expr::Const(Value::Bits(number @ 0..=1), _), _), Kind::Boolean(truth)) => {
                Ok(truth.eq(Expr::bool(number == 1)))
            }
            _ => wrong(range, "the two sides are not of one sort"),
        }
    }

    fn equal_list(&self, elements: Vec<Term>, items: Vec<Term>, range: Range<usize>) -> Read<Expr> {
        if elements.len() != items.len() {
            let message = format!("the array has {} elements, and the list {}", elements.len(), items.len());
            return wrong(range, message);
        }
        let pairs = elements.into_iter().zip(items);
        let equal: Vec<Expr> =
            pairs.map(|(element, item)| self.compare("=", element, item, range.clone())).collect::<Read<_>>()?;
        Ok(Expr::all_of(equal))
    }

    /// A name beside a value of an enumeration is one of its values.
    fn meant(&self, kind: Kind, beside: &Kind) -> Read<Kind> {
        let (Kind::Name(name, range), Kind::Other(_, sort @ Sort::Enum(id))) = (&kind, beside) else { return Ok(kind) };
        let values = &self.names.program.enums[*id].values;
        match values.iter().position(|value| value == name) {
            Some(at) => Ok(Kind::Other(Expr::Const(Value::Enum(at as u32), sort.clone()), sort.clone())),
            None => wrong(range.clone(), format!("`{name}` is not one of the values: {}", values.join(", "))),
        }
    }
}

/// A comparison of two numbers of one width.
fn ordered(symbol: &str, left: Expr, right: Expr) -> Expr {
    let (op, left, right) = match symbol {
        "!=" => (BinaryOp::Ne, left, right),
        "<" => (BinaryOp::Slt, left, right),
        "<=" => (BinaryOp::Sle, left, right),
        ">" => (BinaryOp::Slt, right, left),
        ">=" => (BinaryOp::Sle, right, left),
        _ => (BinaryOp::Eq, left, right),
    };
    Expr::Binary(op, Box::new(left), Box::new(right))
}
