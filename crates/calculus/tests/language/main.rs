//! The languages of the calculus: reading, resolving, printing, and what is said about mistakes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod deep;
mod fp_diagnostics;
mod fp_format;
mod fp_resolve;
mod random;
mod shared;
