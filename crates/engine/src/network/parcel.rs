//! What goes from one diagram manager to another: the same values, with numbers in the place of diagrams.

use bdd::{Bdd, Dag, ImportError, Manager};

use super::turn::{Done, Successor};
use super::view::{Draft, Place, Row, Top, View, Waiting};
use crate::halt::Halt;

/// A value, and the diagrams that its numbers stand for.
#[derive(Clone, Debug)]
pub(super) struct Parcel<T> {
    pub(super) content: T,
    sets: Dag,
}

/// Collects diagrams.
#[derive(Default)]
pub(super) struct Packer(Vec<Bdd>);

impl Packer {
    pub(super) fn number(&mut self, set: &Bdd) -> u32 {
        self.0.push(set.clone());
        self.0.len() as u32 - 1
    }

    pub(super) fn pack<T>(self, content: T, manager: &Manager) -> Parcel<T> {
        Parcel { content, sets: manager.export(&self.0) }
    }
}

impl<T> Parcel<T> {
    /// The value with diagrams of a manager, as `with` puts them into it.
    pub(super) fn unpack<U>(
        &self,
        manager: &Manager,
        with: impl FnOnce(&T, &mut dyn FnMut(&u32) -> Bdd) -> U,
    ) -> Result<U, Halt> {
        let sets = manager.retrying(|| match manager.import(&self.sets) {
            Ok(sets) => Ok(sets),
            Err(ImportError::Stopped(stop)) => Err(stop),
            Err(error) => unreachable!("managers of one program have the same variables: {error}"),
        })?;
        Ok(with(&self.content, &mut |number| sets[*number as usize].clone()))
    }
}

/// The same value with other sets.
pub(super) trait Map<S, T> {
    type Mapped;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Self::Mapped;
}

impl<S, T> Map<S, T> for Top<S> {
    type Mapped = Top<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Top<T> {
        Top { location: self.location, below: self.below, set: set(&self.set) }
    }
}

impl<S, T> Map<S, T> for View<S> {
    type Mapped = View<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> View<T> {
        View { tops: self.tops.iter().map(|top| top.map(set)).collect() }
    }
}

impl<S, T> Map<S, T> for Place<S> {
    type Mapped = Place<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Place<T> {
        let mut waiting = |waiting: &Waiting<S>| Waiting { call: waiting.call, to: waiting.to, set: set(&waiting.set) };
        Place { entry: self.entry, waiting: self.waiting.iter().map(&mut waiting).collect() }
    }
}

impl<S, T> Map<S, T> for Draft<S> {
    type Mapped = Draft<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Draft<T> {
        let old = self.old.iter().map(|top| top.map(set)).collect();
        Draft { old, new: self.new.iter().map(|(location, at, new)| (*location, *at, set(new))).collect() }
    }
}

impl<S, T> Map<S, T> for Successor<S> {
    type Mapped = Successor<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Successor<T> {
        let mut tops = |tops: &Vec<Top<S>>| tops.iter().map(|top| top.map(set)).collect();
        let others = self.others.iter().map(|view| view.as_ref().map(&mut tops)).collect();
        Successor { layer: self.layer, own: self.own.map(set), others, shared: set(&self.shared) }
    }
}

impl<S, T> Map<S, T> for Done<S> {
    type Mapped = Done<T>;

    fn map(&self, set: &mut dyn FnMut(&S) -> T) -> Done<T> {
        let mut row = |(entry, frames): &Row<S>| -> Row<T> {
            (*entry, frames.iter().map(|(call, to, frame)| (*call, *to, set(frame))).collect())
        };
        let layers = self.layers.iter().map(|rows| rows.iter().map(&mut row).collect()).collect();
        let successors = self.successors.as_ref().map(|some| some.iter().map(|successor| successor.map(set)).collect());
        Done { reached: self.reached.clone(), layers, halt: self.halt, successors }
    }
}
