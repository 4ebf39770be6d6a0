//! The program model: what every front end lowers to and every engine reads.
//!
//! Plain values, printable and comparable. No decision diagrams, no source languages, no search.
//!
//! Modules in reading order:
//! - [`sort`]: sorts of values, and the values;
//! - [`expr`]: expressions over the state before and after an edge;
//! - [`semantics`]: what operators and sorts mean on concrete values;
//! - [`relation`]: what an edge does to the data;
//! - [`model`]: programs, procedures, locations, edges, threads;
//! - [`build`]: a builder that front ends and tests use;
//! - [`finite`]: programs without integers, which is what engines accept;
//! - [`graph`]: outgoing and incoming edges, callers;
//! - [`effects`]: what procedures may read and write;
//! - [`origin`]: where in the source a location or variable comes from;
//! - [`mod@verify`]: is this a well-formed program?;
//! - [`unsupported`]: what programs have that not every rewriting and engine can work on;
//! - [`property`]: what is asked of a program;
//! - [`observation`]: what temporal properties speak of;
//! - [`trace`]: a run written down as choices;
//! - [`interp`]: executes a trace, step by step;
//! - [`text`]: the text form, read and printed;
//! - [`random`]: random programs, for tests.

pub mod build;
pub mod effects;
pub mod expr;
pub mod finite;
pub mod graph;
pub mod interp;
pub mod model;
pub mod observation;
pub mod origin;
pub mod property;
pub mod random;
pub mod relation;
pub mod semantics;
pub mod sort;
pub mod text;
pub mod trace;
pub mod unsupported;
pub mod verify;

pub use arith::Int;
pub use build::ProgramBuilder;
pub use effects::{Effects, Globals};
pub use expr::{BinaryOp, Expr, NaryOp, UnaryOp, When};
pub use finite::{FiniteProgram, NotFinite};
pub use graph::{Graph, callees};
pub use model::{
    Call, Edge, EdgeId, EdgeKind, EnumId, Enumeration, Location, LocationId, Procedure, ProcedureId, Program, Role,
    Scope, Spawn, Thread, Variable, VariableId,
};
pub use observation::Observation;
pub use origin::Origins;
pub use property::{Bound, Proposition, Target, TargetKind};
pub use relation::{Relation, Rhs, Update};
pub use sort::{Sort, Value};
pub use trace::{Action, Choice, Lasso, Run, RunId, Trace, TraceStep};
pub use unsupported::Unsupported;
pub use verify::{Defect, verify};
