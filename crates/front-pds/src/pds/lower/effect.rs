//! Conditions as guards, updates and constraints.
//!
//! A condition is a conjunction. Parts that do not look at the state after are the guard. `x' = term`, `b' == condition`
//! and the like are updates, with the guard that the value fits. All other parts are constraints on the state after.
//! There is no frame rule: what is not updated becomes arbitrary, and `x' = x` is what keeps a value.

use base::Span;
use program::{Expr, Relation, Rhs, Update, VariableId, When};
use question::term;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::syntax::{Comparison, Connective};
use super::Lowering;
use super::expand::{self, Instance};
use super::resolve::{Condition, Number, Read};

/// The new value of a variable or of an element.
#[derive(Clone, Debug)]
struct Assigned {
    variable: VariableId,
    when: When,
    /// Position in the array.
    element: Option<u32>,
    value: Expr,
}

/// What a condition does.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    guard: Vec<Expr>,
    constraint: Vec<Expr>,
    assigned: Vec<Assigned>,
    /// Where the new value of a target stands in `assigned`.
    targets: FxHashMap<(VariableId, When, Option<u32>), usize>,
}

/// A variable that a rule gives a new value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) variable: VariableId,
    pub(crate) when: When,
    /// It has no value before: it is arbitrary unless set.
    pub(crate) fresh: bool,
    /// Number of elements of an array.
    pub(crate) n: Option<u32>,
}

impl Effect {
    /// Adds a condition on the state before.
    pub(crate) fn require(&mut self, guard: Expr) {
        if guard != Expr::TRUE {
            self.guard.push(guard);
        }
    }

    /// Adds a part that is no assignment.
    pub(crate) fn add(&mut self, part: Expr) {
        if part == Expr::TRUE {
            return;
        }
        if looks_after(&part) { self.constraint.push(part) } else { self.guard.push(part) }
    }

    /// Whether some part is never true.
    pub(crate) fn is_impossible(&self) -> bool {
        self.guard.contains(&Expr::FALSE)
    }

    /// Takes an assignment up; false when the target has another value already.
    pub(crate) fn assign(&mut self, target: Target, value: Expr) -> bool {
        let Target { variable, when, element } = target;
        let key = (variable, when, element);
        if let Some(known) = self.targets.get(&key) {
            return self.assigned[*known].value == value;
        }
        self.targets.insert(key, self.assigned.len());
        self.assigned.push(Assigned { variable, when, element, value });
        true
    }

    /// The relation in which `open` gets new values, with further updates.
    pub(crate) fn relation(mut self, open: impl Iterator<Item = Open>, mut updates: Vec<Update>) -> Relation {
        self.assigned.sort_by_key(|it| (it.variable, it.when, it.element));
        for variable in open {
            self.update(variable, &mut updates);
        }
        Relation { guard: once(self.guard), updates, constraint: once(self.constraint) }
    }

    fn update(&mut self, open: Open, updates: &mut Vec<Update>) {
        let Open { variable, when, fresh, n } = open;
        let key = |it: &Assigned| (it.variable, it.when);
        let first = self.assigned.partition_point(|it| key(it) < (variable, when));
        let end = first + self.assigned[first..].iter().take_while(|it| key(it) == (variable, when)).count();
        let assigned = &self.assigned[first..end];
        match (assigned, n) {
            ([], _) if fresh => {}
            ([], _) => updates.push(Update { variable, index: None, when, value: Rhs::Any }),
            ([only], None) => {
                if only.value != Expr::before(variable) || fresh {
                    updates.push(Update { variable, index: None, when, value: Rhs::Expr(only.value.clone()) });
                }
            }
            (elements, n) if !fresh && n.is_some_and(|n| elements.len() == n as usize) => {
                for Assigned { element, value, .. } in elements {
                    let position = position(element.unwrap_or(0));
                    if *value != Expr::Index(Box::new(Expr::before(variable)), Box::new(position.clone())) {
                        updates.push(Update { variable, index: Some(position), when, value: Rhs::Expr(value.clone()) });
                    }
                }
            }
            (elements, _) => {
                for Assigned { element, value, .. } in elements {
                    let read = Expr::Read(variable, when);
                    let element = Expr::Index(Box::new(read), Box::new(position(element.unwrap_or(0))));
                    self.constraint.push(element.eq(value.clone()));
                }
                if !fresh {
                    updates.push(Update { variable, index: None, when, value: Rhs::Any });
                }
            }
        }
    }
}

/// The conjunction. What stands in a quantified part without its name comes once per value, and is needed once.
fn once(mut parts: Vec<Expr>) -> Expr {
    if parts.len() > 1 {
        let mut seen = FxHashSet::default();
        let is_new: Vec<bool> = parts.iter().map(|part| seen.insert(part)).collect();
        let mut is_new = is_new.into_iter();
        parts.retain(|_| is_new.next().unwrap_or(true));
    }
    Expr::all_of(parts)
}

/// A position in an array, written as `term` writes constant indices, so that equal ones are equal.
fn position(element: u32) -> Expr {
    let width = (u32::BITS - element.leading_zeros()).max(1);
    term::number(i128::from(element), width)
}

/// What an assignment writes.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) variable: VariableId,
    pub(crate) when: When,
    /// Position in the array.
    pub(crate) element: Option<u32>,
}

impl Lowering<'_> {
    /// Adds the parts of a condition to an effect.
    pub(super) fn effect(&mut self, condition: &Condition, effect: &mut Effect, instance: &mut Instance) {
        match condition {
            Condition::Chain(Connective::And, operands) => {
                for operand in operands {
                    self.effect(operand, effect, instance);
                }
            }
            Condition::Quantified { all: true, from, to, body, span } => {
                for value in *from..=*to {
                    if !self.afford(*span, instance) {
                        break;
                    }
                    instance.slots.push(value);
                    self.effect(body, effect, instance);
                    instance.slots.pop();
                }
            }
            other => {
                if !self.assignment(other, effect, instance) {
                    let expr = self.expand(other, instance);
                    effect.add(expr);
                }
            }
        }
    }

    /// Takes the part up as an assignment if it is one.
    fn assignment(&mut self, condition: &Condition, effect: &mut Effect, instance: &mut Instance) -> bool {
        match condition {
            Condition::Flag(read, index, _) => self.set_flag(*read, index.as_deref(), Expr::TRUE, effect, instance),
            Condition::Not(inner) => match inner.as_ref() {
                Condition::Flag(read, index, _) => {
                    self.set_flag(*read, index.as_deref(), Expr::FALSE, effect, instance)
                }
                _ => false,
            },
            Condition::Chain(connective @ (Connective::Iff | Connective::Xor), operands) => {
                let [left, right] = operands.as_slice() else { return false };
                let negate = *connective == Connective::Xor;
                self.equivalence(left, right, negate, effect, instance)
                    || self.equivalence(right, left, negate, effect, instance)
            }
            Condition::Compare(Comparison::Equal, operands, span) => {
                let [left, right] = operands.as_ref();
                self.equation(left, right, *span, effect, instance)
                    || self.equation(right, left, *span, effect, instance)
            }
            _ => false,
        }
    }

    /// `b' == condition`.
    fn equivalence(
        &mut self,
        left: &Condition,
        right: &Condition,
        negate: bool,
        effect: &mut Effect,
        instance: &mut Instance,
    ) -> bool {
        let Condition::Flag(read, index, _) = left else { return false };
        if read.when == When::Before {
            return false;
        }
        let value = self.expand(right, instance);
        let value = if negate { value.not() } else { value };
        !looks_after(&value) && self.set_flag(*read, index.as_deref(), value, effect, instance)
    }

    fn set_flag(
        &mut self,
        read: Read,
        index: Option<&Number>,
        value: Expr,
        effect: &mut Effect,
        instance: &Instance,
    ) -> bool {
        target(read, index, instance).is_some_and(|target| effect.assign(target, value))
    }

    /// `x' = term`.
    fn equation(
        &mut self,
        left: &Number,
        right: &Number,
        span: Span,
        effect: &mut Effect,
        instance: &mut Instance,
    ) -> bool {
        let Number::Read(read, index) = left else { return false };
        let (Some(target), Some(width)) = (target(*read, index.as_deref(), instance), read.shape.bits) else {
            return false;
        };
        let largest = i128::from(u64::MAX >> (64 - width));
        let fitted = expand::number(right, &instance.slots).and_then(|term| Ok((term.fits(0, largest)?, term)));
        let (fits, term) = match fitted {
            Ok(fitted) => fitted,
            Err(unfit) => {
                self.unfit(unfit, span, instance);
                return true;
            }
        };
        let value = term.at(width);
        if !self.afford_nodes(term.n_nodes(), span, instance) {
            return true;
        }
        // What can never be is left to `expand`, which warns of it.
        if fits == Expr::FALSE || looks_after(&value) || looks_after(&fits) {
            return false;
        }
        let is_taken_up = effect.assign(target, value);
        if is_taken_up {
            effect.require(fits);
        }
        is_taken_up
    }
}

/// What a read of the state after stands for, if that does not depend on values. What is wrong with the index is left to
/// `expand`, which reports it.
fn target(read: Read, index: Option<&Number>, instance: &Instance) -> Option<Target> {
    let Read { variable, when, shape } = read;
    if when == When::Before {
        return None;
    }
    let element = match (index, shape.array) {
        (Some(index), Some((first, n))) => {
            let at = expand::number(index, &instance.slots).ok()?.as_constant()? - i128::from(first);
            Some(u32::try_from(at).ok().filter(|at| *at < n)?)
        }
        _ => None,
    };
    Some(Target { variable, when, element })
}

/// Whether an expression reads the state after.
pub(crate) fn looks_after(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| found |= matches!(expr, Expr::Read(_, When::After | When::Saved)));
    found
}
