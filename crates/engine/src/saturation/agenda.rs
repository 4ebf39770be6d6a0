//! Which transition is looked at next: callees before callers, then in control order or against it. In large programs
//! first those that are nearest to where the search is to arrive.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::IdVec;
use program::{Graph, LocationId, ProcedureId, Program};

use super::automaton::TopId;
use crate::guide::Guide;
use crate::order::ranks;

/// More than any distance.
const ASIDE: u32 = 1 << 31;

/// A worklist without repetitions.
#[derive(Debug)]
pub(super) struct Agenda {
    rank: IdVec<LocationId, u32>,
    /// With the distance, where there is a guide, before the rank.
    waiting: BinaryHeap<Reverse<(u32, u32, TopId)>>,
    /// By top transition.
    is_waiting: Vec<bool>,
    guide: Option<Guide>,
}

impl Agenda {
    /// In control order.
    pub(super) fn forward(program: &Program, graph: &Graph) -> Self {
        Self { rank: ranks(program, graph), waiting: BinaryHeap::new(), is_waiting: Vec::new(), guide: None }
    }

    /// Against control order.
    pub(super) fn backward(program: &Program, graph: &Graph) -> Self {
        let forward = ranks(program, graph);
        let mut last: IdVec<ProcedureId, u32> = IdVec::filled(program.procedures.len(), 0);
        for (location, rank) in forward.iter_ids() {
            let procedure = program.locations[location].procedure;
            last[procedure] = last[procedure].max(*rank);
        }
        let mut order: Vec<LocationId> = program.locations.ids().collect();
        order.sort_by_key(|location| (last[program.locations[*location].procedure], Reverse(forward[*location])));
        let mut rank = forward;
        for (position, location) in order.into_iter().enumerate() {
            rank[location] = position as u32;
        }
        Self { rank, waiting: BinaryHeap::new(), is_waiting: Vec::new(), guide: None }
    }

    /// Lets a guide decide first. Nothing is waiting yet.
    pub(super) fn follow(&mut self, guide: Option<Guide>) {
        self.guide = guide;
    }

    pub(super) fn add(&mut self, location: LocationId, top: TopId) {
        let distance = self.guide.as_ref().map_or(0, |guide| guide.distance(location));
        self.push(location, top, distance);
    }

    /// Adds what a guide looks at only when there is nothing else.
    pub(super) fn add_aside(&mut self, location: LocationId, top: TopId) {
        let distance = self.guide.as_ref().map_or(0, |guide| guide.distance(location) | ASIDE);
        self.push(location, top, distance);
    }

    fn push(&mut self, location: LocationId, top: TopId, distance: u32) {
        let at = top.0 as usize;
        if self.is_waiting.len() <= at {
            self.is_waiting.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_waiting[at], true) {
            self.waiting.push(Reverse((distance, self.rank[location], top)));
        }
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.is_waiting.clear();
    }

    pub(super) fn next(&mut self) -> Option<TopId> {
        if self.guide.as_mut().is_some_and(|guide| !guide.step()) {
            self.guide = None;
            let waiting = std::mem::take(&mut self.waiting);
            self.waiting = waiting.into_iter().map(|Reverse((_, rank, top))| Reverse((0, rank, top))).collect();
        }
        let Reverse((_, _, top)) = self.waiting.pop()?;
        self.is_waiting[top.0 as usize] = false;
        Some(top)
    }
}
