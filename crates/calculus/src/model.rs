//! What a model supplies: diagram variables for its sorts and rows for its input relations.

use std::rc::Rc;

use bdd::{Bdd, Manager, Stop, Var};

use crate::signature::Signature;

/// The world that formulae speak about.
pub trait Model {
    /// Sorts and inputs.
    fn signature(&self) -> &Signature;

    /// Creates diagram variables for all sorts of bits, so many copies of each bit: `[sort][bit][copy]`; nothing for
    /// listed sorts. Copies of a bit are neighbours, in order.
    fn allocate(&mut self, manager: &Manager, n_copies: usize) -> Vec<Vec<Vec<Var>>>;

    /// The place of a value of a listed sort in the order in which work is best done: smaller first.
    fn rank(&self, sort: usize, value: u32) -> u32;

    /// Hands over all rows of an input, over the given variables: one list per column, empty for listed sorts. Rows
    /// with the same key are united.
    fn rows(
        &self,
        input: usize,
        columns: &[Vec<Var>],
        take: &mut dyn FnMut(Row) -> Result<(), Stop>,
    ) -> Result<(), Stop>;
}

/// A part of an input relation: all its tuples with the same listed values.
#[derive(Clone, Debug)]
pub struct Row {
    /// The values of the columns of listed sorts, in order.
    pub key: Vec<u32>,
    /// For each bit of the columns that are not listed, in order, what is known about it without the diagram.
    pub cells: Rc<[Cell]>,
    /// The rest, over the variables of the bits that are their own ([`Cell::variable`] of their own variable).
    pub diagram: Bdd,
}

/// What stands for a bit: a constant, or a diagram variable. Bits with the same variable are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u32);

impl Cell {
    /// Nothing is known, and the diagram does not speak of it either.
    pub(crate) const OPEN: Self = Self(2);

    /// A constant.
    #[must_use]
    pub fn constant(value: bool) -> Self {
        Self(u32::from(value))
    }

    /// A diagram variable.
    #[must_use]
    pub fn variable(var: Var) -> Self {
        Self(var.0 + 3)
    }

    pub(crate) fn var(self) -> Option<Var> {
        self.0.checked_sub(3).map(Var)
    }

    pub(crate) fn value(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}
