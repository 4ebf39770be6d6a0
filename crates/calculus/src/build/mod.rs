//! Makes a [`System`] out of variables that are records and arrays: what the languages of the calculus have in common.
//!
//! A variable of a record or array sort becomes a block of variables of single values. An atom whose terms are not yet
//! single values under every circumstance (an array element with a variable index, a number of another range) becomes
//! a disjunction over the values of the variables that decide it. This module knows no syntax and reports nothing but
//! that something is too large.

mod atom;
mod circle;
mod place;
mod shape;

use rustc_hash::FxHashMap;

pub use atom::{Comparison, Side, conjunction, disjunction, negation, size};
pub use circle::find_circle;
pub use place::Place;
pub use shape::{Array, Field, Record, Shape};

use crate::system::{Sort, SortId, SortKind, System, Variable, VariableId};

/// Something would become too large when records and arrays are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Most single values in a record or array.
pub const MAX_WIDTH: usize = 4_096;
/// Most variables of a system.
const MAX_VARIABLES: usize = 1 << 22;
/// Most atoms that come from taking other atoms apart.
const MAX_EXPANSION: usize = 1 << 24;

/// A system under construction.
#[derive(Debug)]
pub struct Builder {
    /// What has been built so far.
    pub system: System,
    ranges: FxHashMap<(u64, u64), SortId>,
    /// How many more atoms may come from taking others apart.
    allowance: usize,
}

impl Builder {
    /// The sort of truth values; it is always there.
    pub const BOOL: SortId = SortId(0);

    /// An empty system of a language that has its own name for the sort of truth values.
    pub fn new(name_of_bool: &str) -> Self {
        let mut system = System::default();
        let bool_sort = system.sorts.push(Sort { name: name_of_bool.to_owned(), kind: SortKind::Bool });
        assert!(bool_sort == Self::BOOL, "the first sort is Bool");
        Self { system, ranges: FxHashMap::default(), allowance: MAX_EXPANSION }
    }

    /// The sort of the numbers from the first to the second; equal bounds give the same sort.
    pub fn range(&mut self, low: u64, high: u64) -> SortId {
        assert!(low <= high, "a range has a value");
        let sorts = &mut self.system.sorts;
        let make = || sorts.push(Sort { name: format!("{low}..{high}"), kind: SortKind::Range(low, high) });
        *self.ranges.entry((low, high)).or_insert_with(make)
    }

    /// Bounds of a range.
    pub fn bounds(&self, sort: SortId) -> Option<(u64, u64)> {
        match self.system.sorts[sort].kind {
            SortKind::Range(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// The sort of a variable.
    pub fn sort_of(&self, variable: VariableId) -> SortId {
        self.system.variables[variable].sort
    }

    /// A new variable of any shape.
    pub fn declare(&mut self, name: &str, shape: &Shape) -> Result<Place, TooLarge> {
        if self.system.variables.len() + shape.width() > MAX_VARIABLES {
            return Err(TooLarge);
        }
        let first = self.system.variables.next_id();
        let part = if let Shape::Record(record) = shape { record.name.clone() } else { String::new() };
        self.declare_parts(name.to_owned(), part, shape);
        Ok(Place::new(first, shape.clone()))
    }

    fn declare_parts(&mut self, name: String, part: String, shape: &Shape) {
        match shape {
            Shape::Single(sort) => {
                self.system.variables.push(Variable { name, sort: *sort, part });
            }
            Shape::Record(record) => {
                for Field { name: field, shape, .. } in &record.fields {
                    self.declare_parts(format!("{name}.{field}"), format!("{part}.{field}"), shape);
                }
            }
            Shape::Array(array) => {
                for at in (0..array.n).map(|at| array.first + at) {
                    self.declare_parts(format!("{name}[{at}]"), format!("{part}[{at}]"), &array.element);
                }
            }
        }
    }

    /// Accounts for atoms that come from taking another one apart.
    pub fn charge(&mut self, n: usize) -> Result<(), TooLarge> {
        self.allowance = self.allowance.checked_sub(n).ok_or(TooLarge)?;
        Ok(())
    }
}
