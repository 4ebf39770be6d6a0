//! A program in execution: one configuration and the moves between them.

use base::{Id as _, IdVec};

use super::configuration::{Configuration, Frame, Layout, ThreadState};
use super::error::{Fault, Place, Problem, ReplayError};
use super::outcome::{Assigned, Kind, View, take};
use super::possible::possible_values;
use super::start::start;
use crate::{
    Action, Call, Choice, EdgeId, EdgeKind, Expr, LocationId, Program, Relation, Scope, Spawn, TraceStep, Value,
    VariableId, When,
};

/// More threads than this are not started.
const MAX_THREADS: usize = 1 << 16;

/// A program in execution.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    layout: Layout,
    is_exit: IdVec<LocationId, bool>,
    configuration: Configuration,
    /// How many frames each thread has at atomic locations, and all threads together.
    n_atomic: Vec<u32>,
    n_atomic_in_all: u32,
    n_moves: usize,
}

/// What a thread did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The thread.
    pub thread: u32,
    /// How it moved.
    pub kind: MoveKind,
    /// Where it was.
    pub from: LocationId,
    /// The edge along which it moved; for entering and leaving: that of the call.
    pub edge: EdgeId,
    /// The variables that got values, among them all of a new frame.
    pub assigned: Vec<Assigned>,
}

/// How a thread moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Along a step.
    Step,
    /// Along a step that started a thread.
    Spawn,
    /// Into a call.
    Enter,
    /// Out of a call.
    Leave,
}

impl<'p> Machine<'p> {
    /// The program at its start. The program is one that `verify` accepts.
    pub fn start(program: &'p Program, choices: &[Choice]) -> Result<Self, ReplayError> {
        Self::begin(program, choices).map_err(|problem| ReplayError::new(Place::Start, problem))
    }

    fn begin(program: &'p Program, choices: &[Choice]) -> Result<Self, Problem> {
        let layout = Layout::of(program);
        let configuration = start(program, &layout, choices)?;
        let mut is_exit = IdVec::filled(program.locations.len(), false);
        for exit in program.procedures.iter().flat_map(|procedure| &procedure.exits) {
            is_exit[*exit] = true;
        }
        let mut machine =
            Self { program, layout, is_exit, configuration, n_atomic: Vec::new(), n_atomic_in_all: 0, n_moves: 0 };
        machine.count_atomic();
        Ok(machine)
    }

    /// Where the program is.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Where values are in the configuration.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// True when the location is an exit of its procedure.
    #[must_use]
    pub fn is_exit(&self, location: LocationId) -> bool {
        self.is_exit[location]
    }

    /// Takes one step. A call is entered and left by steps of their own: [`Action::Across`] is for a [`super::Player`].
    pub fn step(&mut self, step: &TraceStep) -> Result<Move, ReplayError> {
        let choices: Vec<&Choice> = step.choices.iter().collect();
        let moved = match step.action {
            Action::Take(edge) => self.take(step.thread, edge, &choices),
            Action::Enter(edge) => self.enter(step.thread, edge, &choices),
            Action::Return => self.leave(step.thread, &choices),
            Action::Across(..) => Err(Problem::new(Fault::Unknown, "a whole call is not a single step")),
        };
        moved.map_err(|problem| ReplayError::new(Place::Step(self.n_moves), problem))
    }

    /// Takes a step or spawn edge.
    pub(crate) fn take(&mut self, thread: u32, edge: EdgeId, choices: &[&Choice]) -> Result<Move, Problem> {
        self.check_turn(thread)?;
        self.check_source(thread, edge)?;
        match &self.program.edges[edge].kind {
            EdgeKind::Step(relation) => self.take_step(thread, edge, relation, choices),
            EdgeKind::Spawn(spawn) => self.take_spawn(thread, edge, spawn, choices),
            EdgeKind::Call(_) => Err(self.about(edge, Fault::Unknown, "is a call")),
        }
    }

    fn take_step(
        &mut self,
        thread: u32,
        edge: EdgeId,
        relation: &Relation,
        choices: &[&Choice],
    ) -> Result<Move, Problem> {
        let assigned = take(&self.view(thread, 0, Kind::Step), relation, choices).map_err(|why| self.on(edge, &why))?;
        self.assign(thread, assigned.iter());
        let (source, target) = (self.program.edges[edge].source, self.program.edges[edge].target);
        self.go_to(thread, target);
        Ok(self.moved(thread, MoveKind::Step, (source, edge), assigned))
    }

    fn take_spawn(&mut self, thread: u32, edge: EdgeId, spawn: &Spawn, choices: &[&Choice]) -> Result<Move, Problem> {
        let view = self.view(thread, 0, Kind::Spawn(spawn.callee));
        let assigned = take(&view, &spawn.enter, choices).map_err(|why| self.on(edge, &why))?;
        let smallest = |variable: &VariableId| self.program.sort(*variable).smallest();
        let private = self.layout.private().iter().map(smallest).collect();
        let values = self.layout.frame(spawn.callee).iter().map(smallest).collect();
        let frame = Frame { location: spawn.entry, values, call: None };
        let mut spawned = ThreadState { private, frames: vec![frame] };
        let Configuration { shared, threads, waiting, .. } = &mut self.configuration;
        write(self.program, &self.layout, (shared, &mut spawned), assigned.iter());
        // What `init` starts waits with the others until it is over.
        let threads = waiting.as_mut().unwrap_or(threads);
        if threads.len() >= MAX_THREADS {
            return Err(Problem::new(Fault::TooLarge, "there are too many threads"));
        }
        threads.push(spawned);
        self.count_atomic();
        let (source, target) = (self.program.edges[edge].source, self.program.edges[edge].target);
        self.go_to(thread, target);
        Ok(self.moved(thread, MoveKind::Spawn, (source, edge), assigned))
    }

    /// Enters a call.
    pub(crate) fn enter(&mut self, thread: u32, edge: EdgeId, choices: &[&Choice]) -> Result<Move, Problem> {
        self.check_turn(thread)?;
        self.check_source(thread, edge)?;
        let call = self.call(edge)?;
        let view = self.view(thread, 0, Kind::Enter(call.callee));
        let assigned = take(&view, &call.enter, choices).map_err(|why| self.on(edge, &why))?;
        let is_saved = |assigned: &&Assigned| assigned.when == When::Saved;
        self.assign(thread, assigned.iter().filter(is_saved));
        let smallest = |variable: &VariableId| self.program.sort(*variable).smallest();
        let values = self.layout.frame(call.callee).iter().map(smallest).collect();
        let state = &mut self.configuration.threads[thread as usize];
        state.top_mut().call = Some(edge);
        state.frames.push(Frame { location: call.entry, values, call: None });
        self.count_frame(thread, call.entry, true);
        self.assign(thread, assigned.iter().filter(|assigned| !is_saved(assigned)));
        Ok(self.moved(thread, MoveKind::Enter, (self.program.edges[edge].source, edge), assigned))
    }

    /// Returns from the innermost call.
    pub(crate) fn leave(&mut self, thread: u32, choices: &[&Choice]) -> Result<Move, Problem> {
        self.check_turn(thread)?;
        let frames = &self.configuration.threads[thread as usize].frames;
        let location = self.configuration.threads[thread as usize].top().location;
        if !self.is_exit[location] {
            let message = format!("the thread is at {}, which is no exit", self.program.location_name(location));
            return Err(Problem::new(Fault::Elsewhere, message));
        }
        let caller = frames.len().checked_sub(2).map(|caller| &frames[caller]);
        let Some(edge) = caller.and_then(|caller| caller.call) else {
            return Err(Problem::new(Fault::Elsewhere, "there is no call to return from"));
        };
        let call = self.call(edge)?;
        let callee = &self.configuration.threads[thread as usize].top().values;
        let view = self.view(thread, 1, Kind::Leave(callee));
        let assigned = take(&view, &call.leave, choices).map_err(|why| self.on(edge, &why))?;
        self.count_frame(thread, location, false);
        let state = &mut self.configuration.threads[thread as usize];
        state.frames.pop();
        state.top_mut().call = None;
        self.assign(thread, assigned.iter());
        self.go_to(thread, self.program.edges[edge].target);
        Ok(self.moved(thread, MoveKind::Leave, (location, edge), assigned))
    }

    /// Whether a condition on the values before a step holds for a thread.
    pub(crate) fn holds(&self, thread: u32, condition: &Expr) -> Result<bool, Problem> {
        let values = possible_values(self.program, condition, &self.view(thread, 0, Kind::Step));
        Ok(values.map_err(|_| Problem::too_large("a condition"))?.can_be_true())
    }

    /// Puts the innermost frame of a thread into the state that a run of its procedure ended in.
    pub(crate) fn jump(&mut self, thread: u32, shared: &[Value], state: &ThreadState) {
        let Some(end) = state.frames.last() else { unreachable!("an end of a run has a frame") };
        self.configuration.shared.clone_from_slice(shared);
        self.configuration.threads[thread as usize].private.clone_from_slice(&state.private);
        self.configuration.threads[thread as usize].top_mut().values.clone_from(&end.values);
        self.go_to(thread, end.location);
    }

    fn moved(
        &mut self,
        thread: u32,
        kind: MoveKind,
        (from, edge): (LocationId, EdgeId),
        assigned: Vec<Assigned>,
    ) -> Move {
        self.configuration.active = Some(thread);
        self.n_moves += 1;
        Move { thread, kind, from, edge, assigned }
    }

    /// The state around an edge whose procedure has the frame `depth` below the innermost.
    fn view<'a>(&'a self, thread: u32, depth: usize, kind: Kind<'a>) -> View<'a> {
        let state = &self.configuration.threads[thread as usize];
        let frame = &state.frames[state.frames.len() - 1 - depth];
        View {
            program: self.program,
            layout: &self.layout,
            shared: &self.configuration.shared,
            private: &state.private,
            frame: &frame.values,
            procedure: self.program.locations[frame.location].procedure,
            kind,
        }
    }

    /// Writes shared variables, private variables of the thread and locals of its innermost frame.
    fn assign<'v>(&mut self, thread: u32, assigned: impl Iterator<Item = &'v Assigned>) {
        let Configuration { shared, threads, .. } = &mut self.configuration;
        write(self.program, &self.layout, (shared, &mut threads[thread as usize]), assigned);
    }

    fn go_to(&mut self, thread: u32, location: LocationId) {
        let frame = self.configuration.threads[thread as usize].top_mut();
        let before = std::mem::replace(&mut frame.location, location);
        self.count_frame(thread, before, false);
        self.count_frame(thread, location, true);
    }

    fn count_frame(&mut self, thread: u32, location: LocationId, arrives: bool) {
        if self.program.locations[location].atomic {
            let (all, own) = (&mut self.n_atomic_in_all, &mut self.n_atomic[thread as usize]);
            (*all, *own) = if arrives { (*all + 1, *own + 1) } else { (*all - 1, *own - 1) };
        }
    }

    /// Counts the atomic frames of the threads that are not counted yet.
    fn count_atomic(&mut self) {
        for thread in self.n_atomic.len()..self.configuration.threads.len() {
            self.n_atomic.push(0);
            for at in 0..self.configuration.threads[thread].frames.len() {
                let location = self.configuration.threads[thread].frames[at].location;
                self.count_frame(thread as u32, location, true);
            }
        }
    }

    /// True when `init` is over: it has returned, and the threads may begin.
    pub(crate) fn init_is_over(&self) -> bool {
        let init = &self.configuration.threads[0];
        self.configuration.waiting.is_some() && init.frames.len() == 1 && self.is_exit[init.top().location]
    }

    fn check_turn(&mut self, thread: u32) -> Result<(), Problem> {
        if self.init_is_over() {
            self.configuration.threads = self.configuration.waiting.take().unwrap_or_default();
            self.configuration.active = None;
            (self.n_atomic, self.n_atomic_in_all) = (Vec::new(), 0);
            self.count_atomic();
        }
        let Some(n_atomic) = self.n_atomic.get(thread as usize) else {
            return Err(Problem::new(Fault::Unknown, format!("there is no thread {thread}")));
        };
        if *n_atomic != self.n_atomic_in_all {
            return Err(Problem::new(Fault::NotItsTurn, "another thread is at an atomic location"));
        }
        let switches = self.configuration.active.is_some_and(|active| active != thread);
        if switches && self.program.uninterruptible != Expr::FALSE {
            let view = self.view(thread, 0, Kind::Step);
            let holds = possible_values(self.program, &self.program.uninterruptible, &view)
                .map_err(|_| Problem::too_large("the condition `uninterruptible`"))?;
            if holds.can_be_true() {
                return Err(Problem::new(Fault::NotItsTurn, "the active thread cannot be interrupted now"));
            }
        }
        Ok(())
    }

    fn check_source(&self, thread: u32, edge: EdgeId) -> Result<(), Problem> {
        let Some(source) = self.program.edges.get(edge).map(|edge| edge.source) else {
            return Err(Problem::new(Fault::Unknown, format!("there is no edge {}", edge.index())));
        };
        let location = self.configuration.threads[thread as usize].top().location;
        if location != source {
            let here = self.program.location_name(location);
            return Err(self.about(edge, Fault::Elsewhere, &format!("does not start at {here}, where the thread is")));
        }
        Ok(())
    }

    fn call(&self, edge: EdgeId) -> Result<&'p Call, Problem> {
        match &self.program.edges[edge].kind {
            EdgeKind::Call(call) => Ok(call),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => Err(self.about(edge, Fault::Unknown, "is not a call")),
        }
    }

    fn on(&self, edge: EdgeId, problem: &Problem) -> Problem {
        self.about(edge, problem.fault, &format!("cannot be taken: {}", problem.message))
    }

    fn about(&self, edge: EdgeId, fault: Fault, what: &str) -> Problem {
        let [source, target] = [self.program.edges[edge].source, self.program.edges[edge].target]
            .map(|end| self.program.location_name(end));
        Problem::new(fault, format!("the edge from {source} to {target} {what}"))
    }
}

/// Writes shared variables, private variables of the thread and locals of its innermost frame.
fn write<'v>(
    program: &Program,
    layout: &Layout,
    (shared, state): (&mut [Value], &mut ThreadState),
    assigned: impl Iterator<Item = &'v Assigned>,
) {
    for Assigned { variable, value, .. } in assigned {
        let slot = layout.slot(*variable);
        match program.variables[*variable].scope {
            Scope::Shared => shared[slot] = value.clone(),
            Scope::Private => state.private[slot] = value.clone(),
            Scope::Local(_) => state.top_mut().values[slot] = value.clone(),
        }
    }
}
