//! What Cauldron writes for programs: versioned JSON, with a schema for each format.
//!
//! The types here are the formats: a field is never renamed or given another meaning within a version; new fields
//! may appear. Text for people is made from the same values, so that both say the same.
//!
//! Modules in reading order:
//! - [`common`]: what all formats share;
//! - [`value`]: values and choices;
//! - [`trace`]: a run, told for people and written down for replay;
//! - [`threads`]: whose turn it is in a run, and where the switches are;
//! - [`replay`]: from the written run back to a [`program::Trace`];
//! - [`difference`]: what a written run claims, beside what is so;
//! - [`outcome`]: the report of a check; [`temporal`]: its part for temporal properties;
//! - [`coverage`]: the report of a coverage run;
//! - [`configurations`]: sets of configurations;
//! - [`schema`]: the schemas.

pub mod common;
pub mod configurations;
pub mod coverage;
pub mod difference;
pub mod outcome;
pub mod replay;
pub mod schema;
pub mod temporal;
pub mod threads;
pub mod trace;
pub mod value;

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// A document as JSON, with a newline at its end. Down to `depth` levels it is indented; what is deeper stands on one
/// line, so that a long trace has one line per event.
#[must_use]
pub fn to_text(document: &impl Serialize, depth: usize) -> String {
    let mut bytes = Vec::new();
    let formatter = Layout { pretty: PrettyFormatter::new(), depth, level: 0 };
    // Writing plain values to memory cannot fail: there are no maps with odd keys and no outside writer.
    let _ = document.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// Indents the outer levels.
struct Layout<'a> {
    pretty: PrettyFormatter<'a>,
    depth: usize,
    level: usize,
}

impl Layout<'_> {
    fn is_compact(&self) -> bool {
        self.level > self.depth
    }
}

impl Formatter for Layout<'_> {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.level += 1;
        if self.is_compact() { writer.write_all(b"[") } else { self.pretty.begin_array(writer) }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.level -= 1;
        if self.level >= self.depth { writer.write_all(b"]") } else { self.pretty.end_array(writer) }
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        match (self.is_compact(), first) {
            (true, true) => Ok(()),
            (true, false) => writer.write_all(b", "),
            (false, _) => self.pretty.begin_array_value(writer, first),
        }
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.is_compact() { Ok(()) } else { self.pretty.end_array_value(writer) }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.level += 1;
        if self.is_compact() { writer.write_all(b"{") } else { self.pretty.begin_object(writer) }
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.level -= 1;
        if self.level >= self.depth { writer.write_all(b"}") } else { self.pretty.end_object(writer) }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        match (self.is_compact(), first) {
            (true, true) => Ok(()),
            (true, false) => writer.write_all(b", "),
            (false, _) => self.pretty.begin_object_key(writer, first),
        }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.is_compact() { Ok(()) } else { self.pretty.end_object_value(writer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn outer_levels_are_indented_and_inner_ones_are_not() {
        let document = json!({"a": [{"b": [1, {"c": []}], "d": {}}, []], "e": {}, "f": "x"});
        insta::assert_snapshot!(to_text(&document, 2), @r#"
        {
          "a": [
            {"b": [1, {"c": []}], "d": {}},
            []
          ],
          "e": {},
          "f": "x"
        }
        "#);
        for depth in 0..6 {
            let read: serde_json::Value = serde_json::from_str(&to_text(&document, depth)).unwrap();
            assert_eq!(read, document);
        }
    }
}
