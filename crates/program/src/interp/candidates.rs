//! The values that a variable may get from an edge.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::possible::{MAX_VALUES, Possible, TooManyValues};
use crate::{Program, Sort, Value};

/// The values that a variable may get.
#[derive(Clone, Debug)]
pub(crate) enum Candidates<'a> {
    /// The possible values of an expression.
    Listed(Possible),
    /// All values of a sort.
    All(&'a Sort),
    /// An array of which some elements are written.
    Elements(Elements<'a>),
}

/// An array of which some elements are written.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'a> {
    /// The sort of the elements.
    pub(crate) sort: &'a Sort,
    /// The number of elements.
    pub(crate) n: usize,
    /// The elements before; none: arbitrary.
    pub(crate) base: Option<&'a [Value]>,
    /// Possible indices, in range, and the values written there; later writes win.
    pub(crate) writes: Vec<(Vec<usize>, Candidates<'a>)>,
}

impl Candidates<'_> {
    /// True when the variable may get the value.
    pub(crate) fn contains(&self, program: &Program, value: &Value) -> Result<bool, TooManyValues> {
        match self {
            Self::Listed(values) => Ok(values.contains(value)),
            Self::All(sort) => Ok(sort.contains(program, value)),
            Self::Elements(elements) => elements.contains(program, value),
        }
    }

    /// The smallest value; none if there is no value.
    pub(crate) fn smallest(&self) -> Result<Option<Value>, TooManyValues> {
        match self {
            Self::Listed(values) => Ok(values.list().and_then(|values| values.first().cloned())),
            Self::All(sort) => Ok(Some(sort.smallest())),
            Self::Elements(elements) => elements.smallest(),
        }
    }

    /// True when there is exactly one value.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self, Self::Listed(values) if values.single().is_some())
    }

    /// The first values in ascending order, at most `limit`.
    pub(crate) fn first_values(&self, program: &Program, limit: usize) -> Result<Vec<Value>, TooManyValues> {
        match self {
            Self::Listed(values) => {
                Ok(values.list().unwrap_or(Cow::Borrowed(&[])).iter().take(limit).cloned().collect())
            }
            Self::All(sort) => Ok(sort.first_values(program, limit)),
            Self::Elements(elements) => elements.first_values(program, limit),
        }
    }

    /// The values as a set, possibly larger.
    pub(crate) fn possible(&self, program: &Program) -> Possible {
        const WORTH_LISTING: usize = 64;
        match self {
            Self::Listed(values) => values.clone(),
            Self::All(sort) => Possible::all(program, sort, WORTH_LISTING),
            Self::Elements(_) => Possible::Anything,
        }
    }
}

impl Elements<'_> {
    fn contains(&self, program: &Program, value: &Value) -> Result<bool, TooManyValues> {
        let Value::Array(elements) = value else { return Ok(false) };
        if elements.len() != self.n {
            return Ok(false);
        }
        for writers in self.writers()? {
            let mut fits = true;
            for (at, element) in elements.iter().enumerate() {
                fits &= match (writers[at], self.base) {
                    (Some(write), _) => self.writes[write].1.contains(program, element)?,
                    (None, Some(base)) => base[at] == *element,
                    (None, None) => self.sort.contains(program, element),
                };
            }
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn smallest(&self) -> Result<Option<Value>, TooManyValues> {
        let mut best: Option<Value> = None;
        let mut written = Vec::with_capacity(self.writes.len());
        for (_, values) in &self.writes {
            let Some(value) = values.smallest()? else { return Ok(None) };
            written.push(value);
        }
        for writers in self.writers()? {
            let element = |at: usize| match (writers[at], self.base) {
                (Some(write), _) => written[write].clone(),
                (None, Some(base)) => base[at].clone(),
                (None, None) => self.sort.smallest(),
            };
            let array = Value::Array((0..self.n).map(element).collect());
            best = Some(best.map_or(array.clone(), |best| best.min(array)));
        }
        Ok(best)
    }

    fn first_values(&self, program: &Program, limit: usize) -> Result<Vec<Value>, TooManyValues> {
        let mut found = BTreeSet::new();
        for writers in self.writers()? {
            let mut domains = Vec::with_capacity(self.n);
            for (at, writer) in writers.iter().enumerate() {
                domains.push(match (writer, self.base) {
                    (Some(write), _) => self.writes[*write].1.first_values(program, limit)?,
                    (None, Some(base)) => vec![base[at].clone()],
                    (None, None) => self.sort.first_values(program, limit),
                });
            }
            found.extend(combinations(&domains, limit).into_iter().map(Value::Array));
        }
        Ok(found.into_iter().take(limit).collect())
    }

    /// For each way of choosing the indices: which write, if any, each element gets its value from.
    fn writers(&self) -> Result<Vec<Vec<Option<usize>>>, TooManyValues> {
        let n_ways = self.writes.iter().fold(1usize, |n, (indices, _)| n.saturating_mul(indices.len()));
        if n_ways.saturating_mul(self.n) > MAX_VALUES {
            return Err(TooManyValues);
        }
        let indices: Vec<Vec<usize>> = self.writes.iter().map(|(indices, _)| indices.clone()).collect();
        let writers = |chosen: Vec<usize>| {
            let mut writers = vec![None; self.n];
            for (write, index) in chosen.into_iter().enumerate() {
                writers[index] = Some(write);
            }
            writers
        };
        Ok(combinations(&indices, MAX_VALUES).into_iter().map(writers).collect())
    }
}

/// The first combinations of one item from each list, at most `limit`, in lexicographic order.
fn combinations<T: Clone>(lists: &[Vec<T>], limit: usize) -> Vec<Vec<T>> {
    if lists.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut at = vec![0; lists.len()];
    let mut found = Vec::new();
    while found.len() < limit {
        found.push(at.iter().zip(lists).map(|(at, list)| list[*at].clone()).collect());
        let Some(next) = (0..lists.len()).rev().find(|list| at[*list] + 1 < lists[*list].len()) else { break };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgramBuilder;

    fn array(elements: [u64; 3]) -> Value {
        Value::Array(elements.map(Value::Bits).to_vec())
    }

    #[test]
    fn element_writes_cover_all_choices_of_index_and_value() {
        let program = ProgramBuilder::new().finish();
        let base = [7, 7, 7].map(Value::Bits);
        let value =
            |bits: &[u64]| Candidates::Listed(Possible::Values(bits.iter().copied().map(Value::Bits).collect()));
        let elements = Elements {
            sort: &Sort::Bits(3),
            n: 3,
            base: Some(&base),
            writes: vec![(vec![0, 1], value(&[1, 2])), (vec![1], value(&[5]))],
        };
        let candidates = Candidates::Elements(elements);
        let expected = [[1, 5, 7], [2, 5, 7], [7, 5, 7]].map(array).to_vec();
        assert_eq!(candidates.first_values(&program, 100), Ok(expected.clone()));
        assert_eq!(candidates.smallest(), Ok(Some(array([1, 5, 7]))));
        for candidate in Sort::Array(Box::new(Sort::Bits(3)), 3).values(&program, 512).unwrap() {
            assert_eq!(candidates.contains(&program, &candidate), Ok(expected.contains(&candidate)));
        }
    }

    #[test]
    fn elements_without_a_base_are_arbitrary() {
        let program = ProgramBuilder::new().finish();
        let writes = vec![(vec![1], Candidates::Listed(Possible::Values(vec![Value::Bits(1)])))];
        let elements = Elements { sort: &Sort::Bits(1), n: 3, base: None, writes };
        let candidates = Candidates::Elements(elements);
        let expected = [[0, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1]].map(array).to_vec();
        assert_eq!(candidates.first_values(&program, 100), Ok(expected));
        assert_eq!(candidates.contains(&program, &array([0, 0, 0])), Ok(false));
        assert_eq!(candidates.contains(&program, &Value::Bits(0)), Ok(false));
    }
}
