//! Evidence: traces and certificates, and their independent checking.
//!
//! Nothing here comes from an engine, and nothing here is used by one to find its answer: the checks share only the
//! program model and the decision-diagram library with the code that they check.
//!
//! Modules in reading order:
//! - [`certificate`]: what a certificate is.

pub mod certificate;

pub use certificate::{Certificate, Column, Copy, Frame, Set};
