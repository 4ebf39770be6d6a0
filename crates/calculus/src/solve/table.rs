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

/// Entries by some of their key columns.
#[derive(Clone, Debug)]
struct Index {
    /// Positions in the key.
    columns: Vec<usize>,
    entries: FxHashMap<Key, SmallVec<[u32; 4]>>,
}

impl Index {
    fn add(&mut self, key: &Key, entry: u32) {
        let part: Key = self.columns.iter().map(|column| key[*column]).collect();
        self.entries.entry(part).or_default().push(entry);
    }
}

/// The value of a relation. Entries are never removed and keep their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    numbers: FxHashMap<Key, u32>,
    indices: Vec<Index>,
}

impl Table {
    /// The entry of a key.
    pub(crate) fn find(&self, key: &[u32]) -> Option<usize> {
        self.numbers.get(key).map(|entry| *entry as usize)
    }

    /// Adds an entry for a key that has none.
    pub(crate) fn push(&mut self, key: Key, value: Value) -> usize {
        let entry = self.entries.len() as u32;
        self.indices.iter_mut().for_each(|index| index.add(&key, entry));
        self.numbers.insert(key.clone(), entry);
        self.entries.push(Entry { key, value, history: Vec::new(), n_taken_up: 0, waiting: SmallVec::new() });
        entry as usize
    }

    /// Makes an index by the given positions of the key, if there is none.
    pub(crate) fn make_index(&mut self, columns: &[usize]) {
        let is_whole = self.entries.first().is_some_and(|entry| entry.key.len() == columns.len());
        if is_whole || self.indices.iter().any(|index| index.columns == columns) {
            return;
        }
        let mut index = Index { columns: columns.to_vec(), entries: FxHashMap::default() };
        for (entry, content) in self.entries.iter().enumerate() {
            index.add(&content.key, entry as u32);
        }
        self.indices.push(index);
    }

    /// The entries whose key has these values at the positions of an index that has been made; the whole key needs
    /// none.
    pub(crate) fn matching(&self, columns: &[usize], part: &[u32]) -> &[u32] {
        let Some(first) = self.entries.first() else { return &[] };
        if first.key.len() == columns.len() {
            return self.numbers.get(part).map_or(&[], std::slice::from_ref);
        }
        // Lists of one or two: to compare them in a loop is faster than to call for it.
        let index = self.indices.iter().find(|index| index.columns.iter().eq(columns));
        index.and_then(|index| index.entries.get(part)).map_or(&[], SmallVec::as_slice)
    }
}
