//! Known values: environments from variables to constants.

use std::rc::Rc;

use program::{Program, Scope, Value, VariableId};

/// Variables with known values, in order; shared until changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Env {
    known: Rc<Vec<(VariableId, Value)>>,
}

impl Env {
    pub(super) fn get(&self, variable: VariableId) -> Option<&Value> {
        let at = self.known.binary_search_by_key(&variable, |(id, _)| *id).ok()?;
        Some(&self.known[at].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(VariableId, Value)> {
        self.known.iter()
    }

    /// Sets the value of a variable; none: it is not known.
    pub(super) fn set(&mut self, variable: VariableId, value: Option<Value>) {
        match (self.known.binary_search_by_key(&variable, |(id, _)| *id), value) {
            (Ok(at), Some(value)) if self.known[at].1 == value => {}
            (Ok(at), Some(value)) => Rc::make_mut(&mut self.known)[at].1 = value,
            (Ok(at), None) => drop(Rc::make_mut(&mut self.known).remove(at)),
            (Err(at), Some(value)) => Rc::make_mut(&mut self.known).insert(at, (variable, value)),
            (Err(_), None) => {}
        }
    }

    /// Keeps what the other environment knows as well; true when something was lost.
    pub(super) fn meet(&mut self, other: &Self) -> bool {
        if Rc::ptr_eq(&self.known, &other.known) {
            return false;
        }
        let agrees = |entry: &(VariableId, Value)| other.get(entry.0) == Some(&entry.1);
        if self.known.iter().all(agrees) {
            return false;
        }
        Rc::make_mut(&mut self.known).retain(agrees);
        true
    }

    /// Keeps the variables for which `keep` is true.
    pub(super) fn retain(&mut self, keep: impl Fn(VariableId) -> bool) {
        if !self.known.iter().all(|(variable, _)| keep(*variable)) {
            Rc::make_mut(&mut self.known).retain(|(variable, _)| keep(*variable));
        }
    }

    /// What is known of globals in `self` and of locals in `frame`.
    pub(super) fn with_frame(mut self, program: &Program, frame: &Self) -> Self {
        self.retain(|variable| !is_local(program, variable));
        for (variable, value) in frame.iter().filter(|(variable, _)| is_local(program, *variable)) {
            self.set(*variable, Some(value.clone()));
        }
        self
    }
}

pub(super) fn is_local(program: &Program, variable: VariableId) -> bool {
    matches!(program.variables[variable].scope, Scope::Local(_))
}
