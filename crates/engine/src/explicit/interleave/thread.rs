//! Threads by themselves: what one thread can do in a given shared state, whatever the others are doing.
//!
//! Shared states and threads are numbered, so that a configuration is a short row of numbers, and the moves of a thread
//! are computed once for each shared state in which it runs.

use std::hash::Hash;
use std::rc::Rc;

use base::{Budget, IdVec, StopReason};
use program::{Action, Call, EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program, Scope, Spawn, VariableId};
use rustc_hash::FxHashMap;

use super::super::layout::{Layout, State};
use super::super::relate::Relate;
use crate::Task;

/// Number of a shared state.
pub(in crate::explicit) type SharedId = u32;

/// Number of a thread's private values and stack.
pub(in crate::explicit) type ThreadId = u32;

/// One thread: all that it remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::explicit) struct Thread {
    /// False until it moves. What is arbitrary at its start is decided then, as nobody else can see it before.
    pub(in crate::explicit) begun: bool,
    /// Cells of the private variables.
    pub(in crate::explicit) private: Vec<u64>,
    /// Its stack, innermost frame last; never empty.
    pub(in crate::explicit) frames: Vec<Frame>,
}

/// One frame of a stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::explicit) struct Frame {
    /// Where it is; while it waits for a call: where the call started.
    pub(in crate::explicit) location: LocationId,
    /// Cells of the locals.
    pub(in crate::explicit) locals: Vec<u64>,
    /// The call that it waits for.
    pub(in crate::explicit) call: Option<EdgeId>,
}

impl Thread {
    /// The location of the innermost frame.
    pub(in crate::explicit) fn location(&self) -> LocationId {
        self.top().location
    }

    pub(in crate::explicit) fn top(&self) -> &Frame {
        let Some(top) = self.frames.last() else { unreachable!("a thread keeps its outermost frame for ever") };
        top
    }

    /// The thread with other private values and another innermost frame.
    fn with_top(&self, private: &[u64], frame: Frame) -> Self {
        let mut frames = self.frames.clone();
        frames.pop();
        frames.push(frame);
        Self { begun: true, private: private.to_vec(), frames }
    }
}

/// What a thread does to itself and to the shared state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::explicit) struct Move {
    pub(in crate::explicit) action: Action,
    /// The edge along which it moves; for a return: that of the call.
    pub(in crate::explicit) edge: EdgeId,
    /// What was decided about its start, if this is its first move.
    pub(in crate::explicit) first: Option<State>,
    /// How many edges of the source program it stands for.
    pub(in crate::explicit) length: u64,
    /// The shared state after it.
    pub(in crate::explicit) shared: SharedId,
    /// The thread after it.
    pub(in crate::explicit) thread: ThreadId,
    /// The thread that it has started.
    pub(in crate::explicit) spawned: Option<ThreadId>,
}

/// All that a thread can do in a shared state.
#[derive(Debug, Default)]
pub(in crate::explicit) struct Moves {
    pub(in crate::explicit) moves: Vec<Move>,
    /// Whether a call was not entered because the stack is as high as it may be.
    pub(in crate::explicit) is_cut: bool,
}

/// Things by number, each of them once.
#[derive(Debug)]
struct Numbered<T> {
    things: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T: Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { things: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let (number, thing) = (self.things.len() as u32, Rc::new(thing));
        self.things.push(Rc::clone(&thing));
        self.numbers.insert(thing, number);
        number
    }
}

/// All threads and shared states that have been met.
pub(in crate::explicit) struct Threads<'a> {
    pub(in crate::explicit) program: &'a Program,
    pub(in crate::explicit) layout: &'a Layout,
    pub(in crate::explicit) relate: Relate<'a>,
    graph: &'a Graph,
    lengths: &'a [u32],
    max_frames: usize,
    is_exit: IdVec<LocationId, bool>,
    shared: Numbered<State>,
    threads: Numbered<Thread>,
    /// By number of the thread: whether one of its frames is at an atomic location.
    is_atomic: Vec<bool>,
    known: FxHashMap<(SharedId, ThreadId), Rc<Moves>>,
}

impl<'a> Threads<'a> {
    pub(in crate::explicit) fn new(task: &Task<'a>, layout: &'a Layout, graph: &'a Graph, max_frames: usize) -> Self {
        let program = task.program;
        let mut is_exit = IdVec::filled(program.locations.len(), false);
        for exit in program.procedures.iter().flat_map(|procedure| &procedure.exits) {
            is_exit[*exit] = true;
        }
        Self {
            program,
            layout,
            relate: Relate::new(program, layout),
            graph,
            lengths: task.lengths,
            max_frames,
            is_exit,
            shared: Numbered::new(),
            threads: Numbered::new(),
            is_atomic: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    pub(in crate::explicit) fn shared(&self, id: SharedId) -> &State {
        &self.shared.things[id as usize]
    }

    pub(in crate::explicit) fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads.things[id as usize]
    }

    /// Whether one of the thread's frames is at an atomic location.
    pub(in crate::explicit) fn is_atomic(&self, id: ThreadId) -> bool {
        self.is_atomic[id as usize]
    }

    /// Whether the thread is at an exit of its outermost frame.
    pub(in crate::explicit) fn is_over(&self, id: ThreadId) -> bool {
        let thread = self.thread(id);
        thread.frames.len() == 1 && self.is_exit[thread.location()]
    }

    /// Whether the thread is at an exit of its innermost frame.
    pub(in crate::explicit) fn is_at_exit(&self, id: ThreadId) -> bool {
        self.is_exit[self.thread(id).location()]
    }

    pub(in crate::explicit) fn number_shared(&mut self, state: &[u64]) -> SharedId {
        self.shared.number(state[..self.layout.n_shared_cells].to_vec())
    }

    pub(in crate::explicit) fn number_thread(&mut self, thread: Thread) -> ThreadId {
        let is_atomic = thread.frames.iter().any(|frame| self.program.locations[frame.location].atomic);
        let id = self.threads.number(thread);
        if id as usize == self.is_atomic.len() {
            self.is_atomic.push(is_atomic);
        }
        id
    }

    /// The values that a frame of the thread sees; `depth` counts frames from the innermost.
    pub(in crate::explicit) fn state(&self, shared: SharedId, thread: &Thread, depth: usize) -> State {
        let frame = &thread.frames[thread.frames.len() - 1 - depth];
        [self.shared(shared).as_slice(), &thread.private, &frame.locals].concat()
    }

    /// Private values and locals of a state.
    pub(in crate::explicit) fn parts<'s>(&self, state: &'s State) -> (&'s [u64], &'s [u64]) {
        let own = &state[self.layout.n_shared_cells..];
        own.split_at(self.layout.n_global_cells - self.layout.n_shared_cells)
    }

    /// What a thread that has not moved yet leaves open: its first frame and, unless the start condition is about
    /// them, its private variables.
    pub(in crate::explicit) fn open(&self, procedure: ProcedureId) -> Vec<VariableId> {
        let mut open = Vec::new();
        if !self.start_is_about_private() {
            open.extend(self.program.variables_in(Scope::Private));
        }
        if !self.start_is_about_frame() {
            open.extend(self.program.procedures[procedure].frame());
        }
        open
    }

    /// Whether the private values of threads are decided with the shared ones.
    pub(in crate::explicit) fn start_is_about_private(&self) -> bool {
        let is_private = |variable: VariableId| self.program.variables[variable].scope == Scope::Private;
        self.program.start.reads().into_iter().any(|(variable, _)| is_private(variable))
    }

    /// Whether the first frame is decided with the shared values: in a program with a single thread and no `init`.
    pub(in crate::explicit) fn start_is_about_frame(&self) -> bool {
        self.program.threads.len() == 1 && self.program.init.is_none()
    }

    /// All that a thread can do in a shared state.
    pub(in crate::explicit) fn moves(
        &mut self,
        shared: SharedId,
        thread: ThreadId,
        budget: &Budget,
    ) -> Result<Rc<Moves>, StopReason> {
        if let Some(moves) = self.known.get(&(shared, thread)) {
            return Ok(Rc::clone(moves));
        }
        let mut moves = Moves::default();
        let now = self.thread(thread).clone();
        if now.begun {
            self.all(shared, &now, budget, &mut moves)?;
        } else {
            self.first(shared, &now, budget, &mut moves)?;
        }
        let moves = Rc::new(moves);
        self.known.insert((shared, thread), Rc::clone(&moves));
        Ok(moves)
    }

    /// Decides what is open about the start, then moves.
    fn first(
        &mut self,
        shared: SharedId,
        thread: &Thread,
        budget: &Budget,
        moves: &mut Moves,
    ) -> Result<(), StopReason> {
        let open = self.open(self.program.locations[thread.location()].procedure);
        for state in self.relate.arbitrary(&self.state(shared, thread, 0), &open, budget)? {
            let (private, locals) = self.parts(&state);
            let begun = thread.with_top(private, Frame { locals: locals.to_vec(), ..thread.top().clone() });
            let before = moves.moves.len();
            self.all(shared, &begun, budget, moves)?;
            moves.moves[before..].iter_mut().for_each(|made| made.first = Some(state.clone()));
        }
        Ok(())
    }

    fn all(&mut self, shared: SharedId, thread: &Thread, budget: &Budget, moves: &mut Moves) -> Result<(), StopReason> {
        let state = self.state(shared, thread, 0);
        if self.is_exit[thread.location()] && thread.frames.len() > 1 {
            self.leave(shared, thread, &state, budget, moves)?;
        }
        let (program, graph) = (self.program, self.graph);
        for edge in graph.outgoing(thread.location()) {
            match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => {
                    for after in self.relate.step(relation, &state, budget)? {
                        let frame = self.frame_after(*edge, &after);
                        let thread = thread.with_top(self.parts(&after).0, frame);
                        self.add(Action::Take(*edge), *edge, &after, thread, moves);
                    }
                }
                EdgeKind::Call(call) => self.enter(*edge, call, thread, &state, budget, moves)?,
                EdgeKind::Spawn(spawn) => self.spawn(*edge, spawn, thread, &state, budget, moves)?,
            }
        }
        Ok(())
    }

    /// The frame of a thread that has gone along an edge of its innermost procedure.
    fn frame_after(&self, edge: EdgeId, after: &State) -> Frame {
        Frame { location: self.program.edges[edge].target, locals: self.parts(after).1.to_vec(), call: None }
    }

    fn enter(
        &mut self,
        edge: EdgeId,
        call: &Call,
        thread: &Thread,
        state: &State,
        budget: &Budget,
        moves: &mut Moves,
    ) -> Result<(), StopReason> {
        for (after, saved) in self.relate.enter(call, state, budget)? {
            if thread.frames.len() >= self.max_frames {
                moves.is_cut = true;
                return Ok(());
            }
            let caller = Frame { locals: self.parts(&saved).1.to_vec(), call: Some(edge), ..thread.top().clone() };
            let (private, locals) = self.parts(&after);
            let mut thread = thread.with_top(private, caller);
            thread.frames.push(Frame { location: call.entry, locals: locals.to_vec(), call: None });
            self.add(Action::Enter(edge), edge, &after, thread, moves);
        }
        Ok(())
    }

    fn leave(
        &mut self,
        shared: SharedId,
        thread: &Thread,
        exit: &State,
        budget: &Budget,
        moves: &mut Moves,
    ) -> Result<(), StopReason> {
        let program = self.program;
        let caller = &thread.frames[thread.frames.len() - 2];
        let Some(edge) = caller.call else { unreachable!("a frame below another waits for a call") };
        let EdgeKind::Call(call) = &program.edges[edge].kind else { unreachable!("it waits at a call") };
        let saved = self.state(shared, thread, 1);
        let mut below = thread.clone();
        below.frames.pop();
        for after in self.relate.leave(call, &saved, exit, budget)? {
            let thread = below.with_top(self.parts(&after).0, self.frame_after(edge, &after));
            self.add(Action::Return, edge, &after, thread, moves);
        }
        Ok(())
    }

    /// The new thread has its own private variables and frame; those of the old one stay as they are.
    fn spawn(
        &mut self,
        edge: EdgeId,
        spawn: &Spawn,
        thread: &Thread,
        state: &State,
        budget: &Budget,
        moves: &mut Moves,
    ) -> Result<(), StopReason> {
        for after in self.relate.spawn(spawn, state, budget)? {
            let (private, locals) = self.parts(&after);
            let frames = vec![Frame { location: spawn.entry, locals: locals.to_vec(), call: None }];
            let new = Thread { begun: true, private: private.to_vec(), frames };
            let old = thread.with_top(&thread.private, self.frame_after(edge, state));
            let spawned = Some(self.number_thread(new));
            self.add(Action::Take(edge), edge, &after, old, moves);
            moves.moves.iter_mut().last().into_iter().for_each(|made| made.spawned = spawned);
        }
        Ok(())
    }

    fn add(&mut self, action: Action, edge: EdgeId, after: &State, thread: Thread, moves: &mut Moves) {
        let length = u64::from(self.lengths.get(edge.0 as usize).copied().unwrap_or(1));
        let length = match action {
            Action::Enter(_) => 1,
            Action::Return => length.saturating_sub(1),
            Action::Take(_) | Action::Across(..) => length,
        };
        let (shared, thread) = (self.number_shared(after), self.number_thread(thread));
        moves.moves.push(Move { action, edge, first: None, length, shared, thread, spawned: None });
    }
}
