//! The operators of conditions and how they bind.

use crate::Notation;

/// What joins two conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Connective {
    /// Equivalence; also equality of what is not Boolean.
    Iff,
    Implies,
    Or,
    Xor,
    And,
}

type Levels = &'static [(Connective, &'static [&'static str])];

/// The connectives, loosest first.
pub(super) fn levels(notation: Notation) -> Levels {
    use Connective::{And, Iff, Implies, Or, Xor};
    match notation {
        Notation::Model => &[
            (Iff, &["<->", "<=>"]),
            (Implies, &["->", "=>"]),
            (Or, &["||", "|"]),
            (Xor, &["^^", "^"]),
            (And, &["&&", "&"]),
        ],
        Notation::BooleanProgram => &[
            (Implies, &["->", "=>"]),
            (Iff, &["<->", "<=>"]),
            (Or, &["||", "|"]),
            (Xor, &["^^", "^"]),
            (And, &["&&", "&"]),
        ],
        // What the language does not have stands outside.
        Notation::PushdownSystem => &[
            (Iff, &["<->"]),
            (Implies, &["->", "=>"]),
            (Iff, &["==", "<=>"]),
            (Xor, &["^^", "^"]),
            (Or, &["||", "|"]),
            (And, &["&&", "&"]),
        ],
        // `^`, `|` and `&` are for the integers of statements and the Booleans of rules, and bind tighter than `==` in both.
        Notation::Remopla => &[
            (Iff, &["<->"]),
            (Implies, &["->", "=>"]),
            (Or, &["||"]),
            (Xor, &["^^"]),
            (And, &["&&"]),
            (Iff, &["==", "<=>"]),
            (Xor, &["^"]),
            (Or, &["|"]),
            (And, &["&"]),
        ],
    }
}

/// The operators of arithmetic, loosest first. In pushdown systems shifts bind tightest, elsewhere as in C.
pub(super) fn arithmetic(notation: Notation) -> &'static [&'static [&'static str]] {
    match notation {
        Notation::PushdownSystem => &[&["+", "-"], &["*", "/"], &["<<", ">>"]],
        Notation::Model | Notation::BooleanProgram | Notation::Remopla => &[&["<<", ">>"], &["+", "-"], &["*", "/"]],
    }
}

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
