//! What a thread has pushed in one context: a layer of its stack.
//!
//! The data of a state connects what is above it with what is below. Data that makes no difference to what is below is
//! forgotten, so that stacks that are the same look the same however they came about.

use std::collections::BTreeMap;

use bdd::Bdd;
use encode::Copy;
use program::{EdgeId, LocationId, VariableId};

use super::space::Space;
use super::view::{Row, To};
use crate::halt::Halt;
use crate::saturation::automaton::State;

/// By entry of a procedure: the data with which it was entered in this context, and how the context began.
pub(super) type Reach = BTreeMap<LocationId, Bdd>;

/// A layer before it has numbers.
#[derive(Default)]
pub(super) struct Layer {
    /// Location, entry of the procedure, set.
    pub(super) tops: Vec<(LocationId, LocationId, Bdd)>,
    /// By entry of the procedure: the frames below it.
    pub(super) frames: BTreeMap<LocationId, Vec<(EdgeId, State, Bdd)>>,
}

/// By entry of a procedure: data of the state below it.
type Data = BTreeMap<LocationId, Vec<VariableId>>;

impl Layer {
    /// Forgets all data that makes no difference to what is below.
    pub(super) fn simplify(&mut self, space: &Space<'_, '_>, mut reach: Reach) -> Result<(), Halt> {
        let of = |entry: &LocationId| -> Vec<VariableId> {
            space.transfers.entered(space.program().locations[*entry].procedure).collect()
        };
        let all: Data = self.frames.keys().map(|entry| (*entry, of(entry))).collect();
        let forgotten = self.forget(space, all.clone(), &mut reach)?;
        let left = all.into_iter().filter(|(entry, _)| !forgotten.contains_key(entry));
        let left: Data = left.filter(|(_, variables)| variables.len() > 1).collect();
        let mut variables: Vec<VariableId> = left.values().flatten().copied().collect();
        variables.sort_unstable();
        variables.dedup();
        // What makes no difference is often much, so halves are tried as a whole before their halves are.
        let half = variables.len().div_ceil(2);
        let mut open: Vec<&[VariableId]> = variables.chunks(half.max(1)).rev().collect();
        while let Some(some) = open.pop() {
            let of = |all: &[VariableId]| all.iter().filter(|variable| some.contains(variable)).copied().collect();
            let data: Data = left.iter().map(|(entry, all)| (*entry, of(all))).collect();
            let wanted: Data = data.into_iter().filter(|(_, variables)| !variables.is_empty()).collect();
            let n_wanted = wanted.len();
            let forgotten = self.forget(space, wanted, &mut reach)?;
            if forgotten.len() < n_wanted && some.len() > 1 {
                let (first, second) = some.split_at(some.len() / 2);
                open.extend([second, first]);
            }
        }
        Ok(())
    }

    /// Forgets those of some data that make no difference: if two states differ in it, the frames below them are the same
    /// and lead to states that differ in such data at most. Says what was forgotten.
    fn forget(&mut self, space: &Space<'_, '_>, mut data: Data, reach: &mut Reach) -> Result<Data, Halt> {
        let encoding = space.encoding();
        let cube =
            |variables: &[VariableId], copy| encoding.manager().cube(&encoding.copies(variables.iter().copied(), copy));
        loop {
            let mut merged = self.frames.clone();
            for (_, below, set) in merged.values_mut().flatten() {
                if let State::Entered(entry) = below
                    && let Some(variables) = data.get(entry)
                {
                    *set = set.exists(&cube(variables, Copy::Entry))?;
                }
            }
            let mut failing = Vec::new();
            for (entry, variables) in &data {
                let (reached, below) = (space.transfers.to_source(&reach[entry])?, cube(variables, Copy::Next));
                for (_, _, set) in merged.get_mut(entry).into_iter().flatten() {
                    let wider = set.exists(&below)?;
                    if !wider.and(&reached)?.leq(set)? {
                        failing.push(*entry);
                        break;
                    }
                    *set = wider;
                }
            }
            if failing.is_empty() {
                self.frames = merged;
                break;
            }
            failing.iter().for_each(|entry| drop(data.remove(entry)));
        }
        for (_, entry, set) in &mut self.tops {
            if let Some(variables) = data.get(entry) {
                *set = set.exists(&cube(variables, Copy::Entry))?;
            }
        }
        for (entry, variables) in &data {
            if let Some(known) = reach.get_mut(entry) {
                *known = known.exists(&cube(variables, Copy::Entry))?;
            }
        }
        Ok(data)
    }

    /// The states of the layer in the order of their entries, and the tops by position.
    pub(super) fn finish(self) -> (Vec<Row>, Vec<(LocationId, u32, Bdd)>) {
        let position: BTreeMap<LocationId, u32> = self.frames.keys().copied().zip(0..).collect();
        let to = |state: State| match state {
            State::Entered(entry) => To::Own(position[&entry]),
            State::Given(state) => To::Old(state),
            State::Returned(_) => unreachable!("contexts run forwards"),
        };
        let row = |(entry, frames): (LocationId, Vec<(EdgeId, State, Bdd)>)| -> Row {
            (entry, frames.into_iter().map(|(call, below, set)| (call, to(below), set)).collect())
        };
        let rows = self.frames.into_iter().map(row).collect();
        let tops = self.tops.into_iter().map(|(location, entry, set)| (location, position[&entry], set));
        (rows, tops.collect())
    }
}
