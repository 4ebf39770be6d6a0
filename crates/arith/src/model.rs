//! Values of variables.

use std::collections::BTreeMap;

use crate::{Int, Var};

/// A value for every variable: 0 unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: BTreeMap<Var, Int>,
}

impl Model {
    /// The value of a variable.
    #[must_use]
    pub fn get(&self, var: Var) -> &Int {
        self.values.get(&var).unwrap_or(const { &Int::ZERO })
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, var: Var, value: Int) {
        self.values.insert(var, value);
    }

    /// The values that were set, by variable.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &Int)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }
}

impl<V: Into<Int>> FromIterator<(Var, V)> for Model {
    fn from_iter<It: IntoIterator<Item = (Var, V)>>(values: It) -> Self {
        Self { values: values.into_iter().map(|(var, value)| (var, value.into())).collect() }
    }
}
