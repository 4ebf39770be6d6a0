//! The operators of conditions and how they bind.

/// What compares two terms, if it is not a connective.
pub(super) const COMPARISONS: [&str; 7] = ["=", "==", "!=", "<", "<=", ">", ">="];

/// The operator with which a text begins: the longest, so that a part of one is never taken for another.
pub(super) fn operator(text: &str) -> Option<&'static str> {
    const ALL: [&str; 23] = [
        "<->", "<=>", "->", "=>", "||", "&&", "^^", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "=", "|", "&", "^",
        "+", "-", "*", "/",
    ];
    ALL.into_iter().find(|symbol| text.starts_with(symbol))
}
