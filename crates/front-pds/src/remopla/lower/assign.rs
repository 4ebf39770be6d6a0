//! Parallel assignments.

use base::Span;
use program::{Expr as Model, Relation, Rhs, Scope, Update, VariableId, When};

use super::super::syntax::{Assign, AssignValue};
use super::Lowering;
use super::expression::{Typed, read};
use super::place::{Part, Place};
use super::types::Scalar;

/// `E` in assignments may stand for so many edges.
const MOST_ALTERNATIVES: usize = 1_000;

/// What a statement does to the data, so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    pub(super) guard: Vec<Model>,
    pub(super) updates: Vec<Update>,
    pub(super) constraint: Vec<Model>,
}

impl Effect {
    pub(super) fn relation(self) -> Relation {
        Relation {
            guard: crate::term::and(self.guard),
            updates: self.updates,
            constraint: crate::term::and(self.constraint),
        }
    }
}

/// When a statement writes.
#[derive(Clone, Copy)]
pub(super) enum Writes {
    /// A step, or the end of a call.
    After,
    /// The beginning of a call, in a module: its own frame is saved.
    Saved,
    /// The frame of a callee, which has no values before.
    Callee,
}

impl Lowering<'_> {
    /// The effects of parallel assignments: several when something is to be chosen.
    pub(super) fn assigns(&mut self, assigns: &[Assign], writes: Writes) -> Option<Vec<Effect>> {
        self.n_parts = 0;
        let mut effects = vec![Effect::default()];
        for assign in assigns {
            effects = self.assign(assign, 0, effects, writes)?;
            if effects.len() > MOST_ALTERNATIVES {
                let message = "`E` stands for too many cases here".to_owned();
                return self.error("PD0140", message, assign.span, "too many", "make the range smaller");
            }
        }
        Some(effects)
    }

    fn assign(&mut self, assign: &Assign, depth: usize, effects: Vec<Effect>, writes: Writes) -> Option<Vec<Effect>> {
        let Some(quantifier) = assign.quantifiers.get(depth) else {
            return effects.into_iter().map(|effect| self.single(assign, effect, writes)).collect();
        };
        let [from, to] = &quantifier.range;
        let (from, to) = (self.constant(from)?, self.constant(to)?);
        let (mut chosen, mut all) = (Vec::new(), effects.clone());
        for value in from..=to {
            self.afford(assign.span)?;
            self.slots.push((quantifier.name.symbol, value));
            let base = if quantifier.all { std::mem::take(&mut all) } else { effects.clone() };
            let next = self.assign(assign, depth + 1, base, writes);
            self.slots.pop();
            if quantifier.all {
                all = next?
            } else {
                chosen.extend(next?)
            }
            if chosen.len() > MOST_ALTERNATIVES {
                break;
            }
        }
        Some(if quantifier.all { all } else { chosen })
    }

    fn single(&mut self, assign: &Assign, mut effect: Effect, writes: Writes) -> Option<Effect> {
        let target = self.place(&assign.target)?;
        match &assign.value {
            AssignValue::Expr(value) => {
                let value = self.typed(value)?;
                self.store(&target, value, assign.span, writes, &mut effect)?;
            }
            AssignValue::Undef => {
                for part in &target.parts {
                    self.forget(part, assign.span, writes, &mut effect)?;
                }
            }
            AssignValue::Not(value) => {
                let value = self.int(value)?;
                let Some((part, scalar @ Scalar::Int { .. })) = target.scalar() else {
                    let message = "`!=` chooses another value for an integer".to_owned();
                    return self.error("PD0127", message, assign.span, "not an integer", "");
                };
                let (mut part, span) = (part.clone(), assign.span);
                self.forget(&part, span, writes, &mut effect)?;
                part.when = self.when(part.variable, writes);
                let read = self.fit(read(&part, scalar), span)?;
                let Typed::Int(new) = read else { return None };
                let differs = crate::term::compare(crate::term::Order::NotEqual, &new, &value);
                effect.constraint.push(self.fit(differs, span)?);
            }
        }
        Some(effect)
    }

    /// When a variable is written.
    fn when(&self, variable: VariableId, writes: Writes) -> When {
        match (writes, self.builder.program().variables[variable].scope) {
            (Writes::Saved, Scope::Local(_)) => When::Saved,
            _ => When::After,
        }
    }

    /// Gives a place a value.
    pub(super) fn store(
        &mut self,
        target: &Place,
        value: Typed,
        span: Span,
        writes: Writes,
        effect: &mut Effect,
    ) -> Option<()> {
        if let Typed::Whole(source) = value {
            return self.copy(target, &source, span, writes, effect);
        }
        let Some((part, scalar)) = target.scalar() else {
            let message = "an array or a structure cannot take a single value".to_owned();
            return self.error("PD0127", message, span, "assigned here", "assign its parts: `A i (lo,hi) a[i] = ...`");
        };
        let value = self.value(scalar, value, span, effect)?;
        self.write(part, value, span, writes, effect)
    }

    /// A value of a scalar's sort, under the condition that it fits.
    pub(super) fn value(&mut self, scalar: Scalar, value: Typed, span: Span, effect: &mut Effect) -> Option<Model> {
        match (scalar, value) {
            (Scalar::Bool, Typed::Bool(value)) => Some(value),
            (Scalar::Int { bits, signed }, Typed::Int(term)) => {
                let n = 1i128 << bits;
                let (lo, hi) = if signed { (-n / 2, n / 2 - 1) } else { (0, n - 1) };
                let fits = self.fit(term.fits(lo, hi), span)?;
                effect.guard.push(fits);
                Some(term.at(bits))
            }
            (Scalar::Enum(id), Typed::Enum(of, value, defined)) if id == of => {
                effect.guard.push(defined);
                Some(value)
            }
            (scalar, _) => {
                let text = self.source.slice(span);
                let message = format!("`{text}`: the value is not {}", scalar.describe());
                self.error("PD0127", message, span, "of another type", "")
            }
        }
    }

    /// Writes a variable or an element.
    fn write(&mut self, part: &Part, value: Model, span: Span, writes: Writes, effect: &mut Effect) -> Option<()> {
        let (variable, when) = (part.variable, self.when(part.variable, writes));
        if part.leaf.dims.is_empty() {
            self.once(variable, when, span, effect)?;
            effect.updates.push(Update { variable, index: None, when, value: Rhs::Expr(value) });
            return Some(());
        }
        let position = self.fit(part.position(), span)?;
        let last = i128::from(part.leaf.n()) - 1;
        effect.guard.push(self.fit(position.fits(0, last), span)?);
        let index = position.at(position.width());
        if matches!(writes, Writes::Callee) {
            let element = Model::Index(Box::new(Model::Read(variable, when)), Box::new(index));
            effect.constraint.push(element.eq(value));
        } else {
            effect.updates.push(Update { variable, index: Some(index), when, value: Rhs::Expr(value) });
        }
        Some(())
    }

    /// Any value for a variable or a part of it.
    fn forget(&mut self, part: &Part, span: Span, writes: Writes, effect: &mut Effect) -> Option<()> {
        let (variable, when) = (part.variable, self.when(part.variable, writes));
        if part.indices.is_empty() {
            self.once(variable, when, span, effect)?;
            effect.updates.push(Update { variable, index: None, when, value: Rhs::Any });
            return Some(());
        }
        for element in self.fit(part.elements(), span)? {
            let position = self.fit(element.position(), span)?;
            let last = i128::from(element.leaf.n()) - 1;
            effect.guard.push(self.fit(position.fits(0, last), span)?);
            let index = Some(position.at(position.width()));
            effect.updates.push(Update { variable, index, when, value: Rhs::Any });
        }
        Some(())
    }

    /// A variable is assigned as a whole only once.
    fn once(&mut self, variable: VariableId, when: When, span: Span, effect: &Effect) -> Option<()> {
        let again = effect.updates.iter().any(|update| update.variable == variable && update.when == when);
        if !again {
            return Some(());
        }
        let name = self.builder.program().variables[variable].name.clone();
        let message = format!("`{name}` is assigned twice in one statement");
        self.error("PD0139", message, span, "assigned again", "all assignments of a statement happen at once")
    }

    /// Copies an array or a structure.
    fn copy(&mut self, target: &Place, source: &Place, span: Span, writes: Writes, effect: &mut Effect) -> Option<()> {
        if !target.is_like(source) {
            let message = "arrays and structures of different types do not go together".to_owned();
            return self.error("PD0127", message, span, "of another type", "");
        }
        for (to, from) in target.parts.iter().zip(&source.parts) {
            if to.indices.is_empty() && from.indices.is_empty() {
                let (variable, when) = (to.variable, self.when(to.variable, writes));
                self.once(variable, when, span, effect)?;
                effect.updates.push(Update { variable, index: None, when, value: Rhs::Expr(from.read()) });
                continue;
            }
            let elements = self.fit(to.elements(), span)?.into_iter().zip(self.fit(from.elements(), span)?);
            for (to, from) in elements {
                self.afford(span)?;
                let value = self.fit(read(&from, from.leaf.scalar), span)?;
                let value = self.value(to.leaf.scalar, value, span, effect)?;
                self.write(&to, value, span, writes, effect)?;
            }
        }
        Some(())
    }
}
