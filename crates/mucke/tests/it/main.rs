//! Mucke's language: reading, resolving, answering, and what is said about mistakes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod deep;
mod language;
mod random;
#[path = "../../../calculus/tests/language/shared.rs"]
mod shared;
mod solver;
