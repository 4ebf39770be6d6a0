//! What is measured with: Cauldron in some settings, and every peer that is installed.
//!
//! A peer is called by its name and nothing else: `moped` (Moped 1), `getafix` (as `getafix seq FILE LABEL`, with
//! `mucke` behind it), `z3` (on Horn clauses). The peers read less of the language than Cauldron does, so generated
//! programs are adapted for them; files are given to those only that need no adaptation.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cases::{Input, Section};
use crate::horn;
use crate::measure::Measurement;
use crate::quicksort;

/// One line of the comparison.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) program: PathBuf,
    arguments: &'static [&'static str],
}

/// How a tool is talked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Cauldron,
    Moped,
    Getafix,
    Z3,
}

/// What a tool says about a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Holds,
    /// No violation within the bound that was asked about.
    Bounded,
    Violated,
    /// No answer, or none that is understood.
    None,
}

/// A name, and the arguments behind it.
pub(crate) type Setting = (&'static str, &'static [&'static str]);

/// Cauldron's settings beside the peers, the one that others are compared with first.
const SETTINGS: &[Setting] = &[
    ("cauldron", &["check"]),
    ("cauldron, nothing validated", &["check", "--no-validate"]),
    ("cauldron, no passes", &["check", "--passes", "none"]),
    ("cauldron, explicit", &["check", "--engine", "explicit"]),
];

/// The solver against the engine, and its two ways to treat control.
const SOLVER_SETTINGS: &[Setting] = &[
    ("engine", &["check", "--no-validate", "--engine", "summary"]),
    ("formula", &["check", "--no-validate", "--algorithm", "entry-forward-split"]),
    ("symbolic", &["check", "--no-validate", "--algorithm", "entry-forward-split", "--control", "symbolic"]),
];

/// Threads, up to a bound that the case gives.
const BOUNDED_SETTINGS: &[Setting] = &[("context-bounded", &["check", "--algorithm", "context-bounded"])];

/// The same by view tuples, beside the formula.
const THREAD_SETTINGS: &[Setting] = &[
    (LAZY, &["check", "--engine", "network"]),
    (EAGER, &["check", "--engine", "network-eager"]),
    ("formula", &["check", "--algorithm", "context-bounded"]),
];

/// All ways to follow a stack.
const PUSHDOWN_SETTINGS: &[Setting] = &[
    ("summary", &["check", "--engine", "summary"]),
    ("post*", &["check", "--engine", "saturation"]),
    ("pre*", &["check", "--engine", "saturation-backward"]),
];

/// Temporal logic: as usual, then without each improvement of the Moped paper, in the order of its Figure 4.
pub(crate) const IMPROVEMENTS: &[Setting] = &[
    ("cauldron", &["check"]),
    ("no arrangement", &["check", "--no-arrangement"]),
    ("no reachable first", &["check", "--no-reachable-first"]),
    ("no components", &["check", "--no-components"]),
];

/// As users have it, with the evidence checked.
const INTEGER_SETTINGS: &[Setting] = &[("cauldron", &["check"])];

/// View tuples are split only where they must be.
pub(crate) const LAZY: &str = "lazy";

/// View tuples are split by the shared values.
pub(crate) const EAGER: &str = "eager";

/// The label that stands for a failed assertion where a peer knows no assertions.
const ERROR_LABEL: &str = "bad";

/// What a section is measured with.
pub(crate) fn tools(section: Section, cauldron: &Path) -> Vec<Tool> {
    let ours =
        |(name, arguments): &Setting| Tool { name, kind: Kind::Cauldron, program: cauldron.to_owned(), arguments };
    match section {
        Section::Peers => SETTINGS.iter().map(ours).chain(installed()).collect(),
        Section::Solver => SOLVER_SETTINGS.iter().map(ours).collect(),
        Section::Bluetooth => BOUNDED_SETTINGS.iter().map(ours).collect(),
        Section::Threads => THREAD_SETTINGS.iter().map(ours).collect(),
        Section::Integers => INTEGER_SETTINGS.iter().map(ours).collect(),
        // Moped's other direction gives wrong answers.
        Section::Pushdown => PUSHDOWN_SETTINGS.iter().map(ours).chain(peer(("moped", Kind::Moped, &["-r"]))).collect(),
        Section::Quicksort => IMPROVEMENTS[..1]
            .iter()
            .map(ours)
            .chain(peer(("moped", Kind::Moped, &["-f"])))
            .chain(IMPROVEMENTS[1..].iter().map(ours))
            .collect(),
    }
}

/// The peers that are on the path.
fn installed() -> Vec<Tool> {
    let peers: [(&'static str, Kind, &'static [&'static str]); 3] =
        [("moped", Kind::Moped, &["-b", "-r"]), ("getafix", Kind::Getafix, &["seq"]), ("z3", Kind::Z3, &[])];
    peers.into_iter().filter_map(peer).collect()
}

/// A peer, if it is on the path.
fn peer((name, kind, arguments): (&'static str, Kind, &'static [&'static str])) -> Option<Tool> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Some(Tool { name, kind, program: find(name, &path)?, arguments })
}

fn find(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

impl Tool {
    /// Whether the tool can be asked about an input.
    pub(crate) fn reads(&self, input: &Input) -> bool {
        match input {
            Input::Bebop { .. } | Input::Terminator { .. } => true,
            Input::Explicit { .. } => matches!(self.kind, Kind::Cauldron | Kind::Moped),
            Input::Quicksort { .. } if IMPROVEMENTS[1..].iter().any(|(name, _)| *name == self.name) => {
                quicksort::is_without_improvements(input)
            }
            Input::Quicksort { .. } => matches!(self.kind, Kind::Cauldron | Kind::Moped),
            Input::File(_) => matches!(self.kind, Kind::Cauldron | Kind::Z3),
            Input::Bluetooth { .. } | Input::Vector { .. } | Input::SearchTree { .. } | Input::Integers { .. } => {
                self.kind == Kind::Cauldron
            }
        }
    }

    /// The command that asks about the prepared file.
    ///
    /// It runs in the folder of the file: some peers leave files behind where they run.
    pub(crate) fn command(&self, input: &Input, file: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments);
        if self.kind != Kind::Cauldron {
            command.current_dir(file.parent().unwrap_or(Path::new("/")));
        }
        match self.kind {
            Kind::Cauldron => {
                command.arg("--quiet").arg(file);
                command.args(input.label().into_iter().flat_map(|label| ["--reach", label]));
                command.args(input.goal().into_iter().flat_map(|goal| ["--ltl".to_owned(), format!("<> {goal}")]));
                command.args(input.switches().into_iter().flat_map(|k| ["--switches".to_owned(), k.to_string()]));
            }
            Kind::Moped if input.goal().is_some() => {
                // Not with its folder: a claim whose name is long overruns Moped's buffer.
                command.arg(file).args(claim_file(file).file_name());
            }
            Kind::Moped | Kind::Getafix => {
                command.arg(file).arg(input.label().unwrap_or(ERROR_LABEL));
            }
            Kind::Z3 => {
                command.arg(file);
            }
        }
        command
    }

    /// What the tool said.
    pub(crate) fn answer(&self, input: &Input, run: &Measurement) -> Answer {
        if self.kind == Kind::Cauldron && run.exit_code == Some(11) {
            return Answer::Bounded;
        }
        let says = |word: &str| run.output.lines().any(|line| line.trim_start_matches([':', ' ']).trim_end() == word);
        let (violated, holds) = match self.kind {
            Kind::Cauldron => (matches!(run.exit_code, Some(10 | 13)), matches!(run.exit_code, Some(0 | 12))),
            // Whether all runs satisfy the formula, or whether the symbol is reached.
            Kind::Moped if input.goal().is_some() => (says("NO."), says("YES.")),
            Kind::Moped => (says("YES."), says("NO.")),
            Kind::Getafix => (says("true"), says("false")),
            Kind::Z3 => (says("unsat"), says("sat")),
        };
        match (violated, holds) {
            (true, false) => Answer::Violated,
            (false, true) => Answer::Holds,
            _ => Answer::None,
        }
    }
}

/// Where the never claim of an input is, beside the file with its text.
pub(crate) fn claim_file(file: &Path) -> PathBuf {
    file.with_extension("never")
}

/// The text that a tool gets for an input. Runs in a process of its own, see [`crate::measure::measure`].
pub(crate) fn prepare(kind: Kind, input: &Input) -> Result<String, String> {
    let text = input.text().map_err(|error| error.to_string())?;
    Ok(match kind {
        Kind::Cauldron => text,
        Kind::Moped => adapt(&text),
        Kind::Getafix => with_init(&adapt(&text)),
        Kind::Z3 => horn::from_source(&text, input.label())?,
    })
}

/// Without `dead`, which both peers lack (the Getafix paper writes it as an assignment as well), and with a label in
/// place of the assertion.
fn adapt(text: &str) -> String {
    let mut adapted = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(variables) = trimmed.strip_prefix("dead ").and_then(|rest| rest.strip_suffix(';')) {
            let any = vec!["schoose[F, F]"; variables.split(',').count()].join(", ");
            adapted.push_str(&format!("    {variables} := {any};"));
        } else if let Some(condition) = trimmed.strip_prefix("assert(").and_then(|rest| rest.strip_suffix(");")) {
            adapted.push_str(&format!("  if (!({condition})) then\n    {ERROR_LABEL}: skip;\n  fi"));
        } else {
            adapted.push_str(line);
        }
        adapted.push('\n');
    }
    adapted
}

/// As Getafix wants it: a global, a procedure `init`, and a `return` at the end of every procedure, without which it
/// takes the procedure for one that never returns.
fn with_init(text: &str) -> String {
    let body = text.replace("\nend\n", "\n  return;\nend\n");
    let rest = body.strip_prefix("decl g;\n").unwrap_or(&body);
    format!("decl g;\nvoid init()\nbegin\n  g := F;\n  endinit: skip;\nend\n{rest}")
}

impl Kind {
    /// As an argument for another process.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cauldron => "cauldron",
            Self::Moped => "moped",
            Self::Getafix => "getafix",
            Self::Z3 => "z3",
        }
    }

    /// From an argument that another process gave.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Cauldron, Self::Moped, Self::Getafix, Self::Z3].into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use workbench::generate::Quicksort;

    use super::*;

    #[test]
    fn peers_get_what_they_can_read() {
        let input = Input::Terminator { n: 1, m: 2, bug: false };
        let text = prepare(Kind::Getafix, &input).unwrap();
        assert!(text.starts_with("decl g;\nvoid init()\nbegin\n  g := F;\n  endinit: skip;\nend\nvoid main()"));
        assert!(text.contains("    d0, d1 := schoose[F, F], schoose[F, F];\n"));
        assert!(text.ends_with("  if (!(ok)) then\n    bad: skip;\n  fi\n  return;\nend\n"));
        let bebop = Input::Bebop { n: 2, unreachable: false };
        assert_eq!(prepare(Kind::Moped, &bebop).unwrap(), bebop.text().unwrap());
        assert_eq!(prepare(Kind::Getafix, &bebop).unwrap().matches("return;").count(), 3);
    }

    fn moped(arguments: &'static [&'static str]) -> Tool {
        Tool { name: "moped", kind: Kind::Moped, program: "moped".into(), arguments }
    }

    #[test]
    fn moped_gets_a_formula_as_a_claim_in_its_folder() {
        let input = Input::Quicksort { variant: Quicksort::Sorting, n: 3, m: 4 };
        let command = moped(&["-f"]).command(&input, Path::new("/folder/moped.pds"));
        assert_eq!(command.get_current_dir(), Some(Path::new("/folder")));
        let arguments: Vec<&OsStr> = command.get_args().collect();
        assert_eq!(arguments, ["-f", "/folder/moped.pds", "moped.never"]);
    }

    #[test]
    fn yes_is_good_of_a_formula_and_bad_of_a_symbol() {
        let run = Measurement {
            user: Duration::ZERO,
            wall: Duration::ZERO,
            bytes: 0,
            exit_code: Some(0),
            timed_out: false,
            output: "YES.\n".to_owned(),
        };
        let formula = Input::Quicksort { variant: Quicksort::Corrected, n: 3, m: 2 };
        assert_eq!(moped(&["-f"]).answer(&formula, &run), Answer::Holds);
        let symbol = Input::Explicit { rules: 10, states: 1, seed: 1, asked: 0 };
        assert_eq!(moped(&["-r"]).answer(&symbol, &run), Answer::Violated);
    }
}
