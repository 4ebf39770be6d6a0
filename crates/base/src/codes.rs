//! The codes of diagnostics, explained for those who ask what a message means.

/// A code with its explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Stable: a code is never given another meaning.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it is wrong and what to write instead. Lines that begin with four blanks are an example of the fault.
    pub explanation: &'static str,
}

/// A code, what is wrong, and its explanation.
#[must_use]
pub const fn code(code: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { code, title, explanation }
}
