//! What is known after a relation, given what is known before.

use program::{Expr, Program, Relation, Rhs, Value, VariableId, When};

use super::env::{Env, is_local};
use super::fold::{Lookup, evaluate, simplify};
use crate::edit::{conjuncts, literal};

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
    program: &'p Program,
    before: Env,
    /// After the edge.
    pub(super) after: Env,
    /// In the caller's frame while the callee runs (globals are left in, and mean nothing).
    pub(super) saved: Env,
    result: Env,
}

impl Lookup for Moments<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn value(&self, variable: VariableId, when: When) -> Option<&Value> {
        match when {
            When::Before => self.before.get(variable),
            When::After => self.after.get(variable),
            When::Saved => self.saved.get(variable),
            When::Result => self.result.get(variable),
        }
    }
}

impl<'p> Moments<'p> {
    /// Knows what holds before, and in the callee at its exit when a call is left.
    pub(super) fn new(program: &'p Program, before: Env, result: Env) -> Self {
        Self { program, before, after: Env::default(), saved: Env::default(), result }
    }

    /// Takes the relation; false when that is impossible.
    pub(super) fn take(&mut self, relation: &Relation, frame: FrameAfter) -> bool {
        if !self.is_possible(&relation.guard) {
            return false;
        }
        self.pass_guard(&relation.guard);
        self.update(relation, frame);
        let possible = self.is_possible(&relation.constraint);
        self.pass_constraint(&relation.constraint);
        possible
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
            let Rhs::Expr(Expr::Const(value, _)) = &update.value else { return true };
            let idle =
                update.index.is_none() && update.when == When::After && self.before.get(update.variable) == Some(value);
            if idle {
                used.push(update.variable);
            }
            !idle
        });
        relation.updates.len() < n
    }

    fn is_possible(&self, condition: &Expr) -> bool {
        *condition == Expr::TRUE || evaluate(condition, self) != Some(Value::Bool(false))
    }

    fn pass_guard(&mut self, guard: &Expr) {
        if *guard == Expr::TRUE {
            return;
        }
        for (variable, when, value) in conjuncts(guard).iter().filter_map(literal) {
            if when == When::Before {
                self.before.set(variable, Some(value));
            }
        }
    }

    fn update(&mut self, relation: &Relation, frame: FrameAfter) {
        self.after = self.before.clone();
        self.saved = self.before.clone();
        if frame == FrameAfter::New {
            let program = self.program;
            self.after.retain(|variable| !is_local(program, variable));
        }
        for update in &relation.updates {
            let value = match (&update.index, &update.value) {
                (None, Rhs::Expr(expr)) => evaluate(expr, &BeforeOnly(self)),
                _ => None,
            };
            match update.when {
                When::Saved => self.saved.set(update.variable, value),
                When::After | When::Before | When::Result => self.after.set(update.variable, value),
            }
        }
    }

    fn pass_constraint(&mut self, constraint: &Expr) {
        if *constraint == Expr::TRUE {
            return;
        }
        for (variable, when, value) in conjuncts(constraint).iter().filter_map(literal) {
            match when {
                When::After => self.after.set(variable, Some(value)),
                When::Saved => self.saved.set(variable, Some(value)),
                When::Before | When::Result => {}
            }
        }
    }
}

/// Right sides read no outcomes, which are being computed.
struct BeforeOnly<'a, 'p>(&'a Moments<'p>);

impl Lookup for BeforeOnly<'_, '_> {
    fn program(&self) -> &Program {
        self.0.program
    }

    fn value(&self, variable: VariableId, when: When) -> Option<&Value> {
        match when {
            When::Before | When::Result => self.0.value(variable, when),
            When::After | When::Saved => None,
        }
    }
}

/// Drops choices from a guard that are made in its favour; true when there are some.
fn relax(guard: &mut Expr) -> bool {
    let is_choice = |expr: &Expr| *expr == Expr::Any;
    match guard {
        Expr::Any => *guard = Expr::TRUE,
        Expr::Nary(program::NaryOp::And, operands) if operands.iter().any(is_choice) => {
            let kept = std::mem::take(operands).into_iter().filter(|operand| !is_choice(operand));
            *guard = kept.fold(Expr::TRUE, Expr::and);
        }
        _ => return false,
    }
    true
}
