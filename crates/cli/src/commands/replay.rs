//! `cauldron replay`: a trace, or a run without end, run again step by step.

use std::path::Path;

use base::Source;
use driver::temporal::{Judgement, Specification, Violation, judge};
use driver::{Checked, Counterexample, Loaded};
use program::{LocationId, Target, TargetKind};
use report::json::outcome::{REPORT_SCHEMA, Report, TargetName, TargetWord};
use report::json::replay::Replay;
use report::json::temporal::{Lasso, PropertyKind, RunsWord, Temporal};
use report::json::trace::{TRACE_SCHEMA, Telling, Trace, TraceDocument};
use report::text::trace::{TraceStyle, render};
use report::text::verdict::describe;
use report::visible::visible;
use serde_json::Value;

use crate::args::{LimitArgs, ReplayArgs};
use crate::exit::Exit;
use crate::input;
use crate::output::Product;
use crate::session::{Choice, Session, check_failure};
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
    let unfit = |why: String| {
        Failure::new(Exit::BadInput, "CL0013", format!("the trace in `{name}` does not fit the program: {why}"))
    };
    match read(&text, args.nth).map_err(wrong)? {
        Written::Trace(target, written) => {
            let rebuilt = written.rebuild(&loaded.program).map_err(unfit)?;
            Ok(trace(args, &loaded, &target, rebuilt, session))
        }
        Written::Lasso(temporal, written) => {
            let rebuilt = written.rebuild(&loaded.program).map_err(unfit)?;
            lasso(args, &loaded, &temporal, rebuilt, session)
        }
    }
}

fn trace(
    args: &ReplayArgs,
    loaded: &Loaded,
    target: &TargetName,
    (trace, location): (program::Trace, LocationId),
    session: &Session,
) -> Product {
    session.status.enter("replay");
    if let Err(error) = program::interp::replay(&loaded.program, &trace, location) {
        return refused(&format!("this is not a run: {error}"), "not a run", session);
    }
    // Replaying shows that it is a run, not that there is no shorter one.
    let found = Counterexample { trace, shortest: false, replayed: Checked::Yes };
    let told = Trace::of(loaded, &Target { location, kind: kind_of(target) }, &found, 0, Telling::Stories(1));
    let shown = render(&told, target, style(args, session));
    confirmed(&format!("{} is reached\n\n{shown}", describe(target)), loaded, session)
}

/// A run without end is executed for a few rounds, and judged by the property.
fn lasso(
    args: &ReplayArgs,
    loaded: &Loaded,
    temporal: &Temporal,
    lasso: program::Lasso,
    session: &Session,
) -> Result<Product, Failure> {
    let specification = specification(temporal)?;
    session.status.enter("replay");
    if temporal.runs == RunsWord::Infinite && lasso.loop_start == lasso.trace.steps.len() {
        return Ok(refused("only runs without end count, and this one ends", "not a violation", session));
    }
    let (judgement, observations) = judge(loaded, &specification, &lasso, &session.limits.budget())
        .map_err(|error| check_failure(&error, loaded, Choice::None, &session.talk).failure)?;
    Ok(match judgement {
        Judgement::Violates(replay) => {
            let found = Violation { lasso, replay: Some(replay) };
            let told = Lasso::of(loaded, &found, &observations, Telling::Stories(1));
            let shown = report::text::temporal::run(temporal, &told, style(args, session));
            let name = report::text::temporal::name(temporal);
            confirmed(&format!("{name} is violated\n\n{shown}"), loaded, session)
        }
        Judgement::Satisfies => refused("this run has the property", "not a violation", session),
        Judgement::NoRun(why) => refused(&format!("this is not a run: {why}"), "not a run", session),
        Judgement::Stopped(reason) => {
            let word = report::json::common::Reason::from(reason).word();
            Product::text(Exit::from(reason), format!("result: unknown ({word})\n"))
        }
    })
}

/// The property as the report names it; that of a file is read again.
fn specification(temporal: &Temporal) -> Result<Specification, Failure> {
    let property = &temporal.property;
    Ok(match temporal.kind {
        PropertyKind::Formula => Specification::Formula(Source::new("the formula", property.as_str())),
        PropertyKind::Termination => Specification::terminates(),
        PropertyKind::Hoa => Specification::Hoa(input::source(Path::new(property))?),
        PropertyKind::Never => Specification::Never(input::source(Path::new(property))?),
    })
}

fn style(args: &ReplayArgs, session: &Session) -> TraceStyle {
    TraceStyle { expand: args.expand, paint: session.talk.out }
}

fn confirmed(shown: &str, loaded: &Loaded, session: &Session) -> Product {
    let file = visible(loaded.sources.main_name());
    let story = if session.talk.quiet { String::new() } else { format!("{file}: {shown}\n") };
    Product::text(Exit::Holds, format!("{story}result: replayed\n"))
}

fn refused(why: &str, word: &str, session: &Session) -> Product {
    let why = if session.talk.quiet { String::new() } else { format!("{why}\n") };
    Product::text(Exit::Violated, format!("{why}result: {word}\n"))
}

fn kind_of(target: &TargetName) -> TargetKind {
    match (target.kind, &target.label) {
        (TargetWord::Label, Some(label)) => TargetKind::Label(label.clone()),
        (TargetWord::Assertion, _) => TargetKind::Assertion,
        (TargetWord::Label | TargetWord::Statement, _) => TargetKind::Statement,
    }
}

/// What a file contains.
enum Written {
    Trace(TargetName, Replay),
    Lasso(Box<Temporal>, Box<Lasso>),
}

/// A document with one trace, or the `nth` trace of a report; a report about a temporal property has one run.
fn read(text: &str, nth: usize) -> Result<Written, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let wrong = |error: serde_json::Error| error.to_string();
    match value.get("schema").and_then(Value::as_str) {
        Some(TRACE_SCHEMA) => {
            let document: TraceDocument = serde_json::from_value(value).map_err(wrong)?;
            let replay = document.trace.replay.ok_or("it has no choices")?;
            Ok(Written::Trace(document.target, replay))
        }
        Some(REPORT_SCHEMA) => {
            let mut report: Report = serde_json::from_value(value).map_err(wrong)?;
            let index = nth.checked_sub(1).ok_or("traces are counted from one")?;
            let none = || format!("the report has no trace number {nth}");
            if let Some(mut temporal) = report.temporal.take() {
                let lasso = temporal.lasso.take().filter(|_| index == 0).ok_or_else(none)?;
                return Ok(Written::Lasso(Box::new(temporal), Box::new(lasso)));
            }
            let mut traces =
                report.targets.into_iter().filter_map(|target| Some((target.target, target.trace?.replay?)));
            traces.nth(index).map(|(target, replay)| Written::Trace(target, replay)).ok_or_else(none)
        }
        Some(other) => Err(format!("its schema is `{}`", visible(other))),
        None => Err("it names no schema".to_owned()),
    }
}
