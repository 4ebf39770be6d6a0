//! Collects the diagnostics of a file, and finds the name that was meant.

use base::{Diagnostic, Diagnostics, Severity};

/// How many errors, and how many warnings, are listed.
const MAX_LISTED: usize = 100;

/// The diagnostics of one run over a file. Those beyond the first hundred are only counted.
#[derive(Debug)]
pub(crate) struct Report {
    listed: Diagnostics,
    n_errors: usize,
    n_warnings: usize,
    /// The code that says how many more there are.
    more: &'static str,
}

impl Report {
    pub(crate) fn new(more: &'static str) -> Self {
        Self { listed: Diagnostics::new(), n_errors: 0, n_warnings: 0, more }
    }

    /// Lists a diagnostic, or only counts it when enough are listed.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.n_errors,
            Severity::Warning => &mut self.n_warnings,
        };
        *count += 1;
        if *count <= MAX_LISTED {
            self.listed.push(diagnostic);
        }
    }

    /// True when further errors are not listed: nobody would read a suggestion.
    pub(crate) fn is_full(&self) -> bool {
        self.n_errors >= MAX_LISTED
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// The diagnostics in order of their places, and how many more there are.
    pub(crate) fn finish(mut self) -> Diagnostics {
        self.listed.sort();
        if let Some(more @ 1..) = self.n_errors.checked_sub(MAX_LISTED) {
            self.listed.push(Diagnostic::error(self.more, format!("and {more} more errors")));
        }
        if let Some(more @ 1..) = self.n_warnings.checked_sub(MAX_LISTED) {
            self.listed.push(Diagnostic::warning(self.more, format!("and {more} more warnings")));
        }
        self.listed
    }
}

/// The candidate most similar to a misspelt name, if one is similar enough to be what was meant: a third of its
/// characters may be wrong, and upper and lower case may be mixed up.
pub(crate) fn similar<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// A suggestion is not worth a search through a huge model.
    const MAX_CANDIDATES: usize = 5_000;
    let lower = name.to_lowercase();
    let allowed = lower.chars().count() / 3;
    let about_as_long = |candidate: &&str| *candidate != name && candidate.len().abs_diff(lower.len()) <= 4 * allowed;
    let distance = |candidate: &str| strsim::osa_distance(&lower, &candidate.to_lowercase());
    let near = candidates.take(MAX_CANDIDATES).filter(about_as_long).map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, near)| near)
}

/// `did you mean ...?`, or other advice when no name is near.
pub(crate) fn suggest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    similar(name, candidates).map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
}

/// A character that may not be printable.
pub(crate) fn describe_character(text: &str) -> String {
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
        let mut report = Report::new("FP0099");
        for _ in 0..150 {
            report.push(Diagnostic::error("FP0003", "x"));
        }
        assert!(report.is_full() && report.has_errors());
        let diagnostics = report.finish();
        assert_eq!(diagnostics.len(), 101);
        assert_eq!(diagnostics.iter().last().map(|last| last.message.as_str()), Some("and 50 more errors"));
    }

    #[test]
    fn the_nearest_name_is_suggested_and_a_distant_one_is_not() {
        let candidates = ["Entry", "Exit", "Target"];
        assert_eq!(similar("Enrty", candidates.into_iter()), Some("Entry"));
        assert_eq!(similar("target", candidates.into_iter()), Some("Target"));
        assert_eq!(suggest("zzz", candidates.into_iter(), "none"), "none");
    }
}
