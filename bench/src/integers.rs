//! Integers of all widths: what each operator costs, with the evidence checked.
//!
//! Each program computes with numbers of which nothing is known, and asserts what is true of the outcome. So every answer
//! is a proof about all values of the width. Programs are written in the text form of the model: there arithmetic wraps, and
//! all operators have all widths.

use std::fmt::Write;

use crate::cases::{Case, Input};
use crate::table::{Outcome, Row};

/// A program for each width. In its text `W` stands for the width and `H` for half of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    name: &'static str,
    widths: &'static [u32],
    declarations: &'static str,
    /// Edges of the locations 0 and 1; location 2 is the violation.
    first: &'static str,
    second: &'static str,
}

const WIDTHS: &[u32] = &[8, 16, 32, 64];

const NUMBERS: &str = "shared x: bits<W>; shared y: bits<W>; shared z: bits<W>;";
const ARRAY: &str = "shared a: [bits<W>; 8]; shared x: bits<W>; shared i: bits<3>;";
const WIDE_INDEX: &str = "shared a: [bits<W>; 8]; shared x: bits<W>; shared i: bits<W>;";
const TEN: &str = "shared c0: bits<W>; shared c1: bits<W>; shared c2: bits<W>; shared c3: bits<W>; shared c4: bits<W>; \
    shared c5: bits<W>; shared c6: bits<W>; shared c7: bits<W>; shared c8: bits<W>; shared c9: bits<W>;";

/// What is measured.
pub(crate) const OPERATIONS: [Operation; 18] = [
    numbers("add", "-> 1 do z := add(x, y);", "-> 2 when sub(z, y) != x;"),
    numbers("subtract", "-> 1 do z := sub(x, y);", "-> 2 when add(z, y) != x;"),
    numbers("less", "-> 1 when ult(x, y);", "-> 2 when ule(y, x);"),
    numbers("less or equal, signed", "-> 1 when sle(x, y);", "-> 2 when slt(y, x);"),
    numbers("equal", "-> 1 when x = y;", "-> 2 when add(x, 1uW) != add(y, 1uW);"),
    numbers(
        "increments up to a bound",
        "-> 1 when ule(x, y);",
        "-> 1 when ult(x, y) do x := add(x, 1uW); -> 2 when ult(y, x);",
    ),
    numbers("shift by 3", "-> 1 do z := shl(x, 3uW);", "-> 2 when bitand(z, 7uW) != 0uW;"),
    numbers("shift by half the width", "-> 1 do z := lshr(x, HuW);", "-> 2 when ult(x, shl(z, HuW));"),
    numbers("bitwise and", "-> 1 do z := bitand(x, y);", "-> 2 when bitor(z, x) != x;"),
    numbers("bitwise or", "-> 1 do z := bitor(x, y);", "-> 2 when bitand(z, x) != x;"),
    numbers("bitwise exclusive or", "-> 1 do z := bitxor(x, y);", "-> 2 when bitxor(z, y) != x;"),
    numbers("product by 10", "-> 1 do z := mul(x, 10uW);", "-> 2 when z != add(shl(x, 3uW), shl(x, 1uW));"),
    numbers(
        "quotient and remainder by 10",
        "-> 1 do y := udiv(x, 10uW), z := urem(x, 10uW);",
        "-> 2 when ule(10uW, z);",
    ),
    Operation {
        // Exponential by nature.
        widths: &[8],
        ..numbers("product of two variables", "-> 1 do z := mul(x, y);", "-> 2 when z != mul(y, x);")
    },
    array("read, 8 elements", ARRAY, "-> 1 do x := a[i];", "-> 2 when a[i] != x;"),
    array("write, 8 elements", ARRAY, "-> 1 do a[i] := x;", "-> 2 when a[i] != x;"),
    array(
        "write, index as wide",
        WIDE_INDEX,
        "-> 1 when ult(i, x) do a[i] := add(i, x);",
        "-> 2 when sub(a[i], x) != i;",
    ),
    // Two pairs of counters that go up together to their bounds, and sums of them that are kept up to date.
    Operation {
        name: "ten counters",
        widths: &[32],
        declarations: TEN,
        first: "-> 1 when ule(c0, c8) & ule(c2, c9) do c1 := c0, c3 := c2, c4 := add(c0, c2), c5 := add(c0, c2), \
                c6 := sub(c8, c0), c7 := sub(c9, c2);",
        second: "-> 1 when ult(c0, c8) do c0 := add(c0, 1uW), c1 := add(c1, 1uW), c4 := add(c4, 1uW), c6 := sub(c6, 1uW); \
                 -> 1 when ult(c2, c9) do c2 := add(c2, 1uW), c3 := add(c3, 1uW), c4 := add(c4, 1uW), c7 := sub(c7, 1uW); \
                 -> 1 do c5 := add(c1, c3); \
                 -> 2 when c0 != c1 | c2 != c3 | ult(c8, c0) | ult(c9, c2); \
                 -> 2 when c4 != add(c0, c2) | add(c6, c0) != c8 | add(c7, c3) != c9;",
    },
];

const fn numbers(name: &'static str, first: &'static str, second: &'static str) -> Operation {
    Operation { name, widths: WIDTHS, declarations: NUMBERS, first, second }
}

const fn array(name: &'static str, declarations: &'static str, first: &'static str, second: &'static str) -> Operation {
    Operation { name, widths: WIDTHS, declarations, first, second }
}

impl Operation {
    /// The program for a width.
    pub(crate) fn text(&self, width: u32) -> String {
        let Self { declarations, first, second, .. } = self;
        let text = format!(
            "{declarations}\nthread main: main;\nprocedure main() {{\n  entry 0;\n  exit 3;\n  0: {first}\n  \
             1: {second} -> 3;\n  2 violation:\n  3:\n}}\n"
        );
        text.replace('W', &width.to_string()).replace('H', &(width / 2).to_string())
    }
}

pub(crate) fn cases(quick: bool) -> Vec<Case> {
    let most = if quick { 16 } else { u32::MAX };
    let mut cases = Vec::new();
    for (at, operation) in OPERATIONS.iter().enumerate() {
        for width in operation.widths.iter().copied().filter(|width| *width <= most) {
            let input = Input::Integers { operation: at, width };
            cases.push(Case { series: format!("{} w", operation.name), size: width, input, violated: Some(false) });
        }
    }
    cases
}

/// One line for each operator, with a cell for each width: nodes, milliseconds, and whether the proof was validated.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<30}", "nodes, milliseconds, proof");
    for width in WIDTHS {
        let _ = write!(text, " | {:>28}", format!("{width} bits"));
    }
    for operation in OPERATIONS {
        let _ = write!(text, "\n{:<30}", operation.name);
        let series = format!("{} w", operation.name);
        for width in WIDTHS {
            let row = rows.iter().find(|row| row.series == series && row.size == *width);
            let _ = write!(text, " | {:>28}", row.map_or_else(|| "-".to_owned(), cell));
        }
    }
    text
}

fn cell(row: &Row) -> String {
    if !matches!(row.result, Outcome::Answered(_)) {
        return row.result.word();
    }
    let nodes = row.nodes.map_or_else(|| "-".to_owned(), |nodes| nodes.to_string());
    let validated = match row.validated {
        Some(true) => "validated",
        Some(false) => "NOT validated",
        None => "no proof",
    };
    format!("{nodes} {:.0} {validated}", row.wall_seconds * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Answer;

    #[test]
    fn every_text_is_a_program_of_its_width() {
        for operation in OPERATIONS {
            for width in operation.widths {
                let text = operation.text(*width);
                let source = base::Source::new("test", text.as_str());
                let (program, _) = program::text::parse(&source).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
                assert!(program::verify(&program).is_ok(), "{text}");
                assert!(
                    text.contains(&format!("bits<{width}>")) && !text.contains('W') && !text.contains('H'),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn the_table_says_what_was_printed() {
        let row = Row {
            series: "add w".into(),
            size: 16,
            case: "add w=16".into(),
            tool: "cauldron",
            result: Outcome::Answered(Answer::Holds),
            user_seconds: 0.01,
            wall_seconds: 0.012,
            megabytes: 1.0,
            nodes: Some(345),
            variables: None,
            tuples: None,
            validated: Some(false),
        };
        let text = table(&[row]);
        let line = text.lines().find(|line| line.starts_with("add")).unwrap();
        let squeezed = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed, "add | - | 345 12 NOT validated | - | -");
    }
}
