//! The pipeline itself: passes, engine, way back, evidence checked.

use base::{Budget, Observer, Progress};
use engine::{Answer, Context, Engine, Task, Unsupported, engines};
use program::{Bound, LocationId, Program, Target, interp};
use transform::{Pipeline, pipeline};
use witness::{Certificate, ValidateError};

use crate::{Counterexample, Finding, Loaded, Outcome, Proof, Question, QuestionError, Verdict};

/// How to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Name of the engine; none: the best one for the program.
    pub engine: Option<String>,
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
        Self { engine: None, bound: None, passes: None, certificate: true, validate: true }
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
    /// The engine cannot work on this program.
    Unsupported(&'static str, Unsupported),
    /// The engine follows the interleavings of the program up to a bound only, and none was given.
    BoundNeeded(&'static str),
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
        bound: solved.bound,
        engine: solved.engine.name(),
        passes: solved.pipeline.applied.clone(),
        statistics: solved.answer.statistics,
    })
}

/// What the engine said about the program after the passes.
pub(crate) struct Solved<'p> {
    pub(crate) engine: &'static dyn Engine,
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
    let engine = choose_engine(program, options)?;
    let bound = match (engine.is_bounded(program), options.bound) {
        (true, None) => return Err(CheckError::BoundNeeded(engine.name())),
        (true, bound) => bound,
        (false, _) => None,
    };
    let locations: Vec<LocationId> = targets.iter().map(|target| target.location).collect();
    let pipeline = pipeline(program, &locations, options.passes.as_deref(), observer)
        .map_err(|unknown| CheckError::UnknownPass(unknown.name, unknown.known))?;
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
    Ok(Solved { engine, bound, pipeline, answer })
}

fn choose_engine(program: &Program, options: &Options) -> Result<&'static dyn Engine, CheckError> {
    let all = engines();
    let wanted = |name: &String| all.into_iter().find(|engine| engine.name() == name);
    let engine = match &options.engine {
        Some(name) => {
            let names = || all.iter().map(|engine| engine.name()).collect();
            wanted(name).ok_or_else(|| CheckError::UnknownEngine(name.clone(), names()))?
        }
        None => all.into_iter().find(|engine| engine.supports(program).is_ok()).unwrap_or(all[0]),
    };
    match engine.supports(program) {
        Ok(()) => Ok(engine),
        Err(unsupported) => Err(CheckError::Unsupported(engine.name(), unsupported)),
    }
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
            let trace = solved.pipeline.trace_back(trace);
            if options.validate {
                interp::replay(program, &trace, *location)
                    .map_err(|error| CheckError::Evidence(format!("a trace does not replay: {error}")))?;
            }
            let shortest = solved.engine.traces_are_shortest(program);
            Ok(Verdict::Fails(Box::new(Counterexample { trace, shortest, replayed: options.validate })))
        }
        (None, Some(reason)) => Ok(Verdict::Unknown(reason)),
        (None, None) if answer.reached.contains(&target.location) => {
            Err(CheckError::Evidence("a target is reached, but the engine gave no trace".to_owned()))
        }
        (None, None) => Ok(Verdict::Holds),
    }
}

impl Solved<'_> {
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
        let validated = options.validate && validate(program, &certificate, budget)?;
        Ok(Some(Proof { certificate, validated }))
    }
}

/// False when a limit was hit while checking, or the sorts are beyond the checker.
fn validate(program: &Program, certificate: &Certificate, budget: &Budget) -> Result<bool, CheckError> {
    let _watch = budget.watch();
    match witness::validate(program, certificate, budget) {
        Ok(()) => Ok(true),
        Err(ValidateError::Stopped(_) | ValidateError::TooLarge(_)) => Ok(false),
        Err(error) => Err(CheckError::Evidence(format!("a certificate does not check: {error}"))),
    }
}
