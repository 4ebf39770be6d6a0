//! The syntax tree of a pushdown system.
//!
//! Chains of operators are flat, so that only brackets, quantifiers and negations nest.

use base::Span;

use base::names::Names;

pub(crate) use crate::rule::Name;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyntaxTree {
    pub(crate) names: Names,
    pub(crate) defines: Vec<Define>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) locals: Vec<Local>,
    pub(crate) start: Option<Start>,
    pub(crate) atoms: Vec<Atoms>,
    pub(crate) rules: Vec<Rule>,
    /// Something outside of rules could not be understood, so unknown names are no news.
    pub(crate) lost: bool,
}

/// `define N 3`.
#[derive(Clone, Debug)]
pub(crate) struct Define {
    pub(crate) name: Name,
    pub(crate) value: Term,
}

/// `int x(3)`, `bool b[1,4]`: one variable.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    /// Width of an integer; none for a Boolean.
    pub(crate) bits: Option<Term>,
    pub(crate) indices: Option<Indices>,
}

/// Which elements an array has.
#[derive(Clone, Debug)]
pub(crate) enum Indices {
    /// `[n]`: 0 to n-1.
    Below(Term),
    /// `[lo,hi]`.
    Between(Box<[Term; 2]>),
}

/// `local (sym, ...) decl+`.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) symbols: Vec<Name>,
    pub(crate) variables: Vec<Declaration>,
}

/// `(state (expr) <sym (expr) ...>)`.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) state: Name,
    pub(crate) condition: Option<Formula>,
    pub(crate) stack: Vec<(Name, Option<Formula>)>,
    pub(crate) span: Span,
}

/// `atoms ID p, q`.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    pub(crate) name: Name,
    pub(crate) propositions: Vec<Name>,
}

/// `p <a> --> q <b c> "name" (expr)`.
pub(crate) type Rule = crate::rule::Rule<Formula>;

/// A Boolean expression.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    /// A Boolean variable.
    Variable(Variable),
    /// A comparison of integers.
    Compare(Comparison, Box<[Term; 2]>, Span),
    Not(Box<Formula>),
    /// `a & b & c`: at least two.
    Chain(Connective, Vec<Formula>),
    Quantified(Box<Quantified>),
}

/// `A i (lo, hi) expr`.
#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    /// `A`, not `E`.
    pub(crate) all: bool,
    pub(crate) name: Name,
    pub(crate) range: [Term; 2],
    pub(crate) body: Formula,
    /// From `A` to the range.
    pub(crate) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

/// Loosest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Connective {
    Iff,
    Xor,
    Or,
    And,
}

/// An integer expression.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Number(i128, Span),
    Variable(Variable),
    /// Operands with the operator before each, from left to right; the first operator means nothing. Sums and
    /// differences, products and quotients, or shifts.
    Chain(Vec<(Operator, Term)>, Span),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
    Shift,
}

/// `x`, `x'`, `x''[i]`, also quantified and defined names.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) primes: u32,
    pub(crate) index: Option<Box<Term>>,
    pub(crate) span: Span,
}

impl Term {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Number(_, span) | Self::Chain(_, span) => *span,
            Self::Variable(variable) => variable.span,
        }
    }
}
