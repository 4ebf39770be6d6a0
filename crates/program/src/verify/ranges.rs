//! Ids point into their tables.

use base::{Id, IdVec};

use super::{Defects, Part};
use crate::{EdgeKind, Expr, Program, Relation, Scope, Sort};

pub(super) fn check(program: &Program, defects: &mut Defects) {
    let mut ranges = Ranges { program, defects, part: Part::Program };
    for (id, variable) in program.variables.iter_ids() {
        ranges.part = Part::Variable(id);
        if let Scope::Local(procedure) = variable.scope {
            ranges.procedure(procedure);
        }
        ranges.sort(&variable.sort);
    }
    for (id, location) in program.locations.iter_ids() {
        ranges.part = Part::Location(id);
        ranges.procedure(location.procedure);
    }
    ranges.procedures();
    ranges.edges();
    ranges.part = Part::Program;
    if let Some(init) = program.init {
        ranges.procedure(init);
    }
    for (at, thread) in program.threads.iter().enumerate() {
        ranges.part = Part::Thread(at);
        ranges.procedure(thread.start);
    }
    ranges.part = Part::Start;
    ranges.expr(&program.start);
    ranges.part = Part::Uninterruptible;
    ranges.expr(&program.uninterruptible);
}

struct Ranges<'a> {
    program: &'a Program,
    defects: &'a mut Defects,
    part: Part,
}

impl Ranges<'_> {
    fn id<I: Id, T>(&mut self, id: I, table: &IdVec<I, T>, what: &str) {
        let wrong = table.get(id).is_none();
        self.defects.add_if(wrong, self.part, || format!("refers to {what} {}, which does not exist", id.index()));
    }

    fn procedure(&mut self, id: crate::ProcedureId) {
        self.id(id, &self.program.procedures, "procedure");
    }

    fn sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Bool | Sort::Bits(_) | Sort::Int => {}
            Sort::Enum(id) => self.id(*id, &self.program.enums, "enumeration"),
            Sort::Array(element, _) => self.sort(element),
        }
    }

    fn procedures(&mut self) {
        let program = self.program;
        for (id, procedure) in program.procedures.iter_ids() {
            self.part = Part::Procedure(id);
            for variable in procedure.frame().chain(procedure.untouched.iter().copied()) {
                self.id(variable, &program.variables, "variable");
            }
            for location in procedure.locations.iter().chain(&procedure.entries).chain(&procedure.exits) {
                self.id(*location, &program.locations, "location");
            }
        }
    }

    fn edges(&mut self) {
        let program = self.program;
        for (id, edge) in program.edges.iter_ids() {
            self.part = Part::Edge(id);
            self.id(edge.source, &program.locations, "location");
            self.id(edge.target, &program.locations, "location");
            match &edge.kind {
                EdgeKind::Step(relation) => self.relation(relation),
                EdgeKind::Call(call) => {
                    self.procedure(call.callee);
                    self.id(call.entry, &program.locations, "location");
                    self.relation(&call.enter);
                    self.relation(&call.leave);
                }
                EdgeKind::Spawn(spawn) => {
                    self.procedure(spawn.callee);
                    self.id(spawn.entry, &program.locations, "location");
                    self.relation(&spawn.enter);
                }
            }
        }
    }

    fn relation(&mut self, relation: &Relation) {
        for update in &relation.updates {
            self.id(update.variable, &self.program.variables, "variable");
        }
        for expr in relation.exprs() {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.visit(&mut |expr| match expr {
            Expr::Read(variable, _) => self.id(*variable, &self.program.variables, "variable"),
            Expr::Const(_, sort) => self.sort(sort),
            _ => {}
        });
    }
}
