//! The syntax tree: what was written, before names mean anything.

use base::Span;

use calculus::system::{Fixpoint, HintKind};

/// A parsed file.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    pub(crate) items: Vec<Item>,
    /// Some part could not be understood: a name may seem unknown.
    pub(crate) lost: bool,
}

/// A use or declaration of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: Box<str>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `enum E {a, b};`
    Enum(Name, Vec<Name>),
    /// `enum R {0..3};`
    Range(Name, u64, u64),
    /// `class C { T x; bool b[4]; } x < b;`
    Class(Name, Vec<Declaration>, Vec<Wish>),
    /// `mu bool P(T a, U b) a < b expr;`
    Definition(Box<Definition>),
    /// `expr;`
    Query(Expr, Span),
    /// `#size P;`
    Directive(Directive),
}

/// `T x` or `T x[4]`
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) of: Name,
    pub(crate) name: Name,
    /// Number of elements of an array.
    pub(crate) size: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) fixpoint: Option<Fixpoint>,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Declaration>,
    pub(crate) wishes: Vec<Wish>,
    /// `None` for a prototype.
    pub(crate) body: Option<Expr>,
}

/// An allocation constraint.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) kind: HintKind,
    pub(crate) first: Name,
    pub(crate) second: Name,
}

#[derive(Clone, Debug)]
pub(crate) struct Directive {
    /// With its `#`.
    pub(crate) word: Name,
    pub(crate) texts: Vec<Box<str>>,
    pub(crate) exprs: Vec<Expr>,
    /// Without the `;`.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Const(bool),
    Number(u64),
    /// `s.h[2].v`: at least one part.
    Path(Vec<Part>),
    /// `P(x, y)`
    Apply(Name, Vec<Expr>),
    Not(Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `a & b & c`: at least two operands.
    And(Vec<Expr>),
    /// `a | b | c`: at least two operands.
    Or(Vec<Expr>),
    /// Condition, then, else.
    If(Box<[Expr; 3]>),
    Quantified(Quantifier, Vec<Declaration>, Box<Expr>),
}

/// A name and perhaps an index.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: Name,
    pub(crate) index: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    Exists,
    Forall,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Iff,
    Xor,
    Implies,
    ImpliedBy,
    Equal,
    NotEqual,
    /// `e assume f` and `e cofactor f`: the generalised cofactor.
    Cofactor,
}
