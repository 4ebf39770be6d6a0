//! Adjacency: computed once, shared by everything that walks a program.

use base::{Id, IdVec};

use crate::{EdgeId, EdgeKind, LocationId, ProcedureId, Program};

/// Outgoing and incoming edges of each location, and the calls of each procedure.
#[derive(Clone, Debug)]
pub struct Graph {
    outgoing: Grouped,
    incoming: Grouped,
    calls_of: Grouped,
}

impl Graph {
    /// Reads the program's edges; cost is linear in its size.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let n = program.locations.len();
        // Edges are large and are gone through several times: what matters of them is copied out first.
        let callee = |kind: &EdgeKind| match kind {
            EdgeKind::Call(call) => Some(call.callee),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
        };
        let ends: IdVec<EdgeId, (LocationId, LocationId, Option<ProcedureId>)> =
            program.edges.iter().map(|edge| (edge.source, edge.target, callee(&edge.kind))).collect();
        Self {
            outgoing: Grouped::by(n, ends.iter_ids().map(|(id, ends)| (ends.0.index(), id))),
            incoming: Grouped::by(n, ends.iter_ids().map(|(id, ends)| (ends.1.index(), id))),
            calls_of: Grouped::by(
                program.procedures.len(),
                ends.iter_ids().filter_map(|(id, ends)| ends.2.map(|callee| (callee.index(), id))),
            ),
        }
    }

    /// Edges that start at the location, in order of their ids.
    #[must_use]
    pub fn outgoing(&self, location: LocationId) -> &[EdgeId] {
        self.outgoing.group(location.index())
    }

    /// Edges that end at the location (for calls: after the return), in order of their ids.
    #[must_use]
    pub fn incoming(&self, location: LocationId) -> &[EdgeId] {
        self.incoming.group(location.index())
    }

    /// Edges that call the procedure, in order of their ids.
    #[must_use]
    pub fn calls_of(&self, procedure: ProcedureId) -> &[EdgeId] {
        self.calls_of.group(procedure.index())
    }

    /// All locations in an order in which, loops and calls aside, a location comes after those that lead to it:
    /// procedure by procedure, reverse postorder from the entries; locations that no entry reaches come last.
    #[must_use]
    pub fn topological_order(&self, program: &Program) -> Vec<LocationId> {
        let mut seen: IdVec<LocationId, bool> = IdVec::filled(program.locations.len(), false);
        let mut order = Vec::with_capacity(program.locations.len());
        for procedure in &program.procedures {
            let mut postorder = Vec::new();
            for entry in procedure.entries.iter().rev() {
                self.postorder_from(program, *entry, &mut seen, &mut postorder);
            }
            order.extend(postorder.into_iter().rev());
        }
        order.extend(program.locations.ids().filter(|id| !seen[*id]));
        order
    }

    fn postorder_from(
        &self,
        program: &Program,
        root: LocationId,
        seen: &mut IdVec<LocationId, bool>,
        postorder: &mut Vec<LocationId>,
    ) {
        if std::mem::replace(&mut seen[root], true) {
            return;
        }
        let mut stack = vec![(root, self.outgoing(root).iter().rev())];
        while let Some((location, edges)) = stack.last_mut() {
            let Some(edge) = edges.next() else {
                postorder.push(*location);
                stack.pop();
                continue;
            };
            let target = program.edges[*edge].target;
            if !std::mem::replace(&mut seen[target], true) {
                stack.push((target, self.outgoing(target).iter().rev()));
            }
        }
    }
}

/// By procedure: what it calls, call edge by call edge, without repetitions in a row.
#[must_use]
pub fn callees(program: &Program) -> IdVec<ProcedureId, Vec<ProcedureId>> {
    let mut callees: IdVec<ProcedureId, Vec<ProcedureId>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind {
            let of_caller = &mut callees[program.locations[edge.source].procedure];
            if of_caller.last() != Some(&call.callee) {
                of_caller.push(call.callee);
            }
        }
    }
    callees
}

/// Edge ids grouped by a number, in one allocation.
#[derive(Clone, Debug)]
struct Grouped {
    starts: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Grouped {
    fn by(n_groups: usize, pairs: impl Iterator<Item = (usize, EdgeId)> + Clone) -> Self {
        let mut starts = vec![0u32; n_groups + 1];
        for (group, _) in pairs.clone() {
            starts[group + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![EdgeId(0); starts[n_groups] as usize];
        for (group, edge) in pairs {
            edges[next[group] as usize] = edge;
            next[group] += 1;
        }
        Self { starts, edges }
    }

    fn group(&self, group: usize) -> &[EdgeId] {
        &self.edges[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}
