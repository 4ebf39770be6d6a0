//! The part of a report that is about a temporal property.

use base::Source;
use driver::Loaded;
use driver::temporal::{
    Method, Runs, Search, Specification, TemporalFinding, TemporalOutcome, TemporalQuestion, TemporalVerdict, Violation,
};
use program::interp::lasso::ROUNDS;
use program::{Action, EdgeKind, LocationId, Observation, Program, Target, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{Evidence, Reason, Resources, messages};
use super::outcome::{Answer, Job, Report, TargetName, statistics, target_name};
use super::trace::{Telling, Trace, is_zero};

/// A temporal property, and what was found out about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Temporal {
    /// How the property was given.
    pub kind: PropertyKind,
    /// The formula as it was written; for an automaton: the file.
    pub property: String,
    /// Which runs count.
    pub runs: RunsWord,
    /// How runs without end are looked for.
    pub search: SearchReport,
    /// The automaton of the runs that must not exist; null when it was not built.
    pub automaton: Option<AutomatonSize>,
    /// Whether the property holds for a reason that has nothing to do with what the program does; null: no such reason.
    pub vacuous: Option<Vacuity>,
    /// A run that does not have the property.
    pub lasso: Option<Lasso>,
}

/// How a property was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// A formula of linear temporal logic, which all runs must satisfy.
    Formula,
    /// Every run must end.
    Termination,
    /// An automaton in the Hanoi format, which must not accept any run.
    Hoa,
    /// A never claim, which must not accept any run.
    Never,
}

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunsWord {
    /// All; one that ends, or cannot go on, stays in its last state for ever.
    All,
    /// Only those without end.
    Infinite,
}

/// How runs without end are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SearchReport {
    /// What finds cycles.
    pub cycles: Cycles,
    /// Whether only inside components of the control graph.
    pub components: bool,
    /// Whether only among what is reachable.
    pub reachable_first: bool,
    /// Whether the variables of the diagrams were put into a good order first.
    pub arranged: bool,
    /// Whether the formula `recurrence` decides, and the search only finds the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_formula: bool,
}

/// What finds cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cycles {
    /// The method of Emerson and Lei.
    EmersonLei,
    /// One way catch them young.
    Owcty,
    /// The transitive closure.
    Closure,
}

impl SearchReport {
    /// In words.
    #[must_use]
    pub fn sentence(self) -> String {
        let cycles = match self.cycles {
            Cycles::EmersonLei => "Emerson-Lei",
            Cycles::Owcty => "OWCTY",
            Cycles::Closure => "transitive closure",
        };
        let components = if self.components { "in components" } else { "not in components" };
        let reachable = if self.reachable_first { "reachable first" } else { "not reachable first" };
        let arranged = if self.arranged { "" } else { ", variables as they occur" };
        let formula = if self.by_formula { "decided by the formula `recurrence`; " } else { "" };
        format!("{formula}cycles by {cycles}; {components}, {reachable}{arranged}")
    }
}

impl SearchReport {
    fn of(search: Search, by_formula: bool) -> Self {
        let cycles = match search.method {
            Method::EmersonLei => Cycles::EmersonLei,
            Method::Owcty => Cycles::Owcty,
            Method::Closure => Cycles::Closure,
        };
        let Search { components, reachable_first, arranged, .. } = search;
        Self { cycles, components, reachable_first, arranged, by_formula }
    }
}

/// The size of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AutomatonSize {
    /// Number of states.
    pub states: u32,
    /// Number of edges.
    pub edges: u32,
}

/// Why a property holds whatever the program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Vacuity {
    /// No run violates it, of any program.
    Trivial,
    /// No run counts.
    NoRuns,
}

/// A run that goes on for ever: a trace of which the last part is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Lasso {
    /// The run up to the end of its first round. `replayed` says that the rounds were executed and that what is true
    /// along them violates the property.
    pub trace: Trace,
    /// The step of the trace with which a round begins, and at the same time the event of its story.
    pub loop_start: u32,
    /// Number of steps before the first round, when every call is written out.
    pub stem_steps: u64,
    /// Number of steps of a round.
    pub round_steps: u64,
    /// How the run goes on.
    pub ending: Ending,
    /// Where it cannot go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_at: Option<TargetName>,
    /// Rounds that were executed.
    pub rounds: u32,
    /// Frames that every round adds to the stack, as far as that is known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub growth: u32,
}

/// How a run goes on for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Its last part is repeated.
    Repeats,
    /// The program has ended: its last state counts as repeated.
    Ended,
    /// No step is possible: its last state counts as repeated.
    Stuck,
}

impl Lasso {
    /// The run itself, if it was made for the program.
    pub fn rebuild(&self, program: &Program) -> Result<program::Lasso, String> {
        let written = self.trace.replay.as_ref().ok_or("it has no choices")?;
        let (trace, _) = written.rebuild(program)?;
        let loop_start = self.loop_start as usize;
        if loop_start > trace.steps.len() {
            return Err(format!("it has {} steps, and its loop begins behind them", trace.steps.len()));
        }
        Ok(program::Lasso { trace, loop_start })
    }
}

impl Temporal {
    /// What is asked, before there is an answer.
    #[must_use]
    pub fn asked(question: &TemporalQuestion) -> Self {
        let TemporalQuestion { specification, runs, search, by_formula, .. } = question;
        let terminates = *specification == Specification::terminates();
        let (kind, property) = match specification {
            Specification::Formula(source) if terminates => (PropertyKind::Termination, source.text()),
            Specification::Formula(source) => (PropertyKind::Formula, source.text()),
            Specification::Hoa(source) => (PropertyKind::Hoa, source.name()),
            Specification::Never(source) => (PropertyKind::Never, source.name()),
        };
        let runs = match runs {
            Runs::All => RunsWord::All,
            Runs::Infinite => RunsWord::Infinite,
        };
        let (property, search) = (property.to_owned(), SearchReport::of(*search, *by_formula));
        Self { kind, property, runs, search, automaton: None, vacuous: None, lasso: None }
    }

    fn answered(&self, loaded: &Loaded, outcome: &TemporalOutcome, no_runs: bool, telling: Telling) -> Self {
        let TemporalFinding { verdict, automaton, observations, .. } = &outcome.findings;
        let size = AutomatonSize { states: automaton.n_states, edges: automaton.edges.len() as u32 };
        let (mut vacuous, mut lasso) = (None, None);
        match verdict {
            TemporalVerdict::Holds if automaton.edges.is_empty() => vacuous = Some(Vacuity::Trivial),
            TemporalVerdict::Holds => vacuous = no_runs.then_some(Vacuity::NoRuns),
            TemporalVerdict::Fails(found) => lasso = Some(Lasso::of(loaded, found, observations, telling)),
            TemporalVerdict::Unknown(_) => {}
        }
        Self { automaton: Some(size), vacuous, lasso, ..self.clone() }
    }
}

impl Report {
    /// The report of a temporal outcome; `no_runs`: it is known that no run counts. The exit code is the caller's business.
    #[must_use]
    pub fn of_temporal(
        job: &Job,
        loaded: &Loaded,
        (outcome, source): (&TemporalOutcome, &Source),
        no_runs: bool,
        telling: Telling,
        resources: Resources,
    ) -> Self {
        let (result, reason, evidence) = judged(&outcome.findings.verdict, job.validate);
        let temporal = job.temporal.as_ref().map(|asked| asked.answered(loaded, outcome, no_runs, telling));
        let mut all_messages = messages(&loaded.warnings, &loaded.sources);
        all_messages.extend(messages(&outcome.warnings, &source.clone().into()));
        Self {
            reason,
            evidence,
            complete: result != Answer::Unknown,
            vacuous: temporal.as_ref().is_some_and(|temporal| temporal.vacuous.is_some()),
            limits_hit: reason.filter(|_| result == Answer::Unknown).into_iter().collect(),
            assumptions: super::outcome::assumptions(job, loaded),
            engine: Some(outcome.engine.to_owned()),
            why: temporal.as_ref().map(|temporal| temporal.search.sentence()),
            temporal,
            statistics: statistics(&outcome.statistics),
            messages: all_messages,
            input: job.input.read_by(loaded.front),
            ..Self::without_outcome(job, result, None, resources)
        }
    }
}

/// There are no certificates for temporal properties; with `--no-validate` nothing counts as checked.
fn judged(verdict: &TemporalVerdict, validate: bool) -> (Answer, Option<Reason>, Option<Evidence>) {
    let unchecked = Some(Reason::NotAsked);
    match verdict {
        TemporalVerdict::Holds if validate => (Answer::Holds, None, Some(Evidence::None)),
        TemporalVerdict::Holds => (Answer::Unvalidated, unchecked, Some(Evidence::NotValidated)),
        TemporalVerdict::Fails(found) if found.replay.is_some() => (Answer::Violated, None, Some(Evidence::Validated)),
        TemporalVerdict::Fails(_) => (Answer::Unreplayed, unchecked, Some(Evidence::NotValidated)),
        TemporalVerdict::Unknown(reason) => (Answer::Unknown, Some(Reason::from(*reason)), None),
    }
}

impl Lasso {
    /// Tells a run without end.
    #[must_use]
    pub fn of(loaded: &Loaded, found: &Violation, observations: &[Observation], telling: Telling) -> Self {
        let Violation { lasso, replay } = found;
        let (last, depth) = last_location(&loaded.program, &lasso.trace);
        let repeats = lasso.loop_start < lasso.trace.steps.len();
        let procedure = &loaded.program.procedures[loaded.program.locations[last].procedure];
        let ending = match () {
            () if repeats => Ending::Repeats,
            () if depth == 0 && procedure.exits.contains(&last) => Ending::Ended,
            () => Ending::Stuck,
        };
        let stuck_at = || target_name(loaded, &Target { location: last, kind: TargetKind::Statement });
        let mut stem = lasso.trace.clone();
        stem.steps.truncate(lasso.loop_start);
        let (all_steps, stem_steps) = (lasso.trace.n_steps(), stem.n_steps());
        Self {
            trace: Trace::of_lasso(loaded, lasso, observations, (last, replay.is_some()), telling),
            loop_start: lasso.loop_start as u32,
            stem_steps,
            round_steps: all_steps.saturating_sub(stem_steps),
            ending,
            stuck_at: (ending == Ending::Stuck).then(stuck_at),
            rounds: if replay.is_some() && repeats { ROUNDS as u32 } else { 0 },
            growth: replay.as_ref().map_or(0, |replay| replay.growth as u32),
        }
    }
}

/// Where a trace ends, and how many calls are open there.
fn last_location(program: &Program, trace: &program::Trace) -> (LocationId, usize) {
    let start = program.sequential_start().and_then(|start| program.procedures[start].entries.first().copied());
    let mut location = start.unwrap_or(LocationId(0));
    let mut calls = Vec::new();
    for step in &trace.steps {
        match step.action {
            Action::Take(edge) | Action::Across(edge, _) => location = program.edges[edge].target,
            Action::Enter(edge) => {
                calls.push(edge);
                if let EdgeKind::Call(call) = &program.edges[edge].kind {
                    location = call.entry;
                }
            }
            Action::Return => {
                if let Some(edge) = calls.pop() {
                    location = program.edges[edge].target;
                }
            }
        }
    }
    (location, calls.len())
}
