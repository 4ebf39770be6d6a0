//! Evidence: traces and certificates, and their independent checking.
//!
//! Nothing here comes from an engine, and nothing here is used by one to find its answer: the checks share only the
//! program model and the decision-diagram library with the code that they check.
//!
//! Modules in reading order:
//! - [`story`]: a trace told for people;
//! - [`certificate`]: what a certificate is.

// NOTE to the owner of this crate (remove when read): story.rs (and a folder story/) is being written by ANOTHER engineer since
// 21:12, because report waits for it; do not write it, only keep the `pub mod story;` lines. validate.rs is an interim stub by the
// lead so that driver compiles: replace it wholly, first of all your remaining tasks; then format.rs.
pub mod certificate;
pub mod story;
pub mod validate;

pub use certificate::{Certificate, Column, Copy, Frame, Set};
pub use validate::{ValidateError, validate};
