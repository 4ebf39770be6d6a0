//! Solutions listed by the values of their columns, whether these were keys or bits.

use bdd::{Bdd, Stop, Var};

use super::store::Store;
use crate::plan::clause::Planned;

/// Adds the listed values of all solutions of an entry.
pub(super) fn listed(
    store: &Store<'_>,
    relation: Planned,
    key: &[u32],
    whole: &Bdd,
    found: &mut Vec<Vec<u32>>,
) -> Result<(), Stop> {
    let mut partial = vec![(Vec::new(), whole.clone())];
    let mut key = key.iter();
    for (at, column) in store.plan.relations[relation].columns.iter().enumerate() {
        let sort = &store.plan.sorts[column.sort];
        if column.is_key {
            let value = key.next().copied().unwrap_or(0);
            partial.iter_mut().for_each(|(values, _)| values.push(value));
        } else if let (Some(_), Some(size)) = (sort.model, sort.size) {
            let bits = store.space.stored(store.plan, relation, at);
            let mut next = Vec::new();
            for (values, rest) in partial {
                for value in 0..size as u32 {
                    let rest = rest.cofactor(&literals(&bits, value))?;
                    if !rest.is_false() {
                        let mut values: Vec<u32> = values.clone();
                        values.push(value);
                        next.push((values, rest));
                    }
                }
            }
            partial = next;
        }
    }
    found.extend(partial.into_iter().map(|(values, _)| values));
    Ok(())
}

/// What the bits are for a value.
pub(super) fn literals(bits: &[Var], value: u32) -> Vec<(Var, bool)> {
    bits.iter().enumerate().map(|(at, var)| (*var, value >> at & 1 == 1)).collect()
}
