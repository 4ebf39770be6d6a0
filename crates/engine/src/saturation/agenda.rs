//! Which transition is looked at next: callees before callers, then in control order or against it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::IdVec;
use program::{Graph, LocationId, ProcedureId, Program};

use super::automaton::TopId;
use crate::summary::ranks;

/// A worklist without repetitions.
#[derive(Debug)]
pub(super) struct Agenda {
    rank: IdVec<LocationId, u32>,
    waiting: BinaryHeap<Reverse<(u32, TopId)>>,
    /// By top transition.
    is_waiting: Vec<bool>,
}

impl Agenda {
    /// In control order.
    pub(super) fn forward(program: &Program, graph: &Graph) -> Self {
        Self { rank: ranks(program, graph), waiting: BinaryHeap::new(), is_waiting: Vec::new() }
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
        Self { rank, waiting: BinaryHeap::new(), is_waiting: Vec::new() }
    }

    pub(super) fn add(&mut self, location: LocationId, top: TopId) {
        let at = top.0 as usize;
        if self.is_waiting.len() <= at {
            self.is_waiting.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.is_waiting[at], true) {
            self.waiting.push(Reverse((self.rank[location], top)));
        }
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.is_waiting.clear();
    }

    pub(super) fn next(&mut self) -> Option<TopId> {
        let Reverse((_, top)) = self.waiting.pop()?;
        self.is_waiting[top.0 as usize] = false;
        Some(top)
    }
}
