//! The single states and moves behind an answer, and a search among them.
//!
//! The facts that an answer rests on are enough for a run to the target: whatever the algorithm, the run that its
//! answer stands for consists of them. So a search that knows nothing but these facts finds a run, and it is small.
//! With calls that return taken as one move, as in `summary`, the search is linear in what was found.

use base::{Id, IdVec};
use encode::{Event, Point, State};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use program::EdgeId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;

base::define_ids! {
    /// A single state.
    StateId,
    /// A pair of an entry and a state reached from it.
    PathId,
}

/// A step to another state; without an edge where the program has none.
pub(super) type Step = (Option<EdgeId>, StateId);

/// What happens between single states. There are as many as a run has steps, so each is kept once, and small.
#[derive(Debug, Default)]
pub(super) struct Ground {
    pub(super) states: IdVec<StateId, State>,
    numbers: HashTable<StateId>,
    /// By the state that they start from, each state's in the order in which they came.
    steps: Vec<Step>,
    /// By state: where its steps begin; one more for the end.
    first_steps: Vec<u32>,
    pub(super) enters: FxHashMap<StateId, Vec<(EdgeId, StateId)>>,
    /// By the caller's state and the callee's last one.
    pub(super) leaves: FxHashMap<(StateId, StateId), Vec<(EdgeId, StateId)>>,
    /// The last states of calls that are left.
    exits: FxHashSet<StateId>,
    /// Shared values at the very start.
    pub(super) starts: Vec<calculus::Packed>,
}

/// States and moves as they come.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    ground: Ground,
    /// Each with the state that it starts from.
    steps: Vec<(StateId, Step)>,
    /// Halves of returns: the call, the caller's state, where the callee ended, the caller's next state.
    callers: Vec<(EdgeId, StateId, Point, StateId)>,
    /// By where the call was made, where the callee ended and the caller's next state: the callee's last states.
    callees: FxHashMap<(Point, Point, StateId), Vec<StateId>>,
}

impl Gathering {
    /// Adds an event.
    pub(super) fn add(&mut self, event: Event) {
        let ground = &mut self.ground;
        match event {
            Event::Step(edge, from, to) => {
                let (from, to) = (ground.number(from), ground.number(to));
                self.steps.push((from, (edge, to)));
            }
            Event::Enter(edge, from, to) => {
                let (from, to) = (ground.number(from), ground.number(to));
                ground.enters.entry(from).or_default().push((edge, to));
            }
            Event::Leave(edge, from, exit, to) => {
                let (from, exit, to) = (ground.number(from), ground.number(exit), ground.number(to));
                ground.leave(edge, from, exit, to);
            }
            Event::LeaveCaller(edge, from, exit, to) => {
                let (from, to) = (ground.number(from), ground.number(to));
                self.callers.push((edge, from, exit, to));
            }
            Event::LeaveCallee(_, exit, site, to) => {
                let (point, exit, to) = (exit.point, ground.number(exit), ground.number(to));
                self.callees.entry((site, point, to)).or_default().push(exit);
            }
            Event::Start(values) => ground.starts.push(values),
        }
    }

    /// All events have been added.
    pub(super) fn finish(mut self) -> Ground {
        self.pair_halves();
        self.sort_steps();
        self.ground
    }

    /// The two halves of a return belong together when they agree on where the call was made, where the callee ended
    /// and the caller's next state.
    fn pair_halves(&mut self) {
        for (edge, from, exit, to) in &self.callers {
            let site = self.ground.states[*from].point;
            for exit in self.callees.get(&(site, *exit, *to)).into_iter().flatten() {
                self.ground.leave(*edge, *from, *exit, *to);
            }
        }
    }

    /// Brings steps to their states by counting.
    fn sort_steps(&mut self) {
        let mut firsts = vec![0; self.ground.states.len() + 1];
        self.steps.iter().for_each(|(from, _)| firsts[from.index() + 1] += 1);
        (1..firsts.len()).for_each(|at| firsts[at] += firsts[at - 1]);
        let mut next: Vec<u32> = firsts.clone();
        let mut sorted: Vec<Step> = vec![(None, StateId(0)); self.steps.len()];
        for (from, step) in &self.steps {
            let place = &mut next[from.index()];
            sorted[*place as usize] = *step;
            *place += 1;
        }
        self.ground.steps = sorted;
        self.ground.first_steps = firsts;
    }
}

impl Ground {
    fn leave(&mut self, edge: EdgeId, from: StateId, exit: StateId, to: StateId) {
        self.leaves.entry((from, exit)).or_default().push((edge, to));
        self.exits.insert(exit);
    }

    fn number(&mut self, state: State) -> StateId {
        let states = &mut self.states;
        let hash = |state: &State| FxBuildHasher.hash_one(state);
        match self.numbers.entry(hash(&state), |id| states[*id] == state, |id| hash(&states[*id])) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(states.push(state)).get(),
        }
    }

    /// The number of a state that is there.
    pub(super) fn find(&self, state: &State) -> Option<StateId> {
        self.numbers.find(FxBuildHasher.hash_one(state), |id| self.states[*id] == *state).copied()
    }

    /// The steps from a state.
    pub(super) fn steps(&self, from: StateId) -> &[Step] {
        let [first, end] = [0, 1].map(|at| self.first_steps[from.index() + at] as usize);
        &self.steps[first..end]
    }

    /// States before the first location of a thread.
    pub(super) fn first_states(&self) -> impl Iterator<Item = StateId> + '_ {
        self.states.ids().filter(|id| matches!(self.states[*id].point, Point::Before(_)))
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
    /// In the order in which they were found, which is the order in which they are followed.
    pub(super) paths: IdVec<PathId, Path>,
    numbers: HashTable<PathId>,
    pub(super) caller: FxHashMap<StateId, Caller>,
    /// Paths at calls that wait for an entry's exits.
    waiting: FxHashMap<StateId, Vec<PathId>>,
    exits: FxHashMap<StateId, Vec<PathId>>,
}

impl Search {
    /// Searches from all first states until a path at the target is found.
    pub(super) fn run(ground: &Ground, is_target: impl Fn(&State) -> bool) -> (Self, Option<PathId>) {
        let mut search = Self::default();
        for state in ground.first_states() {
            search.enter(state, None);
        }
        let mut next = 0;
        while next < search.paths.len() {
            let path = PathId::from_index(next);
            if is_target(&ground.states[search.paths[path].state]) {
                return (search, Some(path));
            }
            search.follow(ground, path);
            next += 1;
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
        let paths = &mut self.paths;
        let hash = |entry: StateId, state: StateId| FxBuildHasher.hash_one((entry, state));
        let is_same = |id: &PathId| (paths[*id].entry, paths[*id].state) == (entry, state);
        let of_path = |id: &PathId| hash(paths[*id].entry, paths[*id].state);
        if let Entry::Vacant(new) = self.numbers.entry(hash(entry, state), is_same, of_path) {
            new.insert(paths.push(Path { entry, state, how }));
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
