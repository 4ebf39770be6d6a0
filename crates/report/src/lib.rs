//! Outcomes as people and programs read them. Formats live here and nowhere else; no files, no algorithms.
//!
//! Modules in reading order:
//! - [`visible`], [`paint`]: foreign text made fit to be shown; colour as decoration;
//! - [`diagnostics`]: what is wrong with an input, as rustc would show it;
//! - [`automaton`]: automata over configurations, named;
//! - [`json`]: the formats for programs;
//! - [`text`]: the same for people;
//! - [`lcov`]: coverage for other tools.

pub mod automaton;
pub mod diagnostics;
pub mod json;
pub mod lcov;
pub mod paint;
pub mod text;
pub mod visible;

pub use paint::Paint;
