//! Temporal properties: formula or automaton in, verdict with a checked run out.
//!
//! The automaton reads the runs that must not exist. The product of program and automaton is searched for a run without
//! end; what is found is turned back into a run of the program, executed for some rounds by the interpreter, and what is
//! true along it is checked against the formula by its definition, without the automaton.

mod atoms;

use base::{Budget, Diagnostics, Observer, Progress, Source, StopReason};
use engine::recurrence::{Acceptance, Recurrence, RecurrenceAnswer, by_formula, solve, walks_for_ever};
use engine::{Context, Statistics, Unsupported};
use program::interp::{self, Fault, LassoReplay};
use program::{Lasso, Observation};
use property::{Atom, Automaton, Formula, Letter, Word};
use transform::Rewritten as _;
use transform::product::{Product, product};

pub use engine::recurrence::{Method, Search};
pub use transform::product::Runs;

use crate::{CheckError, Loaded};

/// What is asked about all runs of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Specification {
    /// All runs satisfy a formula of linear temporal logic.
    Formula(Source),
    /// No run is accepted by an automaton in the Hanoi format.
    Hoa(Source),
    /// No run is accepted by a never claim.
    Never(Source),
}

impl Specification {
    /// Every run ends.
    #[must_use]
    pub fn terminates() -> Self {
        Self::Formula(Source::new("--terminates", "<> end"))
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &Source {
        let (Self::Formula(source) | Self::Hoa(source) | Self::Never(source)) = self;
        source
    }
}

/// A question and how to answer it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemporalQuestion {
    /// What is asked.
    pub specification: Specification,
    /// Which runs count.
    pub runs: Runs,
    /// How to look for cycles.
    pub search: Search,
    /// Whether the formula `recurrence` of the fixed-point calculus decides; then only the run, if there is one, is looked for.
    pub by_formula: bool,
    /// Whether a run that is found is executed and judged.
    pub validate: bool,
}

impl TemporalQuestion {
    /// The question with the usual search.
    #[must_use]
    pub fn new(specification: Specification) -> Self {
        Self { specification, runs: Runs::default(), search: Search::default(), by_formula: false, validate: true }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct TemporalOutcome {
    /// Does the program have the property?
    pub verdict: TemporalVerdict,
    /// The formula, if one was given.
    pub formula: Option<Formula>,
    /// The automaton of the runs that must not exist.
    pub automaton: Automaton,
    /// What the automaton's atoms mean in the program, in their order.
    pub observations: Vec<Observation>,
    /// Which runs count.
    pub runs: Runs,
    /// Warnings about the specification.
    pub warnings: Diagnostics,
    /// What it cost.
    pub statistics: Statistics,
}

/// An answer with its evidence.
#[derive(Clone, Debug)]
pub enum TemporalVerdict {
    /// Every run has the property.
    Holds,
    /// A run has not.
    Fails(Box<Violation>),
    /// A limit was hit first.
    Unknown(StopReason),
}

/// A run that does not have the property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The run.
    pub lasso: Lasso,
    /// What the interpreter saw; none only if that was not asked for.
    pub replay: Option<LassoReplay>,
}

/// Answers a temporal question about a sequential program.
pub fn check_temporal(
    loaded: &Loaded,
    question: &TemporalQuestion,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<TemporalOutcome, CheckError> {
    supports(loaded)?;
    let _watch = budget.watch();
    observer.progress(&Progress { phase: "translate", ..Progress::default() });
    let read = match forbidden(&question.specification, budget)? {
        Ok(read) => read,
        Err(reason) => return Ok(stopped(reason, question.runs)),
    };
    let observations = atoms::observations(loaded, &question.specification, &read)?;
    let product = product(&loaded.program, &read.automaton, &observations, question.runs);
    let recurrence = recurrence(loaded, &product, question.search);
    let context = Context { budget, observer };
    let said = if question.by_formula { Some(by_formula(&recurrence, &context)) } else { None };
    let RecurrenceAnswer { lasso, stopped, statistics } = match said {
        Some(Ok(false)) => RecurrenceAnswer::default(),
        Some(Err(reason)) => RecurrenceAnswer { stopped: Some(reason), ..RecurrenceAnswer::default() },
        Some(Ok(true)) | None => solve(&recurrence, &context),
    };
    if said == Some(Ok(true)) && lasso.is_none() && stopped.is_none() {
        return Err(CheckError::Evidence("the formula says that there is a run, and there is none".to_owned()));
    }
    let verdict = match (lasso, stopped) {
        (Some(lasso), _) => {
            observer.progress(&Progress { phase: "replay", ..Progress::default() });
            let lasso = product.lasso_back(lasso, &context).map_err(|error| CheckError::Evidence(error.to_string()))?;
            violation(loaded, lasso, (&read, &observations), question.validate, budget)?
        }
        (None, Some(reason)) => TemporalVerdict::Unknown(reason),
        (None, None) => TemporalVerdict::Holds,
    };
    let Read { formula, automaton, warnings, .. } = read;
    Ok(TemporalOutcome { verdict, formula, automaton, observations, runs: question.runs, warnings, statistics })
}

fn recurrence<'a>(loaded: &'a Loaded, product: &'a Product, search: Search) -> Recurrence<'a> {
    let acceptance = match &product.mark {
        None => Acceptance::Always,
        Some((mark, seen)) => Acceptance::Marked { mark: *mark, seen },
    };
    let (program, plain, stutters) = (&product.program, &loaded.program, &product.stutters[..]);
    Recurrence { program, plain, stutters, acceptance, search }
}

/// Whether all runs have the property, by the formula `recurrence` of the fixed-point calculus: a second opinion without
/// evidence. Where it is no, [`check_temporal`] finds the run.
pub fn holds_by_formula(
    loaded: &Loaded,
    question: &TemporalQuestion,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Result<bool, StopReason>, CheckError> {
    supports(loaded)?;
    let _watch = budget.watch();
    let read = match forbidden(&question.specification, budget)? {
        Ok(read) => read,
        Err(reason) => return Ok(Err(reason)),
    };
    let observations = atoms::observations(loaded, &question.specification, &read)?;
    let product = product(&loaded.program, &read.automaton, &observations, question.runs);
    let recurrence = recurrence(loaded, &product, question.search);
    Ok(by_formula(&recurrence, &Context { budget, observer }).map(|recurs| !recurs))
}

/// Whether a property holds because no run is without end. Mostly a single walk shows that there is one; otherwise, finding
/// out takes at most as many steps as the answer itself, and if that is not enough, nothing is said.
#[must_use]
pub fn holds_without_runs(
    loaded: &Loaded,
    question: &TemporalQuestion,
    outcome: &TemporalOutcome,
    budget: Budget,
    observer: &dyn Observer,
) -> bool {
    if question.runs != Runs::Infinite || !matches!(outcome.verdict, TemporalVerdict::Holds) {
        return false;
    }
    if walks_for_ever(&loaded.program, &Context { budget: &budget, observer }) != Ok(false) {
        return false;
    }
    let specification = Specification::Formula(Source::new("--runs", "false"));
    let any_run = TemporalQuestion { specification, validate: false, ..question.clone() };
    let budget = budget.with_max_steps(Some(outcome.statistics.steps.max(1_000)));
    let found = check_temporal(loaded, &any_run, &budget, observer);
    found.is_ok_and(|found| matches!(found.verdict, TemporalVerdict::Holds))
}

fn supports(loaded: &Loaded) -> Result<(), CheckError> {
    let unsupported = if !loaded.program.is_single_threaded() {
        Unsupported::TemporalSeveralThreads
    } else if loaded.program.init.is_some() {
        Unsupported::TemporalInit
    } else {
        return Ok(());
    };
    Err(CheckError::Unsupported("recurrence".to_owned(), unsupported))
}

/// The automaton of a specification, with what is odd about it: of a formula that of the runs which satisfy it, or of those
/// which do not; of a file the one that is there, made small.
pub fn automaton(
    specification: &Specification,
    negate: bool,
    budget: &Budget,
) -> Result<Result<(Automaton, Diagnostics), StopReason>, Diagnostics> {
    let _watch = budget.watch();
    Ok(read(specification, negate, budget)?.map(|read| (read.automaton, read.warnings)))
}

/// What a specification forbids.
fn forbidden(specification: &Specification, budget: &Budget) -> Result<Result<Read, StopReason>, CheckError> {
    let rejected = |diagnostics| CheckError::Algorithm(specification.source().clone(), diagnostics);
    read(specification, true, budget).map_err(rejected)
}

/// A specification that has been read, as an automaton.
pub(crate) struct Read {
    formula: Option<Formula>,
    automaton: Automaton,
    /// The atoms of the automaton with the places where they are written.
    places: Vec<(Atom, base::Span)>,
    warnings: Diagnostics,
}

/// Reads a specification. Of a formula the automaton is that of its negation, or that of the formula itself.
fn read(specification: &Specification, negate: bool, budget: &Budget) -> Result<Result<Read, StopReason>, Diagnostics> {
    match specification {
        Specification::Formula(source) => {
            let (parsed, warnings) = property::parse(source);
            let Some(parsed) = parsed else { return Err(warnings) };
            let meant = if negate { parsed.formula.negated() } else { parsed.formula.clone() };
            let automaton = match property::translate(&meant, budget) {
                Ok(automaton) => automaton,
                Err(reason) => return Ok(Err(reason)),
            };
            Ok(Ok(Read { formula: Some(parsed.formula), automaton, places: parsed.atoms, warnings }))
        }
        Specification::Hoa(source) | Specification::Never(source) => {
            let read = match specification {
                Specification::Hoa(_) => property::hoa::read(source, budget),
                _ => property::never::read(source, budget),
            };
            match read {
                Err(reason) => Ok(Err(reason)),
                Ok(Err(diagnostics)) => Err(diagnostics),
                Ok(Ok(file)) => Ok(Ok(Read {
                    formula: None,
                    automaton: file.automaton,
                    places: file.atoms,
                    warnings: Diagnostics::new(),
                })),
            }
        }
    }
}

fn stopped(reason: StopReason, runs: Runs) -> TemporalOutcome {
    TemporalOutcome {
        verdict: TemporalVerdict::Unknown(reason),
        formula: None,
        automaton: Automaton { n_states: 1, initial: Vec::new(), edges: Vec::new(), atoms: Vec::new() },
        observations: Vec::new(),
        runs,
        warnings: Diagnostics::new(),
        statistics: Statistics::default(),
    }
}

/// Executes the run and judges it.
fn violation(
    loaded: &Loaded,
    lasso: Lasso,
    (read, observations): (&Read, &[Observation]),
    validate: bool,
    budget: &Budget,
) -> Result<TemporalVerdict, CheckError> {
    if !validate {
        return Ok(TemporalVerdict::Fails(Box::new(Violation { lasso, replay: None })));
    }
    match judged(loaded, &lasso, (read, observations), budget) {
        Judgement::Violates(replay) => Ok(TemporalVerdict::Fails(Box::new(Violation { lasso, replay: Some(replay) }))),
        Judgement::Stopped(reason) => Ok(TemporalVerdict::Unknown(reason)),
        Judgement::NoRun(error) => Err(CheckError::Evidence(format!("a run without end does not replay: {error}"))),
        Judgement::Satisfies => {
            Err(CheckError::Evidence("a run without end was found that does not violate the property".to_owned()))
        }
    }
}

/// What executing a run says about a property.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// It is a run, and does not have the property.
    Violates(LassoReplay),
    /// It is a run, and has the property.
    Satisfies,
    /// It is no run of the program.
    NoRun(String),
    /// A limit was hit first.
    Stopped(StopReason),
}

/// Executes a run without end and judges it by a specification; with what the specification is about.
pub fn judge(
    loaded: &Loaded,
    specification: &Specification,
    lasso: &Lasso,
    budget: &Budget,
) -> Result<(Judgement, Vec<Observation>), CheckError> {
    supports(loaded)?;
    let _watch = budget.watch();
    let read = match forbidden(specification, budget)? {
        Ok(read) => read,
        Err(reason) => return Ok((Judgement::Stopped(reason), Vec::new())),
    };
    let observations = atoms::observations(loaded, specification, &read)?;
    Ok((judged(loaded, lasso, (&read, &observations), budget), observations))
}

fn judged(loaded: &Loaded, lasso: &Lasso, (read, observations): (&Read, &[Observation]), budget: &Budget) -> Judgement {
    let replay = match interp::replay_lasso(&loaded.program, lasso, observations, budget) {
        Ok(replay) => replay,
        Err(error) => {
            return match error.fault {
                Fault::Stopped(reason) => Judgement::Stopped(reason),
                _ => Judgement::NoRun(error.to_string()),
            };
        }
    };
    let letter = |row: &Vec<bool>| -> Letter {
        let held = read.automaton.atoms.iter().zip(row).filter(|(_, held)| **held);
        held.map(|(atom, _)| atom.clone()).collect()
    };
    let (stem, round) = (replay.stem.iter().map(letter).collect(), replay.round.iter().map(letter).collect());
    let is_violation = match (Word::new(stem, round), &read.formula) {
        (None, _) => false,
        (Some(word), Some(formula)) => !formula.holds_on(&word),
        (Some(word), None) => read.automaton.accepts(&word),
    };
    if is_violation { Judgement::Violates(replay) } else { Judgement::Satisfies }
}
