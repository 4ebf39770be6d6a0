//! Which variable a name means where.

use rustc_hash::FxHashMap;

use crate::{ProcedureId, VariableId, When};

/// The variables of a program by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) globals: FxHashMap<String, VariableId>,
    pub(super) locals: FxHashMap<ProcedureId, FxHashMap<String, VariableId>>,
}

/// Where a name stands: in which frames it is looked up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// The procedure whose edge it is; none outside of procedures.
    pub(super) own: Option<ProcedureId>,
    /// The frame after the edge.
    pub(super) after: Option<ProcedureId>,
    /// The procedure that a call returns from.
    pub(super) callee: Option<ProcedureId>,
}

impl Context {
    fn frame(&self, when: When) -> Option<ProcedureId> {
        match when {
            When::Before | When::Saved => self.own,
            When::After => self.after,
            When::Result => self.callee,
        }
    }
}

impl Names {
    /// The local of a procedure.
    pub(super) fn local(&self, procedure: ProcedureId, name: &str) -> Option<VariableId> {
        self.locals.get(&procedure)?.get(name).copied()
    }

    /// The variable that a plain name means at a moment.
    pub(super) fn plain(&self, name: &str, context: &Context, when: When) -> Option<VariableId> {
        let local = context.frame(when).and_then(|procedure| self.local(procedure, name));
        local.or_else(|| self.globals.get(name).copied())
    }
}
