//! A run: told for people, with source lines and the values that matter, and written down for replay.

use base::{Id, IdVec, Position, Span};
use driver::evidence::story;
use driver::{Counterexample, Loaded};
use program::{Lasso, LocationId, Observation, ProcedureId, Role, Target, Value, VariableId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{Input, Tool, other_file};
use super::outcome::TargetName;
use super::replay::Replay;
use super::threads::{Switch, Turns};
use super::value::{JsonValue, Known};
use crate::visible::one_line;

/// The name and version of the trace format.
pub const TRACE_SCHEMA: &str = "cauldron-trace/1";

/// Characters of a statement that are kept.
const LONGEST_STATEMENT: usize = 160;

/// A trace in a file of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceDocument {
    /// Always `cauldron-trace/1`.
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// The program.
    pub input: Input,
    /// What the run reaches.
    pub target: TargetName,
    /// The run.
    pub trace: Trace,
}

/// A run that reaches a target, or a run without end up to the end of its first round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Number of steps when every call is written out.
    pub steps: u64,
    /// Changes of the active thread; missing: the program has one thread, or the run is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// Deepest nesting of calls.
    pub depth: u32,
    /// Whether no run reaches the target in fewer steps.
    pub shortest: bool,
    /// Whether the interpreter has replayed it.
    pub replayed: bool,
    /// The run as a story; null when it could not be told (only without validation).
    pub story: Option<Story>,
    /// The run as choices.
    pub replay: Option<Replay>,
}

/// How much of a run is wanted: telling a long one takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    /// Only that there is one.
    Mention,
    /// The story, for so many runs; the others are only mentioned.
    Stories(usize),
    /// The story of each, and the choices for replay.
    Everything,
}

impl Telling {
    /// Whether the `nth` run is to be told.
    fn wants_story(self, nth: usize) -> bool {
        match self {
            Self::Mention => false,
            Self::Stories(most) => nth < most,
            Self::Everything => true,
        }
    }
}

/// A run for people. Calls that return are listed once in `calls` and referred to by position, so that a story can be
/// far smaller than the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Story {
    /// True: only values that matter for reaching the target are given. False: the run was too long to find out.
    pub only_what_matters: bool,
    /// The names of the threads, by number, spawned ones at the end; missing for a program with one thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<String>,
    /// How many of the events belong to `init`, which runs as thread 0 before the others; 0 if missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub init_events: u32,
    /// The changes of the active thread, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<Switch>,
    /// The threads that exist at the start, with the values that are known.
    pub opening: Vec<Opening>,
    /// The threads that begin when `init` has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Opening>,
    /// The statements that are executed.
    pub statements: Vec<Statement>,
    /// What happens.
    pub events: Vec<Event>,
    /// For a run without end: the event with which the part begins that is repeated; if that is their number: nothing
    /// happens any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_start: Option<u32>,
    /// What happens inside calls that return.
    pub calls: Vec<CallBody>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The procedure that it is in.
    pub procedure: String,
    /// The file, if it is not the one that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
    /// The statement itself.
    pub text: String,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
}

/// The beginning of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Opening {
    /// Number of the thread.
    pub thread: u32,
    /// Where it starts.
    pub procedure: String,
    /// What is known.
    pub values: Vec<Known>,
}

/// What happens inside a call, from its entry to its return.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CallBody {
    /// The procedure that is called.
    pub procedure: String,
    /// What is known when it is entered.
    pub values: Vec<Known>,
    /// Number of steps when every call inside is written out.
    pub steps: u64,
    /// What happens.
    pub events: Vec<Event>,
}

/// Something that happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// The statement that is executed, as a position in `statements`; missing for steps that no statement stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<u32>,
    /// Which thread moves; 0 if missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thread: u32,
    /// Context switches that have happened before it (not inside `calls`); 0 if missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub switch: u32,
    /// Calls that are open, counted within the list that the event is in; 0 if missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The procedure that is called or started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// For a call that returns: what happens inside, as a position in `calls`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// For a call or thread that is entered here: what is known when it begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Known>,
    /// What is written and known; for a call that returns: when it has returned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Known>,
}

/// Kinds of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A statement is executed.
    Step,
    /// A procedure is called and returns.
    Call,
    /// A procedure is called; what follows happens inside.
    Enter,
    /// A procedure that was entered returns.
    Return,
    /// A thread is started.
    Spawn,
}

impl Story {
    /// Whether there is more than one thread.
    #[must_use]
    pub fn is_concurrent(&self) -> bool {
        self.threads.len() > 1
    }
}

pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Trace {
    /// Tells a counterexample, the `nth` of its kind.
    #[must_use]
    pub fn of(loaded: &Loaded, target: &Target, found: &Counterexample, nth: usize, telling: Telling) -> Self {
        let tell = || story::tell(&loaded.program, &found.trace).ok();
        let told = if telling.wants_story(nth) { tell() } else { None };
        let told = Self::told(loaded, &found.trace, target.location, told, telling);
        Self { shortest: found.shortest, replayed: found.replayed.is_yes(), ..told }
    }

    /// Tells a run without end, which is at `last` at the end of its first round.
    #[must_use]
    pub fn of_lasso(
        loaded: &Loaded,
        lasso: &Lasso,
        observations: &[Observation],
        (last, replayed): (LocationId, bool),
        telling: Telling,
    ) -> Self {
        let tell = || story::tell_lasso(&loaded.program, lasso, observations).ok();
        let told = if telling.wants_story(0) { tell() } else { None };
        let mut trace = Self { replayed, ..Self::told(loaded, &lasso.trace, last, told, telling) };
        if let Some(story) = &mut trace.story {
            story.loop_start = Some(lasso.loop_start as u32);
        }
        trace
    }

    fn told(
        loaded: &Loaded,
        trace: &program::Trace,
        last: LocationId,
        told: Option<story::Story>,
        telling: Telling,
    ) -> Self {
        let steps = told.as_ref().map_or_else(|| trace.n_steps(), |told| told.n_steps);
        let depth = told.as_ref().map_or(0, |told| told.max_depth);
        let story = told.map(|told| StoryTeller::new(loaded).story(&told));
        let wants_choices = telling == Telling::Everything;
        Self {
            steps,
            switches: story.as_ref().filter(|story| story.is_concurrent()).map(|story| story.switches.len() as u32),
            depth,
            shortest: false,
            replayed: false,
            story,
            replay: wants_choices.then(|| Replay::of(&loaded.program, trace, last)),
        }
    }
}

/// A place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The file, if it is not the one that was given.
    pub(crate) file: Option<String>,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) text: String,
}

impl Place {
    pub(crate) fn of(loaded: &Loaded, span: Span) -> Self {
        // In bytes there are no lines: the place is said by the byte.
        let Position { line, column } =
            loaded.sources.position(span).unwrap_or(Position { line: 0, column: span.start.saturating_add(1) });
        let text = one_line(loaded.sources.slice(span), LONGEST_STATEMENT);
        Self { file: other_file(&loaded.sources, span), line, column, text }
    }

    /// The statement that is about to be executed at a location.
    pub(crate) fn of_location(loaded: &Loaded, location: LocationId) -> Option<Self> {
        let span = loaded.origins.locations.get(location).copied().flatten()?;
        Some(Self::of(loaded, span))
    }
}

/// Puts names, lines and statements to the parts of a story.
struct StoryTeller<'a> {
    loaded: &'a Loaded,
    statements: Vec<Statement>,
    /// Where in `statements` the statements of a location are, by their spans.
    known: IdVec<LocationId, Vec<(Span, u32)>>,
    /// The names of variables that have occurred.
    names: IdVec<VariableId, Option<String>>,
}

impl<'a> StoryTeller<'a> {
    fn new(loaded: &'a Loaded) -> Self {
        let known = IdVec::filled(loaded.program.locations.len(), Vec::new());
        let names = IdVec::filled(loaded.program.variables.len(), None);
        Self { loaded, statements: Vec::new(), known, names }
    }

    fn story(mut self, told: &story::Story) -> Story {
        let turns = Turns::of(self.loaded, told);
        let mut events: Vec<Event> = told.events.iter().map(|event| self.event(event)).collect();
        // A start with several frames is made by a step of its own: it is said once, at the beginning.
        if let (Some(event), Some(told)) = (events.first_mut(), told.events.first()) {
            event.statement = self.statement(told);
        }
        events.iter_mut().zip(&turns.of_event).for_each(|(event, switch)| event.switch = *switch);
        let calls = told.bodies.iter().map(|body| self.body(body)).collect();
        Story {
            only_what_matters: told.only_what_matters,
            threads: turns.names,
            init_events: turns.init_events,
            switches: turns.switches,
            opening: told.opening.iter().map(|opening| self.opening(opening)).collect(),
            later: told.later.iter().map(|opening| self.opening(opening)).collect(),
            statements: self.statements,
            events,
            loop_start: None,
            calls,
        }
    }

    fn opening(&mut self, opening: &story::Opening) -> Opening {
        let (thread, procedure) = (opening.thread, self.procedure(opening.procedure));
        Opening { thread, procedure, values: self.values(&opening.values) }
    }

    fn body(&mut self, body: &story::Body) -> CallBody {
        CallBody {
            procedure: self.procedure(body.procedure),
            values: self.values(&body.values),
            steps: body.n_steps,
            events: body.events.iter().map(|event| self.event(event)).collect(),
        }
    }

    fn event(&mut self, event: &story::Event) -> Event {
        let mut values: &[(VariableId, Value)] = &[];
        let (mut callee, mut call) = (None, None);
        let kind = match &event.kind {
            story::EventKind::Step => EventKind::Step,
            story::EventKind::Return => EventKind::Return,
            story::EventKind::Call(body) => {
                call = Some(body.index() as u32);
                EventKind::Call
            }
            story::EventKind::Enter { procedure, values: known } => {
                (callee, values) = (Some(*procedure), known);
                EventKind::Enter
            }
            story::EventKind::Spawn { procedure, values: known } => {
                (callee, values) = (Some(*procedure), known);
                EventKind::Spawn
            }
        };
        Event {
            kind,
            statement: if self.is_silent(event) { None } else { self.statement(event) },
            thread: event.thread,
            switch: 0,
            depth: event.depth,
            callee: callee.map(|callee| self.procedure(callee)),
            call,
            values: self.values(values),
            changed: self.values(&event.changed),
        }
    }

    /// A return happens at an exit, where there is no statement; what goes on in the middle of one has been said.
    fn is_silent(&self, event: &story::Event) -> bool {
        event.kind == story::EventKind::Return || self.loaded.program.locations[event.location].role == Role::Between
    }

    fn statement(&mut self, event: &story::Event) -> Option<u32> {
        let loaded = self.loaded;
        let of_edge = loaded.origins.edges.get(event.edge).copied().flatten();
        let of_location = || loaded.origins.locations.get(event.location).copied().flatten();
        let span = of_edge.or_else(of_location)?;
        let known = &mut self.known[event.location];
        if let Some((_, position)) = known.iter().find(|(known, _)| *known == span) {
            return Some(*position);
        }
        let position = self.statements.len() as u32;
        known.push((span, position));
        let location = &loaded.program.locations[event.location];
        let place = Place::of(loaded, span);
        self.statements.push(Statement {
            procedure: loaded.program.procedures[location.procedure].name.clone(),
            file: place.file,
            line: place.line,
            column: place.column,
            text: place.text,
            labels: location.labels.clone(),
        });
        Some(position)
    }

    fn procedure(&self, procedure: ProcedureId) -> String {
        self.loaded.program.procedures[procedure].name.clone()
    }

    fn values(&mut self, values: &[(VariableId, Value)]) -> Vec<Known> {
        let loaded = self.loaded;
        let known = |(variable, value): &(VariableId, Value)| {
            let name = self.names[*variable].get_or_insert_with(|| loaded.program.qualified_name(*variable));
            Known { variable: name.clone(), value: JsonValue::written(loaded, *variable, value) }
        };
        values.iter().map(known).collect()
    }
}
