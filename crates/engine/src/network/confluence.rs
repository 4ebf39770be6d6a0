//! Which shared values must not be mixed up: confluence.
//!
//! Two values with which a context may begin are *confluent* if the thread can turn both into the same value
//! (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008, definition 2). If a part of the values has no confluent pair, its
//! outcome is a view tuple again: the value now tells which one it was at the beginning, and so what the other threads
//! may be doing.
//!
//! More can be left together. What a value at the beginning and one now allow is a product: of what each of the other
//! threads may be doing, and of the stacks of the running one. Products that differ in one factor only make up a product
//! together; and if any two of several products differ in one factor only, it is the same factor for all. So a pair
//! *conflicts* only if it is confluent and two factors differ.

use std::collections::BTreeMap;

use bdd::Bdd;
use program::LocationId;

use super::context::Ended;
use super::layer::Reach;
use super::space::Space;
use super::view::View;
use crate::halt::Halt;

/// The pairs of shared values (in the origin and the saved copies) that conflict, given the effect of a context and the
/// views of the threads that were not active.
pub(super) fn conflicts(space: &Space<'_, '_>, ended: &Ended, effect: &Bdd, others: &[&View]) -> Result<Bdd, Halt> {
    let second = effect.rename(&space.origin_to_saved)?;
    let same = effect.and_exists(&second, &space.forget_current)?;
    let confluent = same.and(&space.distinct)?;
    if confluent.is_false() {
        return Ok(confluent);
    }
    let (mut once, mut twice) = (space.nothing(), space.nothing());
    for view in others {
        let differing = differing_in(space, view, &confluent)?;
        twice = twice.or(&once.and(&differing)?)?;
        once = once.or(&differing)?;
    }
    let once = once.diff(&twice)?;
    if once.is_false() {
        return Ok(twice);
    }
    let meeting = effect.and(&once)?.and(&second)?;
    Ok(twice.or(&differing_after(space, ended, &meeting)?)?)
}

/// The pairs of shared values, among some, with which a thread may be doing different things.
fn differing_in(space: &Space<'_, '_>, view: &View, among: &Bdd) -> Result<Bdd, Halt> {
    let mut differing = space.nothing();
    for top in &view.tops {
        let (first, second) = (top.set.rename(&space.current_to_origin)?, top.set.rename(&space.current_to_saved)?);
        differing = differing.or(&first.xor(&second)?.and_exists(among, &space.forget_all)?)?;
    }
    Ok(differing)
}

/// The pairs of shared values that leave the running thread with different stacks, where both become the same value;
/// `meeting` says which pairs become which values.
fn differing_after(space: &Space<'_, '_>, ended: &Ended, meeting: &Bdd) -> Result<Bdd, Halt> {
    let mut differing = space.nothing();
    for top in &ended.old {
        let differ = top.set.xor(&top.set.rename(&space.origin_to_saved)?)?;
        differing = differing.or(&differ.and_exists(meeting, &space.forget_all)?)?;
    }
    let below = differing_below(space, ended)?;
    for (_, entry, set) in &ended.new {
        if let Some(below) = below.get(entry) {
            differing = differing.or(&set.and(below)?.and_exists(meeting, &space.forget_all)?)?;
        }
    }
    Ok(differing)
}

/// By entry of a procedure: with which data, and for which pairs of shared values, what is below it differs.
fn differing_below(space: &Space<'_, '_>, ended: &Ended) -> Result<Reach, Halt> {
    let mut all = Reach::new();
    let mut fresh: BTreeMap<LocationId, Bdd> = BTreeMap::new();
    let enlarge = |entry: LocationId, more: &Bdd, all: &mut Reach, fresh: &mut BTreeMap<LocationId, Bdd>| {
        let known = all.entry(entry).or_insert_with(|| space.nothing());
        let new = more.diff(known)?;
        if !new.is_false() {
            *known = known.or(&new)?;
            let waiting = fresh.entry(entry).or_insert_with(|| space.nothing());
            *waiting = waiting.or(&new)?;
        }
        Ok::<(), Halt>(())
    };
    for (entry, _, _, set) in &ended.crossing {
        let differ = set.xor(&set.rename(&space.origin_to_saved)?)?;
        enlarge(*entry, &space.transfers.sources(&differ, &space.everything())?, &mut all, &mut fresh)?;
    }
    while let Some((caller, new)) = fresh.pop_first() {
        for (entry, _, _, set) in ended.inner.iter().filter(|frame| frame.2 == caller) {
            enlarge(*entry, &space.transfers.sources(set, &new)?, &mut all, &mut fresh)?;
        }
    }
    Ok(all)
}
