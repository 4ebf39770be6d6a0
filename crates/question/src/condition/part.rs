//! Parts of conditions: numbers, elements, lists.

use std::ops::Range;

use crate::Written;
use crate::term::{Array, Term, TooWide};
use program::{Expr, Sort};

/// A part that has been read.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// Whether all elements exist that it reads; a number knows that itself.
    exists: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Boolean(Expr),
    Number(Box<Term>),
    /// A value of another sort: compared only with its like.
    Other(Expr, Sort),
    /// A whole array, with its sort.
    Array(Expr, Sort, Written),
    /// The values of all elements of an array.
    List(Vec<Part>),
    /// A name that is no variable: perhaps a value of an enumeration.
    Name(String, Range<usize>),
}

impl From<Kind> for Part {
    fn from(kind: Kind) -> Self {
        Self { kind, exists: Expr::TRUE }
    }
}

impl Part {
    pub(super) fn boolean(expr: Expr) -> Self {
        Kind::Boolean(expr).into()
    }

    /// A value as conditions see it.
    pub(super) fn value(expr: Expr, sort: Sort, written: &Written) -> Self {
        let kind = match sort {
            Sort::Bool => Kind::Boolean(expr),
            Sort::Bits(width) if written.signed => number(Term::signed(expr, width)),
            Sort::Bits(width) => number(Term::unsigned(expr, width)),
            Sort::Array(..) => Kind::Array(expr, sort, written.clone()),
            Sort::Int | Sort::Enum(_) => Kind::Other(expr, sort),
        };
        kind.into()
    }

    pub(super) fn number(term: Term) -> Self {
        number(term).into()
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        let exists = Expr::all_of(items.iter().map(Self::exists));
        Self { kind: Kind::List(items), exists }
    }

    /// The part, with a value only under a condition.
    fn when(self, condition: Expr) -> Self {
        match self.kind {
            Kind::Number(term) => number(term.when(condition)).into(),
            kind => Self { kind, exists: self.exists.and(condition) },
        }
    }

    /// The condition under which the part has a value.
    pub(super) fn exists(&self) -> Expr {
        match &self.kind {
            Kind::Number(term) => term.defined(),
            _ => self.exists.clone(),
        }
    }
}

/// Terms are large, and parts stand on the stack at every level of a condition.
fn number(term: Term) -> Kind {
    Kind::Number(Box::new(term))
}

/// The elements of an array in their order; none if it is no array.
pub(super) fn elements(array: &Expr, sort: &Sort, written: &Written) -> Result<Vec<Part>, TooWide> {
    let Sort::Array(element, n) = sort else { return Ok(Vec::new()) };
    let one = |at: u32| {
        let (value, _) = Term::constant(i128::from(at))?.pick(Array { array: array.clone(), first: 0, n: *n })?;
        Ok(Part::value(value, (**element).clone(), written))
    };
    (0..*n).map(one).collect()
}

/// The items of a list; those of lists in it are taken out.
pub(super) fn flat(items: Vec<Part>) -> Vec<Part> {
    let one = |item: Part| match item.kind {
        Kind::List(inner) => flat(inner),
        _ => vec![item],
    };
    items.into_iter().flat_map(one).collect()
}

/// An index; the first value that it may have, and how many there are.
pub(super) type Index = (Box<Term>, i64, u32);

/// The element at some indices.
pub(super) fn element_at(array: &Expr, indices: &[Index], sort: &Sort, written: &Written) -> Result<Part, TooWide> {
    let mut position = Term::constant(0)?;
    for (index, first, n) in indices {
        let (first, n) = (i128::from(*first), i128::from(*n));
        let in_range = index.fits(first, first + n - 1)?;
        let here = index.minus(&Term::constant(first)?)?;
        position = position.times(&Term::constant(n)?)?.plus(&here)?.when(in_range);
    }
    let n = indices.iter().map(|(_, _, n)| *n).product();
    let (value, is_there) = position.pick(Array { array: array.clone(), first: 0, n })?;
    Ok(Part::value(value, sort.clone(), written).when(is_there))
}

/// Why there is no element at an index, whatever the values of the variables are.
pub(super) fn never_there(index: &Term, first: i64, n: u32) -> Option<String> {
    let first = i128::from(first);
    let at = index.as_constant().filter(|at| !(first..first + i128::from(n)).contains(at))?;
    Some(match n {
        1 => format!("there is no element {at}: the array has one, numbered {first}"),
        _ => format!(
            "there is no element {at}: the array has {n}, numbered from {first} to {}",
            first + i128::from(n) - 1
        ),
    })
}
