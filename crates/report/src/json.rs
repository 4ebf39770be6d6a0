//! What Cauldron writes for programs: versioned JSON, with a schema for each format.
//!
//! The types here are the formats: a field is never renamed or given another meaning within a version; new fields
//! may appear. Text for people is made from the same values, so that both say the same.
//!
//! Modules in reading order:
//! - [`common`]: what all formats share;
//! - [`value`]: values and choices;
//! - [`trace`]: a run, told for people and written down for replay;
//! - [`replay`]: from the written run back to a [`program::Trace`];
//! - [`outcome`]: the report of a check;
//! - [`coverage`]: the report of a coverage run;
//! - [`schema`]: the schemas.

pub mod common;
pub mod coverage;
pub mod outcome;
pub mod replay;
pub mod schema;
pub mod trace;
pub mod value;

use serde::Serialize;

/// A document as indented JSON, with a newline at its end.
#[must_use]
pub fn to_text(document: &impl Serialize) -> String {
    // Writing plain values to a string cannot fail: there are no maps with odd keys and no outside writer.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}
