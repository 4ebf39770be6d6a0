//! The codes of all diagnostics of this crate, explained.
//!
//! Codes below 50 are about formulae, from 50 warnings about them, from 100 about automata in the HOA format, from 200
//! about never claims. Every explanation shows an example that has the fault; a test reads all of them.

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

const fn code(code: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { code, title, explanation }
}

/// All codes of this crate, in order.
pub const CODES: &[Code] = &[
    code(
        "LT0001",
        "unknown character in a formula",
        "The formula contains a character that belongs to no operator and no name. Expressions over variables stand between
quotation marks: `G \"x > 3\"`.

    G (p -> ~q)

Negation is written `!`.",
    ),
    code(
        "LT0002",
        "expression without end",
        "An expression over variables begins and ends with a quotation mark.

    p U \"x > 3",
    ),
    code(
        "LT0003",
        "something else was expected",
        "An operand, an operator or a bracket is missing. The operators are `!` `X` `F` (or `<>`) `G` (or `[]`) in front of
an operand, and `U` `W` `R` (or `V`) `M` `&&` `||` `->` `<->` between two. A single one of the letters is always an
operator and never a name.

    p U (q && )",
    ),
    code(
        "LT0004",
        "formula nested too deeply",
        "Formulae may nest a few thousand levels deep. Chains such as `a && b && c` do not nest and may be of any length.",
    ),
    code(
        "LT0005",
        "a number is no formula",
        "`1` and `0` mean `true` and `false`; other numbers mean nothing.

    F 2",
    ),
    code(
        "LT0006",
        "empty formula",
        "There is nothing to check. `true` is the formula that always holds.

    \x20",
    ),
    code(
        "LT0050",
        "operators follow each other without brackets",
        "Tools read chains of `U`, `W`, `R`, `M` and `->` differently: Spin groups them from the left, Spot from the right.
Here they are grouped from the right.

    p U q U r

Write `p U (q U r)`.",
    ),
];
