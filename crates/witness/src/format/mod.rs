//! The file format of certificates.
//!
//! Lines of fields, with one space between two fields. Names are written as in the text form of programs, in double
//! quotes where they are not plain words; so a line is a line whatever the names. Every list says first how long it is.
//!
//! ```text
//! cauldron-certificate 1
//! program 90b1c2d3e4f50617            fingerprint of the program
//! targets 1                           locations that are claimed to be unreachable
//! main.12                             procedure and number of the location
//! frames 1                            procedures, in the order of the program
//! main 2 1                            columns and unchanged variables of main
//! 0 entry g 0                         diagram variable 0 is bit 0 of g when main was entered
//! 1 now main::h 0                     diagram variable 1 is bit 0 of main's h now
//! g                                   g is unchanged
//! nodes 2                             diagrams: 0 is false, 1 is true, n + 2 is the n-th node
//! 1 0 1                               variable, child where it is false, child where it is true
//! 0 1 2
//! roots 1
//! 3
//! sets 2                              locations, in the order of the program
//! main.0 diagram 0 1                  root 0, one fact
//! g true                              the fact: g is true now
//! main.1 facts 0                      no diagram, no facts: anything is possible
//! end
//! ```
//!
//! What it means is said in [`crate::certificate`]. The fingerprint is the FNV-1a hash (64 bits) of the program's text
//! form, so that a certificate is not read for another program. Reading and writing take time linear in the size.

mod read;
mod write;

use std::fmt;

use program::Program;

pub use read::parse;
pub use write::{to_text, write};

/// The first line.
const HEADER: &str = "cauldron-certificate 1";

/// Why a text is not a certificate of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The line, counted from one.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for FormatError {}

/// A number that tells programs apart: the FNV-1a hash of the text form.
#[must_use]
pub fn fingerprint(program: &Program) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let text = program::text::print(program);
    text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests;
