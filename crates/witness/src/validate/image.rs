//! Images by early quantification.
//!
//! The states after an edge are the projection of a conjunction I(l) /\ P1 /\ ... /\ Pk to the bits that the condition to be
//! checked speaks of. A bit of which neither that condition nor Pi+1, ..., Pk speak is projected away as soon as Pi is
//! conjoined (Burch, Clarke, Long 1991). The sets stay near to those of the certificate in size: old and new values of an
//! array, say, never meet in full. The parts are not joined to one relation first, because that may be large where its
//! conjunction with the set is small: `z' = x << 32` alone has 2^32 nodes if the bits of x and z alternate.

use bdd::{Bdd, Manager, Var};

use super::Trouble;

/// A conjunct, and the bits of which it may speak.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) bdd: Bdd,
    pub(super) vars: Vec<Var>,
}

/// A projected conjunction. `kept` is ascending; the set's own bits are `vars`.
pub(super) fn image(manager: &Manager, set: &Bdd, vars: &[Var], parts: &[Part], kept: &[Var]) -> Result<Bdd, Trouble> {
    let mut ends = last_uses(vars, parts, kept);
    let mut image = set.clone();
    let mut done = take_until(&mut ends, 0);
    if !done.is_empty() && parts.is_empty() {
        return Ok(image.exists(&manager.cube(&done))?);
    }
    for (at, part) in (1..).zip(parts) {
        done.extend(take_until(&mut ends, at));
        image = if done.is_empty() {
            image.and(&part.bdd)?
        } else {
            image.and_exists(&part.bdd, &manager.cube(&std::mem::take(&mut done)))?
        };
        if image.is_false() {
            break;
        }
    }
    Ok(image)
}

/// For every bit that is not kept the last part that speaks of it, latest first; 0 is the set itself.
fn last_uses(vars: &[Var], parts: &[Part], kept: &[Var]) -> Vec<(u32, Var)> {
    let of_set = vars.iter().map(|var| (*var, 0));
    let of_parts = (1..).zip(parts).flat_map(|(at, part)| part.vars.iter().map(move |var| (*var, at)));
    let mut uses: Vec<(Var, u32)> = of_set.chain(of_parts).collect();
    uses.sort_unstable_by(|a, b| b.cmp(a));
    uses.dedup_by_key(|(var, _)| *var);
    uses.retain(|(var, _)| kept.binary_search(var).is_err());
    let mut ends: Vec<(u32, Var)> = uses.into_iter().map(|(var, at)| (at, var)).collect();
    ends.sort_unstable_by(|a, b| b.cmp(a));
    ends
}

/// Takes the bits off that nothing after a part speaks of.
fn take_until(ends: &mut Vec<(u32, Var)>, at: u32) -> Vec<Var> {
    let first = ends.partition_point(|(end, _)| *end > at);
    ends.split_off(first).into_iter().map(|(_, var)| var).collect()
}
