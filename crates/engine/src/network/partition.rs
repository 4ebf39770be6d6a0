//! Safe partitions: sets of shared values without conflicts.
//!
//! Algorithm 2 of the jMoped paper. A partition into as few parts as possible is hard to find, so each part is made
//! greedily: start with all that do not conflict with one value, and of every pair that conflicts drop the smaller one
//! until none is left.

use bdd::Bdd;

use super::space::Space;
use crate::Context;
use crate::summary::Halt;

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
    let ordered = conflicts.and(&space.before)?;
    let mut left = values.clone();
    let mut parts = Vec::new();
    while let Some(first) = left.pick_total(&space.origin) {
        let first = space.encoding().manager().conjunction(&first)?.rename(&space.origin_to_saved)?;
        let mut part = left.diff(&conflicts.and_exists(&first, &space.forget_saved)?)?;
        loop {
            context.budget.check()?;
            let others = part.rename(&space.origin_to_saved)?;
            let smaller = ordered.and(&part)?.and_exists(&others, &space.forget_saved)?;
            if smaller.is_false() {
                break;
            }
            part = part.diff(&smaller)?;
        }
        left = left.diff(&part)?;
        parts.push(part);
    }
    Ok(parts)
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
