//! The report of a coverage run.

use std::collections::BTreeMap;

use base::{Span, StopReason};
use driver::{Checked, Coverage, Loaded, Reached};
use program::{ProcedureId, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{
    Bound, Certificate, Evidence, Input, Limits, Message, Reason, Resources, Statistics, Tool, messages,
};
use super::outcome::{Job, certificate, statistics, unvalidated};
use super::trace::Place;

/// The name and version of the coverage format.
pub const COVERAGE_SCHEMA: &str = "cauldron-coverage/1";

/// What `cauldron coverage --json` writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoverageReport {
    /// Always `cauldron-coverage/1`.
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// What was read.
    pub input: Input,
    /// The exit code of the process.
    pub exit_code: u8,
    /// Whether every statement was decided and what is unreachable was checked, without hitting a limit.
    pub complete: bool,
    /// What stands behind everything that is unreachable; null: nothing is.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// Why it is not validated; null: it is, or there is nothing to validate.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// The bound up to which the threads were followed: what is unreachable is so within it; null: without bound.
    pub bound: Option<Bound>,
    /// The number of threads that may live at the same time, when some run would start more and was not followed; null:
    /// that is no limit.
    #[serde(default)]
    pub max_threads: Option<u32>,
    /// The limits that ended the search.
    pub limits_hit: Vec<Reason>,
    /// The limits that were set.
    pub limits: Limits,
    /// The engine that answered; null when none did.
    pub engine: Option<String>,
    /// The algorithm that the engine `formula` ran; null for other engines.
    pub algorithm: Option<String>,
    /// The passes that were applied, in order.
    pub passes: Vec<String>,
    /// How many statements have each mark.
    pub summary: Summary,
    /// The statements in order of their places.
    pub statements: Vec<Statement>,
    /// The certificate behind everything that is unreachable.
    pub certificate: Option<Certificate>,
    /// What solving did.
    pub statistics: Statistics,
    /// What it cost.
    pub resources: Resources,
    /// Errors and warnings about the input.
    pub messages: Vec<Message>,
}

/// How many statements have each mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Statements that some run reaches, violated assertions included.
    pub reachable: u64,
    /// Statements that no run reaches.
    pub unreachable: u64,
    /// Assertions that some run violates.
    pub violated: u64,
    /// Statements for which a limit was hit first.
    pub undecided: u64,
}

/// A statement with its mark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The file, if it is not the one that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
    /// The procedure that it is in.
    pub procedure: String,
    /// The statement.
    pub text: String,
    /// What is known about it.
    pub mark: Mark,
}

/// What is known about a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Some run reaches it.
    Reachable,
    /// No run reaches it.
    Unreachable,
    /// A limit was hit first.
    Undecided,
    /// It is an assertion that some run violates.
    Violated,
}

impl CoverageReport {
    /// The report of a coverage. The exit code is the caller's business.
    #[must_use]
    pub fn of(job: &Job, loaded: &Loaded, coverage: &Coverage, resources: Resources) -> Self {
        let statements = statements(loaded, coverage);
        let summary = Summary::of(&statements);
        let proof = coverage.proof.as_ref();
        let evidence = (summary.unreachable > 0).then(|| Evidence::of_proof(proof, job.validate));
        let validating = proof.and_then(|proof| match proof.validated {
            Checked::Stopped(reason) => Some(reason),
            _ => None,
        });
        let limits_hit: Vec<Reason> = coverage.stopped.or(validating).map(Reason::from).into_iter().collect();
        Self {
            complete: limits_hit.is_empty(),
            evidence,
            reason: (evidence == Some(Evidence::NotValidated)).then(|| unvalidated(proof)),
            bound: coverage.bound.map(Bound::from),
            max_threads: coverage.max_threads,
            limits_hit,
            engine: Some(coverage.engine.to_owned()),
            algorithm: coverage.algorithm.as_ref().map(|ran| ran.name.clone()),
            passes: coverage.rewritings.iter().map(|pass| (*pass).to_owned()).collect(),
            summary,
            statements,
            certificate: proof.map(certificate),
            statistics: statistics(&coverage.statistics),
            messages: messages(&loaded.warnings, &loaded.sources),
            input: job.input.read_by(loaded.front),
            ..Self::empty(job, resources)
        }
    }

    /// The report of a run that was stopped before the engine could answer.
    #[must_use]
    pub fn stopped(job: &Job, reason: StopReason, resources: Resources) -> Self {
        Self { limits_hit: vec![reason.into()], ..Self::empty(job, resources) }
    }

    /// The report of an input that is wrong.
    #[must_use]
    pub fn rejected(job: &Job, messages: Vec<Message>, resources: Resources) -> Self {
        Self { messages, ..Self::empty(job, resources) }
    }

    fn empty(job: &Job, resources: Resources) -> Self {
        Self {
            schema: COVERAGE_SCHEMA.to_owned(),
            tool: Tool::this(),
            input: job.input.clone(),
            exit_code: 0,
            complete: false,
            evidence: None,
            reason: None,
            bound: None,
            max_threads: None,
            limits_hit: Vec::new(),
            limits: job.limits.clone(),
            engine: None,
            algorithm: None,
            passes: Vec::new(),
            summary: Summary::default(),
            statements: Vec::new(),
            certificate: None,
            statistics: Statistics::default(),
            resources,
            messages: Vec::new(),
        }
    }
}

/// How a coverage run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageEnd {
    /// A limit was hit before every statement was decided.
    Partial(Reason),
    /// What is unreachable is so within a bound.
    Bounded,
    /// The certificate for what is unreachable was not validated.
    Unvalidated(Reason),
    /// Every statement is decided.
    Complete,
}

impl CoverageReport {
    /// How it ended. Statements that are undecided count more than evidence that was not checked.
    #[must_use]
    pub fn end(&self) -> CoverageEnd {
        match (self.limits_hit.first(), self.reason) {
            (Some(limit), _) if self.summary.undecided > 0 || self.engine.is_none() => CoverageEnd::Partial(*limit),
            _ if self.bound.is_some() || self.max_threads.is_some() => CoverageEnd::Bounded,
            (_, Some(reason)) => CoverageEnd::Unvalidated(reason),
            (Some(limit), None) => CoverageEnd::Partial(*limit),
            (None, None) => CoverageEnd::Complete,
        }
    }
}

impl Summary {
    fn of(statements: &[Statement]) -> Self {
        let mut summary = Self::default();
        for statement in statements {
            match statement.mark {
                Mark::Reachable => summary.reachable += 1,
                Mark::Unreachable => summary.unreachable += 1,
                Mark::Undecided => summary.undecided += 1,
                Mark::Violated => {
                    summary.reachable += 1;
                    summary.violated += 1;
                }
            }
        }
        summary
    }
}

/// What is known about the locations that stand for one statement.
#[derive(Clone, Copy)]
struct Known {
    procedure: ProcedureId,
    /// Is the statement reached? Several locations may stand for it: it is reached when one of them is.
    reached: Reached,
    /// If it is an assertion: is it violated?
    violated: Reached,
}

fn statements(loaded: &Loaded, coverage: &Coverage) -> Vec<Statement> {
    let program = &loaded.program;
    let mut statements: BTreeMap<Span, Known> = BTreeMap::new();
    for (location, reached) in &coverage.findings {
        let Some(span) = loaded.origins.locations.get(*location).copied().flatten() else { continue };
        let location = &program.locations[*location];
        let nothing = Known { procedure: location.procedure, reached: Reached::No, violated: Reached::No };
        let known = statements.entry(span).or_insert(nothing);
        let known = if location.role == Role::Violation { &mut known.violated } else { &mut known.reached };
        *known = either(*known, *reached);
    }
    let statement = |(span, known): (Span, Known)| {
        let place = Place::of(loaded, span);
        let procedure = program.procedures[known.procedure].name.clone();
        let Place { file, line, column, text } = place;
        Statement { file, line, column, procedure, text, mark: mark(known) }
    };
    statements.into_iter().map(statement).collect()
}

fn either(one: Reached, other: Reached) -> Reached {
    match (one, other) {
        (Reached::Yes, _) | (_, Reached::Yes) => Reached::Yes,
        (Reached::Undecided, _) | (_, Reached::Undecided) => Reached::Undecided,
        (Reached::No, Reached::No) => Reached::No,
    }
}

fn mark(known: Known) -> Mark {
    match (known.violated, known.reached) {
        (Reached::Yes, _) => Mark::Violated,
        (_, Reached::No) => Mark::Unreachable,
        (Reached::Undecided, _) | (_, Reached::Undecided) => Mark::Undecided,
        (Reached::No, Reached::Yes) => Mark::Reachable,
    }
}
