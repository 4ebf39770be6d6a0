//! The tables of the jMoped paper (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008): which cases they have, and our figures
//! beside those that the paper gives.
//!
//! The paper counts contexts: a run of k contexts has k - 1 switches. Its figures are for Java programs with all their
//! libraries, on a machine of 2008; view tuples are what can be compared, seconds are there to show how they grow.

use std::fmt::Write;

use crate::cases::{Case, Input, Version};
use crate::table::{Row, TICK};
use crate::tools::{EAGER, LAZY};

/// What the paper says about a case: seconds and view tuples.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Published {
    seconds: f64,
    tuples: u64,
}

/// A driver with its threads, the contexts in which it is violated, and what the paper says then, lazily and eagerly.
struct Driver {
    version: Version,
    adders: u32,
    stoppers: u32,
    contexts: u32,
    lazy: Published,
    eager: Published,
}

/// Table 2.
const DRIVERS: [Driver; 3] = [
    Driver {
        version: Version(1),
        adders: 1,
        stoppers: 1,
        contexts: 3,
        lazy: Published { seconds: 1.3, tuples: 4 },
        eager: Published { seconds: 1.1, tuples: 21 },
    },
    Driver {
        version: Version(2),
        adders: 2,
        stoppers: 1,
        contexts: 5,
        lazy: Published { seconds: 36.0, tuples: 154 },
        eager: Published { seconds: 51.7, tuples: 1460 },
    },
    Driver {
        version: Version(3),
        adders: 1,
        stoppers: 2,
        contexts: 4,
        lazy: Published { seconds: 6.0, tuples: 16 },
        eager: Published { seconds: 11.9, tuples: 234 },
    },
];

/// Table 1: seconds and view tuples of eager splitting for elements of 1 to 8 bits, and of lazy splitting.
struct Vectors {
    bug: bool,
    eager: [(f64, u64); 8],
    lazy: [(f64, u64); 8],
}

const VECTORS: [Vectors; 2] = [
    Vectors {
        bug: true,
        eager: [
            (9.3, 48),
            (10.8, 87),
            (16.9, 167),
            (31.1, 327),
            (67.9, 648),
            (117.8, 1348),
            (225.7, 2567),
            (457.9, 5126),
        ],
        lazy: [(19.7, 3), (17.7, 3), (19.6, 3), (17.5, 3), (17.2, 3), (18.9, 3), (16.7, 3), (18.8, 3)],
    },
    Vectors {
        bug: false,
        eager: [
            (15.1, 105),
            (18.6, 209),
            (37.5, 417),
            (64.3, 833),
            (147.7, 1655),
            (301.7, 3329),
            (642.0, 6657),
            (1732.0, 13313),
        ],
        lazy: [(20.9, 3), (20.8, 3), (19.4, 3), (22.3, 3), (20.8, 3), (18.8, 3), (23.4, 3), (23.2, 3)],
    },
];

/// The cases of all tables. The quick ones take seconds.
pub(crate) fn cases(quick: bool) -> Vec<Case> {
    let bits = if quick { 4 } else { 8 };
    let drivers = DRIVERS.iter().flat_map(|driver| (2..=driver.contexts).map(|contexts| driver.case(contexts)));
    let vectors = VECTORS.iter().flat_map(|vectors| (1..=bits).map(|n| vectors.case(n)));
    drivers.chain(vectors).collect()
}

impl Driver {
    fn series(&self) -> String {
        format!("bluetooth v{} {}+{} contexts", self.version.0, self.adders, self.stoppers)
    }

    fn case(&self, contexts: u32) -> Case {
        let Self { version, adders, stoppers, .. } = *self;
        Case {
            series: self.series(),
            size: contexts,
            input: Input::Bluetooth { version, adders, stoppers, switches: contexts - 1 },
            violated: Some(contexts >= self.contexts),
        }
    }
}

impl Vectors {
    fn series(&self) -> String {
        format!("vector {} bits", if self.bug { "bug" } else { "holds" })
    }

    fn case(&self, n: u32) -> Case {
        // Three contexts, as in the paper.
        let input = Input::Vector { n, bug: self.bug, switches: 2 };
        Case { series: self.series(), size: n, input, violated: Some(self.bug) }
    }
}

/// What the paper says about the case of a row.
fn published(row: &Row) -> Option<Published> {
    let lazily = match row.tool {
        LAZY => true,
        EAGER => false,
        _ => return None,
    };
    if let Some(driver) = DRIVERS.iter().find(|driver| driver.series() == row.series) {
        let published = if lazily { driver.lazy } else { driver.eager };
        return (row.size == driver.contexts).then_some(published);
    }
    let vectors = VECTORS.iter().find(|vectors| vectors.series() == row.series)?;
    let figures = if lazily { &vectors.lazy } else { &vectors.eager };
    let (seconds, tuples) = *figures.get(row.size as usize - 1)?;
    Some(Published { seconds, tuples })
}

/// One line for each case: lazily and eagerly, the paper's figures in brackets.
pub(crate) fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for (title, prefix) in [("Bluetooth drivers (Table 2)", "bluetooth"), ("A vector (Table 1)", "vector")] {
        let mut cases: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row.series.starts_with(prefix)) {
            if !cases.contains(&row.case.as_str()) {
                cases.push(&row.case);
            }
        }
        if !cases.is_empty() {
            let _ = write!(text, "{title}; in brackets the figures of the paper\n{}", head());
            cases.iter().for_each(|case| text.push_str(&line(rows, case)));
            text.push('\n');
        }
    }
    text
}

fn head() -> String {
    let mut text = format!("{:<32} {:>9}", "", "");
    [LAZY, EAGER].iter().for_each(|tool| text = format!("{text} | {tool:<44}"));
    text = format!("{}\n{:<32} {:>9}", text.trim_end(), "case", "answer");
    for _ in [LAZY, EAGER] {
        let _ = write!(text, " | {:>8} {:>10} {:>9} {:>6} {:>7}", "s", "", "nodes", "tuples", "");
    }
    format!("{}\n", text.trim_end())
}

fn line(rows: &[Row], case: &str) -> String {
    let of_case = || rows.iter().filter(|row| row.case == case);
    let answer = of_case().find(|row| row.result.counts()).map_or_else(|| "-".to_owned(), |row| row.result.word());
    let mut text = format!("{case:<32} {answer:>9}");
    for tool in [LAZY, EAGER] {
        text.push_str(&cells(of_case().find(|row| row.tool == tool)));
    }
    format!("{}\n", text.trim_end())
}

fn cells(row: Option<&Row>) -> String {
    let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let seconds = match row {
        Some(row) if row.result.counts() => format!("{:.3}", row.user_seconds.max(TICK)),
        Some(row) => row.result.word(),
        None => "-".to_owned(),
    };
    let paper = row.and_then(published);
    format!(
        " | {seconds:>8} {:>10} {:>9} {:>6} {:>7}",
        paper.map_or_else(String::new, |paper| format!("({:.1})", paper.seconds)),
        count(row.and_then(|row| row.nodes)),
        count(row.and_then(|row| row.tuples)),
        paper.map_or_else(String::new, |paper| format!("({})", paper.tuples)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Outcome;
    use crate::tools::Answer;

    fn row(case: &Case, tool: &'static str, tuples: u64) -> Row {
        Row {
            series: case.series.clone(),
            size: case.size,
            case: case.to_string(),
            tool,
            result: Outcome::Answered(Answer::Violated),
            user_seconds: 0.02,
            wall_seconds: 0.03,
            megabytes: 20.0,
            nodes: Some(30_000),
            variables: Some(60),
            tuples: Some(tuples),
        }
    }

    #[test]
    fn our_figures_stand_beside_those_of_the_paper() {
        let cases = cases(false);
        assert_eq!(cases.len(), 2 + 4 + 3 + 16);
        let fails =
            |series: &str| cases.iter().filter(|case| case.series == series && case.violated == Some(true)).count();
        assert_eq!(
            (fails("bluetooth v2 2+1 contexts"), fails("vector bug bits"), fails("vector holds bits")),
            (1, 8, 0)
        );
        let find = |name: &str| cases.iter().find(|case| case.to_string() == name).unwrap();
        let (early, last, vector) =
            (find("bluetooth v2 2+1 contexts=4"), find("bluetooth v2 2+1 contexts=5"), find("vector holds bits=8"));
        let rows = [row(early, LAZY, 20), row(last, LAZY, 48), row(last, EAGER, 183), row(vector, EAGER, 1792)];
        let text = tables(&rows);
        let squeezed: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(squeezed[3], "bluetooth v2 2+1 contexts=4 violated | 0.020 30000 20 | - - -");
        assert_eq!(
            squeezed[4],
            "bluetooth v2 2+1 contexts=5 violated | 0.020 (36.0) 30000 48 (154) | 0.020 (51.7) 30000 183 (1460)"
        );
        assert!(squeezed[9].ends_with("| - - - | 0.020 (1732.0) 30000 1792 (13313)"), "{text}");
    }
}
