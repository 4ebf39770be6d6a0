//! Temporal properties the slow and obvious way: all configurations up to a height of the stack, with an automaton beside
//! them, and the cycles of that graph.
//!
//! What is found is a run. When no stack was cut off, what is not found does not exist.

use base::{Budget, Id as _, StopReason};
use program::{Graph, LocationId, Observation, Program, Role, Scope, VariableId};
use property::{Automaton, StateId};
use rustc_hash::FxHashMap;

use super::interleave::thread::{Frame, SharedId, Thread, ThreadId, Threads};
use super::layout::Layout;
use crate::Task;

base::define_ids! {
    /// A configuration with a state of the automaton.
    NodeId,
}

/// Whether some run of a program is accepted by an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepted {
    /// Some run is.
    Yes,
    /// No run is.
    No,
    /// None that stays within the height of the stack.
    Cut,
}

/// Whether some run of a sequential program is accepted. Runs that end, or cannot go on, count if `endings` says so: they
/// stay in their last state.
pub fn accepts(
    program: &Program,
    automaton: &Automaton,
    observations: &[Observation],
    endings: bool,
    max_frames: usize,
    budget: &Budget,
) -> Result<Accepted, StopReason> {
    let layout = Layout::of(program);
    let graph = Graph::of(program);
    let targets: [LocationId; 0] = [];
    let task = Task { program, targets: &targets, lengths: &[], bound: None, traces: false, certificate: false };
    let threads = Threads::new(&task, &layout, &graph, max_frames);
    let mut search = Search {
        threads,
        automaton,
        observations,
        endings,
        nodes: Vec::new(),
        numbers: FxHashMap::default(),
        edges: Vec::new(),
        is_cut: false,
    };
    search.run(budget)?;
    Ok(match (search.has_accepting_cycle(), search.is_cut) {
        (true, _) => Accepted::Yes,
        (false, false) => Accepted::No,
        (false, true) => Accepted::Cut,
    })
}

type Node = (SharedId, ThreadId, StateId);

struct Search<'a> {
    threads: Threads<'a>,
    automaton: &'a Automaton,
    observations: &'a [Observation],
    endings: bool,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    /// By node: the nodes after it, and whether the automaton accepts on the way.
    edges: Vec<Vec<(u32, bool)>>,
    is_cut: bool,
}

impl Search<'_> {
    fn run(&mut self, budget: &Budget) -> Result<(), StopReason> {
        for (shared, thread) in self.starts(budget)? {
            for initial in &self.automaton.initial {
                self.number((shared, thread, *initial));
            }
        }
        while self.edges.len() < self.nodes.len() {
            budget.step()?;
            let node = self.nodes[self.edges.len()];
            let edges = self.after(node, budget)?;
            self.edges.push(edges);
        }
        Ok(())
    }

    fn number(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    fn starts(&mut self, budget: &Budget) -> Result<Vec<(SharedId, ThreadId)>, StopReason> {
        let program = self.threads.program;
        let Some(start) = program.sequential_start() else { return Ok(Vec::new()) };
        let Some(entry) = program.procedures[start].entries.first().copied() else { return Ok(Vec::new()) };
        let outside = program.variables.iter_ids().filter(|(_, variable)| !matches!(variable.scope, Scope::Local(_)));
        let open: Vec<VariableId> = outside.map(|(id, _)| id).chain(program.procedures[start].frame()).collect();
        let blank = self.threads.layout.blank(start);
        let states = self.threads.relate.starts(&blank, &open, budget)?;
        let begin = |state: &Vec<u64>| {
            let (private, locals) = self.threads.parts(state);
            let frames = vec![Frame { location: entry, locals: locals.to_vec(), call: None }];
            let thread = Thread { begun: true, private: private.to_vec(), frames };
            (self.threads.number_shared(state), self.threads.number_thread(thread))
        };
        Ok(states.iter().map(begin).collect())
    }

    fn after(&mut self, (shared, thread, state): Node, budget: &Budget) -> Result<Vec<(u32, bool)>, StopReason> {
        let moves = self.threads.moves(shared, thread, budget)?;
        self.is_cut |= moves.is_cut;
        let mut next: Vec<(SharedId, ThreadId)> = moves.moves.iter().map(|made| (made.shared, made.thread)).collect();
        let at_exit = self.threads.is_at_exit(thread);
        let location = self.threads.thread(thread).location();
        let role = self.threads.program.locations[location].role;
        let stays = next.is_empty() && self.endings && !moves.is_cut;
        let is_moment = role.is_moment() || (role == Role::Returned && stays);
        if !is_moment || (at_exit && !self.threads.is_over(thread)) {
            return Ok(next
                .into_iter()
                .map(|(shared, thread)| (self.number((shared, thread, state)), false))
                .collect());
        }
        if stays {
            next.push((shared, thread));
        }
        let letter = self.letter(shared, thread, at_exit);
        let mut edges = Vec::new();
        for edge in self.automaton.leaving(state) {
            if edge.guard.holds(|atom| letter[atom.index()]) {
                for (shared, thread) in &next {
                    edges.push((self.number((*shared, *thread, edge.target)), edge.accepting));
                }
            }
        }
        Ok(edges)
    }

    fn letter(&self, shared: SharedId, thread: ThreadId, has_ended: bool) -> Vec<bool> {
        let program = self.threads.program;
        let thread = self.threads.thread(thread);
        let state = self.threads.state(shared, thread, 0);
        let meaning = |it: &Observation| if has_ended { it.at_end() } else { it.at(program, thread.location()) };
        self.observations.iter().map(|it| self.threads.relate.can_hold(&meaning(it), &state)).collect()
    }

    fn has_accepting_cycle(&self) -> bool {
        let successor = |node: NodeId, at: usize| self.edges[node.index()].get(at).map(|(next, _)| NodeId(*next));
        let components = base::components(self.nodes.len(), successor);
        let mut component_of = vec![0; self.nodes.len()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[node.index()] = number);
        }
        let inside = |node: usize| {
            let is_inside = |next: u32| component_of[node] == component_of[next as usize];
            self.edges[node].iter().any(|(next, accepting)| *accepting && is_inside(*next))
        };
        (0..self.nodes.len()).any(inside)
    }
}
