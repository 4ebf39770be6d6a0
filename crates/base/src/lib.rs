//! The ground: ids, source spans, diagnostics and the budget.
//!
//! Every other crate may use this one. It knows nothing of programs, languages or decision diagrams.
//!
//! Modules in reading order:
//! - [`id`]: typed indices and tables indexed by them;
//! - [mod@components]: strongly connected components of a graph;
//! - [`source`]: source text, spans, line and column; [`sources`]: all files of an input; [`read`]: how files are read;
//! - [`diagnostic`]: what is wrong with an input, where, and what to write instead; [`report`]: not too many of them;
//!   [`codes`]: what they mean;
//! - [`names`]: names as numbers, and the name that was meant;
//! - [`budget`]: time, memory, steps and cancellation, and why work stopped;
//! - [`progress`]: what long work tells about itself; [`context`]: both together.

pub mod budget;
pub mod codes;
pub mod components;
pub mod context;
pub mod diagnostic;
pub mod id;
pub mod names;
pub mod progress;
pub mod read;
pub mod report;
pub mod source;
pub mod sources;

pub use budget::{Budget, Cancel, StopReason};
pub use components::components;
pub use context::Context;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use id::{Id, IdVec};
pub use progress::{Observer, Progress, Silent};
pub use read::{InMemory, ReadError, Reader, Unreadable};
pub use source::{FileId, Position, Source, Span};
pub use sources::Sources;
