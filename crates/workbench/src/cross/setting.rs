//! With which engines and passes a program is checked.

use std::fmt;

use crate::dice::Dice;

/// One way to check a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) engine: &'static str,
    pub(super) passes: Vec<&'static str>,
}

/// The engines that follow several threads up to a bound, the oracle first.
const BOUNDED: &[&str] = &["explicit"];

impl Setting {
    /// The settings for a concurrent program: every engine without passes, with all of them, and with some.
    pub(super) fn for_threads(seed: u64) -> Vec<Self> {
        let all: Vec<&'static str> = transform::passes().iter().map(|pass| pass.name()).collect();
        let mut dice = Dice::new(!seed);
        let single = vec![all[(seed % all.len() as u64) as usize]];
        let some: Vec<&'static str> = all.iter().copied().filter(|_| dice.chance(50)).collect();
        let choices = [Vec::new(), all, single, some];
        let with = |engine: &'static str| choices.clone().map(|passes| Self { engine, passes });
        BOUNDED.iter().flat_map(|engine| with(engine)).collect()
    }

    /// The settings for a sequential program, the oracle first: it shares the least with the others. Every program is checked
    /// without passes and with all of them; single passes and other subsets take turns.
    pub(super) fn for_seed(seed: u64) -> Vec<Self> {
        let all: Vec<&'static str> = transform::passes().iter().map(|pass| pass.name()).collect();
        let mut dice = Dice::new(!seed);
        let single = vec![all[(seed % all.len() as u64) as usize]];
        let some: Vec<&'static str> = all.iter().copied().filter(|_| dice.chance(50)).collect();
        let with = |engine, passes| Self { engine, passes };
        vec![
            with("explicit", Vec::new()),
            with("summary", Vec::new()),
            with("summary", all),
            with("summary", single),
            with("summary", some.clone()),
            with("explicit", some),
        ]
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.passes.as_slice() {
            [] => write!(f, "{} without passes", self.engine),
            passes => write!(f, "{} with {}", self.engine, passes.join("+")),
        }
    }
}
