//! Returns that cannot fail: what may keep a caller from going on after a call becomes a step of its own.
//!
//! A call edge leaves its callee and stores the results in one move. Where the results do not fit, that move is impossible,
//! and the run stops at an exit, which is no moment of a run. So such a call only brings its results home, to locals of the
//! caller, and a step from a new location ([`Role::Returned`]) stores them: a run that cannot go on stays there.
//!
//! Programs with one thread only: other threads must not run between a return and what belongs to it. This is no pass: it
//! comes right after a program was read, before anything is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Context, Id as _};
use program::{
    Action, Call, Choice, Edge, EdgeId, EdgeKind, Expr, Lasso, Location, LocationId, Origins, ProcedureId, Program,
    Relation, Rhs, Role, Scope, Trace, TraceStep, Update, Variable, VariableId, When,
};

use crate::edit::update_may_block;
use crate::entries::Split;
use crate::rewriting::{BackError, Certified, Refused, Rewriting, Rewritten, Subject};

/// Gives every return that may fail a step of its own; none: there is no such return.
#[must_use]
pub fn split_returns(program: &Program, origins: &Origins) -> Option<Split> {
    let blocks = |edge: &Edge| matches!(&edge.kind, EdgeKind::Call(call) if may_fail(&call.leave));
    let failing: Vec<EdgeId> = program.edges.iter_ids().filter(|(_, edge)| blocks(edge)).map(|(id, _)| id).collect();
    if failing.is_empty() || !program.is_single_threaded() {
        return None;
    }
    let mut splitter = Splitter { program: program.clone(), origins: origins.clone(), homes: BTreeMap::new() };
    failing.iter().for_each(|edge| splitter.split(*edge));
    let Splitter { program: split, origins, homes } = splitter;
    Some(Split {
        program: split,
        origins,
        locations: program.locations.ids().map(|location| vec![location]).collect(),
        locals: homes.into_iter().map(|((_, result), home)| (result, home)).collect(),
        edges: failing,
    })
}

/// Gives every return that may fail a step of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitReturns;

impl Rewriting for SplitReturns {
    fn name(&self) -> &'static str {
        "returns"
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        let Some(split) = split_returns(&subject.program, &Origins::default()) else { return Ok(None) };
        let (n_edges, n_variables) = (subject.program.edges.len(), subject.program.variables.len());
        if !subject.lengths.is_empty() {
            // A call and the step that stores its results are one edge of the original.
            subject.lengths.resize(split.program.edges.len(), 0);
        }
        subject.program = Arc::new(split.program);
        let program = Arc::clone(&subject.program);
        Ok(Some(Box::new(SureReturns { program, n_edges, n_variables })))
    }
}

/// The way back from returns with a step of their own: the step is part of the return.
#[derive(Debug)]
struct SureReturns {
    program: Arc<Program>,
    n_edges: usize,
    n_variables: usize,
}

impl SureReturns {
    fn stores(&self, step: &TraceStep) -> bool {
        matches!(step.action, Action::Take(edge) if edge.index() >= self.n_edges)
    }

    fn choices(&self, choices: &mut Vec<Choice>) {
        choices.retain(|choice| choice.variable.index() < self.n_variables);
    }

    fn steps(&self, steps: Vec<TraceStep>) -> Vec<TraceStep> {
        let mut back: Vec<TraceStep> = Vec::with_capacity(steps.len());
        for mut step in steps {
            self.choices(&mut step.choices);
            let stores = self.stores(&step);
            match back.last_mut().filter(|_| stores) {
                Some(returned) => returned.choices.append(&mut step.choices),
                None => back.push(step),
            }
        }
        back
    }
}

impl Rewritten for SureReturns {
    fn trace_back(&self, mut trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        self.choices(&mut trace.start);
        trace.steps = self.steps(trace.steps);
        for run in &mut trace.runs {
            self.choices(&mut run.entry);
            run.steps = self.steps(std::mem::take(&mut run.steps));
        }
        Ok(trace)
    }

    fn lasso_back(&self, lasso: Lasso, context: &Context<'_>) -> Result<Lasso, BackError> {
        let Lasso { mut trace, mut loop_start } = lasso;
        // A cycle that begins between a return and its step begins one step later as well.
        if let Some(first) = trace.steps.get(loop_start).filter(|step| self.stores(step)).cloned() {
            trace.steps.push(first);
            loop_start += 1;
        }
        let n_stored = trace.steps[..loop_start].iter().filter(|step| self.stores(step)).count();
        Ok(Lasso { trace: self.trace_back(trace, context)?, loop_start: loop_start - n_stored })
    }

    /// Sets of the original are about exits and behind calls; those in between have no place there.
    fn certificate_back(&self, certified: Certified) -> Option<Certified> {
        let about = certified.about.or_else(|| Some(Arc::clone(&self.program)));
        Some(Certified { about, ..certified })
    }
}

fn may_fail(leave: &Relation) -> bool {
    leave.guard != Expr::TRUE || leave.constraint != Expr::TRUE || leave.updates.iter().any(update_may_block)
}

struct Splitter {
    program: Program,
    origins: Origins,
    /// Where a caller keeps what a local of a callee was at the exit.
    homes: BTreeMap<(ProcedureId, VariableId), VariableId>,
}

impl Splitter {
    fn split(&mut self, edge: EdgeId) {
        let Edge { source, target, .. } = self.program.edges[edge];
        let EdgeKind::Call(call) = &self.program.edges[edge].kind else { return };
        let Call { callee, leave, .. } = (**call).clone();
        let caller = self.program.locations[source].procedure;
        let mut results: Vec<VariableId> = leave.exprs().flat_map(Expr::reads).filter_map(result).collect();
        results.sort_unstable();
        results.dedup();
        let bring = |(result, home): (VariableId, VariableId)| {
            let value = Rhs::Expr(Expr::Read(result, When::Result));
            Update { variable: home, index: None, when: When::After, value }
        };
        let homes: Vec<VariableId> = results.iter().map(|result| self.home(caller, callee, *result)).collect();
        let brought = results.iter().copied().zip(homes.iter().copied()).map(bring).collect();
        let at = |result: VariableId| results.binary_search(&result).map_or(result, |at| homes[at]);
        let stored = stored(leave, &at);
        let returned = self.returned(source, caller);
        let changed = &mut self.program.edges[edge];
        changed.target = returned;
        if let EdgeKind::Call(call) = &mut changed.kind {
            call.leave = Relation { updates: brought, ..Relation::identity() };
        }
        self.program.edges.push(Edge { source: returned, target, kind: EdgeKind::Step(stored) });
        if let Some(origin) = self.origins.edges.get(edge).copied() {
            self.origins.edges.push(origin);
        }
    }

    /// The location behind the call.
    fn returned(&mut self, source: LocationId, caller: ProcedureId) -> LocationId {
        let atomic = self.program.locations[source].atomic;
        let place = Location { procedure: caller, labels: Vec::new(), role: Role::Returned, atomic };
        let id = self.program.locations.push(place);
        self.program.procedures[caller].locations.push(id);
        if let Some(origin) = self.origins.locations.get(source).copied() {
            self.origins.locations.push(origin);
        }
        id
    }

    fn home(&mut self, caller: ProcedureId, callee: ProcedureId, result: VariableId) -> VariableId {
        if let Some(home) = self.homes.get(&(caller, result)) {
            return *home;
        }
        let Variable { name, sort, .. } = self.program.variables[result].clone();
        let of = &self.program.procedures[callee];
        let name = if of.results == [result] { format!("{}()", of.name) } else { format!("{}().{name}", of.name) };
        let home = self.program.variables.push(Variable { name, sort, scope: Scope::Local(caller) });
        self.program.procedures[caller].locals.push(home);
        if let Some(origin) = self.origins.variables.get(result).copied() {
            self.origins.variables.push(origin);
        }
        self.homes.insert((caller, result), home);
        home
    }
}

fn result((variable, when): (VariableId, When)) -> Option<VariableId> {
    (when == When::Result).then_some(variable)
}

/// What leaving does, as a step of the caller that has the results at home.
fn stored(mut leave: Relation, home: &dyn Fn(VariableId) -> VariableId) -> Relation {
    let expr = |expr: &mut Expr| {
        let old = std::mem::replace(expr, Expr::TRUE);
        *expr = old.map(&mut |expr| match expr {
            Expr::Read(variable, When::Result) => Expr::before(home(variable)),
            other => other,
        });
    };
    expr(&mut leave.guard);
    expr(&mut leave.constraint);
    for Update { index, value, .. } in &mut leave.updates {
        index.iter_mut().for_each(expr);
        if let Rhs::Expr(value) = value {
            expr(value);
        }
    }
    leave
}

#[cfg(test)]
mod tests {
    use program::random::{self, Shape};

    use super::*;

    #[test]
    fn no_return_fails_afterwards() {
        let mut n_split = 0;
        for seed in 0..200 {
            let program = random::program(&Shape { seed, procedures: 3, ..Shape::default() });
            let Some(Split { program: split, .. }) = split_returns(&program, &Origins::default()) else { continue };
            n_split += 1;
            assert_eq!(program::verify(&split), Ok(()), "seed {seed}");
            assert_eq!(split_returns(&split, &Origins::default()), None, "seed {seed}");
            assert_eq!(split.procedures.len(), program.procedures.len());
            let returned = split.locations.iter().filter(|location| location.role == Role::Returned).count();
            assert_eq!(split.locations.len() - program.locations.len(), returned);
        }
        assert!(n_split > 20, "{n_split} of 200");
    }
}
