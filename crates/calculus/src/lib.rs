//! The fixed-point calculus: formulae over finite sorts with least and greatest fixed points, and their solver.
//!
//! This crate knows nothing of programs: a model supplies sorts ([`Signature`]) and the values of input relations.

pub mod build;
mod codes;
pub mod fp;
pub mod fuzz;
pub mod model;
mod plan;
pub mod print;
pub mod signature;
mod solve;
pub mod system;

pub use codes::{CODES, TOO_LARGE};
pub use model::{Cell, Model, Row};
pub use plan::{Control, Plan};
pub use signature::{Domain, Input, ModelSort, Signature};
pub use solve::{Cost, Fact, Halt, Options, Order, Packed, Profile, RelationProfile, RoundCost, Solver};
pub use system::{
    Fixpoint, Formula, Hint, HintKind, Query, Relation, RelationId, RelationKind, Sort, SortId, SortKind, System, Term,
    Variable, VariableId,
};

/// How deeply formulae may nest in a file.
///
/// The parsers and everything that follows them may recurse this deep; a stack of 16 MiB is enough for that in this crate.
pub const MAX_DEPTH: u32 = 5_000;
