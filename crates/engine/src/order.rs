//! Locations in the order in which they are worth looking at: callees before callers, then in control order.

use base::IdVec;
use program::{Graph, LocationId, ProcedureId, Program, callees};

/// Locations with callees first, then in control order.
pub(crate) fn in_order(program: &Program, graph: &Graph, starts: &[ProcedureId]) -> Vec<LocationId> {
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
    let callees = callees(program);
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
