//! Which shared values must not be mixed up: confluence.
//!
//! Two values with which a context may begin are *confluent* if the thread can turn both into the same value
//! (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008, definition 2). If a part of the values has no confluent pair, its
//! outcome is a view tuple again: the value now tells which one it was at the beginning, and so what the other threads
//! may be doing. That also holds for confluent values with which all other threads may be doing the same, so only
//! those pairs conflict for which some other thread's view differs.

use bdd::Bdd;

use super::space::Space;
use super::view::View;
use crate::summary::Halt;

/// The pairs of shared values (in the origin and the saved copies) that conflict, given the effect of a context and the
/// views of the threads that were not active.
pub(super) fn conflicts<'v>(
    space: &Space<'_, '_>,
    effect: &Bdd,
    others: impl Iterator<Item = &'v View>,
) -> Result<Bdd, Halt> {
    let second = effect.rename(&space.origin_to_saved)?;
    let same = effect.and_exists(&second, &space.forget_current)?;
    let distinct = space.before.or(&space.after)?;
    let confluent = same.and(&distinct)?;
    if confluent.is_false() {
        return Ok(confluent);
    }
    let mut differing = space.nothing();
    for view in others {
        differing = differing.or(&differing_in(space, view, &confluent)?)?;
    }
    Ok(confluent.and(&differing)?)
}

/// The pairs of shared values, among some, with which a thread may be doing different things.
fn differing_in(space: &Space<'_, '_>, view: &View, among: &Bdd) -> Result<Bdd, Halt> {
    let mut differing = space.nothing();
    for top in &view.tops {
        let (first, second) = (top.set.rename(&space.current_to_origin)?, top.set.rename(&space.current_to_saved)?);
        // One side is enough: the conflict of a pair is that of the pair the other way round.
        let differ = first.diff(&second)?.and_exists(among, &space.forget_all)?;
        differing = differing.or(&differ)?;
    }
    let turned = turn(space, &differing)?;
    Ok(differing.or(&turned)?)
}

/// Pairs the other way round.
fn turn(space: &Space<'_, '_>, pairs: &Bdd) -> Result<Bdd, Halt> {
    Ok(pairs.rename(&space.origin_and_saved)?)
}
