//! The pipeline itself: passes, engine, way back, evidence checked.

use base::{Budget, Diagnostics, Observer, Progress, Source};
use engine::{Answer, Context, Task, Unsupported};
use program::{Bound, LocationId, Program, Target, interp};
use transform::{Pipeline, pipeline};
use witness::{Certificate, ValidateError};

use crate::algorithm::{Algorithm, Chosen, Ran};
use crate::{Counterexample, Finding, Loaded, Outcome, Proof, Question, QuestionError, Verdict};

/// How to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Name of the engine; none: the best one for the program.
    pub engine: Option<String>,
    /// An algorithm of the fixed-point calculus, in the place of an engine.
    pub algorithm: Option<Algorithm>,
    /// How far interleavings are followed; engines that are bounded on the program need it, others ignore it.
    pub bound: Option<Bound>,
    /// Names of the passes to apply; none: all of them.
    pub passes: Option<Vec<String>>,
    /// Whether unreached targets are to come with a certificate.
    pub certificate: bool,
    /// Whether traces are replayed and certificates validated.
    pub validate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { engine: None, algorithm: None, bound: None, passes: None, certificate: true, validate: true }
    }
}

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckError {
    /// The question has no answer.
    Question(Vec<QuestionError>),
    /// No engine of that name; the names that exist.
    UnknownEngine(String, Vec<&'static str>),
    /// No pass of that name; the names that exist.
    UnknownPass(String, Vec<&'static str>),
    /// No built-in algorithm of that name; the names that exist.
    UnknownAlgorithm(String, Vec<&'static str>),
    /// The algorithm's file is wrong, or does not answer the question.
    Algorithm(Source, Diagnostics),
    /// The algorithm is about another bound than the one that was given; which one, and what to do.
    OtherBound(String, &'static str),
    /// The engine or the algorithm cannot work on this program.
    Unsupported(String, Unsupported),
    /// The engine or the algorithm follows the interleavings of the program up to a bound only, and none was given.
    BoundNeeded(String),
    /// There is nothing that checks what this algorithm of the user's own says.
    Unchecked(String),
    /// The answer of an algorithm of the user's own does not check: what is wrong with it.
    WrongAlgorithm(String, String),
    /// Evidence did not check: a defect of Cauldron, with what is wrong.
    Evidence(String),
}

/// Answers a question about a program, with evidence that has been checked.
pub fn check(
    loaded: &Loaded,
    question: &Question,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Outcome, CheckError> {
    let program = &loaded.program;
    let targets = question.targets(program).map_err(CheckError::Question)?;
    let solved = solve(program, &targets, options, true, budget, observer)?;
    observer.progress(&Progress { phase: "replay", ..Progress::default() });
    let findings = findings(program, targets, &solved, options)?;
    let proof = solved.proof(program, options, budget, observer)?;
    Ok(Outcome {
        findings,
        proof,
        stopped: solved.answer.stopped,
        detail: solved.answer.detail.clone(),
        account: solved.answer.account.clone(),
        bound: solved.bound,
        engine: solved.engine.name(),
        why: solved.engine.why(),
        algorithm: solved.ran,
        passes: solved.pipeline.applied.clone(),
        statistics: solved.answer.statistics,
    })
}

/// What the engine said about the program after the passes.
pub(crate) struct Solved<'p> {
    pub(crate) engine: Chosen,
    /// The algorithm, if one was run.
    pub(crate) ran: Option<Ran>,
    /// The bound up to which unreached targets are unreached; none: without bound.
    pub(crate) bound: Option<Bound>,
    pub(crate) pipeline: Pipeline<'p>,
    pub(crate) answer: Answer,
}

/// Passes and engine.
pub(crate) fn solve<'p>(
    program: &'p Program,
    targets: &[Target],
    options: &Options,
    traces: bool,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Solved<'p>, CheckError> {
    let engine = Chosen::new(program, options)?;
    let bound = engine.bound(program, options)?;
    let locations: Vec<LocationId> = targets.iter().map(|target| target.location).collect();
    let pipeline = pipeline(program, &locations, options.passes.as_deref(), observer)
        .map_err(|unknown| CheckError::UnknownPass(unknown.name, unknown.known))?;
    let ran = engine.prepare(&pipeline.program, &locations, bound)?;
    let task = Task {
        program: &pipeline.program,
        targets: &locations,
        lengths: pipeline.lengths(),
        bound,
        traces,
        certificate: options.certificate,
    };
    let _watch = budget.watch();
    let answer = engine.solve(&task, &Context { budget, observer });
    let bound = bound.filter(|_| engine.is_bounded(program));
    Ok(Solved { engine, ran, bound, pipeline, answer })
}

fn findings(
    program: &Program,
    targets: Vec<Target>,
    solved: &Solved<'_>,
    options: &Options,
) -> Result<Vec<Finding>, CheckError> {
    let mut findings = Vec::with_capacity(targets.len());
    for target in targets {
        let verdict = verdict(program, &target, solved, options)?;
        findings.push(Finding { target, verdict });
    }
    Ok(findings)
}

fn verdict(program: &Program, target: &Target, solved: &Solved<'_>, options: &Options) -> Result<Verdict, CheckError> {
    let answer = &solved.answer;
    let trace = answer.traces.iter().find(|(location, _)| *location == target.location);
    match (trace, answer.stopped) {
        (Some((location, trace)), _) => {
            let trace = solved.pipeline.trace_back(trace.clone());
            if options.validate {
                interp::replay(program, &trace, *location)
                    .map_err(|error| solved.wrong(format!("a trace does not replay: {error}")))?;
            }
            let shortest = solved.engine.traces_are_shortest(program);
            Ok(Verdict::Fails(Box::new(Counterexample { trace, shortest, replayed: options.validate })))
        }
        (None, Some(reason)) => Ok(Verdict::Unknown(reason)),
        (None, None) if answer.reached.contains(&target.location) => {
            Err(solved.wrong("a target is reached, but no run was found that reaches it".to_owned()))
        }
        (None, None) => Ok(Verdict::Holds),
    }
}

impl Solved<'_> {
    /// What it means that evidence does not check: a defect of the algorithm if it is the user's own, else of ours.
    fn wrong(&self, what: String) -> CheckError {
        if self.engine.is_own() {
            CheckError::WrongAlgorithm(self.engine.label(), what)
        } else {
            CheckError::Evidence(what)
        }
    }

    /// The certificate in terms of the original program, checked.
    pub(crate) fn proof(
        &self,
        program: &Program,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Option<Proof>, CheckError> {
        let Some(certificate) = &self.answer.certificate else { return Ok(None) };
        observer.progress(&Progress { phase: "validate", ..Progress::default() });
        let certificate = self.pipeline.certificate_back(certificate.clone());
        let validated = options.validate && self.validate(program, &certificate, budget)?;
        Ok(Some(Proof { certificate, validated }))
    }

    /// False when a limit was hit while checking, or the sorts are beyond the checker.
    fn validate(&self, program: &Program, certificate: &Certificate, budget: &Budget) -> Result<bool, CheckError> {
        let _watch = budget.watch();
        match witness::validate(program, certificate, budget) {
            Ok(()) => Ok(true),
            Err(ValidateError::Stopped(_) | ValidateError::TooLarge(_)) => Ok(false),
            Err(error) => Err(self.wrong(format!("a certificate does not check: {error}"))),
        }
    }
}
