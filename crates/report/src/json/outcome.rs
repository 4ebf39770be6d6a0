//! The report of a check.

use base::StopReason;
use driver::{Checked, Loaded, Outcome, Proof, Verdict};
use program::{Target, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{
    Bound, Certificate, Evidence, Input, Limits, Message, Reason, Resources, Statistics, Tool, messages,
};
use super::temporal::Temporal;
use super::trace::{Place, TRACE_SCHEMA, Telling, Trace, TraceDocument};

/// The name and version of the report format.
pub const REPORT_SCHEMA: &str = "cauldron-report/1";

/// What `cauldron check --json` writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Always `cauldron-report/1`.
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// What was read.
    pub input: Input,
    /// What was asked.
    pub question: AskedQuestion,
    /// The answer to all targets together, or to the temporal property.
    pub result: Answer,
    /// Why the answer is `unknown`, `unvalidated` or `unreplayed`.
    pub reason: Option<Reason>,
    /// What stands behind the answers: the weakest of what stands behind each target that is decided; null: none is.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// The exit code of the process.
    pub exit_code: u8,
    /// Whether everything that was asked was decided and checked without hitting a limit.
    pub complete: bool,
    /// Whether something holds only because no path leads there, whatever the data.
    pub vacuous: bool,
    /// The bound up to which the threads were followed; null: the answers hold without bound.
    pub bound: Option<Bound>,
    /// The largest bound that was finished when a limit was hit: no target that is `unknown` is reached within it. Null: no
    /// limit was hit, or nothing was finished.
    #[serde(default)]
    pub finished: Option<Bound>,
    /// The number of threads that may live at the same time, when some run would start more and was not followed; null:
    /// that is no limit.
    #[serde(default)]
    pub max_threads: Option<u32>,
    /// Whether the search found that going beyond the bound would add nothing: the answers then hold without it.
    #[serde(default)]
    pub converged: bool,
    /// The algorithm on whose word alone nothing is violated: one of the user's own, without a checked certificate; null:
    /// there is better evidence.
    pub on_the_word_of: Option<String>,
    /// A bound that was given and does not matter.
    #[serde(skip)]
    pub unneeded_bound: Option<Bound>,
    /// Whether there is one thread.
    #[serde(skip)]
    pub is_single_threaded: bool,
    /// The limits that ended the search.
    pub limits_hit: Vec<Reason>,
    /// What more there is to say about these limits; null: nothing.
    pub detail: Option<String>,
    /// What the answer takes for granted.
    pub assumptions: Vec<String>,
    /// The limits that were set.
    pub limits: Limits,
    /// The engine that answered; null when none did.
    pub engine: Option<String>,
    /// Why that engine, in words.
    #[serde(skip)]
    pub why: Option<String>,
    /// The algorithm that the engine `formula` ran: the name of a built-in one, or a file; null for other engines.
    pub algorithm: Option<String>,
    /// The passes that were applied, in order.
    pub passes: Vec<String>,
    /// The answer to each target.
    pub targets: Vec<TargetReport>,
    /// The temporal property that was asked about, with the answer; missing when the question was about targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temporal: Option<Temporal>,
    /// The certificate behind everything that holds.
    pub certificate: Option<Certificate>,
    /// What solving did.
    pub statistics: Statistics,
    /// What it cost.
    pub resources: Resources,
    /// Errors and warnings about the input.
    pub messages: Vec<Message>,
}

/// What was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AskedQuestion {
    /// Whether all assertions were asked about.
    pub assertions: bool,
    /// The labels that were asked about, as given.
    pub labels: Vec<String>,
}

/// An answer, or the reason why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// No run reaches a target; every run has the temporal property.
    Holds,
    /// No violation was found, but the certificate that would prove it was not validated.
    Unvalidated,
    /// No run within the bound reaches a target, or none that an algorithm of the user's own finds; nothing is said
    /// about others.
    Bounded,
    /// Some run reaches a target; some run has not the temporal property.
    Violated,
    /// A violation was found, but the run that would show it was not replayed.
    Unreplayed,
    /// Not decided.
    Unknown,
    /// The input is wrong.
    BadInput,
    /// The input is right, but beyond the engine.
    Unsupported,
    /// A defect of Cauldron.
    InternalError,
}

impl Answer {
    /// The word that scripts read.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Unvalidated => "unvalidated",
            Self::Bounded => "bounded",
            Self::Violated => "violated",
            Self::Unreplayed => "unreplayed",
            Self::Unknown => "unknown",
            Self::BadInput => "bad input",
            Self::Unsupported => "unsupported",
            Self::InternalError => "internal error",
        }
    }
}

/// A location that is asked about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetName {
    /// Why it is asked about.
    pub kind: TargetWord,
    /// The label, as it was given.
    pub label: Option<String>,
    /// The procedure that it is in.
    pub procedure: String,
    /// Line, from one.
    pub line: Option<u32>,
    /// Column in characters, from one.
    pub column: Option<u32>,
    /// The statement.
    pub text: String,
}

/// Why a location is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetWord {
    /// Being there means that an assertion was violated.
    Assertion,
    /// The user named its label.
    Label,
    /// It is a statement.
    Statement,
}

/// The answer to one target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetReport {
    /// The target.
    #[serde(flatten)]
    pub target: TargetName,
    /// `holds`, `unvalidated`, `bounded`, `violated`, `unreplayed` or `unknown`.
    pub verdict: Answer,
    /// Why it is `unknown`, `unvalidated` or `unreplayed`.
    pub reason: Option<Reason>,
    /// What stands behind the verdict; null: it is `unknown`.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// Whether it holds only because no path leads there, whatever the data.
    pub vacuous: bool,
    /// The run that violates it.
    pub trace: Option<Trace>,
}

/// What is known before there is an outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// What was read.
    pub input: Input,
    /// What was asked.
    pub question: AskedQuestion,
    /// The limits that were set.
    pub limits: Limits,
    /// The bound that was given.
    pub bound: Option<Bound>,
    /// Whether evidence is checked.
    pub validate: bool,
    /// The temporal property that is asked about, if it is one.
    pub temporal: Option<Temporal>,
}

impl Report {
    /// The report of an outcome. The exit code is the caller's business.
    #[must_use]
    pub fn of(job: &Job, loaded: &Loaded, outcome: &Outcome, telling: Telling, resources: Resources) -> Self {
        let targets = target_reports(job, loaded, outcome, telling);
        let result = worst(&targets);
        let decisive = targets.iter().find(|target| target.verdict == result);
        let limits = limits_hit(outcome);
        Self {
            reason: decisive.and_then(|target| target.reason),
            evidence: targets.iter().filter_map(|target| target.evidence).min(),
            complete: outcome.is_complete() && limits.is_empty(),
            vacuous: targets.iter().any(|target| target.vacuous),
            bound: outcome.bound.map(Bound::from),
            finished: outcome.finished.map(Bound::from),
            max_threads: outcome.max_threads,
            converged: outcome.is_converged,
            is_single_threaded: loaded.program.is_single_threaded(),
            on_the_word_of: outcome.on_the_word_of().filter(|_| result == Answer::Bounded).map(str::to_owned),
            unneeded_bound: job.bound.filter(|_| outcome.bound.is_none()),
            limits_hit: limits,
            detail: outcome.detail.clone(),
            assumptions: assumptions_of(job, loaded, outcome),
            engine: Some(outcome.engine.to_owned()),
            why: Some(outcome.why.clone()),
            algorithm: outcome.algorithm.as_ref().map(|ran| ran.name.clone()),
            passes: outcome.rewritings.iter().map(|pass| (*pass).to_owned()).collect(),
            targets,
            certificate: outcome.proof.as_ref().map(certificate),
            statistics: statistics(&outcome.statistics),
            messages: messages(&loaded.warnings, &loaded.sources),
            input: job.input.read_by(loaded.front),
            ..Self::empty(job, result, resources)
        }
    }

    /// The report of a check that gave no outcome: a limit was hit before the engine could answer, or the input is wrong.
    #[must_use]
    pub fn without_outcome(job: &Job, result: Answer, stopped: Option<StopReason>, resources: Resources) -> Self {
        let reason = stopped.map(Reason::from);
        Self { reason, limits_hit: reason.into_iter().collect(), ..Self::empty(job, result, resources) }
    }

    /// Lists the targets as undecided.
    #[must_use]
    pub fn with_undecided(mut self, targets: Vec<TargetName>) -> Self {
        let reason = self.reason;
        let undecided = |target| TargetReport {
            target,
            verdict: Answer::Unknown,
            reason,
            evidence: None,
            vacuous: false,
            trace: None,
        };
        self.targets = targets.into_iter().map(undecided).collect();
        self
    }

    /// The document that holds the first trace alone.
    #[must_use]
    pub fn first_trace(&self) -> Option<TraceDocument> {
        let document = |target: &TargetReport| {
            Some(TraceDocument {
                schema: TRACE_SCHEMA.to_owned(),
                tool: self.tool.clone(),
                input: self.input.clone(),
                target: target.target.clone(),
                trace: target.trace.clone()?,
            })
        };
        self.targets.iter().find_map(document)
    }

    fn empty(job: &Job, result: Answer, resources: Resources) -> Self {
        Self {
            schema: REPORT_SCHEMA.to_owned(),
            tool: Tool::this(),
            input: job.input.clone(),
            question: job.question.clone(),
            result,
            reason: None,
            evidence: None,
            exit_code: 0,
            complete: false,
            vacuous: false,
            bound: None,
            finished: None,
            max_threads: None,
            converged: false,
            is_single_threaded: false,
            on_the_word_of: None,
            unneeded_bound: None,
            limits_hit: Vec::new(),
            detail: None,
            assumptions: Vec::new(),
            limits: job.limits.clone(),
            engine: None,
            why: None,
            algorithm: None,
            passes: Vec::new(),
            targets: Vec::new(),
            temporal: job.temporal.clone(),
            certificate: None,
            statistics: Statistics::default(),
            resources,
            messages: Vec::new(),
        }
    }
}

/// The names of targets, in order.
#[must_use]
pub fn target_names(loaded: &Loaded, targets: &[Target]) -> Vec<TargetName> {
    targets.iter().map(|target| target_name(loaded, target)).collect()
}

pub(super) fn target_name(loaded: &Loaded, target: &Target) -> TargetName {
    let place = Place::of_location(loaded, target.location);
    let location = &loaded.program.locations[target.location];
    let (kind, label) = match &target.kind {
        TargetKind::Assertion => (TargetWord::Assertion, None),
        TargetKind::Label(label) => (TargetWord::Label, Some(label.clone())),
        TargetKind::Statement => (TargetWord::Statement, None),
    };
    TargetName {
        kind,
        label,
        procedure: loaded.program.procedures[location.procedure].name.clone(),
        line: place.as_ref().map(|place| place.line),
        column: place.as_ref().map(|place| place.column),
        text: place.map(|place| place.text).unwrap_or_default(),
    }
}

/// The answer to all targets together.
fn worst(targets: &[TargetReport]) -> Answer {
    let order = [Answer::Violated, Answer::Unreplayed, Answer::Unknown, Answer::Bounded, Answer::Unvalidated];
    let is_given = |answer: &Answer| targets.iter().any(|target| target.verdict == *answer);
    order.into_iter().find(is_given).unwrap_or(Answer::Holds)
}

/// The limits that were hit, while searching or while validating.
fn limits_hit(outcome: &Outcome) -> Vec<Reason> {
    let validating = outcome.proof.as_ref().and_then(|proof| match proof.validated {
        Checked::Stopped(reason) => Some(reason),
        _ => None,
    });
    outcome.stopped.or(validating).map(Reason::from).into_iter().collect()
}

/// An answer with what stands behind it.
type Judged = (Answer, Option<Reason>, Option<Evidence>);

/// What it means that a run to a target was looked for and not found.
fn holds(job: &Job, outcome: &Outcome) -> Judged {
    let is_limited = outcome.bound.is_some() || outcome.max_threads.is_some();
    let evidence = Evidence::of_proof(outcome.proof.as_ref(), job.validate);
    if is_limited || outcome.on_the_word_of().is_some() {
        return (Answer::Bounded, None, Some(evidence));
    }
    match evidence {
        Evidence::NotValidated => (Answer::Unvalidated, Some(unvalidated(outcome.proof.as_ref())), Some(evidence)),
        Evidence::None | Evidence::Validated => (Answer::Holds, None, Some(evidence)),
    }
}

/// Why a certificate was not validated. Where validating was not asked for, neither was the certificate.
pub(super) fn unvalidated(proof: Option<&Proof>) -> Reason {
    proof.and_then(|proof| Reason::unchecked(&proof.validated)).unwrap_or(Reason::NotAsked)
}

/// What it means that a run to a target was found.
fn fails(replayed: &Checked) -> Judged {
    let verdict = if replayed.is_yes() { Answer::Violated } else { Answer::Unreplayed };
    (verdict, Reason::unchecked(replayed), Some(Evidence::of_run(replayed.is_yes())))
}

fn target_reports(job: &Job, loaded: &Loaded, outcome: &Outcome, telling: Telling) -> Vec<TargetReport> {
    let connected = driver::vacuity::connected(&loaded.program);
    let mut reports = Vec::with_capacity(outcome.findings.len());
    let mut n_traces = 0;
    for finding in &outcome.findings {
        let mut trace = None;
        let (verdict, reason, evidence) = match &finding.verdict {
            Verdict::Holds => holds(job, outcome),
            Verdict::Unknown(reason) => (Answer::Unknown, Some(Reason::from(*reason)), None),
            Verdict::Fails(found) => {
                n_traces += 1;
                trace = Some(Trace::of(loaded, &finding.target, found, n_traces - 1, telling));
                fails(&found.replayed)
            }
        };
        let vacuous = matches!(finding.verdict, Verdict::Holds) && !connected[finding.target.location];
        let target = target_name(loaded, &finding.target);
        reports.push(TargetReport { target, verdict, reason, evidence, vacuous, trace });
    }
    reports
}

pub(crate) fn certificate(proof: &Proof) -> Certificate {
    let locations = proof.certificate.sets.len() as u64;
    let reason = Reason::unchecked(&proof.validated);
    Certificate { validated: proof.validated.is_yes(), reason, locations, file: None }
}

pub(crate) fn statistics(statistics: &driver::Statistics) -> Statistics {
    Statistics {
        steps: statistics.steps,
        bdd_variables: statistics.n_bdd_variables,
        peak_nodes: statistics.peak_nodes,
        bdd_bytes: statistics.bdd_bytes,
        states: statistics.states,
        view_tuples: statistics.view_tuples,
    }
}

fn assumptions_of(job: &Job, loaded: &Loaded, outcome: &Outcome) -> Vec<String> {
    let mut assumptions = assumptions(job, loaded);
    if let Some(bound) = outcome.bound {
        assumptions.push(format!("runs beyond {bound} were not looked at"));
    }
    if let Some(n) = outcome.max_threads {
        assumptions.push(format!("runs with more than {n} threads at the same time were not looked at"));
    }
    let holds = outcome.findings.iter().any(|finding| matches!(finding.verdict, Verdict::Holds));
    if let Some(own) = outcome.on_the_word_of().filter(|_| holds) {
        assumptions.push(format!("the algorithm {own} finds all that is reachable"));
    }
    assumptions
}

/// What every answer takes for granted.
pub(super) fn assumptions(job: &Job, loaded: &Loaded) -> Vec<String> {
    let program = &loaded.program;
    let starts: Vec<&str> = match program.init {
        Some(init) => vec![&program.procedures[init].name],
        None => program.threads.iter().map(|thread| program.procedures[thread.start].name.as_str()).collect(),
    };
    let mut assumptions = Vec::new();
    if !starts.is_empty() {
        assumptions.push(format!("execution starts in {}", starts.join(", ")));
    }
    if !program.variables.is_empty() {
        assumptions.push("a variable without an initial value may have any value".to_owned());
    }
    if !job.validate {
        assumptions.push("the evidence was not checked (--no-validate)".to_owned());
    }
    assumptions
}
