//! The syntax tree of a Remopla program.

use base::Span;

use base::names::Names;

pub(crate) use crate::rule::Name;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyntaxTree {
    pub(crate) names: Names,
    pub(crate) defines: Vec<(Name, Expr)>,
    /// Types, in order: named ones and those of declarations.
    pub(crate) enums: Vec<Enumeration>,
    pub(crate) structs: Vec<Structure>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) init: Option<Vec<Name>>,
    pub(crate) modules: Vec<Module>,
    /// Statements outside of modules.
    pub(crate) statements: Vec<Statement>,
    /// Rules, with the module in whose body they stand: its position.
    pub(crate) rules: Vec<(Option<usize>, Rule)>,
    /// Number of statements in all.
    pub(crate) n_statements: usize,
    /// Something outside of statements could not be understood, so unknown names are no news.
    pub(crate) lost: bool,
    /// So is a statement, perhaps with a label.
    pub(crate) lost_statements: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    pub(crate) name: Option<Name>,
    pub(crate) values: Vec<Name>,
}

#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub(crate) name: Option<Name>,
    pub(crate) fields: Vec<Declaration>,
}

/// What stands before the variables of a declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    Bool,
    Int {
        signed: bool,
    },
    /// Position in the tree's enumerations.
    Enum(usize),
    Struct(usize),
    /// `enum ID` or `struct ID`.
    Named(Name),
}

/// One variable, field or parameter.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) dims: Vec<Dim>,
    pub(crate) bits: Option<Expr>,
    pub(crate) shared: bool,
}

/// `[n]` or `[lo, hi]`.
#[derive(Clone, Debug)]
pub(crate) struct Dim {
    pub(crate) first: Expr,
    pub(crate) last: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: Name,
    /// What it returns; none for `void`. The name is that of the module.
    pub(crate) result: Option<Declaration>,
    pub(crate) parameters: Vec<Declaration>,
    /// None: only declared.
    pub(crate) body: Option<Body>,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) locals: Vec<Declaration>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Position among all statements, in source order.
    pub(crate) id: usize,
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: StatementKind,
    /// The statement without what is inside of it.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    If(Vec<Guarded>),
    Do(Vec<Guarded>),
    Assign(Vec<Assign>),
    Call { call: Call, result: Option<Expr>, assigns: Vec<Assign> },
    Return(Option<Expr>),
    Goto { target: Name, assigns: Vec<Assign> },
    Break,
    Skip(Option<Expr>),
    Fork(Call),
}

/// A rule of a pushdown system whose stack symbols are labels.
pub(crate) type Rule = crate::rule::Rule<Expr>;

#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    /// None: `else`.
    pub(crate) condition: Option<Expr>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Name,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Assign {
    /// Quantifiers before it, outermost first.
    pub(crate) quantifiers: Vec<Quantifier>,
    pub(crate) target: Expr,
    pub(crate) value: AssignValue,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum AssignValue {
    Expr(Expr),
    /// Any value.
    Undef,
    /// Any other value.
    Not(Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct Quantifier {
    pub(crate) all: bool,
    pub(crate) name: Name,
    pub(crate) range: [Expr; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Or,
    Xor,
    And,
    Iff,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
}

/// An expression of any type. Chains of one level of operators are flat.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i128, Span),
    Bool(bool, Span),
    Name(Name),
    /// A variable after a rule, with so many primes.
    Primed(Name, u32, Span),
    Index(Box<Expr>, Box<Expr>, Span),
    Field(Box<Expr>, Name),
    Not(Box<Expr>, Span),
    /// Operands with the operator before each, from left to right; the first operator means nothing.
    Chain(Vec<(Operator, Expr)>, Span),
    Quantified(Box<Quantifier>, Box<Expr>, Span),
}

impl Expr {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Number(_, span)
            | Self::Bool(_, span)
            | Self::Primed(_, _, span)
            | Self::Index(_, _, span)
            | Self::Not(_, span)
            | Self::Chain(_, span)
            | Self::Quantified(_, _, span) => *span,
            Self::Name(name) => name.span,
            Self::Field(of, name) => of.span().to(name.span),
        }
    }
}
