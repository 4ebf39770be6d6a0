//! What a procedure may leave in the shared variables, as a condition.

use base::StopReason;
use bdd::{Stop, Var};
use encode::Encoding;
use program::{Expr, Graph, ProcedureId, Program, Scope};

use super::calls::AtOnce;
use super::{Halt, Solver};
use crate::condition::{bits_of, condition};
use crate::problem::{Problem, manager};
use crate::{Context, Task};

/// Largest condition that is written out.
const MAX_SIZE: usize = 1 << 16;

/// The shared values with which the start procedure of a sequential program may end.
pub(crate) fn outcomes(program: &Program, start: ProcedureId, context: &Context<'_>) -> Result<Expr, StopReason> {
    let graph = Graph::of(program);
    let encoding = Encoding::new(program, manager(program, context));
    let (targets, lengths) = ([], []);
    let task = Task { program, targets: &targets, lengths: &lengths, bound: None, traces: false, certificate: false };
    let mut solver = Solver::new(Problem::new(&task, context, &graph, encoding, start), AtOnce);
    let found = solver.run_to_the_end().and_then(|()| written_out(&solver));
    found.map_err(|halt| halt.reason(context))
}

fn written_out(solver: &Solver<'_, AtOnce>) -> Result<Expr, Halt> {
    let (program, encoding) = (solver.problem.task.program, &solver.problem.encoding);
    let bit_of = bits_of(encoding, program.variables_in(Scope::Shared));
    let mut left = encoding.manager().bdd_false();
    for exit in &program.procedures[solver.problem.start].exits {
        let states = &solver.path_edges[*exit];
        let others: Vec<Var> = states.support().into_iter().filter(|var| !bit_of.contains_key(var)).collect();
        left = left.or(&states.exists(&encoding.manager().cube(&others))?)?;
    }
    let written = condition(encoding, program.variables_in(Scope::Shared), &left, MAX_SIZE);
    written.ok_or(Halt::Diagram(Stop::OutOfNodes))
}
