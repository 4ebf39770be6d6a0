//! What each procedure may change and what its callers see: the syntactic side of summaries.

use base::IdVec;
use program::effects::{Globals, Rows, changed};
use program::{EdgeKind, Expr, ProcedureId, Program, Relation, VariableId, When};

/// Effects of all procedures of a program.
#[derive(Debug)]
pub struct Effects {
    /// Locals that some edge of their procedure changes; results count as changed.
    changed_local: IdVec<VariableId, bool>,
    /// Locals whose value at the entry some caller determines.
    visible_local: IdVec<VariableId, bool>,
    globals: Globals,
    /// Per procedure, the shared and private variables that it or a procedure called by it changes.
    changed_global: Rows,
    is_called: IdVec<ProcedureId, bool>,
}

impl Effects {
    /// Reads the effects off the edges, and closes them under calls.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let n_variables = program.variables.len();
        let globals = Globals::of(program);
        let mut effects = Self {
            changed_local: IdVec::filled(n_variables, false),
            visible_local: IdVec::filled(n_variables, false),
            changed_global: changed(program, &globals),
            globals,
            is_called: IdVec::filled(program.procedures.len(), false),
        };
        effects.read_procedures(program);
        program.edges.iter().for_each(|edge| effects.read_edge(&edge.kind));
        effects
    }

    fn read_procedures(&mut self, program: &Program) {
        for procedure in &program.procedures {
            for parameter in &procedure.parameters {
                self.visible_local[*parameter] = true;
            }
            for result in &procedure.results {
                self.changed_local[*result] = true;
            }
        }
    }

    fn read_edge(&mut self, kind: &EdgeKind) {
        match kind {
            EdgeKind::Step(relation) => self.read_writes(relation),
            EdgeKind::Call(call) => {
                self.is_called[call.callee] = true;
                self.read_writes(&call.leave);
                self.read_enter(&call.enter);
            }
            EdgeKind::Spawn(spawn) => self.read_enter(&spawn.enter),
        }
    }

    fn read_writes(&mut self, relation: &Relation) {
        relation.updates.iter().for_each(|update| self.changed_local[update.variable] = true);
    }

    fn read_enter(&mut self, enter: &Relation) {
        for update in &enter.updates {
            match update.when {
                When::After => self.visible_local[update.variable] = true,
                When::Saved | When::Before | When::Result => self.changed_local[update.variable] = true,
            }
        }
        enter.constraint.visit(&mut |expr| {
            if let Expr::Read(variable, When::After) = expr {
                self.visible_local[*variable] = true;
            }
        });
    }

    /// May the procedure, or one that it calls, change the variable?
    #[must_use]
    pub fn changes(&self, procedure: ProcedureId, variable: VariableId) -> bool {
        match self.globals.position(variable) {
            None => self.changed_local[variable],
            Some(global) => self.changed_global.has(procedure, global),
        }
    }

    /// Does a caller determine the value of this local at the entry?
    #[must_use]
    pub fn is_visible(&self, local: VariableId) -> bool {
        self.visible_local[local]
    }

    /// Is there a call of the procedure?
    #[must_use]
    pub fn is_called(&self, procedure: ProcedureId) -> bool {
        self.is_called[procedure]
    }

    /// Whether a variable is shared or private.
    #[must_use]
    pub fn is_global(&self, variable: VariableId) -> bool {
        self.globals.position(variable).is_some()
    }
}
