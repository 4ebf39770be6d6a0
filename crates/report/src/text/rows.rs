//! A story laid out as rows: one per statement, indented by call depth.
//!
//! A call that was shown before is one row, unless everything is to be expanded. Calls may nest very deeply and,
//! expanded, be longer than any terminal's patience, so the walk keeps its own stack and stops at a limit.

use std::collections::BTreeSet;
use std::ops::Range;

use super::stacks;
use crate::json::threads::Switch;
use crate::json::trace::{Event, EventKind, Opening, Statement, Story};
use crate::json::value::Known;
use crate::visible::{abridged, counted, visible};

/// One line of a trace, before it is laid out in columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Line in the source.
    pub line: Option<u32>,
    /// The thread in whose lane it stands; none: across all lanes.
    pub lane: Option<u32>,
    /// Calls that are open.
    pub depth: u32,
    /// What is on the row.
    pub kind: RowKind,
    /// The statement, or the name of a procedure.
    pub text: String,
    /// What is said in the right column.
    pub note: String,
}

impl Row {
    /// The beginning or the end of a part that is repeated.
    pub(super) fn round(text: String) -> Self {
        Self { line: None, lane: None, depth: 0, kind: RowKind::Round, text, note: String::new() }
    }
}

/// What is on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A statement.
    Statement,
    /// The name of a procedure that begins.
    Procedure,
    /// A remark about the trace itself.
    Remark,
    /// A change of the active thread, or a stack at that moment.
    Switch,
    /// The target.
    Target,
    /// The names of the threads, at the head of their lanes.
    Lanes,
    /// Where a part begins or ends that is repeated for ever.
    Round,
}

/// Even an expanded trace ends somewhere.
pub const MOST_ROWS: usize = 200_000;

/// Characters of a value that are shown.
const LONGEST_VALUE: usize = 60;

/// The rows of a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The rows that are not hidden.
    pub rows: Vec<Row>,
    /// How many there are with the hidden ones.
    pub n_rows: usize,
    /// Whether the story goes on beyond the last row.
    pub goes_on: bool,
    /// The source line of the last statement, hidden or not.
    pub last_line: Option<u32>,
    /// Which row says that what follows is repeated. It is there even in a hidden range.
    pub round: Option<usize>,
}

/// The rows of a story. Those in a hidden range are counted, which is far less work than writing them.
#[must_use]
pub fn rows(story: &Story, expand: bool, hidden: Range<usize>) -> Rows {
    let (shown, procedures) = (vec![false; story.calls.len()], procedures(story));
    let rows = Rows { rows: Vec::new(), n_rows: 0, goes_on: false, last_line: None, round: None };
    let mut layout = Layout { story, expand, hidden, shown, procedures, rows, lane: None, switches: 0 };
    layout.begin();
    layout.rows.goes_on = !layout.walk();
    layout.rows
}

struct Layout<'a> {
    story: &'a Story,
    expand: bool,
    hidden: Range<usize>,
    /// Calls that have been shown.
    shown: Vec<bool>,
    procedures: BTreeSet<&'a str>,
    rows: Rows,
    /// The thread whose turn it is, where there are several.
    lane: Option<u32>,
    switches: u32,
}

/// A list of events that is being walked through.
struct Open<'a> {
    events: &'a [Event],
    next: usize,
    /// Depth of the list's own frame.
    depth: u32,
    /// What is written when the call returns, and the depth of the caller.
    returned: Option<&'a Event>,
}

impl<'a> Layout<'a> {
    /// False when there are too many rows.
    fn walk(&mut self) -> bool {
        let mut stack = vec![Open { events: &self.story.events, next: 0, depth: 0, returned: None }];
        while let Some(open) = stack.last_mut() {
            if self.rows.n_rows >= MOST_ROWS {
                return false;
            }
            let Some(event) = open.events.get(open.next) else {
                let (depth, returned) = (open.depth, open.returned);
                stack.pop();
                if let Some(event) = returned {
                    self.remark_values(depth - 1, "returned", &event.changed);
                }
                continue;
            };
            open.next += 1;
            let (depth, position) = (open.depth + event.depth, open.next - 1);
            if open.returned.is_none() {
                self.turn(event, position);
                self.round(position);
            }
            self.event(event, depth);
            if let Some(inside) = self.inside(event, depth) {
                stack.push(inside);
            }
        }
        true
    }

    fn event(&mut self, event: &'a Event, depth: u32) {
        let changed = &event.changed;
        let name = || event.callee.as_deref().unwrap_or_default();
        match event.kind {
            // Steps that no statement stands for are shown only when they change something.
            EventKind::Step if event.statement.is_none() && changed.is_empty() => {}
            EventKind::Step => self.statement(event, depth, |layout| layout.values(changed)),
            EventKind::Call if self.is_folded(event) => self.statement(event, depth, |layout| {
                let body = event.call.and_then(|call| layout.story.calls.get(call as usize));
                let steps = counted(body.map_or(0, |body| body.steps), "step");
                joined(&layout.values(changed), &format!("({steps}, as before; --expand)"))
            }),
            EventKind::Call if event.statement.is_none() => {}
            EventKind::Call => self.statement(event, depth, |_| String::new()),
            EventKind::Enter => {
                if event.statement.is_some() || !changed.is_empty() {
                    self.statement(event, depth, |layout| layout.values(changed));
                }
                self.procedure(name(), depth + 1, &event.values);
            }
            EventKind::Spawn => {
                let starts = || format!("starts {}", visible(name()));
                self.statement(event, depth, |layout| joined(&layout.values(changed), &starts()));
                self.remark_values(depth + 1, &visible(name()), &event.values);
            }
            EventKind::Return => self.remark_values(depth.saturating_sub(1), "returned", changed),
        }
    }

    /// The inside of a call that is to be shown.
    fn inside(&mut self, event: &'a Event, depth: u32) -> Option<Open<'a>> {
        if event.kind != EventKind::Call || self.is_folded(event) {
            return None;
        }
        let call = event.call? as usize;
        let body = self.story.calls.get(call)?;
        self.shown[call] = true;
        self.procedure(&body.procedure, depth + 1, &body.values);
        Some(Open { events: &body.events, next: 0, depth: depth + 1, returned: Some(event) })
    }

    fn is_folded(&self, event: &Event) -> bool {
        let shown = event.call.and_then(|call| self.shown.get(call as usize)).copied();
        !self.expand && shown.unwrap_or(false)
    }

    fn push(&mut self, row: impl FnOnce(&Self) -> Row) {
        if !self.hidden.contains(&self.rows.n_rows) {
            let row = row(self);
            self.rows.rows.push(Row { lane: self.lane, ..row });
        }
        self.rows.n_rows += 1;
    }

    fn statement(&mut self, event: &Event, depth: u32, note: impl FnOnce(&Self) -> String) {
        let statement = event.statement.and_then(|at| self.story.statements.get(at as usize));
        let line = statement.map(|statement| statement.line);
        self.rows.last_line = line;
        self.push(|layout| {
            let shown = |statement: &Statement| labelled(&statement.labels, &statement.text);
            let text = statement.map(shown).unwrap_or_default();
            Row { line, lane: None, depth, kind: RowKind::Statement, text, note: note(layout) }
        });
    }

    fn procedure(&mut self, name: &str, depth: u32, known: &[Known]) {
        self.push(|layout| {
            let (text, note) = (visible(name).into_owned(), layout.values(known));
            Row { line: None, lane: None, depth, kind: RowKind::Procedure, text, note }
        });
    }

    fn remark_values(&mut self, depth: u32, text: &str, known: &[Known]) {
        if known.is_empty() {
            return;
        }
        self.push(|layout| {
            let (text, note) = (format!("({text})"), layout.values(known));
            Row { line: None, lane: None, depth, kind: RowKind::Remark, text, note }
        });
    }

    /// Says that what follows is repeated.
    fn round(&mut self, position: usize) {
        if self.story.loop_start.is_some_and(|start| start as usize == position) {
            self.rows.round = Some(self.rows.n_rows);
            self.rows.rows.push(Row::round("from here on, again and again".to_owned()));
            self.rows.n_rows += 1;
        }
    }

    /// What is known before anything happens.
    fn begin(&mut self) {
        let story = self.story;
        if !story.is_concurrent() || has_init(story) {
            story.opening.iter().for_each(|opening| self.procedure(&opening.procedure, 0, &opening.values));
        } else {
            self.threads(&story.opening);
        }
    }

    /// The heads of the lanes, and the beginnings of those threads that will move or of which something is known.
    fn threads(&mut self, openings: &'a [Opening]) {
        let story = self.story;
        self.lane = None;
        self.push(|_| Row {
            line: None,
            lane: None,
            depth: 0,
            kind: RowKind::Lanes,
            text: String::new(),
            note: String::new(),
        });
        let first = story.init_events as usize;
        for opening in openings {
            let moves = story.events.iter().skip(first).any(|event| event.thread == opening.thread);
            if moves || !opening.values.is_empty() {
                self.lane = Some(opening.thread);
                self.procedure(&opening.procedure, 0, &opening.values);
            }
        }
    }

    /// Whose turn it is.
    fn turn(&mut self, event: &Event, position: usize) {
        let story = self.story;
        if !story.is_concurrent() || position < story.init_events as usize {
            return;
        }
        if position == story.init_events as usize && has_init(story) {
            self.threads(&story.later);
        }
        if event.switch > self.switches {
            self.switches = event.switch;
            let stopped = self.lane.take();
            if let Some(switch) = story.switches.get(event.switch as usize - 1) {
                self.switch(switch, stopped);
            }
        }
        self.lane = Some(event.thread);
    }

    /// A switch, with the shared variables of which the values are known and the stacks of the two threads.
    fn switch(&mut self, switch: &Switch, stopped: Option<u32>) {
        let story = self.story;
        let row = |depth, text, note| Row { line: None, lane: None, depth, kind: RowKind::Switch, text, note };
        let name = story.threads.get(switch.thread as usize).map(|name| visible(name)).unwrap_or_default();
        self.push(|layout| {
            let text = format!("-- switch {} to {name} --", switch.number);
            row(0, text, layout.values(&switch.shared))
        });
        for stack in stacks::lines(story, switch, stopped, self.expand) {
            self.push(|_| row(1, format!(" {stack}"), String::new()));
        }
    }

    /// `x=1 y=0`; the names of locals are shown without their procedure.
    fn values(&self, known: &[Known]) -> String {
        let shown = known.iter().map(|known| {
            let local = known.variable.rsplit_once("::").filter(|(procedure, _)| self.procedures.contains(procedure));
            let name = local.map_or(known.variable.as_str(), |(_, name)| name);
            format!("{}={}", abridged(name, LONGEST_VALUE), abridged(&known.value.show(), LONGEST_VALUE))
        });
        shown.collect::<Vec<_>>().join(" ")
    }
}

/// Whether something runs before the threads.
fn has_init(story: &Story) -> bool {
    story.init_events > 0 || !story.later.is_empty()
}

/// The names of all procedures that occur.
fn procedures(story: &Story) -> BTreeSet<&str> {
    let statements = story.statements.iter().map(|statement| statement.procedure.as_str());
    let calls = story.calls.iter().map(|call| call.procedure.as_str());
    let openings = story.opening.iter().chain(&story.later).map(|opening| opening.procedure.as_str());
    let callees = story.events.iter().filter_map(|event| event.callee.as_deref());
    statements.chain(calls).chain(openings).chain(callees).collect()
}

/// `L: M: statement`.
pub(crate) fn labelled(labels: &[String], text: &str) -> String {
    let mut shown = String::new();
    for label in labels {
        shown.push_str(&abridged(label, LONGEST_VALUE));
        shown.push_str(": ");
    }
    shown.push_str(text);
    shown
}

fn joined(one: &str, other: &str) -> String {
    if one.is_empty() { other.to_owned() } else { format!("{one} {other}") }
}
