//! Steps from a location to itself, any number of times at once.
//!
//! A loop that counts to n takes n steps backwards through it; its transitive closure takes one. The closure is found by
//! squaring, over the variables that the step changes: what it leaves alone needs no second copy.

use bdd::{Bdd, Var};
use encode::{Copy, Image};

use super::heads::{HeadEdge, Heads};
use crate::evidence::rings::Move;
use crate::halt::Halt;

/// A closure that becomes larger than this is given up: the loop is then walked step by step.
const MOST_NODES: usize = 1 << 16;

/// The edge, one or more times, as an image; none: it does not lead back to its own location in the same frame, or its
/// closure is too large.
pub(super) fn any_number(heads: &Heads<'_, '_>, edge: &HeadEdge) -> Result<Option<Image>, Halt> {
    if edge.source != edge.target || matches!(edge.moved, Move::Enter(_)) {
        return Ok(None);
    }
    let (encoding, image) = (&heads.problem.encoding, heads.image(edge)?);
    let (manager, slots) = (encoding.manager(), encoding.slots());
    let pairs: Vec<(Var, Var)> = image.rename.as_ref().map_or_else(Vec::new, |rename| rename.pairs().to_vec());
    let [next, now]: [Vec<Var>; 2] =
        [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
    let moves = |vars: &[Var], to: Copy| -> Vec<(Var, Var)> {
        vars.iter().filter_map(|var| Some((*var, slots.sibling(*var, to)?))).collect()
    };
    // The first application ends in the middle, the second one begins there and ends in saved copies for a while.
    let first = manager.renaming(&moves(&next, Copy::Exit));
    let second = manager.renaming(&[moves(&now, Copy::Exit), moves(&next, Copy::Saved)].concat());
    let middle: Vec<Var> = moves(&now, Copy::Exit).into_iter().map(|(_, to)| to).collect();
    let back: Vec<(Var, Var)> = moves(&next, Copy::Saved).into_iter().map(|(from, to)| (to, from)).collect();
    let (middle, back) = (manager.cube(&middle), manager.renaming(&back));
    let mut relation: Bdd = image.relation.and(&heads.set(edge.source)?)?;
    loop {
        heads.problem.context.budget.step()?;
        let twice = relation.rename(&first)?.and_exists_rename(&relation.rename(&second)?, &middle, &back)?;
        let more = relation.or(&twice)?;
        if more == relation {
            return Ok(Some(image.with_relation(relation)));
        }
        if more.node_count() > MOST_NODES {
            return Ok(None);
        }
        relation = more;
    }
}
