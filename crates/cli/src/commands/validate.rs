//! `cauldron validate`: a certificate against a program.

use program::{Role, Target, TargetKind};
use report::json::outcome::target_names;
use report::text::verdict::describe;
use report::visible::{counted, visible};
use witness::{Certificate, ValidateError};

use crate::args::ValidateArgs;
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::{Session, undecided};
use crate::talk::{Failure, Talk};

/// Targets that are listed.
const MOST_LISTED: usize = 20;

/// Runs the command.
pub(crate) fn run(args: ValidateArgs, talk: &Talk) -> Result<Exit, Failure> {
    let session = Session::start(talk, &args.limits);
    session.conclude(move |session| validate(&args, session))
}

fn validate(args: &ValidateArgs, session: &Session) -> Result<Product, Failure> {
    let loaded = session.load(&args.program, &args.source).map_err(|rejection| rejection.failure)?;
    session.status.enter("read certificate");
    let (name, text) = input::evidence(&args.certificate)?;
    let certificate = witness::format::parse(&loaded.program, &text).map_err(|error| {
        Failure::new(Exit::BadInput, "CL0012", format!("`{name}` is not a certificate for this program: {error}"))
    })?;
    session.status.enter("validate");
    let budget = session.limits.budget();
    let _watch = budget.watch();
    let file = args.program.display().to_string();
    match witness::validate(&loaded.program, &certificate, &budget) {
        Ok(()) => {
            let claims = if session.talk.quiet { String::new() } else { claims(&loaded, &certificate, &file) };
            Ok(Product::text(Exit::Holds, format!("{claims}result: valid\n")))
        }
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

fn claims(loaded: &driver::Loaded, certificate: &Certificate, file: &str) -> String {
    let program = &loaded.program;
    let target = |location: &program::LocationId| {
        let location = *location;
        let labels = &program.locations[location].labels;
        let kind = match (program.locations[location].role, labels.first()) {
            (Role::Violation, _) => TargetKind::Assertion,
            (_, Some(label)) => TargetKind::Label(label.clone()),
            (_, None) => TargetKind::Statement,
        };
        Target { location, kind }
    };
    let targets: Vec<Target> = certificate.targets.iter().take(MOST_LISTED).map(target).collect();
    let mut text = String::new();
    for name in target_names(loaded, &targets) {
        text.push_str(&format!("{}: no run reaches {}\n", visible(file), describe(&name)));
    }
    let rest = certificate.targets.len().saturating_sub(MOST_LISTED) as u64;
    if rest > 0 {
        text.push_str(&format!("... nor {}\n", counted(rest, "more target")));
    }
    text
}
