//! The codes of all diagnostics of this crate, explained.
//!
//! Codes below 50 are about formulae, from 50 warnings about them, from 60 about what their atoms mean
//! in a program, from 100 about automata in the HOA format, from 200
//! about never claims. Every explanation shows an example that has the fault; a test reads all
//! of them, but those about programs, which this crate does not know.

use base::codes::{Code, code};

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
    code(
        "LT0060",
        "an atom that names nothing",
        "A name in a property means, in this order: a label or a stack symbol (true when it comes next), a proposition that the
file declares with `atoms`, `end` (the program has ended), or a Boolean variable that all procedures share. This one is
none of them. An atom that is never true would make many properties hold, so it is an error.

    [] !eror

A local variable, or one that is not Boolean, goes into a condition: `\"main::x\"`, `\"x = 1\"`.",
    ),
    code(
        "LT0061",
        "a procedure that does not exist",
        "`in(p)` is true while the innermost call is one of the procedure `p`. There must be such a procedure.

    <> in(mian)",
    ),
    code(
        "LT0062",
        "a condition that does not fit the program",
        "Between quotation marks stands a condition on variables, with `= != < <= > >=`, `+ - *`, `! && || -> <->`, numbers, names
and elements `a[i]`. It must be well formed, its names must be variables of the program (`p::x` is the local `x` of the
procedure `p`), and what it compares must be comparable. Locals of one procedure at most may occur in it.

    [] \"x + = 1\"",
    ),
    code(
        "LT0100",
        "not in the HOA format",
        "The file contains something that has no place in the format, or a text or comment has no end.

    HOA: v1 $",
    ),
    code(
        "LT0101",
        "something else was expected in an automaton",
        "The file does not continue as the format requires: first headers, among them `Acceptance:`, then `--BODY--`, the
states with their edges, and `--END--`.

    HOA: v1
    Acceptance: 1 Inf(0)
    --END--",
    ),
    code(
        "LT0102",
        "header missing, repeated or unknown",
        "`HOA: v1` and `Acceptance:` are necessary, most headers may occur only once, and a header that is not known but
begins with a capital letter could change what the automaton means, so it cannot be passed over.

    HOA: v1
    States: 0
    --BODY--
    --END--",
    ),
    code(
        "LT0103",
        "acceptance condition that is not supported",
        "Büchi and generalised Büchi conditions are read: `Inf(0)`, `Inf(0)&Inf(1)`, also with `|`. Conditions with `Fin`, such
as Rabin, Streett and co-Büchi, are not. Most tools can convert: `autfilt -B` of Spot does.

    HOA: v1
    Acceptance: 1 Fin(0)
    --BODY--
    --END--",
    ),
    code(
        "LT0104",
        "alternating automaton",
        "An edge that leads to several states at once is not supported. Convert the automaton first: `autfilt -B` of Spot does.

    HOA: v1
    States: 2
    Start: 0&1
    Acceptance: 1 Inf(0)
    --BODY--
    --END--",
    ),
    code(
        "LT0105",
        "number out of range",
        "States, atomic propositions and acceptance sets are counted from 0, up to the number announced in the header; an
alias is defined before it is used; a state is listed once.

    HOA: v1
    States: 1
    Start: 1
    Acceptance: 1 Inf(0)
    --BODY--
    State: 0
    --END--",
    ),
    code(
        "LT0106",
        "labels do not fit",
        "Either the state has a label, or all of its edges have, or none has; then there is one edge for every letter, in
order.

    HOA: v1
    States: 1
    Start: 0
    AP: 1 \"p\"
    Acceptance: 1 Inf(0)
    --BODY--
    State: 0
    0 {0}
    --END--

With one proposition there are two letters, and so two edges without labels: `0 {0} 0` or `[t] 0 {0}`.",
    ),
    code(
        "LT0107",
        "automaton too large",
        "An automaton of a property has a few states; this one has more than a million, or its conditions nest thousands of
levels deep.

    HOA: v1
    Start: 4000000
    Acceptance: 1 Inf(0)
    --BODY--
    --END--",
    ),
    code(
        "LT0108",
        "not one automaton",
        "The file has several automata, or one that the tool that wrote it gave up.

    HOA: v1
    Acceptance: 1 Inf(0)
    --BODY--
    --ABORT--",
    ),
    code(
        "LT0201",
        "something else was expected in a never claim",
        "Never claims are read as Spin, ltl2ba and Spot write them: labelled statements `if :: (condition) -> goto label fi`,
`do ... od` and `skip`, with `else`, `break`, `atomic` and `assert` in their options. Other statements of Spin's language,
such as `d_step` and `printf`, are not.

    never { T0: (p) -> goto T0 }",
    ),
    code(
        "LT0202",
        "label missing or used twice",
        "Every `goto` leads to a label of the claim, and a label marks one statement.

    never { T0: if :: (p) -> goto T1 fi }",
    ),
    code(
        "LT0203",
        "temporal operator in a condition",
        "A condition of a never claim speaks of one moment. What happens later is said by the claim's steps.

    never { T0: if :: (F p) -> goto T0 fi }",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::{Budget, Diagnostics, Source};

    use super::CODES;
    use crate::{hoa, never, parse};

    fn diagnostics_of(code: &str, text: &str) -> Diagnostics {
        let source = Source::new("example", text);
        let read = match &code[..4] {
            "LT00" => return parse(&source).1,
            "LT01" => hoa::read(&source, &Budget::unlimited()),
            _ => never::read(&source, &Budget::unlimited()),
        };
        read.expect("there is no limit").err().unwrap_or_default()
    }

    fn about_programs(code: &str) -> bool {
        ("LT0060".."LT0100").contains(&code)
    }

    #[test]
    fn every_example_has_the_fault_it_explains() {
        for code in CODES.iter().filter(|code| code.code != "LT0004" && !about_programs(code.code)) {
            let lines = code.explanation.lines().filter_map(|line| line.strip_prefix("    "));
            let example = lines.collect::<Vec<_>>().join("\n");
            assert!(!example.is_empty(), "{}", code.code);
            let diagnostics = diagnostics_of(code.code, &example);
            let found: BTreeSet<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
            assert_eq!(found, BTreeSet::from([code.code]), "{}: {diagnostics:?}", code.code);
        }
    }

    #[test]
    fn codes_are_in_order_and_the_source_uses_no_others() {
        assert!(CODES.is_sorted_by(|earlier, later| earlier.code < later.code));
        let sources = [
            include_str!("token.rs"),
            include_str!("parse.rs"),
            include_str!("never.rs"),
            include_str!("hoa/mod.rs"),
            include_str!("hoa/token.rs"),
            include_str!("hoa/acceptance.rs"),
            include_str!("hoa/header.rs"),
            include_str!("hoa/body.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"'));
        let used: BTreeSet<&str> = quoted.filter(|text| text.len() == 6 && text.starts_with("LT0")).collect();
        let own = CODES.iter().map(|code| code.code).filter(|code| !about_programs(code));
        assert_eq!(used, own.collect());
    }
}
