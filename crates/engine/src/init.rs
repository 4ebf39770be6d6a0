//! Programs with an `init` procedure, for engines that know nothing of it.
//!
//! `init` runs alone, before any thread, so it can be looked at alone: what it may leave in the shared variables
//! becomes the start condition of a program without it. A trace of that program gets a run of `init` in front that
//! leaves the values it starts with.

use std::sync::Arc;

use base::{IdVec, StopReason};
use program::{
    Action, Choice, Edge, EdgeKind, Expr, Lasso, Location, LocationId, NaryOp, ProcedureId, Program, Relation, Role,
    RunId, Scope, Thread, Trace, TraceStep, VariableId,
};
use transform::{BackError, Refused, Rewriting, Rewritten, Subject};

use crate::summary::{Summary, outcomes};
use crate::{Context, Engine, Task, Unsupported};

/// Says what about a program's `init` is beyond looking at it alone.
pub fn supports(program: &Program) -> Result<(), Unsupported> {
    let Some(init) = program.init else { return Ok(()) };
    let is_private = |id: &VariableId| program.variables[*id].scope == Scope::Private;
    if !program.variables.ids().any(|id| is_private(&id)) {
        return Ok(());
    }
    let mut open = vec![init];
    let mut seen = IdVec::filled(program.procedures.len(), false);
    while let Some(procedure) = open.pop() {
        if std::mem::replace(&mut seen[procedure], true) {
            continue;
        }
        for edge in program.edges.iter().filter(|edge| program.locations[edge.source].procedure == procedure) {
            if let EdgeKind::Call(call) = &edge.kind {
                open.push(call.callee);
            }
            let reads = |relation: &Relation| relation.exprs().flat_map(Expr::reads).any(|(id, _)| is_private(&id));
            let writes = |relation: &Relation| relation.updates.iter().any(|update| is_private(&update.variable));
            if edge.kind.relations().any(|relation| reads(relation) || writes(relation)) {
                return Err(Unsupported::InitWithPrivate);
            }
        }
    }
    Ok(())
}

/// Removes `init`: its threads start with what it may leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WithoutInit;

impl Rewriting for WithoutInit {
    fn name(&self) -> &'static str {
        "init"
    }

    fn rewrite(&self, subject: &mut Subject, context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        let program = Arc::clone(&subject.program);
        let Some(init) = program.init else { return Ok(None) };
        supports(&program)?;
        let alone = alone(&program, init);
        let (targets, lengths) = (&subject.targets[..], &subject.lengths[..]);
        let task = Task { program: &alone, targets, lengths, bound: None, traces: true, certificate: false };
        let before = Summary.solve(&task, context);
        if let Some(reason) = before.stopped {
            return Err(Refused::Stopped(reason, before.traces));
        }
        let found = before.traces;
        subject.targets.retain(|target| found.iter().all(|(location, _)| location != target));
        // Otherwise nothing is left to be asked.
        if !subject.targets.is_empty() {
            match outcomes(&alone, init, context) {
                Ok(left) => subject.program = Arc::new(after(&program, left)),
                Err(reason) => return Err(Refused::Stopped(reason, found)),
            }
        }
        Ok(Some(Box::new(AfterInit { alone, init, found })))
    }
}

/// The way back to a program with `init`: a run of it comes first.
#[derive(Debug)]
struct AfterInit {
    /// The program that consists of `init`.
    alone: Program,
    init: ProcedureId,
    found: Vec<(LocationId, Trace)>,
}

impl Rewritten for AfterInit {
    fn trace_back(&self, mut trace: Trace, context: &Context<'_>) -> Result<Trace, BackError> {
        let prefix = prefix(&self.alone, self.init, &trace, context).map_err(BackError::Stopped)?;
        join(&mut trace, prefix);
        Ok(trace)
    }

    fn lasso_back(&self, lasso: Lasso, context: &Context<'_>) -> Result<Lasso, BackError> {
        let n_before = lasso.trace.steps.len();
        let trace = self.trace_back(lasso.trace, context)?;
        let loop_start = lasso.loop_start + trace.steps.len() - n_before;
        Ok(Lasso { trace, loop_start })
    }

    fn found(&self) -> &[(LocationId, Trace)] {
        &self.found
    }

    fn keeps_lengths(&self) -> bool {
        true
    }
}

/// A program without `init` whose threads start with what `init` may leave.
pub(crate) fn without(program: &Program, context: &Context<'_>) -> Result<Program, StopReason> {
    let Some(init) = program.init else { return Ok(program.clone()) };
    Ok(after(program, outcomes(&alone(program, init), init, context)?))
}

/// The threads, which start with what `init` leaves.
fn after(program: &Program, left: Expr) -> Program {
    Program { init: None, start: start(program, left), ..program.clone() }
}

/// The program that consists of `init`.
fn alone(program: &Program, init: ProcedureId) -> Program {
    let thread = Thread { name: "init".to_owned(), start: init };
    Program { init: None, threads: vec![thread], ..program.clone() }
}

/// What `init` leaves, and what the threads' own variables start with.
fn start(program: &Program, left: Expr) -> Expr {
    let parts = match &program.start {
        Expr::Nary(NaryOp::And, parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let is_private = |(id, _): &(VariableId, _)| program.variables[*id].scope == Scope::Private;
    parts.into_iter().filter(|part| part.reads().iter().any(is_private)).fold(left, Expr::and)
}

/// A run of `init` that leaves the shared values with which a trace starts.
fn prefix(alone: &Program, init: ProcedureId, trace: &Trace, context: &Context<'_>) -> Result<Trace, StopReason> {
    let is_shared = |choice: &&Choice| alone.variables[choice.variable].scope == Scope::Shared;
    let equal = |choice: &Choice| {
        let value = Expr::Const(choice.value.clone(), alone.sort(choice.variable).clone());
        Expr::before(choice.variable).eq(value)
    };
    let guard = trace.start.iter().filter(is_shared).map(equal).fold(Expr::TRUE, Expr::and);
    let mut program = alone.clone();
    let goal = LocationId(program.locations.len() as u32);
    program.locations.push(Location { procedure: init, labels: Vec::new(), role: Role::Plain, atomic: false });
    let exits = std::mem::take(&mut program.procedures[init].exits);
    for exit in exits {
        let kind = EdgeKind::Step(Relation::assume(guard.clone()));
        program.edges.push(Edge { source: exit, target: goal, kind });
    }
    program.procedures[init].locations.push(goal);
    let (targets, lengths) = ([goal], []);
    let task =
        Task { program: &program, targets: &targets, lengths: &lengths, bound: None, traces: true, certificate: false };
    let mut answer = Summary.solve(&task, context);
    let found = answer.traces.pop();
    match found {
        Some((_, mut trace)) => {
            // The last step is not one of the program, and what threads own is not for it to say.
            trace.steps.pop();
            trace.start.retain(|choice| alone.variables[choice.variable].scope != Scope::Private);
            Ok(trace)
        }
        None => Err(answer.stopped.unwrap_or(StopReason::Cancelled)),
    }
}

/// Puts a run of `init` before a trace.
fn join(trace: &mut Trace, prefix: Trace) {
    let shift = prefix.runs.len() as u32;
    let moved = |step: &mut TraceStep| {
        if let Action::Across(_, run) = &mut step.action {
            *run = RunId(run.0 + shift);
        }
    };
    trace.steps.iter_mut().for_each(moved);
    trace.runs.iter_mut().flat_map(|run| &mut run.steps).for_each(moved);
    let own = std::mem::take(&mut trace.start);
    let is_given = |choice: &Choice| prefix.start.iter().any(|given| given.variable == choice.variable);
    let own: Vec<Choice> = own.into_iter().filter(|choice| !is_given(choice)).collect();
    trace.start = [prefix.start.clone(), own].concat();
    trace.steps = [prefix.steps, std::mem::take(&mut trace.steps)].concat();
    trace.runs = [prefix.runs, std::mem::take(&mut trace.runs)].concat();
}
