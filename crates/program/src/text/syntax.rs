//! The syntax tree of the text form.

use arith::Int;
use base::Span;

use crate::{BinaryOp, NaryOp, Role};

#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Nat {
    pub(super) value: u32,
    pub(super) span: Span,
}

#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) enums: Vec<Enum>,
    pub(super) globals: Vec<Declaration>,
    pub(super) procedures: Vec<Procedure>,
    /// Name and start procedure.
    pub(super) threads: Vec<(Name, Name)>,
    pub(super) inits: Vec<Name>,
    pub(super) starts: Vec<(Expr, Span)>,
    pub(super) uninterruptibles: Vec<(Expr, Span)>,
}

#[derive(Clone, Debug)]
pub(super) struct Enum {
    pub(super) id: Option<Nat>,
    pub(super) name: Name,
    pub(super) values: Vec<Name>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Shared,
    Private,
    Parameter,
    Result,
    Local,
}

#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) place: Place,
    pub(super) id: Option<Nat>,
    pub(super) name: Name,
    pub(super) sort: Sort,
}

#[derive(Clone, Debug)]
pub(super) enum Sort {
    Bool,
    Bits(Nat),
    Int,
    Name(Name),
    Array(Box<Sort>, Nat),
}

#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) id: Option<Nat>,
    pub(super) name: Name,
    pub(super) variables: Vec<Declaration>,
    pub(super) untouched: Vec<Variable>,
    pub(super) entries: Vec<Nat>,
    pub(super) exits: Vec<Nat>,
    pub(super) locations: Vec<Location>,
}

#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) number: Nat,
    pub(super) id: Option<Nat>,
    pub(super) labels: Vec<Name>,
    pub(super) atomic: bool,
    pub(super) role: Role,
    pub(super) edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) id: Option<Nat>,
    pub(super) target: Nat,
    pub(super) effect: Effect,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Effect {
    Step(Clauses),
    Call { callee: Name, entry: Nat, enter: Clauses, leave: Clauses },
    Spawn { callee: Name, entry: Nat, enter: Clauses },
}

#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    pub(super) guard: Option<Expr>,
    pub(super) updates: Vec<Update>,
    pub(super) constraint: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) variable: Variable,
    pub(super) saved: bool,
    pub(super) index: Option<Expr>,
    /// None: arbitrary.
    pub(super) value: Option<Expr>,
}

/// A variable: `x`, `p::x` or `::x`.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) qualifier: Qualifier,
    pub(super) name: Name,
}

#[derive(Clone, Debug)]
pub(super) enum Qualifier {
    None,
    Global,
    Procedure(Name),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    Before,
    After,
    Saved,
    Result,
}

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Bool(bool),
    Bits(u64, u32),
    Int(Int),
    Value(Name, Name),
    Array(Vec<Expr>, Span),
    Any,
    Read(Variable, Moment),
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Nary(NaryOp, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Ite(Box<[Expr; 3]>),
    BitNot(Box<Expr>),
    Neg(Box<Expr>),
    ToInt(Box<Expr>),
    SignedToInt(Box<Expr>),
    Resize(Box<Expr>, u32),
    SignResize(Box<Expr>, u32),
}
