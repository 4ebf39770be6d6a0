//! What is measured: programs that grow with a parameter, and files that the user has.

use std::fmt;
use std::path::{Path, PathBuf};

use workbench::Family;
use workbench::generate::{ExplicitOptions, Quicksort, Variant};

use crate::integers::OPERATIONS;
use crate::plot::{Measure, Picture, Scale};
use crate::{integers, quicksort, threads};

/// What belongs together in one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    /// Cauldron and its peers.
    Peers,
    /// The solver of the calculus against the engine, explicit against symbolic control.
    Solver,
    /// The Bluetooth driver: Figure 3 of the Getafix paper.
    Bluetooth,
    /// Threads, split lazily and eagerly: the tables of the jMoped paper.
    Threads,
    /// Explicit pushdown systems, forwards and backwards.
    Pushdown,
    /// Quicksort by temporal logic: Figures 2, 3 and 4 of the Moped paper.
    Quicksort,
    /// Operators on integers of all widths.
    Integers,
}

impl Section {
    pub(crate) const ALL: [Self; 7] =
        [Self::Peers, Self::Solver, Self::Bluetooth, Self::Threads, Self::Pushdown, Self::Quicksort, Self::Integers];

    /// On the command line, and of the files with the results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Peers => "peers",
            Self::Solver => "solver",
            Self::Bluetooth => "bluetooth",
            Self::Threads => "threads",
            Self::Pushdown => "pushdown",
            Self::Quicksort => "quicksort",
            Self::Integers => "integers",
        }
    }

    /// What its plots show.
    pub(crate) fn picture(self) -> Picture {
        match self {
            Self::Peers | Self::Solver | Self::Bluetooth | Self::Pushdown => {
                Picture { across: Scale::Logarithmic, panels: [Measure::Seconds, Measure::Megabytes] }
            }
            // Bits and contexts are few, and what is exponential in them is to be a straight line.
            Self::Threads => Picture { across: Scale::Linear, panels: [Measure::Seconds, Measure::Tuples] },
            Self::Quicksort | Self::Integers => {
                Picture { across: Scale::Linear, panels: [Measure::Seconds, Measure::Megabytes] }
            }
        }
    }

    /// The cases, with all Boolean programs below a folder where they make sense.
    pub(crate) fn cases(self, quick: bool, folder: Option<&Path>) -> std::io::Result<Vec<Case>> {
        let mut cases = match self {
            Self::Peers => families(quick),
            Self::Solver => solver(quick),
            Self::Bluetooth => return Ok(bluetooth(quick)),
            Self::Threads => return Ok(threads::cases(quick)),
            Self::Pushdown => return Ok(pushdown(quick)),
            Self::Quicksort => return Ok(quicksort::cases(quick)),
            Self::Integers => return Ok(integers::cases(quick)),
        };
        if let Some(folder) = folder {
            cases.extend(files(folder)?);
        }
        Ok(cases)
    }
}

/// A program and a question about it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Cases of one series lie on one line of a plot; a tool that runs out of time leaves the rest of the series out.
    pub(crate) series: String,
    /// What grows along the series.
    pub(crate) size: u32,
    pub(crate) input: Input,
    /// Whether the label is reached, or an assertion or the formula violated, where that is known.
    pub(crate) violated: Option<bool>,
}

/// Where the program comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    Bebop {
        n: u32,
        unreachable: bool,
    },
    Terminator {
        n: u32,
        m: u32,
        bug: bool,
    },
    Bluetooth {
        version: Version,
        adders: u32,
        stoppers: u32,
        switches: u32,
    },
    Vector {
        n: u32,
        bug: bool,
        switches: u32,
    },
    SearchTree {
        inserters: u32,
        searchers: u32,
        switches: u32,
    },
    Explicit {
        rules: u32,
        states: u32,
        seed: u64,
        asked: usize,
    },
    Quicksort {
        variant: Quicksort,
        n: u32,
        m: u32,
    },
    /// The operation is a place in [`integers::OPERATIONS`].
    Integers {
        operation: usize,
        width: u32,
    },
    File(PathBuf),
}

/// Which version of the driver: 1, 2 or 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Version(pub(crate) u8);

impl Version {
    fn variant(self) -> Variant {
        match self.0 {
            1 => Variant::First,
            2 => Variant::Second,
            _ => Variant::Third,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.input {
            Input::File(_) => f.write_str(&self.series),
            _ => write!(f, "{}={}", self.series, self.size),
        }
    }
}

impl Input {
    /// The label that is asked about; none: all assertions.
    pub(crate) fn label(&self) -> Option<&'static str> {
        match self {
            Self::Bebop { .. } => Some("reach"),
            Self::Explicit { asked, .. } => ASKED.get(*asked).copied(),
            _ => None,
        }
    }

    /// The symbol that every run must come to, if that is what is asked.
    pub(crate) fn goal(&self) -> Option<&'static str> {
        match self {
            Self::Quicksort { variant, .. } => Some(quicksort::goal(*variant)),
            _ => None,
        }
    }

    /// How the name of a file with the text ends.
    pub(crate) fn extension(&self) -> &'static str {
        match self {
            Self::Explicit { .. } | Self::Quicksort { .. } => "pds",
            Self::Integers { .. } => "cauldron",
            _ => "input",
        }
    }

    /// How many context switches are asked about; none: the program has one thread.
    pub(crate) fn switches(&self) -> Option<u32> {
        match self {
            Self::Bluetooth { switches, .. } | Self::Vector { switches, .. } | Self::SearchTree { switches, .. } => {
                Some(*switches)
            }
            Self::Bebop { .. }
            | Self::Terminator { .. }
            | Self::Explicit { .. }
            | Self::Quicksort { .. }
            | Self::Integers { .. }
            | Self::File(_) => None,
        }
    }

    /// The text of the program.
    pub(crate) fn text(&self) -> std::io::Result<String> {
        let family = match self {
            Self::Bebop { n, unreachable } => Family::Bebop { n: *n, unreachable: *unreachable },
            Self::Terminator { n, m, bug } => Family::Terminator { n: *n, m: *m, bug: *bug },
            Self::Bluetooth { version, adders, stoppers, .. } => {
                Family::Bluetooth { variant: version.variant(), adders: *adders, stoppers: *stoppers }
            }
            Self::Vector { n, bug, .. } => Family::Vector { n: *n, bug: *bug },
            Self::SearchTree { inserters, searchers, .. } => {
                Family::SearchTree { inserters: *inserters, searchers: *searchers, bug: false }
            }
            Self::Explicit { rules, states, seed, .. } => {
                // Three rules for every two pairs of a symbol and a control state.
                let symbols = rules * 2 / 3 / states;
                Family::Explicit(ExplicitOptions { seed: *seed, symbols, rules: *rules, states: *states })
            }
            Self::Quicksort { variant, n, m } => Family::Quicksort { variant: *variant, n: *n, m: *m },
            Self::Integers { operation, width } => return Ok(OPERATIONS[*operation].text(*width)),
            Self::File(path) => return std::fs::read_to_string(path),
        };
        Ok(workbench::generate(&family))
    }

    /// As arguments for another process.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let words = |name: &str, values: &[&dyn fmt::Display]| {
            std::iter::once(name.to_owned()).chain(values.iter().map(ToString::to_string)).collect()
        };
        match self {
            Self::Bebop { n, unreachable } => words("bebop", &[n, unreachable]),
            Self::Terminator { n, m, bug } => words("terminator", &[n, m, bug]),
            Self::Bluetooth { version, adders, stoppers, switches } => {
                words("bluetooth", &[&version.0, adders, stoppers, switches])
            }
            Self::Vector { n, bug, switches } => words("vector", &[n, bug, switches]),
            Self::SearchTree { inserters, searchers, switches } => {
                words("search-tree", &[inserters, searchers, switches])
            }
            Self::Explicit { rules, states, seed, asked } => words("explicit", &[rules, states, seed, asked]),
            Self::Quicksort { variant, n, m } => words("quicksort", &[&quicksort::name(*variant), n, m]),
            Self::Integers { operation, width } => words("integers", &[operation, width]),
            Self::File(path) => words("file", &[&path.display()]),
        }
    }

    /// From the arguments that another process gave.
    pub(crate) fn from_arguments(arguments: &[&str]) -> Option<Self> {
        Some(match arguments {
            ["bebop", n, unreachable] => Self::Bebop { n: n.parse().ok()?, unreachable: unreachable.parse().ok()? },
            ["terminator", n, m, bug] => {
                Self::Terminator { n: n.parse().ok()?, m: m.parse().ok()?, bug: bug.parse().ok()? }
            }
            ["bluetooth", version, adders, stoppers, switches] => Self::Bluetooth {
                version: Version(version.parse().ok()?),
                adders: adders.parse().ok()?,
                stoppers: stoppers.parse().ok()?,
                switches: switches.parse().ok()?,
            },
            ["vector", n, bug, switches] => {
                Self::Vector { n: n.parse().ok()?, bug: bug.parse().ok()?, switches: switches.parse().ok()? }
            }
            ["search-tree", inserters, searchers, switches] => Self::SearchTree {
                inserters: inserters.parse().ok()?,
                searchers: searchers.parse().ok()?,
                switches: switches.parse().ok()?,
            },
            ["explicit", rules, states, seed, asked] => Self::Explicit {
                rules: rules.parse().ok()?,
                states: states.parse().ok()?,
                seed: seed.parse().ok()?,
                asked: asked.parse().ok()?,
            },
            ["quicksort", variant, n, m] => {
                Self::Quicksort { variant: quicksort::variant(variant)?, n: n.parse().ok()?, m: m.parse().ok()? }
            }
            ["integers", operation, width] => {
                let operation = operation.parse().ok().filter(|at| *at < OPERATIONS.len())?;
                Self::Integers { operation, width: width.parse().ok()? }
            }
            ["file", path] => Self::File(path.into()),
            _ => return None,
        })
    }
}

/// The generated families. The quick ones take seconds.
fn families(quick: bool) -> Vec<Case> {
    let levels: &[u32] =
        if quick { &[100, 200, 400, 800] } else { &[100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 20_000] };
    let counters: &[(u32, u32)] =
        if quick { &[(4, 8), (6, 8)] } else { &[(4, 8), (6, 8), (8, 8), (10, 8), (12, 8), (14, 8)] };
    let locals: &[(u32, u32)] = if quick { &[] } else { &[(6, 4), (6, 16), (6, 32), (6, 64)] };
    let mut cases = Vec::new();
    for violated in [true, false] {
        cases.extend(levels.iter().map(|n| bebop(*n, violated)));
        cases.extend(counters.iter().map(|(n, m)| terminator(*n, *m, violated, &format!("m={m} n"), *n)));
        cases.extend(locals.iter().map(|(n, m)| terminator(*n, *m, violated, &format!("n={n} m"), *m)));
    }
    cases
}

/// For the solver: T(N), and the Terminator family at the sizes of the Getafix comparison.
fn solver(quick: bool) -> Vec<Case> {
    let levels: &[u32] = if quick { &[50, 100] } else { &[100, 200, 400, 800, 1_600, 3_200] };
    let counters: &[(u32, u32)] = if quick { &[(4, 8)] } else { &[(4, 8), (6, 10), (7, 12), (8, 12)] };
    let mut cases = Vec::new();
    for violated in [true, false] {
        cases.extend(levels.iter().map(|n| bebop(*n, violated)));
        cases.extend(counters.iter().map(|(n, m)| terminator(*n, *m, violated, &format!("m={m} n"), *n)));
    }
    cases
}

/// Adders and stoppers, and from how many switches on the driver is violated, if at all.
const DRIVERS: [(u32, u32, Option<u32>); 4] = [(1, 1, None), (1, 2, Some(3)), (2, 1, Some(4)), (2, 2, Some(3))];

fn bluetooth(quick: bool) -> Vec<Case> {
    let most = if quick { 3 } else { 6 };
    let case = |(adders, stoppers, from): (u32, u32, Option<u32>), switches: u32| Case {
        series: format!("bluetooth {adders}+{stoppers} k"),
        size: switches,
        input: Input::Bluetooth { version: Version(2), adders, stoppers, switches },
        violated: Some(from.is_some_and(|from| switches >= from)),
    };
    DRIVERS.into_iter().flat_map(|driver| (1..=most).map(move |switches| case(driver, switches))).collect()
}

/// What is asked about explicit systems, by control state.
const ASKED: [&str; 8] = ["q0:err", "q1:err", "q2:err", "q3:err", "q4:err", "q5:err", "q6:err", "q7:err"];

/// Rules, control states, seed and the control state that is asked about, and whether it is reached.
const EXPLICIT: [(u32, u32, u64, usize, bool); 8] = [
    (135_000, 1, 2, 0, true),
    (135_000, 1, 1, 0, false),
    (337_500, 1, 1, 0, true),
    (337_500, 1, 2, 0, false),
    (135_000, 8, 4, 2, true),
    (135_000, 8, 4, 0, false),
    (300_000, 8, 1, 6, true),
    (300_000, 8, 1, 0, false),
];

/// Explicit systems; each row is one of many random ones.
fn pushdown(quick: bool) -> Vec<Case> {
    let most = if quick { 135_000 } else { u32::MAX };
    let case = |(rules, states, seed, asked, violated): (u32, u32, u64, usize, bool)| Case {
        series: format!("pds {states} {} rules", if violated { "reachable" } else { "unreachable" }),
        size: rules,
        input: Input::Explicit { rules, states, seed, asked },
        violated: Some(violated),
    };
    EXPLICIT.into_iter().filter(|row| row.0 <= most).map(case).collect()
}

fn bebop(n: u32, violated: bool) -> Case {
    let series = format!("bebop {} n", if violated { "reachable" } else { "unreachable" });
    Case { series, size: n, input: Input::Bebop { n, unreachable: !violated }, violated: Some(violated) }
}

fn terminator(n: u32, m: u32, violated: bool, parameters: &str, size: u32) -> Case {
    let series = format!("terminator {} {parameters}", if violated { "bug" } else { "holds" });
    Case { series, size, input: Input::Terminator { n, m, bug: violated }, violated: Some(violated) }
}

/// All Boolean programs below a folder, in order of their paths.
fn files(folder: &Path) -> std::io::Result<Vec<Case>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bp") {
                found.push(path);
            }
        }
    }
    found.sort();
    let case = |path: PathBuf| {
        let series = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        Case { series, size: 1, input: Input::File(path), violated: None }
    };
    Ok(found.into_iter().map(case).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_survive_the_way_to_another_process() {
        let cases = Section::ALL.into_iter().flat_map(|section| section.cases(false, None).unwrap());
        let mut inputs: Vec<Input> = cases.map(|case| case.input).collect();
        inputs.push(Input::File("a b/c.bp".into()));
        for input in inputs {
            let arguments = input.to_arguments();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            assert_eq!(Input::from_arguments(&arguments), Some(input));
        }
        assert_eq!(Input::from_arguments(&["bebop", "x", "true"]), None);
    }

    #[test]
    fn the_driver_has_24_rows() {
        let cases = bluetooth(false);
        assert_eq!((cases.len(), cases.iter().filter(|case| case.violated == Some(true)).count()), (24, 11));
        assert_eq!(cases[23].to_string(), "bluetooth 2+2 k=6");
        assert!(cases[0].input.text().unwrap().contains("stopp"));
    }
}
