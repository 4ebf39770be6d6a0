//! The value of a relation: from keys to sets of bit vectors.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::pattern::Value;

/// The values of a relation's key columns.
pub(crate) type Key = SmallVec<[u32; 4]>;

/// One key's part of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) value: Value,
    /// What was added when, if that is kept.
    pub(crate) history: Vec<Addition>,
    /// How many of these have been taken up.
    pub(crate) n_taken_up: u32,
    /// What was added and has not been taken up.
    pub(crate) waiting: SmallVec<[Value; 1]>,
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
#[derive(Clone, Debug)]
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

/// Something for each key of a fixed length.
///
/// Most keys have one or two values, which make one number: that is looked up much faster than a list.
#[derive(Clone, Debug)]
struct ByKey<T> {
    short: FxHashMap<u64, T>,
    long: FxHashMap<Key, T>,
}

impl<T> Default for ByKey<T> {
    fn default() -> Self {
        Self { short: FxHashMap::default(), long: FxHashMap::default() }
    }
}

impl<T> ByKey<T> {
    /// Most values that make one number.
    const SHORT: usize = 2;

    fn code(key: impl Iterator<Item = u32>) -> u64 {
        key.fold(0, |code, value| code << 32 | u64::from(value))
    }

    /// What there is for a key of `n` values.
    fn get(&self, n: usize, key: impl Iterator<Item = u32>) -> Option<&T> {
        if n <= Self::SHORT { self.short.get(&Self::code(key)) } else { self.long.get(&key_of(key)) }
    }
}

impl<T: Default> ByKey<T> {
    fn get_or_default(&mut self, n: usize, key: impl Iterator<Item = u32>) -> &mut T {
        if n <= Self::SHORT {
            self.short.entry(Self::code(key)).or_default()
        } else {
            self.long.entry(key_of(key)).or_default()
        }
    }
}

/// Entries by some of their key columns.
#[derive(Clone, Debug)]
struct Index {
    /// Positions in the key.
    columns: Vec<usize>,
    entries: ByKey<SmallVec<[u32; 4]>>,
}

impl Index {
    fn add(&mut self, key: &Key, entry: u32) {
        let part = self.columns.iter().map(|column| key[*column]);
        self.entries.get_or_default(self.columns.len(), part).push(entry);
    }
}

/// The value of a relation. Entries are never removed and keep their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    numbers: ByKey<u32>,
    indices: Vec<Index>,
}

impl Table {
    /// The entry of a key.
    pub(crate) fn find(&self, key: &[u32]) -> Option<usize> {
        self.numbers.get(key.len(), key.iter().copied()).map(|entry| *entry as usize)
    }

    /// Adds an entry for a key that has none.
    pub(crate) fn push(&mut self, key: Key, value: Value) -> usize {
        let entry = self.entries.len() as u32;
        self.indices.iter_mut().for_each(|index| index.add(&key, entry));
        *self.numbers.get_or_default(key.len(), key.iter().copied()) = entry;
        self.entries.push(Entry { key, value, history: Vec::new(), n_taken_up: 0, waiting: SmallVec::new() });
        entry as usize
    }

    /// Makes an index by the given positions of the key, if there is none.
    pub(crate) fn make_index(&mut self, columns: &[usize]) {
        let is_whole = self.entries.first().is_some_and(|entry| entry.key.len() == columns.len());
        if is_whole || self.indices.iter().any(|index| index.columns == columns) {
            return;
        }
        let mut index = Index { columns: columns.to_vec(), entries: ByKey::default() };
        for (entry, content) in self.entries.iter().enumerate() {
            index.add(&content.key, entry as u32);
        }
        self.indices.push(index);
    }

    /// The entries whose key has these values at the positions of an index that has been made; the whole key needs
    /// none.
    pub(crate) fn matching(&self, columns: &[usize], part: impl Iterator<Item = u32>) -> &[u32] {
        let Some(first) = self.entries.first() else { return &[] };
        if first.key.len() == columns.len() {
            return self.numbers.get(columns.len(), part).map_or(&[], std::slice::from_ref);
        }
        // Lists of one or two: to compare them in a loop is faster than to call for it.
        let index = self.indices.iter().find(|index| index.columns.iter().eq(columns));
        index.and_then(|index| index.entries.get(columns.len(), part)).map_or(&[], SmallVec::as_slice)
    }
}
