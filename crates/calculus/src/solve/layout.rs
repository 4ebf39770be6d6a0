//! The order of the families of bits, and what hints have to say about it.
//!
//! Families come in the order in which equations mention them. A hint may wish that one comes before another, or that
//! the bits of two alternate. What hints wish about columns of the same family is a matter of copies.

use std::collections::BTreeSet;

use base::{Diagnostic, Diagnostics};

use super::Solver;
use crate::plan::clause::Planned;
use crate::plan::{FamilyId, Kind, Plan};
use crate::system::{Hint, HintKind, SortKind, System, VariableId};

impl Solver<'_> {
    /// The wishes about the order of diagram variables, by position in [`System::hints`], that are not followed: about
    /// keys, about variables that the model places, or against other wishes.
    #[must_use]
    pub fn unfollowed_hints(&self) -> &[usize] {
        &self.store.space.unfollowed
    }

    /// A warning for each wish of a file that is not followed.
    #[must_use]
    pub fn hint_warnings(&self, system: &System) -> Diagnostics {
        let mut warnings = Diagnostics::new();
        for hint in self.unfollowed_hints().iter().filter_map(|hint| system.hints.get(*hint)) {
            let in_model = |variable: &VariableId| {
                matches!(system.sorts[system.variables[*variable].sort].kind, SortKind::Model(_))
            };
            let reason = match hint.first.iter().chain(&hint.second).any(in_model) {
                true => "the program decides where its own variables are",
                false => "keys have no place in the order, and other wishes may stand against it",
            };
            let warning = Diagnostic::warning("FP0053", "this wish about the order is not followed");
            warnings.push(warning.at(hint.span, reason).help("answers do not depend on it"));
        }
        warnings
    }
}

/// The families that the model does not supply variables for, in order; the bits of a group alternate.
pub(crate) fn arrange(plan: &Plan) -> Vec<Vec<FamilyId>> {
    let families = by_appearance(plan);
    let mut group_of: Vec<FamilyId> = (0..plan.families.len()).collect();
    for hint in plan.hints.iter().filter(|hint| hint.kind == HintKind::Interleave) {
        for (first, second) in hint.first.iter().zip(&hint.second) {
            if let (Some(first), Some(second)) = (family(plan, *first), family(plan, *second)) {
                let (from, to) = (group_of[second], group_of[first]);
                group_of.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut above: BTreeSet<(FamilyId, FamilyId)> = BTreeSet::new();
    for hint in plan.hints.iter().filter(|hint| hint.kind == HintKind::Above) {
        let groups = |variables: &[VariableId]| -> BTreeSet<FamilyId> {
            variables.iter().filter_map(|variable| family(plan, *variable)).map(|family| group_of[family]).collect()
        };
        let (first, second) = (groups(&hint.first), groups(&hint.second));
        above.extend(first.iter().flat_map(|a| second.iter().map(|b| (*a, *b))).filter(|(a, b)| a != b));
    }
    let mut groups: Vec<Vec<FamilyId>> = Vec::new();
    for family in families {
        match groups.iter_mut().find(|group| group_of[group[0]] == group_of[family]) {
            Some(group) => group.push(family),
            None => groups.push(vec![family]),
        }
    }
    let mut ordered = Vec::with_capacity(groups.len());
    while !groups.is_empty() {
        let number = |at: usize| group_of[groups[at][0]];
        let is_free = |at: &usize| !(0..groups.len()).any(|other| above.contains(&(number(other), number(*at))));
        // Wishes in a circle cannot all be followed: then the first goes first.
        let next = (0..groups.len()).find(is_free).unwrap_or(0);
        ordered.push(groups.remove(next));
    }
    ordered
}

/// Families in the order in which the columns of equations, then those of all others, mention them.
fn by_appearance(plan: &Plan) -> Vec<FamilyId> {
    let (equations, others): (Vec<_>, Vec<_>) =
        plan.relations.iter().partition(|relation| matches!(relation.kind, Kind::Fixpoint(_)));
    let columns = equations.into_iter().chain(others).flat_map(|relation| &relation.columns);
    let mentioned = columns.map(|column| column.family).chain(0..plan.families.len());
    let mut seen = vec![false; plan.families.len()];
    let mut order = Vec::new();
    for family in mentioned {
        if !seen[family] && !plan.is_supplied(plan.families[family].sort) {
            order.push(family);
        }
        seen[family] = true;
    }
    order
}

fn family(plan: &Plan, variable: VariableId) -> Option<FamilyId> {
    plan.column(variable).map(|(relation, column)| plan.relations[relation].columns[column].family)
}

/// Whether a hint says that one of two columns is above the other; none: no hint does.
pub(crate) fn is_first(plan: &Plan, a: VariableId, b: VariableId) -> Option<bool> {
    let says = |hint: &Hint, a: VariableId, b: VariableId| {
        hint.kind == HintKind::Above && hint.first.contains(&a) && hint.second.contains(&b)
    };
    plan.hints.iter().find_map(|hint| match (says(hint, a, b), says(hint, b, a)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    })
}

/// Does the order do what a hint wishes? `levels` gives the places of a column's bits.
pub(crate) fn is_followed(plan: &Plan, hint: &Hint, levels: &dyn Fn(Planned, usize) -> Vec<usize>) -> bool {
    let places = |variables: &[VariableId]| -> Option<Vec<usize>> {
        let mut places = Vec::new();
        for variable in variables {
            let (relation, column) = plan.column(*variable)?;
            // A key has no place in the order.
            if plan.relations[relation].columns[column].is_key {
                return None;
            }
            places.extend(levels(relation, column));
        }
        Some(places)
    };
    let (Some(first), Some(second)) = (places(&hint.first), places(&hint.second)) else { return false };
    let is_below = |a: &[usize], b: &[usize]| a.iter().max() < b.iter().min() || a.is_empty() || b.is_empty();
    let pairs = || first.iter().zip(&second);
    match hint.kind {
        HintKind::Above => is_below(&first, &second) || (first.len() == second.len() && pairs().all(|(a, b)| a < b)),
        HintKind::Interleave => pairs().all(|(a, b)| {
            let between = a.min(b) + 1..*a.max(b);
            !first.iter().chain(&second).any(|other| between.contains(other))
        }),
        HintKind::Separate => is_below(&first, &second) || is_below(&second, &first),
    }
}
