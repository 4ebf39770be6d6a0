//! Comparisons.

use std::ops::Range;

use super::parse::Parser;
use super::part::{Kind, Part, elements, flat};
use super::{Read, wrong};
use crate::term::{self, Order, Term, TooWide};
use program::{Expr, Sort, Value};

impl Parser<'_> {
    /// A comparison; it is false where something that is compared does not exist.
    pub(super) fn compare(&self, symbol: &str, left: Part, right: Part, range: Range<usize>) -> Read<Expr> {
        let exist = left.exists().and(right.exists());
        let (left, right) = (self.meant(left.kind, &right.kind)?, right.kind);
        let right = self.meant(right, &left)?;
        if let (Kind::Number(left), Kind::Number(right)) = (&left, &right) {
            return self.fit(ordered(symbol, left, right), range);
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
                let elements = self.fit(elements(&array, &sort, &written), range.clone())?;
                self.equal_list(elements, flat(items), range)
            }
            (Kind::Name(name, range), _) | (_, Kind::Name(name, range)) => self.unknown(&name, range),
            // Boolean programs write their values as 0 and 1.
            (Kind::Boolean(truth), Kind::Number(number)) | (Kind::Number(number), Kind::Boolean(truth)) => {
                match number.as_constant() {
                    Some(value @ 0..=1) => Ok(truth.eq(Expr::bool(value == 1))),
                    _ => wrong(range, DIFFERENT_SORTS),
                }
            }
            _ => wrong(range, DIFFERENT_SORTS),
        }
    }

    fn equal_list(&self, elements: Vec<Part>, items: Vec<Part>, range: Range<usize>) -> Read<Expr> {
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

const DIFFERENT_SORTS: &str = "the two sides are not of one sort";

/// A comparison of two numbers.
fn ordered(symbol: &str, left: &Term, right: &Term) -> Result<Expr, TooWide> {
    match symbol {
        "!=" => term::compare(Order::NotEqual, left, right),
        "<" => term::compare(Order::Less, left, right),
        "<=" => term::compare(Order::LessEqual, left, right),
        ">" => term::compare(Order::Less, right, left),
        ">=" => term::compare(Order::LessEqual, right, left),
        _ => term::compare(Order::Equal, left, right),
    }
}
