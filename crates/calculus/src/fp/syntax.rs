//! The syntax tree: what was written, before names mean anything.
//!
//! Long lists (operands of `&`, variables of a quantifier) are wide and not deep; the depth of the tree is bounded by
//! the parser ([`crate::MAX_DEPTH`]).

use base::Span;
use text::Comment;

use crate::system::Fixpoint;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    pub(crate) items: Vec<Item>,
    pub(crate) comments: Vec<Comment>,
    /// Some declaration could not be understood: a name may seem unknown.
    pub(crate) lost: bool,
}

/// A use or declaration of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: Box<str>,
    pub(crate) span: Span,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
    pub(crate) blank_before: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// `param k, n = 3;`
    Param(Vec<Param>),
    /// `sort Name = ...;`
    Sort(Name, SortBody),
    /// `input R(x: S), Q(y: T);`
    Input(Vec<Head>),
    /// `define R(x: S) = f;`
    Define(Head, Expr),
    /// `mu R(x: S) = f;`
    Fixpoint(Fixpoint, Head, Expr),
    /// `order R: u above v, x interleaved y;`
    Order(Name, Vec<Wish>),
    /// `query q(x: S) = f;`
    Query(Head, Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: Name,
    pub(crate) default: Option<u64>,
}

/// A name with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) name: Name,
    pub(crate) binders: Vec<Binder>,
}

/// `x, y: S`
#[derive(Clone, Debug)]
pub(crate) struct Binder {
    /// At least one.
    pub(crate) names: Vec<Name>,
    pub(crate) sort: SortExpr,
}

#[derive(Clone, Debug)]
pub(crate) enum SortBody {
    /// `{ a: S, b: T }`
    Record(Vec<Binder>),
    /// `enum { a, b }`
    Enum(Vec<Name>),
    /// Another name for a sort.
    Alias(SortExpr),
}

#[derive(Clone, Debug)]
pub(crate) enum SortExpr {
    Name(Name),
    /// `0..k`
    Range(Box<[Expr; 2]>, Span),
    /// `S[1..k]`
    Array(Box<SortExpr>, Box<[Expr; 2]>, Span),
}

/// `u above v`
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) kind: crate::system::HintKind,
    pub(crate) first: Expr,
    pub(crate) second: Expr,
}

/// A formula, a term or a constant expression: which of them is decided when names are known.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Const(bool),
    Number(u64),
    Name(Box<str>),
    /// `u.loc`
    Field(Box<Expr>, Name),
    /// `g[i]`
    Element(Box<[Expr; 2]>),
    /// `R(x, y)`
    Apply(Name, Vec<Expr>),
    Not(Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `a & b & c`: at least two operands.
    Nary(Nary, Vec<Expr>),
    /// `exists x: S. f`
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    Exists,
    Forall,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nary {
    Or,
    And,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Iff,
    Implies,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
}

impl Binary {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Iff => "<->",
            Self::Implies => "->",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
        }
    }

    /// How tightly it binds; `|` has 3 and `&` has 4.
    pub(crate) fn level(self) -> u32 {
        match self {
            Self::Iff => 1,
            Self::Implies => 2,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => {
                Self::COMPARISON
            }
            Self::Add | Self::Subtract => 6,
            Self::Multiply => 7,
        }
    }

    /// The level of comparisons.
    pub(crate) const COMPARISON: u32 = 5;
}

impl Nary {
    pub(crate) fn level(self) -> u32 {
        match self {
            Self::Or => 3,
            Self::And => 4,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Or => "|",
            Self::And => "&",
        }
    }
}
