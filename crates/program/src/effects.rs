//! Mod/ref: which shared and private variables a procedure may read or write, with all that it may call.
//!
//! What edges do by themselves is read off their relations and then closed under calls, component by component of the
//! call graph. Sets are rows of bits, one row per procedure. The checkers do this anew: [`mod@crate::verify`] for
//! [`Procedure::untouched`](crate::Procedure::untouched), `witness` for certificates.

use base::{Id, IdVec, components};

use crate::graph::callees;
use crate::{EdgeKind, Expr, ProcedureId, Program, Relation, Scope, VariableId, When};

/// The variables that all procedures (of a thread) see, numbered.
#[derive(Clone, Debug)]
pub struct Globals {
    /// In order.
    pub variables: Vec<VariableId>,
    positions: IdVec<VariableId, u32>,
}

/// Stands for "not a global".
const NONE: u32 = u32::MAX;

impl Globals {
    /// All shared and private variables.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut positions = IdVec::filled(program.variables.len(), NONE);
        let mut variables = Vec::new();
        for (id, variable) in program.variables.iter_ids() {
            if !matches!(variable.scope, Scope::Local(_)) {
                positions[id] = variables.len() as u32;
                variables.push(id);
            }
        }
        Self { variables, positions }
    }

    /// No variables at all, for analyses that leave globals aside.
    #[must_use]
    pub fn none(program: &Program) -> Self {
        Self { variables: Vec::new(), positions: IdVec::filled(program.variables.len(), NONE) }
    }

    /// The number of a variable, unless it is a local.
    #[must_use]
    pub fn position(&self, variable: VariableId) -> Option<usize> {
        let position = self.positions[variable];
        (position != NONE).then_some(position as usize)
    }
}

/// A set of globals for each procedure, 64 to a word.
#[derive(Clone, Debug)]
pub struct Rows {
    n_words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn empty(program: &Program, globals: &Globals) -> Self {
        let n_words = globals.variables.len().div_ceil(64);
        Self { n_words, bits: vec![0; program.procedures.len() * n_words] }
    }

    /// Whether the set of a procedure has the global with this number.
    #[must_use]
    pub fn has(&self, procedure: ProcedureId, global: usize) -> bool {
        self.bits[procedure.index() * self.n_words + global / 64] >> (global % 64) & 1 == 1
    }

    /// The set of a procedure.
    #[must_use]
    pub fn row(&self, procedure: ProcedureId) -> &[u64] {
        &self.bits[procedure.index() * self.n_words..][..self.n_words]
    }

    fn add(&mut self, procedure: ProcedureId, global: usize) {
        self.bits[procedure.index() * self.n_words + global / 64] |= 1 << (global % 64);
    }

    /// Adds the sets of callees, callees first.
    fn close(&mut self, callees: &IdVec<ProcedureId, Vec<ProcedureId>>) {
        for component in components(callees.len(), |procedure: ProcedureId, at| callees[procedure].get(at).copied()) {
            let mut united = vec![0; self.n_words];
            for procedure in component.iter().flat_map(|member| callees[*member].iter().chain([member])) {
                united.iter_mut().zip(self.row(*procedure)).for_each(|(word, more)| *word |= more);
            }
            for member in component {
                let start = member.index() * self.n_words;
                self.bits[start..start + self.n_words].copy_from_slice(&united);
            }
        }
    }
}

/// Which globals each procedure reads and writes, with all that it calls or starts. For sequential programs.
#[derive(Clone, Debug)]
pub struct Effects {
    /// Read or written.
    pub touched: Rows,
    /// Written.
    pub written: Rows,
}

impl Effects {
    /// Cost: the size of the program, and procedures and calls times globals / 64.
    #[must_use]
    pub fn of(program: &Program, globals: &Globals) -> Self {
        let (mut touched, mut written) = (Rows::empty(program, globals), Rows::empty(program, globals));
        for edge in &program.edges {
            let procedure = program.locations[edge.source].procedure;
            for relation in edge.kind.relations() {
                let mut touch = |expr: &Expr| {
                    if let Expr::Read(variable, _) = expr
                        && let Some(global) = globals.position(*variable)
                    {
                        touched.add(procedure, global);
                    }
                };
                relation.exprs().for_each(|expr| expr.visit(&mut touch));
                for global in relation.updates.iter().filter_map(|update| globals.position(update.variable)) {
                    touched.add(procedure, global);
                    written.add(procedure, global);
                }
            }
        }
        let callees = callees_and_spawned(program);
        touched.close(&callees);
        written.close(&callees);
        Self { touched, written }
    }
}

/// Which globals may have another value at the exit of a procedure than its caller had before the call. What entering
/// sets counts as changed by the callee, so that the value at the entry is told apart from the one at the exit. Threads
/// that a procedure starts are not part of it.
#[must_use]
pub fn changed(program: &Program, globals: &Globals) -> Rows {
    let mut changed = Rows::empty(program, globals);
    let mut change = |procedure: ProcedureId, variable: VariableId| {
        if let Some(global) = globals.position(variable) {
            changed.add(procedure, global);
        }
    };
    for edge in &program.edges {
        let procedure = program.locations[edge.source].procedure;
        let mut enter = |relation: &Relation, callee: ProcedureId| {
            for update in &relation.updates {
                change(if update.when == When::Saved { procedure } else { callee }, update.variable);
            }
        };
        match &edge.kind {
            EdgeKind::Step(relation) => enter(relation, procedure),
            EdgeKind::Call(call) => {
                enter(&call.enter, call.callee);
                enter(&call.leave, procedure);
            }
            EdgeKind::Spawn(spawn) => enter(&spawn.enter, spawn.callee),
        }
    }
    changed.close(&callees(program));
    changed
}

/// The procedures that each procedure calls or starts as a thread.
fn callees_and_spawned(program: &Program) -> IdVec<ProcedureId, Vec<ProcedureId>> {
    let mut callees = callees(program);
    for edge in &program.edges {
        if let EdgeKind::Spawn(spawn) = &edge.kind {
            callees[program.locations[edge.source].procedure].push(spawn.callee);
        }
    }
    callees
}
