//! The syntax tree: what was written, before names mean anything.
//!
//! Long lists (statements, `elsif` arms, operands of `&`) are wide and not deep; the depth of the tree is bounded by
//! the parser ([`crate::MAX_DEPTH`]).

use base::Span;
use text::Comment;

use base::names::{Names, Symbol};

/// A parsed source.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    pub(crate) names: Names,
    pub(crate) items: Vec<Item>,
    pub(crate) comments: Vec<Comment>,
    /// End of the source.
    pub(crate) end: u32,
    /// What the parser could not keep after an error.
    pub(crate) lost: Lost,
    /// Some variable is called `T` or `F`, so that these are not always constants.
    pub(crate) hides_constants: bool,
}

/// What is missing from a tree because of syntax errors; complaints about it would mislead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lost {
    /// Declarations or heads of procedures: a name may seem unknown.
    pub(crate) declarations: bool,
    /// Statements: a label may seem unknown.
    pub(crate) statements: bool,
}

/// A use or declaration of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// A part of the program at its outermost level or in a thread.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) start: u32,
    pub(crate) blank_before: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    Declaration(Declaration),
    Enforce(Expr, Span),
    Procedure(Box<Procedure>),
    Thread(Box<Thread>),
    /// `init begin ... end`, with the span of `init`.
    Init(Span, Body),
}

/// `decl a, b := 0;`
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// At least one.
    pub(crate) declarators: Vec<Declarator>,
}

#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Name>,
    pub(crate) n_results: u32,
    pub(crate) body: Body,
}

/// `thread NAME[copies] begin ... end`
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) name: Name,
    pub(crate) copies: u32,
    pub(crate) items: Vec<Item>,
    pub(crate) begin: u32,
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Place of `begin`.
    pub(crate) begin: u32,
    pub(crate) statements: Block,
    /// Place of `end`.
    pub(crate) end: Span,
}

/// Statements in order.
pub(crate) type Block = Vec<Statement>;

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: StatementKind,
    /// The statement without labels, branches and semicolon: what a trace shows.
    pub(crate) head: Span,
    /// Where it starts, labels included.
    pub(crate) start: u32,
    pub(crate) blank_before: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// Labels without a statement.
    Empty,
    Declaration(Declaration),
    Enforce(Expr),
    Skip,
    Assign {
        targets: Vec<Name>,
        values: Vec<Expr>,
        constraint: Option<Expr>,
    },
    Call {
        targets: Vec<Name>,
        call: Call,
    },
    Return(Vec<Expr>),
    If(Box<If>),
    While(Box<While>),
    Goto(Vec<Name>),
    Assume(Expr),
    Constrain(Expr),
    Assert(Expr),
    Dead(Vec<Name>),
    Print(Vec<Expr>),
    Abortif(Expr),
    AtomicBegin,
    AtomicEnd,
    Spawn(Call),
    SpawnGoto(Name),
    EndThread,
    Break,
    Continue,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Name,
    pub(crate) arguments: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct If {
    /// `if` and every `elsif`; at least one.
    pub(crate) arms: Vec<Arm>,
    pub(crate) otherwise: Option<Else>,
    /// Place of `fi`.
    pub(crate) end: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) condition: Expr,
    /// `if (c)` or `elsif (c)`.
    pub(crate) head: Span,
    pub(crate) block: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Else {
    /// Place of `else`.
    pub(crate) start: u32,
    pub(crate) block: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct While {
    pub(crate) condition: Expr,
    pub(crate) block: Block,
    /// Place of `od`.
    pub(crate) end: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expr {
    Const(bool),
    Name(Name),
    /// `'x`: the value after the statement.
    Primed(Name),
    Any,
    Not(Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `a & b & c`: at least two operands.
    Nary(Nary, Vec<Expr>),
    /// `c ? a : b`
    Conditional(Box<[Expr; 3]>),
    /// `schoose[p, n]`
    Choose(Box<[Expr; 2]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Implies,
    Iff,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nary {
    Or,
    Xor,
    And,
}
