//! Runs of several threads among the single states behind an answer.
//!
//! Breadth first over whole configurations: who is active, how many switches there were, the shared values, and the
//! stack of every thread. A move is possible only if it is among the facts, so the search stays near the runs that
//! the answer stands for.

use std::collections::VecDeque;
use std::rc::Rc;

use calculus::Packed;
use encode::{Point, State, Supply};
use program::{
    Action, Bound, Choice, EdgeId, EdgeKind, LocationId, Program, Scope, Trace, TraceStep, VariableId, When,
};
use rustc_hash::FxHashMap;

use super::ground::{Ground, StateId};
use super::trace::{choices, written};
use crate::Task;

/// A frame: its state as it was when it last had control. The shared part of it is out of date once another thread
/// has moved.
type Stack = Rc<Vec<StateId>>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration {
    active: Option<usize>,
    used: u32,
    shared: Packed,
    /// None: not begun.
    stacks: Vec<Option<Stack>>,
}

/// How a configuration was found.
struct Node {
    configuration: Configuration,
    from: Option<usize>,
    step: Option<TraceStep>,
    /// The thread that began with this move, and the state that it began in.
    began: Option<(usize, StateId)>,
}

struct Search<'a, 'p> {
    task: &'a Task<'p>,
    supply: &'a Supply<'a>,
    ground: &'a Ground,
    nodes: Vec<Node>,
    seen: FxHashMap<Configuration, usize>,
    queue: VecDeque<usize>,
}

pub(super) fn find(task: &Task<'_>, supply: &Supply<'_>, ground: &Ground, target: LocationId) -> Option<Trace> {
    let (nodes, seen, queue) = (Vec::new(), FxHashMap::default(), VecDeque::new());
    let mut search = Search { task, supply, ground, nodes, seen, queue };
    for shared in &ground.starts {
        let stacks = vec![None; task.program.threads.len()];
        let configuration = Configuration { active: None, used: 0, shared: shared.clone(), stacks };
        search.add(configuration, None, None, None);
    }
    while let Some(node) = search.queue.pop_front() {
        if search.is_at(node, target) {
            return Some(search.trace(node));
        }
        for thread in 0..task.program.threads.len() {
            search.run(node, thread);
        }
    }
    None
}

impl Search<'_, '_> {
    fn add(
        &mut self,
        configuration: Configuration,
        from: Option<usize>,
        step: Option<TraceStep>,
        began: Option<(usize, StateId)>,
    ) {
        if !self.seen.contains_key(&configuration) {
            self.seen.insert(configuration.clone(), self.nodes.len());
            self.queue.push_back(self.nodes.len());
            self.nodes.push(Node { configuration, from, step, began });
        }
    }

    fn is_at(&self, node: usize, target: LocationId) -> bool {
        let configuration = &self.nodes[node].configuration;
        let top = |stack: &Option<Stack>| stack.as_ref().and_then(|stack| stack.last().copied());
        let is_target = |state: StateId| matches!(self.ground.states[state].point, Point::At(at, _) if at == target);
        configuration.stacks.iter().filter_map(top).any(is_target)
    }

    /// How much of the bound is used up when a thread moves next; none: too much.
    fn used(&self, configuration: &Configuration, thread: usize) -> Option<u32> {
        let Some(active) = configuration.active else { return Some(0) };
        let used = configuration.used;
        match self.task.bound {
            Some(Bound::Switches(most)) => {
                let used = used + u32::from(active != thread);
                (used <= most).then_some(used)
            }
            Some(Bound::Rounds(most)) => {
                let used = used + u32::from(thread < active);
                (used < most).then_some(used)
            }
            None => Some(used),
        }
    }

    /// All moves of a thread.
    fn run(&mut self, node: usize, thread: usize) {
        let configuration = self.nodes[node].configuration.clone();
        let Some(used) = self.used(&configuration, thread) else { return };
        if !self.may_run(&configuration, thread) {
            return;
        }
        let base = Configuration { active: Some(thread), used, ..configuration };
        match base.stacks[thread].clone() {
            None => self.begin(node, thread, &base),
            Some(stack) => self.go_on(node, thread, &base, &stack),
        }
    }

    /// No other thread may be interrupted in the middle of what must not be interrupted.
    fn may_run(&self, configuration: &Configuration, thread: usize) -> bool {
        let program = self.task.program;
        let held = |state: &StateId| match self.ground.states[*state].point {
            Point::At(location, held) => held || program.locations[location].atomic,
            Point::Calling(..) | Point::Before(_) => false,
        };
        let others = configuration.stacks.iter().enumerate().filter(|(at, _)| *at != thread);
        let mut frames = others.filter_map(|(_, stack)| stack.as_ref()).flat_map(|stack| stack.iter());
        !frames.any(held)
    }

    fn begin(&mut self, node: usize, thread: usize, base: &Configuration) {
        let start = self.task.program.threads[thread].start;
        for first in self.ground.first_states().collect::<Vec<_>>() {
            let state = &self.ground.states[first];
            if state.point != Point::Before(start) || state.global != base.shared {
                continue;
            }
            for (_, to) in self.ground.steps(first).to_vec() {
                let mut next = base.clone();
                next.stacks[thread] = Some(Rc::new(vec![to]));
                self.add(next, Some(node), None, Some((thread, first)));
            }
        }
    }

    /// The state of the top frame with the shared values of now.
    fn current(&self, base: &Configuration, state: StateId) -> Option<StateId> {
        let state = &self.ground.states[state];
        self.ground.find(&State { global: base.shared.clone(), ..state.clone() })
    }

    fn go_on(&mut self, node: usize, thread: usize, base: &Configuration, stack: &Stack) {
        let Some(top) = stack.last().and_then(|top| self.current(base, *top)) else { return };
        let below = &stack[..stack.len() - 1];
        for (edge, to) in self.ground.steps(top).to_vec() {
            let step = edge.map(|edge| self.step(thread, Action::Take(edge), edge, to));
            self.advance(node, thread, base, [below, &[to]].concat(), step);
        }
        for (edge, to) in self.ground.enters.get(&top).cloned().unwrap_or_default() {
            let step = self.enter(thread, edge, top, to);
            self.advance(node, thread, base, [below, &[top, to]].concat(), Some(step));
        }
        if let Some((caller, rest)) = below.split_last() {
            // The caller's state is that of the call: returns are looked up by it.
            for (edge, to) in self.ground.leaves.get(&(*caller, top)).cloned().unwrap_or_default() {
                let step = self.step(thread, Action::Return, edge, to);
                self.advance(node, thread, base, [rest, &[to]].concat(), Some(step));
            }
        }
    }

    fn advance(
        &mut self,
        node: usize,
        thread: usize,
        base: &Configuration,
        stack: Vec<StateId>,
        step: Option<TraceStep>,
    ) {
        let Some(top) = stack.last() else { return };
        let mut next = base.clone();
        next.shared.clone_from(&self.ground.states[*top].global);
        next.stacks[thread] = Some(Rc::new(stack));
        self.add(next, Some(node), step, None);
    }

    fn step(&self, thread: usize, action: Action, edge: EdgeId, to: StateId) -> TraceStep {
        let written = written(self.task.program, edge);
        let choices = choices(self.supply, &self.ground.states[to], &written, When::After);
        TraceStep { thread: thread as u32, action, choices }
    }

    fn enter(&self, thread: usize, edge: EdgeId, from: StateId, to: StateId) -> TraceStep {
        let mut chosen: Vec<Choice> = Vec::new();
        if let EdgeKind::Call(call) = &self.task.program.edges[edge].kind {
            let decided = crate::set_on_entry(self.task.program, call);
            chosen = choices(self.supply, &self.ground.states[to], &decided, When::After);
            chosen.extend(self.supply.saved(&self.ground.states[from], edge));
        }
        TraceStep { thread: thread as u32, action: Action::Enter(edge), choices: chosen }
    }

    fn trace(&self, node: usize) -> Trace {
        let (mut steps, mut began) = (Vec::new(), Vec::new());
        let mut at = Some(node);
        let mut shared = &self.nodes[node].configuration.shared;
        while let Some(node) = at {
            let Node { configuration, from, step, began: beginning } = &self.nodes[node];
            steps.extend(step.clone());
            began.extend(*beginning);
            shared = &configuration.shared;
            at = *from;
        }
        steps.reverse();
        // A thread is at its first location from the start: what others did before it was looked at is beside the point.
        if self.nodes[node].began.is_some() {
            steps.clear();
        }
        Trace { start: self.start(shared, &began), steps, runs: Vec::new() }
    }

    /// The values at the start: shared variables, then private variables and first frame of each thread.
    fn start(&self, shared: &Packed, began: &[(usize, StateId)]) -> Vec<Choice> {
        let program: &Program = self.task.program;
        let of_scope = |scope: Scope| program.variables_in(scope).collect::<Vec<VariableId>>();
        let anywhere =
            State { point: Point::Before(program.threads[0].start), local: Packed::default(), global: shared.clone() };
        let mut start = choices(self.supply, &anywhere, &of_scope(Scope::Shared), When::After);
        for (at, thread) in program.threads.iter().enumerate() {
            let state = began.iter().find(|(thread, _)| *thread == at).map(|(_, state)| &self.ground.states[*state]);
            let variables: Vec<VariableId> =
                of_scope(Scope::Private).into_iter().chain(program.procedures[thread.start].frame()).collect();
            match state {
                Some(state) => start.extend(choices(self.supply, state, &variables, When::After)),
                // A thread that never began has any first state, and says which: the next choice would be its own.
                None => start.extend(self.supply.some_beginning(thread.start, &variables)),
            }
        }
        start
    }
}
