//! Where a thread may be interrupted: it advances to a later round, or is dropped.
//!
//! A run in which threads are interrupted elsewhere has another that reaches as much: what a thread does after its last
//! change of something that others see, it does as well at the beginning of its next round, or not at all. Only a section
//! that keeps others from running must be left before.

use program::{EdgeKind, Expr, LocationId, Relation, Update};

use super::{Builder, Origin};

impl Builder<'_> {
    /// Adds what threads do when they are interrupted.
    pub(super) fn points(&mut self) {
        let points = self.points_of_threads();
        let guard = Expr::before(self.rounds.held).not().and(self.chosen(&self.plain.uninterruptible).not());
        for point in points {
            self.make_inner(point);
            let drop = self.drop_of(self.plain.locations[point].procedure);
            let updates = vec![Update::assign(self.rounds.over, Expr::TRUE)];
            let relation = Relation { guard: guard.clone(), updates, constraint: Expr::TRUE };
            self.edge(point, drop, EdgeKind::Step(relation), Origin::Nothing);
            for round in 1..self.rounds.n {
                let is_later = self.rounds.is_before(round).and(self.rounds.is_open(round));
                let guard = is_later.and(guard.clone());
                let relation = Relation { guard, updates: self.rounds.enter(round), constraint: Expr::TRUE };
                self.edge(point, point, EdgeKind::Step(relation), Origin::Nothing);
            }
        }
    }

    /// The locations where threads may be interrupted, in order.
    fn points_of_threads(&self) -> Vec<LocationId> {
        let plain = self.plain;
        let mut points: Vec<LocationId> = Vec::new();
        for edge in plain.edges.iter().filter(|edge| self.in_threads[plain.locations[edge.source].procedure]) {
            let from_section = plain.locations[edge.source].atomic;
            match &edge.kind {
                EdgeKind::Step(relation) if from_section || self.touches(relation) => points.push(edge.target),
                EdgeKind::Step(_) | EdgeKind::Spawn(_) => {}
                EdgeKind::Call(call) => {
                    let exits = &plain.procedures[call.callee].exits;
                    let from_section = from_section || exits.iter().any(|exit| plain.locations[*exit].atomic);
                    points.extend(Some(call.entry).filter(|_| self.touches(&call.enter)));
                    points.extend(Some(edge.target).filter(|_| from_section || self.touches(&call.leave)));
                }
            }
        }
        points.sort_unstable();
        points.dedup();
        points.retain(|point| !plain.locations[*point].atomic);
        points
    }

    /// Reaching a target is noted, and the thread is dropped.
    pub(super) fn arrivals(&mut self, targets: &[LocationId]) {
        for (at, target) in targets.iter().enumerate() {
            let procedure = self.plain.locations[*target].procedure;
            if !self.is_used[procedure] {
                continue;
            }
            self.make_inner(*target);
            let drop = self.drop_of(procedure);
            let note = Update::assign(self.rounds.target, self.rounds.target_number(at + 1));
            let updates = vec![note, Update::assign(self.rounds.over, Expr::TRUE)];
            let relation = Relation { guard: self.rounds.target_is(0), updates, constraint: Expr::TRUE };
            self.edge(*target, drop, EdgeKind::Step(relation), Origin::Arrive);
        }
    }

    /// No edge leaves an exit: one that needs them gets another exit behind it.
    fn make_inner(&mut self, location: LocationId) {
        let procedure = self.plain.locations[location].procedure;
        let exits = &self.program.procedures[procedure].exits;
        let Some(at) = exits.iter().position(|exit| *exit == location) else { return };
        let behind = self.location(procedure);
        self.program.procedures[procedure].exits[at] = behind;
        self.edge(location, behind, EdgeKind::Step(Relation::identity()), Origin::Nothing);
    }
}
