//! What each procedure may change and what its callers see: the syntactic side of summaries.

use base::{Id, IdVec};
use program::{Edge, EdgeKind, Expr, Graph, ProcedureId, Program, Relation, Scope, VariableId, When};

/// Effects of all procedures of a program.
#[derive(Debug)]
pub struct Effects {
    /// Locals that some edge of their procedure changes; results count as changed.
    changed_local: IdVec<VariableId, bool>,
    /// Locals whose value at the entry some caller determines.
    visible_local: IdVec<VariableId, bool>,
    /// Position of shared and private variables in the rows of `changed_global`.
    position: IdVec<VariableId, usize>,
    /// Per procedure, the shared and private variables that it or a procedure called by it changes.
    changed_global: IdVec<ProcedureId, Vec<u64>>,
    is_called: IdVec<ProcedureId, bool>,
}

impl Effects {
    /// Reads the effects off the edges, and closes them under calls.
    #[must_use]
    pub fn of(program: &Program, graph: &Graph) -> Self {
        let n_variables = program.variables.len();
        let mut position = IdVec::filled(n_variables, usize::MAX);
        let globals = program.variables.iter_ids().filter(|(_, v)| !matches!(v.scope, Scope::Local(_)));
        let mut n_globals = 0;
        for (id, _) in globals {
            position[id] = n_globals;
            n_globals += 1;
        }
        let row = vec![0u64; n_globals.div_ceil(64)];
        let mut effects = Self {
            changed_local: IdVec::filled(n_variables, false),
            visible_local: IdVec::filled(n_variables, false),
            position,
            changed_global: IdVec::filled(program.procedures.len(), row),
            is_called: IdVec::filled(program.procedures.len(), false),
        };
        effects.read_procedures(program);
        for edge in &program.edges {
            effects.read_edge(program, edge);
        }
        effects.close_under_calls(program, graph);
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

    fn read_edge(&mut self, program: &Program, edge: &Edge) {
        let procedure = program.locations[edge.source].procedure;
        match &edge.kind {
            EdgeKind::Step(relation) => self.read_writes(procedure, relation),
            EdgeKind::Call(call) => {
                self.is_called[call.callee] = true;
                self.read_writes(procedure, &call.leave);
                self.read_enter(procedure, call.callee, &call.enter);
            }
            EdgeKind::Spawn(spawn) => self.read_enter(procedure, spawn.callee, &spawn.enter),
        }
    }

    fn read_writes(&mut self, procedure: ProcedureId, relation: &Relation) {
        for update in &relation.updates {
            self.change(procedure, update.variable);
        }
    }

    /// A shared variable that entering changes counts as changed by the callee, so that its value at the entry is
    /// told apart from the one at the exit.
    fn read_enter(&mut self, caller: ProcedureId, callee: ProcedureId, enter: &Relation) {
        for update in &enter.updates {
            match update.when {
                When::Saved => self.change(caller, update.variable),
                When::After if self.is_local(update.variable) => self.visible_local[update.variable] = true,
                When::After | When::Before | When::Result => self.change(callee, update.variable),
            }
        }
        enter.constraint.visit(&mut |expr| {
            if let Expr::Read(variable, When::After) = expr
                && self.is_local(*variable)
            {
                self.visible_local[*variable] = true;
            }
        });
    }

    fn is_local(&self, variable: VariableId) -> bool {
        self.position[variable] == usize::MAX
    }

    fn change(&mut self, procedure: ProcedureId, variable: VariableId) {
        match self.position[variable] {
            usize::MAX => self.changed_local[variable] = true,
            position => self.changed_global[procedure][position / 64] |= 1 << (position % 64),
        }
    }

    fn close_under_calls(&mut self, program: &Program, graph: &Graph) {
        let mut worklist: Vec<ProcedureId> = program.procedures.ids().collect();
        while let Some(callee) = worklist.pop() {
            for call in graph.calls_of(callee) {
                let caller = program.locations[program.edges[*call].source].procedure;
                if caller != callee && self.absorb(caller, callee) {
                    worklist.push(caller);
                }
            }
        }
    }

    fn absorb(&mut self, caller: ProcedureId, callee: ProcedureId) -> bool {
        let mut grown = false;
        for word in 0..self.changed_global[callee].len() {
            let more = self.changed_global[callee][word];
            let old = self.changed_global[caller][word];
            self.changed_global[caller][word] = old | more;
            grown |= old | more != old;
        }
        grown
    }

    /// May the procedure, or one that it calls, change the variable?
    #[must_use]
    pub fn changes(&self, procedure: ProcedureId, variable: VariableId) -> bool {
        match self.position[variable] {
            usize::MAX => self.changed_local[variable],
            position => self.changed_global[procedure][position / 64] >> (position % 64) & 1 == 1,
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

    /// Number of procedures.
    #[must_use]
    pub fn n_procedures(&self) -> usize {
        self.changed_global.len()
    }

    /// The first shared or private variables, as positions; used to iterate deterministically.
    #[must_use]
    pub fn is_global(&self, variable: VariableId) -> bool {
        debug_assert!(variable.index() < self.position.len(), "ids come from the same program");
        !self.is_local(variable)
    }
}
