//! Conditions of rules, as guards, updates and constraints.
//!
//! They are taken apart as those of pushdown systems are; the expressions are those of Remopla, with primes.

use base::Span;
use program::{Expr as Model, When};

use super::super::syntax::{Expr, Name, Operator};
use super::Lowering;
use super::assign;
use super::expression::{Typed, read};
use super::place::{Part, Place};
use super::rule::Level;
use super::types::Scalar;
use crate::pds::lower::effect::{Effect, Target, looks_after};
use base::names::Symbol;

impl Lowering<'_> {
    /// Adds the parts of a condition to an effect.
    pub(super) fn constrain(&mut self, condition: &Expr, effect: &mut Effect) -> Option<()> {
        match condition {
            Expr::Chain(operands, _) if matches!(operands.get(1), Some((Operator::And, _))) => {
                for (_, operand) in operands {
                    self.constrain(operand, effect)?;
                }
            }
            Expr::Quantified(quantifier, body, span) if quantifier.all => {
                let [from, to] = &quantifier.range;
                let (from, to) = (self.constant(from)?, self.constant(to)?);
                for value in from..=to {
                    self.afford(*span)?;
                    self.slots.push((quantifier.name.symbol, value));
                    let done = self.constrain(body, effect);
                    self.slots.pop();
                    done?;
                }
            }
            other => {
                if !self.assignment(other, effect)? {
                    let part = self.bool(other)?;
                    effect.add(part);
                }
            }
        }
        Some(())
    }

    /// Takes the part up as an assignment if it is one.
    fn assignment(&mut self, condition: &Expr, effect: &mut Effect) -> Option<bool> {
        match condition {
            Expr::Not(inner, _) => self.set_flag(inner, false, effect),
            Expr::Chain(operands, span) => {
                let [(_, left), (operator, right)] = operands.as_slice() else { return Some(false) };
                if !matches!(operator, Operator::Equal | Operator::Iff | Operator::Xor) {
                    return Some(false);
                }
                Some(
                    self.equation(left, *operator, right, *span, effect)?
                        || self.equation(right, *operator, left, *span, effect)?,
                )
            }
            other => self.set_flag(other, true, effect),
        }
    }

    fn set_flag(&mut self, flag: &Expr, value: bool, effect: &mut Effect) -> Option<bool> {
        if !is_primed(flag) {
            return Some(false);
        }
        match self.place(flag)?.scalar() {
            Some((part, Scalar::Bool)) => {
                let target = self.target_of(part, flag.span())?;
                Some(target.is_some_and(|target| effect.assign(target, Model::bool(value))))
            }
            _ => Some(false),
        }
    }

    /// `x' = term`, `b' == condition`, `b' ^ condition`.
    fn equation(
        &mut self,
        left: &Expr,
        operator: Operator,
        right: &Expr,
        span: Span,
        effect: &mut Effect,
    ) -> Option<bool> {
        if !is_primed(left) {
            return Some(false);
        }
        let place = self.place(left)?;
        let value = self.typed(right)?;
        let alike = match (place.scalar(), &value) {
            (None, Typed::Whole(source)) if operator == Operator::Equal => {
                return self.whole(&place, source, span, effect).map(|()| true);
            }
            (Some((_, Scalar::Bool)), Typed::Bool(..)) => operator != Operator::Equal,
            (Some((_, Scalar::Int { .. })), Typed::Int(_)) => operator == Operator::Equal,
            (Some((_, Scalar::Enum(a))), Typed::Enum(b, ..)) => operator == Operator::Equal && a == *b,
            _ => false,
        };
        match place.scalar().filter(|_| alike) {
            Some((part, scalar)) => self.set(part, scalar, value, operator == Operator::Xor, span, effect),
            None => Some(false),
        }
    }

    /// Sets a single value that is alike; false when that is no assignment.
    fn set(
        &mut self,
        part: &Part,
        scalar: Scalar,
        value: Typed,
        negate: bool,
        span: Span,
        effect: &mut Effect,
    ) -> Option<bool> {
        let Some(target) = self.target_of(part, span)? else { return Some(false) };
        let mut fits = assign::Effect::default();
        // A rule is a condition as a whole: an element that does not exist is false, and the rule is possible.
        let value = match value {
            Typed::Bool(value, _) => Typed::Bool(value, Model::TRUE),
            other => other,
        };
        let value = self.value(scalar, value, span, &mut fits)?;
        let value = if negate { value.not() } else { value };
        if looks_after(&value) || fits.guard.iter().any(looks_after) {
            return Some(false);
        }
        let is_taken_up = effect.assign(target, value);
        if is_taken_up {
            fits.guard.into_iter().for_each(|guard| effect.require(guard));
        }
        Some(is_taken_up)
    }

    /// An array or a structure is equal to another one: each of its elements is.
    fn whole(&mut self, target: &Place, source: &Place, span: Span, effect: &mut Effect) -> Option<()> {
        for (to, from) in self.elements(target, source, span)? {
            let value = self.fit(read(&from, from.leaf.scalar), span)?;
            if !self.set(&to, to.leaf.scalar, value, false, span, effect)? {
                let part = self.same(&to, &from, span)?;
                effect.add(part);
            }
        }
        Some(())
    }

    /// The equality of arrays or structures.
    pub(super) fn equal(&mut self, left: &Place, right: &Place, span: Span) -> Option<Model> {
        let elements = self.elements(left, right, span)?;
        let same: Vec<Option<Model>> = elements.iter().map(|(left, right)| self.same(left, right, span)).collect();
        same.into_iter().collect::<Option<Vec<Model>>>().map(Model::all_of)
    }

    /// The equality of two single values.
    fn same(&mut self, left: &Part, right: &Part, span: Span) -> Option<Model> {
        let scalar = left.leaf.scalar;
        let (left, right) = (self.fit(read(left, scalar), span)?, self.fit(read(right, right.leaf.scalar), span)?);
        let operator = if scalar == Scalar::Bool { Operator::Iff } else { Operator::Equal };
        match self.binary(operator, left, right, span)? {
            Typed::Bool(equal, _) => Some(equal),
            _ => None,
        }
    }

    /// The single values of two arrays or structures, side by side.
    fn elements(&mut self, left: &Place, right: &Place, span: Span) -> Option<Vec<(Part, Part)>> {
        if !left.is_like(right) {
            let message = "arrays and structures of different types do not go together".to_owned();
            return self.error("PD0127", message, span, "of different types", "");
        }
        let mut all = Vec::new();
        for (left, right) in left.parts.iter().zip(&right.parts) {
            for pair in self.fit(left.elements(), span)?.into_iter().zip(self.fit(right.elements(), span)?) {
                self.afford(span)?;
                all.push(pair);
            }
        }
        Some(all)
    }

    /// What a part with primes stands for, if that does not depend on values.
    fn target_of(&mut self, part: &Part, span: Span) -> Option<Option<Target>> {
        let (variable, when) = (part.variable, part.when);
        if part.leaf.dims.is_empty() {
            return Some(Some(Target { variable, when, element: None }));
        }
        let position = self.fit(part.position(), span)?.as_constant();
        let element = position.and_then(|position| u32::try_from(position).ok());
        Some(element.map(|element| Target { variable, when, element: Some(element) }))
    }

    /// A variable after the rule.
    pub(super) fn after(&mut self, name: Name, primes: u32, span: Span) -> Option<Place> {
        let level = (primes as usize).checked_sub(1).and_then(|at| self.levels.get(at)).copied();
        let local = level.and_then(|level| Some((self.modules[level.module].locals.get(&name.symbol)?, level.when)));
        let global = self.globals.get(&name.symbol).filter(|_| primes == 1).map(|entry| (entry, When::After));
        match local.or(global) {
            Some((entry, when)) => Some(Place::whole(entry, when)),
            None => self.not_after(name, primes, span, level),
        }
    }

    /// Reports a primed name that means nothing.
    fn not_after<T>(&mut self, name: Name, primes: u32, span: Span, level: Option<Level>) -> Option<T> {
        if self.report.only_counts() {
            return None;
        }
        let (text, n) = (self.text(name), self.levels.len());
        let written = text.to_owned() + &"'".repeat(primes as usize);
        let is_slot = self.slots.iter().any(|(slot, _)| *slot == name.symbol);
        if is_slot || self.constants.contains_key(&name.symbol) || self.types.values.contains_key(&name.symbol) {
            let message = format!("`{text}` is a constant: it has no primes");
            return self.error("PD0146", message, span, "not a variable", &format!("write `{text}`"));
        }
        if self.globals.contains_key(&name.symbol) {
            let message = format!("`{text}` is global: after the rule it is `{text}'`, not `{written}`");
            return self.error("PD0146", message, span, "too many primes", "write one prime");
        }
        let has = |module: usize| self.modules[module].locals.contains_key(&name.symbol);
        if !(0..self.modules.len()).any(has) {
            let known = |it: &Self| {
                let locals = it.levels.iter().flat_map(|level| it.modules[level.module].locals.keys());
                let mut known: Vec<Symbol> = locals.copied().collect();
                known.sort_unstable();
                known.extend(it.tree.globals.iter().map(|global| global.name.symbol));
                known
            };
            return self.unknown("PD0121", "variable", name, known, "declare it before the statements");
        }
        let Some(level) = level else {
            let message = format!("`{written}` speaks of new stack symbol {primes}, but the rule has {n}");
            let help = match n {
                0 => "a rule that returns has no new stack symbol; `x'` means a global after it",
                _ => "one prime for the first new symbol and the globals, two for the second",
            };
            return self.error("PD0146", message, span, "there is no such symbol", help);
        };
        let whose = self.modules[level.module].name.map_or("what is outside of modules", |name| self.text(name));
        let message = format!("`{written}`: the new stack symbol is in `{whose}`, which has no variable `{text}`");
        let other = self.levels.iter().position(|level| has(level.module));
        let help = other.map(|at| format!("did you mean `{text}{}`?", "'".repeat(at + 1))).unwrap_or_default();
        self.error("PD0146", message, span, "it is a local of another module", &help)
    }
}

/// Whether an expression is a part of a primed variable.
fn is_primed(expr: &Expr) -> bool {
    match expr {
        Expr::Primed(..) => true,
        Expr::Index(of, ..) | Expr::Field(of, _) => is_primed(of),
        _ => false,
    }
}
