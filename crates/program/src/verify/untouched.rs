//! Claims about variables that procedures leave alone.
//!
//! What a procedure touches is what its edges read or write and what the procedures touch that it calls. The claimed
//! variables are taken 64 at a time, one machine word per procedure, and the words of callees are added to those of
//! callers, component by component of the call graph: the cost is that of reading the calls once per 64 variables.

use base::{Id as _, IdVec};

use super::{Defects, Part};
use crate::{EdgeKind, ProcedureId, Program, Relation, Scope, VariableId};

pub(super) fn check(program: &Program, defects: &mut Defects) {
    let touches = direct_touches(program);
    let calls = Calls::of(program);
    claims(program, &touches, &calls, defects);
    init_without_private(program, &touches, &calls, defects);
}

/// Which procedure reads or writes which shared or private variable by itself, without repetitions, by variable.
fn direct_touches(program: &Program) -> Vec<(VariableId, ProcedureId)> {
    let mut touches = Vec::new();
    for edge in &program.edges {
        let procedure = program.locations[edge.source].procedure;
        let mut touch = |variable: VariableId| {
            if !matches!(program.variables[variable].scope, Scope::Local(_)) {
                touches.push((variable, procedure));
            }
        };
        let mut relation = |relation: &Relation| {
            relation.updates.iter().for_each(|update| touch(update.variable));
            relation.exprs().flat_map(crate::Expr::reads).for_each(|(variable, _)| touch(variable));
        };
        match &edge.kind {
            EdgeKind::Step(step) => relation(step),
            EdgeKind::Call(call) => [&call.enter, &call.leave].into_iter().for_each(relation),
            EdgeKind::Spawn(spawn) => relation(&spawn.enter),
        }
    }
    touches.sort_unstable();
    touches.dedup();
    touches
}

fn claims(program: &Program, touches: &[(VariableId, ProcedureId)], calls: &Calls, defects: &mut Defects) {
    let mut claimed: Vec<(VariableId, ProcedureId)> = Vec::new();
    for (id, procedure) in program.procedures.iter_ids() {
        let sorted = procedure.untouched.is_sorted_by(|earlier, later| earlier < later);
        let message = || "its untouched variables are not in ascending order, each once".into();
        defects.add_if(!sorted, Part::Procedure(id), message);
        for variable in &procedure.untouched {
            let local = matches!(program.variables[*variable].scope, Scope::Local(_));
            let name = || program.qualified_name(*variable);
            defects.add_if(local, Part::Procedure(id), || format!("lists the local {} as untouched", name()));
            claimed.push((*variable, id));
        }
    }
    claimed.sort_unstable();
    let mut variables: Vec<VariableId> = claimed.iter().map(|(variable, _)| *variable).collect();
    variables.dedup();
    for batch in variables.chunks(u64::BITS as usize) {
        let bit = |variable: VariableId| batch.binary_search(&variable).ok().map(|at| 1u64 << at);
        let mut touched: IdVec<ProcedureId, u64> = IdVec::filled(program.procedures.len(), 0);
        for (variable, procedure) in within(touches, batch) {
            touched[*procedure] |= bit(*variable).unwrap_or(0);
        }
        calls.add_callees(&mut touched);
        for (variable, procedure) in within(&claimed, batch) {
            let wrong = touched[*procedure] & bit(*variable).unwrap_or(0) != 0;
            let name = || program.qualified_name(*variable);
            defects.add_if(wrong, Part::Procedure(*procedure), || {
                format!("lists {} as untouched, but touches it", name())
            });
        }
    }
}

/// The pairs whose variables lie between the first and the last of the batch.
fn within<'a>(pairs: &'a [(VariableId, ProcedureId)], batch: &[VariableId]) -> &'a [(VariableId, ProcedureId)] {
    let [Some(first), Some(last)] = [batch.first(), batch.last()] else { return &[] };
    let from = pairs.partition_point(|(variable, _)| variable < first);
    let to = pairs.partition_point(|(variable, _)| variable <= last);
    &pairs[from..to]
}

/// `init` runs before there are threads, so it has no private variables.
fn init_without_private(
    program: &Program,
    touches: &[(VariableId, ProcedureId)],
    calls: &Calls,
    defects: &mut Defects,
) {
    let Some(init) = program.init else { return };
    let mut reached: IdVec<ProcedureId, bool> = IdVec::filled(program.procedures.len(), false);
    let mut todo = vec![init];
    while let Some(procedure) = todo.pop() {
        if !std::mem::replace(&mut reached[procedure], true) {
            todo.extend(calls.of_caller(procedure).iter().map(|(_, callee)| *callee));
        }
    }
    for (variable, procedure) in touches {
        let wrong = reached[*procedure] && program.variables[*variable].scope == Scope::Private;
        let name = || program.qualified_name(*variable);
        let message = || format!("touches the private variable {}, but runs before there are threads", name());
        defects.add_if(wrong, Part::Procedure(*procedure), message);
    }
}

/// The call graph.
struct Calls {
    /// Caller and callee, in order, without repetitions.
    pairs: Vec<(ProcedureId, ProcedureId)>,
    /// Where the pairs of each caller begin, and one past the end.
    starts: Vec<usize>,
    /// Strongly connected components, callees before callers.
    components: Vec<Vec<ProcedureId>>,
}

impl Calls {
    fn of(program: &Program) -> Self {
        let call = |edge: &crate::Edge| match &edge.kind {
            EdgeKind::Call(call) => Some((program.locations[edge.source].procedure, call.callee)),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
        };
        let mut pairs: Vec<(ProcedureId, ProcedureId)> = program.edges.iter().filter_map(call).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let start = |caller: usize| pairs.partition_point(|(procedure, _)| procedure.index() < caller);
        let starts = (0..=program.procedures.len()).map(start).collect();
        let mut calls = Self { pairs, starts, components: Vec::new() };
        let callee = |caller: ProcedureId, at: usize| calls.of_caller(caller).get(at).map(|(_, callee)| *callee);
        calls.components = base::components(program.procedures.len(), callee);
        calls
    }

    fn of_caller(&self, caller: ProcedureId) -> &[(ProcedureId, ProcedureId)] {
        &self.pairs[self.starts[caller.index()]..self.starts[caller.index() + 1]]
    }

    /// Adds to each procedure's bits those of all that it may call.
    fn add_callees(&self, bits: &mut IdVec<ProcedureId, u64>) {
        for component in &self.components {
            let all =
                component.iter().flat_map(|procedure| self.of_caller(*procedure)).map(|(_, callee)| bits[*callee]);
            let own = component.iter().map(|procedure| bits[*procedure]);
            let sum = all.chain(own).fold(0, |sum, bits| sum | bits);
            component.iter().for_each(|procedure| bits[*procedure] = sum);
        }
    }
}
