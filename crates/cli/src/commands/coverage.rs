//! `cauldron coverage`: a mark for every statement.

use base::{Context, StopReason};
use report::json::coverage::{CoverageEnd, CoverageReport};
use report::json::outcome::{AskedQuestion, Job};
use report::json::to_text;
use report::text::coverage::{render, result_line, summary};

use crate::args::CoverageArgs;
use crate::exit::Exit;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Choice, Rejection, Session, bound, check_failure, distinct, json_input, options};
use crate::supervise::Ended;
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: CoverageArgs, talk: &Talk) -> Result<Exit, Failure> {
    distinct(&args.file, &[args.json.as_ref(), args.lcov.as_ref()])?;
    let session = Session::start(talk, &args.limits);
    let job = Job {
        input: json_input(&args.file, &args.source),
        question: AskedQuestion { assertions: true, labels: Vec::new() },
        limits: session.json_limits(),
        bound: bound(&args.solve).map(Into::into),
        validate: !args.solve.no_validate,
        temporal: None,
    };
    let coverage = CoverageRun { args, job };
    let inside = coverage.clone();
    match session.run(move |session| inside.answer(session)) {
        Ended::Done(Ok(product)) => product.deliver(),
        Ended::Done(Err(rejection)) => coverage.reject(&session, rejection),
        Ended::Panicked => Err(crate::panicked()),
        Ended::Overdue(reason) => coverage.overdue(&session, reason),
    }
}

#[derive(Clone)]
struct CoverageRun {
    args: CoverageArgs,
    job: Job,
}

impl CoverageRun {
    fn answer(&self, session: &Session) -> Result<Product, Rejection> {
        let args = &self.args;
        let loaded = session.load(&args.file, &args.source)?;
        session.status.enter("prepare");
        let recorder = Recorder::new(&session.status);
        let options = options(&args.solve, false)?;
        let budget = session.solving(&args.solve);
        let coverage = driver::coverage(&loaded, &options, &Context::new(&budget, &recorder))
            .map_err(|error| check_failure(&error, &loaded, Choice::of(&args.solve), &session.talk))?;
        session.note_jobs(&args.solve, coverage.engine);
        session.warn_of(coverage.algorithm.as_ref());
        session.status.enter("report");
        let report = CoverageReport::of(&self.job, &loaded, &coverage, session.resources());
        let exit = match report.end() {
            CoverageEnd::Complete => Exit::Holds,
            CoverageEnd::Bounded => Exit::Bounded,
            CoverageEnd::Unvalidated(_) => Exit::Unvalidated,
            CoverageEnd::Partial(reason) => Exit::from(reason),
        };
        let text = if session.talk.quiet { String::new() } else { render(&report, &loaded.sources, session.talk.out) };
        let product = self.product(session, report, exit, text);
        // The process is about to end: freeing a large program piece by piece would only take time.
        std::mem::forget((loaded, coverage));
        Ok(product)
    }

    fn product(&self, session: &Session, mut report: CoverageReport, exit: Exit, text: String) -> Product {
        report.exit_code = exit.code();
        let mut product = Product::text(exit, text);
        let lcov = self.args.lcov.clone().map(|file| (file, report::lcov::render(&report)));
        let json = self.args.json.clone().map(|file| (file, to_text(&report, 2)));
        product.files.extend(lcov);
        product.files.extend(json);
        if product.files.iter().any(|(file, _)| file.as_os_str() == "-") {
            product.text.clear();
            if !session.talk.quiet {
                product.talk = summary(&report) + &result_line(&report);
            }
        } else {
            product.text.push_str(&result_line(&report));
        }
        product
    }

    fn overdue(&self, session: &Session, reason: StopReason) -> Result<Exit, Failure> {
        let report = CoverageReport::stopped(&self.job, reason, session.resources());
        self.product(session, report, Exit::from(reason), String::new()).deliver()
    }

    fn reject(&self, session: &Session, rejection: Rejection) -> Result<Exit, Failure> {
        if let (Some(file), true) = (&self.args.json, rejection.failure.exit != Exit::Usage) {
            let mut report = CoverageReport::rejected(&self.job, rejection.messages, session.resources());
            report.exit_code = rejection.failure.exit.code();
            if let Err(unwritten) = crate::output::write(file, &to_text(&report, 2)) {
                session.talk.failure(&unwritten);
            }
        }
        Err(rejection.failure)
    }
}
