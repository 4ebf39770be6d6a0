//! What edges read and write, at which moments, and of which sorts.

use base::IdVec;

use super::sorts::{check_index, expect, name};
use super::{Defects, Part};
use crate::{
    EdgeKind, Expr, ProcedureId, Program, Relation, Rhs, Scope, Sort, Update, VariableId, When, verify::SortError,
};

pub(super) fn check(program: &Program, defects: &mut Defects) {
    let mut is_result: IdVec<VariableId, bool> = IdVec::filled(program.variables.len(), false);
    for procedure in &program.procedures {
        procedure.results.iter().for_each(|result| is_result[*result] = true);
    }
    for (id, edge) in program.edges.iter_ids() {
        let own = program.locations[edge.source].procedure;
        let mut check = |relation: &Relation, kind: Kind| {
            let checker = Checker { program, is_result: &is_result, own, kind, part: Part::Edge(id) };
            checker.relation(relation, defects);
        };
        match &edge.kind {
            EdgeKind::Step(relation) => check(relation, Kind::Step),
            EdgeKind::Call(call) => {
                check(&call.enter, Kind::Enter(call.callee));
                check(&call.leave, Kind::Leave(call.callee));
            }
            EdgeKind::Spawn(spawn) => check(&spawn.enter, Kind::Spawn(spawn.callee)),
        }
    }
    conditions(program, defects);
}

/// The start condition and the condition under which threads are not interrupted.
fn conditions(program: &Program, defects: &mut Defects) {
    let frame = match program.threads.as_slice() {
        [only] if program.init.is_none() => Some(only.start),
        _ => None,
    };
    let visible_at_start = |scope: Scope| match scope {
        Scope::Shared | Scope::Private => true,
        Scope::Local(procedure) => Some(procedure) == frame,
    };
    condition(program, &program.start, Part::Start, visible_at_start, defects);
    condition(program, &program.uninterruptible, Part::Uninterruptible, |scope| scope == Scope::Shared, defects);
    let chooses = program.uninterruptible.has_any();
    defects.add_if(chooses, Part::Uninterruptible, || "contains a choice".into());
}

fn condition(program: &Program, expr: &Expr, part: Part, visible: impl Fn(Scope) -> bool, defects: &mut Defects) {
    if let Err(error) = expect(program, expr, &Sort::Bool, "the condition") {
        defects.add(part, error.message);
    }
    for (variable, when) in expr.reads() {
        let wrong = when != When::Before || !visible(program.variables[variable].scope);
        let message = || format!("reads {} ({when:?}), which it must not", program.qualified_name(variable));
        defects.add_if(wrong, part, message);
    }
}

/// What an edge does with frames.
#[derive(Clone, Copy)]
enum Kind {
    Step,
    Enter(ProcedureId),
    Leave(ProcedureId),
    Spawn(ProcedureId),
}

/// Checks the relations of one edge.
struct Checker<'a> {
    program: &'a Program,
    is_result: &'a IdVec<VariableId, bool>,
    /// The procedure that the edge belongs to.
    own: ProcedureId,
    kind: Kind,
    part: Part,
}

impl Checker<'_> {
    fn relation(&self, relation: &Relation, defects: &mut Defects) {
        self.sort(expect(self.program, &relation.guard, &Sort::Bool, "the guard"), defects);
        self.sort(expect(self.program, &relation.constraint, &Sort::Bool, "the constraint"), defects);
        self.reads(&relation.guard, "the guard", |variable, when| self.is_before(variable, when), defects);
        let anything = |variable, when| self.is_before(variable, when) || self.is_after(variable, when);
        self.reads(&relation.constraint, "the constraint", anything, defects);
        for update in &relation.updates {
            self.update(update, defects);
        }
        self.no_double_updates(relation, defects);
    }

    fn sort(&self, result: Result<(), SortError>, defects: &mut Defects) {
        if let Err(error) = result {
            defects.add(self.part, error.message);
        }
    }

    fn reads(&self, expr: &Expr, what: &str, allowed: impl Fn(VariableId, When) -> bool, defects: &mut Defects) {
        expr.visit(&mut |expr| {
            if let Expr::Read(variable, when) = expr {
                let message = || format!("{what} reads {} ({when:?}), which it must not", self.name(*variable));
                defects.add_if(!allowed(*variable, *when), self.part, message);
            }
        });
    }

    fn name(&self, variable: VariableId) -> String {
        self.program.qualified_name(variable)
    }

    /// Part of the state before the edge.
    fn is_before(&self, variable: VariableId, when: When) -> bool {
        match (when, self.program.variables[variable].scope) {
            (When::Before, Scope::Shared | Scope::Private) => true,
            (When::Before, Scope::Local(procedure)) => procedure == self.own,
            (When::Result, Scope::Local(procedure)) => {
                matches!(self.kind, Kind::Leave(callee) if callee == procedure) && self.is_result[variable]
            }
            _ => false,
        }
    }

    /// Part of the state after the edge, or the saved frame: what the edge may write.
    fn is_after(&self, variable: VariableId, when: When) -> bool {
        let frame = match self.kind {
            Kind::Step | Kind::Leave(_) => self.own,
            Kind::Enter(callee) | Kind::Spawn(callee) => callee,
        };
        match (when, self.program.variables[variable].scope) {
            (When::After, Scope::Shared | Scope::Private) => true,
            (When::After, Scope::Local(procedure)) => procedure == frame,
            (When::Saved, Scope::Local(procedure)) => procedure == self.own && matches!(self.kind, Kind::Enter(_)),
            _ => false,
        }
    }

    fn update(&self, update: &Update, defects: &mut Defects) {
        let Update { variable, index, when, value } = update;
        let written = !self.is_after(*variable, *when);
        let message = || format!("writes {} ({when:?}), which it must not", self.name(*variable));
        defects.add_if(written, self.part, message);
        for expr in update.exprs() {
            self.reads(expr, "an update", |variable, when| self.is_before(variable, when), defects);
        }
        let mut sort = self.program.sort(*variable);
        if let Some(index) = index {
            self.sort(check_index(self.program, index), defects);
            let Sort::Array(element, _) = sort else {
                let sort = name(self.program, sort);
                return defects
                    .add(self.part, format!("{} is of sort {sort} and has no elements", self.name(*variable)));
            };
            sort = element;
        }
        if let Rhs::Expr(expr) = value {
            let what = format!("the new value of {}", self.name(*variable));
            self.sort(expect(self.program, expr, sort, &what), defects);
        }
    }

    fn no_double_updates(&self, relation: &Relation, defects: &mut Defects) {
        let mut written: Vec<(VariableId, When, bool)> =
            relation.updates.iter().map(|update| (update.variable, update.when, update.index.is_some())).collect();
        written.sort_unstable();
        for pair in written.windows(2) {
            let [(variable, when, whole), (again, again_when, _)] = [pair[0], pair[1]];
            // A whole update sorts before those of elements.
            let double = variable == again && when == again_when && !whole;
            defects.add_if(double, self.part, || format!("writes {} twice", self.name(variable)));
        }
    }
}
