//! The pass `unreachable`: what no path of the control graph reaches loses its edges.
//!
//! Paths start where the threads start. A call leads to the callee's entry and, once an exit of the callee is reached
//! by some path, to where the caller goes on; edges whose guard or constraint is the constant false lead nowhere.
//! Data is not looked at beyond that.

use base::IdVec;
use program::{Edge, EdgeKind, Graph, LocationId, ProcedureId, Program};

use crate::edit::{is_impossible, retain_edges};
use crate::{LocationBack, Pass, WayBack};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct Unreachable;

impl Pass for Unreachable {
    fn name(&self) -> &'static str {
        "unreachable"
    }

    fn description(&self) -> &'static str {
        "drops locations and procedures that no path of the control graph reaches"
    }

    fn rewrite(&self, program: &mut Program, _: &[LocationId]) -> Option<WayBack> {
        let reached = Search::run(program);
        let keep = |edge: &Edge| reached[edge.source] && !edge.kind.relations().next().is_some_and(is_impossible);
        if program.edges.iter().all(keep) {
            return None;
        }
        let unreached = reached.iter_ids().filter(|(_, reached)| !**reached);
        let locations = unreached.map(|(id, _)| (id, LocationBack::Nothing)).collect();
        let kept = program.edges.iter().map(keep).collect();
        let edges = retain_edges(program, &kept);
        Some(WayBack { edges: Some(edges), locations, ..WayBack::default() })
    }
}

/// The search for reachable locations.
struct Search<'p> {
    program: &'p Program,
    graph: Graph,
    reached: IdVec<LocationId, bool>,
    returns: IdVec<ProcedureId, bool>,
    work: Vec<LocationId>,
}

impl<'p> Search<'p> {
    fn run(program: &'p Program) -> IdVec<LocationId, bool> {
        let mut search = Self {
            program,
            graph: Graph::of(program),
            reached: IdVec::filled(program.locations.len(), false),
            returns: IdVec::filled(program.procedures.len(), false),
            work: Vec::new(),
        };
        for procedure in program.threads.iter().map(|thread| thread.start).chain(program.init) {
            if let Some(entry) = program.procedures[procedure].entries.first() {
                search.reach(*entry);
            }
        }
        let exits = exits(program);
        while let Some(location) = search.work.pop() {
            search.follow(location);
            if exits[location] {
                search.resume(program.locations[location].procedure);
            }
        }
        search.reached
    }

    fn reach(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.reached[location], true) {
            self.work.push(location);
        }
    }

    fn follow(&mut self, location: LocationId) {
        let program = self.program;
        for at in 0..self.graph.outgoing(location).len() {
            let edge = &program.edges[self.graph.outgoing(location)[at]];
            if edge.kind.relations().next().is_some_and(is_impossible) {
                continue;
            }
            match &edge.kind {
                EdgeKind::Step(_) => self.reach(edge.target),
                EdgeKind::Spawn(spawn) => {
                    self.reach(spawn.entry);
                    self.reach(edge.target);
                }
                EdgeKind::Call(call) => {
                    self.reach(call.entry);
                    if self.returns[call.callee] && !is_impossible(&call.leave) {
                        self.reach(edge.target);
                    }
                }
            }
        }
    }

    /// Lets the callers go on when the first exit of the procedure is reached.
    fn resume(&mut self, procedure: ProcedureId) {
        if std::mem::replace(&mut self.returns[procedure], true) {
            return;
        }
        for at in 0..self.graph.calls_of(procedure).len() {
            let edge = &self.program.edges[self.graph.calls_of(procedure)[at]];
            if self.reached[edge.source] && !edge.kind.relations().any(is_impossible) {
                self.reach(edge.target);
            }
        }
    }
}

/// Which locations are exits.
fn exits(program: &Program) -> IdVec<LocationId, bool> {
    let mut exits = IdVec::filled(program.locations.len(), false);
    for exit in program.procedures.iter().flat_map(|procedure| &procedure.exits) {
        exits[*exit] = true;
    }
    exits
}

#[cfg(test)]
mod tests {
    use program::{EdgeId, Expr, Relation};

    use super::*;
    use crate::sample::{call, chain, finish, with_main};

    #[test]
    fn what_follows_a_call_without_return_is_dropped() {
        let (mut builder, main, _) = with_main();
        let endless = builder.procedure("endless");
        let looping = builder.location(endless);
        builder.entry(looping);
        let exit = builder.location(endless);
        builder.exit(exit);
        builder.step(looping, looping, Relation::identity());
        builder.step(looping, exit, Relation::assume(Expr::FALSE));
        let unused = builder.procedure("unused");
        chain(&mut builder, unused, vec![Relation::identity()]);
        let rest = chain(&mut builder, main, vec![Relation::identity()]);
        let start = builder.location(main);
        let to_endless = call(&builder, endless, Vec::new());
        let calling = builder.call(start, rest[0], to_endless);
        let mut program = finish(builder);
        program.procedures[main].entries = vec![start];
        let (result, way_back) = Unreachable.apply(&program, &[]).unwrap();
        assert_eq!(result.edges.len(), 2, "the loop and the call are left");
        assert_eq!(way_back.edge(EdgeId(1)), calling);
        let nothing = way_back.locations.iter().map(|(id, back)| (*id, *back)).collect::<Vec<_>>();
        let unreached = [exit, LocationId(2), LocationId(3), rest[0], rest[1]];
        assert_eq!(nothing, unreached.map(|id| (id, LocationBack::Nothing)));
    }

    #[test]
    fn calls_made_before_the_callee_is_known_to_return_go_on() {
        let (mut builder, main, _) = with_main();
        let callee = builder.procedure("callee");
        chain(&mut builder, callee, vec![Relation::identity()]);
        let locations: Vec<LocationId> = (0..3).map(|_| builder.location(main)).collect();
        builder.entry(locations[0]);
        builder.exit(locations[2]);
        for pair in locations.windows(2) {
            let call = call(&builder, callee, Vec::new());
            builder.call(pair[0], pair[1], call);
        }
        assert_eq!(Unreachable.apply(&finish(builder), &[]), None);
    }
}
