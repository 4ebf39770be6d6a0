//! A run as a list of definitions.
//!
//! Whenever a variable gets a value, that is a definition, and every read is resolved to the definition that it reads.
//! So the questions where a value comes from and what depends on it need no knowledge of frames, calls or threads.

use std::ops::Range;

use program::interp::{
    Assigned, Configuration, Layout, Machine, Move, MoveKind, Played, Player, Possible, Reader, ReplayError,
    ThreadState, possible_values,
};
use program::{EdgeKind, Expr, ProcedureId, Program, RunId, Scope, Trace, Value, VariableId, When};
use rustc_hash::FxHashMap;

use super::template::{Source, Template};

/// A definition, by position in [`Record::definitions`].
pub(super) type DefinitionId = u32;

/// A run as a list of definitions.
pub(super) struct Record<'a> {
    pub(super) program: &'a Program,
    /// Those at the start (shared variables, then private variables and first frame of each thread), then those of the
    /// moves, each in the order of [`program::interp::Move::assigned`].
    pub(super) definitions: Vec<Definition>,
    /// The start, for each thread; then the moves.
    pub(super) scenes: Vec<Scene>,
    /// How many scenes are the start.
    pub(super) n_start: usize,
    /// The configuration at the start, and where values are in it.
    pub(super) start: Configuration,
    pub(super) layout: Layout,
    /// The moves.
    pub(super) moves: Vec<Happened>,
    /// Whether the threads of the program have begun; with an `init`: whether that is over.
    pub(super) has_begun: bool,
    /// For a run that repeats itself: what is in sight when a round begins, and what is in its place when the round ends.
    pub(super) round: Vec<(DefinitionId, DefinitionId)>,
    templates: Vec<Template<'a>>,
    /// What the scenes read, one after the other.
    reads: Vec<DefinitionId>,
}

/// What of a run matters beside the way that it takes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Watched<'a> {
    /// Conditions that must stay true or false at every moment; with whose locals they read, if any.
    pub(super) conditions: Vec<(&'a Expr, Option<ProcedureId>)>,
    /// The step with which a round begins, if the run is to repeat itself.
    pub(super) loop_start: Option<usize>,
}

/// A move, and what there is to say about it when others have followed.
pub(super) struct Happened {
    pub(super) moved: Move,
    /// The run that is entered or left.
    pub(super) run: Option<RunId>,
    /// Calls of the thread that are open after the move.
    pub(super) depth: usize,
}

impl Happened {
    pub(super) fn new(played: Played<'_>, machine: &Machine<'_>) -> Self {
        let Played { moved, run, .. } = played;
        let depth = machine.configuration().threads[moved.thread as usize].frames.len() - 1;
        Self { moved, run, depth }
    }
}

/// The threads of the program, once `init` is over; it ends without a move of its own.
pub(super) fn begun<'a>(machine: &'a Machine<'_>) -> Option<&'a [ThreadState]> {
    let configuration = machine.configuration();
    let Some(waiting) = &configuration.waiting else { return Some(&configuration.threads) };
    let init = configuration.threads.first()?;
    (init.frames.len() == 1 && machine.is_exit(init.top().location)).then_some(waiting)
}

/// A variable that gets a value.
pub(super) struct Definition {
    pub(super) variable: VariableId,
    pub(super) value: Value,
    pub(super) scene: u32,
    /// Which source of the scene's template it has; none: arbitrary.
    write: Option<u32>,
}

/// Something that reads and writes.
#[derive(Clone)]
pub(super) struct Scene {
    template: u32,
    /// Where its reads begin.
    reads: usize,
    pub(super) definitions: Range<DefinitionId>,
}

impl<'a> Record<'a> {
    /// Plays a trace, with an eye on some conditions.
    pub(super) fn of(program: &'a Program, trace: &'a Trace, watched: &Watched<'a>) -> Result<Self, ReplayError> {
        let mut player = Player::new(program, trace)?;
        let mut recorder = Recorder::start(program, player.machine());
        let mut sight = Vec::new();
        loop {
            recorder.watch(player.machine(), &watched.conditions);
            if watched.loop_start.is_some() && player.n_steps_done() == watched.loop_start {
                sight = recorder.sight();
            }
            let Some(played) = player.next_move()? else { break };
            recorder.moved(&played.moved, player.machine().configuration());
            recorder.record.moves.push(Happened::new(played, player.machine()));
        }
        if watched.loop_start == Some(trace.steps.len()) {
            recorder.stuck(player.machine());
        }
        recorder.record.round = sight.into_iter().zip(recorder.sight()).collect();
        recorder.record.has_begun = begun(player.machine()).is_some();
        Ok(recorder.record)
    }

    pub(super) fn template(&self, scene: &Scene) -> &Template<'a> {
        &self.templates[scene.template as usize]
    }

    /// Where the value of a definition comes from.
    pub(super) fn source(&self, definition: DefinitionId) -> &Source<'a> {
        let Definition { scene, write, .. } = &self.definitions[definition as usize];
        match write {
            Some(at) => self.template(&self.scenes[*scene as usize]).source_at(*at),
            None => &Source::Open,
        }
    }

    /// The definition that a scene reads.
    pub(super) fn read(&self, scene: &Scene, variable: VariableId, when: When) -> DefinitionId {
        let Ok(at) = self.template(scene).reads.binary_search(&(variable, when)) else {
            unreachable!("a template lists all reads of its expressions")
        };
        self.reads[scene.reads + at]
    }

    /// The values in the run.
    pub(super) fn values<'r>(&'r self, scene: &'r Scene) -> Values<'r> {
        Values { record: self, scene, known: None }
    }

    /// Those that are known.
    pub(super) fn known_values<'r>(&'r self, scene: &'r Scene, known: &'r [bool]) -> Values<'r> {
        Values { record: self, scene, known: Some(known) }
    }
}

/// Reads values of a run.
#[derive(Clone, Copy)]
pub(super) struct Values<'r> {
    record: &'r Record<'r>,
    scene: &'r Scene,
    known: Option<&'r [bool]>,
}

/// The values of sorts with at most so many are listed where nothing is known.
const WORTH_LISTING: usize = 16;

impl Reader for Values<'_> {
    fn read(&self, variable: VariableId, when: When) -> Possible {
        let definition = self.record.read(self.scene, variable, when) as usize;
        if self.known.is_none_or(|known| known[definition]) {
            Possible::one(self.record.definitions[definition].value.clone())
        } else {
            let program = self.record.program;
            Possible::all(program, program.sort(variable), WORTH_LISTING)
        }
    }
}

/// The definitions that the variables have now.
struct Recorder<'a> {
    record: Record<'a>,
    shared: Vec<DefinitionId>,
    threads: Vec<Thread>,
    waiting: Option<Vec<Thread>>,
    /// The thread that moved last.
    active: Option<u32>,
    /// By relation.
    templates: FxHashMap<Key, u32>,
}

/// What a template is made of: the relation of an edge for one kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Switch,
    /// A condition that is watched, and the value that it has.
    Watched(usize, bool),
    /// The guard of an edge, and the value that it has.
    Guard(u32, bool),
    /// An edge, and whether a call is left along it.
    Edge(u32, bool),
}

struct Thread {
    private: Vec<DefinitionId>,
    /// Innermost last.
    frames: Vec<Vec<DefinitionId>>,
}

/// Which thread's variables are meant, and which frame, counted from the innermost.
#[derive(Clone, Copy)]
struct Around {
    thread: usize,
    depth: usize,
}

impl<'a> Recorder<'a> {
    fn start(program: &'a Program, machine: &Machine<'_>) -> Self {
        let configuration = machine.configuration();
        let start = match program.threads.as_slice() {
            [] => Template::default(),
            _ => Template::of_start(&program.start),
        };
        let record = Record {
            program,
            definitions: Vec::new(),
            scenes: Vec::new(),
            n_start: program.threads.len(),
            start: configuration.clone(),
            layout: machine.layout().clone(),
            moves: Vec::new(),
            has_begun: false,
            round: Vec::new(),
            templates: vec![start],
            reads: Vec::new(),
        };
        let (shared, active) = (Vec::new(), None);
        let (threads, waiting, templates) = (Vec::new(), None, FxHashMap::default());
        let mut recorder = Self { record, shared, threads, waiting, active, templates };
        let variables = recorder.record.layout.shared().to_vec();
        recorder.shared = recorder.define_start(&variables, &configuration.shared);
        recorder.threads = recorder.define_threads(&configuration.threads);
        recorder.waiting = configuration.waiting.as_ref().map(|threads| recorder.define_threads(threads));
        recorder.start_scenes();
        recorder
    }

    fn define_threads(&mut self, threads: &[ThreadState]) -> Vec<Thread> {
        let mut defined = Vec::with_capacity(threads.len());
        for thread in threads {
            let variables = self.record.layout.private().to_vec();
            let private = self.define_start(&variables, &thread.private);
            let procedure = self.record.program.locations[thread.top().location].procedure;
            let variables = self.record.layout.frame(procedure).to_vec();
            let frame = self.define_start(&variables, &thread.top().values);
            defined.push(Thread { private, frames: vec![frame] });
        }
        defined
    }

    fn define_start(&mut self, variables: &[VariableId], values: &[Value]) -> Vec<DefinitionId> {
        let mut defined = Vec::with_capacity(values.len());
        for (variable, value) in variables.iter().zip(values) {
            let (write, _) = self.record.templates[0].source(*variable, When::After);
            let definition = Definition { variable: *variable, value: value.clone(), scene: 0, write };
            defined.push(self.define(definition));
        }
        defined
    }

    fn define(&mut self, definition: Definition) -> DefinitionId {
        let id = self.record.definitions.len() as DefinitionId;
        self.record.definitions.push(definition);
        id
    }

    /// The start condition holds for each thread of the program.
    fn start_scenes(&mut self) {
        let all = 0..self.record.definitions.len() as DefinitionId;
        let init = self.waiting.take().map(|waiting| std::mem::replace(&mut self.threads, waiting));
        for thread in 0..self.threads.len() {
            let around = Around { thread, depth: 0 };
            let reads = self.record.reads.len();
            for at in 0..self.record.templates[0].reads.len() {
                let (variable, _) = self.record.templates[0].reads[at];
                self.record.reads.push(self.at(variable, around));
            }
            self.record.scenes.push(Scene { template: 0, reads, definitions: all.clone() });
        }
        if let Some(init) = init {
            self.waiting = Some(std::mem::replace(&mut self.threads, init));
        }
    }

    /// The present definition of a variable.
    fn at(&self, variable: VariableId, Around { thread, depth }: Around) -> DefinitionId {
        let thread = &self.threads[thread];
        let definitions = match self.record.program.variables[variable].scope {
            Scope::Shared => &self.shared,
            Scope::Private => &thread.private,
            Scope::Local(_) => &thread.frames[thread.frames.len() - 1 - depth],
        };
        definitions[self.record.layout.slot(variable)]
    }

    fn moved(&mut self, moved: &Move, now: &Configuration) {
        if now.waiting.is_none()
            && let Some(threads) = self.waiting.take()
        {
            (self.threads, self.active) = (threads, None);
        }
        let (thread, kind) = (moved.thread as usize, moved.kind);
        self.switch(moved.thread);
        let template = self.template_of(moved);
        let here = Around { thread, depth: 0 };
        let caller = Around { thread, depth: 1 };
        let before = if kind == MoveKind::Leave { caller } else { here };
        let scene = self.begin(template, before, here);
        let written = self.write(moved);
        self.end(scene, Around { thread: written, depth: 0 }, caller);
        // What `init` starts waits with the others until it is over.
        if let (MoveKind::Spawn, Some(waiting)) = (kind, &mut self.waiting) {
            waiting.extend(self.threads.pop());
        }
    }

    /// Another thread may go on only while the condition `uninterruptible` does not hold.
    fn switch(&mut self, thread: u32) {
        let switches = self.active.replace(thread).is_some_and(|active| active != thread);
        let uninterruptible = &self.record.program.uninterruptible;
        if switches && *uninterruptible != Expr::FALSE {
            let template = self.template(Key::Switch, || Template::of_condition(uninterruptible, false));
            let here = Around { thread: thread as usize, depth: 0 };
            self.begin(template, here, here);
        }
    }

    /// What the first thread has in sight: shared and private variables and the innermost frame.
    fn sight(&self) -> Vec<DefinitionId> {
        let Some(Thread { private, frames }) = self.threads.first() else { return Vec::new() };
        self.shared.iter().chain(private).chain(frames.last().into_iter().flatten()).copied().collect()
    }

    /// Notes what the conditions read now. The exit of a call is no moment of its own, and after the end of the program
    /// there are no locals.
    fn watch(&mut self, machine: &Machine<'_>, conditions: &[(&'a Expr, Option<ProcedureId>)]) {
        let Some(state) = machine.configuration().threads.first().filter(|_| !conditions.is_empty()) else { return };
        let (location, program) = (state.top().location, self.record.program);
        let at_exit = machine.is_exit(location);
        if at_exit && state.frames.len() > 1 {
            return;
        }
        let here = program.locations[location].procedure;
        for (at, (condition, procedure)) in conditions.iter().enumerate() {
            if procedure.is_some_and(|procedure| at_exit || procedure != here) {
                continue;
            }
            self.note(condition, |value| Key::Watched(at, value));
        }
    }

    /// Notes what keeps the first thread from going on: the guards of the edges before it.
    fn stuck(&mut self, machine: &Machine<'_>) {
        let Some(state) = machine.configuration().threads.first() else { return };
        let (location, program) = (state.top().location, self.record.program);
        for (id, edge) in program.edges.iter_ids().filter(|(_, edge)| edge.source == location) {
            let guard = match &edge.kind {
                EdgeKind::Step(relation) => &relation.guard,
                EdgeKind::Call(call) => &call.enter.guard,
                EdgeKind::Spawn(spawn) => &spawn.enter.guard,
            };
            self.note(guard, |value| Key::Guard(id.0, value));
        }
    }

    /// A scene that needs a condition to have the value that it has.
    fn note(&mut self, condition: &'a Expr, key: impl Fn(bool) -> Key) {
        let around = Around { thread: 0, depth: 0 };
        let template = self.template(key(true), || Template::of_condition(condition, true));
        let scene = self.begin(template, around, around);
        let values = self.record.values(&self.record.scenes[scene]);
        let values = possible_values(self.record.program, condition, &values);
        if values.is_ok_and(|values| !values.contains(&Value::Bool(true))) {
            let template = self.template(key(false), || Template::of_condition(condition, false));
            self.record.scenes[scene].template = template;
        }
    }

    fn template_of(&mut self, moved: &Move) -> u32 {
        let program = self.record.program;
        let (edge, kind) = (moved.edge, moved.kind);
        let relation = match &program.edges[edge].kind {
            EdgeKind::Step(relation) => relation,
            EdgeKind::Call(call) if kind == MoveKind::Enter => &call.enter,
            EdgeKind::Call(call) => &call.leave,
            EdgeKind::Spawn(spawn) => &spawn.enter,
        };
        let key = Key::Edge(edge.0, kind == MoveKind::Leave);
        self.template(key, || Template::of_relation(program, relation, kind))
    }

    fn template(&mut self, key: Key, make: impl FnOnce() -> Template<'a>) -> u32 {
        let templates = &mut self.record.templates;
        *self.templates.entry(key).or_insert_with(|| {
            templates.push(make());
            templates.len() as u32 - 1
        })
    }

    /// Begins a scene and resolves what is read before it; `results` is the frame that a call returns from.
    fn begin(&mut self, template: u32, before: Around, results: Around) -> usize {
        let reads = self.record.reads.len();
        for at in 0..self.record.templates[template as usize].reads.len() {
            let (variable, when) = self.record.templates[template as usize].reads[at];
            self.record.reads.push(match when {
                When::Before => self.at(variable, before),
                When::Result => self.at(variable, results),
                // Resolved at the end.
                When::After | When::Saved => DefinitionId::MAX,
            });
        }
        let next = self.record.definitions.len() as DefinitionId;
        self.record.scenes.push(Scene { template, reads, definitions: next..next });
        self.record.scenes.len() - 1
    }

    /// Resolves what is read of the outcome.
    fn end(&mut self, scene: usize, after: Around, caller: Around) {
        let Scene { template, reads, .. } = self.record.scenes[scene];
        for at in 0..self.record.templates[template as usize].reads.len() {
            let (variable, when) = self.record.templates[template as usize].reads[at];
            match when {
                When::Before | When::Result => {}
                When::After => self.record.reads[reads + at] = self.at(variable, after),
                When::Saved => self.record.reads[reads + at] = self.at(variable, caller),
            }
        }
        self.record.scenes[scene].definitions.end = self.record.definitions.len() as DefinitionId;
    }

    /// Writes what a move assigns; returns the thread that has got the new values, the last one if it was just started.
    fn write(&mut self, moved: &Move) -> usize {
        let mut thread = moved.thread as usize;
        let first = self.record.definitions.len() as DefinitionId;
        self.define_assigned(moved);
        self.put(thread, moved, first, |when| when == When::Saved);
        match (moved.kind, &self.record.program.edges[moved.edge].kind) {
            (MoveKind::Enter, EdgeKind::Call(call)) => {
                let frame = vec![DefinitionId::MAX; self.record.layout.frame(call.callee).len()];
                self.threads[thread].frames.push(frame);
            }
            (MoveKind::Leave, _) => drop(self.threads[thread].frames.pop()),
            (MoveKind::Spawn, EdgeKind::Spawn(spawn)) => {
                let private = vec![DefinitionId::MAX; self.record.layout.private().len()];
                let frame = vec![DefinitionId::MAX; self.record.layout.frame(spawn.callee).len()];
                thread = self.threads.len();
                self.threads.push(Thread { private, frames: vec![frame] });
            }
            _ => {}
        }
        self.put(thread, moved, first, |when| when != When::Saved);
        thread
    }

    /// One definition for each value that a move assigns.
    fn define_assigned(&mut self, moved: &Move) {
        let scene = self.record.scenes.len() - 1;
        let template = self.record.scenes[scene].template as usize;
        for Assigned { variable, when, value } in &moved.assigned {
            let (write, _) = self.record.templates[template].source(*variable, *when);
            let definition = Definition { variable: *variable, value: value.clone(), scene: scene as u32, write };
            self.define(definition);
        }
    }

    /// Makes the definitions of a move the present ones, in the innermost frame of a thread, for some moments.
    fn put(&mut self, thread: usize, moved: &Move, first: DefinitionId, is_meant: impl Fn(When) -> bool) {
        let Thread { private, frames } = &mut self.threads[thread];
        for (definition, Assigned { variable, when, .. }) in (first..).zip(&moved.assigned) {
            if !is_meant(*when) {
                continue;
            }
            let slot = self.record.layout.slot(*variable);
            match (self.record.program.variables[*variable].scope, frames.last_mut()) {
                (Scope::Shared, _) => self.shared[slot] = definition,
                (Scope::Private, _) => private[slot] = definition,
                (Scope::Local(_), Some(frame)) => frame[slot] = definition,
                (Scope::Local(_), None) => unreachable!("a thread keeps its outermost frame for ever"),
            }
        }
    }
}
