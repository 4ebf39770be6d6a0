//! One run of a hull: a cycle with a mark, and a shortest way from the start to it.

use base::IdVec;
use bdd::Bdd;
use program::{Lasso, LocationId};

use super::heads::{Heads, Sets};
use super::hull::Found;
use super::route::{self, End, Rings};
use crate::evidence::rings::{Leg, Table, Way};
use crate::evidence::trace::Writer;
use crate::halt::Halt;

/// Writes a run down: something was found, and all of it is reachable.
pub(super) fn write(heads: &Heads<'_, '_>, found: &Found) -> Result<Lasso, Halt> {
    let (first, cycle) = cycle(heads, found)?;
    let target: Sets = vec![(first.0, point(heads, &first)?)];
    let start = heads.start()?.unwrap_or_else(|| unreachable!("a program with heads has a start"));
    let way = route::between(heads, &heads.all_sets()?, start, &target)?;
    let (begin, mut legs, _) = way.unwrap_or_else(|| unreachable!("every head of the hull is reachable"));
    let loop_start = legs.len();
    legs.extend(cycle);
    let mut table = Table::new(heads.problem.task.program);
    let trace = Writer::new(heads.problem, &mut table).write(&Way { first: begin, legs })?;
    Ok(Lasso { trace, loop_start })
}

fn point(heads: &Heads<'_, '_>, (_, state): &End) -> Result<Bdd, Halt> {
    Ok(heads.problem.encoding.manager().conjunction(state)?)
}

/// A head, and a cycle of moves from it to itself with a mark.
///
/// From any state that was found: what it reaches, and what of that reaches it back. With a mark among these there is a
/// cycle; otherwise go on from a state that does not come back. Components are left for good, so this ends.
fn cycle(heads: &Heads<'_, '_>, found: &Found) -> Result<(End, Vec<Leg>), Halt> {
    let mut within = heads.no_sets();
    found.within.iter().for_each(|(location, set)| within[*location] = set.clone());
    let mut at = first_state(heads, &found.first);
    loop {
        let mut rings = Rings::new(heads, &within, at.0, point(heads, &at)?);
        while rings.advance()? {}
        let back = coming_back(heads, &rings.all, &at)?;
        if let Some(cycle) = marked_cycle(heads, &back, &at)? {
            return Ok((at, cycle));
        }
        let (farthest, reached) = (rings.farthest(), rings.all);
        let mut rest: Sets = Vec::new();
        for location in heads.outgoing.ids() {
            within[location] = reached[location].diff(&back[location])?;
            if !within[location].is_false() {
                rest.push((location, within[location].clone()));
            }
        }
        at = match farthest.filter(|end| contains(&within[end.0], end)) {
            Some(end) => end,
            None => first_state(heads, &rest),
        };
    }
}

fn contains(set: &Bdd, (_, state): &End) -> bool {
    set.eval(&|var| state.binary_search_by_key(&var, |(var, _)| *var).is_ok_and(|at| state[at].1))
}

fn first_state(heads: &Heads<'_, '_>, sets: &Sets) -> End {
    let encoding = &heads.problem.encoding;
    let pick = |(location, set): &(LocationId, Bdd)| {
        let procedure = encoding.program().locations[*location].procedure;
        crate::state::pick(encoding, procedure, set).map(|state| (*location, state))
    };
    sets.iter().find_map(pick).unwrap_or_else(|| unreachable!("a hull that is not empty holds a cycle with a mark"))
}

/// The states of some sets that reach a state inside them.
fn coming_back(
    heads: &Heads<'_, '_>,
    within: &IdVec<LocationId, Bdd>,
    end: &End,
) -> Result<IdVec<LocationId, Bdd>, Halt> {
    let mut back = heads.no_sets();
    back[end.0] = point(heads, end)?;
    let mut waiting = vec![(end.0, back[end.0].clone())];
    while let Some((location, new)) = waiting.pop() {
        heads.problem.context.budget.step()?;
        for edge in &heads.incoming[location] {
            let edge = &heads.edges[*edge as usize];
            let before = heads.before(edge, &new)?.and(&within[edge.source])?.diff(&back[edge.source])?;
            if !before.is_false() {
                back[edge.source] = back[edge.source].or(&before)?;
                waiting.push((edge.source, before));
            }
        }
    }
    Ok(back)
}

/// A cycle from a state to itself, inside sets all of whose states reach each other, over an edge with a mark.
fn marked_cycle(heads: &Heads<'_, '_>, within: &IdVec<LocationId, Bdd>, at: &End) -> Result<Option<Vec<Leg>>, Halt> {
    let home: Sets = vec![(at.0, point(heads, at)?)];
    for edge in &heads.edges {
        if within[edge.source].is_false() || within[edge.target].is_false() {
            continue;
        }
        let into = heads.marked(edge, &within[edge.target])?;
        let sources = heads.before(edge, &into)?.and(&within[edge.source])?;
        if sources.is_false() {
            continue;
        }
        let there = route::between(heads, within, (at.0, home[0].1.clone()), &vec![(edge.source, sources)])?;
        let Some((_, mut legs, from)) = there else { continue };
        let after = heads.image(edge)?.apply(&point(heads, &from)?)?.and(&into)?;
        let procedure = heads.problem.task.program.locations[edge.target].procedure;
        let Some(state) = crate::state::pick(&heads.problem.encoding, procedure, &after) else { continue };
        legs.push(Leg { moved: edge.moved, state: state.clone() });
        let next = (edge.target, state);
        let Some((_, rest, _)) = route::between(heads, within, (next.0, point(heads, &next)?), &home)? else {
            continue;
        };
        legs.extend(rest);
        return Ok(Some(legs));
    }
    Ok(None)
}
