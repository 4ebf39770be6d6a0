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
use crate::summary::Halt;

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
        let within = component.iter().map(|location| (*location, heads.sets[*location].clone())).collect();
        return Ok(Found { first: closure(heads, component)?, within });
    }
    let mut hull = Hull::new(heads, component)?;
    if method == Method::Owcty {
        hull.catch_them_young()?;
    }
    if heads.accepts_always() {
        hull.keep_endless()?
    } else {
        hull.emerson_lei()?
    }
    let mut within = hull.into_sets();
    within.retain(|(_, set)| !set.is_false());
    Ok(Found { first: within.clone(), within })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// What has no successor goes.
    Backwards,
    /// What has no predecessor goes.
    Forwards,
}

/// Shrinking sets of the heads of a component.
struct Hull<'h, 's, 'a> {
    heads: &'h Heads<'s, 'a>,
    component: Vec<LocationId>,
    /// Nothing outside of the component.
    sets: IdVec<LocationId, Bdd>,
    /// Steps from a location to itself, any number of times at once, where that is known.
    loops: IdVec<LocationId, Vec<Image>>,
}

impl<'h, 's, 'a> Hull<'h, 's, 'a> {
    fn new(heads: &'h Heads<'s, 'a>, component: &[LocationId]) -> Result<Self, Halt> {
        let nothing = heads.solver.encoding.manager().bdd_false();
        let mut sets = IdVec::filled(heads.sets.len(), nothing);
        component.iter().for_each(|location| sets[*location] = heads.sets[*location].clone());
        let mut loops = IdVec::filled(heads.sets.len(), Vec::new());
        for location in component {
            for edge in &heads.outgoing[*location] {
                loops[*location].extend(any_number(heads, &heads.edges[*edge as usize])?);
            }
        }
        Ok(Self { heads, component: component.to_vec(), sets, loops })
    }

    fn into_sets(self) -> Sets {
        self.component.iter().map(|location| (*location, self.sets[*location].clone())).collect()
    }

    fn nothing(&self) -> Bdd {
        self.heads.solver.encoding.manager().bdd_false()
    }

    fn outgoing(&self, location: LocationId) -> impl Iterator<Item = &'h HeadEdge> + '_ {
        let heads = self.heads;
        let edges = heads.outgoing[location].iter().map(|edge| &heads.edges[*edge as usize]);
        edges.filter(|edge| !self.sets[edge.target].is_false())
    }

    fn incoming(&self, location: LocationId) -> impl Iterator<Item = &'h HeadEdge> + '_ {
        let heads = self.heads;
        let edges = heads.incoming[location].iter().map(|edge| &heads.edges[*edge as usize]);
        edges.filter(|edge| !self.sets[edge.source].is_false())
    }

    /// Keeps what has a run without end in the sets.
    ///
    /// At one location these are the states that stay there for ever, and those that, by steps from the location to itself,
    /// reach a state with a successor elsewhere. The former are found once; the latter again and again, with whole loops
    /// in one step.
    fn keep_endless(&mut self) -> Result<(), Halt> {
        let mut staying = self.sets.clone();
        for location in self.component.clone() {
            staying[location] = self.staying(location)?;
        }
        let mut waiting: VecDeque<LocationId> = self.component.iter().rev().copied().collect();
        let mut is_waiting = IdVec::filled(self.sets.len(), false);
        waiting.iter().for_each(|location| is_waiting[*location] = true);
        while let Some(location) = waiting.pop_front() {
            self.heads.solver.context.budget.step()?;
            is_waiting[location] = false;
            let mut kept = staying[location].clone();
            for edge in self.outgoing(location).filter(|edge| edge.target != location) {
                kept = kept.or(&self.heads.before(edge, &self.sets[edge.target])?)?;
            }
            let kept = self.leading_to(location, kept.and(&self.sets[location])?)?;
            if kept == self.sets[location] {
                continue;
            }
            self.sets[location] = kept;
            self.heads.solver.encoding.manager().collect_if_needed();
            let sources: Vec<LocationId> = self.incoming(location).map(|edge| edge.source).collect();
            for source in sources.into_iter().filter(|source| *source != location) {
                if !std::mem::replace(&mut is_waiting[source], true) {
                    waiting.push_back(source);
                }
            }
        }
        Ok(())
    }

    /// The states of a location from which steps to itself go on for ever.
    fn staying(&self, location: LocationId) -> Result<Bdd, Halt> {
        let own: Vec<&HeadEdge> = self.outgoing(location).filter(|edge| edge.target == location).collect();
        let mut staying = self.sets[location].clone();
        loop {
            self.heads.solver.context.budget.step()?;
            let mut kept = self.nothing();
            for edge in &own {
                kept = kept.or(&self.heads.before(edge, &staying)?)?;
            }
            kept = kept.and(&staying)?;
            if kept == staying {
                return Ok(staying);
            }
            staying = kept;
        }
    }

    /// Adds to some states of a location those that reach them by steps from the location to itself.
    fn leading_to(&self, location: LocationId, states: Bdd) -> Result<Bdd, Halt> {
        let own: Vec<&HeadEdge> = self.outgoing(location).filter(|edge| edge.target == location).collect();
        let mut all = states;
        loop {
            let mut more = all.clone();
            for image in &self.loops[location] {
                more = more.or(&self.heads.unseen(location, &image.preimage(&more)?)?.and(&self.sets[location])?)?;
            }
            for edge in &own {
                more = more.or(&self.heads.before(edge, &more)?.and(&self.sets[location])?)?;
            }
            if more == all {
                return Ok(all);
            }
            all = more;
            self.heads.solver.context.budget.step()?;
        }
    }

    /// Takes away what has no predecessor in the sets, until all have.
    fn keep_preceded(&mut self) -> Result<(), Halt> {
        let mut waiting: VecDeque<LocationId> = self.component.iter().copied().collect();
        let mut is_waiting = IdVec::filled(self.sets.len(), false);
        waiting.iter().for_each(|location| is_waiting[*location] = true);
        while let Some(location) = waiting.pop_front() {
            self.heads.solver.context.budget.step()?;
            is_waiting[location] = false;
            let mut kept = self.nothing();
            for edge in self.incoming(location) {
                kept = kept.or(&self.heads.after(edge, &self.sets[edge.source])?)?;
            }
            kept = kept.and(&self.sets[location])?;
            if kept == self.sets[location] {
                continue;
            }
            self.sets[location] = kept;
            let targets: Vec<LocationId> = self.outgoing(location).map(|edge| edge.target).collect();
            for target in targets {
                if !std::mem::replace(&mut is_waiting[target], true) {
                    waiting.push_back(target);
                }
            }
        }
        Ok(())
    }

    /// What leads to (or is reached from) some states of a location, by location.
    fn neighbours(&self, location: LocationId, states: &Bdd, direction: Direction) -> Result<Sets, Halt> {
        match direction {
            Direction::Backwards => {
                self.incoming(location).map(|edge| Ok((edge.source, self.heads.before(edge, states)?))).collect()
            }
            Direction::Forwards => {
                self.outgoing(location).map(|edge| Ok((edge.target, self.heads.after(edge, states)?))).collect()
            }
        }
    }

    /// Keeps what reaches, inside, an edge with a mark into what is kept; until nothing changes.
    fn emerson_lei(&mut self) -> Result<(), Halt> {
        loop {
            self.heads.solver.context.budget.check()?;
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
            self.heads.solver.context.budget.check()?;
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
            self.keep_preceded()?;
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
            self.heads.solver.context.budget.step()?;
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
