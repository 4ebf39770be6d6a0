//! The oracle: explicit states, exact recursion. Slow and obviously right; every other engine is compared with it.
//!
//! Programs in which nothing interleaves (one thread, perhaps after an `init`) are tabulated here; for all others see
//! `interleave`, the search in depth beside it.
//!
//! Tabulation after Reps, Horwitz and Sagiv, one state at a time. A *point* is (entry, location, state): from the
//! entry state of a frame the state is reached at the location with all calls returned. Points grow from the start:
//! along steps; across calls, when an entry and an exit of the callee are known that fit the call. When
//! `init` is over, the thread is entered.

mod choose;
mod eval;
mod interleave;
mod layout;
pub mod recurrence;
mod relate;
mod trace;

use std::collections::VecDeque;

use base::StopReason;
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, Program, VariableId};
use rustc_hash::FxHashMap;

use crate::{Answer, Context, Engine, Statistics, Task, Unsupported};
use layout::{Layout, State};
use relate::Relate;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn traces_are_shortest(&self, program: &Program) -> bool {
        self.is_bounded(program)
    }

    fn supports(&self, program: &Program) -> Result<(), Unsupported> {
        crate::require_finite(program).map(drop)
    }

    fn follows_init(&self) -> bool {
        true
    }

    fn is_bounded(&self, program: &Program) -> bool {
        !program.is_single_threaded()
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        if self.is_bounded(task.program) {
            return interleave::solve(task, context);
        }
        let layout = Layout::of(task.program);
        let graph = Graph::of(task.program);
        let mut search = Search::new(task, &layout, &graph);
        let stopped = search.run(context).err();
        search.answer(stopped)
    }
}

/// An entry: a location and the state with which it was entered.
type EntryKey = (LocationId, State);

#[derive(Debug)]
struct Entry {
    /// How it was entered first.
    by: By,
    /// Everybody who waits for it to return.
    callers: Vec<Caller>,
    /// Points at exits.
    exits: Vec<usize>,
    /// The point at the entry itself.
    point: usize,
}

/// How an entry was entered first.
#[derive(Clone, PartialEq, Eq, Debug)]
enum By {
    /// At the start of the program.
    Start,
    /// By the thread, when `init` was over at the point.
    Init(usize),
    Call(Caller),
}

/// A point that has called, and the caller's frame meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Caller {
    point: usize,
    edge: EdgeId,
    saved: State,
}

#[derive(Debug)]
struct Point {
    entry: usize,
    location: LocationId,
    state: State,
    how: How,
}

/// How a point was found first.
#[derive(Clone, Copy, Debug)]
enum How {
    Entered,
    Step {
        from: usize,
        edge: EdgeId,
    },
    /// By the call of the `caller`-th caller of the exit's entry.
    Across {
        caller: usize,
        exit: usize,
    },
}

struct Search<'a> {
    task: &'a Task<'a>,
    layout: &'a Layout,
    graph: &'a Graph,
    relate: Relate<'a>,
    entries: Vec<Entry>,
    entry_of: FxHashMap<EntryKey, usize>,
    points: Vec<Point>,
    known: FxHashMap<(usize, LocationId, State), usize>,
    worklist: VecDeque<usize>,
    /// The first point found at each target.
    found: FxHashMap<LocationId, usize>,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task<'a>, layout: &'a Layout, graph: &'a Graph) -> Self {
        Self {
            task,
            layout,
            graph,
            relate: Relate::new(task.program, layout),
            entries: Vec::new(),
            entry_of: FxHashMap::default(),
            points: Vec::new(),
            known: FxHashMap::default(),
            worklist: VecDeque::new(),
            found: FxHashMap::default(),
        }
    }

    fn run(&mut self, context: &Context<'_>) -> Result<(), StopReason> {
        self.start(context)?;
        while let Some(point) = self.worklist.pop_front() {
            context.budget.step()?;
            if self.found.len() == self.task.targets.len() {
                break;
            }
            self.expand(point, context)?;
        }
        Ok(())
    }

    /// Enters `init`, or else the thread.
    fn start(&mut self, context: &Context<'_>) -> Result<(), StopReason> {
        let program = self.task.program;
        let Some(first) = program.init.or(program.threads.first().map(|thread| thread.start)) else { return Ok(()) };
        let Some(entry) = program.procedures[first].entries.first() else { return Ok(()) };
        let globals = program.variables.ids().filter(|id| trace::is_global(program, *id));
        let open: Vec<VariableId> = globals.chain(program.procedures[first].frame()).collect();
        for state in self.relate.starts(&self.layout.blank(first), &open, context.budget)? {
            self.enter(*entry, state, By::Start);
        }
        Ok(())
    }

    /// Enters the thread when `init` is over. Its private variables have been there from the start; `init` has no use
    /// for them.
    fn begin(&mut self, exit: usize, context: &Context<'_>) -> Result<(), StopReason> {
        let program = self.task.program;
        let Some(thread) = program.threads.first().map(|thread| thread.start) else { return Ok(()) };
        let Some(entry) = program.procedures[thread].entries.first() else { return Ok(()) };
        let globals = 0..self.layout.n_global_cells;
        let mut state = self.layout.blank(thread);
        state[globals.clone()].copy_from_slice(&self.points[exit].state[globals]);
        let open: Vec<VariableId> = program.procedures[thread].frame().collect();
        for state in self.relate.arbitrary(&state, &open, context.budget)? {
            self.enter(*entry, state, By::Init(exit));
        }
        Ok(())
    }

    fn expand(&mut self, point: usize, context: &Context<'_>) -> Result<(), StopReason> {
        let program = self.task.program;
        let location = self.points[point].location;
        let procedure = &program.procedures[program.locations[location].procedure];
        if procedure.exits.contains(&location) {
            self.leave(point, context)?;
            if program.init.is_some() && self.entries[self.points[point].entry].by == By::Start {
                self.begin(point, context)?;
            }
        }
        for edge in self.graph.outgoing(location) {
            match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => {
                    let target = program.edges[*edge].target;
                    for state in self.relate.step(relation, &self.points[point].state, context.budget)? {
                        self.add(self.points[point].entry, target, state, How::Step { from: point, edge: *edge });
                    }
                }
                EdgeKind::Call(call) => self.call(point, *edge, call, context)?,
                EdgeKind::Spawn(_) => {}
            }
        }
        Ok(())
    }

    fn call(&mut self, point: usize, edge: EdgeId, call: &Call, context: &Context<'_>) -> Result<(), StopReason> {
        for (state, saved) in self.relate.enter(call, &self.points[point].state, context.budget)? {
            let caller = Caller { point, edge, saved };
            let entry = self.enter(call.entry, state, By::Call(caller.clone()));
            if self.entries[entry].callers.contains(&caller) {
                continue;
            }
            self.entries[entry].callers.push(caller);
            let last = self.entries[entry].callers.len() - 1;
            for exit in self.entries[entry].exits.clone() {
                self.across(last, exit, context)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, exit: usize, context: &Context<'_>) -> Result<(), StopReason> {
        let entry = self.points[exit].entry;
        self.entries[entry].exits.push(exit);
        for caller in 0..self.entries[entry].callers.len() {
            self.across(caller, exit, context)?;
        }
        Ok(())
    }

    fn across(&mut self, caller: usize, exit: usize, context: &Context<'_>) -> Result<(), StopReason> {
        let Caller { point, edge, saved } = &self.entries[self.points[exit].entry].callers[caller];
        let (edge, entry) = (&self.task.program.edges[*edge], self.points[*point].entry);
        let EdgeKind::Call(call) = &edge.kind else { return Ok(()) };
        for state in self.relate.leave(call, saved, &self.points[exit].state, context.budget)? {
            self.add(entry, edge.target, state, How::Across { caller, exit });
        }
        Ok(())
    }

    fn enter(&mut self, location: LocationId, state: State, by: By) -> usize {
        if let Some(entry) = self.entry_of.get(&(location, state.clone())) {
            return *entry;
        }
        let entry = self.entries.len();
        self.entry_of.insert((location, state.clone()), entry);
        let point = self.points.len();
        self.entries.push(Entry { by, callers: Vec::new(), exits: Vec::new(), point });
        self.add(entry, location, state, How::Entered);
        entry
    }

    fn add(&mut self, entry: usize, location: LocationId, state: State, how: How) {
        let key = (entry, location, state);
        if self.known.contains_key(&key) {
            return;
        }
        let point = self.points.len();
        self.points.push(Point { entry, location, state: key.2.clone(), how });
        self.known.insert(key, point);
        self.worklist.push_back(point);
        if self.task.targets.contains(&location) {
            self.found.entry(location).or_insert(point);
        }
    }

    fn answer(&self, stopped: Option<StopReason>) -> Answer {
        let is_found = |target: &&LocationId| self.found.contains_key(*target);
        let reached: Vec<LocationId> = self.task.targets.iter().filter(is_found).copied().collect();
        let trace = |target: &LocationId| (*target, trace::to(self, self.found[target]));
        let traces = if self.task.traces { reached.iter().map(trace).collect() } else { Vec::new() };
        let all_reached = reached.len() == self.task.targets.len();
        Answer {
            reached,
            traces,
            certificate: None,
            stopped: stopped.filter(|_| !all_reached),
            detail: None,
            account: String::new(),
            unbounded: false,
            finished: None,
            statistics: Statistics {
                steps: self.points.len() as u64,
                states: self.points.len() as u64,
                ..Statistics::default()
            },
        }
    }
}
