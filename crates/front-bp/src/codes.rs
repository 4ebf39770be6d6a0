//! The codes of all diagnostics, explained.

/// A code with its explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Stable: a code is never given another meaning.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it is wrong and what to write instead, with an example.
    pub explanation: &'static str,
}

/// All codes of this front end, in order.
pub const CODES: &[Code] = &[];
