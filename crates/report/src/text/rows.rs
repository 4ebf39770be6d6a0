//! A story laid out as rows: one per statement, indented by call depth.
//!
//! A call that was shown before is one row, unless everything is to be expanded. Calls may nest very deeply and,
//! expanded, be longer than any terminal's patience, so the walk keeps its own stack and stops at a limit.

use std::collections::BTreeSet;

use crate::json::trace::{Event, EventKind, Opening, Statement, Story};
use crate::json::value::Known;
use crate::visible::{abridged, counted, visible};

/// One line of a trace, before it is laid out in columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Line in the source.
    pub line: Option<u32>,
    /// Calls that are open.
    pub depth: u32,
    /// What is on the row.
    pub kind: RowKind,
    /// The statement, or the name of a procedure.
    pub text: String,
    /// What is said in the right column.
    pub note: String,
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
    /// The target.
    Target,
}

/// Even an expanded trace ends somewhere.
pub const MOST_ROWS: usize = 200_000;

/// Characters of a value that are shown.
const LONGEST_VALUE: usize = 60;

/// The rows of a story; true when it goes on beyond the last row.
#[must_use]
pub fn rows(story: &Story, expand: bool) -> (Vec<Row>, bool) {
    let (shown, procedures) = (vec![false; story.calls.len()], procedures(story));
    let mut layout = Layout { story, expand, shown, procedures, rows: Vec::new(), thread: None, switches: 0 };
    for opening in &story.opening {
        layout.opening(opening);
    }
    let complete = layout.walk();
    (layout.rows, !complete)
}

struct Layout<'a> {
    story: &'a Story,
    expand: bool,
    /// Calls that have been shown.
    shown: Vec<bool>,
    procedures: BTreeSet<&'a str>,
    rows: Vec<Row>,
    thread: Option<u32>,
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
            if self.rows.len() >= MOST_ROWS {
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
            let depth = open.depth + event.depth;
            self.event(event, depth);
            if let Some(inside) = self.inside(event, depth) {
                stack.push(inside);
            }
        }
        true
    }

    fn event(&mut self, event: &Event, depth: u32) {
        self.switch_to(event.thread);
        match event.kind {
            EventKind::Step => self.statement(event, depth, self.values(&event.changed)),
            EventKind::Call if self.is_folded(event) => {
                let body = event.call.and_then(|call| self.story.calls.get(call as usize));
                let steps = counted(body.map_or(0, |body| body.steps), "step");
                let remark = format!("({steps}, as before; --expand)");
                self.statement(event, depth, joined(&self.values(&event.changed), &remark));
            }
            EventKind::Call => self.statement(event, depth, String::new()),
            EventKind::Enter => {
                self.statement(event, depth, self.values(&event.changed));
                let name = event.callee.clone().unwrap_or_default();
                self.procedure(&name, depth + 1, &event.values);
            }
            EventKind::Spawn => {
                let name = event.callee.clone().unwrap_or_default();
                self.statement(
                    event,
                    depth,
                    joined(&self.values(&event.changed), &format!("starts {}", visible(&name))),
                );
                self.remark_values(depth + 1, &visible(&name), &event.values);
            }
            EventKind::Return => self.remark_values(depth.saturating_sub(1), "returned", &event.changed),
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

    /// Steps that no statement stands for are shown only when they change something.
    fn statement(&mut self, event: &Event, depth: u32, note: String) {
        let statement = event.statement.and_then(|at| self.story.statements.get(at as usize));
        if statement.is_none() && note.is_empty() && event.kind == EventKind::Step {
            return;
        }
        let shown = |statement: &Statement| labelled(&statement.labels, &statement.text);
        let (line, text) = (statement.map(|statement| statement.line), statement.map(shown).unwrap_or_default());
        self.rows.push(Row { line, depth, kind: RowKind::Statement, text, note });
    }

    fn procedure(&mut self, name: &str, depth: u32, known: &[Known]) {
        let text = visible(name).into_owned();
        self.rows.push(Row { line: None, depth, kind: RowKind::Procedure, text, note: self.values(known) });
    }

    fn remark_values(&mut self, depth: u32, text: &str, known: &[Known]) {
        if !known.is_empty() {
            let (text, note) = (format!("({text})"), self.values(known));
            self.rows.push(Row { line: None, depth, kind: RowKind::Remark, text, note });
        }
    }

    fn opening(&mut self, opening: &Opening) {
        self.procedure(&opening.procedure, 0, &opening.values);
        self.thread.get_or_insert(opening.thread);
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

    /// Names the thread whenever another one moves.
    fn switch_to(&mut self, thread: u32) {
        if self.thread.replace(thread).is_none_or(|before| before == thread) {
            return;
        }
        self.switches += 1;
        let text = format!("-- switch {} to thread {thread} --", self.switches);
        self.rows.push(Row { line: None, depth: 0, kind: RowKind::Remark, text, note: String::new() });
        let later = self.story.later.iter().find(|opening| opening.thread == thread);
        if let Some(opening) = later {
            self.procedure(&opening.procedure, 0, &opening.values);
        }
    }
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
