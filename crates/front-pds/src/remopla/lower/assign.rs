//! Parallel assignments.

use base::Span;
use program::{Expr as Model, Relation, Rhs, Scope, Update, VariableId, When};
use question::term::{Order, Term, TooWide, compare};
use rustc_hash::FxHashSet;

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
    taken: Taken,
}

/// What has a new value already: it can have only one.
#[derive(Clone, Debug, Default)]
struct Taken {
    /// Whole variables, and elements whose position is constant.
    once: FxHashSet<(VariableId, When, Option<i128>)>,
    /// Elements whose position is constant.
    fixed: Vec<Element>,
    /// Elements whose position depends on the state.
    moving: Vec<Element>,
    /// Elements of the target that is being assigned: they differ from each other.
    fresh: Vec<Element>,
    /// The target has been chosen by `E`: that some choice is impossible is no mistake.
    is_chosen: bool,
    /// The chosen element has a new value already.
    is_again: bool,
}

/// An element with its new value.
#[derive(Clone, Debug)]
struct Element {
    variable: VariableId,
    when: When,
    indices: Vec<Term>,
    position: Option<i128>,
    value: Model,
}

impl Element {
    fn is_apart(&self, other: &Self) -> bool {
        let differ =
            |(a, b): (&Term, &Term)| matches!((a.as_constant(), b.as_constant()), (Some(a), Some(b)) if a != b);
        (self.variable, self.when) != (other.variable, other.when)
            || self.indices.iter().zip(&other.indices).any(differ)
    }

    /// Whether two elements of one array are different, or get the same value.
    fn agrees(&self, other: &Self) -> Result<Model, TooWide> {
        let mut cases = Vec::new();
        for (a, b) in self.indices.iter().zip(&other.indices) {
            cases.push(compare(Order::NotEqual, a, b)?);
        }
        cases.push(self.value.clone().eq(other.value.clone()));
        Ok(Model::any_of(cases))
    }
}

impl Taken {
    /// The elements that may be a given one.
    fn perhaps(&self, element: &Element) -> Vec<Element> {
        // Of constant positions it is known whether they are taken.
        let fixed = if element.position.is_some() && !self.is_again { &[][..] } else { &self.fixed };
        fixed.iter().chain(&self.moving).filter(|other| !other.is_apart(element)).cloned().collect()
    }

    /// The target has been assigned.
    fn settle(&mut self) {
        for element in self.fresh.drain(..) {
            let list = if element.position.is_some() { &mut self.fixed } else { &mut self.moving };
            list.push(element);
        }
    }
}

impl Effect {
    pub(super) fn relation(mut self) -> Relation {
        // Where indices are equal the later update wins: a given value is among the arbitrary ones.
        self.updates.sort_by_key(|update| update.index.is_none() || update.value != Rhs::Any);
        Relation { guard: Model::all_of(self.guard), updates: self.updates, constraint: Model::all_of(self.constraint) }
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
        }
        Some(effects)
    }

    fn assign(&mut self, assign: &Assign, depth: usize, effects: Vec<Effect>, writes: Writes) -> Option<Vec<Effect>> {
        let Some(quantifier) = assign.quantifiers.get(depth) else {
            // The alternatives multiply what the quantifiers have counted.
            for _ in 1..effects.len() {
                self.afford(assign.span)?;
            }
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
                let message = "`E` stands for too many cases here".to_owned();
                return self.error("PD0140", message, assign.span, "too many", "make the range smaller");
            }
        }
        Some(if quantifier.all { all } else { chosen })
    }

    fn single(&mut self, assign: &Assign, mut effect: Effect, writes: Writes) -> Option<Effect> {
        let target = self.place(&assign.target)?;
        effect.taken.is_chosen = assign.quantifiers.iter().any(|quantifier| !quantifier.all);
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
                let differs = compare(Order::NotEqual, &new, &value);
                effect.constraint.push(self.fit(differs, span)?);
            }
        }
        effect.taken.settle();
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
            (Scalar::Bool, Typed::Bool(value, defined)) => {
                effect.guard.push(defined);
                Some(value)
            }
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
            self.element_once(variable, when, position.as_constant(), span, effect)?;
            // An element that never exists makes the statement impossible, whatever the others are.
            if effect.guard.last() != Some(&Model::FALSE) {
                let (indices, position) = (part.indices.clone(), position.as_constant());
                self.agree(Element { variable, when, indices, position, value: value.clone() }, span, effect)?;
            }
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
            self.element_once(variable, when, position.as_constant(), span, effect)?;
            let index = Some(position.at(position.width()));
            effect.updates.push(Update { variable, index, when, value: Rhs::Any });
        }
        Some(())
    }

    /// A variable is assigned as a whole only once, and without its elements.
    fn once(&mut self, variable: VariableId, when: When, span: Span, effect: &mut Effect) -> Option<()> {
        effect.taken.once.insert((variable, when, None));
        let again = effect.updates.iter().any(|update| update.variable == variable && update.when == when);
        if again { self.again("", variable, span) } else { Some(()) }
    }

    /// An element is assigned only once, and without the whole array.
    fn element_once(
        &mut self,
        variable: VariableId,
        when: When,
        position: Option<i128>,
        span: Span,
        effect: &mut Effect,
    ) -> Option<()> {
        let once = &mut effect.taken.once;
        if once.contains(&(variable, when, None)) {
            return self.again("", variable, span);
        }
        let again = position.is_some() && !once.insert((variable, when, position));
        effect.taken.is_again = again;
        if again && !effect.taken.is_chosen { self.again("an element of ", variable, span) } else { Some(()) }
    }

    fn again<T>(&mut self, what: &str, variable: VariableId, span: Span) -> Option<T> {
        let name = &self.builder.program().variables[variable].name;
        let message = format!("{what}`{name}` is assigned twice in one statement");
        self.error("PD0139", message, span, "assigned again", "all assignments of a statement happen at once")
    }

    /// Requires that elements which turn out to be the same one get the same value.
    fn agree(&mut self, element: Element, span: Span, effect: &mut Effect) -> Option<()> {
        for other in effect.taken.perhaps(&element) {
            self.afford(span)?;
            effect.guard.push(self.fit(element.agrees(&other), span)?);
        }
        effect.taken.fresh.push(element);
        Some(())
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
