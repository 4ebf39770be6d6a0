//! From the moves of a run to the story.
//!
//! The run is played once more, and every variable that gets a value takes the next answer to the question whether that
//! value is known. The order is that of the record: the values at the start, then those that each move assigns.
//!
//! When everything is known, calls that begin alike are alike, and the player executes only the first of them; what
//! happens inside the others is looked up.

use base::IdVec;
use program::interp::{Assigned, Configuration, Machine, MoveKind, Played, Player, ReplayError, ThreadState};
use program::{
    Action, EdgeId, EdgeKind, LocationId, ProcedureId, Program, RunId, Scope, Trace, TraceStep, Value, VariableId, When,
};
use rustc_hash::FxHashMap;

use super::shelf::Shelf;
use super::{Body, BodyId, Event, EventKind, Opening, Story, Values};

/// Tells a trace. `known` says which of the values are known that variables get, in order; none: all of them are.
pub(super) fn narrate(program: &Program, trace: &Trace, known: Option<&[bool]>) -> Result<Story, ReplayError> {
    let mut player = match known {
        Some(_) => Player::new(program, trace)?,
        None => Player::remembering(program, trace)?,
    };
    let mut narrator = Narrator::new(program, trace, known);
    let (opening, later) = narrator.openings(player.machine());
    loop {
        let before = narrator.before(player.machine());
        let Some(played) = player.next_move()? else { break };
        narrator.moved(before, &played, player.machine().configuration());
    }
    let Some(Chapter { body, .. }) = narrator.chapters.pop() else {
        unreachable!("the trace itself is never done with")
    };
    Ok(Story {
        opening,
        later: if begun(player.machine()).is_some() { later } else { Vec::new() },
        events: body.events,
        bodies: narrator.shelf.finish(),
        only_what_matters: known.is_some(),
        n_steps: body.n_steps,
        max_depth: body.max_depth,
    })
}

/// The threads of the program, once `init` is over; it ends without a move of its own.
fn begun<'a>(machine: &'a Machine<'_>) -> Option<&'a [ThreadState]> {
    let configuration = machine.configuration();
    let Some(waiting) = &configuration.waiting else { return Some(&configuration.threads) };
    let init = configuration.threads.first()?;
    (init.frames.len() == 1 && machine.is_exit(init.top().location)).then_some(waiting)
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

/// What is gone after a move.
#[derive(Default)]
struct Before {
    /// Where the thread was.
    location: Option<LocationId>,
    /// Shared and private values, before a call that is worth remembering.
    state: Option<(Vec<Value>, Vec<Value>)>,
}

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

    /// Openings at the start, and those after `init`.
    fn openings(&mut self, machine: &Machine<'_>) -> (Vec<Opening>, Vec<Opening>) {
        let configuration = machine.configuration();
        let layout = machine.layout();
        let mut values = self.known_values(layout.shared(), &configuration.shared);
        let has_init = configuration.waiting.is_some();
        let mut opening = Vec::with_capacity(configuration.threads.len());
        for (at, thread) in configuration.threads.iter().enumerate() {
            let private = self.known_values(layout.private(), &thread.private);
            // `init` has no private variables.
            values.extend(private.into_iter().filter(|_| !has_init));
            opening.push(self.opening(machine, at, thread, std::mem::take(&mut values)));
        }
        let mut later = Vec::new();
        for (at, thread) in configuration.waiting.iter().flatten().enumerate() {
            let private = self.known_values(layout.private(), &thread.private);
            later.push(self.opening(machine, at, thread, private));
        }
        (opening, later)
    }

    fn opening(&mut self, machine: &Machine<'_>, at: usize, thread: &ThreadState, mut values: Values) -> Opening {
        let frame = thread.top();
        let procedure = self.program.locations[frame.location].procedure;
        let locals = self.known_values(machine.layout().frame(procedure), &frame.values);
        values.extend(self.ordered(locals));
        Opening { thread: at as u32, procedure, values }
    }

    fn known_values(&mut self, variables: &[VariableId], values: &[Value]) -> Values {
        let pairs = variables.iter().zip(values);
        pairs.filter(|_| self.is_known()).map(|(variable, value)| (*variable, value.clone())).collect()
    }

    fn known_of(&mut self, assigned: &[Assigned]) -> Vec<Assigned> {
        assigned.iter().filter(|_| self.is_known()).cloned().collect()
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
        let Some(TraceStep { thread, action, .. }) = steps.get(at) else { return Before::default() };
        let configuration = machine.configuration();
        let threads = begun(machine).unwrap_or(&configuration.threads);
        let Some(state) = threads.get(*thread as usize) else { return Before::default() };
        let remember = match action {
            Action::Across(_, run) => self.known.is_none() && self.is_reused.get(run.0 as usize) == Some(&true),
            _ => false,
        };
        Before {
            location: Some(state.top().location),
            state: remember.then(|| (configuration.shared.clone(), state.private.clone())),
        }
    }

    fn moved(&mut self, before: Before, played: &Played<'_>, now: &Configuration) {
        let moved = &played.moved;
        let known = self.known_of(&moved.assigned);
        let depth = now.threads[moved.thread as usize].frames.len() - 1;
        match (moved.kind, played.run) {
            (MoveKind::Step, _) => self.event(played, depth, EventKind::Step, pairs(known)),
            (MoveKind::Spawn, _) => self.spawn(played, depth, known),
            (MoveKind::Enter, None) => self.enter(played, depth, known),
            (MoveKind::Enter, Some(run)) => self.begin(before, played, run, depth, known),
            (MoveKind::Leave, None) => {
                self.event(played, depth + 1, EventKind::Return, pairs(known));
                let exit = before.location;
                if let (Some(event), Some(exit)) = (self.chapter().body.events.last_mut(), exit) {
                    event.location = exit;
                }
            }
            (MoveKind::Leave, Some(run)) => self.end(played, run, depth, known),
        }
    }

    /// Adds an event and counts its step.
    fn event(&mut self, played: &Played<'_>, depth: usize, kind: EventKind, changed: Values) {
        let chapter = self.chapter();
        let depth = (depth - chapter.depth) as u32;
        let body = &mut chapter.body;
        if kind != EventKind::Return {
            body.n_steps = body.n_steps.saturating_add(1);
        }
        if matches!(kind, EventKind::Enter { .. } | EventKind::Call(_)) {
            body.max_depth = body.max_depth.max(depth + 1);
        }
        let (thread, edge) = (played.moved.thread, played.moved.edge);
        // A call has been counted at its beginning.
        chapter.at += usize::from(!matches!(kind, EventKind::Call(_)));
        let location = self.program.edges[edge].source;
        self.chapter().body.events.push(Event { thread, depth, location, edge, kind, changed });
    }

    fn spawn(&mut self, played: &Played<'_>, depth: usize, known: Vec<Assigned>) {
        let (changed, own): (Values, Values) = pairs(known)
            .into_iter()
            .partition(|(variable, _)| self.program.variables[*variable].scope == Scope::Shared);
        let kind = EventKind::Spawn { procedure: callee(self.program, played.moved.edge), values: self.ordered(own) };
        self.event(played, depth, kind, changed);
    }

    fn enter(&mut self, played: &Played<'_>, depth: usize, known: Vec<Assigned>) {
        let (saved, entered) = split(known);
        let kind =
            EventKind::Enter { procedure: callee(self.program, played.moved.edge), values: self.ordered(entered) };
        self.event(played, depth - 1, kind, saved);
    }

    /// Begins to tell the inside of a call.
    fn begin(&mut self, before: Before, played: &Played<'_>, run: RunId, depth: usize, known: Vec<Assigned>) {
        let key = before.state.map(|state| self.key(run, state, &played.moved.assigned));
        let (saved, entered) = split(known);
        let body = Body {
            procedure: callee(self.program, played.moved.edge),
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
    fn end(&mut self, played: &Played<'_>, run: RunId, depth: usize, known: Vec<Assigned>) {
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
        changed.retain(|(variable, _)| !played.moved.assigned.iter().any(|assigned| assigned.variable == *variable));
        changed.extend(pairs(known));
        self.event(played, depth, EventKind::Call(body), changed);
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
