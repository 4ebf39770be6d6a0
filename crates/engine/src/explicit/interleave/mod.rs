//! Concurrent programs: all interleavings within a bound, one configuration at a time, with stacks as they are.
//!
//! A configuration is the shared state, every thread's private values and stack, and the thread that moved last. The
//! search goes from configuration to configuration in order of their distance from the start, so traces are shortest
//! within the bound. Another thread may move next when
//! - no other than it has a frame at an atomic location,
//! - the condition `uninterruptible` does not hold, and
//! - the bound allows the change.
//!
//! `init` runs alone and before all that; threads that it starts wait for its end. A stack is followed up to a height,
//! and threads are started up to a number; when either was not enough, nothing is said about targets that were not
//! reached.

pub(super) mod thread;
mod trace;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use base::StopReason;
use program::{Bound, Expr, Graph, LocationId, ProcedureId, Scope, VariableId};
use rustc_hash::FxHashMap;

use self::thread::{Frame, Move, Moves, SharedId, Thread, ThreadId, Threads};
use super::layout::{Layout, State};
use crate::{Answer, Context, Statistics, Task};

/// Frames of a stack, unless the budget says otherwise.
const MAX_FRAMES: u32 = 40;

/// Threads of a configuration that starts further ones.
const MAX_THREADS: usize = 12;

/// Searches all interleavings. A task without a bound allows no change of the active thread.
pub(super) fn solve(task: &Task<'_>, context: &Context<'_>) -> Answer {
    let layout = Layout::of(task.program);
    let graph = Graph::of(task.program);
    let max_frames = context.budget.max_depth().unwrap_or(MAX_FRAMES) as usize;
    let mut search = Search {
        task,
        bound: task.bound.unwrap_or(Bound::Switches(0)),
        threads: Threads::new(task, &layout, &graph, max_frames),
        nodes: Vec::new(),
        known: FxHashMap::default(),
        queue: BinaryHeap::new(),
        found: FxHashMap::default(),
        n_expanded: 0,
        cut: None,
    };
    let stopped = search.run(context).err();
    search.answer(stopped)
}

/// All that the program remembers at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Configuration {
    /// Whether `init` is running: then it is the first of the threads.
    in_init: bool,
    /// The thread that moved last, after `init`.
    active: Option<u32>,
    shared: SharedId,
    threads: Rc<[ThreadId]>,
}

/// A configuration and how it was found.
#[derive(Debug)]
struct Node {
    configuration: Configuration,
    /// Steps from the start.
    distance: u64,
    /// Changes of the active thread, or rounds before the present one.
    used: u32,
    /// None at the start.
    how: Option<How>,
    /// Another node with the same configuration, found before.
    alike: Option<usize>,
}

/// How a node was found.
#[derive(Clone, Debug)]
struct How {
    /// The node before.
    from: usize,
    /// The thread that moved.
    thread: u32,
    /// All that it could do, and which of it.
    moves: Rc<Moves>,
    which: usize,
}

impl How {
    fn made(&self) -> &Move {
        &self.moves.moves[self.which]
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    bound: Bound,
    threads: Threads<'a>,
    nodes: Vec<Node>,
    /// By configuration: the last node that has it.
    known: FxHashMap<Configuration, usize>,
    /// Nodes to expand, nearest first; of those as near, the ones that have used less.
    queue: BinaryHeap<Reverse<(u64, u32, usize)>>,
    /// The first node at each target.
    found: FxHashMap<LocationId, usize>,
    n_expanded: u64,
    /// What was not followed to its end.
    cut: Option<StopReason>,
}

impl Search<'_> {
    fn run(&mut self, context: &Context<'_>) -> Result<(), StopReason> {
        self.start(context)?;
        while let Some(Reverse((_, _, node))) = self.queue.pop() {
            context.budget.step()?;
            self.n_expanded += 1;
            self.look_for_targets(node);
            if self.found.len() == self.task.targets.len() {
                break;
            }
            self.expand(node, context)?;
        }
        Ok(())
    }

    /// The first configurations. What a thread alone can see and nothing constrains is decided when it moves.
    fn start(&mut self, context: &Context<'_>) -> Result<(), StopReason> {
        let program = self.task.program;
        let Some(main) = program.threads.first() else { return Ok(()) };
        let (about_private, about_frame) = (self.threads.start_is_about_private(), self.threads.start_is_about_frame());
        let shared: Vec<VariableId> = program.variables_in(Scope::Shared).collect();
        let mut own: Vec<VariableId> = Vec::new();
        own.extend(program.variables_in(Scope::Private).filter(|_| about_private));
        own.extend(program.procedures[main.start].frame().filter(|_| about_frame));
        let blank = self.threads.layout.blank(main.start);
        for state in self.threads.relate.arbitrary(&blank, &shared, context.budget)? {
            // The start condition holds for each thread.
            let first = self.threads.relate.starts(&state, &own, context.budget)?;
            let mut rows: Vec<Vec<ThreadId>> = vec![program.init.iter().map(|init| self.begin(*init, None)).collect()];
            for thread in &program.threads {
                let ids: Vec<ThreadId> = first.iter().map(|state| self.begin(thread.start, Some(state))).collect();
                rows = rows.iter().flat_map(|row| ids.iter().map(|id| [row.as_slice(), &[*id]].concat())).collect();
            }
            let shared = self.threads.number_shared(&state);
            for row in rows {
                let configuration =
                    Configuration { in_init: program.init.is_some(), active: None, shared, threads: row.into() };
                self.add(configuration, 0, 0, None);
            }
        }
        Ok(())
    }

    /// A thread at its start, with what the first state says about it.
    fn begin(&mut self, procedure: ProcedureId, first: Option<&State>) -> ThreadId {
        let program = self.task.program;
        let blank = self.threads.layout.blank(procedure);
        let (private, locals) =
            self.threads.parts(first.filter(|_| self.threads.start_is_about_frame()).unwrap_or(&blank));
        let locals = locals.to_vec();
        let private = first.map_or(private, |first| self.threads.parts(first).0).to_vec();
        let Some(entry) = program.procedures[procedure].entries.first() else {
            unreachable!("verify accepts threads and `init` only with an entry")
        };
        let frames = vec![Frame { location: *entry, locals, call: None }];
        self.threads.number_thread(Thread { begun: false, private, frames })
    }

    /// A node is of no use when another has the same configuration, is as near and has used no more.
    fn add(&mut self, configuration: Configuration, distance: u64, used: u32, how: Option<How>) {
        let last = self.known.get(&configuration).copied();
        let mut other = last;
        while let Some(node) = other.map(|at| &self.nodes[at]) {
            if node.distance <= distance && node.used <= used {
                return;
            }
            other = node.alike;
        }
        self.known.insert(configuration.clone(), self.nodes.len());
        self.queue.push(Reverse((distance, used, self.nodes.len())));
        self.nodes.push(Node { configuration, distance, used, how, alike: last });
    }

    /// A thread that is at a target has just arrived there: nodes come in order of their distance.
    fn look_for_targets(&mut self, node: usize) {
        let Configuration { in_init, threads, .. } = &self.nodes[node].configuration;
        // While `init` runs, only it and the threads that it has started are there.
        let n_waiting = if *in_init && !self.threads.is_over(threads[0]) { self.task.program.threads.len() } else { 0 };
        let there = threads.iter().enumerate().filter(|(at, _)| *at == 0 || *at > n_waiting);
        for (_, thread) in there {
            let location = self.threads.thread(*thread).location();
            if self.task.targets.contains(&location) {
                self.found.entry(location).or_insert(node);
            }
        }
    }

    fn expand(&mut self, node: usize, context: &Context<'_>) -> Result<(), StopReason> {
        let mut before = self.nodes[node].configuration.clone();
        if before.in_init && self.threads.is_over(before.threads[0]) {
            before = Configuration { in_init: false, active: None, threads: before.threads[1..].into(), ..before };
        }
        let n_movable = if before.in_init { 1 } else { before.threads.len() as u32 };
        for thread in 0..n_movable {
            let Some(used) = self.turn(&before, self.nodes[node].used, thread) else { continue };
            let moves = self.threads.moves(before.shared, before.threads[thread as usize], context.budget)?;
            self.cut = self.cut.or(moves.is_cut.then_some(StopReason::Depth));
            for which in 0..moves.moves.len() {
                self.follow(&before, used, How { from: node, thread, moves: Rc::clone(&moves), which });
            }
        }
        Ok(())
    }

    /// Whether the thread may move next, and what is used of the bound then.
    fn turn(&self, before: &Configuration, used: u32, thread: u32) -> Option<u32> {
        let others_are_atomic = (0..before.threads.len())
            .filter(|other| *other != thread as usize && !before.in_init)
            .any(|other| self.threads.is_atomic(before.threads[other]));
        if others_are_atomic {
            return None;
        }
        let active = before.active.unwrap_or(thread);
        if active != thread && self.is_uninterruptible(before.shared) {
            return None;
        }
        match self.bound {
            Bound::Switches(most) => {
                let used = used + u32::from(active != thread);
                (used <= most || before.in_init).then_some(used)
            }
            Bound::Rounds(most) => {
                let used = used + u32::from(active > thread);
                (used < most || before.in_init).then_some(used)
            }
        }
    }

    fn is_uninterruptible(&self, shared: SharedId) -> bool {
        let condition = &self.task.program.uninterruptible;
        *condition != Expr::FALSE && self.threads.relate.can_hold(condition, self.threads.shared(shared))
    }

    fn follow(&mut self, before: &Configuration, used: u32, how: How) {
        let made = how.made();
        let mut threads = before.threads.to_vec();
        threads[how.thread as usize] = made.thread;
        if let Some(spawned) = made.spawned {
            if threads.len() >= MAX_THREADS {
                self.cut = self.cut.or(Some(StopReason::Threads));
                return;
            }
            threads.push(spawned);
        }
        let active = Some(how.thread).filter(|_| !before.in_init);
        let after = Configuration { active, shared: made.shared, threads: threads.into(), ..before.clone() };
        let distance = self.nodes[how.from].distance.saturating_add(made.length);
        self.add(after, distance, used, Some(how));
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
            stopped: stopped.or(self.cut).filter(|_| !all_reached),
            detail: None,
            account: String::new(),
            unbounded: false,
            finished: None,
            statistics: Statistics { steps: self.n_expanded, states: self.nodes.len() as u64, ..Statistics::default() },
        }
    }
}
