//! Clauses: a body as a union of conjunctions.
//!
//! Every equation becomes clauses `head :- atoms, tests`. Equalities are gone (what is equal is one variable), bound
//! variables need no quantifier any more, and what is neither a conjunction nor a disjunction (a negated quantifier,
//! say) has become a relation of its own, a view.

use crate::system::{SortId, VariableId};

/// An argument: a variable of the clause, by number, or a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Arg {
    Variable(usize),
    Value(u64),
}

/// A planned relation, by number: those of the system first, then views, then queries.
pub(crate) type Planned = usize;

/// A relation applied to arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: Planned,
    pub(crate) args: Vec<Arg>,
    pub(crate) negated: bool,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Less,
}

/// A comparison of two values of one sort. It is false, before negation, when one of them does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub(crate) comparison: Comparison,
    pub(crate) left: (Arg, i64),
    pub(crate) right: (Arg, i64),
    pub(crate) sort: SortId,
    pub(crate) negated: bool,
}

impl Test {
    /// The truth of the test for given values, in a sort of so many values.
    pub(crate) fn holds(&self, left: u64, right: u64, size: u64) -> bool {
        let place = |value: u64, offset: i64| value.checked_add_signed(offset).filter(|value| *value < size);
        let holds = match (place(left, self.left.1), place(right, self.right.1)) {
            (Some(left), Some(right)) => match self.comparison {
                Comparison::Equal => left == right,
                Comparison::Less => left < right,
            },
            _ => false,
        };
        holds != self.negated
    }

    pub(crate) fn args(&self) -> [Arg; 2] {
        [self.left.0, self.right.0]
    }
}

/// A variable of a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ClauseVariable {
    /// The variable of the system that it stands for, for names.
    pub(crate) origin: VariableId,
    pub(crate) sort: SortId,
}

/// One conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clause {
    pub(crate) variables: Vec<ClauseVariable>,
    pub(crate) head: Vec<Arg>,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) tests: Vec<Test>,
}
