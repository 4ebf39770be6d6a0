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
        for component in components(&callees) {
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

/// The strongly connected components of a graph, successors first (Tarjan, without recursion).
fn components(successors: &IdVec<ProcedureId, Vec<ProcedureId>>) -> Vec<Vec<ProcedureId>> {
    const UNSEEN: u32 = u32::MAX;
    const DONE: u32 = u32::MAX - 1;
    let mut low: IdVec<ProcedureId, u32> = IdVec::filled(successors.len(), UNSEEN);
    let (mut components, mut open, mut n_seen) = (Vec::new(), Vec::new(), 0);
    let mut path: Vec<(ProcedureId, u32, usize)> = Vec::new();
    for root in successors.ids() {
        if low[root] != UNSEEN {
            continue;
        }
        let mut next = Some(root);
        loop {
            if let Some(procedure) = next.take() {
                low[procedure] = n_seen;
                open.push(procedure);
                path.push((procedure, n_seen, 0));
                n_seen += 1;
            }
            let Some((procedure, number, at)) = path.last_mut() else { break };
            if let Some(successor) = successors[*procedure].get(*at) {
                *at += 1;
                match low[*successor] {
                    UNSEEN => next = Some(*successor),
                    DONE => {}
                    seen => low[*procedure] = low[*procedure].min(seen),
                }
                continue;
            }
            let (procedure, number) = (*procedure, *number);
            path.pop();
            if low[procedure] == number {
                let start = open.iter().rposition(|member| *member == procedure).unwrap_or(0);
                let component = open.split_off(start);
                component.iter().for_each(|member| low[*member] = DONE);
                components.push(component);
            } else if let Some((parent, ..)) = path.last() {
                low[*parent] = low[*parent].min(low[procedure]);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_successors_first() {
        let graph: [&[u32]; 6] = [&[1, 3], &[2], &[1, 4], &[3], &[], &[0, 5]];
        let successors = graph.iter().map(|list| list.iter().copied().map(ProcedureId).collect()).collect();
        let mut components: Vec<Vec<u32>> =
            components(&successors).iter().map(|component| component.iter().map(|id| id.0).collect()).collect();
        components.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(components, [vec![4], vec![1, 2], vec![3], vec![0], vec![5]]);
    }
}
