//! Solutions listed by the values of their columns, whether these were keys or bits.

use bdd::{Bdd, Stop, Var};

use super::store::Store;
use crate::plan::clause::Planned;

/// Adds the listed values of all solutions of an entry, each with the diagram of the rest.
pub(super) fn listed(
    store: &Store<'_>,
    relation: Planned,
    key: &[u32],
    whole: &Bdd,
    found: &mut Vec<(Vec<u32>, Bdd)>,
) -> Result<(), Stop> {
    let mut partial = vec![(Vec::new(), whole.clone())];
    let mut key = key.iter();
    for (at, column) in store.plan.relations[relation].columns.iter().enumerate() {
        let sort = &store.plan.sorts[column.sort];
        if column.is_key {
            let value = key.next().copied().unwrap_or(0);
            partial.iter_mut().for_each(|(values, _)| values.push(value));
        } else if let (true, Some(size)) = (column.is_listed, sort.size) {
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
    found.append(&mut partial);
    Ok(())
}

/// Adds the values of all columns of the solutions of an entry, as long as there are fewer than `limit`.
pub(super) fn tuples(
    store: &Store<'_>,
    relation: Planned,
    key: &[u32],
    whole: &Bdd,
    limit: usize,
    found: &mut Vec<Vec<u64>>,
) -> Result<(), Stop> {
    let vars: Vec<Var> = store.stored[relation].to_vec();
    let mut rest = whole.clone();
    while found.len() < limit
        && let Some(picked) = rest.pick_total(&vars)
    {
        rest = rest.diff(&store.manager.conjunction(&picked)?)?;
        let bit = |var: &Var| u64::from(picked.contains(&(*var, true)));
        let (mut key, mut bits) = (key.iter(), vars.iter().map(bit));
        let value = |column: &crate::plan::Column| match column.is_key {
            true => key.next().map_or(0, |value| u64::from(*value)),
            false => {
                let width = store.plan.sorts[column.sort].width;
                bits.by_ref().take(width).enumerate().map(|(at, bit)| bit << at).sum()
            }
        };
        found.push(store.plan.relations[relation].columns.iter().map(value).collect());
    }
    Ok(())
}

/// What the bits are for a value.
pub(super) fn literals(bits: &[Var], value: u32) -> Vec<(Var, bool)> {
    bits.iter().enumerate().map(|(at, var)| (*var, value >> at & 1 == 1)).collect()
}
