//! Automata while they are worked on: labels are functions, acceptance is generalised.
//!
//! A run accepts when for each of `n_sets` marks it takes edges with that mark again and again.

use std::collections::BTreeMap;

use base::{Budget, StopReason};

use crate::atom::{Atom, AtomId};
use crate::automaton::{Automaton, AutomatonEdge, Guard, StateId};
use crate::label::{Label, Labels};

/// A set of small numbers. Equal sets are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    /// All numbers below `n`.
    pub(crate) fn all(n: usize) -> Self {
        (0..n).collect()
    }

    pub(crate) fn insert(&mut self, mark: usize) {
        if self.0.len() <= mark / 64 {
            self.0.resize(mark / 64 + 1, 0);
        }
        self.0[mark / 64] |= 1 << (mark % 64);
    }

    pub(crate) fn contains(&self, mark: usize) -> bool {
        self.0.get(mark / 64).is_some_and(|word| word >> (mark % 64) & 1 == 1)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(at, word)| word & !other.0.get(at).copied().unwrap_or(0) == 0)
    }
}

impl FromIterator<usize> for Marks {
    fn from_iter<I: IntoIterator<Item = usize>>(marks: I) -> Self {
        let mut set = Self::default();
        marks.into_iter().for_each(|mark| set.insert(mark));
        set
    }
}

/// An edge, known by the state that it leaves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Arc {
    pub(crate) target: usize,
    pub(crate) marks: Marks,
    pub(crate) guard: Label,
}

/// An automaton with generalised acceptance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Graph {
    pub(crate) n_sets: usize,
    pub(crate) initial: Vec<usize>,
    pub(crate) arcs: Vec<Vec<Arc>>,
}

impl Graph {
    pub(crate) fn n_states(&self) -> usize {
        self.arcs.len()
    }

    pub(crate) fn n_arcs(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// One arc for all that differ in their labels only, none that reads nothing; all in order.
    pub(crate) fn tidy(&mut self, labels: &mut Labels) {
        for arcs in &mut self.arcs {
            let mut merged: BTreeMap<(usize, Marks), Label> = BTreeMap::new();
            for arc in arcs.drain(..) {
                let guard = merged.entry((arc.target, arc.marks)).or_insert(Label::FALSE);
                *guard = labels.or(*guard, arc.guard);
            }
            merged.retain(|_, guard| *guard != Label::FALSE);
            arcs.extend(merged.into_iter().map(|((target, marks), guard)| Arc { target, marks, guard }));
        }
        self.initial.sort_unstable();
        self.initial.dedup();
    }

    /// The graph whose states are the given classes; a class of None is left out.
    pub(crate) fn quotient(&self, class: &[Option<usize>], n_classes: usize) -> Self {
        let mut arcs = vec![Vec::new(); n_classes];
        for (state, leaving) in self.arcs.iter().enumerate() {
            let Some(source) = class[state] else { continue };
            for arc in leaving {
                if let Some(target) = class[arc.target] {
                    arcs[source].push(Arc { target, ..arc.clone() });
                }
            }
        }
        let initial = self.initial.iter().filter_map(|state| class[*state]).collect();
        Self { n_sets: self.n_sets, initial, arcs }
    }

    /// States in the order in which a breadth-first search from the initial ones meets them; the others are gone.
    pub(crate) fn renumbered(&self) -> Self {
        let mut class = vec![None; self.n_states()];
        let mut order = Vec::new();
        let mut meet = |state: usize, order: &mut Vec<usize>| {
            if class[state].is_none() {
                class[state] = Some(order.len());
                order.push(state);
            }
        };
        self.initial.iter().for_each(|state| meet(*state, &mut order));
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            self.arcs[state].iter().for_each(|arc| meet(arc.target, &mut order));
            at += 1;
        }
        self.quotient(&class, order.len())
    }

    /// The strongly connected component of each state, numbered so that arcs lead to equal or smaller numbers.
    pub(crate) fn components(&self) -> Vec<usize> {
        Components::of(self)
    }

    /// As plain values. Acceptance must not be generalised: at most one set.
    pub(crate) fn finish(&self, labels: &mut Labels, atoms: &[Atom], budget: &Budget) -> Result<Automaton, StopReason> {
        assert_eq!(self.n_sets, 1, "acceptance has been made plain");
        let mut edges = Vec::new();
        for (state, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs {
                budget.step()?;
                let cubes = labels.cubes(arc.guard)?;
                let cube = |cube: Vec<(u32, bool)>| cube.into_iter().map(|(at, value)| (AtomId(at), value)).collect();
                let guard = Guard { cubes: cubes.into_iter().map(cube).collect() };
                let (source, target) = (StateId(state as u32), StateId(arc.target as u32));
                edges.push(AutomatonEdge { source, guard, target, accepting: arc.marks.contains(0) });
            }
        }
        edges.sort();
        let initial = self.initial.iter().map(|state| StateId(*state as u32)).collect();
        Ok(Automaton { n_states: self.n_states() as u32, initial, edges, atoms: atoms.to_vec() })
    }
}

/// Tarjan's algorithm with a stack of its own.
struct Components<'a> {
    graph: &'a Graph,
    /// Order of discovery, from one; zero: not met.
    index: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    open: Vec<usize>,
    n_met: usize,
    n_components: usize,
}

const NONE: usize = usize::MAX;

impl<'a> Components<'a> {
    fn of(graph: &'a Graph) -> Vec<usize> {
        let n = graph.n_states();
        let mut search = Self {
            graph,
            index: vec![0; n],
            low: vec![0; n],
            component: vec![NONE; n],
            open: Vec::new(),
            n_met: 0,
            n_components: 0,
        };
        for state in 0..n {
            if search.index[state] == 0 {
                search.explore(state);
            }
        }
        search.component
    }

    fn meet(&mut self, state: usize) {
        self.n_met += 1;
        self.index[state] = self.n_met;
        self.low[state] = self.n_met;
        self.open.push(state);
    }

    fn explore(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.meet(root);
        while let Some((state, at)) = path.last_mut() {
            let state = *state;
            if let Some(arc) = self.graph.arcs[state].get(*at) {
                *at += 1;
                if self.index[arc.target] == 0 {
                    self.meet(arc.target);
                    path.push((arc.target, 0));
                } else if self.component[arc.target] == NONE {
                    self.low[state] = self.low[state].min(self.index[arc.target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[state]);
            }
            self.close(state);
        }
    }

    fn close(&mut self, state: usize) {
        if self.low[state] != self.index[state] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.n_components;
            if member == state {
                break;
            }
        }
        self.n_components += 1;
    }
}
