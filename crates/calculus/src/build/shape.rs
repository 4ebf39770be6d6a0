//! Records and arrays of single values.

use std::rc::Rc;

use super::{MAX_WIDTH, TooLarge};
use crate::system::{SortId, System};

/// How many records and arrays may be inside one another.
const MAX_NESTING: usize = 64;

/// What a variable consists of. Cheap to copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A single value.
    Single(SortId),
    /// Named parts.
    Record(Rc<Record>),
    /// Numbered parts of one shape.
    Array(Rc<Array>),
}

/// Named parts, one after the other.
#[derive(PartialEq, Eq, Debug)]
pub struct Record {
    /// For messages.
    pub name: String,
    /// The parts in their order.
    pub fields: Vec<Field>,
    width: usize,
    nesting: usize,
}

/// A part of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it consists of.
    pub shape: Shape,
    /// Single values before it in its record.
    pub offset: usize,
}

/// Numbered parts of one shape.
#[derive(PartialEq, Eq, Debug)]
pub struct Array {
    /// Number of the first element.
    pub first: u64,
    /// How many elements there are.
    pub n: u64,
    /// What each of them consists of.
    pub element: Shape,
    width: usize,
    nesting: usize,
}

impl Shape {
    /// A record of named parts.
    pub fn record(name: &str, parts: Vec<(String, Self)>) -> Result<Self, TooLarge> {
        let nesting = 1 + parts.iter().map(|(_, shape)| shape.nesting()).max().unwrap_or(0);
        let mut width = 0;
        let mut fields = Vec::new();
        for (name, shape) in parts {
            let offset = width;
            width += shape.width();
            fields.push(Field { name, shape, offset });
        }
        if width > MAX_WIDTH || nesting > MAX_NESTING {
            return Err(TooLarge);
        }
        Ok(Self::Record(Rc::new(Record { name: name.to_owned(), fields, width, nesting })))
    }

    /// An array whose first element has the given number.
    pub fn array(element: Self, first: u64, n: u64) -> Result<Self, TooLarge> {
        let nesting = 1 + element.nesting();
        let width = usize::try_from(n).ok().and_then(|n| n.checked_mul(element.width()));
        let width = width.filter(|width| *width <= MAX_WIDTH && n <= MAX_WIDTH as u64).ok_or(TooLarge)?;
        if nesting > MAX_NESTING {
            return Err(TooLarge);
        }
        Ok(Self::Array(Rc::new(Array { first, n, element, width, nesting })))
    }

    /// Number of single values.
    pub fn width(&self) -> usize {
        match self {
            Self::Single(_) => 1,
            Self::Record(record) => record.width,
            Self::Array(array) => array.width,
        }
    }

    fn nesting(&self) -> usize {
        match self {
            Self::Single(_) => 0,
            Self::Record(record) => record.nesting,
            Self::Array(array) => array.nesting,
        }
    }

    /// The sort, if it is a single value.
    pub fn single(&self) -> Option<SortId> {
        match self {
            Self::Single(sort) => Some(*sort),
            _ => None,
        }
    }

    /// Sorts of the single values, in order.
    pub fn leaves(&self) -> Vec<SortId> {
        let mut leaves = Vec::with_capacity(self.width());
        self.collect_leaves(&mut leaves);
        leaves
    }

    fn collect_leaves(&self, leaves: &mut Vec<SortId>) {
        match self {
            Self::Single(sort) => leaves.push(*sort),
            Self::Record(record) => record.fields.iter().for_each(|field| field.shape.collect_leaves(leaves)),
            Self::Array(array) => (0..array.n).for_each(|_| array.element.collect_leaves(leaves)),
        }
    }

    /// True when values of both can be compared, part by part: the same names, the same numbers of elements, the same
    /// sorts; two ranges of numbers need not be the same.
    pub fn matches(&self, other: &Self, system: &System) -> bool {
        match (self, other) {
            (Self::Single(a), Self::Single(b)) => {
                let is_range = |sort: &SortId| matches!(system.sorts[*sort].kind, crate::SortKind::Range(..));
                a == b || (is_range(a) && is_range(b))
            }
            (Self::Record(a), Self::Record(b)) => {
                let pairs = || a.fields.iter().zip(&b.fields);
                let same = |(a, b): (&Field, &Field)| a.name == b.name && a.shape.matches(&b.shape, system);
                Rc::ptr_eq(a, b) || (a.fields.len() == b.fields.len() && pairs().all(same))
            }
            (Self::Array(a), Self::Array(b)) => {
                Rc::ptr_eq(a, b) || ((a.first, a.n) == (b.first, b.n) && a.element.matches(&b.element, system))
            }
            _ => false,
        }
    }

    /// Its name in messages.
    pub fn describe(&self, system: &System) -> String {
        match self {
            Self::Single(sort) => system.sorts[*sort].name.clone(),
            Self::Record(record) => record.name.clone(),
            Self::Array(array) => {
                let element = array.element.describe(system);
                let element =
                    if element.contains("..") && !element.ends_with(']') { format!("({element})") } else { element };
                match array.n {
                    0 => format!("{element}[]"),
                    n => format!("{element}[{}..{}]", array.first, array.first + n - 1),
                }
            }
        }
    }
}
