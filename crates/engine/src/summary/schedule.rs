//! Which location is visited next: callees before callers, then in control order.
//!
//! By the time a caller goes on, the summaries it needs are as complete as they can be, and a location is visited
//! after those that lead to it, so that what is new arrives in few large pieces.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::IdVec;
use program::{EdgeKind, Graph, LocationId, ProcedureId, Program};

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

/// Locations with callees first, then in control order.
fn in_order(program: &Program, graph: &Graph, starts: &[ProcedureId]) -> Vec<LocationId> {
    let depth = callees_first(program, starts);
    let mut by_rank = graph.topological_order(program);
    by_rank.sort_by_key(|location| depth[program.locations[*location].procedure]);
    by_rank
}

/// The place of every location in that order.
pub(crate) fn ranks(program: &Program, graph: &Graph) -> IdVec<LocationId, u32> {
    let starts: Vec<ProcedureId> = program.threads.iter().map(|thread| thread.start).collect();
    let mut rank = IdVec::filled(program.locations.len(), 0);
    for (position, location) in in_order(program, graph, &starts).iter().enumerate() {
        rank[*location] = position as u32;
    }
    rank
}

/// Positions in a postorder of the call graph; procedures that are never called come last.
fn callees_first(program: &Program, starts: &[ProcedureId]) -> IdVec<ProcedureId, u32> {
    let mut callees: IdVec<ProcedureId, Vec<ProcedureId>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind {
            callees[program.locations[edge.source].procedure].push(call.callee);
        }
    }
    let mut position = IdVec::filled(program.procedures.len(), u32::MAX);
    let mut seen = IdVec::filled(program.procedures.len(), false);
    let mut next_position = 0;
    for start in starts {
        if std::mem::replace(&mut seen[*start], true) {
            continue;
        }
        let mut stack = vec![(*start, callees[*start].iter())];
        while let Some((procedure, rest)) = stack.last_mut() {
            let Some(callee) = rest.next() else {
                position[*procedure] = next_position;
                next_position += 1;
                stack.pop();
                continue;
            };
            if !std::mem::replace(&mut seen[*callee], true) {
                stack.push((*callee, callees[*callee].iter()));
            }
        }
    }
    position
}
