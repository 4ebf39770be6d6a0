//! The tables of the jMoped paper (Suwimonteerabuth, Esparza, Schwoon, SPIN 2008): which cases they have, and our figures
//! beside those that the paper gives.
//!
//! The paper counts contexts: a run of k contexts has k - 1 switches. Its figures are for Java programs with all their
//! libraries, on a machine of 2008; view tuples are what can be compared, seconds are there to show how they grow.

use std::fmt::Write;

use crate::cases::{Case, Input, Version};
use crate::table::{Row, TICK};
use crate::tools::{EAGER, LAZY};

/// What the paper says about a case: seconds (infinite: it gave up) and view tuples.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Published {
    seconds: f64,
    tuples: Option<u64>,
}

impl Published {
    const fn new(seconds: f64, tuples: u64) -> Self {
        Self { seconds, tuples: Some(tuples) }
    }
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
        lazy: Published::new(1.3, 4),
        eager: Published::new(1.1, 21),
    },
    Driver {
        version: Version(2),
        adders: 2,
        stoppers: 1,
        contexts: 5,
        lazy: Published::new(36.0, 154),
        eager: Published::new(51.7, 1460),
    },
    Driver {
        version: Version(3),
        adders: 1,
        stoppers: 2,
        contexts: 4,
        lazy: Published::new(6.0, 16),
        eager: Published::new(11.9, 234),
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

/// Trees with so many threads that insert and that search, and contexts with the seconds that the paper gives.
struct Trees {
    inserters: u32,
    searchers: u32,
    seconds: &'static [(u32, f64)],
}

/// Table 3. The last one took more than three hours.
const TREES: [Trees; 3] = [
    Trees { inserters: 1, searchers: 1, seconds: &[(3, 3.8), (4, 8.3)] },
    Trees { inserters: 2, searchers: 1, seconds: &[(4, 127.1), (5, 712.3), (6, 5528.2)] },
    Trees { inserters: 2, searchers: 2, seconds: &[(5, 6488.0), (6, f64::INFINITY)] },
];

/// The cases of all tables. The quick ones take seconds.
pub(crate) fn cases(quick: bool) -> Vec<Case> {
    let (bits, n_trees) = if quick { (4, 1) } else { (8, TREES.len()) };
    let drivers = DRIVERS.iter().flat_map(|driver| (2..=driver.contexts).map(|contexts| driver.case(contexts)));
    let vectors = VECTORS.iter().flat_map(|vectors| (1..=bits).map(|n| vectors.case(n)));
    let trees = TREES.iter().take(n_trees);
    let trees = trees.flat_map(|trees| trees.seconds.iter().map(|(contexts, _)| trees.case(*contexts)));
    drivers.chain(vectors).chain(trees).collect()
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

impl Trees {
    fn series(&self) -> String {
        format!("search-tree {}+{} contexts", self.inserters, self.searchers)
    }

    fn case(&self, contexts: u32) -> Case {
        let Self { inserters, searchers, .. } = *self;
        let input = Input::SearchTree { inserters, searchers, switches: contexts - 1 };
        Case { series: self.series(), size: contexts, input, violated: Some(false) }
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
    if let Some(trees) = TREES.iter().find(|trees| trees.series() == row.series) {
        let known = trees.seconds.iter().find(|(contexts, _)| lazily && *contexts == row.size);
        return known.map(|(_, seconds)| Published { seconds: *seconds, tuples: None });
    }
    let vectors = VECTORS.iter().find(|vectors| vectors.series() == row.series)?;
    let figures = if lazily { &vectors.lazy } else { &vectors.eager };
    let (seconds, tuples) = *figures.get(row.size as usize - 1)?;
    Some(Published::new(seconds, tuples))
}

/// The tables, by what the names of their series begin with.
const TABLES: [(&str, &str); 3] = [
    ("Bluetooth drivers (Table 2)", "bluetooth"),
    ("A vector (Table 1)", "vector"),
    ("Search trees (Table 3)", "search-tree"),
];

/// One line for each case: lazily and eagerly, the paper's figures in brackets.
pub(crate) fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for (title, prefix) in TABLES {
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
        paper.map_or_else(String::new, |paper| match paper.seconds {
            seconds if seconds.is_finite() => format!("({seconds:.1})"),
            _ => "(> 3 h)".to_owned(),
        }),
        count(row.and_then(|row| row.nodes)),
        count(row.and_then(|row| row.tuples)),
        paper.and_then(|paper| paper.tuples).map_or_else(String::new, |tuples| format!("({tuples})")),
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
            validated: None,
        }
    }

    #[test]
    fn our_figures_stand_beside_those_of_the_paper() {
        let cases = cases(false);
        assert_eq!(cases.len(), 2 + 4 + 3 + 16 + 7);
        let fails =
            |series: &str| cases.iter().filter(|case| case.series == series && case.violated == Some(true)).count();
        assert_eq!(
            (fails("bluetooth v2 2+1 contexts"), fails("vector bug bits"), fails("vector holds bits")),
            (1, 8, 0)
        );
        let find = |name: &str| cases.iter().find(|case| case.to_string() == name).unwrap();
        let (early, last, vector) =
            (find("bluetooth v2 2+1 contexts=4"), find("bluetooth v2 2+1 contexts=5"), find("vector holds bits=8"));
        let tree = find("search-tree 2+2 contexts=6");
        let mut rows = vec![row(early, LAZY, 20), row(last, LAZY, 48), row(last, EAGER, 183)];
        rows.extend([row(vector, EAGER, 1792), row(tree, LAZY, 9), row(tree, EAGER, 10)]);
        let text = tables(&rows);
        let squeezed: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(squeezed[3], "bluetooth v2 2+1 contexts=4 violated | 0.020 30000 20 | - - -");
        assert_eq!(
            squeezed[4],
            "bluetooth v2 2+1 contexts=5 violated | 0.020 (36.0) 30000 48 (154) | 0.020 (51.7) 30000 183 (1460)"
        );
        assert!(squeezed[14].ends_with("| 0.020 (> 3 h) 30000 9 | 0.020 30000 10"), "{text}");
        assert!(squeezed[9].ends_with("| - - - | 0.020 (1732.0) 30000 1792 (13313)"), "{text}");
    }
}
