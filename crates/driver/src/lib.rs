//! The pipeline: source in, outcome with checked evidence out. Pure: no files, no printing, no formats.
//!
//! Modules in reading order:
//! - [`input`]: source text to program;
//! - [`question`]: what is asked, turned into targets;
//! - [`outcome`]: verdicts and their evidence;
//! - [`algorithm`]: which engine or algorithm answers;
//! - `plan`: which rewritings a program goes through; `pipeline`: a fold over them, the engine, the way back;
//! - [`check`](mod@check): verdicts with checked evidence;
//! - `increase`: bound after bound, until an answer needs none;
//! - [`coverage`](mod@coverage): the same for all statements at once;
//! - [`temporal`]: temporal properties;
//! - [`configurations`](mod@configurations): sets of configurations, stacks included;
//! - [`solve`](mod@solve): the queries of an algorithm file, answered as they are;
//! - [`vacuity`]: is there a path at all?
//! - [`watch`](mod@watch): stack symbols together with control states.

pub mod algorithm;
pub mod check;
pub mod configurations;
pub mod coverage;
mod increase;
pub mod input;
pub mod outcome;
mod pipeline;
mod plan;
pub mod question;
pub mod solve;
pub mod temporal;
pub mod vacuity;
pub mod watch;

pub use base::Context;
pub use engine::Statistics;

pub use algorithm::{Algorithm, Control, Ran};
pub use check::{CheckError, Options, check};
pub use configurations::{ConfigurationQuestion, ConfigurationsError, FoundConfigurations, configurations};
pub use coverage::{Coverage, Reached, coverage};
pub use input::{Dialect, Language, LoadOptions, Loaded, load};
pub use outcome::{Checked, Counterexample, Finding, Outcome, Proof, Verdict};
pub use question::{Question, QuestionError};
pub use solve::{MuckeSolution, Solution, solve, solve_mucke, without_program};
pub use watch::watch;
