//! What an edge does to the data.

use crate::{Expr, VariableId, When};

/// A relation between the state before and the state after an edge.
///
/// The edge is possible when `guard` can be true; then all updates happen at once, reading the old values; of the
/// outcomes only those exist in which `constraint` can be true. Variables without an update keep their values (the
/// frame of a callee, and the frame and the private variables of a new thread, have no old values: there they are
/// arbitrary).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// A condition on the state before. Reads only `Before` (and `Result` when leaving a call).
    pub guard: Expr,
    /// Parallel updates. No variable is updated twice at the same moment, unless both updates are of array elements
    /// (the later one wins where the indices are equal).
    pub updates: Vec<Update>,
    /// A condition on the states before and after.
    pub constraint: Expr,
}

/// One part of a parallel assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Update {
    /// What is written.
    pub variable: VariableId,
    /// Which element of it; an index out of range makes the edge impossible.
    pub index: Option<Expr>,
    /// `After`, or `Saved` for the caller's frame on a call.
    pub when: When,
    /// The new value.
    pub value: Rhs,
}

/// A new value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rhs {
    /// The value of an expression over the state before.
    Expr(Expr),
    /// Any value of the variable's sort.
    Any,
}

impl Update {
    /// `variable := value`.
    #[must_use]
    pub fn assign(variable: VariableId, value: Expr) -> Self {
        Self { variable, index: None, when: When::After, value: Rhs::Expr(value) }
    }

    /// `variable` becomes arbitrary.
    #[must_use]
    pub fn havoc(variable: VariableId) -> Self {
        Self { variable, index: None, when: When::After, value: Rhs::Any }
    }

    /// True when the outcome is not a function of the state before.
    #[must_use]
    pub fn is_nondeterministic(&self) -> bool {
        let is_arbitrary = match &self.value {
            Rhs::Any => true,
            Rhs::Expr(expr) => expr.has_any(),
        };
        is_arbitrary || self.index.as_ref().is_some_and(Expr::has_any)
    }
}

impl Default for Relation {
    fn default() -> Self {
        Self::identity()
    }
}

impl Relation {
    /// Nothing changes.
    #[must_use]
    pub fn identity() -> Self {
        Self { guard: Expr::TRUE, updates: Vec::new(), constraint: Expr::TRUE }
    }

    /// Nothing changes, and the edge is possible only under a condition.
    #[must_use]
    pub fn assume(guard: Expr) -> Self {
        Self { guard, ..Self::identity() }
    }

    /// Parallel updates.
    #[must_use]
    pub fn update(updates: Vec<Update>) -> Self {
        Self { updates, ..Self::identity() }
    }

    /// The same, with a further condition on the outcome.
    #[must_use]
    pub fn constrained(mut self, constraint: Expr) -> Self {
        self.constraint = self.constraint.and(constraint);
        self
    }

    /// True when the edge is always possible and changes nothing.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.guard == Expr::TRUE && self.updates.is_empty() && self.constraint == Expr::TRUE
    }

    /// All expressions of the relation: guard, indices, right sides, constraint.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.guard)
            .chain(self.updates.iter().flat_map(Update::exprs))
            .chain(std::iter::once(&self.constraint))
    }

    /// True when `variable` is updated at the moment.
    #[must_use]
    pub fn writes(&self, variable: VariableId, when: When) -> bool {
        self.updates.iter().any(|update| update.variable == variable && update.when == when)
    }
}

impl Update {
    /// The index and the right side.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let value = match &self.value {
            Rhs::Expr(expr) => Some(expr),
            Rhs::Any => None,
        };
        self.index.iter().chain(value)
    }
}
