//! With which engines, algorithms and passes a program is checked.

use std::fmt;

use driver::{Algorithm, Control};

use crate::dice::Dice;

/// One way to check a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) how: How,
    pub(super) passes: Vec<&'static str>,
    /// Whether threads are followed without a bound, or to one that no small program needs.
    pub(super) unbounded: bool,
}

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// An engine.
    Engine(&'static str),
    /// A built-in algorithm of the fixed-point calculus.
    Algorithm(&'static str, Control),
    /// An engine for sequential programs, on the sequential form of a program with threads.
    Sequentialized(&'static str),
}

impl How {
    /// Whether there are programs that it is not made for: calls whose end does not split, threads that recurse.
    pub(super) fn is_partial(self) -> bool {
        matches!(self, Self::Algorithm("entry-forward-split", _) | Self::Engine("product") | Self::Sequentialized(_))
    }

    /// Whether threads are to be turned into a sequential program.
    pub(super) fn is_sequentialized(self) -> bool {
        matches!(self, Self::Sequentialized(_))
    }

    /// For the driver: the engine, or the algorithm.
    pub(super) fn choice(self) -> (Option<String>, Option<Algorithm>) {
        match self {
            Self::Engine(name) | Self::Sequentialized(name) => (Some(name.to_owned()), None),
            Self::Algorithm(name, control) => (None, Some(Algorithm { control, ..Algorithm::built_in(name) })),
        }
    }
}

/// The other engines and the algorithms for sequential programs.
const SEQUENTIAL: &[How] = &[
    How::Engine("saturation"),
    How::Engine("saturation-backward"),
    How::Algorithm("summary", Control::Explicit),
    How::Algorithm("entry-forward", Control::Explicit),
    How::Algorithm("entry-forward-split", Control::Explicit),
    How::Algorithm("entry-forward-opt", Control::Explicit),
    How::Algorithm("backward", Control::Explicit),
    How::Algorithm("entry-forward", Control::Symbolic),
];

/// Who follows several threads up to a number of context switches, the oracle first.
const SWITCHES: &[How] = &[
    How::Engine("explicit"),
    How::Engine("network"),
    How::Engine("network-eager"),
    How::Algorithm("context-bounded", Control::Explicit),
    How::Sequentialized("summary"),
];

/// Who follows several threads up to a number of rounds, the oracle first.
const ROUNDS: &[How] = &[
    How::Engine("explicit"),
    How::Engine("network"),
    How::Engine("network-eager"),
    How::Algorithm("round-robin", Control::Explicit),
    How::Sequentialized("summary"),
];

/// No pass, all of them, a single one, and some: single ones and subsets take turns.
fn passes(seed: u64) -> [Vec<&'static str>; 4] {
    let all: Vec<&'static str> = transform::passes().iter().map(|pass| pass.name()).collect();
    let mut dice = Dice::new(!seed);
    let single = vec![all[(seed % all.len() as u64) as usize]];
    let some: Vec<&'static str> = all.iter().copied().filter(|_| dice.chance(50)).collect();
    [Vec::new(), all, single, some]
}

impl Setting {
    /// The settings for a concurrent program. The oracle has all choices of passes, the others one without and one with.
    /// For some programs all interleavings are compared as well, without a bound.
    pub(super) fn for_threads(seed: u64, rounds: bool) -> Vec<Self> {
        let choices = passes(seed);
        let with = |how: &How| {
            let is_oracle = *how == How::Engine("explicit");
            let n = if is_oracle { choices.len() } else { 2 };
            // Which of the choices with passes the others have depends on the seed.
            let turn = if is_oracle { 1 } else { 1 + (seed % 3) as usize };
            let chosen = (0..n).map(|at| if at == 0 { 0 } else { (at + turn - 2) % 3 + 1 });
            let setting = |at: usize| Self { how: *how, passes: choices[at].clone(), unbounded: false };
            chosen.map(setting).collect::<Vec<_>>()
        };
        let table = if rounds { ROUNDS } else { SWITCHES };
        let mut settings: Vec<Self> = table.iter().flat_map(with).collect();
        if seed.is_multiple_of(4) {
            for (how, at) in [("explicit", 0), ("product", 0), ("product", 1 + (seed / 4 % 3) as usize)] {
                settings.push(Self { how: How::Engine(how), passes: choices[at].clone(), unbounded: true });
            }
        }
        settings
    }

    /// The settings for a sequential program, the oracle first: it shares the least with the others. The oracle and the
    /// engine that is chosen by default are run without passes and with some; the other engines and the algorithms
    /// take turns with the choices of passes.
    pub(super) fn for_seed(seed: u64) -> Vec<Self> {
        let choices = passes(seed);
        let with = |how, passes: &Vec<&'static str>| Self { how, passes: passes.clone(), unbounded: false };
        let [none, all, single, some] = &choices;
        let mut settings = vec![
            with(How::Engine("explicit"), none),
            with(How::Engine("summary"), none),
            with(How::Engine("summary"), all),
            with(How::Engine("summary"), single),
            with(How::Engine("summary"), some),
            with(How::Engine("explicit"), some),
        ];
        let turn = |at: usize| &choices[(seed as usize).wrapping_add(at) % choices.len()];
        settings.extend(SEQUENTIAL.iter().enumerate().map(|(at, how)| with(*how, turn(at))));
        settings
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(name) => f.write_str(name),
            Self::Sequentialized(name) => write!(f, "{name} on the sequential form"),
            Self::Algorithm(name, Control::Explicit) => write!(f, "{name}.fp"),
            Self::Algorithm(name, Control::Symbolic) => write!(f, "{name}.fp (symbolic control)"),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.passes.as_slice() {
            [] => write!(f, "{} without passes", self.how)?,
            passes => write!(f, "{} with {}", self.how, passes.join("+"))?,
        }
        if self.unbounded { f.write_str(", all interleavings") } else { Ok(()) }
    }
}
