//! Which shared and private variables a procedure may read or write, with all that it may call.

use base::{Id, IdVec};
use program::{EdgeKind, ProcedureId, Program, Scope, VariableId};

use crate::edit::{for_each_read_of, relations};

/// The variables that all procedures (of a thread) see, numbered.
#[derive(Clone, Debug)]
pub(crate) struct Globals {
    /// In order.
    pub(crate) variables: Vec<VariableId>,
    positions: IdVec<VariableId, u32>,
}

/// Stands for "not a global".
const NONE: u32 = u32::MAX;

impl Globals {
    pub(crate) fn of(program: &Program) -> Self {
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
    pub(crate) fn none(program: &Program) -> Self {
        Self { variables: Vec::new(), positions: IdVec::filled(program.variables.len(), NONE) }
    }

    /// The number of a variable, unless it is a local.
    pub(crate) fn position(&self, variable: VariableId) -> Option<usize> {
        let position = self.positions[variable];
        (position != NONE).then_some(position as usize)
    }
}

/// Which globals each procedure reads and writes, transitively. For sequential programs.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    n_words: usize,
    touched: Vec<u64>,
    written: Vec<u64>,
}

impl Effects {
    /// Cost: the size of the program, and procedures and calls times globals / 64.
    pub(crate) fn of(program: &Program, globals: &Globals) -> Self {
        let n_words = globals.variables.len().div_ceil(64);
        let n = program.procedures.len() * n_words;
        let mut effects = Self { n_words, touched: vec![0; n], written: vec![0; n] };
        for edge in &program.edges {
            let procedure = program.locations[edge.source].procedure;
            for relation in relations(&edge.kind) {
                for_each_read_of(relation, &mut |variable, _| {
                    if let Some(at) = globals.position(variable) {
                        effects.touched[procedure.index() * n_words + at / 64] |= 1 << (at % 64);
                    }
                });
                for update in &relation.updates {
                    if let Some(at) = globals.position(update.variable) {
                        let word = procedure.index() * n_words + at / 64;
                        effects.touched[word] |= 1 << (at % 64);
                        effects.written[word] |= 1 << (at % 64);
                    }
                }
            }
        }
        effects.close(program);
        effects
    }

    /// True when the procedure, or one that it may call, reads or writes the global with this number.
    pub(crate) fn touches(&self, procedure: ProcedureId, global: usize) -> bool {
        self.touched[procedure.index() * self.n_words + global / 64] >> (global % 64) & 1 == 1
    }

    /// True when the procedure, or one that it may call, writes the global with this number.
    pub(crate) fn writes(&self, procedure: ProcedureId, global: usize) -> bool {
        self.written[procedure.index() * self.n_words + global / 64] >> (global % 64) & 1 == 1
    }

    /// The globals that the procedure touches, 64 to a word.
    pub(crate) fn touched(&self, procedure: ProcedureId) -> &[u64] {
        &self.touched[procedure.index() * self.n_words..][..self.n_words]
    }

    /// Adds the effects of callees, callees first.
    fn close(&mut self, program: &Program) {
        let callees = callees(program);
        for component in
            base::components(callees.len(), |procedure: ProcedureId, at| callees[procedure].get(at).copied())
        {
            let (mut touched, mut written) = (vec![0; self.n_words], vec![0; self.n_words]);
            for procedure in component.iter().flat_map(|member| callees[*member].iter().chain([member])) {
                let start = procedure.index() * self.n_words;
                for word in 0..self.n_words {
                    touched[word] |= self.touched[start + word];
                    written[word] |= self.written[start + word];
                }
            }
            for member in component {
                let start = member.index() * self.n_words;
                self.touched[start..start + self.n_words].copy_from_slice(&touched);
                self.written[start..start + self.n_words].copy_from_slice(&written);
            }
        }
    }
}

/// The procedures that each procedure calls, without repetitions in a row.
fn callees(program: &Program) -> IdVec<ProcedureId, Vec<ProcedureId>> {
    let mut callees: IdVec<ProcedureId, Vec<ProcedureId>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        let callee = match &edge.kind {
            EdgeKind::Step(_) => continue,
            EdgeKind::Call(call) => call.callee,
            EdgeKind::Spawn(spawn) => spawn.callee,
        };
        let of_caller = &mut callees[program.locations[edge.source].procedure];
        if of_caller.last() != Some(&callee) {
            of_caller.push(callee);
        }
    }
    callees
}
