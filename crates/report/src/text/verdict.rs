//! The answer to each target, the evidence, and the one last line that a script can read.

use program::Bound;

use super::trace::{TraceStyle, render as render_trace};
use crate::Paint;
use crate::json::common::{Evidence, Reason, within};
use crate::json::outcome::{Answer, Report, TargetName, TargetReport, TargetWord};
use crate::visible::{abridged, counted, grouped, visible};

/// How a verdict is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerdictStyle {
    /// Only the last line.
    pub quiet: bool,
    /// All targets, and how the answer was found.
    pub verbose: bool,
    /// Every trace in full.
    pub expand: bool,
    /// Colour.
    pub paint: Paint,
}

/// Traces that are shown unless everything is to be expanded.
pub const MOST_TRACES: usize = 3;

/// Targets with the same answer that are listed one by one, unless more is wanted.
const MOST_LISTED: usize = 20;

/// Width of the line that names a target, up to the cost.
const COST_COLUMN: usize = 72;

/// The whole text of a report; its last line is [`result_line`].
#[must_use]
pub fn render(report: &Report, style: VerdictStyle) -> String {
    let mut text = String::new();
    if !style.quiet {
        match &report.temporal {
            Some(temporal) => text.push_str(&super::temporal::render(report, temporal, style)),
            None => {
                text.push_str(&targets(report, style));
                text.push_str(&evidence(report, style));
            }
        }
        if style.verbose {
            text.push_str(&details(report));
        }
    }
    text.push_str(&result_line(report));
    text
}

/// `result: holds`, `result: bounded (4 context switches)`, `result: violated`, `result: unknown (time)`.
#[must_use]
pub fn result_line(report: &Report) -> String {
    let threads = report.max_threads.map(|n| counted(u64::from(n), "thread"));
    let remarks: Vec<String> = match report.result {
        Answer::Bounded => {
            let bound = report.bound.map(|bound| bound.to_string());
            [bound, threads, report.on_the_word_of.as_deref().map(says)].into_iter().flatten().collect()
        }
        Answer::Holds if report.evidence == Some(Evidence::None) => vec!["no certificate".to_owned()],
        _ => {
            let reason = report.reason.map(|reason| reason.word().to_owned());
            let finished = finished(report).map(|finished| format!("finished {finished}"));
            reason.into_iter().chain(finished).collect()
        }
    };
    let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) };
    format!("result: {}{remarks}\n", report.result.word())
}

/// How far the search came before a limit was hit, in words.
fn finished(report: &Report) -> Option<String> {
    let any_unknown = report.targets.iter().any(|target| target.verdict == Answer::Unknown);
    report.finished.filter(|_| any_unknown).and_then(|finished| within(Some(finished), report.max_threads))
}

fn targets(report: &Report, style: VerdictStyle) -> String {
    let mut text = String::new();
    let mut traces = 0;
    let mut cost = Some(cost(report));
    let order =
        [Answer::Violated, Answer::Unreplayed, Answer::Unknown, Answer::Bounded, Answer::Unvalidated, Answer::Holds];
    for verdict in order {
        let group: Vec<&TargetReport> = report.targets.iter().filter(|target| target.verdict == verdict).collect();
        let listed = if style.verbose { group.len() } else { MOST_LISTED };
        for target in group.iter().take(listed) {
            text.push_str(&headline(report, target, &cost.take().unwrap_or_default(), style.paint));
            if let Some(trace) = &target.trace {
                traces += 1;
                if traces <= MOST_TRACES || style.expand {
                    let how = TraceStyle { expand: style.expand, paint: style.paint };
                    text.push_str(&format!("\n{}\n", render_trace(trace, &target.target, how)));
                }
            }
        }
        let rest = group.len().saturating_sub(listed);
        if rest > 0 {
            let what = phrase(verdict);
            text.push_str(&format!("... and {} that {what} (-v lists them)\n", counted(rest as u64, "target")));
        }
    }
    if traces > MOST_TRACES && !style.expand {
        let hidden = counted((traces - MOST_TRACES) as u64, "further trace");
        text.push_str(&format!("{hidden} not shown (--expand)\n"));
    }
    text
}

fn phrase(verdict: Answer) -> &'static str {
    match verdict {
        Answer::Holds => "hold",
        Answer::Bounded => "are not violated within the bound",
        Answer::Unvalidated => "hold, NOT VALIDATED",
        Answer::Violated => "are violated",
        Answer::Unreplayed => "are violated, NOT REPLAYED",
        _ => "are not decided",
    }
}

fn headline(report: &Report, target: &TargetReport, cost: &str, paint: Paint) -> String {
    let name = describe(&target.target);
    let is_label = target.target.kind != TargetWord::Assertion;
    let within = within(report.bound, report.max_threads).map(|within| format!(" within {within}")).unwrap_or_default();
    let within = report.on_the_word_of.as_deref().map_or(within.clone(), |own| format!("{within}, {}", says(own)));
    let switches = target.trace.as_ref().and_then(|trace| trace.switches);
    let switches = switches.map(|n| format!(", {}", Bound::Switches(n))).unwrap_or_default();
    let beyond = finished(report).map(|finished| format!(" beyond {finished}")).unwrap_or_default();
    let (answer, painted) = match (target.verdict, is_label) {
        (Answer::Unreplayed, is_label) => {
            let what = if is_label { "is REACHABLE, NOT REPLAYED" } else { "is VIOLATED, NOT REPLAYED" };
            (format!("{what}{switches}"), paint.open(what) + &switches)
        }
        (Answer::Unvalidated, is_label) => {
            let what = if is_label { "is not reachable, NOT VALIDATED" } else { "holds, NOT VALIDATED" };
            (what.to_owned(), paint.open(what))
        }
        (Answer::Violated, true) => (format!("is REACHABLE{switches}"), paint.bad("is REACHABLE") + &switches),
        (Answer::Violated, false) => (format!("is VIOLATED{switches}"), paint.bad("is VIOLATED") + &switches),
        (Answer::Holds, true) => ("is not reachable".to_owned(), paint.good("is not reachable")),
        (Answer::Holds, false) => ("holds".to_owned(), paint.good("holds")),
        (Answer::Bounded, true) => (format!("is not reachable{within}"), paint.open("is not reachable") + &within),
        (Answer::Bounded, false) => (format!("has no violation{within}"), paint.open("has no violation") + &within),
        _ => (format!("is NOT DECIDED{beyond}"), paint.open("is NOT DECIDED") + &beyond),
    };
    let first = first_line(report, &name, (&answer, &painted), cost, paint);
    let vacuous = if target.vacuous { "  note: no path leads there, whatever the data (vacuous)\n" } else { "" };
    format!("{first}{vacuous}")
}

/// `FILE: NAME is VIOLATED            3 ms, 41 nodes`; the answer comes also with its colours.
pub(super) fn first_line(
    report: &Report,
    name: &str,
    (answer, painted): (&str, &str),
    cost: &str,
    paint: Paint,
) -> String {
    let start = format!("{}: {name} ", visible(&report.input.file));
    let width = start.chars().count() + answer.len();
    let gap = if cost.is_empty() { 0 } else { COST_COLUMN.saturating_sub(width).max(2) };
    format!("{start}{painted}{}{}\n", " ".repeat(gap), paint.faint(cost))
}

/// `R (line 12)` or `assertion in p (line 12)`.
#[must_use]
pub fn describe(target: &TargetName) -> String {
    let line = target.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    match (&target.label, target.kind) {
        (Some(label), _) => format!("{}{line}", abridged(label, 80)),
        (None, TargetWord::Assertion) => format!("assertion in {}{line}", abridged(&target.procedure, 80)),
        (None, _) => format!("statement in {}{line}", abridged(&target.procedure, 80)),
    }
}

pub(super) fn cost(report: &Report) -> String {
    let millis = (report.resources.seconds * 1_000.0).round() as u64;
    let time =
        if millis < 10_000 { format!("{} ms", grouped(millis)) } else { format!("{} s", grouped(millis / 1_000)) };
    match (report.statistics.peak_nodes, report.statistics.states) {
        (0, 0) => time,
        (0, states) => format!("{time}, {}", counted(states, "state")),
        (nodes, _) => format!("{time}, {}", counted(nodes, "node")),
    }
}

/// What stands behind "holds", and what does not stand behind "unknown".
fn evidence(report: &Report, style: VerdictStyle) -> String {
    let holds = |target: &&TargetReport| matches!(target.verdict, Answer::Holds | Answer::Unvalidated);
    let holding: Vec<&TargetReport> = report.targets.iter().filter(holds).collect();
    let mut text = String::new();
    if let Some(first) = holding.first() {
        let what = match (holding.len(), first.target.kind) {
            (1, TargetWord::Assertion) => "no run violates it".to_owned(),
            (1, _) => format!("no run reaches {}", abridged(first.target.label.as_deref().unwrap_or("it"), 80)),
            (n, _) => format!("{} targets hold: no run reaches them", grouped(n as u64)),
        };
        text.push_str(&format!("  {what}; {}\n", certificate(report, style.paint)));
    }
    text.push_str(&about_bound(report));
    if let Some(finished) = finished(report) {
        text.push_str(&format!("  finished: no run within {finished} reaches what is not decided\n"));
    }
    if let Some(reason) = report.limits_hit.first() {
        let decided = report.targets.iter().filter(|target| target.verdict != Answer::Unknown).count() as u64;
        let of = report.targets.len() as u64;
        text.push_str(&format!(
            "  stopped: {} ({} of {} decided)\n",
            sentence(*reason),
            grouped(decided),
            counted(of, "target")
        ));
        if let Some(detail) = &report.detail {
            text.push_str(&format!("  {}\n", visible(detail)));
        }
    }
    text
}

fn says(algorithm: &str) -> String {
    format!("says {}", abridged(algorithm, 80))
}

/// What a bound leaves open, or that it did not matter.
fn about_bound(report: &Report) -> String {
    let holds = |target: &TargetReport| matches!(target.verdict, Answer::Holds | Answer::Unvalidated);
    let any_holds = report.targets.iter().any(holds);
    let any_bounded = report.targets.iter().any(|target| target.verdict == Answer::Bounded);
    if let Some(own) = &report.on_the_word_of {
        let own = abridged(own, 80);
        return format!("  nothing proves it: {own} has no certificate that was checked\n");
    }
    let mut text = match (report.bound, report.unneeded_bound) {
        (Some(bound), _) if any_bounded => format!("  runs beyond {bound} were not looked at\n"),
        (None, Some(bound)) if report.is_single_threaded => {
            format!("  one thread: the bound of {bound} does not matter\n")
        }
        (None, Some(bound)) if report.converged => {
            format!("  converged: going beyond {bound} adds nothing, so the answer needs no bound\n")
        }
        (None, Some(bound)) if any_holds => {
            format!("  all interleavings were followed: the bound of {bound} does not matter\n")
        }
        _ => String::new(),
    };
    if let Some(n) = report.max_threads.filter(|_| any_bounded) {
        text.push_str(&format!(
            "  some run starts more than {} at the same time, which was not followed (--max-threads)\n",
            counted(u64::from(n), "thread")
        ));
    }
    text
}

pub(super) fn sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::Time => "the time limit was reached",
        Reason::Memory => "the memory limit was reached",
        Reason::Steps => "the step limit was reached",
        Reason::Depth => "calls nest more deeply than the limit on depth",
        Reason::Threads => "more threads are started than the limit on threads",
        Reason::Oscillates => "the equations of the algorithm do not settle",
        Reason::Automaton => "the automaton of the property becomes too large",
        Reason::Cancelled => "interrupted",
        Reason::NotAsked => "that was not asked for (--no-validate)",
        Reason::TooLarge => "it is beyond the checker",
    }
}

fn certificate(report: &Report, paint: Paint) -> String {
    let Some(certificate) = &report.certificate else {
        if report.evidence == Some(Evidence::NotValidated) {
            return paint.open("no certificate was asked for (--no-validate)");
        }
        let says = report.algorithm.as_deref().map(|name| format!("so says {}; ", abridged(name, 80)));
        return format!("{}there is no certificate", says.unwrap_or_default());
    };
    let validated = if certificate.validated {
        paint.good("certificate validated")
    } else {
        paint.open("certificate NOT validated")
    };
    let file = certificate.file.as_deref().map(|file| format!(", written to {}", visible(file)));
    let why = certificate.reason.map(|reason| format!(": {}", sentence(reason)));
    let locations = counted(certificate.locations, "location");
    format!("{validated} ({locations}){}{}", file.unwrap_or_default(), why.unwrap_or_default())
}

fn details(report: &Report) -> String {
    let passes = if report.passes.is_empty() { "none".to_owned() } else { report.passes.join(", ") };
    let statistics = &report.statistics;
    let algorithm = report.algorithm.as_deref().map(|name| format!(" {}", visible(name))).unwrap_or_default();
    let why = report.why.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
    let engine = report.engine.as_deref().unwrap_or("none");
    let mut text = format!("  engine: {engine}{algorithm}{why}; passes: {passes}\n");
    text.push_str(&format!(
        "  {}, {}, {} at the peak, {}\n",
        counted(statistics.steps, "step"),
        counted(statistics.bdd_variables, "BDD variable"),
        counted(statistics.peak_nodes, "node"),
        counted(statistics.states, "state"),
    ));
    if statistics.view_tuples > 0 {
        text.push_str(&format!("  {}\n", counted(statistics.view_tuples, "view tuple")));
    }
    for assumption in &report.assumptions {
        text.push_str(&format!("  assumed: {}\n", visible(assumption)));
    }
    text
}
