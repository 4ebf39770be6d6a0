//! Additions to an entry, united in groups: the first one that fits is found by halving.
//!
//! With control in diagrams a relation has one entry, to which something is added thousands of times. A group of which
//! even the union does not fit is passed over as a whole.

use std::collections::hash_map::Entry::Vacant;

use bdd::Stop;
use rustc_hash::FxHashMap;

use super::pattern::Value;
use super::store::Store;
use crate::plan::clause::Planned;

/// Entries with fewer additions have no groups: these are looked at one by one.
const MANY: usize = 32;

/// The groups of one entry, by level: those of level n are unions of 2 to the power of n + 1 additions.
#[derive(Debug, Default)]
pub(super) struct Groups(Vec<Vec<Value>>);

impl Groups {
    /// The level of the largest group that starts at an addition and ends before another; 0: the addition alone.
    pub(super) fn level(&self, start: usize, end: usize) -> u32 {
        let aligned = start.trailing_zeros().min(self.0.len() as u32);
        aligned.min((end - start).ilog2())
    }

    /// The union of a group of a level above 0.
    pub(super) fn union(&self, start: usize, level: u32) -> Option<&Value> {
        self.0.get(level.checked_sub(1)? as usize)?.get(start >> level)
    }

    fn of(store: &mut Store<'_>, relation: Planned, entry: usize) -> Result<Self, Stop> {
        let table = &store.tables[relation];
        let added = table.history(entry).iter().map(|number| table.additions[*number as usize].value.clone());
        let mut below: Vec<Value> = added.collect();
        let mut groups = Self::default();
        while below.len() > 1 {
            let pairs = below.chunks_exact(2).map(|pair| store.unite(relation, &pair[0], &pair[1]));
            let above = pairs.collect::<Result<Vec<Value>, Stop>>()?;
            groups.0.push(above.clone());
            below = above;
        }
        Ok(groups)
    }
}

/// The groups of all entries that have many additions.
pub(super) type Unions = FxHashMap<(Planned, u32), Groups>;

/// Makes the groups of a relation's entries, where there are none.
pub(super) fn make(unions: &mut Unions, store: &mut Store<'_>, relation: Planned) -> Result<(), Stop> {
    let table = &store.tables[relation];
    let has_many = |entry: &usize| table.history(*entry).len() >= MANY;
    for entry in (0..table.entries.len()).filter(has_many).collect::<Vec<_>>() {
        if let Vacant(place) = unions.entry((relation, entry as u32)) {
            place.insert(Groups::of(store, relation, entry)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bdd::{Config, Manager};

    use super::super::pattern::Patterns;
    use super::*;

    #[test]
    fn groups_are_the_largest_that_start_at_an_addition_and_end_in_time() {
        let value = Value {
            pattern: Patterns::default().intern(Vec::new()),
            diagram: Manager::new(&Config::small()).bdd_true(),
        };
        for n in [1, 2, 31, 32, 33, 70] {
            let sizes = (1..).map(|level| n >> level).take_while(|size| *size > 0);
            let groups = Groups(sizes.map(|size| vec![value.clone(); size]).collect());
            for (start, end) in (0..n).flat_map(|start| (start + 1..=n).map(move |end| (start, end))) {
                let level = groups.level(start, end);
                assert!(start % (1 << level) == 0 && start + (1 << level) <= end, "{start} to {end} of {n}");
                assert!(start % (2 << level) != 0 || start + (2 << level) > end, "{start} to {end} of {n}: too small");
                assert_eq!(groups.union(start, level).is_some(), level > 0, "{start} to {end} of {n}");
            }
        }
    }
}
