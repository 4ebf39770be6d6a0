//! Quicksort: the cases and tables of Figures 2, 3 and 4 of the Moped paper (Esparza and Schwoon, CAV 2001).
//!
//! The questions are formulae of temporal logic. Moped gets them as never claims, so that its translation is no part
//! of the comparison.

use workbench::generate::Quicksort;

use crate::cases::{Case, Input};
use crate::table::{self, Row};
use crate::tools::IMPROVEMENTS;

/// The variants, with the names that they have on the command line.
pub(crate) const VARIANTS: [(&str, Quicksort); 4] = [
    ("faulty", Quicksort::Faulty),
    ("corrected", Quicksort::Corrected),
    ("sorting", Quicksort::Sorting),
    ("random-pivot", Quicksort::RandomPivot),
];

/// Bits and numbers of elements of Figure 3.
const SORTED: [(u32, &[u32]); 2] = [(3, &[4, 5, 6]), (4, &[4, 5, 6, 7])];

/// Where each improvement is switched off: the least sizes of Figure 3, of which the first is that of Figure 4.
const MOST_WITHOUT_IMPROVEMENT: u32 = 5;

pub(crate) fn cases(quick: bool) -> Vec<Case> {
    let (most_bits, most_elements) = if quick { (6, 5) } else { (u32::MAX, u32::MAX) };
    let ends = |variant, last: u32| (3..=last.min(most_bits)).map(move |n| termination(variant, n));
    let mut cases: Vec<Case> = ends(Quicksort::Faulty, 9).chain(ends(Quicksort::Corrected, 8)).collect();
    for variant in [Quicksort::Sorting, Quicksort::RandomPivot] {
        for (n, sizes) in SORTED {
            cases.extend(sizes.iter().filter(|m| **m <= most_elements).map(|m| sorting(variant, n, *m)));
        }
    }
    cases
}

fn termination(variant: Quicksort, n: u32) -> Case {
    Case {
        series: format!("quicksort {} n", name(variant)),
        size: n,
        input: Input::Quicksort { variant, n, m: 2 },
        violated: Some(variant == Quicksort::Faulty),
    }
}

fn sorting(variant: Quicksort, n: u32, m: u32) -> Case {
    Case {
        series: format!("quicksort {} n={n} m", name(variant)),
        size: m,
        input: Input::Quicksort { variant, n, m },
        violated: Some(false),
    }
}

/// The name of a variant.
pub(crate) fn name(variant: Quicksort) -> &'static str {
    VARIANTS.into_iter().find(|(_, other)| *other == variant).map_or("", |(name, _)| name)
}

/// The variant with a name.
pub(crate) fn variant(name: &str) -> Option<Quicksort> {
    VARIANTS.into_iter().find(|(other, _)| *other == name).map(|(_, variant)| variant)
}

/// The symbol that every run must come to.
pub(crate) fn goal(variant: Quicksort) -> &'static str {
    match variant {
        Quicksort::Faulty | Quicksort::Corrected => "main1",
        Quicksort::Sorting | Quicksort::RandomPivot => "ok",
    }
}

/// A never claim that accepts the runs which do not come to the symbol.
pub(crate) fn claim(goal: &str) -> String {
    let avoid = format!("  if\n  :: (!{goal}) -> goto accept_S0\n  fi;\n");
    format!("never {{\nT0:\n{avoid}accept_S0:\n{avoid}}}\n")
}

/// Whether each improvement is switched off in turn on this input.
pub(crate) fn is_without_improvements(input: &Input) -> bool {
    matches!(input, Input::Quicksort { variant: Quicksort::Sorting, m, .. } if *m <= MOST_WITHOUT_IMPROVEMENT)
}

/// Figures 2 and 3, Figure 4, and the ratios.
pub(crate) fn tables(rows: &[Row]) -> String {
    let is_ours = |row: &&Row| row.tool == IMPROVEMENTS[0].0;
    let is_without = |row: &&Row| IMPROVEMENTS[1..].iter().any(|(tool, _)| *tool == row.tool);
    let figures: Vec<Row> = rows.iter().filter(|row| !is_without(row)).cloned().collect();
    let compared = |row: &&Row| rows.iter().any(|other| other.case == row.case && is_without(&other));
    let without: Vec<Row> =
        rows.iter().filter(|row| is_without(row) || (is_ours(row) && compared(row))).cloned().collect();
    format!(
        "Termination and sorting (Figures 2 and 3)\n{}\nEach improvement switched off (Figure 4)\n{}\n{}",
        table::side_by_side(&figures),
        table::side_by_side(&without),
        table::ratios(rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Outcome;
    use crate::tools::Answer;

    #[test]
    fn the_rows_are_those_of_the_figures() {
        let cases = cases(false);
        assert_eq!(cases.len(), 7 + 6 + 2 * 7);
        assert_eq!(cases.iter().filter(|case| case.violated == Some(true)).count(), 7);
        let names: Vec<String> = cases.iter().map(ToString::to_string).collect();
        assert_eq!(
            [&names[0], &names[12], &names[26]],
            ["quicksort faulty n=3", "quicksort corrected n=8", "quicksort random-pivot n=4 m=7"]
        );
        assert_eq!(cases.iter().filter(|case| is_without_improvements(&case.input)).count(), 4);
        assert!(cases.iter().all(|case| case.input.text().unwrap().contains(goal(Quicksort::Faulty))));
    }

    #[test]
    fn a_claim_accepts_what_never_comes_to_the_symbol() {
        let avoid = "  if\n  :: (!ok) -> goto accept_S0\n  fi;\n";
        assert_eq!(claim("ok"), format!("never {{\nT0:\n{avoid}accept_S0:\n{avoid}}}\n"));
    }

    #[test]
    fn improvements_have_a_table_of_their_own() {
        let row = |case: &str, tool: &'static str, user_seconds: f64| Row {
            series: "quicksort".into(),
            size: 4,
            case: case.into(),
            tool,
            result: Outcome::Answered(Answer::Holds),
            user_seconds,
            wall_seconds: 1.0,
            megabytes: 2.0,
            nodes: None,
            variables: None,
            tuples: None,
            validated: None,
        };
        let off = IMPROVEMENTS[1].0;
        let ours = IMPROVEMENTS[0].0;
        let rows = [row("a", ours, 1.0), row("a", "moped", 4.0), row("b", ours, 2.0), row("b", off, 3.0)];
        let text = tables(&rows);
        let squeezed: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(squeezed[2..4], ["a holds | 1.000 - | 4.000 4.00 - -", "b holds | 2.000 - | - - - -"]);
        assert_eq!(squeezed[7], "b holds | 2.000 - | 3.000 1.50 - -");
        assert!(text.contains("moped                           1 cases, median 4.00"), "{text}");
    }
}
