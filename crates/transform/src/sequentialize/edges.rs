//! The edges of the original on the copies of the shared variables.
//!
//! A step that touches shared variables becomes one step for each round. A call is one edge, whatever the round, because
//! it may return in a later one: what it reads and writes is chosen by the round.

use program::{Call, Edge, EdgeKind, Expr, Relation, Rhs, Scope, Update, Variable, VariableId, When};

use super::{Builder, Origin};
use crate::edit::for_each_read_of;

impl Builder<'_> {
    /// Adapts all edges that threads and `init` take.
    pub(super) fn edges(&mut self) {
        let plain = self.plain;
        for (id, edge) in plain.edges.iter_ids() {
            if !self.is_used[plain.locations[edge.source].procedure] {
                continue;
            }
            match &edge.kind {
                EdgeKind::Step(relation) if self.touches(relation) => {
                    self.program.edges[id].kind = EdgeKind::Step(self.in_round(relation, 0));
                    for round in 1..self.rounds.n {
                        let kind = EdgeKind::Step(self.in_round(relation, round));
                        self.edge(edge.source, edge.target, kind, Origin::Edge(id));
                    }
                }
                EdgeKind::Call(call) => self.call(id, edge, call),
                EdgeKind::Step(_) | EdgeKind::Spawn(_) => {}
            }
        }
    }

    /// Whether a relation is about something that threads change and others see.
    pub(super) fn touches(&self, relation: &Relation) -> bool {
        let mut touches = relation.updates.iter().any(|update| self.rounds.copies(update.variable).is_some());
        for_each_read_of(relation, &mut |variable, _| touches |= self.rounds.copies(variable).is_some());
        touches
    }

    fn in_round(&self, relation: &Relation, round: usize) -> Relation {
        let copy = |variable: VariableId| self.rounds.copies(variable).map_or(variable, |copies| copies[round]);
        let expr = |expr: &Expr| {
            expr.clone().map(&mut |expr| match expr {
                Expr::Read(variable, when) => Expr::Read(copy(variable), when),
                other => other,
            })
        };
        let update = |update: &Update| Update {
            variable: copy(update.variable),
            index: update.index.as_ref().map(expr),
            when: update.when,
            value: match &update.value {
                Rhs::Expr(value) => Rhs::Expr(expr(value)),
                Rhs::Any => Rhs::Any,
            },
        };
        Relation {
            guard: self.rounds.is(round).and(expr(&relation.guard)),
            updates: relation.updates.iter().map(update).collect(),
            constraint: expr(&relation.constraint),
        }
    }

    /// A call that returns as in the original, and one inside which the thread is dropped.
    fn call(&mut self, id: program::EdgeId, edge: &Edge, call: &Call) {
        let procedure = self.plain.locations[edge.source].procedure;
        let mut enter = self.in_any_round(&call.enter);
        let mut leave = self.in_any_round(&call.leave);
        if self.plain.locations[edge.source].atomic {
            let saved = self.saved(procedure);
            let value = Rhs::Expr(Expr::before(self.rounds.held));
            enter.updates.push(Update { variable: saved, index: None, when: When::Saved, value });
            enter.updates.push(Update::assign(self.rounds.held, Expr::TRUE));
            leave.updates.push(Update::assign(self.rounds.held, Expr::before(saved)));
        }
        let over = Expr::before(self.rounds.over);
        leave.guard = leave.guard.and(over.clone().not());
        let (callee, entry) = (call.callee, call.entry);
        let finished = Call { callee, entry, enter: enter.clone(), leave };
        self.program.edges[id].kind = EdgeKind::Call(Box::new(finished));
        let unfinished = Call { callee, entry, enter, leave: Relation::assume(over) };
        let drop = self.drop_of(procedure);
        self.edge(edge.source, drop, EdgeKind::Call(Box::new(unfinished)), Origin::Unfinished(id));
    }

    /// A local that keeps whether a caller holds an atomic section.
    fn saved(&mut self, procedure: program::ProcedureId) -> VariableId {
        let scope = Scope::Local(procedure);
        let known = self.program.procedures[procedure].locals.last();
        if let Some(known) = known.filter(|known| known.0 as usize >= self.rounds.n_variables) {
            return *known;
        }
        let names: Vec<&str> =
            self.program.procedures[procedure].frame().map(|it| self.program.variables[it].name.as_str()).collect();
        let name = crate::edit::free_name("held", |name| names.contains(&name));
        let id = self.program.variables.push(Variable { name, sort: program::Sort::Bool, scope });
        self.program.procedures[procedure].locals.push(id);
        id
    }

    /// The relation on the copies of the round in which the thread is.
    pub(super) fn in_any_round(&self, relation: &Relation) -> Relation {
        if !self.touches(relation) {
            return relation.clone();
        }
        let mut constraint = self.chosen(&relation.constraint);
        let mut updates = Vec::new();
        for update in &relation.updates {
            let (index, value) = (update.index.as_ref().map(|index| self.chosen(index)), &update.value);
            let value = match value {
                Rhs::Expr(value) => Rhs::Expr(self.chosen(value)),
                Rhs::Any => Rhs::Any,
            };
            let Some(copies) = self.rounds.copies(update.variable) else {
                updates.push(Update { index, value, ..update.clone() });
                continue;
            };
            for (round, copy) in copies.iter().enumerate() {
                let is_now = self.rounds.is(round);
                let old = match &index {
                    None => Expr::before(*copy),
                    Some(index) => Expr::Index(Box::new(Expr::before(*copy)), Box::new(index.clone())),
                };
                let value = match &value {
                    Rhs::Expr(value) => Rhs::Expr(Expr::Ite(Box::new(is_now), Box::new(value.clone()), Box::new(old))),
                    Rhs::Any => {
                        // Element by element, an array that is not of this round is as it was.
                        let kept = Expr::after(*copy).eq(Expr::before(*copy));
                        constraint = constraint.and(Expr::any_of([is_now, kept]));
                        Rhs::Any
                    }
                };
                updates.push(Update { variable: *copy, index: index.clone(), when: update.when, value });
            }
        }
        Relation { guard: self.chosen(&relation.guard), updates, constraint }
    }

    /// The expression with the values of the round in which the thread is.
    pub(super) fn chosen(&self, expr: &Expr) -> Expr {
        expr.clone().map(&mut |expr| match expr {
            Expr::Read(variable, when) => self.rounds.read(variable, when),
            other => other,
        })
    }
}
