//! The variable order, and sifting to make it better.
//!
//! Sifting (Rudell, ICCAD 1993): one block of variables after the other is moved
//! through the whole order by swaps of neighbours and left where the nodes were
//! fewest. Blocks keep the copies of a program variable together, so renamings
//! between copies stay order-preserving.

use oxidd_core::LevelView;

use crate::manager::{Manager, Var};
use crate::session::{Raw, RawManager, RawManagerRef, Shared};
use crate::stop::Stop;

impl Manager {
    /// The place of `var` in the order, 0 at the top.
    #[must_use]
    pub fn level_of(&self, var: Var) -> usize {
        self.with(|s| s.level_of(var.0) as usize)
    }

    /// All variables from the top to the bottom of the order.
    #[must_use]
    pub fn order(&self) -> Vec<Var> {
        self.with(|s| {
            let levels = 0..s.raw.num_levels();
            levels.map(|level| Var(s.var_at(level))).collect()
        })
    }

    /// Put variables into this order, from the top. One that is not mentioned
    /// moves as little as possible.
    ///
    /// For managers without nodes, or with few: nothing is given back when there
    /// is no room for what the new order needs.
    ///
    /// # Panics
    /// If a variable is not declared or is mentioned twice.
    pub fn arrange(&self, order: &[Var]) {
        self.collect();
        let order: Vec<u32> = order.iter().map(|var| var.0).collect();
        self.store.with_manager_exclusive(|raw| oxidd_reorder::set_var_order_seq(raw, &order));
    }

    /// Collect garbage, then look for a better variable order by sifting.
    ///
    /// The variables of a block move as one and keep their order among each
    /// other; one that is in no block moves alone. Functions stay what they are,
    /// as do cubes and renamings. A swap that might need more nodes than there
    /// is room for is not tried. When interrupted, the order is the best found.
    ///
    /// # Panics
    /// If a variable is not declared or is in two blocks.
    pub fn sift(&self, blocks: &[Vec<Var>]) -> Result<(), Stop> {
        self.collect();
        let result = self.store.with_manager_exclusive(|raw| {
            let blocks = all_blocks(raw, blocks);
            raw.reorder(|raw| Sifting::new(raw, &self.shared, blocks)?.run())
        });
        self.collect();
        result
    }
}

/// Every variable in exactly one block; blocks and their variables in the
/// current order.
fn all_blocks(raw: &Raw<'_>, blocks: &[Vec<Var>]) -> Vec<Vec<u32>> {
    let mut in_block = vec![false; raw.num_vars() as usize];
    let mut all = Vec::new();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        for var in block {
            let place = in_block.get_mut(var.0 as usize);
            let fresh = place.is_some_and(|seen| !std::mem::replace(seen, true));
            assert!(fresh, "every variable is declared and in one block at most");
        }
        let mut block: Vec<u32> = block.iter().map(|var| var.0).collect();
        block.sort_unstable_by_key(|&var| raw.var_to_level(var));
        all.push(block);
    }
    let alone = (0..raw.num_vars()).filter(|&var| !in_block[var as usize]);
    all.extend(alone.map(|var| vec![var]));
    all.sort_unstable_by_key(|block| raw.var_to_level(block[0]));
    all
}

/// A direction is given up when there are this many times the best nodes seen.
const MAX_GROWTH: f64 = 1.2;

/// No room for the nodes that a swap might need.
struct NoRoom;

/// The order as a sequence of blocks, while it changes.
struct Sifting<'a, 'id: 'a> {
    raw: &'a mut Raw<'id>,
    shared: &'a Shared,
    blocks: Vec<Vec<u32>>,
    nodes: usize,
}

impl<'a, 'id> Sifting<'a, 'id> {
    /// Bring the variables of each block together.
    fn new(raw: &'a mut Raw<'id>, shared: &'a Shared, blocks: Vec<Vec<u32>>) -> Result<Self, Stop> {
        let nodes = raw.num_inner_nodes();
        let mut sifting = Self { raw, shared, blocks, nodes };
        let target: Vec<u32> = sifting.blocks.concat();
        for (level, var) in (0..).zip(target) {
            for upper in (level..sifting.raw.var_to_level(var)).rev() {
                let swapped = sifting.swap_levels(upper);
                swapped.map_err(|NoRoom| Stop::OutOfNodes)?;
            }
        }
        Ok(sifting)
    }

    /// Move each block to its best place, those with most nodes first.
    fn run(mut self) -> Result<(), Stop> {
        let size = |block: &Vec<u32>| -> usize {
            let levels = block.iter().map(|&var| self.raw.var_to_level(var));
            levels.map(|level| self.raw.level(level).len()).sum()
        };
        let mut heads: Vec<(usize, u32)> = self.blocks.iter().map(|block| (size(block), block[0])).collect();
        heads.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
        for (_, head) in heads {
            self.place(head)?;
        }
        Ok(())
    }

    /// Move the block that starts with variable `head` to its best place.
    fn place(&mut self, head: u32) -> Result<(), Stop> {
        let Some(start) = self.blocks.iter().position(|block| block[0] == head) else {
            unreachable!("blocks only change places");
        };
        let last = self.blocks.len() - 1;
        let mut at = start;
        let mut best = (self.nodes, start);
        // The nearer end first: its way is walked three times.
        let ends = if start < last - start { [0, last] } else { [last, 0] };
        for end in ends {
            while at != end && !self.shared.is_interrupted() {
                if self.step(&mut at, end).is_err() {
                    break;
                }
                best = best.min((self.nodes, at));
                if self.nodes as f64 > best.0 as f64 * MAX_GROWTH {
                    break;
                }
            }
        }
        while at != best.1 {
            // The way back is through orders that had room before.
            self.step(&mut at, best.1).map_err(|NoRoom| Stop::OutOfNodes)?;
        }
        if self.shared.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        Ok(())
    }

    /// Move the block at place `at` one place towards `end`.
    fn step(&mut self, at: &mut usize, end: usize) -> Result<(), NoRoom> {
        let next = if end > *at { *at + 1 } else { *at - 1 };
        self.swap_blocks(next.min(*at))?;
        *at = next;
        Ok(())
    }

    /// Exchange the block at place `upper` with the one below it, or do nothing.
    fn swap_blocks(&mut self, upper: usize) -> Result<(), NoRoom> {
        let top = self.raw.var_to_level(self.blocks[upper][0]);
        let height = self.blocks[upper].len() as u32;
        let lower_height = self.blocks[upper + 1].len() as u32;
        let swaps = (0..lower_height).flat_map(|j| (0..height).rev().map(move |i| top + i + j)).collect::<Vec<_>>();
        for (done, &level) in swaps.iter().enumerate() {
            if let Err(no_room) = self.swap_levels(level) {
                for &level in swaps[..done].iter().rev() {
                    self.swap_unchecked(level);
                }
                return Err(no_room);
            }
        }
        self.blocks.swap(upper, upper + 1);
        Ok(())
    }

    /// Exchange `upper` with the level below it, if there is room for the swap
    /// and for its undoing: the library aborts the process where there is none.
    fn swap_levels(&mut self, upper: u32) -> Result<(), NoRoom> {
        let worst = 2 * self.nodes + 2 * self.raw.level(upper).len();
        if worst > self.shared.node_slots {
            return Err(NoRoom);
        }
        self.swap_unchecked(upper);
        Ok(())
    }

    fn swap_unchecked(&mut self, upper: u32) {
        let nodes = |raw: &Raw<'_>| raw.level(upper).len() + raw.level(upper + 1).len();
        let before = nodes(self.raw);
        let order = [upper + 1, upper].map(|level| self.raw.level_to_var(level));
        oxidd_reorder::set_var_order_seq(self.raw, &order);
        self.nodes = self.nodes - before + nodes(self.raw);
    }
}
