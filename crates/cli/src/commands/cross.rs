//! `cauldron cross`: all engines against each other on random programs.

use std::sync::Arc;

use program::Bound;
use report::visible::{counted, grouped};
use workbench::cross::temporal::cross_temporal;
use workbench::cross::{CrossOptions, CrossProgress, CrossReport, Disagreement, cross};

use super::generate::sizes;
use crate::args::{CrossArgs, LimitArgs};
use crate::exit::Exit;
use crate::output::Product;
use crate::session::Session;
use crate::talk::{Failure, Talk};

/// Disagreements that are shown in full.
const MOST_SHOWN: usize = 5;

/// Runs the command.
pub(crate) fn run(args: CrossArgs, talk: &Talk) -> Result<Exit, Failure> {
    let no_limits = LimitArgs { timeout: None, memory: None, max_steps: None, max_depth: None };
    let session = Session::start(talk, &no_limits);
    session.conclude(move |session| Ok(if args.temporal { temporal(&args, session) } else { work(&args, session) }))
}

/// Random formulae about random programs.
fn temporal(args: &CrossArgs, session: &Session) -> Product {
    session.status.enter("cross");
    let (status, of) = (Arc::clone(&session.status), args.programs);
    let progress = move |done: u64| status.count(done, of);
    let report = cross_temporal(args.seed, args.programs, &session.limits.cancel, &progress);
    let (exit, result) = match (report.disagreements.is_empty(), report.cancelled) {
        (false, _) => (Exit::Violated, "disagree"),
        (true, true) => (Exit::Unknown, "unknown (cancelled)"),
        (true, false) => (Exit::Holds, "agree"),
    };
    let mut text = String::new();
    if !session.talk.quiet {
        report.disagreements.iter().take(MOST_SHOWN).for_each(|it| text.push_str(&format!("{it}\n")));
        text.push_str(&format!(
            "{} with {}, {}: {} (every run replayed), {} hold\n{} not compared: the list of configurations was cut off\n{}\n",
            counted(report.programs, "program"),
            counted(2 * report.programs, "formula").replace("formulas", "formulae"),
            counted(report.checks, "check"),
            counted(report.violated, "violation"),
            grouped(report.holds),
            counted(report.cut, "check"),
            counted(report.disagreements.len() as u64, "disagreement"),
        ));
    }
    Product::text(exit, format!("{text}result: {result}\n"))
}

fn work(args: &CrossArgs, session: &Session) -> Product {
    session.status.enter("cross");
    let defaults = CrossOptions::with_threads(args.threads);
    let options = CrossOptions {
        programs: args.programs,
        seed: args.seed,
        sizes: sizes(&args.sizes, args.threads),
        bound: args.rounds.map_or(Bound::Switches(args.switches), Bound::Rounds),
        jobs: args.jobs,
        max_steps: args.max_steps.unwrap_or(defaults.max_steps),
        shrink: !args.no_shrink,
    };
    let status = Arc::clone(&session.status);
    let progress = move |progress: &CrossProgress| status.count(progress.programs, progress.of);
    let report = cross(&options, &session.limits.cancel, &progress);
    let exit = match (report.disagreements.is_empty(), report.cancelled) {
        (false, _) => Exit::Violated,
        (true, true) => Exit::Unknown,
        (true, false) => Exit::Holds,
    };
    let text = if session.talk.quiet { String::new() } else { describe(&report) };
    let result = match exit {
        Exit::Violated => "disagree",
        Exit::Unknown => "unknown (cancelled)",
        _ => "agree",
    };
    Product::text(exit, format!("{text}result: {result}\n"))
}

fn describe(report: &CrossReport) -> String {
    let mut text = String::new();
    for disagreement in report.disagreements.iter().take(MOST_SHOWN) {
        text.push_str(&describe_one(disagreement));
    }
    text.push_str(&format!(
        "{}, {}, {} ({} reached), {}\n{} replayed, {} validated, {}\n",
        counted(report.programs, "program"),
        counted(report.checks, "check"),
        counted(report.targets, "target"),
        grouped(report.reached),
        with_violations(report.violated),
        counted(report.traces, "trace"),
        counted(report.certificates, "certificate"),
        counted(report.disagreements.len() as u64, "disagreement"),
    ));
    if report.undecided > 0 {
        let targets = counted(report.undecided, "target");
        text.push_str(&format!("{targets} not compared: the oracle ended at a limit\n"));
    }
    for (setting, n) in &report.unknown {
        text.push_str(&format!("{setting}: {} without an answer within its limits\n", grouped(*n)));
    }
    for (setting, n) in &report.unsupported {
        text.push_str(&format!("{setting}: {} that it is not made for\n", grouped(*n)));
    }
    text
}

fn with_violations(programs: u64) -> String {
    let assertions = if programs == 1 { "a violated assertion" } else { "violated assertions" };
    format!("{} with {assertions}", counted(programs, "program"))
}

fn describe_one(disagreement: &Disagreement) -> String {
    let mut text = format!("seed {}:\n", disagreement.seed);
    for difference in &disagreement.differences {
        text.push_str(&format!("  {difference}\n"));
    }
    let program = disagreement.shrunk.as_ref().unwrap_or(&disagreement.text);
    text.push_str(&format!("\n{program}\n"));
    text
}
