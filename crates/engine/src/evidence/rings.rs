//! Rings: states by their distance from a start, and the shortest way back from a state.
//!
//! Bebop, section 3.2. A hierarchical run crosses finished calls by their summaries in one step. With the summaries
//! known, its states are found breadth first: ring d of a location holds the states first reached there at distance d.
//! Entry values are not needed: a call that does not return is an edge like any other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use base::IdVec;
use bdd::Bdd;
use encode::{Image, parallel};
use program::{EdgeId, EdgeKind, LocationId, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::halt::Halt;
use crate::problem::Problem;
use crate::state::State;

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
pub(crate) enum Move {
    Step(EdgeId),
    Enter(EdgeId),
    Across(EdgeId),
}

/// One move with the state after it.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    pub(crate) moved: Move,
    pub(crate) state: State,
}

/// A way: the first state, and the moves from it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) first: State,
    pub(crate) legs: Vec<Leg>,
}

/// The rings of all locations; one table serves many searches, so that none of them pays for the whole program.
pub(crate) struct Table {
    at: IdVec<LocationId, Seen>,
    /// Locations that are not empty.
    touched: Vec<LocationId>,
}

/// What was found at a location.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// All states; none when there are no rings.
    all: Option<Bdd>,
    /// New states by distance, ascending.
    rings: ByDistance,
    /// States that will arrive, by distance.
    arriving: ByDistance,
}

/// States by distance; at most locations there is one.
type ByDistance = SmallVec<[(u64, Bdd); 1]>;

impl Table {
    pub(crate) fn new(program: &Program) -> Self {
        Self { at: IdVec::filled(program.locations.len(), Seen::default()), touched: Vec::new() }
    }

    fn clear(&mut self) {
        for location in self.touched.drain(..) {
            let Seen { all, rings, arriving } = &mut self.at[location];
            *all = None;
            rings.clear();
            arriving.clear();
        }
    }

    /// Adds states that will arrive; true when they are the first ones for this distance.
    fn announce(&mut self, location: LocationId, distance: u64, states: Bdd) -> Result<bool, Halt> {
        let Seen { all, arriving, .. } = &mut self.at[location];
        if all.is_none() && arriving.is_empty() {
            self.touched.push(location);
        }
        let others = arriving.iter_mut().find(|(other, _)| *other == distance);
        if let Some((_, others)) = others {
            *others = others.or(&states)?;
            return Ok(false);
        }
        arriving.push((distance, states));
        Ok(true)
    }

    /// Makes a ring of those states that arrive and are new, if any are.
    fn add(&mut self, location: LocationId, distance: u64) -> Result<Option<Bdd>, Halt> {
        let Seen { all, rings, arriving } = &mut self.at[location];
        let Some(at) = arriving.iter().position(|(other, _)| *other == distance) else { return Ok(None) };
        let (_, states) = arriving.swap_remove(at);
        let new = match all {
            None => {
                *all = Some(states.clone());
                states
            }
            Some(all) => {
                let new = states.diff(all)?;
                *all = all.or(&new)?;
                new
            }
        };
        if new.is_false() {
            return Ok(None);
        }
        rings.push((distance, new.clone()));
        Ok(Some(new))
    }
}

/// A search for states by their distance.
pub(super) struct Rings<'s, 'a> {
    problem: &'s Problem<'a>,
    rules: Rules<'s>,
    table: &'s mut Table,
    /// When states arrive, and where.
    agenda: BinaryHeap<Reverse<(u64, LocationId)>>,
    lifted: FxHashMap<EdgeId, Option<Rc<Image>>>,
}

impl<'s, 'a> Rings<'s, 'a> {
    pub(super) fn new(
        problem: &'s Problem<'a>,
        rules: Rules<'s>,
        table: &'s mut Table,
        start: LocationId,
        states: Bdd,
    ) -> Result<Self, Halt> {
        table.clear();
        let mut rings = Self { problem, rules, table, agenda: BinaryHeap::new(), lifted: FxHashMap::default() };
        rings.arrive(0, start, states)?;
        Ok(rings)
    }

    /// Adds the next ring. Gives its distance, or none when all is seen, and where it has states.
    pub(super) fn advance(&mut self, locations: &mut Vec<LocationId>) -> Result<Option<u64>, Halt> {
        self.problem.context.budget.step()?;
        locations.clear();
        let Some(Reverse((distance, _))) = self.agenda.peek().copied() else { return Ok(None) };
        while let Some(Reverse((next, location))) = self.agenda.peek().copied()
            && next == distance
        {
            self.agenda.pop();
            if let Some(new) = self.table.add(location, distance)? {
                locations.push(location);
                self.expand(distance, location, &new)?;
            }
        }
        Ok(Some(distance))
    }

    /// The states first reached at a distance.
    pub(super) fn ring(&self, location: LocationId, distance: u64) -> Option<&Bdd> {
        let rings = &self.table.at[location].rings;
        let at = rings.binary_search_by_key(&distance, |(distance, _)| *distance).ok()?;
        Some(&rings[at].1)
    }

    fn expand(&mut self, distance: u64, location: LocationId, states: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.problem.task.program, self.problem.graph);
        for edges in parallel(program, graph.outgoing(location)) {
            let (edge, target) = (&edges[0], program.edges[edges[0]].target);
            let length = self.length(*edge);
            match &program.edges[*edge].kind {
                EdgeKind::Step(_) if edges.len() > 1 && edges.iter().all(|edge| self.length(*edge) == length) => {
                    for image in self.problem.encoding.steps(edges)?.iter() {
                        self.arrive(distance + length, target, image.apply(states)?)?;
                    }
                }
                EdgeKind::Step(_) => {
                    for edge in edges {
                        let EdgeKind::Step(relation) = &program.edges[*edge].kind else { continue };
                        let image = self.problem.encoding.step(*edge, relation)?.apply(states)?;
                        self.arrive(distance + self.length(*edge), target, image)?;
                    }
                }
                EdgeKind::Call(call) => {
                    if self.may_enter(call.callee) {
                        let first = self.problem.encoding.call(*edge, call)?.first_states(states)?;
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
        if self.table.announce(location, distance, states)? {
            self.agenda.push(Reverse((distance, location)));
        }
        Ok(())
    }

    fn may_enter(&self, callee: program::ProcedureId) -> bool {
        self.rules.enter.is_some_and(|marked| marked[callee.0 as usize])
    }

    fn length(&self, edge: EdgeId) -> u64 {
        self.problem.task.lengths.get(edge.0 as usize).map_or(1, |length| u64::from(*length))
    }

    /// The callee's summary, as far as the rules allow it, as an image.
    pub(super) fn lifted(&mut self, edge: EdgeId) -> Result<Option<Rc<Image>>, Halt> {
        if let Some(image) = self.lifted.get(&edge) {
            return Ok(image.clone());
        }
        let image = match self.summary(edge) {
            Some(summary) => {
                let EdgeKind::Call(call) = &self.problem.task.program.edges[edge].kind else { return Ok(None) };
                Some(Rc::new(self.problem.encoding.call(edge, call)?.lift(summary)?))
            }
            None => None,
        };
        self.lifted.insert(edge, image.clone());
        Ok(image)
    }

    fn summary(&self, edge: EdgeId) -> Option<&'s Bdd> {
        let EdgeKind::Call(call) = &self.problem.task.program.edges[edge].kind else { return None };
        let history = self.problem.history(call);
        let usable = history.partition_point(|(stamp, _)| *stamp < self.rules.before);
        usable.checked_sub(1).map(|last| &history[last].1)
    }

    /// A shortest way from the start to a state of the ring of a location at a distance.
    pub(super) fn way_back(&mut self, location: LocationId, distance: u64, state: State) -> Result<Way, Halt> {
        let (mut location, mut distance, mut state) = (location, distance, state);
        let mut legs = Vec::new();
        while distance > 0 {
            self.problem.context.budget.step()?;
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
        let (program, graph) = (self.problem.task.program, self.problem.graph);
        for edge in graph.incoming(location) {
            let Some(before) = distance.checked_sub(self.length(*edge)) else { continue };
            let source = program.edges[*edge].source;
            if self.ring(source, before).is_none() {
                continue;
            }
            let (image, moved) = match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => (self.problem.encoding.step(*edge, relation)?, Move::Step(*edge)),
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
        let program = self.problem.task.program;
        let procedure = program.locations[location].procedure;
        if !self.may_enter(procedure) {
            return Ok(None);
        }
        for edge in self.problem.graph.calls_of(procedure) {
            let EdgeKind::Call(call) = &program.edges[*edge].kind else { continue };
            let source = program.edges[*edge].source;
            if call.entry != location || self.ring(source, distance - 1).is_none() {
                continue;
            }
            let images = self.problem.encoding.call(*edge, call)?;
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
        let procedure = self.problem.task.program.locations[source].procedure;
        Ok(image.predecessor(state, ring, &self.problem.encoding.current_vars(procedure))?)
    }
}

/// Every state of a ring has a predecessor in an earlier one: that is how it got there.
fn lost<T>(distance: u64) -> T {
    unreachable!("a state at distance {distance} has a predecessor in an earlier ring")
}
