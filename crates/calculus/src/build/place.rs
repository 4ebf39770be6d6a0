//! Parts of variables: fields, and elements whose index may depend on the value of other variables.

use base::Id;

use super::{Builder, Shape};
use crate::system::VariableId;

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its first single value, if all indices have their first value.
    first: VariableId,
    /// What it consists of.
    pub shape: Shape,
    indices: Vec<Index>,
}

/// An index that is not known before the value of a variable is.
#[derive(Clone, Debug)]
struct Index {
    place: Place,
    offset: i64,
    /// Number of the first element.
    first: u64,
    /// Number of elements.
    n: u64,
    /// Single values per element.
    stride: usize,
}

/// Values chosen for variables, each by its position in its sort.
pub(super) type Chosen = Vec<(VariableId, u64)>;

/// Why an atom is not yet known.
pub(super) enum Open {
    /// It depends on the value of a variable, of which only some (by position, both included) can make it true.
    Choose(VariableId, u64, u64),
    /// Some term has no value: the atom is false.
    Nowhere,
}

impl Place {
    pub(super) fn new(first: VariableId, shape: Shape) -> Self {
        Self { first, shape, indices: Vec::new() }
    }

    /// A field of a record; `None` when it is no record or has no such field.
    pub fn field(mut self, name: &str) -> Option<Self> {
        let Shape::Record(record) = &self.shape else { return None };
        let field = record.fields.iter().find(|field| field.name == name)?;
        self.first = after(self.first, field.offset);
        self.shape = field.shape.clone();
        Some(self)
    }

    /// An element of an array; `None` when it is no array or has no such element.
    pub fn element(mut self, index: i64) -> Option<Self> {
        let Shape::Array(array) = &self.shape else { return None };
        let at = u64::try_from(index).ok()?.checked_sub(array.first).filter(|at| *at < array.n)?;
        self.first = after(self.first, at as usize * array.element.width());
        self.shape = array.element.clone();
        Some(self)
    }

    /// An element whose number is the value of a variable, plus a constant; `None` when it is no array.
    pub fn element_at(mut self, place: Self, offset: i64) -> Option<Self> {
        let Shape::Array(array) = &self.shape else { return None };
        let (first, n, stride) = (array.first, array.n, array.element.width());
        let shape = array.element.clone();
        self.indices.push(Index { place, offset, first, n, stride });
        self.shape = shape;
        Some(self)
    }

    /// The variables of a place without variable indices.
    pub fn variables(&self) -> Option<Vec<VariableId>> {
        let all = || (0..self.shape.width()).map(|at| after(self.first, at)).collect();
        self.indices.is_empty().then(all)
    }

    /// Whether every index lies in its array, whatever values variables have.
    pub(super) fn always_exists(&self, builder: &Builder) -> bool {
        let wide = |number: u64| i128::from(number);
        self.indices.iter().all(|Index { place, offset, first, n, .. }| {
            let bounds = place.shape.single().and_then(|sort| builder.bounds(sort));
            place.always_exists(builder)
                && bounds.is_some_and(|(low, high)| {
                    wide(low) + i128::from(*offset) >= wide(*first)
                        && wide(high) + i128::from(*offset) < wide(*first) + wide(*n)
                })
        })
    }

    /// The first variable, under the values chosen so far.
    pub(super) fn locate(&self, builder: &Builder, chosen: &Chosen) -> Result<VariableId, Open> {
        let mut first = self.first;
        for index in &self.indices {
            let window = (index.first, index.n);
            let number = value_in(builder, chosen, index.place.locate(builder, chosen)?, index.offset, window)?;
            first = after(first, (number - index.first) as usize * index.stride);
        }
        Ok(first)
    }
}

/// The variable so many places later in the same block.
pub(super) fn after(variable: VariableId, n: usize) -> VariableId {
    VariableId::from_index(variable.index() + n)
}

/// The chosen value of a variable of a range, plus an offset, if it is among the `n` numbers from `first`. The sum is a
/// number like any other: it may lie outside of the variable's own range.
pub(super) fn value_in(
    builder: &Builder,
    chosen: &Chosen,
    variable: VariableId,
    offset: i64,
    (first, n): (u64, u64),
) -> Result<u64, Open> {
    let wide = |number: u64| i128::from(number);
    let (low, high) = builder.bounds(builder.sort_of(variable)).unwrap_or((0, 0));
    if let Some((_, at)) = chosen.iter().find(|(other, _)| *other == variable) {
        let number = u64::try_from(wide(low + at) + i128::from(offset));
        return number.ok().filter(|number| number.checked_sub(first).is_some_and(|at| at < n)).ok_or(Open::Nowhere);
    }
    let from = wide(low).max(wide(first) - i128::from(offset)) - wide(low);
    let to = wide(high).min(wide(first) + wide(n) - 1 - i128::from(offset)) - wide(low);
    match (u64::try_from(from), u64::try_from(to)) {
        (Ok(from), Ok(to)) if from <= to => Err(Open::Choose(variable, from, to)),
        _ => Err(Open::Nowhere),
    }
}
