//! Backwards over a record: which values are needed; forwards: which are known.
//!
//! Definitions read earlier definitions only, or, in constraints, others of the same scene; so one pass in each
//! direction is enough.

use program::interp::possible_values;
use program::{Expr, Rhs, Value, When};

use super::justify::Needs;
use super::record::{DefinitionId, Record, Scene};
use super::template::Source;

/// Per definition: whether its value is known.
pub(super) fn known(record: &Record<'_>) -> Vec<bool> {
    follow(record, needed(record))
}

/// Per definition: whether the run needs its value. Values that could not be others are not counted.
pub(super) fn needed(record: &Record<'_>) -> Vec<bool> {
    let determined = follow(record, vec![false; record.definitions.len()]);
    // A round that can be repeated ends with the values that it needs at its beginning.
    let mut at_end: Vec<DefinitionId> = Vec::new();
    loop {
        let needed = needed_for(record, &determined, &at_end);
        let is_wanted = |begin: DefinitionId| needed[begin as usize] || determined[begin as usize];
        let is_open = |end: DefinitionId| !needed[end as usize] && !determined[end as usize];
        let wanted = record.round.iter().filter(|(begin, end)| is_wanted(*begin) && is_open(*end));
        let n_before = at_end.len();
        at_end.extend(wanted.map(|(_, end)| *end));
        if at_end.len() == n_before {
            return needed;
        }
    }
}

/// The same, given what must have its value at the end.
fn needed_for(record: &Record<'_>, determined: &[bool], at_end: &[DefinitionId]) -> Vec<bool> {
    let mut needs = Needs::new(record, determined);
    at_end.iter().for_each(|definition| needs.need(*definition));
    let (start, moves) = record.scenes.split_at(record.n_start);
    for scene in moves.iter().rev() {
        // What a constraint needs of the outcome is known before the outcome is asked for.
        if !is_free(record, &needs, scene) {
            constrain(record, &mut needs, scene);
        }
        for definition in scene.definitions.clone() {
            needs.justify_definition(definition);
        }
        for (condition, value) in &record.template(scene).conditions {
            needs.justify(scene, condition, &Value::Bool(*value));
        }
    }
    // The threads share variables: if one of their conditions needs something, others may have to follow.
    if !start.iter().all(|scene| is_free(record, &needs, scene)) {
        start.iter().for_each(|scene| constrain(record, &mut needs, scene));
    }
    needs.finish()
}

fn constrain(record: &Record<'_>, needs: &mut Needs<'_>, scene: &Scene) {
    for condition in &record.template(scene).constraint {
        needs.justify(scene, condition, &Value::Bool(true));
    }
}

/// True when a constraint is only about values that nothing else is about: they are arbitrary in this scene, not needed
/// later, and whatever else it reads could not be otherwise. Then some choice satisfies it in any case.
fn is_free(record: &Record<'_>, needs: &Needs<'_>, scene: &Scene) -> bool {
    let is_free = |definition: DefinitionId| {
        needs.is_determined(definition)
            || scene.definitions.contains(&definition)
                && *record.source(definition) == Source::Open
                && !needs.is_needed(definition)
    };
    let conditions = &record.template(scene).constraint;
    let mut reads = conditions.iter().flat_map(|condition| condition.reads());
    reads.all(|(variable, when)| is_free(record.read(scene, variable, when)))
}

/// Per definition: whether it is known, given those that are.
fn follow(record: &Record<'_>, mut known: Vec<bool>) -> Vec<bool> {
    for definition in 0..record.definitions.len() {
        if !known[definition] {
            known[definition] = follows(record, definition as DefinitionId, &known);
        }
    }
    known
}

fn follows(record: &Record<'_>, definition: DefinitionId, known: &[bool]) -> bool {
    let source = record.source(definition);
    if *source == Source::Open {
        return false;
    }
    let scene = &record.scenes[record.definitions[definition as usize].scene as usize];
    let is_single = |expr: &Expr| {
        let values = possible_values(record.program, expr, &record.known_values(scene, known));
        values.is_ok_and(|values| values.single().is_some())
    };
    match source {
        Source::Open => false,
        Source::Value(expr) => is_single(expr),
        Source::Elements { has_base, writes } => {
            let variable = record.definitions[definition as usize].variable;
            let base = *has_base && known[record.read(scene, variable, When::Before) as usize];
            let is_known = |(index, value): &(&Expr, &Rhs)| match value {
                Rhs::Expr(value) => is_single(index) && is_single(value),
                Rhs::Any => false,
            };
            base && writes.iter().all(is_known)
        }
    }
}
