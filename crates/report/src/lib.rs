//! Outcomes as people and programs read them. Formats live here and nowhere else; no files, no algorithms.

pub mod diagnostics;
pub mod paint;
pub mod visible;

pub use paint::Paint;
