//! A static order: slots that meet in assignments and guards become neighbours.
//!
//! FORCE (Aloul, Markov, Sakallah 2003): every group of slots that occur together pulls its members to its centre;
//! repeated until the total span of all groups no longer shrinks. The best order seen is kept.

/// Slots that occur together, and how often.
pub(crate) type Group = (Vec<u32>, u64);

/// Rounds without improvement before giving up.
const PATIENCE: usize = 4;
/// Rounds at most.
const MAX_ROUNDS: usize = 60;

/// A permutation of `0..n`: the slots from top to bottom.
pub(crate) fn arrange(n: usize, groups: &[Group]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut best = (span(&order, groups), order.clone());
    let mut patience = PATIENCE;
    for _ in 0..MAX_ROUNDS {
        order = pull(&order, groups);
        let cost = span(&order, groups);
        if cost < best.0 {
            best = (cost, order.clone());
            patience = PATIENCE;
        } else if patience == 0 {
            break;
        } else {
            patience -= 1;
        }
    }
    best.1
}

fn positions(order: &[u32]) -> Vec<u64> {
    let mut positions = vec![0; order.len()];
    for (position, slot) in order.iter().enumerate() {
        positions[*slot as usize] = position as u64;
    }
    positions
}

/// Sum of the distances between the ends of each group.
fn span(order: &[u32], groups: &[Group]) -> u64 {
    let position = positions(order);
    let of_group = |(slots, weight): &Group| {
        let at = || slots.iter().map(|slot| position[*slot as usize]);
        weight * (at().max().unwrap_or(0) - at().min().unwrap_or(0))
    };
    groups.iter().map(of_group).sum()
}

/// Moves every slot to the mean of the centres of its groups.
fn pull(order: &[u32], groups: &[Group]) -> Vec<u32> {
    /// Centres are kept in fixed point, so that every machine computes the same order.
    const SCALE: u128 = 1 << 20;
    let position = positions(order);
    let mut sum = vec![0u128; order.len()];
    let mut weight_of = vec![0u128; order.len()];
    for (slots, weight) in groups {
        let total: u128 = slots.iter().map(|slot| u128::from(position[*slot as usize])).sum();
        let centre = total * SCALE / slots.len().max(1) as u128;
        for slot in slots {
            sum[*slot as usize] += centre * u128::from(*weight);
            weight_of[*slot as usize] += u128::from(*weight);
        }
    }
    let pull_of = |slot: u32| match weight_of[slot as usize] {
        0 => u128::from(position[slot as usize]) * SCALE,
        weight => sum[slot as usize] / weight,
    };
    let mut next = order.to_vec();
    next.sort_by_key(|slot| (pull_of(*slot), position[*slot as usize]));
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_become_neighbours() {
        let groups: Vec<Group> = (0..4).map(|i| (vec![i, i + 4], 1)).collect();
        let order = arrange(8, &groups);
        assert_eq!(span(&order, &groups), 4);
        let mut slots = order;
        slots.sort_unstable();
        assert_eq!(slots, (0..8).collect::<Vec<u32>>());
    }

    #[test]
    fn without_groups_nothing_moves() {
        assert_eq!(arrange(3, &[]), [0, 1, 2]);
    }
}
