//! Values for the bits that a clause leaves open: decided bit by bit, following all of its diagrams at once. A
//! conjunction that fails is remembered by the nodes that were reached in it.

use std::rc::Rc;

use base::Budget;
use bdd::{Bdd, Manager, Var};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Halt;
use super::bits::Bits;
use super::pattern::Meaning;
use super::witness::{Operands, Reading};

/// Follows a diagram to true, taking the first way that is open; false: there is none, with what is known.
pub(super) fn pick(diagram: &Bdd, reading: &Reading, bits: &mut Bits) -> bool {
    if diagram.is_true() {
        return true;
    }
    let end = diagram.walk(&mut |var, is_low_false| {
        Some(match reading.meaning(var) {
            Some(Meaning::Constant(value)) => value,
            Some(Meaning::Bit(bit)) => {
                let value = bits.get(bit).unwrap_or(is_low_false);
                bits.set(bit, value);
                value
            }
            None => is_low_false,
        })
    });
    end.is_true()
}

/// Follows a diagram as far as bits are known; none: it is false.
pub(super) fn follow(diagram: &Bdd, reading: &Reading, bits: &Bits) -> Option<Bdd> {
    if diagram.is_true() {
        return Some(diagram.clone());
    }
    let end = diagram.walk(&mut |var, _| match reading.meaning(var)? {
        Meaning::Constant(value) => Some(value),
        Meaning::Bit(bit) => bits.get(bit),
    });
    (!end.is_false()).then_some(end)
}

/// What failed: the nodes that were reached, and, where the orders of the diagrams differ, all that was decided.
type Failed = (Nodes, Option<Bits>);

/// A node of each diagram.
pub(super) type Nodes = SmallVec<[Bdd; 4]>;

/// Open bits are decided in one order, all diagrams at once.
pub(super) struct Decision<'d> {
    operands: &'d Operands,
    /// By root: where it comes in the order.
    rank: Vec<usize>,
    /// Whether all diagrams have their bits in that order: then what is decided no longer matters further down.
    is_ordered: bool,
    failed: FxHashSet<Failed>,
    budget: &'d Budget,
}

impl<'d> Decision<'d> {
    pub(super) fn new(operands: &'d Operands, bits: &Bits, manager: &Manager, budget: &'d Budget) -> Self {
        let mut rank = vec![usize::MAX; bits.len()];
        let open = |(var, meaning): &(Var, Meaning)| match meaning {
            Meaning::Bit(bit) if bits.get(*bit).is_none() => Some((manager.level_of(*var), bits.root(*bit))),
            Meaning::Bit(_) | Meaning::Constant(_) => None,
        };
        let undecided = operands.iter().filter(|(node, _)| !node.is_true());
        // The variables of each diagram, from the top: their numbers say nothing about where they are.
        let undecided: Vec<Vec<(usize, usize)>> = undecided
            .map(|(_, reading)| {
                let mut levels: Vec<(usize, usize)> = reading.vars.iter().filter_map(open).collect();
                levels.sort_unstable();
                levels
            })
            .collect();
        for (level, root) in undecided.iter().flatten() {
            rank[*root] = rank[*root].min(*level);
        }
        let is_ordered = undecided.iter().all(|levels| {
            let mut ranks = levels.iter().map(|(_, root)| rank[*root]);
            let mut last = ranks.next();
            ranks.all(|next| last.replace(next) < Some(next))
        });
        Self { operands, rank, is_ordered, failed: FxHashSet::default(), budget }
    }

    pub(super) fn decide(&mut self, mut nodes: Nodes, bits: &mut Bits) -> Result<bool, Halt> {
        for (node, (_, reading)) in nodes.iter_mut().zip(self.operands) {
            match follow(node, reading, bits) {
                Some(next) => *node = next,
                None => return Ok(false),
            }
        }
        let top = |(node, (_, reading)): (&Bdd, &(Bdd, Rc<Reading>))| match reading.meaning(node.branches()?.0) {
            Some(Meaning::Bit(bit)) => Some(bits.root(bit)),
            Some(Meaning::Constant(_)) | None => None,
        };
        let Some(root) = nodes.iter().zip(self.operands).filter_map(top).min_by_key(|root| self.rank[*root]) else {
            return Ok(true);
        };
        let decided = (!self.is_ordered).then(|| bits.clone());
        let failed = (nodes, decided);
        if self.failed.contains(&failed) {
            return Ok(false);
        }
        self.budget.check().map_err(Halt::Limit)?;
        for value in [false, true] {
            bits.forget(root);
            bits.set(root, value);
            if self.decide(failed.0.clone(), bits)? {
                return Ok(true);
            }
        }
        bits.forget(root);
        self.failed.insert(failed);
        Ok(false)
    }
}
