//! The pipeline: source in, outcome with checked evidence out. Pure: no files, no printing, no formats.
//!
//! Modules in reading order:
//! - [`input`]: source text to program;
//! - [`question`]: what is asked, turned into targets;
//! - [`outcome`]: verdicts and their evidence;
//! - [`check`](mod@check): the pipeline itself;
//! - [`coverage`](mod@coverage): the same for all statements at once;
//! - [`vacuity`]: is there a path at all?

pub mod check;
pub mod coverage;
pub mod input;
pub mod outcome;
pub mod question;
pub mod vacuity;

pub use check::{CheckError, Options, check};
pub use coverage::{Coverage, Reached, coverage};
pub use input::{Dialect, Language, LoadOptions, Loaded, load};
pub use outcome::{Counterexample, Finding, Outcome, Proof, Verdict};
pub use question::{Question, QuestionError};
