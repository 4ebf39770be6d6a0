//! Safe partitions: sets of shared values without conflicts.
//!
//! Algorithm 2 of the jMoped paper. A partition into as few parts as possible is hard to find, so parts are made
//! greedily: start with all that do not conflict with one value, and of every pair that conflicts drop the smaller one
//! until none is left. Then go on with what conflicts with nothing in the part, so that nothing could be added to it.

use bdd::Bdd;

use super::space::Space;
use crate::Context;
use crate::halt::Halt;

/// Divides shared values (in the origin copies) into parts without conflicts.
pub(super) fn safe(
    space: &Space<'_, '_>,
    values: &Bdd,
    conflicts: &Bdd,
    context: &Context<'_>,
) -> Result<Vec<Bdd>, Halt> {
    if values.is_false() {
        return Ok(Vec::new());
    }
    if conflicts.is_false() {
        return Ok(vec![values.clone()]);
    }
    let mut left = values.clone();
    let mut parts = Vec::new();
    while !left.is_false() {
        let part = largest(space, &left, conflicts, context)?;
        left = left.diff(&part)?;
        parts.push(part);
    }
    Ok(parts)
}

/// A part of some values without conflicts, to which none of the others could be added.
fn largest(space: &Space<'_, '_>, values: &Bdd, conflicts: &Bdd, context: &Context<'_>) -> Result<Bdd, Halt> {
    let ordered = conflicts.and(&space.before)?;
    let against = |part: &Bdd| conflicts.and_exists(&part.rename(&space.origin_to_saved)?, &space.forget_saved);
    let mut part = space.nothing();
    let mut candidates = values.clone();
    while let Some(first) = candidates.pick_total(&space.origin) {
        let first = space.encoding().manager().conjunction(&first)?;
        let mut more = candidates.diff(&against(&first)?)?;
        loop {
            context.budget.check()?;
            let others = more.rename(&space.origin_to_saved)?;
            let smaller = ordered.and(&more)?.and_exists(&others, &space.forget_saved)?;
            if smaller.is_false() {
                break;
            }
            more = more.diff(&smaller)?;
        }
        part = part.or(&more)?;
        candidates = candidates.diff(&more)?.diff(&against(&more)?)?;
    }
    Ok(part)
}

/// All shared values (in the current copies) one by one.
pub(super) fn singletons(space: &Space<'_, '_>, values: &Bdd, context: &Context<'_>) -> Result<Vec<Bdd>, Halt> {
    let mut left = values.clone();
    let mut parts = Vec::new();
    while let Some(value) = left.pick_total(&space.current) {
        context.budget.check()?;
        let value = space.encoding().manager().conjunction(&value)?;
        left = left.diff(&value)?;
        parts.push(value);
    }
    Ok(parts)
}
