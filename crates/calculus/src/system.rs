//! A resolved file: names bound, sorts checked, parameters known, records and arrays taken apart into columns.
//!
//! This is what both languages (`.fp` and Mucke's) become and what the solver works on. It knows neither syntax nor
//! decision diagrams.

use base::{IdVec, Span, define_ids};

define_ids! {
    /// A sort of single values.
    SortId,
    /// A relation: an input, an abbreviation or an equation.
    RelationId,
    /// A variable of a formula, unique in its system.
    VariableId,
}

/// Equations, abbreviations, inputs and queries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// Sorts of single values. Two columns can be compared when they have the same one.
    pub sorts: IdVec<SortId, Sort>,
    /// Relations in the order of the file.
    pub relations: IdVec<RelationId, Relation>,
    /// All variables of all formulae.
    pub variables: IdVec<VariableId, Variable>,
    /// What is asked, in the order of the file.
    pub queries: Vec<Query>,
    /// Wishes about the order of diagram variables.
    pub hints: Vec<Hint>,
}

impl System {
    /// Whether it speaks of what a model supplies: of a sort, or of a relation.
    #[must_use]
    pub fn needs_model(&self) -> bool {
        self.sorts.iter().any(|sort| matches!(sort.kind, SortKind::Model(_)))
            || self.relations.iter().any(|relation| matches!(relation.kind, RelationKind::Input(_)))
    }
}

/// A sort of single values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// Its name, for messages: `Location`, `0..3`.
    pub name: String,
    /// Its values.
    pub kind: SortKind,
}

/// The values of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortKind {
    /// False and true.
    Bool,
    /// Names, numbered from 0.
    Enum(Vec<String>),
    /// Numbers from the first to the second, both included. A value is stored as its distance from the first.
    Range(u64, u64),
    /// A sort that the model supplies, by its position in [`crate::Signature::sorts`].
    Model(usize),
}

/// What a relation is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Its columns. The variables are the parameters that the body speaks of.
    pub columns: Vec<VariableId>,
    /// How it gets its value.
    pub kind: RelationKind,
    /// Where the name is declared.
    pub span: Span,
}

/// How a relation gets its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RelationKind {
    /// From the model, by its position in [`crate::Signature::inputs`].
    Input(usize),
    /// It stands for its body. Abbreviations do not use one another in a circle.
    Define(Formula),
    /// It is a fixed point of its body.
    Fixpoint(Fixpoint, Formula),
}

/// Which fixed point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixpoint {
    /// From the empty relation: `mu`.
    Least,
    /// From the full relation: `nu`.
    Greatest,
}

/// A variable of single values: a column, or bound by a quantifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// As the author would write it: `u.loc`, `g[2]`.
    pub name: String,
    /// Its sort.
    pub sort: SortId,
    /// Which part of a record or array it is, for instance `State.loc`; empty for single values. Variables that are
    /// the same part of different records belong together.
    pub part: String,
}

impl Variable {
    /// Part of an array.
    #[must_use]
    pub fn is_element(&self) -> bool {
        self.name.contains('[')
    }
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Its name.
    pub name: String,
    /// The variables whose solutions are asked for; none: is the formula true?
    pub free: Vec<VariableId>,
    /// What is asked.
    pub formula: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A formula. Long conjunctions and disjunctions are wide, not deep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// True or false.
    Const(bool),
    /// The arguments are in the relation; one per column, of the column's sort.
    Apply(RelationId, Vec<Term>),
    /// Both have the same value; both are of the same sort.
    Equal(Term, Term),
    /// The first is smaller, in the order of the sort's values.
    Less(Term, Term),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction; of nothing: true.
    And(Vec<Formula>),
    /// Disjunction; of nothing: false.
    Or(Vec<Formula>),
    /// Both or neither.
    Iff(Box<Formula>, Box<Formula>),
    /// For some values.
    Exists(Vec<VariableId>, Box<Formula>),
    /// For all values.
    Forall(Vec<VariableId>, Box<Formula>),
    /// The first, where the second holds; elsewhere whatever makes the diagram small (Mucke's `cofactor`): the
    /// generalised cofactor of Coudert and Madre.
    Cofactor(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Calls `visit` on this formula and all below it, outermost first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Const(_) | Self::Apply(..) | Self::Equal(..) | Self::Less(..) => {}
            Self::Not(inner) | Self::Exists(_, inner) | Self::Forall(_, inner) => inner.visit(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Self::Iff(a, b) | Self::Cofactor(a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
        }
    }
}

/// A single value. Where a term has no value (a sum beyond its sort) the atom that it stands in is false.
///
/// In a file, sums of numbers are numbers and may lie outside of the variable's range. Atoms are built such that this is
/// the same: a sum stands where it is only compared with, or given to, something of its own sort, and nothing there has a
/// value beyond it. In other sorts there is nothing beyond the last value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// The value of a variable.
    Variable(VariableId),
    /// The n-th value of the sort.
    Value(SortId, u64),
    /// The value so many places after (or before) a variable's, in the same sort.
    Offset(VariableId, i64),
}

/// A wish about the order of diagram variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// What is wished.
    pub kind: HintKind,
    /// Columns of a relation, or variables.
    pub first: Vec<VariableId>,
    /// Others.
    pub second: Vec<VariableId>,
    /// Where it stands.
    pub span: Span,
}

/// What a hint wishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintKind {
    /// The first above the second.
    Above,
    /// Bits of both in turn.
    Interleave,
    /// Each in a block of its own.
    Separate,
}
