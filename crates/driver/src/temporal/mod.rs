//! Temporal properties: formula or automaton in, verdict with a checked run out.
//!
//! The automaton reads the runs that must not exist. The product of program and automaton is searched for a run without
//! end; what is found is turned back into a run of the program, executed for some rounds by the interpreter, and what is
//! true along it is checked against the formula by its definition, without the automaton.

mod atoms;
mod shorten;

use base::{Budget, Context, Diagnostics, Source, StopReason};
use engine::recurrence::{Acceptance, Recurrence, RecurrenceAnswer, by_formula, solve, walks_for_ever};
use engine::{Statistics, Unsupported, require_finite};
use program::interp::{self, Fault, LassoReplay};
use program::{Lasso, Observation};
use property::{Atom, Automaton, Formula, Letter, Word};
use transform::Rewritten as _;
use transform::product::{Product, product};

pub use engine::recurrence::{Method, Search};
pub use transform::product::Runs;

use crate::{CheckError, Loaded, Outcome};

/// The engine for temporal properties.
pub const ENGINE: &str = "recurrence";

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

/// The answer to a temporal question.
pub type TemporalOutcome = Outcome<TemporalFinding>;

/// What was found about all runs.
#[derive(Clone, Debug)]
pub struct TemporalFinding {
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
    context: &Context<'_>,
) -> Result<TemporalOutcome, CheckError> {
    let _watch = context.budget.watch();
    context.enter("translate");
    let meant = match Meant::by(&question.specification, loaded, context.budget) {
        Ok(meant) => meant,
        Err(Unread::Stopped(reason)) => return Ok(stopped(reason, question.runs)),
        Err(Unread::Wrong(error)) => return Err(error),
    };
    let product = product(&loaded.program, &meant.read.automaton, &meant.observations, question.runs);
    let RecurrenceAnswer { lasso, stopped, statistics } = search(loaded, &product, question, context)?;
    let verdict = match (lasso, stopped) {
        (Some(lasso), _) => {
            context.enter("replay");
            let lasso = product.lasso_back(lasso, context).map_err(|error| CheckError::Evidence(error.to_string()))?;
            meant.violation(loaded, lasso, question.validate, context.budget)?
        }
        (None, Some(reason)) => TemporalVerdict::Unknown(reason),
        (None, None) => TemporalVerdict::Holds,
    };
    let stopped = match verdict {
        TemporalVerdict::Unknown(reason) => Some(reason),
        TemporalVerdict::Holds | TemporalVerdict::Fails(_) => None,
    };
    let Meant { read: Read { formula, automaton, warnings, .. }, observations } = meant;
    let finding = TemporalFinding { verdict, formula, automaton, observations, runs: question.runs };
    Ok(Outcome { warnings, ..Outcome::new(ENGINE, finding, stopped, statistics) })
}

/// Looks for a run without end; where the formula is asked, only if it says that there is one.
fn search(
    loaded: &Loaded,
    product: &Product,
    question: &TemporalQuestion,
    context: &Context<'_>,
) -> Result<RecurrenceAnswer, CheckError> {
    let recurrence = recurrence(loaded, product, question.search);
    if !question.by_formula {
        return Ok(solve(&recurrence, context));
    }
    match by_formula(&recurrence, context) {
        Ok(false) => Ok(RecurrenceAnswer::default()),
        Err(reason) => Ok(RecurrenceAnswer { stopped: Some(reason), ..RecurrenceAnswer::default() }),
        Ok(true) => {
            let answer = solve(&recurrence, context);
            if answer.lasso.is_none() && answer.stopped.is_none() {
                return Err(CheckError::Evidence("the formula says that there is a run, and there is none".to_owned()));
            }
            Ok(answer)
        }
    }
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
/// evidence; none if a limit was hit. Where it is no, [`check_temporal`] finds the run.
pub fn holds_by_formula(
    loaded: &Loaded,
    question: &TemporalQuestion,
    context: &Context<'_>,
) -> Result<Outcome<Option<bool>>, CheckError> {
    let _watch = context.budget.watch();
    let said = match Meant::by(&question.specification, loaded, context.budget) {
        Ok(Meant { read, observations }) => {
            let product = product(&loaded.program, &read.automaton, &observations, question.runs);
            by_formula(&recurrence(loaded, &product, question.search), context)
        }
        Err(Unread::Stopped(reason)) => Err(reason),
        Err(Unread::Wrong(error)) => return Err(error),
    };
    Ok(Outcome::new("formula", said.ok().map(|recurs| !recurs), said.err(), Statistics::default()))
}

/// Whether a property holds because no run is without end. Mostly a single walk shows that there is one; otherwise, finding
/// out takes at most as many steps as the answer itself, and if that is not enough, nothing is said.
#[must_use]
pub fn holds_without_runs(
    loaded: &Loaded,
    question: &TemporalQuestion,
    outcome: &TemporalOutcome,
    context: &Context<'_>,
) -> bool {
    if question.runs != Runs::Infinite || !matches!(outcome.findings.verdict, TemporalVerdict::Holds) {
        return false;
    }
    if walks_for_ever(&loaded.program, context) != Ok(false) {
        return false;
    }
    let specification = Specification::Formula(Source::new("--runs", "false"));
    let any_run = TemporalQuestion { specification, validate: false, ..question.clone() };
    let budget = context.budget.clone().with_max_steps(Some(outcome.statistics.steps.max(1_000)));
    let found = check_temporal(loaded, &any_run, &Context { budget: &budget, ..*context });
    found.is_ok_and(|found| matches!(found.findings.verdict, TemporalVerdict::Holds))
}

fn supports(loaded: &Loaded) -> Result<(), CheckError> {
    let unsupported = if let Err(refused) = require_finite(&loaded.program) {
        refused
    } else if !loaded.program.is_single_threaded() {
        Unsupported::TemporalSeveralThreads
    } else if loaded.program.init.is_some() {
        Unsupported::TemporalInit
    } else {
        return Ok(());
    };
    Err(CheckError::Unsupported(ENGINE.to_owned(), unsupported))
}

/// Why there is no automaton of a specification, or no meaning in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread<E = Diagnostics> {
    /// What is wrong with it.
    Wrong(E),
    /// A limit was hit first.
    Stopped(StopReason),
}

/// The automaton of a specification, with what is odd about it: of a formula that of the runs which satisfy it, or of those
/// which do not; of a file the one that is there, made small.
pub fn automaton(
    specification: &Specification,
    negate: bool,
    budget: &Budget,
) -> Result<(Automaton, Diagnostics), Unread> {
    let _watch = budget.watch();
    read(specification, negate, budget).map(|read| (read.automaton, read.warnings))
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
fn read(specification: &Specification, negate: bool, budget: &Budget) -> Result<Read, Unread> {
    let file = match specification {
        Specification::Formula(source) => {
            let (parsed, warnings) = property::parse(source);
            let Some(parsed) = parsed else { return Err(Unread::Wrong(warnings)) };
            let meant = if negate { parsed.formula.negated() } else { parsed.formula.clone() };
            let automaton = property::translate(&meant, budget).map_err(Unread::Stopped)?;
            return Ok(Read { formula: Some(parsed.formula), automaton, places: parsed.atoms, warnings });
        }
        Specification::Hoa(source) => property::hoa::read(source, budget),
        Specification::Never(source) => property::never::read(source, budget),
    };
    let file = file.map_err(Unread::Stopped)?.map_err(Unread::Wrong)?;
    Ok(Read { formula: None, automaton: file.automaton, places: file.atoms, warnings: Diagnostics::new() })
}

/// What a specification forbids, and what its atoms mean in a program.
struct Meant {
    read: Read,
    /// In the order of the automaton's atoms.
    observations: Vec<Observation>,
}

impl Meant {
    fn by(specification: &Specification, loaded: &Loaded, budget: &Budget) -> Result<Self, Unread<CheckError>> {
        supports(loaded).map_err(Unread::Wrong)?;
        let read = read(specification, true, budget).map_err(|unread| match unread {
            Unread::Stopped(reason) => Unread::Stopped(reason),
            Unread::Wrong(found) => Unread::Wrong(CheckError::Algorithm(specification.source().clone(), found)),
        })?;
        let observations = atoms::observations(loaded, specification, &read).map_err(Unread::Wrong)?;
        Ok(Self { read, observations })
    }
}

fn stopped(reason: StopReason, runs: Runs) -> TemporalOutcome {
    let finding = TemporalFinding {
        verdict: TemporalVerdict::Unknown(reason),
        formula: None,
        automaton: Automaton { n_states: 1, initial: Vec::new(), edges: Vec::new(), atoms: Vec::new() },
        observations: Vec::new(),
        runs,
    };
    Outcome::new(ENGINE, finding, Some(reason), Statistics::default())
}

impl Meant {
    /// Executes the run and judges it.
    fn violation(
        &self,
        loaded: &Loaded,
        lasso: Lasso,
        validate: bool,
        budget: &Budget,
    ) -> Result<TemporalVerdict, CheckError> {
        if !validate {
            return Ok(TemporalVerdict::Fails(Box::new(Violation { lasso, replay: None })));
        }
        // The limit on steps is about the search.
        let budget = &budget.clone().with_max_steps(None);
        match self.judged(loaded, &lasso, budget) {
            Judgement::Violates(replay) => {
                let found = Violation { lasso, replay: Some(replay) };
                let shorter = found.with_earlier_loop(&loaded.program, &self.observations, budget);
                Ok(TemporalVerdict::Fails(Box::new(shorter.unwrap_or(found))))
            }
            Judgement::Stopped(reason) => Ok(TemporalVerdict::Unknown(reason)),
            Judgement::NoRun(error) => Err(CheckError::Evidence(format!("a run without end does not replay: {error}"))),
            Judgement::Satisfies => {
                Err(CheckError::Evidence("a run without end was found that does not violate the property".to_owned()))
            }
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
    let _watch = budget.watch();
    let meant = match Meant::by(specification, loaded, budget) {
        Ok(meant) => meant,
        Err(Unread::Stopped(reason)) => return Ok((Judgement::Stopped(reason), Vec::new())),
        Err(Unread::Wrong(error)) => return Err(error),
    };
    Ok((meant.judged(loaded, lasso, budget), meant.observations))
}

impl Meant {
    fn judged(&self, loaded: &Loaded, lasso: &Lasso, budget: &Budget) -> Judgement {
        let replay = match interp::replay_lasso(&loaded.program, lasso, &self.observations, budget) {
            Ok(replay) => replay,
            Err(error) => {
                return match error.fault {
                    Fault::Stopped(reason) => Judgement::Stopped(reason),
                    _ => Judgement::NoRun(error.to_string()),
                };
            }
        };
        let automaton = &self.read.automaton;
        let letter = |row: &Vec<bool>| -> Letter {
            let held = automaton.atoms.iter().zip(row).filter(|(_, held)| **held);
            held.map(|(atom, _)| atom.clone()).collect()
        };
        let (stem, round) = (replay.stem.iter().map(letter).collect(), replay.round.iter().map(letter).collect());
        let is_violation = match (Word::new(stem, round), &self.read.formula) {
            (None, _) => false,
            (Some(word), Some(formula)) => !formula.holds_on(&word),
            (Some(word), None) => automaton.accepts(&word),
        };
        if is_violation { Judgement::Violates(replay) } else { Judgement::Satisfies }
    }
}
