//! The order of the slots, from top to bottom.
//!
//! 1. FORCE makes neighbours of slots that occur together (`order`).
//! 2. Every weave is pulled together to where its slots are on the average, one level below the other. Operands of sums
//!    and comparisons are interleaved then, whatever else reads them.
//! 3. What decides about the way goes above what is only counted with: sets fall into few cases first. In programs with
//!    arrays that is what selects elements (`select`); in others, Booleans and weaves that no guard reads go below.

use base::IdVec;
use program::{Expr, Program, Rhs, Sort, VariableId};
use rustc_hash::FxHashMap;

use crate::columns::{Columns, Strand};
use crate::kinds::Kinds;
use crate::order::{Group, arrange};
use crate::select::bits_above;
use crate::slots::{Slot, element_width, for_each_read, relations};

/// Slots in their final order.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) bits: IdVec<VariableId, Vec<Slot>>,
    /// By slot: the weave that it belongs to.
    pub(crate) weaves: Vec<Option<u32>>,
}

impl Arrangement {
    /// Slots for all variables that occur in the program, or in conditions that a question brings, in a good order.
    pub(crate) fn of(program: &Program, conditions: &[Expr]) -> Self {
        let kinds = Kinds::of(program);
        let columns = Columns::of(program, &kinds, conditions);
        let order = arrange(columns.strands.len(), &groups(program, &kinds, &columns));
        let (top, is_below) = if has_arrays(program) {
            (Top::MostSignificant, selected(program, &kinds, &columns))
        } else {
            (Top::LeastSignificant, untested(program, &columns))
        };
        let mut order = woven(&order, &columns.strands, top);
        order.sort_by_key(|slot| is_below[*slot as usize]);
        Self { weaves: weaves(&columns), bits: columns.bits }.moved(&order)
    }

    /// Slots for all variables in the order in which they occur, for comparisons.
    pub(crate) fn as_they_occur(program: &Program) -> Self {
        let columns = Columns::of(program, &Kinds::of(program), &[]);
        Self { weaves: weaves(&columns), bits: columns.bits }
    }

    /// Number of slots.
    pub(crate) fn n_slots(&self) -> usize {
        self.weaves.len()
    }

    /// Puts slots into another order.
    pub(crate) fn moved(mut self, order: &[u32]) -> Self {
        let mut place = vec![0u32; order.len()];
        for (position, slot) in order.iter().enumerate() {
            place[*slot as usize] = position as u32;
        }
        self.weaves = order.iter().map(|slot| self.weaves[*slot as usize]).collect();
        self.bits.iter_mut().flatten().for_each(|slot| slot.0 = place[slot.0 as usize]);
        self
    }
}

fn weaves(columns: &Columns) -> Vec<Option<u32>> {
    columns.strands.iter().map(|strand| strand.map(|strand| strand.weave)).collect()
}

/// Which level of a weave is its top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Top {
    /// Numbers are compared and sorted from their most significant bits on. The carries of all bits of a sum are one chain
    /// of nodes then.
    MostSignificant,
    /// Carries run downwards: products and quotients are smaller, and so are the sets of programs that count.
    LeastSignificant,
}

/// Pulls weaves together, each to the mean of its places.
fn woven(order: &[u32], strands: &[Option<Strand>], top: Top) -> Vec<u32> {
    // One order is the other one turned round.
    let turned = if top == Top::MostSignificant { -1 } else { 1 };
    let (mut of_weave, mut of_column) = (FxHashMap::default(), FxHashMap::default());
    for (place, slot) in order.iter().enumerate() {
        if let Some(strand) = strands[*slot as usize] {
            of_weave.entry(strand.weave).or_insert_with(Mean::default).add(place);
            of_column.entry(strand.column).or_insert_with(Mean::default).add(place);
        }
    }
    let mut keyed: Vec<((i64, u32, i64, i64), u32)> = Vec::with_capacity(order.len());
    for (place, slot) in order.iter().enumerate() {
        let key = match strands[*slot as usize] {
            Some(Strand { weave, column, level }) => {
                // Columns are in the same order at every level; weaves at the same place are not mixed.
                (of_weave[&weave].value(), weave + 1, turned * level, turned * of_column[&column].value())
            }
            None => (Mean { sum: place as i64, n: 1 }.value(), 0, 0, 0),
        };
        keyed.push((key, *slot));
    }
    // Stable: columns at the same place stay in the order of their slots.
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, slot)| slot).collect()
}

/// A mean of places, in fixed point.
#[derive(Default)]
struct Mean {
    sum: i64,
    n: i64,
}

impl Mean {
    fn add(&mut self, place: usize) {
        self.sum += place as i64;
        self.n += 1;
    }

    fn value(&self) -> i64 {
        const SCALE: i64 = 1 << 20;
        self.sum * SCALE / self.n.max(1)
    }
}

fn has_arrays(program: &Program) -> bool {
    program.variables.iter().any(|variable| matches!(variable.sort, Sort::Array(..)))
}

/// By slot: whether it is selected and does not select, for any of its variables.
fn selected(program: &Program, kinds: &Kinds, columns: &Columns) -> Vec<bool> {
    let mut is_below = vec![true; columns.strands.len()];
    for (variable, n_above) in bits_above(program, kinds).iter_ids() {
        let above = columns.bits[variable].iter().take(*n_above as usize);
        above.for_each(|slot| is_below[slot.0 as usize] = false);
    }
    is_below
}

/// By slot: whether it is shared and no guard reads it, nor any slot of its weave.
fn untested(program: &Program, columns: &Columns) -> Vec<bool> {
    let mut is_below: Vec<bool> = (0..columns.strands.len()).map(|slot| slot < columns.n_shared as usize).collect();
    let mut read =
        |variable: VariableId| columns.bits[variable].iter().for_each(|slot| is_below[slot.0 as usize] = false);
    program.edges.iter().flat_map(relations).for_each(|relation| for_each_read(&relation.guard, &mut read));
    let slots = || columns.strands.iter().enumerate().filter_map(|(slot, strand)| Some((slot, (*strand)?.weave)));
    let mut tested: FxHashMap<u32, bool> = FxHashMap::default();
    for (slot, weave) in slots() {
        *tested.entry(weave).or_insert(false) |= !is_below[slot];
    }
    for (slot, weave) in slots() {
        is_below[slot] = !tested[&weave];
    }
    is_below
}

/// The groups of slots that occur together in an update, a guard or a constraint.
fn groups(program: &Program, kinds: &Kinds, columns: &Columns) -> Vec<Group> {
    let mut meetings =
        Meetings { program, kinds, bits: &columns.bits, weights: FxHashMap::default(), slots: Vec::new() };
    let mut variables: Vec<VariableId> = Vec::new();
    for relation in program.edges.iter().flat_map(relations) {
        for update in &relation.updates {
            variables.push(update.variable);
            if let Rhs::Expr(expr) = &update.value {
                for_each_read(expr, &mut |variable| variables.push(variable));
            }
            meetings.add(&variables);
            variables.clear();
        }
        for condition in [&relation.guard, &relation.constraint] {
            for_each_read(condition, &mut |variable| variables.push(variable));
            meetings.add(&variables);
            variables.clear();
        }
    }
    let mut groups: Vec<Group> = meetings.weights.into_iter().collect();
    groups.sort_unstable();
    groups
}

/// How often slots occur together.
struct Meetings<'a> {
    program: &'a Program,
    kinds: &'a Kinds,
    bits: &'a IdVec<VariableId, Vec<Slot>>,
    weights: FxHashMap<Vec<u32>, u64>,
    /// Room for the slots of some variables, by level.
    slots: Vec<(i64, u32)>,
}

impl Meetings<'_> {
    /// Counts each bit of some variables, and of the elements of arrays, with the bits of the others on the same level.
    fn add(&mut self, variables: &[VariableId]) {
        self.slots.clear();
        for variable in variables {
            let offset = self.kinds.of_variable(*variable).1;
            let n_levels = element_width(self.program, self.program.sort(*variable)).max(1);
            for element in self.bits[*variable].chunks(n_levels) {
                self.slots.extend(element.iter().zip(offset..).map(|(slot, level)| (level, slot.0)));
            }
        }
        self.slots.sort_unstable();
        self.slots.dedup();
        for level in self.slots.chunk_by(|one, other| one.0 == other.0).filter(|level| level.len() > 1) {
            let slots: Vec<u32> = level.iter().map(|(_, slot)| *slot).collect();
            *self.weights.entry(slots).or_insert(0) += 1;
        }
    }
}
