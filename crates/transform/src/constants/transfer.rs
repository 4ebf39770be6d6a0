//! What is known after a relation, given what is known before.

use program::{Expr, NaryOp, Program, Relation, Rhs, Update, Value, VariableId, When};

use super::env::{Env, Scope};
use super::fold::{Lookup, evaluate, simplify, truth};
use crate::edit::{conjuncts, for_each_read, is_true, literal};

/// Whose frame follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameAfter {
    /// The same: a step, or leaving a call.
    Same,
    /// A new one, of which nothing is known: entering a call or a thread.
    New,
}

/// What has become of a relation or an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// It is as it was.
    Same,
    /// It is simpler.
    Changed,
    /// It is never taken.
    Impossible,
}

/// What is known at the moments of an edge.
#[derive(Clone)]
pub(super) struct Moments<'p> {
    scope: Scope<'p>,
    before: Env,
    /// After the edge.
    pub(super) after: Env,
    /// In the caller's frame while the callee runs (globals are left in, and mean nothing).
    pub(super) saved: Env,
    result: Env,
}

impl Lookup for Moments<'_> {
    fn program(&self) -> &Program {
        self.scope.program
    }

    fn value(&self, variable: VariableId, when: When) -> Option<Value> {
        self.at(when).get(self.scope, variable)
    }

    fn truth(&self, variable: VariableId, when: When) -> Option<bool> {
        self.at(when).truth(self.scope, variable)
    }
}

impl<'p> Moments<'p> {
    /// Knows what holds before, and in the callee at its exit when a call is left.
    pub(super) fn new(scope: Scope<'p>, before: Env, result: Env) -> Self {
        Self { scope, before, after: Env::default(), saved: Env::default(), result }
    }

    fn at(&self, when: When) -> &Env {
        match when {
            When::Before => &self.before,
            When::After => &self.after,
            When::Saved => &self.saved,
            When::Result => &self.result,
        }
    }

    /// Takes the relation; false when that is impossible.
    pub(super) fn take(&mut self, relation: &Relation, frame: FrameAfter) -> bool {
        if !self.is_possible(&relation.guard) {
            return false;
        }
        self.pass_guard(&relation.guard);
        if frame == FrameAfter::Same && relation.updates.is_empty() && is_true(&relation.constraint) {
            std::mem::swap(&mut self.after, &mut self.before);
            return true;
        }
        self.update(relation, frame);
        let possible = self.is_possible(&relation.constraint);
        self.pass_constraint(&relation.constraint);
        possible
    }

    /// False when `rewrite` would not change the relation and what is known after it is of no interest.
    pub(super) fn may_change(&self, relation: &Relation, frame: FrameAfter) -> bool {
        let mut reads_known = false;
        let mut look = |expr: &Expr| {
            for_each_read(expr, &mut |variable, when| reads_known |= self.value(variable, when).is_some());
        };
        look(&relation.guard);
        relation.updates.iter().flat_map(Update::exprs).for_each(&mut look);
        reads_known
            || frame == FrameAfter::New
            || !is_true(&relation.constraint)
            || !(is_true(&relation.guard) || teaches_nothing(relation))
            || relation.updates.iter().any(|update| self.is_idle(update))
    }

    /// Takes the relation and simplifies it with what is known on the way; adds the variables that were used.
    pub(super) fn rewrite(
        &mut self,
        relation: &mut Relation,
        frame: FrameAfter,
        used: &mut Vec<VariableId>,
    ) -> Rewritten {
        let possible = self.is_possible(&relation.guard);
        let mut changed = simplify(&mut relation.guard, self, used);
        if !possible {
            return Rewritten::Impossible;
        }
        changed |= relax(&mut relation.guard);
        self.pass_guard(&relation.guard);
        self.update(relation, frame);
        for update in &mut relation.updates {
            if let Some(index) = &mut update.index {
                changed |= simplify(index, self, used);
            }
            if let Rhs::Expr(value) = &mut update.value {
                changed |= simplify(value, self, used);
            }
        }
        let possible = self.is_possible(&relation.constraint);
        changed |= simplify(&mut relation.constraint, self, used);
        if !possible {
            return Rewritten::Impossible;
        }
        self.pass_constraint(&relation.constraint);
        changed |= frame == FrameAfter::Same && self.drop_idle_updates(relation, used);
        if changed { Rewritten::Changed } else { Rewritten::Same }
    }

    /// Drops updates that give a variable the value that it has.
    fn drop_idle_updates(&self, relation: &mut Relation, used: &mut Vec<VariableId>) -> bool {
        let n = relation.updates.len();
        relation.updates.retain(|update| {
            let idle = self.is_idle(update);
            if idle {
                used.push(update.variable);
            }
            !idle
        });
        relation.updates.len() < n
    }

    fn is_idle(&self, update: &Update) -> bool {
        match (&update.index, update.when, &update.value) {
            (None, When::After, Rhs::Expr(Expr::Const(value, _))) => {
                self.before.get(self.scope, update.variable).as_ref() == Some(value)
            }
            _ => false,
        }
    }

    fn is_possible(&self, condition: &Expr) -> bool {
        is_true(condition) || truth(condition, self) != Some(false)
    }

    fn pass_guard(&mut self, guard: &Expr) {
        if is_true(guard) {
            return;
        }
        for (variable, when, value) in conjuncts(guard).iter().filter_map(literal) {
            if when == When::Before {
                self.before.set(self.scope, variable, Some(value));
            }
        }
    }

    fn update(&mut self, relation: &Relation, frame: FrameAfter) {
        match frame {
            FrameAfter::Same => self.after = self.before.clone(),
            FrameAfter::New => {
                self.after = self.before.with_frame(self.scope, &Env::default());
                self.saved = self.before.clone();
            }
        }
        for update in &relation.updates {
            let value = match (&update.index, &update.value) {
                (None, Rhs::Expr(expr)) => evaluate(expr, self),
                _ => None,
            };
            match update.when {
                When::Saved => self.saved.set(self.scope, update.variable, value),
                When::After | When::Before | When::Result => self.after.set(self.scope, update.variable, value),
            }
        }
    }

    fn pass_constraint(&mut self, constraint: &Expr) {
        if is_true(constraint) {
            return;
        }
        for (variable, when, value) in conjuncts(constraint).iter().filter_map(literal) {
            match when {
                When::After => self.after.set(self.scope, variable, Some(value)),
                When::Saved => self.saved.set(self.scope, variable, Some(value)),
                When::Before | When::Result => {}
            }
        }
    }
}

/// Whether the guard fixes one variable, and all updates are constants other than that.
fn teaches_nothing(relation: &Relation) -> bool {
    let Some((known, _, value)) = literal(&relation.guard) else { return false };
    relation.updates.iter().all(|update| match (&update.index, &update.value) {
        (None, Rhs::Expr(Expr::Const(new, _))) => update.variable != known || *new != value,
        _ => false,
    })
}

/// Drops choices from a guard that are made in its favour; true when there are some.
fn relax(guard: &mut Expr) -> bool {
    let is_choice = |expr: &Expr| *expr == Expr::Any;
    match guard {
        Expr::Any => *guard = Expr::TRUE,
        Expr::Nary(NaryOp::And, operands) if operands.iter().any(is_choice) => {
            let kept = std::mem::take(operands).into_iter().filter(|operand| !is_choice(operand));
            *guard = kept.fold(Expr::TRUE, Expr::and);
        }
        _ => return false,
    }
    true
}
