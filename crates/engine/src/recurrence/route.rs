//! Shortest ways in the graph of heads.

use base::IdVec;
use bdd::Bdd;
use program::LocationId;

use super::heads::{Heads, Sets};
use crate::evidence::rings::Leg;
use crate::halt::Halt;
use crate::state::{self, State};

/// Everything that is reached from some states at a location.
pub(super) fn reach(heads: &Heads<'_, '_>, location: LocationId, states: &Bdd) -> Result<IdVec<LocationId, Bdd>, Halt> {
    let within = heads.all_sets()?;
    let mut rings = Rings::new(heads, &within, location, states.clone());
    while rings.advance()? {}
    Ok(rings.all)
}

/// States by their distance from a start, inside some sets.
pub(super) struct Rings<'h, 's, 'a> {
    heads: &'h Heads<'s, 'a>,
    within: &'h IdVec<LocationId, Bdd>,
    pub(super) all: IdVec<LocationId, Bdd>,
    /// By distance: the new states, in ascending order of locations.
    rings: Vec<Sets>,
}

/// Where a way ends: the location, and the state there.
pub(super) type End = (LocationId, State);

impl<'h, 's, 'a> Rings<'h, 's, 'a> {
    pub(super) fn new(
        heads: &'h Heads<'s, 'a>,
        within: &'h IdVec<LocationId, Bdd>,
        start: LocationId,
        states: Bdd,
    ) -> Self {
        let mut all = heads.no_sets();
        all[start] = states.clone();
        Self { heads, within, all, rings: vec![vec![(start, states)]] }
    }

    /// Adds the next ring; whether it has states.
    pub(super) fn advance(&mut self) -> Result<bool, Halt> {
        self.heads.problem.context.budget.check()?;
        let last = self.rings.last().cloned().unwrap_or_default();
        let mut next: Vec<(LocationId, Bdd)> = Vec::new();
        for (location, states) in &last {
            for edge in &self.heads.outgoing[*location] {
                let edge = &self.heads.edges[*edge as usize];
                if self.within[edge.target].is_false() {
                    continue;
                }
                let after = self.heads.after(edge, states)?.and(&self.within[edge.target])?;
                let new = after.diff(&self.all[edge.target])?;
                if new.is_false() {
                    continue;
                }
                self.all[edge.target] = self.all[edge.target].or(&new)?;
                match next.iter_mut().find(|(location, _)| *location == edge.target) {
                    Some((_, others)) => *others = others.or(&new)?,
                    None => next.push((edge.target, new)),
                }
            }
        }
        next.sort_by_key(|(location, _)| *location);
        let grew = !next.is_empty();
        self.rings.push(next);
        Ok(grew)
    }

    /// A state of the last ring that is in some sets.
    pub(super) fn arrived(&self, sets: &Sets) -> Result<Option<End>, Halt> {
        let ring = self.rings.last().map_or(&[][..], Vec::as_slice);
        for (location, set) in sets {
            let Ok(at) = ring.binary_search_by_key(location, |(location, _)| *location) else { continue };
            let common = ring[at].1.and(set)?;
            if let Some(state) = self.pick(*location, &common) {
                return Ok(Some((*location, state)));
            }
        }
        Ok(None)
    }

    /// Some state of the last ring that has states.
    pub(super) fn farthest(&self) -> Option<End> {
        let ring = self.rings.iter().rev().find(|ring| !ring.is_empty())?;
        let (location, states) = ring.first()?;
        Some((*location, self.pick(*location, states)?))
    }

    fn pick(&self, location: LocationId, set: &Bdd) -> Option<State> {
        let encoding = &self.heads.problem.encoding;
        state::pick(encoding, encoding.program().locations[location].procedure, set)
    }

    /// The first state and the moves of a shortest way to a state of the last ring.
    pub(super) fn way_to(&self, (location, state): &End) -> Result<(State, Vec<Leg>), Halt> {
        let (mut location, mut state) = (*location, state.clone());
        let mut legs = Vec::new();
        for ring in self.rings[..self.rings.len() - 1].iter().rev() {
            let (before, leg) = self.leg_into(ring, location, &state)?;
            (location, state) = before;
            legs.push(leg);
        }
        legs.reverse();
        Ok((state, legs))
    }

    fn leg_into(&self, ring: &Sets, location: LocationId, state: &State) -> Result<(End, Leg), Halt> {
        let encoding = &self.heads.problem.encoding;
        for edge in &self.heads.incoming[location] {
            let edge = &self.heads.edges[*edge as usize];
            let Ok(at) = ring.binary_search_by_key(&edge.source, |(location, _)| *location) else { continue };
            let procedure = encoding.program().locations[edge.source].procedure;
            let vars = encoding.current_vars(procedure);
            if let Some(before) = self.heads.image(edge)?.predecessor(state, &ring[at].1, &vars)? {
                return Ok(((edge.source, before), Leg { moved: edge.moved, state: state.clone() }));
            }
        }
        unreachable!("a state of a ring has a predecessor in the ring before")
    }
}

/// A shortest way from some states at a location into some sets, all inside `within`.
pub(super) fn between(
    heads: &Heads<'_, '_>,
    within: &IdVec<LocationId, Bdd>,
    (start, states): (LocationId, Bdd),
    sets: &Sets,
) -> Result<Option<(State, Vec<Leg>, End)>, Halt> {
    let mut rings = Rings::new(heads, within, start, states);
    loop {
        if let Some(end) = rings.arrived(sets)? {
            let (first, legs) = rings.way_to(&end)?;
            return Ok(Some((first, legs, end)));
        }
        if !rings.advance()? {
            return Ok(None);
        }
    }
}
