//! Is this a well-formed program?
//!
//! Everything that works on programs may rely on what is checked here, and on nothing else. All defects are reported at
//! once, except that nothing else is looked at while ids point outside of their tables.
//!
//! Modules in reading order:
//! - `ranges`: ids point into their tables;
//! - `tables`: names, frames, locations, entries, exits, threads;
//! - [`sorts`]: sorts exist, and expressions have one;
//! - `relations`: what edges read and write;
//! - `untouched`: claims about variables that procedures leave alone.

mod ranges;
mod relations;
pub mod sorts;
mod tables;
mod untouched;

use std::fmt;

pub use sorts::{SortError, sort_of};

use crate::{EdgeId, EnumId, LocationId, ProcedureId, Program, VariableId};

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// Where.
    pub part: Part,
    /// What, in words.
    pub message: String,
}

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The program as a whole.
    Program,
    /// The condition on the start.
    Start,
    /// The condition under which threads are not interrupted.
    Uninterruptible,
    /// An enumeration.
    Enum(EnumId),
    /// A variable.
    Variable(VariableId),
    /// A procedure.
    Procedure(ProcedureId),
    /// A location.
    Location(LocationId),
    /// An edge.
    Edge(EdgeId),
    /// A thread, by position.
    Thread(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("program"),
            Self::Start => f.write_str("start condition"),
            Self::Uninterruptible => f.write_str("condition `uninterruptible`"),
            Self::Enum(id) => write!(f, "enumeration {}", id.0),
            Self::Variable(id) => write!(f, "variable {}", id.0),
            Self::Procedure(id) => write!(f, "procedure {}", id.0),
            Self::Location(id) => write!(f, "location {}", id.0),
            Self::Edge(id) => write!(f, "edge {}", id.0),
            Self::Thread(at) => write!(f, "thread {at}"),
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.message)
    }
}

impl std::error::Error for Defect {}

/// Checks that a program is well-formed. The cost is about linear in the program's size.
pub fn verify(program: &Program) -> Result<(), Vec<Defect>> {
    let mut defects = Defects::default();
    ranges::check(program, &mut defects);
    if defects.0.is_empty() {
        sorts::check(program, &mut defects);
        tables::check(program, &mut defects);
        relations::check(program, &mut defects);
        untouched::check(program, &mut defects);
    }
    if defects.0.is_empty() { Ok(()) } else { Err(defects.0) }
}

/// The defects found so far.
#[derive(Default)]
struct Defects(Vec<Defect>);

impl Defects {
    fn add(&mut self, part: Part, message: impl Into<String>) {
        self.0.push(Defect { part, message: message.into() });
    }

    fn add_if(&mut self, wrong: bool, part: Part, message: impl FnOnce() -> String) {
        if wrong {
            self.add(part, message());
        }
    }
}

#[cfg(test)]
mod tests;
