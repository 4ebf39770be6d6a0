//! Cycles that are ruled out without looking at arrays.
//!
//! Most loops over an array come to an end because of what counts their rounds, whatever the elements are. With the arrays
//! forgotten, in the heads and in the edges, there are more edges between fewer heads; where even these have no cycle, the
//! graph of heads has none.

use bdd::{Bdd, Cube};
use encode::{Copy, Image};
use program::{LocationId, Sort, VariableId};

use super::heads::Heads;
use crate::halt::Halt;

/// Rounds in which heads without predecessors are taken away: a loop that counts further is left to the exact search.
const MOST_ROUNDS: usize = 32;

/// Whether a component has no cycle, as can be seen without arrays. False says nothing.
pub(super) fn is_acyclic(heads: &Heads<'_, '_>, component: &[LocationId]) -> Result<bool, Halt> {
    let encoding = &heads.problem.encoding;
    let is_array = |variable: &VariableId| matches!(encoding.program().sort(*variable), Sort::Array(..));
    let arrays: Vec<VariableId> = encoding.program().variables.ids().filter(is_array).collect();
    if arrays.is_empty() {
        return Ok(false);
    }
    let [current, next] = [Copy::Current, Copy::Next].map(|copy| encoding.copies(arrays.iter().copied(), copy));
    let both = encoding.manager().cube(&[current.as_slice(), &next].concat());
    let mut sets = Vec::new();
    for location in component {
        let procedure = encoding.program().locations[*location].procedure;
        let entry = encoding.copies(encoding.entry_copied(procedure), Copy::Entry);
        let forgotten = encoding.manager().cube(&[entry, current.clone()].concat());
        sets.push(heads.path_edges[*location].exists(&forgotten)?);
    }
    let edges = rough_edges(heads, component, &both)?;
    for _ in 0..MOST_ROUNDS {
        heads.problem.context.budget.step()?;
        let kept = with_predecessors(heads, &sets, &edges)?;
        if kept.iter().all(Bdd::is_false) {
            return Ok(true);
        }
        if kept == sets {
            return Ok(false);
        }
        sets = kept;
    }
    Ok(false)
}

/// An edge inside a component: the places of its ends in it, and what taking it does to everything but arrays.
type RoughEdge = (usize, usize, Image);

fn rough_edges(heads: &Heads<'_, '_>, component: &[LocationId], arrays: &Cube) -> Result<Vec<RoughEdge>, Halt> {
    let mut edges = Vec::new();
    for (from, location) in component.iter().enumerate() {
        for edge in heads.outgoing[*location].iter().map(|edge| &heads.edges[*edge as usize]) {
            if let Ok(to) = component.binary_search(&edge.target) {
                let image = heads.image(edge)?;
                edges.push((from, to, image.with_relation(image.relation.exists(arrays)?)));
            }
        }
    }
    Ok(edges)
}

/// What of some sets an edge leads to from them.
fn with_predecessors(heads: &Heads<'_, '_>, sets: &[Bdd], edges: &[RoughEdge]) -> Result<Vec<Bdd>, Halt> {
    let mut reached = vec![heads.problem.encoding.manager().bdd_false(); sets.len()];
    for (from, to, image) in edges {
        reached[*to] = reached[*to].or(&image.apply(&sets[*from])?.and(&sets[*to])?)?;
    }
    Ok(reached)
}
