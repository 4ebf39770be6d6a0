//! The single states and moves behind an answer, and a search among them.
//!
//! The facts that an answer rests on are enough for a run to the target: whatever the algorithm, the run that its
//! answer stands for consists of them. So a search that knows nothing but these facts finds a run, and it is small.
//! With calls that return taken as one move, as in `summary`, the search is linear in what was found.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use encode::{Event, Point, State};
use program::EdgeId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A state, by number.
pub(super) type StateId = usize;
/// A pair of an entry and a state reached from it, by number.
pub(super) type PathId = usize;

/// Steps to other states; mostly there is one.
type Steps = SmallVec<[(Option<EdgeId>, StateId); 1]>;

/// What happens between single states.
#[derive(Debug, Default)]
pub(super) struct Ground {
    pub(super) states: Vec<State>,
    numbers: FxHashMap<State, StateId>,
    /// By state.
    steps: Vec<Steps>,
    pub(super) enters: FxHashMap<StateId, Vec<(EdgeId, StateId)>>,
    /// By the caller's state and the callee's last one.
    pub(super) leaves: FxHashMap<(StateId, StateId), Vec<(EdgeId, StateId)>>,
    /// The last states of calls that are left.
    exits: FxHashSet<StateId>,
    /// Halves of returns that have not been put together.
    halves: Vec<Event>,
    /// Shared values at the very start.
    pub(super) starts: Vec<calculus::Packed>,
}

impl Ground {
    /// Ready for so many events.
    pub(super) fn new(n_events: usize) -> Self {
        let mut ground = Self::default();
        ground.numbers.reserve(n_events);
        ground.states.reserve(n_events);
        ground.steps.reserve(n_events);
        ground
    }

    /// Adds an event.
    pub(super) fn add(&mut self, event: Event) {
        match event {
            Event::Step(edge, from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                self.steps[from].push((edge, to));
            }
            Event::Enter(edge, from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                self.enters.entry(from).or_default().push((edge, to));
            }
            Event::Leave(edge, from, exit, to) => self.leave(edge, from, exit, to),
            Event::Start(values) => self.starts.push(values),
            Event::LeaveCaller(..) | Event::LeaveCallee(..) => self.halves.push(event),
        }
    }

    /// All events have been added.
    pub(super) fn finish(mut self) -> Self {
        let halves = std::mem::take(&mut self.halves);
        self.pair_halves(&halves);
        self
    }

    /// The two halves of a return belong together when they agree on where the call was made, where the callee ended
    /// and the caller's next state.
    fn pair_halves(&mut self, halves: &[Event]) {
        let mut callees: FxHashMap<(Point, Point, &State), Vec<&State>> = FxHashMap::default();
        for event in halves {
            if let Event::LeaveCallee(_, exit, site, to) = event {
                callees.entry((*site, exit.point, to)).or_default().push(exit);
            }
        }
        for event in halves {
            if let Event::LeaveCaller(edge, from, exit, to) = event {
                for exit in callees.get(&(from.point, *exit, to)).into_iter().flatten() {
                    self.leave(*edge, from.clone(), (*exit).clone(), to.clone());
                }
            }
        }
    }

    fn leave(&mut self, edge: EdgeId, from: State, exit: State, to: State) {
        let (from, exit, to) = (self.number(from), self.number(exit), self.number(to));
        self.leaves.entry((from, exit)).or_default().push((edge, to));
        self.exits.insert(exit);
    }

    fn number(&mut self, state: State) -> StateId {
        match self.numbers.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.states.push(new.key().clone());
                self.steps.push(Steps::new());
                *new.insert(self.states.len() - 1)
            }
        }
    }

    /// The steps from a state.
    pub(super) fn steps(&self, from: StateId) -> &[(Option<EdgeId>, StateId)] {
        &self.steps[from]
    }

    /// States before the first location of a thread.
    pub(super) fn first_states(&self) -> impl Iterator<Item = StateId> + '_ {
        (0..self.states.len()).filter(|id| matches!(self.states[*id].point, Point::Before(_)))
    }
}

/// How a path was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// It is where its entry is.
    Entered,
    /// By a step from another path of the same entry.
    Step(PathId, Option<EdgeId>),
    /// Across a call: the caller's path, the callee's path to its exit.
    Across(PathId, PathId, EdgeId),
}

/// A state reached from an entry, all calls in between returned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) entry: StateId,
    pub(super) state: StateId,
    pub(super) how: How,
}

/// Who called an entry first: the caller's path and the call.
pub(super) type Caller = Option<(PathId, EdgeId)>;

/// All that is reached among single states, breadth first.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) paths: Vec<Path>,
    numbers: FxHashMap<(StateId, StateId), PathId>,
    pub(super) caller: FxHashMap<StateId, Caller>,
    /// Paths at calls that wait for an entry's exits.
    waiting: FxHashMap<StateId, Vec<PathId>>,
    exits: FxHashMap<StateId, Vec<PathId>>,
    queue: VecDeque<PathId>,
}

impl Search {
    /// Searches from all first states until a path at the target is found.
    pub(super) fn run(ground: &Ground, is_target: impl Fn(&State) -> bool) -> (Self, Option<PathId>) {
        let mut search = Self::default();
        for state in ground.first_states() {
            search.enter(state, None);
        }
        while let Some(path) = search.queue.pop_front() {
            if is_target(&ground.states[search.paths[path].state]) {
                return (search, Some(path));
            }
            search.follow(ground, path);
        }
        (search, None)
    }

    fn enter(&mut self, entry: StateId, caller: Caller) {
        if self.caller.contains_key(&entry) {
            return;
        }
        self.caller.insert(entry, caller);
        self.add(entry, entry, How::Entered);
    }

    fn add(&mut self, entry: StateId, state: StateId, how: How) {
        let next = self.paths.len();
        if *self.numbers.entry((entry, state)).or_insert(next) == next {
            self.paths.push(Path { entry, state, how });
            self.queue.push_back(next);
        }
    }

    fn follow(&mut self, ground: &Ground, path: PathId) {
        let Path { entry, state, .. } = self.paths[path];
        for (edge, to) in ground.steps(state) {
            self.add(entry, *to, How::Step(path, *edge));
        }
        for (edge, to) in ground.enters.get(&state).into_iter().flatten() {
            self.enter(*to, Some((path, *edge)));
            self.waiting.entry(*to).or_default().push(path);
            for exit in self.exits.get(to).cloned().unwrap_or_default() {
                self.cross(ground, path, exit);
            }
        }
        if !ground.exits.contains(&state) {
            return;
        }
        self.exits.entry(entry).or_default().push(path);
        for caller in self.waiting.get(&entry).cloned().unwrap_or_default() {
            self.cross(ground, caller, path);
        }
    }

    fn cross(&mut self, ground: &Ground, caller: PathId, exit: PathId) {
        let Path { entry, state, .. } = self.paths[caller];
        for (edge, to) in ground.leaves.get(&(state, self.paths[exit].state)).into_iter().flatten() {
            self.add(entry, *to, How::Across(caller, exit, *edge));
        }
    }
}
