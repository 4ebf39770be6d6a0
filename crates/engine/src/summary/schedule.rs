//! Which location is visited next: callees before callers, then in control order.
//!
//! By the time a caller goes on, the summaries it needs are as complete as they can be, and a location is visited
//! after those that lead to it, so that what is new arrives in few large pieces.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::IdVec;
use program::{Graph, LocationId, ProcedureId, Program};

use crate::order::in_order;

/// A worklist without repetitions.
#[derive(Debug)]
pub(super) struct Schedule {
    rank: IdVec<LocationId, u32>,
    by_rank: Vec<LocationId>,
    waiting: BinaryHeap<Reverse<u32>>,
    is_waiting: IdVec<LocationId, bool>,
}

impl Schedule {
    pub(super) fn new(program: &Program, graph: &Graph, start: ProcedureId) -> Self {
        let by_rank = in_order(program, graph, &[start]);
        let mut rank = IdVec::filled(program.locations.len(), 0);
        for (position, location) in by_rank.iter().enumerate() {
            rank[*location] = position as u32;
        }
        let is_waiting = IdVec::filled(program.locations.len(), false);
        Self { rank, by_rank, waiting: BinaryHeap::new(), is_waiting }
    }

    pub(super) fn add(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.is_waiting[location], true) {
            self.waiting.push(Reverse(self.rank[location]));
        }
    }

    pub(super) fn next(&mut self) -> Option<LocationId> {
        let Reverse(rank) = self.waiting.pop()?;
        let location = self.by_rank[rank as usize];
        self.is_waiting[location] = false;
        Some(location)
    }
}
