//! `cauldron check`: the answer, its evidence, and the report.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Context, StopReason};
use driver::evidence::certificate_text;
use driver::temporal::TemporalQuestion;
use driver::{Outcome, Question, Verdict};
use report::json::outcome::{Answer, AskedQuestion, Job, Report, TargetName, target_names};
use report::json::temporal::Temporal;
use report::json::to_text;
use report::json::trace::Telling;
use report::text::verdict::{MOST_TRACES, VerdictStyle, render, result_line};

use super::temporal;
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Choice, Rejection, Session, bound, check_failure, distinct, json_input, options};
use crate::supervise::Ended;
use crate::talk::{Failure, Talk};

/// Levels of the documents that are indented: down to one line per event of a trace.
const REPORT_DEPTH: usize = 6;
const TRACE_DEPTH: usize = 4;

/// Runs the command.
pub(crate) fn run(args: CheckArgs, talk: &Talk) -> Result<Exit, Failure> {
    distinct(&args.file, &[args.json.as_ref(), args.certificate.as_ref(), args.trace.as_ref()])?;
    let temporal = temporal::question(&args)?;
    let session = Session::start(talk, &args.limits);
    let check = Check { job: job(&args, temporal.as_ref(), &session), args, temporal, targets: Arc::default() };
    let inside = check.clone();
    match session.run(move |session| inside.answer(session)) {
        Ended::Done(Ok(product)) => product.deliver(),
        Ended::Done(Err(rejection)) => check.reject(&session, &rejection),
        Ended::Panicked => check.reject(&session, &crate::panicked().into()),
        Ended::Overdue(reason) => check.overdue(&session, reason),
    }
}

fn job(args: &CheckArgs, temporal: Option<&TemporalQuestion>, session: &Session) -> Job {
    let question = question(args);
    let assertions = question.asks_for_assertions() && temporal.is_none();
    Job {
        input: json_input(&args.file, &args.source),
        question: AskedQuestion { assertions, labels: question.labels },
        limits: session.json_limits(),
        bound: bound(&args.solve).map(Into::into),
        validate: !args.solve.no_validate,
        temporal: temporal.map(Temporal::asked),
    }
}

fn question(args: &CheckArgs) -> Question {
    Question { assertions: args.assertions, labels: args.reach.clone(), statements: false }
}

#[derive(Clone)]
struct Check {
    args: CheckArgs,
    job: Job,
    /// The question, if it is about whole runs.
    temporal: Option<TemporalQuestion>,
    /// What is being asked about, as soon as that is known: for the report of work that is left behind.
    targets: Arc<Mutex<Vec<TargetName>>>,
}

impl Check {
    /// On the worker: reads, checks, renders.
    fn answer(&self, session: &Session) -> Result<Product, Rejection> {
        let args = &self.args;
        let loaded = driver::watch(session.load(&args.file, &args.source)?, &args.reach);
        if let Some(question) = &self.temporal {
            let report = temporal::answer(&self.job, question, &loaded, self.telling(session), session)?;
            std::mem::forget(loaded);
            return Ok(self.product(session, report, None));
        }
        let question = question(args);
        if let Ok(targets) = question.targets(&loaded.program) {
            *self.targets.lock().unwrap_or_else(PoisonError::into_inner) = target_names(&loaded, &targets);
        }
        session.status.enter("prepare");
        let options = options(&args.solve, args.certificate.is_some())?;
        let recorder = Recorder::new(&session.status);
        let budget = session.solving(&args.solve);
        let outcome = driver::check(&loaded, &question, &options, &Context::new(&budget, &recorder))
            .map_err(|error| check_failure(&error, &loaded, Choice::of(&args.solve), &session.talk))?;
        session.note_jobs(&args.solve, outcome.engine);
        session.warn_of(outcome.algorithm.as_ref());
        session.status.enter("report");
        let mut report = Report::of(&self.job, &loaded, &outcome, self.telling(session), session.resources());
        let certificate = self.certificate(&outcome).map(|file| {
            let text = outcome.proof.as_ref().map(|proof| certificate_text(&loaded.program, &proof.certificate));
            (file, text.unwrap_or_default())
        });
        if let (Some((file, _)), Some(listed)) = (&certificate, &mut report.certificate) {
            listed.file = Some(file.display().to_string());
        }
        let mut product = self.product(session, report, certificate);
        if !session.talk.quiet && !product.text.is_empty() {
            product.text.insert_str(0, &outcome.account);
        }
        // The process is about to end: freeing a large program piece by piece would only take time.
        std::mem::forget((loaded, outcome));
        Ok(product)
    }

    fn telling(&self, session: &Session) -> Telling {
        if self.args.json.is_some() || self.args.trace.is_some() {
            Telling::Everything
        } else if session.talk.quiet {
            Telling::Mention
        } else if self.args.expand {
            Telling::Stories(usize::MAX)
        } else {
            Telling::Stories(MOST_TRACES)
        }
    }

    /// Where the certificate is to be written, if there is something that it certifies.
    fn certificate(&self, outcome: &Outcome) -> Option<PathBuf> {
        let holds = outcome.findings.iter().any(|finding| matches!(finding.verdict, Verdict::Holds));
        // A certificate about interleavings is checked here, but there is no file format for it.
        let is_writable = outcome.proof.as_ref().is_some_and(|proof| proof.about.is_none());
        self.args.certificate.clone().filter(|_| holds && is_writable)
    }

    fn product(&self, session: &Session, mut report: Report, certificate: Option<(PathBuf, String)>) -> Product {
        let args = &self.args;
        let exit = exit_of(&report);
        report.exit_code = exit.code();
        let mut product = Product::text(exit, self.text(session, &report));
        if args.certificate.is_some() && certificate.is_none() {
            let why = match report.certificate {
                Some(_) => "there is no file format for invariants of all interleavings",
                None => "nothing was shown to hold",
            };
            product.talk.push_str(&format!("note: no certificate was written: {why}\n"));
        }
        product.files.extend(certificate);
        if let Some(file) = &args.trace {
            match report.first_trace() {
                Some(document) => product.files.push((file.clone(), to_text(&document, TRACE_DEPTH))),
                None => product.talk.push_str("note: no trace was written: no target is violated\n"),
            }
        }
        if let Some(file) = &args.json {
            product.files.push((file.clone(), to_text(&report, REPORT_DEPTH)));
        }
        if product.files.iter().any(|(file, _)| file.as_os_str() == "-") {
            product.talk.push_str(&result_line(&report));
            product.text.clear();
        }
        if session.talk.quiet {
            product.talk.clear();
        }
        product
    }

    fn text(&self, session: &Session, report: &Report) -> String {
        let talk = &session.talk;
        let style =
            VerdictStyle { quiet: talk.quiet, verbose: talk.verbose, expand: self.args.expand, paint: talk.out };
        render(report, style)
    }

    /// The work did not stop by itself: all that is known is what was asked.
    fn overdue(&self, session: &Session, reason: StopReason) -> Result<Exit, Failure> {
        let targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let report = Report::without_outcome(&self.job, Answer::Unknown, Some(reason), session.resources());
        self.product(session, report.with_undecided(targets), None).deliver()
    }

    /// There is no answer; a report is written all the same, so that nobody takes an old one for it.
    fn reject(&self, session: &Session, rejection: &Rejection) -> Result<Exit, Failure> {
        let failure = &rejection.failure;
        let answer = match failure.exit {
            Exit::BadInput => Some(Answer::BadInput),
            Exit::Unsupported => Some(Answer::Unsupported),
            Exit::Internal => Some(Answer::InternalError),
            _ => None,
        };
        if let (Some(file), Some(answer)) = (&self.args.json, answer) {
            let mut report = Report::without_outcome(&self.job, answer, None, session.resources());
            report.messages.clone_from(&rejection.messages);
            report.exit_code = failure.exit.code();
            if let Err(unwritten) = crate::output::write(file, &to_text(&report, REPORT_DEPTH)) {
                session.talk.failure(&unwritten);
            }
        }
        Err(failure.clone())
    }
}

fn exit_of(report: &Report) -> Exit {
    match (report.result, report.reason) {
        (Answer::Holds, _) => Exit::Holds,
        (Answer::Unvalidated, _) => Exit::Unvalidated,
        (Answer::Bounded, _) => Exit::Bounded,
        (Answer::Violated, _) => Exit::Violated,
        (Answer::Unreplayed, _) => Exit::Unreplayed,
        (Answer::Unknown, reason) => reason.map_or(Exit::Unknown, Exit::from),
        (Answer::BadInput, _) => Exit::BadInput,
        (Answer::Unsupported, _) => Exit::Unsupported,
        (Answer::InternalError, _) => Exit::Internal,
    }
}
