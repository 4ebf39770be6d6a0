//! From the moves of a run to the story.
//!
//! Every variable that gets a value takes the next answer to the question whether that value is known. The order is that
//! of the record: the values at the start, then those that each move assigns.
//!
//! Without a record everything is known. Then calls that begin alike are alike, and the player executes only the first of
//! them; what happens inside the others is looked up.

use base::IdVec;
use program::interp::{Assigned, Configuration, Layout, Machine, Move, MoveKind, Player, ReplayError, ThreadState};
use program::{
    Action, EdgeId, EdgeKind, ProcedureId, Program, RunId, Scope, Trace, TraceStep, Value, VariableId, When,
};
use rustc_hash::FxHashMap;

use super::record::{Happened, Record, begun};
use super::shelf::Shelf;
use super::{Body, BodyId, Event, EventKind, Opening, Story, Values};

/// Tells what was recorded. `known` says which of the values are known that variables get, in order.
pub(super) fn narrate(trace: &Trace, record: Record<'_>, known: &[bool]) -> Story {
    let mut narrator = Narrator::new(record.program, trace, Some(known));
    let openings = narrator.openings(&record.start, &record.layout);
    for happened in record.moves {
        narrator.moved(happened, None);
    }
    narrator.finish(openings, record.has_begun)
}

/// Tells a trace with all values.
pub(super) fn narrate_all(program: &Program, trace: &Trace) -> Result<Story, ReplayError> {
    let mut player = Player::remembering(program, trace)?;
    let mut narrator = Narrator::new(program, trace, None);
    let openings = narrator.openings(player.machine().configuration(), player.machine().layout());
    loop {
        let before = narrator.before(player.machine());
        let Some(played) = player.next_move()? else { break };
        narrator.moved(Happened::new(played, player.machine()), before);
    }
    Ok(narrator.finish(openings, begun(player.machine()).is_some()))
}

struct Narrator<'a> {
    program: &'a Program,
    trace: &'a Trace,
    known: Option<&'a [bool]>,
    /// The next answer of `known`.
    next: usize,
    ranks: IdVec<VariableId, (u8, u32)>,
    /// What is being told, outermost first; never empty.
    chapters: Vec<Chapter>,
    shelf: Shelf,
    /// Per run: whether it is worth remembering what happens in it.
    is_reused: Vec<bool>,
    memory: FxHashMap<Key, BodyId>,
}

/// A list of steps that is being told.
struct Chapter {
    /// The run whose steps these are; none: the trace itself.
    run: Option<RunId>,
    /// The next step.
    at: usize,
    /// Open calls of its thread when it began.
    depth: usize,
    body: Body,
    /// What the call wrote to the caller's frame.
    saved: Values,
    /// Under what the body is remembered.
    key: Option<Key>,
}

/// A run, and shared values, private values and frame at its entry.
type Key = (RunId, Vec<Value>, Vec<Value>, Values);

/// Shared and private values before a call that is worth remembering.
type Before = Option<(Vec<Value>, Vec<Value>)>;

/// Openings at the start, and those after `init`.
type Openings = (Vec<Opening>, Vec<Opening>);

impl<'a> Narrator<'a> {
    fn new(program: &'a Program, trace: &'a Trace, known: Option<&'a [bool]>) -> Self {
        let procedure = program.init.or(program.threads.first().map(|thread| thread.start));
        let body = Body {
            procedure: procedure.unwrap_or(ProcedureId(0)),
            values: Vec::new(),
            events: Vec::new(),
            n_steps: 0,
            max_depth: 0,
        };
        Self {
            program,
            trace,
            known,
            next: 0,
            ranks: ranks(program),
            chapters: vec![Chapter { run: None, at: 0, depth: 0, body, saved: Vec::new(), key: None }],
            shelf: Shelf::default(),
            is_reused: reused_runs(trace),
            memory: FxHashMap::default(),
        }
    }

    fn chapter(&mut self) -> &mut Chapter {
        let Some(chapter) = self.chapters.last_mut() else { unreachable!("the trace itself is never done with") };
        chapter
    }

    fn is_known(&mut self) -> bool {
        let at = self.next;
        self.next += 1;
        self.known.is_none_or(|known| known.get(at).copied().unwrap_or(false))
    }

    fn finish(mut self, (opening, later): Openings, has_begun: bool) -> Story {
        let Some(Chapter { body, .. }) = self.chapters.pop() else {
            unreachable!("the trace itself is never done with")
        };
        Story {
            opening,
            later: if has_begun { later } else { Vec::new() },
            events: body.events,
            bodies: self.shelf.finish(),
            only_what_matters: self.known.is_some(),
            n_steps: body.n_steps,
            max_depth: body.max_depth,
        }
    }

    fn openings(&mut self, configuration: &Configuration, layout: &Layout) -> Openings {
        let mut values = self.known_values(layout.shared(), &configuration.shared);
        let has_init = configuration.waiting.is_some();
        let mut opening = Vec::with_capacity(configuration.threads.len());
        for (at, thread) in configuration.threads.iter().enumerate() {
            let private = self.known_values(layout.private(), &thread.private);
            // `init` has no private variables.
            values.extend(private.into_iter().filter(|_| !has_init));
            opening.push(self.opening(layout, at, thread, std::mem::take(&mut values)));
        }
        let mut later = Vec::new();
        for (at, thread) in configuration.waiting.iter().flatten().enumerate() {
            let private = self.known_values(layout.private(), &thread.private);
            later.push(self.opening(layout, at, thread, private));
        }
        (opening, later)
    }

    fn opening(&mut self, layout: &Layout, at: usize, thread: &ThreadState, mut values: Values) -> Opening {
        let frame = thread.top();
        let procedure = self.program.locations[frame.location].procedure;
        let locals = self.known_values(layout.frame(procedure), &frame.values);
        values.extend(self.ordered(locals));
        Opening { thread: at as u32, procedure, values }
    }

    fn known_values(&mut self, variables: &[VariableId], values: &[Value]) -> Values {
        let pairs = variables.iter().zip(values);
        pairs.filter(|_| self.is_known()).map(|(variable, value)| (*variable, value.clone())).collect()
    }

    fn known_of(&mut self, mut assigned: Vec<Assigned>) -> Vec<Assigned> {
        assigned.retain(|_| self.is_known());
        assigned
    }

    /// Parameters, then shared and private variables, then results, then other locals.
    fn ordered(&self, mut values: Values) -> Values {
        values.sort_by_key(|(variable, _)| self.ranks[*variable]);
        values
    }

    /// Looks at the step that comes next.
    fn before(&mut self, machine: &Machine<'_>) -> Before {
        let trace = self.trace;
        let Chapter { run, at, .. } = *self.chapter();
        let steps = run.map_or(&trace.steps, |run| &trace.runs[run.0 as usize].steps);
        let TraceStep { thread, action, .. } = steps.get(at)?;
        let Action::Across(_, run) = action else { return None };
        if self.is_reused.get(run.0 as usize) != Some(&true) {
            return None;
        }
        let configuration = machine.configuration();
        let state = begun(machine).unwrap_or(&configuration.threads).get(*thread as usize)?;
        Some((configuration.shared.clone(), state.private.clone()))
    }

    fn moved(&mut self, happened: Happened, before: Before) {
        let Happened { mut moved, run, depth } = happened;
        let key = match (run, before, moved.kind) {
            (Some(run), Some(state), MoveKind::Enter) => Some(self.key(run, state, &moved.assigned)),
            _ => None,
        };
        let assigned = std::mem::take(&mut moved.assigned);
        match (moved.kind, run) {
            (MoveKind::Step, _) => {
                let changed = pairs(self.known_of(assigned));
                self.event(&moved, depth, EventKind::Step, changed);
            }
            (MoveKind::Spawn, _) => self.spawn(&moved, depth, assigned),
            (MoveKind::Enter, None) => self.enter(&moved, depth, assigned),
            (MoveKind::Enter, Some(run)) => self.begin(&moved, run, depth, assigned, key),
            (MoveKind::Leave, None) => {
                let changed = pairs(self.known_of(assigned));
                self.event(&moved, depth + 1, EventKind::Return, changed);
            }
            (MoveKind::Leave, Some(run)) => self.end(&moved, run, depth, assigned),
        }
    }

    /// Adds an event and counts its step.
    fn event(&mut self, moved: &Move, depth: usize, kind: EventKind, changed: Values) {
        let chapter = self.chapter();
        let depth = (depth - chapter.depth) as u32;
        let body = &mut chapter.body;
        if kind != EventKind::Return {
            body.n_steps = body.n_steps.saturating_add(1);
        }
        if matches!(kind, EventKind::Enter { .. } | EventKind::Call(_)) {
            body.max_depth = body.max_depth.max(depth + 1);
        }
        // A call has been counted at its beginning.
        let is_call = matches!(kind, EventKind::Call(_));
        let Move { thread, edge, from, .. } = *moved;
        let location = if is_call { self.program.edges[edge].source } else { from };
        let chapter = self.chapter();
        chapter.at += usize::from(!is_call);
        chapter.body.events.push(Event { thread, depth, location, edge, kind, changed });
    }

    fn spawn(&mut self, moved: &Move, depth: usize, assigned: Vec<Assigned>) {
        let (changed, own): (Values, Values) = pairs(self.known_of(assigned))
            .into_iter()
            .partition(|(variable, _)| self.program.variables[*variable].scope == Scope::Shared);
        let kind = EventKind::Spawn { procedure: callee(self.program, moved.edge), values: self.ordered(own) };
        self.event(moved, depth, kind, changed);
    }

    fn enter(&mut self, moved: &Move, depth: usize, assigned: Vec<Assigned>) {
        let (saved, entered) = split(self.known_of(assigned));
        let kind = EventKind::Enter { procedure: callee(self.program, moved.edge), values: self.ordered(entered) };
        self.event(moved, depth - 1, kind, saved);
    }

    /// Begins to tell the inside of a call.
    fn begin(&mut self, moved: &Move, run: RunId, depth: usize, assigned: Vec<Assigned>, key: Option<Key>) {
        let (saved, entered) = split(self.known_of(assigned));
        let body = Body {
            procedure: callee(self.program, moved.edge),
            values: self.ordered(entered),
            events: Vec::new(),
            n_steps: 0,
            max_depth: 0,
        };
        self.chapter().at += 1;
        self.chapters.push(Chapter { run: Some(run), at: 0, depth, body, saved, key });
    }

    /// The state in which a call begins: what was there before, and what entering assigned.
    fn key(&self, run: RunId, state: (Vec<Value>, Vec<Value>), assigned: &[Assigned]) -> Key {
        let (mut shared, mut private) = state;
        let mut frame = Values::new();
        for Assigned { variable, value, .. } in assigned.iter().filter(|assigned| assigned.when == When::After) {
            let slot = self.ranks[*variable].1 as usize;
            match self.program.variables[*variable].scope {
                Scope::Shared => shared[slot] = value.clone(),
                Scope::Private => private[slot] = value.clone(),
                Scope::Local(_) => frame.push((*variable, value.clone())),
            }
        }
        frame.sort_unstable();
        (run, shared, private, frame)
    }

    /// Ends the inside of a call and tells the call itself.
    fn end(&mut self, moved: &Move, run: RunId, depth: usize, assigned: Vec<Assigned>) {
        let Some(chapter) = self.chapters.pop() else { unreachable!("a run that ends has begun") };
        let was_skipped = chapter.body.events.is_empty() && !self.trace.runs[run.0 as usize].steps.is_empty();
        let body = match (chapter.key, was_skipped) {
            (Some(key), true) => {
                let Some(body) = self.memory.get(&key) else {
                    unreachable!("a player skips only what it has played before")
                };
                *body
            }
            (key, _) => {
                let body = self.shelf.add(chapter.body);
                if let Some(key) = key {
                    self.memory.insert(key, body);
                }
                body
            }
        };
        let mut changed = chapter.saved;
        changed.retain(|(variable, _)| !assigned.iter().any(|assigned| assigned.variable == *variable));
        changed.extend(pairs(self.known_of(assigned)));
        self.event(moved, depth, EventKind::Call(body), changed);
        self.count_inside(depth, body);
    }

    fn count_inside(&mut self, depth: usize, inside: BodyId) {
        let (n_steps, max_depth) = self.shelf.measures(inside);
        let chapter = self.chapter();
        let depth = (depth - chapter.depth) as u32;
        let body = &mut chapter.body;
        body.n_steps = body.n_steps.saturating_add(n_steps);
        body.max_depth = body.max_depth.max(depth.saturating_add(1).saturating_add(max_depth));
    }
}

/// Where each variable stands when values are listed; for shared and private ones, the second number is the slot.
fn ranks(program: &Program) -> IdVec<VariableId, (u8, u32)> {
    let mut ranks = IdVec::filled(program.variables.len(), (0, 0));
    let mut give = |rank: u8, variables: &mut dyn Iterator<Item = VariableId>| {
        for (at, variable) in variables.enumerate() {
            ranks[variable] = (rank, at as u32);
        }
    };
    for procedure in &program.procedures {
        give(0, &mut procedure.parameters.iter().copied());
        give(3, &mut procedure.results.iter().copied());
        give(4, &mut procedure.locals.iter().copied());
    }
    give(1, &mut program.variables_in(Scope::Shared));
    give(2, &mut program.variables_in(Scope::Private));
    ranks
}

/// Per run: whether more than one step goes through it.
fn reused_runs(trace: &Trace) -> Vec<bool> {
    let mut n_uses = vec![0u32; trace.runs.len()];
    for step in trace.runs.iter().flat_map(|run| &run.steps).chain(&trace.steps) {
        if let Action::Across(_, run) = step.action
            && let Some(n_uses) = n_uses.get_mut(run.0 as usize)
        {
            *n_uses = n_uses.saturating_add(1);
        }
    }
    n_uses.into_iter().map(|n_uses| n_uses > 1).collect()
}

fn callee(program: &Program, edge: EdgeId) -> ProcedureId {
    match &program.edges[edge].kind {
        EdgeKind::Call(call) => call.callee,
        EdgeKind::Spawn(spawn) => spawn.callee,
        EdgeKind::Step(_) => unreachable!("a step enters nothing"),
    }
}

fn pairs(assigned: Vec<Assigned>) -> Values {
    assigned.into_iter().map(|assigned| (assigned.variable, assigned.value)).collect()
}

/// What is written to the caller's frame, and the rest.
fn split(assigned: Vec<Assigned>) -> (Values, Values) {
    let (saved, entered) = assigned.into_iter().partition(|assigned| assigned.when == When::Saved);
    (pairs(saved), pairs(entered))
}
