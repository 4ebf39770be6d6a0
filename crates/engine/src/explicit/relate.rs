//! All outcomes of an edge on one explicit state.

use base::{Budget, StopReason};
use program::{Call, Expr, ProcedureId, Program, Relation, Scope, Spawn, VariableId, When};

use super::choose::{Chooser, for_all_choices};
use super::eval::{Evaluator, Moments};
use super::layout::{Layout, State};

/// Applies relations to explicit states.
#[derive(Debug)]
pub(super) struct Relate<'a> {
    program: &'a Program,
    evaluator: Evaluator<'a>,
    layout: &'a Layout,
}

impl<'a> Relate<'a> {
    pub(super) fn new(program: &'a Program, layout: &'a Layout) -> Self {
        Self { program, evaluator: Evaluator { program, layout }, layout }
    }

    /// All states that extend the given one by arbitrary values of some variables such that the start condition holds.
    pub(super) fn starts(&self, state: &State, open: &[VariableId], budget: &Budget) -> Result<Vec<State>, StopReason> {
        collect(budget, |chooser| {
            let mut state = state.clone();
            for variable in open {
                self.make_arbitrary(*variable, &mut state, chooser);
            }
            let at = Moments { before: &state, after: &state, saved: &[], result: &[] };
            self.evaluator.holds(&self.program.start, &at, chooser).then_some(state)
        })
    }

    /// All states that extend the given one by arbitrary values of some variables.
    pub(super) fn arbitrary(
        &self,
        state: &State,
        open: &[VariableId],
        budget: &Budget,
    ) -> Result<Vec<State>, StopReason> {
        collect(budget, |chooser| {
            let mut state = state.clone();
            for variable in open {
                self.make_arbitrary(*variable, &mut state, chooser);
            }
            Some(state)
        })
    }

    /// Whether a condition on the shared variables can be true.
    pub(super) fn can_hold(&self, condition: &Expr, state: &[u64]) -> bool {
        let at = Moments { before: state, after: &[], saved: &[], result: &[] };
        let mut can_hold = false;
        for_all_choices(|chooser| {
            can_hold |= self.evaluator.holds(condition, &at, chooser);
            !can_hold
        });
        can_hold
    }

    /// All first states of a new thread.
    pub(super) fn spawn(&self, spawn: &Spawn, before: &State, budget: &Budget) -> Result<Vec<State>, StopReason> {
        let private = self.program.variables_in(Scope::Private);
        let open: Vec<VariableId> = private.chain(self.program.procedures[spawn.callee].frame()).collect();
        collect(budget, |chooser| {
            let mut after = self.layout.blank(spawn.callee);
            let shared = 0..self.layout.n_shared_cells;
            after[shared.clone()].copy_from_slice(&before[shared]);
            for variable in open.iter().filter(|variable| !is_set(&spawn.enter, **variable)) {
                self.make_arbitrary(*variable, &mut after, chooser);
            }
            self.apply(&spawn.enter, before, &[], &mut after, Vec::new(), chooser).map(|_| after)
        })
    }

    /// All states after a step.
    pub(super) fn step(&self, relation: &Relation, before: &State, budget: &Budget) -> Result<Vec<State>, StopReason> {
        collect(budget, |chooser| {
            let mut after = before.clone();
            let (result, saved) = (&[], Vec::new());
            self.apply(relation, before, result, &mut after, saved, chooser).map(|_| after)
        })
    }

    /// All first states of the callee, each with the caller's saved frame.
    pub(super) fn enter(
        &self,
        call: &Call,
        before: &State,
        budget: &Budget,
    ) -> Result<Vec<(State, State)>, StopReason> {
        collect(budget, |chooser| {
            let mut after = self.layout.blank(call.callee);
            let globals = 0..self.layout.n_global_cells;
            after[globals.clone()].copy_from_slice(&before[globals]);
            for variable in self.fresh(call.callee, &call.enter) {
                self.make_arbitrary(variable, &mut after, chooser);
            }
            let saved = self.apply(&call.enter, before, &[], &mut after, before.clone(), chooser)?;
            Some((after, saved))
        })
    }

    /// All states of the caller after the callee has returned.
    pub(super) fn leave(
        &self,
        call: &Call,
        saved: &State,
        exit: &State,
        budget: &Budget,
    ) -> Result<Vec<State>, StopReason> {
        let mut before = saved.clone();
        let globals = 0..self.layout.n_global_cells;
        before[globals.clone()].copy_from_slice(&exit[globals]);
        collect(budget, |chooser| {
            let mut after = before.clone();
            self.apply(&call.leave, &before, exit, &mut after, Vec::new(), chooser).map(|_| after)
        })
    }

    /// Checks the guard, makes the updates, checks the constraint; gives the saved frame.
    fn apply(
        &self,
        relation: &Relation,
        before: &State,
        result: &[u64],
        after: &mut State,
        mut saved: State,
        chooser: &mut Chooser,
    ) -> Option<State> {
        let at = Moments { before, after: &[], saved: &[], result };
        if !self.evaluator.holds(&relation.guard, &at, chooser) {
            return None;
        }
        if !self.evaluator.update(relation, &at, chooser, after, &mut saved) {
            return None;
        }
        let at = Moments { before, after, saved: &saved, result };
        self.evaluator.holds(&relation.constraint, &at, chooser).then_some(saved)
    }

    /// Frame variables that entering does not set as a whole.
    fn fresh(&self, callee: ProcedureId, enter: &'a Relation) -> impl Iterator<Item = VariableId> + '_ {
        self.program.procedures[callee].frame().filter(|variable| !is_set(enter, *variable))
    }

    fn make_arbitrary(&self, variable: VariableId, state: &mut State, chooser: &mut Chooser) {
        let cells = self.layout.cells(variable);
        let values = self.evaluator.arbitrary(variable, cells.len(), chooser);
        state[cells].copy_from_slice(&values);
    }
}

/// Whether a relation sets a variable as a whole.
fn is_set(relation: &Relation, variable: VariableId) -> bool {
    relation.updates.iter().any(|u| u.variable == variable && u.when == When::After && u.index.is_none())
}

/// The distinct outcomes of a computation over all of its choices, sorted.
fn collect<T: Ord>(budget: &Budget, mut outcome: impl FnMut(&mut Chooser) -> Option<T>) -> Result<Vec<T>, StopReason> {
    let mut outcomes = Vec::new();
    let mut stopped = Ok(());
    for_all_choices(|chooser| {
        outcomes.extend(outcome(chooser));
        stopped = budget.check();
        stopped.is_ok()
    });
    stopped?;
    outcomes.sort();
    outcomes.dedup();
    Ok(outcomes)
}
