//! All outcomes of an edge on one explicit state.

use base::{Budget, StopReason};
use program::{Call, LocationId, ProcedureId, Program, Relation, VariableId, When};

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

    /// All initial states with their locations.
    pub(super) fn starts(&self, budget: &Budget) -> Result<Vec<(LocationId, State)>, StopReason> {
        let Some(procedure) = self.program.sequential_start() else { return Ok(Vec::new()) };
        let Some(entry) = self.program.procedures[procedure].entries.first() else { return Ok(Vec::new()) };
        let states = collect(budget, |chooser| {
            let mut state = self.layout.blank(procedure);
            let globals = self.program.variables.ids().filter(|id| self.is_global(*id));
            let frame = self.program.procedures[procedure].frame();
            for variable in globals.chain(frame) {
                self.make_arbitrary(variable, &mut state, chooser);
            }
            let at = Moments { before: &state, after: &state, saved: &[], result: &[] };
            self.evaluator.holds(&self.program.start, &at, chooser).then_some(state)
        })?;
        Ok(states.into_iter().map(|state| (*entry, state)).collect())
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
        let is_set = |variable: VariableId| {
            enter.updates.iter().any(|u| u.variable == variable && u.when == When::After && u.index.is_none())
        };
        self.program.procedures[callee].frame().filter(move |variable| !is_set(*variable))
    }

    fn make_arbitrary(&self, variable: VariableId, state: &mut State, chooser: &mut Chooser) {
        let cells = self.layout.cells(variable);
        let values = self.evaluator.arbitrary(variable, cells.len(), chooser);
        state[cells].copy_from_slice(&values);
    }

    fn is_global(&self, variable: VariableId) -> bool {
        !matches!(self.program.variables[variable].scope, program::Scope::Local(_))
    }
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
