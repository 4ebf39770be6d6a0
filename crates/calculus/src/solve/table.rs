//! The value of a relation: from keys to sets of bit vectors.

use rustc_hash::FxHashMap;

use super::pattern::Value;

/// The values of a relation's key columns.
pub(crate) type Key = Box<[u32]>;

/// One key's part of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) value: Value,
    /// What was added when, if that is kept.
    pub(crate) history: Vec<(u64, Value)>,
}

/// Entries by some of their key columns.
#[derive(Clone, Debug)]
struct Index {
    /// Positions in the key.
    columns: Vec<usize>,
    entries: FxHashMap<Key, Vec<u32>>,
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
        self.entries.push(Entry { key, value, history: Vec::new() });
        entry as usize
    }

    /// An index by the given positions of the key, made if there is none.
    pub(crate) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(at) = self.indices.iter().position(|index| index.columns == columns) {
            return at;
        }
        let mut index = Index { columns: columns.to_vec(), entries: FxHashMap::default() };
        for (entry, content) in self.entries.iter().enumerate() {
            index.add(&content.key, entry as u32);
        }
        self.indices.push(index);
        self.indices.len() - 1
    }

    /// The entries whose key has these values at the positions of an index.
    pub(crate) fn matching(&self, index: usize, part: &[u32]) -> &[u32] {
        self.indices[index].entries.get(part).map_or(&[], Vec::as_slice)
    }
}
