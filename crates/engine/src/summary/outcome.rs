//! What a procedure may leave in the shared variables, as a condition.

use base::StopReason;
use bdd::{Bdd, Interrupt, Manager, Stop, Var};
use encode::{Copy, Encoding};
use program::{Expr, Graph, ProcedureId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;

use super::{Halt, Solver, manager_config};
use crate::init::bit_is_set;
use crate::{Context, Task};

/// Largest condition that is written out.
const MAX_SIZE: usize = 1 << 16;

/// The shared values with which the start procedure of a sequential program may end.
pub(crate) fn outcomes(program: &Program, start: ProcedureId, context: &Context<'_>) -> Result<Expr, StopReason> {
    let graph = Graph::of(program);
    let manager = Manager::new(&manager_config(program, context));
    manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
    let (targets, lengths) = ([], []);
    let task = Task { program, targets: &targets, lengths: &lengths, bound: None, traces: false, certificate: false };
    let mut solver = Solver::new(&task, context, &graph, Encoding::new(task.program, &graph, manager), start);
    let found = solver.run_to_the_end().and_then(|()| written_out(&solver));
    found.map_err(|halt| solver.reason(halt))
}

fn written_out(solver: &Solver<'_>) -> Result<Expr, Halt> {
    let (program, slots) = (solver.task.program, solver.encoding.slots());
    let mut bit_of: FxHashMap<Var, (VariableId, usize)> = FxHashMap::default();
    for variable in program.variables_in(Scope::Shared) {
        bit_of.extend(slots.vars(variable, Copy::Current).enumerate().map(|(bit, var)| (var, (variable, bit))));
    }
    let mut left = solver.encoding.manager().bdd_false();
    for exit in &program.procedures[solver.start].exits {
        let states = &solver.path_edges[*exit];
        let others: Vec<Var> = states.support().into_iter().filter(|var| !bit_of.contains_key(var)).collect();
        left = left.or(&states.exists(&solver.encoding.manager().cube(&others))?)?;
    }
    let mut size = 0;
    expr(program, &bit_of, &left, &mut size).ok_or(Halt::Diagram(Stop::OutOfNodes))
}

/// The diagram as an expression; none: it is too large.
fn expr(
    program: &Program,
    bit_of: &FxHashMap<Var, (VariableId, usize)>,
    diagram: &Bdd,
    size: &mut usize,
) -> Option<Expr> {
    *size += 1;
    if *size > MAX_SIZE {
        return None;
    }
    let Some((var, low, high)) = diagram.branches() else { return Some(Expr::bool(diagram.is_true())) };
    let (variable, bit) = bit_of.get(&var)?;
    let is_set = bit_is_set(program, *variable, *bit);
    if low.is_false() {
        return Some(is_set.and(expr(program, bit_of, &high, size)?));
    }
    if high.is_false() {
        return Some(is_set.not().and(expr(program, bit_of, &low, size)?));
    }
    let (high, low) = (expr(program, bit_of, &high, size)?, expr(program, bit_of, &low, size)?);
    Some(Expr::Ite(Box::new(is_set), Box::new(high), Box::new(low)))
}
