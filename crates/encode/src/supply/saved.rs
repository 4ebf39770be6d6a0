//! What a call leaves in its caller's frame while the callee runs, where it sets that on entering.
//!
//! A state of a formula has one frame, but such a call has two: the one that it reads, and the one that its caller goes
//! on with. So the bits that some call sets in the saved frame have a second place in `Local`. There they are 0, except
//! at the point of such a call ([`Point::Calling`]), where they are what is saved: choosing the call also chooses them,
//! entering it agrees with them, and leaving it reads them.

use base::IdVec;
use program::{Call, Choice, EdgeId, EdgeKind, Program, VariableId, When};
use rustc_hash::FxHashMap;

use super::{Supply, events::State};
use crate::slots::Slot;

/// The second places: for each slot that has one.
#[derive(Debug, Default)]
pub(super) struct SavedSlots {
    second: FxHashMap<Slot, Slot>,
}

impl SavedSlots {
    /// Makes room in an arrangement: second places come right above the first.
    pub(super) fn insert(program: &Program, arranged: &mut IdVec<VariableId, Vec<Slot>>) -> Self {
        let calls = program.edges.iter().filter_map(|edge| match &edge.kind {
            EdgeKind::Call(call) => Some(call),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
        });
        let mut slots: Vec<Slot> = calls.flat_map(|call| saved(call)).flat_map(|id| arranged[id].clone()).collect();
        slots.sort_unstable();
        slots.dedup();
        let moved = |slot: Slot| Slot(slot.0 + slots.partition_point(|saved| *saved <= slot) as u32);
        arranged.iter_mut().flatten().for_each(|slot| *slot = moved(*slot));
        let second = slots.iter().map(|slot| (moved(*slot), Slot(moved(*slot).0 - 1)));
        Self { second: second.collect() }
    }

    /// The second place of a slot; the first, if it has no other.
    pub(super) fn of(&self, slot: Slot) -> Slot {
        self.second.get(&slot).copied().unwrap_or(slot)
    }
}

/// The variables of the caller's frame that a call sets on entering, in order.
pub(super) fn saved(call: &Call) -> Vec<VariableId> {
    let updates = call.enter.updates.iter().filter(|update| update.when == When::Saved);
    let mut variables: Vec<VariableId> = updates.map(|update| update.variable).collect();
    variables.sort_unstable();
    variables.dedup();
    variables
}

impl Supply<'_> {
    /// What a call leaves in its caller's frame, where it sets that on entering: in the state in which it is made.
    #[must_use]
    pub fn saved(&self, state: &State, edge: EdgeId) -> Vec<Choice> {
        let EdgeKind::Call(call) = &self.program.edges[edge].kind else { return Vec::new() };
        let choice = |variable: VariableId| {
            let places = self.arranged[variable].iter().map(|slot| self.place[self.saved.of(*slot).0 as usize].1);
            let bits: Vec<bool> = places.map(|place| state.local.get(place)).collect();
            let value = self.program.sort(variable).value_of_bits(self.program, &bits)?;
            Some(Choice { variable, when: When::Saved, value })
        };
        saved(call).into_iter().filter_map(choice).collect()
    }
}
