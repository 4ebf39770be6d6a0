//! Which engine answers: one that was named, an algorithm of the fixed-point calculus, or the best one for the program.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use base::{Diagnostics, Source};
use engine::formula::{Formula, Unready};
use engine::{Engine, engines};
use program::{Bound, EdgeKind, LocationId, Program};

pub use calculus::Control;
pub use engine::formula::ALGORITHMS;

use crate::check::{CheckError, Options};

/// The engine that searches the product of the threads.
pub(crate) const PRODUCT: &str = "product";

/// An algorithm of the fixed-point calculus, and how to run it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Algorithm {
    /// The name of a built-in one, or of the file.
    pub name: String,
    /// What the file says; none: it is built in.
    pub text: Option<String>,
    /// Values of its parameters. A bound on threads is its `k`.
    pub parameters: BTreeMap<String, u64>,
    /// What is in decision diagrams.
    pub control: Control,
    /// Whether to follow the operational semantics to the letter, without shortcuts.
    pub literal: bool,
    /// Whether to tell the plan.
    pub explain: bool,
    /// Whether to tell what each equation and clause cost.
    pub profile: bool,
}

impl Algorithm {
    /// A built-in one with nothing special.
    #[must_use]
    pub fn built_in(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Reads it.
    pub fn read(&self) -> Result<Formula, CheckError> {
        let built_in = || ALGORITHMS.iter().find(|(name, _)| *name == self.name).map(|(_, text)| *text);
        let Some(text) = self.text.as_deref().or_else(built_in) else {
            return Err(CheckError::UnknownAlgorithm(self.name.clone(), names()));
        };
        let name = if self.text.is_some() { self.name.clone() } else { format!("{}.fp", self.name) };
        let read = Formula::parse(&name, text);
        let mut formula = read.map_err(|(source, diagnostics)| CheckError::Algorithm(source, diagnostics))?;
        formula.parameters.clone_from(&self.parameters);
        formula.control = self.control;
        formula.literal = self.literal;
        formula.explain = self.explain;
        formula.profile = self.profile;
        Ok(formula)
    }

    /// The bound that a built-in algorithm is about is not another one.
    fn fits(&self, bound: Option<Bound>) -> Result<(), CheckError> {
        let wrong = match (self.name.as_str(), bound) {
            _ if self.text.is_some() => return Ok(()),
            (CONTEXT_BOUNDED, Some(Bound::Rounds(_))) => "context switches: give `--switches K`, or take `round-robin`",
            (ROUND_ROBIN, Some(Bound::Switches(_))) => "rounds: give `--rounds K`, or take `context-bounded`",
            _ => return Ok(()),
        };
        Err(CheckError::OtherBound(self.name.clone(), wrong))
    }
}

/// The canonical form of an algorithm file; or what is wrong with it.
pub fn format(source: &Source) -> Result<String, Diagnostics> {
    match calculus::fp::parse(source) {
        (Some(tree), diagnostics) if !diagnostics.has_errors() => Ok(calculus::fp::format(&tree)),
        (_, diagnostics) => Err(diagnostics),
    }
}

const CONTEXT_BOUNDED: &str = "context-bounded";
const ROUND_ROBIN: &str = "round-robin";

fn names() -> Vec<&'static str> {
    ALGORITHMS.iter().map(|(name, _)| *name).collect()
}

/// What was run, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// The name of the algorithm, or of its file.
    pub name: String,
    /// Whether it is not one of those that ship.
    pub is_own: bool,
    /// Its text.
    pub source: Source,
    /// Warnings about it.
    pub warnings: Diagnostics,
}

/// The engine that answers.
pub(crate) enum Chosen {
    Engine(&'static dyn Engine, String),
    Formula(Box<Formula>, Algorithm, String),
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chosen").field(&self.label()).finish()
    }
}

impl Deref for Chosen {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Engine(engine, _) => *engine,
            Self::Formula(formula, ..) => formula.as_ref(),
        }
    }
}

impl Chosen {
    /// The engine that was named, or the best one, and why; or why there is none.
    pub(crate) fn new(program: &Program, options: &Options) -> Result<Self, CheckError> {
        let chosen = match (&options.engine, &options.algorithm) {
            (_, Some(algorithm)) => Self::formula(algorithm, options, "as asked for".to_owned())?,
            (Some(name), None) => Self::Engine(named(name)?, "as asked for".to_owned()),
            (None, None) => Self::best(program, options)?,
        };
        match chosen.supports(program) {
            Ok(()) => Ok(chosen),
            Err(unsupported) => Err(CheckError::Unsupported(chosen.label(), unsupported)),
        }
    }

    fn formula(algorithm: &Algorithm, options: &Options, why: String) -> Result<Self, CheckError> {
        let formula = algorithm.read()?;
        algorithm.fits(options.bound)?;
        Ok(Self::Formula(Box::new(formula), algorithm.clone(), why))
    }

    /// A network follows a fixed number of threads through calls of any depth; the explicit search also follows threads
    /// that are started on the way.
    fn best(program: &Program, options: &Options) -> Result<Self, CheckError> {
        let spawns = program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_)));
        let all = engines();
        if !program.is_single_threaded() && !spawns {
            let what = match options.bound {
                Some(Bound::Rounds(_)) => "rounds",
                Some(Bound::Switches(_)) | None => "context switches",
            };
            let network = all.into_iter().find(|engine| engine.name() == "network");
            if let Some(network) = network.filter(|network| network.supports(program).is_ok()) {
                let why = format!("{} threads within a bound on {what}", program.threads.len());
                return Ok(Self::Engine(network, why));
            }
        }
        let engine = all.into_iter().find(|engine| engine.supports(program).is_ok()).unwrap_or(all[0]);
        let why = match (program.is_single_threaded(), spawns) {
            (true, _) => "one thread",
            (false, true) => "threads that are started on the way",
            (false, false) => "an init procedure with private variables",
        };
        Ok(Self::Engine(engine, why.to_owned()))
    }

    /// The name to be shown: of the engine or of the algorithm.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Engine(engine, _) => engine.name().to_owned(),
            Self::Formula(_, algorithm, _) => algorithm.name.clone(),
        }
    }

    /// Why it was chosen.
    pub(crate) fn why(&self) -> String {
        match self {
            Self::Engine(_, why) | Self::Formula(_, _, why) => why.clone(),
        }
    }

    /// Whether the user wrote it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Self::Formula(_, algorithm, _) if algorithm.text.is_some())
    }

    /// The bound that the task gets: what the engine needs for its answer, or what a file has a parameter for.
    pub(crate) fn bound(&self, program: &Program, options: &Options) -> Result<Option<Bound>, CheckError> {
        let is_parameter = match self {
            Self::Formula(formula, ..) => formula.has_parameter("k"),
            Self::Engine(..) => false,
        };
        match (self.is_bounded(program), options.bound) {
            (true, None) => Err(CheckError::BoundNeeded(self.label())),
            (true, bound) => Ok(bound),
            (false, bound) => Ok(bound.filter(|_| is_parameter)),
        }
    }

    /// Says whether an algorithm fits the program and the question.
    pub(crate) fn prepare(
        &self,
        program: &Program,
        targets: &[LocationId],
        bound: Option<Bound>,
    ) -> Result<Option<Ran>, CheckError> {
        let Self::Formula(formula, algorithm, _) = self else { return Ok(None) };
        let source = formula.source().clone();
        let name = algorithm.name.clone();
        match formula.prepare(program, targets, bound) {
            Ok(warnings) => Ok(Some(Ran { name, is_own: algorithm.text.is_some(), source, warnings })),
            Err(Unready::Rejected(found)) if bound.is_some() && !self.is_own() && is_too_large(&found) => {
                Err(CheckError::BoundTooLarge(name))
            }
            Err(unready) => Err(unready_error(unready, &source, name)),
        }
    }
}

/// Whether a file is wrong only in that what it declares has too many values.
fn is_too_large(found: &Diagnostics) -> bool {
    found.iter().all(|diagnostic| diagnostic.code == calculus::TOO_LARGE)
}

pub(crate) fn unready_error(unready: Unready, source: &Source, name: String) -> CheckError {
    match unready {
        Unready::Rejected(diagnostics) => CheckError::Algorithm(source.clone(), diagnostics),
        Unready::Unsupported(unsupported) => CheckError::Unsupported(name, unsupported),
    }
}

fn named(name: &str) -> Result<&'static dyn Engine, CheckError> {
    let all = engines();
    let names = || all.iter().map(|engine| engine.name()).chain([PRODUCT]).collect();
    let found = all.into_iter().find(|engine| engine.name() == name);
    found.ok_or_else(|| CheckError::UnknownEngine(name.to_owned(), names()))
}
