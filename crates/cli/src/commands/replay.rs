//! `cauldron replay`: a trace, run again step by step.

use driver::{Counterexample, Loaded};
use program::{Target, TargetKind};
use report::json::outcome::{REPORT_SCHEMA, Report, TargetName, TargetWord};
use report::json::replay::Replay;
use report::json::trace::{TRACE_SCHEMA, Telling, Trace, TraceDocument};
use report::text::trace::{TraceStyle, render};
use report::text::verdict::describe;
use report::visible::visible;
use serde_json::Value;

use crate::args::{LimitArgs, ReplayArgs};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::Session;
use crate::talk::{Failure, Talk};

/// Runs the command.
pub(crate) fn run(args: ReplayArgs, talk: &Talk) -> Result<Exit, Failure> {
    let no_limits = LimitArgs { timeout: None, memory: None, max_steps: None, max_depth: None };
    Session::start(talk, &no_limits).deliver(move |session| replay(&args, session))
}

fn replay(args: &ReplayArgs, session: &Session) -> Result<Product, Failure> {
    let loaded = session.load(&args.file, &args.source).map_err(|rejection| rejection.failure)?;
    session.status.enter("read trace");
    let (name, text) = input::evidence(&args.trace)?;
    let wrong = |why: String| Failure::new(Exit::BadInput, "CL0013", format!("`{name}` is not a trace: {why}"));
    let (target, written) = read(&text, args.nth).map_err(wrong)?;
    let (trace, location) = written.rebuild(&loaded.program).map_err(|why| {
        Failure::new(Exit::BadInput, "CL0013", format!("the trace in `{name}` does not fit the program: {why}"))
    })?;
    session.status.enter("replay");
    if let Err(error) = program::interp::replay(&loaded.program, &trace, location) {
        let why = if session.talk.quiet { String::new() } else { format!("this is not a run: {error}\n") };
        return Ok(Product::text(Exit::Violated, format!("{why}result: not a run\n")));
    }
    let kind = kind_of(&target);
    // Replaying shows that it is a run, not that there is no shorter one.
    let found = Counterexample { trace, shortest: false, replayed: true };
    let told = Trace::of(&loaded, &Target { location, kind }, &found, 0, Telling::Stories(1));
    Ok(Product::text(Exit::Holds, show(&loaded, &target, &told, args, session)))
}

fn show(loaded: &Loaded, target: &TargetName, trace: &Trace, args: &ReplayArgs, session: &Session) -> String {
    if session.talk.quiet {
        return "result: replayed\n".to_owned();
    }
    let style = TraceStyle { expand: args.expand, paint: session.talk.out };
    let file = visible(loaded.source.name());
    format!("{file}: {} is reached\n\n{}\nresult: replayed\n", describe(target), render(trace, target, style))
}

fn kind_of(target: &TargetName) -> TargetKind {
    match (target.kind, &target.label) {
        (TargetWord::Label, Some(label)) => TargetKind::Label(label.clone()),
        (TargetWord::Assertion, _) => TargetKind::Assertion,
        (TargetWord::Label | TargetWord::Statement, _) => TargetKind::Statement,
    }
}

/// A document with one trace, or the `nth` trace of a report.
fn read(text: &str, nth: usize) -> Result<(TargetName, Replay), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let wrong = |error: serde_json::Error| error.to_string();
    match value.get("schema").and_then(Value::as_str) {
        Some(TRACE_SCHEMA) => {
            let document: TraceDocument = serde_json::from_value(value).map_err(wrong)?;
            let replay = document.trace.replay.ok_or("it has no choices")?;
            Ok((document.target, replay))
        }
        Some(REPORT_SCHEMA) => {
            let report: Report = serde_json::from_value(value).map_err(wrong)?;
            let mut traces =
                report.targets.into_iter().filter_map(|target| Some((target.target, target.trace?.replay?)));
            let index = nth.checked_sub(1).ok_or("traces are counted from one")?;
            traces.nth(index).ok_or_else(|| format!("the report has no trace number {nth}"))
        }
        Some(other) => Err(format!("its schema is `{}`", visible(other))),
        None => Err("it names no schema".to_owned()),
    }
}
