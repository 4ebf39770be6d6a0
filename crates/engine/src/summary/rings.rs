//! Rings: states by their distance from a start, and the shortest way back from a state.
//!
//! Bebop, section 3.2. A hierarchical run crosses finished calls by their summaries in one step. With the summaries
//! known, its states are found breadth first: ring d of a location holds the states first reached there at distance d.
//! Entry values are not needed: a call that does not return is an edge like any other.

use std::collections::BTreeMap;

use bdd::Bdd;
use encode::Image;
use program::{EdgeId, EdgeKind, LocationId};
use rustc_hash::FxHashMap;

use super::state::State;
use super::{Halt, Solver};

/// Which edges a search may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    /// Summaries must have a smaller stamp than this.
    pub(super) before: u64,
    /// Calls may be entered without returning, if the callee is marked here (by procedure).
    pub(super) enter: Option<&'a [bool]>,
}

/// How one state leads to the next on a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    Step(EdgeId),
    Enter(EdgeId),
    Across(EdgeId),
}

/// One move with the state after it.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) moved: Move,
    pub(super) state: State,
}

/// A way: the first state, and the moves from it.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) first: State,
    pub(super) legs: Vec<Leg>,
}

/// The rings of all locations seen so far.
pub(super) struct Rings<'s, 'a> {
    solver: &'s Solver<'a>,
    rules: Rules<'s>,
    at: FxHashMap<LocationId, Vec<(u64, Bdd)>>,
    seen: FxHashMap<LocationId, Bdd>,
    agenda: BTreeMap<u64, BTreeMap<LocationId, Bdd>>,
    lifted: FxHashMap<EdgeId, Option<Image>>,
}

impl<'s, 'a> Rings<'s, 'a> {
    pub(super) fn new(solver: &'s Solver<'a>, rules: Rules<'s>, start: LocationId, states: Bdd) -> Self {
        let agenda = BTreeMap::from([(0, BTreeMap::from([(start, states)]))]);
        let (at, seen, lifted) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { solver, rules, at, seen, agenda, lifted }
    }

    /// Adds the next ring. Gives its distance and its new states by location, or none when all is seen.
    pub(super) fn advance(&mut self) -> Result<Option<(u64, Vec<LocationId>)>, Halt> {
        self.solver.context.budget.step()?;
        let Some((distance, arrived)) = self.agenda.pop_first() else { return Ok(None) };
        let mut locations = Vec::new();
        for (location, states) in arrived {
            let new = match self.seen.get(&location) {
                Some(seen) => states.diff(seen)?,
                None => states,
            };
            if new.is_false() {
                continue;
            }
            let seen = match self.seen.get(&location) {
                Some(seen) => seen.or(&new)?,
                None => new.clone(),
            };
            self.seen.insert(location, seen);
            self.at.entry(location).or_default().push((distance, new.clone()));
            locations.push(location);
            self.expand(distance, location, &new)?;
        }
        Ok(Some((distance, locations)))
    }

    /// The states first reached at a distance.
    pub(super) fn ring(&self, location: LocationId, distance: u64) -> Option<&Bdd> {
        let rings = self.at.get(&location)?;
        let at = rings.binary_search_by_key(&distance, |(distance, _)| *distance).ok()?;
        Some(&rings[at].1)
    }

    fn expand(&mut self, distance: u64, location: LocationId, states: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.solver.task.program, self.solver.graph);
        for edge in graph.outgoing(location) {
            let (target, length) = (program.edges[*edge].target, self.length(*edge));
            match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => {
                    let image = self.solver.encoding.step(*edge, relation)?.apply(states)?;
                    self.arrive(distance + length, target, image)?;
                }
                EdgeKind::Call(call) => {
                    if self.may_enter(call.callee) {
                        let first = self.solver.encoding.call(*edge, call)?.first_states(states)?;
                        self.arrive(distance + 1, call.entry, first)?;
                    }
                    if let Some(image) = self.lifted(*edge)? {
                        let across = image.apply(states)?;
                        self.arrive(distance + length, target, across)?;
                    }
                }
                EdgeKind::Spawn(_) => {}
            }
        }
        Ok(())
    }

    fn arrive(&mut self, distance: u64, location: LocationId, states: Bdd) -> Result<(), Halt> {
        if states.is_false() {
            return Ok(());
        }
        let arrived = self.agenda.entry(distance).or_default();
        let all = match arrived.get(&location) {
            Some(others) => others.or(&states)?,
            None => states,
        };
        arrived.insert(location, all);
        Ok(())
    }

    fn may_enter(&self, callee: program::ProcedureId) -> bool {
        self.rules.enter.is_some_and(|marked| marked[callee.0 as usize])
    }

    fn length(&self, edge: EdgeId) -> u64 {
        self.solver.task.lengths.get(edge.0 as usize).map_or(1, |length| u64::from(*length))
    }

    /// The callee's summary, as far as the rules allow it, as an image.
    pub(super) fn lifted(&mut self, edge: EdgeId) -> Result<Option<Image>, Halt> {
        if let Some(image) = self.lifted.get(&edge) {
            return Ok(image.clone());
        }
        let image = match self.summary(edge) {
            Some(summary) => {
                let EdgeKind::Call(call) = &self.solver.task.program.edges[edge].kind else { return Ok(None) };
                Some(self.solver.encoding.call(edge, call)?.lift(summary)?)
            }
            None => None,
        };
        self.lifted.insert(edge, image.clone());
        Ok(image)
    }

    fn summary(&self, edge: EdgeId) -> Option<&'s Bdd> {
        let EdgeKind::Call(call) = &self.solver.task.program.edges[edge].kind else { return None };
        let history = &self.solver.summaries[call.callee].history;
        let usable = history.partition_point(|(stamp, _)| *stamp < self.rules.before);
        usable.checked_sub(1).map(|last| &history[last].1)
    }

    /// A shortest way from the start to a state of the ring of a location at a distance.
    pub(super) fn way_back(&mut self, location: LocationId, distance: u64, state: State) -> Result<Way, Halt> {
        let (mut location, mut distance, mut state) = (location, distance, state);
        let mut legs = Vec::new();
        while distance > 0 {
            self.solver.context.budget.step()?;
            let found = self.leg_into(location, distance, &state)?;
            let (from, before, leg) = found.unwrap_or_else(|| lost(distance));
            legs.push(Leg { moved: leg, state });
            (location, distance) = from;
            state = before;
        }
        legs.reverse();
        Ok(Way { first: state, legs })
    }

    /// Where a state came from: the place and state before, and the move.
    #[expect(clippy::type_complexity, reason = "a triple that is taken apart at once")]
    fn leg_into(
        &mut self,
        location: LocationId,
        distance: u64,
        state: &State,
    ) -> Result<Option<((LocationId, u64), State, Move)>, Halt> {
        let (program, graph) = (self.solver.task.program, self.solver.graph);
        for edge in graph.incoming(location) {
            let Some(before) = distance.checked_sub(self.length(*edge)) else { continue };
            let source = program.edges[*edge].source;
            if self.ring(source, before).is_none() {
                continue;
            }
            let (image, moved) = match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => ((*self.solver.encoding.step(*edge, relation)?).clone(), Move::Step(*edge)),
                EdgeKind::Call(_) => match self.lifted(*edge)? {
                    Some(image) => (image, Move::Across(*edge)),
                    None => continue,
                },
                EdgeKind::Spawn(_) => continue,
            };
            if let Some(found) = self.predecessor(source, before, &image, state)? {
                return Ok(Some(((source, before), found, moved)));
            }
        }
        self.caller_of(location, distance, state)
    }

    #[expect(clippy::type_complexity, reason = "a triple that is taken apart at once")]
    fn caller_of(
        &self,
        location: LocationId,
        distance: u64,
        state: &State,
    ) -> Result<Option<((LocationId, u64), State, Move)>, Halt> {
        let program = self.solver.task.program;
        let procedure = program.locations[location].procedure;
        if !self.may_enter(procedure) {
            return Ok(None);
        }
        for edge in self.solver.graph.calls_of(procedure) {
            let EdgeKind::Call(call) = &program.edges[*edge].kind else { continue };
            let source = program.edges[*edge].source;
            if call.entry != location || self.ring(source, distance - 1).is_none() {
                continue;
            }
            let images = self.solver.encoding.call(*edge, call)?;
            if let Some(found) = self.predecessor(source, distance - 1, images.entry(), state)? {
                return Ok(Some(((source, distance - 1), found, Move::Enter(*edge))));
            }
        }
        Ok(None)
    }

    fn predecessor(
        &self,
        source: LocationId,
        distance: u64,
        image: &Image,
        state: &State,
    ) -> Result<Option<State>, Halt> {
        let Some(ring) = self.ring(source, distance) else { return Ok(None) };
        let procedure = self.solver.task.program.locations[source].procedure;
        Ok(image.predecessor(state, ring, &self.solver.encoding.current_vars(procedure))?)
    }
}

/// Every state of a ring has a predecessor in an earlier one: that is how it got there.
fn lost<T>(distance: u64) -> T {
    unreachable!("a state at distance {distance} has a predecessor in an earlier ring")
}
