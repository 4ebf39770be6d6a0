//! Rows as lines: source line, indented statement, values in a right column.

use std::ops::Range;

use program::Bound;

use super::lanes::Lanes;
use super::rows::{Row, RowKind, Rows, labelled, rows};
use crate::Paint;
use crate::json::outcome::{TargetName, TargetWord};
use crate::json::temporal::{Ending, Lasso};
use crate::json::trace::{Event, EventKind, Story, Trace};
use crate::visible::{counted, grouped, visible};

/// How a trace is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TraceStyle {
    /// Show every call and every step.
    pub expand: bool,
    /// Colour.
    pub paint: Paint,
}

/// Rows of a folded trace that are shown at its beginning and at its end.
const HEAD: usize = 120;
const TAIL: usize = 60;

/// Deeper calls are not indented further; their depth is written out.
const DEEPEST_INDENT: u32 = 16;

/// Widths of the column of statements.
const NARROWEST: usize = 30;
const WIDEST: usize = 60;

/// The trace as lines, each with its newline, and a line that sums it up.
#[must_use]
pub fn render(trace: &Trace, target: &TargetName, style: TraceStyle) -> String {
    let Some(story) = &trace.story else {
        return format!("  The run has {}, but could not be told.\n", counted(trace.steps, "step"));
    };
    let replayed = if trace.replayed { "yes" } else { "no" };
    format!("{}\n{}", lines(story, End::Target(target), style), summary(trace, story, None, replayed))
}

/// A run without end as lines, and a line that sums it up; `judged` says why the run is shown.
#[must_use]
pub fn render_lasso(lasso: &Lasso, judged: &str, style: TraceStyle) -> String {
    let trace = &lasso.trace;
    let Some(story) = &trace.story else {
        return format!("  The run has {}, but could not be told.\n", counted(trace.steps, "step"));
    };
    let replayed = match (trace.replayed, lasso.rounds) {
        (false, _) => "no".to_owned(),
        (true, 0) => format!("yes, {judged}"),
        (true, rounds) => format!("{}, {judged}", counted(u64::from(rounds), "round")),
    };
    format!("{}\n{}", lines(story, End::Lasso(lasso), style), summary(trace, story, Some(lasso), &replayed))
}

/// How a trace ends.
#[derive(Clone, Copy)]
enum End<'a> {
    Target(&'a TargetName),
    Lasso(&'a Lasso),
}

fn lines(story: &Story, end: End<'_>, style: TraceStyle) -> String {
    let hidden = if style.expand { 0..0 } else { hidden(story, end) };
    let Rows { rows: mut all, n_rows, goes_on, round, .. } = rows(story, style.expand, hidden.clone());
    match end {
        _ if goes_on => {
            all.push(remark(format!("... the trace goes on; the first {} rows are shown", grouped(n_rows as u64))));
        }
        End::Target(target) => mark_target(&mut all, story, target),
        End::Lasso(lasso) => mark_end(&mut all, story, lasso),
    }
    mention_hidden(&mut all, hidden, round);
    let numbers = all.iter().filter_map(|row| row.line).max().unwrap_or(0).to_string().len().max(4);
    if story.is_concurrent() {
        let lanes = Lanes::of(&all, &story.threads, numbers, style);
        return all.iter().map(|row| lanes.line(row, style)).collect();
    }
    let widths = all.iter().filter(|row| !row.note.is_empty()).map(|row| shown_text(row).chars().count());
    let column = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0).max(NARROWEST);
    let mut in_round = false;
    let painted = |row: &Row| {
        in_round ^= row.kind == RowKind::Round;
        line(row, numbers, column, in_round, style.paint)
    };
    all.iter().map(painted).collect()
}

/// Says how many rows are left out, before and behind the beginning of a round.
fn mention_hidden(rows: &mut Vec<Row>, hidden: Range<usize>, round: Option<usize>) {
    let parts = match round.filter(|round| hidden.contains(round)) {
        Some(round) => [(hidden.start + 1, hidden.end - round - 1), (hidden.start, round - hidden.start)],
        None => [(hidden.start, hidden.len()), (hidden.start, 0)],
    };
    for (at, n) in parts.into_iter().filter(|(_, n)| *n > 0) {
        rows.insert(at, remark(format!("... {} not shown (--expand)", counted(n as u64, "row"))));
    }
}

/// The rows in the middle of a folded trace that are left out.
fn hidden(story: &Story, end: End<'_>) -> Range<usize> {
    let Rows { n_rows, goes_on, last_line, .. } = rows(story, false, 0..usize::MAX);
    let is_last = match end {
        End::Target(target) => !goes_on && target.kind == TargetWord::Assertion && last_line == target.line,
        End::Lasso(_) => false,
    };
    // What is reached, and that there is more, has a row of its own at the end.
    let n_rows = n_rows + usize::from(!is_last);
    if n_rows <= HEAD + TAIL + 1 { 0..0 } else { HEAD..n_rows - TAIL }
}

/// A label is reached when its statement is about to be executed, so its row comes after the last step; an assertion is
/// violated by the step that evaluates it.
fn mark_target(rows: &mut Vec<Row>, story: &Story, target: &TargetName) {
    let depth = story.events.last().map_or(0, depth_after);
    let last = rows.iter_mut().rev().find(|row| row.kind == RowKind::Statement);
    match (target.kind, last) {
        (TargetWord::Assertion, Some(last)) if last.line == target.line => {
            last.kind = RowKind::Target;
            last.note = joined(&last.note, "<-- violated");
        }
        _ => {
            let prefix = format!("{}::", target.procedure);
            let label = target.label.as_deref().map(|label| label.strip_prefix(&prefix).unwrap_or(label).to_owned());
            let note = format!("<-- {}", visible(label.as_deref().unwrap_or("here")));
            let text = labelled(label.as_slice(), &target.text);
            let after_init = story.events.len() > story.init_events as usize;
            let lane = story.events.last().map(|event| event.thread).filter(|_| story.is_concurrent() && after_init);
            rows.push(Row { line: target.line, lane, depth, kind: RowKind::Target, text, note });
        }
    }
}

/// A round ends where it began; what has ended, or cannot go on, stays where it is.
fn mark_end(rows: &mut Vec<Row>, story: &Story, lasso: &Lasso) {
    let depth = story.events.last().map_or(0, depth_after);
    let stays = |line, text: &str, note: &str| {
        let (text, note) = (text.to_owned(), format!("<-- {note}"));
        Row { line, lane: None, depth, kind: RowKind::Target, text, note }
    };
    match (lasso.ending, &lasso.stuck_at) {
        (Ending::Repeats, _) => {
            if rows.last().is_some_and(|row| row.kind == RowKind::Round) {
                rows.push(remark("(steps that no statement stands for)".to_owned()));
            }
            let grows = counted(u64::from(lasso.growth), "frame");
            let grows =
                if lasso.growth > 0 { format!("; every round adds {grows} to the stack") } else { String::new() };
            rows.push(Row::round(format!("and so on{grows}")));
        }
        (Ending::Stuck, Some(place)) => rows.push(stays(place.line, &place.text, "cannot go on here")),
        (Ending::Stuck, None) => rows.push(stays(None, "(cannot go on)", "stays so for ever")),
        (Ending::Ended, _) => rows.push(stays(None, "(the program has ended)", "stays so for ever")),
    }
}

fn depth_after(event: &Event) -> u32 {
    match event.kind {
        EventKind::Enter => event.depth + 1,
        EventKind::Return => event.depth.saturating_sub(1),
        EventKind::Step | EventKind::Call | EventKind::Spawn => event.depth,
    }
}

fn remark(text: String) -> Row {
    Row { line: None, lane: None, depth: 0, kind: RowKind::Remark, text, note: String::new() }
}

/// The text with its indentation.
pub(super) fn shown_text(row: &Row) -> String {
    let levels = row.depth.min(DEEPEST_INDENT) as usize;
    let levels = if row.kind == RowKind::Procedure { levels.saturating_sub(1) } else { levels };
    let depth = if row.depth > DEEPEST_INDENT { format!("[{}] ", row.depth) } else { String::new() };
    format!("{}{depth}{}", "  ".repeat(levels), row.text)
}

fn line(row: &Row, numbers: usize, column: usize, in_round: bool, paint: Paint) -> String {
    if row.kind == RowKind::Round {
        return format!("{}\n", paint.strong(&format!("+{} {}", "-".repeat(numbers + 1), row.text)));
    }
    let text = shown_text(row);
    let width = text.chars().count();
    // The first procedure stands in the column of numbers, so that its statements are seen to be inside.
    let outermost = row.kind == RowKind::Procedure && row.depth == 0;
    let number = match row.line {
        Some(line) => format!("{line:<numbers$} "),
        None if outermost => String::new(),
        None => " ".repeat(numbers + 1),
    };
    let margin = if outermost { numbers + 1 } else { 0 };
    let gap = if row.note.is_empty() { 0 } else { (column + margin).saturating_sub(width) + 2 };
    let text = match row.kind {
        RowKind::Statement => text,
        RowKind::Procedure | RowKind::Lanes | RowKind::Round => paint.strong(&text),
        RowKind::Remark | RowKind::Switch => paint.faint(&text),
        RowKind::Target => paint.bad(&text),
    };
    let note = if row.kind == RowKind::Target { paint.bad(&row.note) } else { paint.value(&row.note) };
    let edge = if in_round { paint.strong("|") } else { " ".to_owned() };
    let line = format!("{edge} {}{text}{}{note}", paint.faint(&number), " ".repeat(gap));
    format!("{}\n", line.trim_end())
}

fn summary(trace: &Trace, story: &Story, lasso: Option<&Lasso>, replayed: &str) -> String {
    let steps = match lasso.filter(|lasso| lasso.ending == Ending::Repeats) {
        Some(lasso) => format!("{}, then rounds of {}", counted(lasso.stem_steps, "step"), grouped(lasso.round_steps)),
        None => counted(trace.steps, "step"),
    };
    let depth = match trace.depth {
        0 => "no calls".to_owned(),
        depth => format!("{} deep", counted(u64::from(depth), "call")),
    };
    let shortest = match (trace.shortest, trace.switches) {
        (false, _) => "",
        (true, None) => ", shortest",
        (true, Some(_)) => ", shortest within the bound",
    };
    let switches = trace.switches.map(|n| format!(", {}", Bound::Switches(n))).unwrap_or_default();
    let values = if story.only_what_matters {
        "Not shown: values that do not matter."
    } else {
        "All values are shown: the run is too long to find out which of them matter."
    };
    format!("  {steps}{switches}, {depth}{shortest}. Replayed: {replayed}. {values}\n")
}

fn joined(one: &str, other: &str) -> String {
    if one.is_empty() { other.to_owned() } else { format!("{one}  {other}") }
}
