//! Which heads of a component lie on a cycle with a mark, or lead to one inside it.

use std::collections::VecDeque;

use base::IdVec;
use bdd::Bdd;
use encode::Image;
use program::LocationId;

use super::Method;
use super::accelerate::any_number;
use super::closure::closure;
use super::heads::{HeadEdge, Heads, Sets};
use crate::halt::Halt;

/// Heads of a component that lie on a cycle with a mark or lead to one inside `within`; empty exactly if there is no such
/// cycle.
pub(super) struct Found {
    /// The first of them that are known.
    pub(super) first: Sets,
    /// Where the cycles are.
    pub(super) within: Sets,
}

/// Looks for cycles with a mark in a component.
pub(super) fn find(heads: &Heads<'_, '_>, component: &[LocationId], method: Method) -> Result<Found, Halt> {
    if method == Method::Closure {
        let within: Result<Sets, Halt> =
            component.iter().map(|location| Ok((*location, heads.set(*location)?))).collect();
        return Ok(Found { first: closure(heads, component)?, within: within? });
    }
    let mut hull = Hull::new(heads, component)?;
    match (method, heads.accepts_always()) {
        (Method::Owcty, true) => hull.trim(Direction::Forwards)?,
        (Method::Owcty, false) => hull.catch_them_young()?,
        (Method::EmersonLei | Method::Closure, _) => {}
    }
    if heads.accepts_always() {
        hull.trim(Direction::Backwards)?;
    } else {
        hull.emerson_lei()?;
    }
    let mut within = hull.into_sets();
    within.retain(|(_, set)| !set.is_false());
    Ok(Found { first: within.clone(), within })
}

/// Where one looks from a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// To its successors, so that sets grow or shrink against the edges.
    Backwards,
    /// To its predecessors, so that sets grow or shrink along the edges.
    Forwards,
}

/// Steps from a location to itself.
#[derive(Clone)]
enum Loop {
    /// Walked step by step so far.
    Walked,
    /// Any number of times at once, as far as that is known.
    Closed(Vec<Image>),
}

/// Loops are walked for so many steps before it pays to close them.
const SHORT_WALK: u32 = 12;

/// Shrinking sets of the heads of a component.
struct Hull<'h, 's, 'a> {
    heads: &'h Heads<'s, 'a>,
    component: Vec<LocationId>,
    /// Nothing outside of the component.
    sets: IdVec<LocationId, Bdd>,
    loops: IdVec<LocationId, Loop>,
}

impl<'h, 's, 'a> Hull<'h, 's, 'a> {
    fn new(heads: &'h Heads<'s, 'a>, component: &[LocationId]) -> Result<Self, Halt> {
        let mut sets = heads.no_sets();
        for location in component {
            sets[*location] = heads.set(*location)?;
        }
        let loops = IdVec::filled(sets.len(), Loop::Walked);
        Ok(Self { heads, component: component.to_vec(), sets, loops })
    }

    fn into_sets(self) -> Sets {
        self.component.iter().map(|location| (*location, self.sets[*location].clone())).collect()
    }

    fn nothing(&self) -> Bdd {
        self.heads.problem.encoding.manager().bdd_false()
    }

    fn outgoing(&self, location: LocationId) -> impl Iterator<Item = &'h HeadEdge> + '_ {
        self.edges(location, Direction::Backwards)
    }

    fn incoming(&self, location: LocationId) -> impl Iterator<Item = &'h HeadEdge> + '_ {
        self.edges(location, Direction::Forwards)
    }

    /// The edges that one sees from a location, to places that are not empty.
    fn edges(&self, location: LocationId, direction: Direction) -> impl Iterator<Item = &'h HeadEdge> + '_ {
        let heads = self.heads;
        let edges = match direction {
            Direction::Backwards => &heads.outgoing[location],
            Direction::Forwards => &heads.incoming[location],
        };
        let edges = edges.iter().map(|edge| &heads.edges[*edge as usize]);
        edges.filter(move |edge| !self.sets[far_end(edge, direction)].is_false())
    }

    /// The states that see some states of the far end through an edge.
    fn seeing(&self, edge: &HeadEdge, states: &Bdd, direction: Direction) -> Result<Bdd, Halt> {
        Ok(match direction {
            Direction::Backwards => self.heads.before(edge, states)?,
            Direction::Forwards => self.heads.after(edge, states)?,
        })
    }

    /// Keeps what has a way without end in the sets: a run without end ahead of it, or behind it.
    ///
    /// At one location these are the states that have one there, and those that, by steps from the location to itself, see
    /// a state that sees one elsewhere. The former are found once; the latter again and again, with whole loops in one
    /// step where they are long.
    fn trim(&mut self, direction: Direction) -> Result<(), Halt> {
        let mut staying = self.sets.clone();
        for location in self.component.clone() {
            staying[location] = self.staying(location, direction)?;
        }
        // Against the direction first: what is seen is then mostly known when it is needed.
        let mut waiting: VecDeque<LocationId> = self.component.iter().copied().collect();
        if direction == Direction::Backwards {
            waiting.make_contiguous().reverse();
        }
        let mut is_waiting = IdVec::filled(self.sets.len(), false);
        waiting.iter().for_each(|location| is_waiting[*location] = true);
        while let Some(location) = waiting.pop_front() {
            self.heads.problem.context.budget.step()?;
            is_waiting[location] = false;
            let mut kept = staying[location].clone();
            for edge in self.edges(location, direction).filter(|edge| far_end(edge, direction) != location) {
                kept = kept.or(&self.seeing(edge, &self.sets[far_end(edge, direction)], direction)?)?;
            }
            let kept = self.widened(location, kept.and(&self.sets[location])?, direction)?;
            if kept == self.sets[location] {
                continue;
            }
            self.sets[location] = kept;
            self.heads.problem.encoding.manager().collect_if_needed();
            let against = direction.opposite();
            let concerned: Vec<LocationId> = self.edges(location, against).map(|edge| far_end(edge, against)).collect();
            for other in concerned.into_iter().filter(|other| *other != location) {
                if !std::mem::replace(&mut is_waiting[other], true) {
                    waiting.push_back(other);
                }
            }
        }
        Ok(())
    }

    fn own_edges(&self, location: LocationId) -> Vec<&'h HeadEdge> {
        self.outgoing(location).filter(|edge| edge.target == location).collect()
    }

    /// The states of a location that have a way without end by steps from the location to itself.
    fn staying(&self, location: LocationId, direction: Direction) -> Result<Bdd, Halt> {
        let own = self.own_edges(location);
        let mut staying = self.sets[location].clone();
        loop {
            self.heads.problem.context.budget.step()?;
            let mut kept = self.nothing();
            for edge in &own {
                kept = kept.or(&self.seeing(edge, &staying, direction)?)?;
            }
            kept = kept.and(&staying)?;
            if kept == staying {
                return Ok(staying);
            }
            staying = kept;
        }
    }

    /// Adds to some states of a location those that see them by steps from the location to itself.
    fn widened(&mut self, location: LocationId, states: Bdd, direction: Direction) -> Result<Bdd, Halt> {
        let own = self.own_edges(location);
        let mut all = states;
        for n_steps in 0.. {
            self.heads.problem.context.budget.step()?;
            let mut more = all.clone();
            if let Loop::Closed(images) = &self.loops[location] {
                for image in images {
                    let seeing = match direction {
                        Direction::Backwards => image.preimage(&more)?,
                        Direction::Forwards => image.apply(&more)?,
                    };
                    more = more.or(&self.heads.unseen(location, &seeing)?.and(&self.sets[location])?)?;
                }
            }
            for edge in &own {
                more = more.or(&self.seeing(edge, &more, direction)?.and(&self.sets[location])?)?;
            }
            if more == all {
                break;
            }
            all = more;
            self.walked(location, n_steps)?;
        }
        Ok(all)
    }

    /// Closes a loop that was walked too far.
    fn walked(&mut self, location: LocationId, n_steps: u32) -> Result<(), Halt> {
        if n_steps < SHORT_WALK || matches!(self.loops[location], Loop::Closed(_)) {
            return Ok(());
        }
        let mut closed = Vec::new();
        for edge in self.own_edges(location) {
            closed.extend(any_number(self.heads, edge)?);
        }
        self.loops[location] = Loop::Closed(closed);
        Ok(())
    }

    /// What sees some states of a location, by location.
    fn neighbours(&self, location: LocationId, states: &Bdd, direction: Direction) -> Result<Sets, Halt> {
        let against = direction.opposite();
        let edges = self.edges(location, against);
        edges.map(|edge| Ok((far_end(edge, against), self.seeing(edge, states, direction)?))).collect()
    }

    /// Keeps what reaches, inside, an edge with a mark into what is kept; until nothing changes.
    fn emerson_lei(&mut self) -> Result<(), Halt> {
        loop {
            self.heads.problem.context.budget.check()?;
            let mut reaching = self.sets.clone();
            for location in &self.component {
                let mut marked = self.nothing();
                for edge in self.outgoing(*location) {
                    let into = self.heads.marked(edge, &self.sets[edge.target])?;
                    marked = marked.or(&self.heads.before(edge, &into)?)?;
                }
                reaching[*location] = marked.and(&self.sets[*location])?;
            }
            self.close(&mut reaching, Direction::Backwards)?;
            let changed = self.component.iter().any(|location| reaching[*location] != self.sets[*location]);
            self.sets = reaching;
            if !changed {
                return Ok(());
            }
        }
    }

    /// Keeps what is reached, inside, from an edge with a mark, and has a predecessor; until nothing changes.
    fn catch_them_young(&mut self) -> Result<(), Halt> {
        loop {
            self.heads.problem.context.budget.check()?;
            let mut reached = self.sets.clone();
            for location in &self.component {
                let mut marked = self.nothing();
                for edge in self.incoming(*location) {
                    marked = marked.or(&self.heads.marked_after(edge, &self.sets[edge.source])?)?;
                }
                reached[*location] = marked.and(&self.sets[*location])?;
            }
            self.close(&mut reached, Direction::Forwards)?;
            let before = std::mem::replace(&mut self.sets, reached);
            self.trim(Direction::Forwards)?;
            if self.component.iter().all(|location| before[*location] == self.sets[*location]) {
                return Ok(());
            }
        }
    }

    /// Adds what leads to (or is reached from) some sets inside the hull.
    fn close(&self, sets: &mut IdVec<LocationId, Bdd>, direction: Direction) -> Result<(), Halt> {
        let mut fresh = sets.clone();
        let mut waiting: Vec<LocationId> = self.component.clone();
        while let Some(location) = waiting.pop() {
            let new = std::mem::replace(&mut fresh[location], self.nothing());
            if new.is_false() {
                continue;
            }
            self.heads.problem.context.budget.step()?;
            let found = self.neighbours(location, &new, direction)?;
            for (other, states) in found {
                let more = states.and(&self.sets[other])?.diff(&sets[other])?;
                if !more.is_false() {
                    sets[other] = sets[other].or(&more)?;
                    fresh[other] = fresh[other].or(&more)?;
                    waiting.push(other);
                }
            }
        }
        Ok(())
    }
}

impl Direction {
    fn opposite(self) -> Self {
        match self {
            Self::Backwards => Self::Forwards,
            Self::Forwards => Self::Backwards,
        }
    }
}

/// What one sees through an edge.
fn far_end(edge: &HeadEdge, direction: Direction) -> LocationId {
    match direction {
        Direction::Backwards => edge.target,
        Direction::Forwards => edge.source,
    }
}
