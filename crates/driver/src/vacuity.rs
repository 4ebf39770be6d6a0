//! Is there a path at all? What holds only because nothing leads there says little about the program.

use std::collections::VecDeque;

use base::IdVec;
use program::{EdgeKind, Graph, LocationId, Program};

/// For each location, whether a path through the graph leads there from the start, whatever the data. A call is
/// passed over as well as entered, so a location that is not connected is unreachable in any case.
#[must_use]
pub fn connected(program: &Program) -> IdVec<LocationId, bool> {
    let graph = Graph::of(program);
    let mut connected = IdVec::filled(program.locations.len(), false);
    let mut queue = VecDeque::new();
    let mut visit = |location: LocationId, queue: &mut VecDeque<LocationId>| {
        if !std::mem::replace(&mut connected[location], true) {
            queue.push_back(location);
        }
    };
    let starts = program.init.into_iter().chain(program.threads.iter().map(|thread| thread.start));
    for start in starts {
        if let Some(entry) = program.procedures[start].entries.first() {
            visit(*entry, &mut queue);
        }
    }
    while let Some(location) = queue.pop_front() {
        for edge in graph.outgoing(location) {
            let edge = &program.edges[*edge];
            visit(edge.target, &mut queue);
            match &edge.kind {
                EdgeKind::Call(call) => visit(call.entry, &mut queue),
                EdgeKind::Spawn(spawn) => visit(spawn.entry, &mut queue),
                EdgeKind::Step(_) => {}
            }
        }
    }
    connected
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Call, ProgramBuilder, Relation};

    #[test]
    fn calls_connect_and_uncalled_procedures_are_not_connected() {
        let mut builder = ProgramBuilder::new();
        let [main, called, uncalled] = ["main", "called", "uncalled"].map(|name| builder.procedure(name));
        let [start, end, island, inside, outside] =
            [main, main, main, called, uncalled].map(|procedure| builder.location(procedure));
        for entry in [start, inside, outside] {
            builder.entry(entry);
        }
        let identity = Relation::identity;
        builder.call(start, end, Call { callee: called, entry: inside, enter: identity(), leave: identity() });
        builder.thread("main", main);
        let connected = connected(&builder.finish());
        assert_eq!([start, end, inside, island, outside].map(|at| connected[at]), [true, true, true, false, false]);
    }
}
