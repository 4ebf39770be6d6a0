//! Cauldron as a library: source in, outcome with checked evidence out. Pure: no files, no printing, no formats.
//!
//! # Examples
//!
//! A label that some run reaches. The run is a trace that the interpreter has replayed:
//!
//! ```
//! use driver::{Budget, Context, FrontOptions, Options, Question, Silent, Source, Verdict, front_end};
//!
//! let text = "decl g; void main() begin g := *; if (g) then ERROR: skip; fi end";
//! let program = driver::load(Source::new("a.bp", text), front_end("bp").unwrap(), &FrontOptions::default()).unwrap();
//! let question = Question { labels: vec!["ERROR".to_owned()], ..Question::default() };
//! let budget = Budget::unlimited();
//! let outcome = driver::check(&program, &question, &Options::default(), &Context::new(&budget, &Silent)).unwrap();
//! let Verdict::Fails(found) = &outcome.findings[0].verdict else { panic!("ERROR is reached") };
//! assert!(!found.trace.steps.is_empty());
//! ```
//!
//! An assertion that holds. The certificate has been validated without the engine:
//!
//! ```
//! # use driver::{Budget, Context, FrontOptions, Options, Question, Silent, Source, Verdict, front_end};
//! let text = "void main() begin decl x; x := T; assert(x); end";
//! let program = driver::load(Source::new("b.bp", text), front_end("bp").unwrap(), &FrontOptions::default()).unwrap();
//! let budget = Budget::unlimited().with_max_steps(Some(1_000));
//! let context = Context::new(&budget, &Silent);
//! let outcome = driver::check(&program, &Question::default(), &Options::default(), &context).unwrap();
//! assert!(matches!(outcome.findings[0].verdict, Verdict::Holds));
//! let proof = outcome.proof.expect("a certificate");
//! assert_eq!(driver::evidence::validate(&program.program, &proof.certificate, &context), Ok(()));
//! ```
//!
//! A temporal property that some run does not have. The run without end is a stem and a loop:
//!
//! ```
//! # use driver::{Budget, Context, FrontOptions, Silent, Source, front_end};
//! use driver::temporal::{Specification, TemporalQuestion, TemporalVerdict, check_temporal};
//!
//! let text = "void main() begin while (*) do skip; od; DONE: skip; end";
//! let program = driver::load(Source::new("c.bp", text), front_end("bp").unwrap(), &FrontOptions::default()).unwrap();
//! let question = TemporalQuestion::new(Specification::Formula(Source::new("formula", "<> DONE")));
//! let budget = Budget::unlimited();
//! let outcome = check_temporal(&program, &question, &Context::new(&budget, &Silent)).unwrap();
//! let TemporalVerdict::Fails(found) = &outcome.findings.verdict else { panic!("the loop need not end") };
//! assert!(found.lasso.loop_start < found.lasso.trace.steps.len());
//! ```
//!
//! # Modules in reading order
//!
//! - [`front`]: the list of front ends; [`input`]: source files to program;
//! - [`question`]: what is asked, turned into targets;
//! - [`outcome`]: verdicts and their evidence;
//! - [`algorithm`]: which engine or algorithm answers;
//! - `plan`: which rewritings a program goes through; `pipeline`: a fold over them, the engine, the way back;
//! - [`check`](mod@check): verdicts with checked evidence;
//! - `increase`: bound after bound, until an answer needs none;
//! - [`evidence`]: certificates and runs outside of a check;
//! - [`coverage`](mod@coverage): all statements at once;
//! - [`temporal`]: temporal properties;
//! - [`configurations`](mod@configurations): sets of configurations, stacks included;
//! - [`solve`](mod@solve): the queries of an algorithm file, answered as they are;
//! - [`vacuity`]: is there a path at all?
//! - [`watch`](mod@watch): stack symbols together with control states;
//! - [`deep`]: work on a thread with a deep stack, with panics as values.

pub mod algorithm;
pub mod check;
pub mod configurations;
pub mod coverage;
pub mod deep;
pub mod evidence;
pub mod front;
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

pub use base::{Budget, Cancel, Context, Observer, Silent, Source, StopReason};
pub use engine::Statistics;

pub use algorithm::{Algorithm, Control, Ran};
pub use check::{CheckError, Options, check};
pub use configurations::{ConfigurationQuestion, ConfigurationsError, FoundConfigurations, configurations};
pub use coverage::{Coverage, Reached, coverage};
pub use front::{FrontEnd, FrontOptions, front_end, front_ends};
pub use input::{Loaded, load};
pub use outcome::{Checked, Counterexample, Finding, Outcome, Proof, Verdict};
pub use question::{Question, QuestionError};
pub use solve::{MuckeSolution, Solution, solve, solve_mucke, without_program};
pub use watch::watch;

/// The codes of messages about algorithms, files of Mucke's language and temporal properties. Those of a source language
/// belong to its front end.
pub const CODES: [&[base::codes::Code]; 3] = [calculus::CODES, mucke::CODES, property::CODES];
