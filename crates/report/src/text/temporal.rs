//! The answer to a temporal property.

use super::trace::{TraceStyle, render_lasso};
use super::verdict::{VerdictStyle, cost, first_line, sentence};
use crate::json::outcome::{Answer, Report};
use crate::json::temporal::{Lasso, PropertyKind, RunsWord, Temporal, Vacuity};
use crate::visible::{abridged, counted, one_line};

/// Characters of a formula that are shown.
const LONGEST: usize = 100;

/// The answer, which runs count, the evidence.
pub(super) fn render(report: &Report, temporal: &Temporal, style: VerdictStyle) -> String {
    let paint = style.paint;
    let (answer, painted) = match report.result {
        Answer::Holds => ("HOLDS", paint.good("HOLDS")),
        Answer::Unvalidated => ("holds, NOT VALIDATED", paint.open("holds, NOT VALIDATED")),
        Answer::Unreplayed => ("is VIOLATED, NOT REPLAYED", paint.open("is VIOLATED, NOT REPLAYED")),
        Answer::Violated => ("is VIOLATED", paint.bad("is VIOLATED")),
        _ => ("is NOT DECIDED", paint.open("is NOT DECIDED")),
    };
    let mut text = first_line(report, &name(temporal), (answer, &painted), &cost(report), paint);
    text.push_str(match temporal.runs {
        RunsWord::All => "  all runs count; one that ends, or cannot go on, stays in its last state\n",
        RunsWord::Infinite => "  only runs without end count\n",
    });
    if let Some(lasso) = &temporal.lasso {
        let how = TraceStyle { expand: style.expand, paint };
        text.push_str(&format!("\n{}\n", run(temporal, lasso, how)));
    }
    if matches!(report.result, Answer::Holds | Answer::Unvalidated) {
        text.push_str("  no run violates it; there is no certificate\n");
    }
    text.push_str(match temporal.vacuous {
        Some(Vacuity::Trivial) => "  note: no run of any program violates it (vacuous)\n",
        Some(Vacuity::NoRuns) => "  note: every run ends or cannot go on, so that none counts (vacuous)\n",
        None => "",
    });
    if let Some(reason) = report.limits_hit.first() {
        text.push_str(&format!("  stopped: {}\n", sentence(*reason)));
    }
    if let (Some(size), true) = (temporal.automaton, style.verbose) {
        let (states, edges) = (counted(size.states.into(), "state"), counted(size.edges.into(), "edge"));
        text.push_str(&format!("  automaton of what must not happen: {states}, {edges}\n"));
    }
    text
}

/// A run that does not have the property.
#[must_use]
pub fn run(temporal: &Temporal, lasso: &Lasso, style: TraceStyle) -> String {
    render_lasso(lasso, judged(temporal.kind), style)
}

/// What the property is called.
#[must_use]
pub fn name(temporal: &Temporal) -> String {
    let property = &temporal.property;
    match temporal.kind {
        PropertyKind::Formula => one_line(property, LONGEST),
        PropertyKind::Termination => "termination".to_owned(),
        PropertyKind::Hoa | PropertyKind::Never => format!("never {}", abridged(property, LONGEST)),
    }
}

/// Why a run is shown.
fn judged(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Formula => "the formula is false on it",
        PropertyKind::Termination => "it does not end",
        PropertyKind::Hoa | PropertyKind::Never => "the automaton accepts it",
    }
}
