//! `cauldron configurations`: sets of configurations, stacks included.

use driver::{ConfigurationQuestion, ConfigurationsError, Context, FoundConfigurations, Outcome};
use report::json::configurations::{ConfigurationsReport, result};
use report::json::to_text;
use report::text::configurations::{answers, dot, render};
use report::visible::visible;

use crate::args::{ConfigurationsArgs, DirectionChoice};
use crate::exit::Exit;
use crate::output::Product;
use crate::progress::Recorder;
use crate::session::{Session, distinct, json_input};
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: ConfigurationsArgs, talk: &Talk) -> Result<Exit, Failure> {
    distinct(&args.file, &[args.json.as_ref(), args.dot.as_ref()])?;
    Session::start(talk, &args.limits).conclude(move |session| answer(&args, session))
}

fn answer(args: &ConfigurationsArgs, session: &Session) -> Result<Product, Failure> {
    let loaded = session.load(&args.file, &args.source).map_err(|rejection| rejection.failure)?;
    session.status.enter("solve");
    let question = ConfigurationQuestion {
        from: args.from.clone(),
        to: args.to.clone(),
        backward: args.direction == DirectionChoice::Backward,
        asks: args.ask.clone(),
        automaton: args.json.is_some() || args.dot.is_some(),
    };
    let recorder = Recorder::new(&session.status);
    let found = driver::configurations(&loaded, &question, &Context::new(&session.limits.budget(), &recorder))
        .map_err(failure)?;
    let exit = exit(&found);
    let mut product = Product::text(exit, String::new());
    if let Some(file) = &args.json {
        let input = json_input(&args.file, &args.source);
        let mut report = ConfigurationsReport::of(&input, session.json_limits(), &loaded, &question, &found);
        report.exit_code = exit.code();
        report.resources = session.resources();
        product.files.push((file.clone(), to_text(&report, 3)));
    }
    if let (Some(file), Some(listing)) = (&args.dot, &found.findings.listing) {
        product.files.push((file.clone(), dot(listing, &loaded)));
    }
    let is_printed = product.files.iter().any(|(file, _)| file.as_os_str() == "-");
    if !is_printed {
        let table = if session.talk.quiet { String::new() } else { render(&found, &loaded) };
        let answers = answers(&found, &args.ask, &loaded);
        let reason = found.stopped.map(|reason| format!(" ({})", report::json::common::Reason::from(reason).word()));
        product.text = format!("{table}{answers}result: {}{}\n", result(&found), reason.unwrap_or_default());
    }
    Ok(product)
}

/// As for labels: what is reached is violated.
fn exit(found: &Outcome<FoundConfigurations>) -> Exit {
    match (&found.findings.met, found.stopped) {
        (Some(Some(_)), _) => Exit::Violated,
        (_, Some(reason)) => Exit::from(reason),
        (_, None) => Exit::Holds,
    }
}

fn failure(error: ConfigurationsError) -> Failure {
    match error {
        ConfigurationsError::Set(text, error) => {
            let about = visible(&text[error.range.clone()]).into_owned();
            let place = match about.is_empty() {
                true => format!("at the end of `{}`", visible(&text)),
                false => format!("at `{about}` in `{}`", visible(&text)),
            };
            let failure = Failure::usage(format!("{} ({place})", error.message));
            failure.help("a set is written as in `<main:2 .*>`: locations from the top of the stack down; see `cauldron configurations --help`")
        }
        ConfigurationsError::NoGoal => {
            let failure = Failure::usage("`--direction backward` needs a set to start from");
            failure.help("say which configurations are to be reached: `--to SET`")
        }
        ConfigurationsError::Unsupported(unsupported) => {
            let message = format!("sets of configurations do not support {unsupported}");
            Failure::new(Exit::Unsupported, "CL0009", message)
        }
    }
}
