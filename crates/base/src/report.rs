//! Collects diagnostics, and stops listing them when there are too many to be read.

use crate::{Diagnostic, Diagnostics, Severity};

/// How many errors, and how many warnings, are listed.
const MAX_LISTED: usize = 100;

/// The diagnostics of one run over a source.
#[derive(Debug)]
pub struct Report {
    /// The code of the message that says how many more there are.
    code: &'static str,
    listed: Diagnostics,
    n_errors: usize,
    n_warnings: usize,
}

impl Report {
    /// Nothing so far. The code is that of the message that says how many more there are.
    #[must_use]
    pub fn new(code: &'static str) -> Self {
        Self { code, listed: Diagnostics::new(), n_errors: 0, n_warnings: 0 }
    }

    /// Lists a diagnostic, or only counts it when enough are listed.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.n_errors,
            Severity::Warning => &mut self.n_warnings,
        };
        *count += 1;
        if *count <= MAX_LISTED {
            self.listed.push(diagnostic);
        }
    }

    /// Counts an error whose text would not be listed; false when it is to be listed.
    ///
    /// Spares the search for similar names once nobody would read the suggestion.
    pub fn only_counts(&mut self) -> bool {
        let full = self.n_errors >= MAX_LISTED;
        self.n_errors += usize::from(full);
        full
    }

    /// True when an error was found.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// The diagnostics in order of their places, and how many more there are.
    #[must_use]
    pub fn finish(mut self) -> Diagnostics {
        self.listed.sort();
        if self.n_errors > MAX_LISTED {
            let more = self.n_errors - MAX_LISTED;
            self.listed.push(Diagnostic::error(self.code, format!("and {more} more errors")));
        }
        if self.n_warnings > MAX_LISTED {
            let more = self.n_warnings - MAX_LISTED;
            self.listed.push(Diagnostic::warning(self.code, format!("and {more} more warnings")));
        }
        self.listed
    }
}

/// A character that belongs to no token, in words: it may not be printable.
#[must_use]
pub fn describe_character(text: &str) -> String {
    match text.chars().next() {
        Some('\0') => "a NUL byte (is this a binary file?)".to_owned(),
        Some(c) if c.is_control() || c.is_whitespace() => format!("the character U+{:04X}", u32::from(c)),
        Some(c) if c.is_ascii() => format!("`{c}`"),
        Some(c) => format!("`{c}` (U+{:04X})", u32::from(c)),
        None => "this".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_hundred_errors_are_listed() {
        let mut report = Report::new("X0099");
        for _ in 0..150 {
            report.push(Diagnostic::error("X0003", "x"));
        }
        assert!(report.only_counts());
        let diagnostics = report.finish();
        assert_eq!(diagnostics.len(), 101);
        assert_eq!(diagnostics.iter().last().map(|last| last.message.as_str()), Some("and 51 more errors"));
    }
}
