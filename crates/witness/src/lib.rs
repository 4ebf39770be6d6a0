//! Evidence: traces and certificates, and their independent checking.
//!
//! Nothing here comes from an engine, and nothing here is used by one to find its answer: the checks share only the
//! program model and the decision-diagram library with the code that they check.
//!
//! Modules in reading order:
//! - [`story`]: a trace told for people;
//! - [`certificate`]: what a certificate is;
//! - [`format`](mod@format): certificates as text;
//! - [`validate`](mod@validate): the independent checking of certificates.

pub mod certificate;
pub mod format;
pub mod story;
pub mod validate;

pub use certificate::{Certificate, Column, Copy, Frame, Set};
pub use story::{Story, tell};
pub use validate::{ValidateError, validate};
