//! The value of a relation: from keys to sets of bit vectors.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry as Place;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::lists::Lists;
use super::pattern::Value;

/// The values of a relation's key columns.
pub(crate) type Key = SmallVec<[u32; 4]>;

/// One key's part of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) value: Value,
}

/// Something that was added.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    pub(crate) stamp: u64,
    pub(crate) value: Value,
    /// How it was found, where that is written down.
    pub(crate) reason: Option<Reason>,
}

/// What something was found from: additions to an entry of one of a clause's atoms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason {
    pub(crate) clause: u32,
    pub(crate) atom: u32,
    pub(crate) entry: u32,
    /// From the first of these to before the second.
    pub(crate) additions: (u32, u32),
}

/// A key, value by value. Keys are short and made all the time: this is faster than to collect them.
pub(crate) fn key_of(values: impl Iterator<Item = u32>) -> Key {
    let mut key = Key::new();
    values.for_each(|value| key.push(value));
    key
}

/// One or two values as one number.
fn code(key: impl Iterator<Item = u32>) -> u64 {
    key.fold(0, |code, value| code << 32 | u64::from(value))
}

/// Most values that make one number, which is looked up much faster than a list. Most keys have no more.
const SHORT: usize = 2;

/// A hash of a key of `n` values.
fn hash(n: usize, key: impl Iterator<Item = u32>) -> u64 {
    if n <= SHORT { FxBuildHasher.hash_one(code(key)) } else { FxBuildHasher.hash_one(key_of(key)) }
}

/// Entries by some of their key columns.
#[derive(Clone, Debug)]
struct Index {
    /// Positions in the key.
    columns: Vec<usize>,
    /// Of one column with small values: by value.
    by_value: Lists,
    /// All others: by number.
    others: Lists,
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Key, u32>,
}

impl Index {
    /// Values below this are places in a list. Listed values are counted from 0, so there are few gaps.
    const SMALL: u64 = 1 << 20;

    fn new(columns: &[usize]) -> Self {
        let (by_value, others) = (Lists::default(), Lists::default());
        Self { columns: columns.to_vec(), by_value, others, short: FxHashMap::default(), long: FxHashMap::default() }
    }

    fn add(&mut self, key: &[u32], entry: u32) {
        let part = self.columns.iter().map(|column| key[*column]);
        let next = (self.short.len() + self.long.len()) as u32;
        let number = match self.columns.len() {
            0..=SHORT => match code(part) {
                value if value < Self::SMALL && self.columns.len() == 1 => {
                    return self.by_value.push(value as usize, entry);
                }
                code => *self.short.entry(code).or_insert(next),
            },
            _ => *self.long.entry(key_of(part)).or_insert(next),
        };
        self.others.push(number as usize, entry);
    }

    fn get(&self, part: impl Iterator<Item = u32>) -> &[u32] {
        let number = match self.columns.len() {
            0..=SHORT => match code(part) {
                value if value < Self::SMALL && self.columns.len() == 1 => return self.by_value.get(value as usize),
                code => self.short.get(&code),
            },
            _ => self.long.get(&key_of(part)),
        };
        number.map_or(&[], |number| self.others.get(*number as usize))
    }
}

/// The value of a relation. Entries are never removed and keep their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    numbers: HashTable<u32>,
    indices: Vec<Index>,
    /// What was added when, if that is kept.
    pub(crate) additions: Vec<Addition>,
    /// By entry: its additions.
    histories: Lists,
}

impl Table {
    /// The entry of a key.
    pub(crate) fn find(&self, key: &[u32]) -> Option<usize> {
        self.number(key.len(), &key.iter().copied()).map(|entry| *entry as usize)
    }

    fn number(&self, n: usize, key: &(impl Iterator<Item = u32> + Clone)) -> Option<&u32> {
        let is_same = |entry: &u32| self.entries[*entry as usize].key.iter().copied().eq(key.clone());
        self.numbers.find(hash(n, key.clone()), is_same)
    }

    /// Adds an entry for a key that has none.
    pub(crate) fn push(&mut self, key: Key, value: Value) -> usize {
        let entry = self.entries.len() as u32;
        self.indices.iter_mut().for_each(|index| index.add(&key, entry));
        let of_key = |key: &Key| hash(key.len(), key.iter().copied());
        let entries = &self.entries;
        // That no other has the key is known already.
        let place = self.numbers.entry(of_key(&key), |_| false, |other| of_key(&entries[*other as usize].key));
        if let Place::Vacant(place) = place {
            place.insert(entry);
        }
        self.entries.push(Entry { key, value });
        entry as usize
    }

    /// Writes down what was added to an entry.
    pub(crate) fn note(&mut self, entry: usize, addition: Addition) {
        self.histories.push(entry, self.additions.len() as u32);
        self.additions.push(addition);
    }

    /// The numbers of an entry's additions, earliest first; none of inputs, which are there from the start.
    pub(crate) fn history(&self, entry: usize) -> &[u32] {
        self.histories.get(entry)
    }

    /// One of an entry's additions.
    pub(crate) fn addition(&self, entry: usize, at: usize) -> Option<&Addition> {
        self.history(entry).get(at).map(|number| &self.additions[*number as usize])
    }

    /// How many of an entry's additions were made before a stamp.
    pub(crate) fn n_earlier(&self, entry: usize, stamp: u64) -> usize {
        self.history(entry).partition_point(|number| self.additions[*number as usize].stamp < stamp)
    }

    /// Makes an index by the given positions of keys with `n` values, if there is none. The whole key needs none.
    pub(crate) fn make_index(&mut self, columns: &[usize], n: usize) {
        if columns.len() == n || self.indices.iter().any(|index| index.columns == columns) {
            return;
        }
        let mut index = Index::new(columns);
        for (entry, content) in self.entries.iter().enumerate() {
            index.add(&content.key, entry as u32);
        }
        self.indices.push(index);
    }

    /// The entries whose key has these values at the positions of an index that has been made; the whole key needs
    /// none.
    pub(crate) fn matching(&self, columns: &[usize], part: impl Iterator<Item = u32> + Clone) -> &[u32] {
        let Some(first) = self.entries.first() else { return &[] };
        if first.key.len() == columns.len() {
            return self.number(columns.len(), &part).map_or(&[], std::slice::from_ref);
        }
        // Lists of one or two: to compare them in a loop is faster than to call for it.
        let index = self.indices.iter().find(|index| index.columns.iter().eq(columns));
        index.map_or(&[], |index| index.get(part))
    }
}

#[cfg(test)]
mod tests {
    use bdd::{Config, Manager};

    use super::super::pattern::Patterns;
    use super::*;

    /// Keys with some columns, large values among them.
    fn keys(n_columns: usize) -> Vec<Key> {
        let value = |number: u32, column: usize| match (number >> (2 * column)) & 3 {
            3 => u32::MAX - 7,
            value => value,
        };
        (0..4u32.pow(n_columns as u32))
            .map(|number| (0..n_columns).map(|column| value(number, column)).collect())
            .collect()
    }

    #[test]
    fn entries_are_found_by_every_part_of_their_keys() {
        let diagram = Manager::new(&Config::small()).bdd_true();
        let value = Value { pattern: Patterns::default().intern(Vec::new()), diagram };
        for n_columns in 0..=3usize {
            let keys = keys(n_columns);
            let mut table = Table::default();
            let parts = (0..1usize << n_columns).map(|set| (0..n_columns).filter(|at| set >> at & 1 == 1).collect());
            let parts: Vec<Vec<usize>> = parts.collect();
            // Half of the indices are there before the entries.
            parts.iter().step_by(2).for_each(|columns| table.make_index(columns, n_columns));
            for (entry, key) in keys.iter().enumerate() {
                assert_eq!(table.find(key), None);
                assert_eq!(table.push(key.clone(), value.clone()), entry);
                assert_eq!(table.find(key), Some(entry));
            }
            parts.iter().for_each(|columns| table.make_index(columns, n_columns));
            for (columns, key) in parts.iter().flat_map(|columns| keys.iter().map(move |key| (columns, key))) {
                let part: Vec<u32> = columns.iter().map(|column| key[*column]).collect();
                let agrees = |other: &Key| columns.iter().all(|column| other[*column] == key[*column]);
                let expected: Vec<u32> = (0..).zip(&keys).filter(|(_, key)| agrees(key)).map(|(at, _)| at).collect();
                assert_eq!(table.matching(columns, part.iter().copied()), expected, "{columns:?} of {key:?}");
            }
        }
    }
}
