//! The pipeline itself: passes, engine, way back, evidence checked.

use base::{Budget, Context, Diagnostics, Source};
use program::{Bound, LocationId, Program, Target, Unsupported, interp};
use transform::Certified;
use witness::{Certificate, ValidateError};

use crate::algorithm::Algorithm;
use crate::increase::increase;
use crate::pipeline::{Search, Solved, solve};
use crate::{Checked, Counterexample, Finding, Loaded, Outcome, Proof, Question, QuestionError, Verdict};

/// How to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Name of the engine; none: the best one for the program.
    pub engine: Option<String>,
    /// An algorithm of the fixed-point calculus, in the place of an engine.
    pub algorithm: Option<Algorithm>,
    /// How far interleavings are followed; engines that are bounded on the program need it, others ignore it.
    pub bound: Option<Bound>,
    /// Whether the bound grows from nothing up to the given one, until there is an answer that needs none.
    pub increase: bool,
    /// How many threads may live at the same time, in programs that start them; none: some more than from the start.
    pub max_threads: Option<u32>,
    /// Whether a program with threads is to become a sequential one, up to the bound, for an engine for those.
    pub sequentialize: bool,
    /// Names of the passes to apply; none: all of them.
    pub passes: Option<Vec<String>>,
    /// Whether unreached targets are to come with a certificate.
    pub certificate: bool,
    /// Whether traces are replayed and certificates validated.
    pub validate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: None,
            algorithm: None,
            bound: None,
            increase: false,
            max_threads: None,
            sequentialize: false,
            passes: None,
            certificate: true,
            validate: true,
        }
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
    /// The built-in algorithm keeps values for every part of the bound, and for this one they are too many.
    BoundTooLarge(String),
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
    context: &Context<'_>,
) -> Result<Outcome, CheckError> {
    let ask = Ask { loaded, question, options, context };
    if options.increase { increase(ask) } else { check_once(ask) }
}

/// A question and how it is to be answered.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) question: &'a Question,
    pub(crate) options: &'a Options,
    pub(crate) context: &'a Context<'a>,
}

/// Answers a question for the bound that the options name.
pub(crate) fn check_once(ask: Ask<'_>) -> Result<Outcome, CheckError> {
    let Ask { loaded, question, options, context } = ask;
    let program = &loaded.program;
    let targets = question.targets(program).map_err(CheckError::Question)?;
    let locations: Vec<LocationId> = targets.iter().map(|target| target.location).collect();
    let solved = solve(Search { program, targets: &locations, options, traces: true, context })?;
    context.enter("replay");
    let findings = findings(program, targets, &solved, options)?;
    let proof = solved.proof(program, options, context)?;
    Ok(solved.outcome(findings, proof))
}

fn findings(
    program: &Program,
    targets: Vec<Target>,
    solved: &Solved,
    options: &Options,
) -> Result<Vec<Finding>, CheckError> {
    let mut findings = Vec::with_capacity(targets.len());
    for target in targets {
        let verdict = verdict(program, &target, solved, options)?;
        findings.push(Finding { target, verdict });
    }
    Ok(findings)
}

fn verdict(program: &Program, target: &Target, solved: &Solved, options: &Options) -> Result<Verdict, CheckError> {
    let answer = &solved.answer;
    let trace = answer.traces.iter().find(|(location, _)| *location == target.location);
    match (trace, answer.stopped) {
        (Some((location, trace)), _) => {
            let trace = trace.clone();
            let replayed = if options.validate {
                // Without limits: a run that was found before a limit was hit counts, and executing it is cheap.
                interp::replay(program, &trace, *location)
                    .map_err(|error| solved.wrong(format!("a trace does not replay: {error}")))?;
                Checked::Yes
            } else {
                Checked::NotAsked
            };
            Ok(Verdict::Fails(Box::new(Counterexample { trace, shortest: solved.shortest, replayed })))
        }
        (None, Some(reason)) => Ok(Verdict::Unknown(reason)),
        (None, None) if answer.reached.contains(&target.location) => {
            Err(solved.wrong("a target is reached, but no run was found that reaches it".to_owned()))
        }
        (None, None) => Ok(Verdict::Holds),
    }
}

impl Solved {
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
        context: &Context<'_>,
    ) -> Result<Option<Proof>, CheckError> {
        let Some(Certified { certificate, about }) = &self.certified else { return Ok(None) };
        context.enter("validate");
        let about_program = about.as_deref().unwrap_or(program);
        let validated = if options.validate {
            self.validate(about_program, certificate, context.budget)?
        } else {
            Checked::NotAsked
        };
        Ok(Some(Proof { certificate: certificate.clone(), validated, about: about.clone() }))
    }

    fn validate(&self, program: &Program, certificate: &Certificate, budget: &Budget) -> Result<Checked, CheckError> {
        let _watch = budget.watch();
        match witness::validate(program, certificate, budget) {
            Ok(()) => Ok(Checked::Yes),
            Err(ValidateError::Stopped(reason)) => Ok(Checked::Stopped(reason)),
            Err(ValidateError::TooLarge(why)) => Ok(Checked::TooLarge(why)),
            Err(error) => Err(self.wrong(format!("a certificate does not check: {error}"))),
        }
    }
}
