//! `cauldron validate`: a certificate against a program and a question.
//!
//! What a certificate proves is one thing, what was asked another: one that proves less is refused.

use driver::evidence::{Certificate, ValidateError};
use driver::{Loaded, Question};
use program::Target;
use report::json::outcome::target_names;
use report::text::verdict::describe;
use report::visible::{abridged, counted, visible};

use crate::args::ValidateArgs;
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Session, question_failure, refusal, undecided};
use crate::talk::{Failure, Talk};

/// Targets that are listed.
const MOST_LISTED: usize = 20;

/// Labels that the last line names one by one.
const MOST_NAMED: usize = 3;

/// Runs the command.
pub(crate) fn run(args: ValidateArgs, talk: &Talk) -> Result<Exit, Failure> {
    let session = Session::start(talk, &args.limits);
    session.conclude(move |session| validate(&args, session))
}

fn validate(args: &ValidateArgs, session: &Session) -> Result<Product, Failure> {
    let loaded = session.load(&args.program, &args.source).map_err(|rejection| rejection.failure)?;
    let loaded = driver::watch(loaded, &args.reach);
    let question = Question { assertions: args.assertions, labels: args.reach.clone(), statements: false };
    let asked = question.targets(&loaded.program);
    let asked = asked.map_err(|errors| question_failure(&errors, &loaded, &session.talk).failure)?;
    session.status.enter("read certificate");
    let (name, text) = input::evidence(&args.certificate)?;
    let certificate = driver::evidence::read_certificate(&loaded.program, &text).map_err(|error| {
        Failure::new(Exit::BadInput, "CL0012", format!("`{name}` is not a certificate for this program: {error}"))
    })?;
    let recorder = Recorder::new(&session.status);
    let budget = session.limits.budget();
    let context = driver::Context::new(&budget, &recorder);
    match driver::evidence::validate(&loaded.program, &certificate, &context) {
        Ok(()) => Ok(Proved::new(args, &loaded, &question, &asked, &certificate).product(session)),
        Err(ValidateError::Rejected(why)) => Ok(invalid(session, &why)),
        Err(ValidateError::Stopped(reason)) => Ok(undecided(reason)),
        Err(ValidateError::Malformed(why)) => {
            Err(Failure::new(Exit::BadInput, "CL0012", format!("`{name}` does not fit the program: {why}")))
        }
        Err(ValidateError::Unsupported(why) | ValidateError::TooLarge(why)) => {
            Err(Failure::new(Exit::Unsupported, "CL0009", format!("the certificate cannot be checked: {why}")))
        }
    }
}

fn invalid(session: &Session, why: &str) -> Product {
    let why = if session.talk.quiet { String::new() } else { format!("the certificate proves nothing: {why}\n") };
    Product::text(Exit::Violated, format!("{why}result: invalid\n"))
}

/// What a valid certificate proves of what was asked.
struct Proved<'a> {
    args: &'a ValidateArgs,
    loaded: &'a Loaded,
    question: &'a Question,
    proved: Vec<Target>,
    /// What was asked and is not among the targets of the certificate.
    missing: Vec<Target>,
}

impl<'a> Proved<'a> {
    fn new(
        args: &'a ValidateArgs,
        loaded: &'a Loaded,
        question: &'a Question,
        asked: &[Target],
        certificate: &Certificate,
    ) -> Self {
        let is_proved = |target: &Target| certificate.targets.contains(&target.location);
        let (proved, missing) = asked.iter().cloned().partition(is_proved);
        Self { args, loaded, question, proved, missing }
    }

    fn product(&self, session: &Session) -> Product {
        let claims = if session.talk.quiet { String::new() } else { self.claims() };
        if self.missing.is_empty() {
            return Product::text(Exit::Holds, format!("{claims}result: valid ({})\n", self.what()));
        }
        let names = target_names(self.loaded, &self.missing[..self.missing.len().min(MOST_NAMED)]);
        let names: Vec<String> = names.iter().map(describe).collect();
        let rest = self.missing.len() - names.len();
        let more = if rest > 0 { format!(" and {}", counted(rest as u64, "more target")) } else { String::new() };
        let message = format!("the certificate proves less than was asked: nothing about {}{more}", names.join(", "));
        let help = "`check --certificate` writes one for what holds; `--reach` and `--assertions` say what is asked";
        let failure = Failure::new(Exit::Refused, "CL0019", message).help(help);
        let all = counted((self.proved.len() + self.missing.len()) as u64, "target");
        let line = format!("{claims}result: refused ({} of {all} proved)\n", self.proved.len());
        refusal(&failure, &line, &session.talk)
    }

    /// What was asked, for the last line.
    fn what(&self) -> String {
        let labels = &self.question.labels;
        let mut parts: Vec<String> = labels.iter().map(|label| abridged(label, 80).into_owned()).collect();
        if parts.len() > MOST_NAMED {
            parts = vec![counted(labels.len() as u64, "label")];
        }
        if self.question.asks_for_assertions() {
            let n = self.loaded.program.assertion_targets().len() as u64;
            parts.push(if n == 1 { "1 assertion".to_owned() } else { format!("all {}", counted(n, "assertion")) });
        }
        parts.join(", ")
    }

    fn claims(&self) -> String {
        let file = visible(&self.args.program.display().to_string()).into_owned();
        let listed = &self.proved[..self.proved.len().min(MOST_LISTED)];
        let mut text = String::new();
        for name in target_names(self.loaded, listed) {
            text.push_str(&format!("{file}: no run reaches {}\n", describe(&name)));
        }
        let rest = (self.proved.len() - listed.len()) as u64;
        if rest > 0 {
            text.push_str(&format!("... nor {}\n", counted(rest, "more target")));
        }
        text
    }
}
