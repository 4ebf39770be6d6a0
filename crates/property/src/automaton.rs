//! Büchi automata as plain values: what a formula is translated to and what other tools hand over.
//!
//! A run takes one edge per letter, whose guard the letter satisfies. It accepts when it takes accepting edges again
//! and again. How automata are made smaller is not said here.

use std::collections::BTreeSet;
use std::fmt;

use base::Id;

use crate::atom::{Atom, AtomId};
use crate::word::{Letter, Word};

base::define_ids! {
    /// A state of an automaton.
    StateId,
}

/// A conjunction of atoms and negated atoms: each atom at most once, in order. The empty one is true.
pub type Cube = Vec<(AtomId, bool)>;

/// A condition on one letter: a disjunction of cubes, none of which is superfluous. The empty one is false.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    /// The letter satisfies one of these.
    pub cubes: Vec<Cube>,
}

impl Guard {
    /// Every letter.
    #[must_use]
    pub fn always() -> Self {
        Self { cubes: vec![Vec::new()] }
    }

    /// True when every letter satisfies it, as far as can be seen.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.cubes.iter().any(Vec::is_empty)
    }

    /// Whether it is satisfied when `value` says which atoms hold.
    pub fn holds(&self, value: impl Fn(AtomId) -> bool) -> bool {
        self.cubes.iter().any(|cube| cube.iter().all(|(atom, positive)| value(*atom) == *positive))
    }
}

/// A step of an automaton.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AutomatonEdge {
    /// Where it starts.
    pub source: StateId,
    /// Which letters it reads.
    pub guard: Guard,
    /// Where it leads.
    pub target: StateId,
    /// A run accepts when it takes such edges infinitely often.
    pub accepting: bool,
}

/// A Büchi automaton. The edges are in order of their sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Number of states.
    pub n_states: u32,
    /// Where runs start. None: no word is accepted.
    pub initial: Vec<StateId>,
    /// The steps.
    pub edges: Vec<AutomatonEdge>,
    /// The atoms that guards speak of.
    pub atoms: Vec<Atom>,
}

impl Automaton {
    /// The edges that leave a state.
    pub fn leaving(&self, state: StateId) -> impl Iterator<Item = &AutomatonEdge> {
        let first = self.edges.partition_point(|edge| edge.source < state);
        self.edges[first..].iter().take_while(move |edge| edge.source == state)
    }

    /// True when a run on the word accepts: a search in the product of both.
    #[must_use]
    pub fn accepts(&self, word: &Word) -> bool {
        let product = Product { automaton: self, word };
        let initial = self.initial.iter().map(|state| (*state, 0)).collect();
        let reachable = product.reachable(initial);
        let accepting = |at: &&Node| product.steps(**at).any(|(to, accepting)| accepting && product.leads_to(to, **at));
        reachable.iter().find(accepting).is_some()
    }

    /// True when every letter has at most one step from every state, and there is at most one initial state.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let overlap = |a: &Cube, b: &Cube| a.iter().all(|(atom, value)| !b.contains(&(*atom, !value)));
        let meet = |a: &Guard, b: &Guard| a.cubes.iter().any(|a| b.cubes.iter().any(|b| overlap(a, b)));
        let apart = |state: StateId| {
            let edges: Vec<&AutomatonEdge> = self.leaving(state).collect();
            (1..edges.len()).all(|later| (0..later).all(|earlier| !meet(&edges[earlier].guard, &edges[later].guard)))
        };
        self.initial.len() <= 1 && (0..self.n_states).all(|state| apart(StateId(state)))
    }

    /// Checks what every automaton promises: ids in range, edges and cubes in order.
    ///
    /// # Panics
    /// When a promise is broken.
    pub fn verify(&self) {
        let states = self.initial.iter().chain(self.edges.iter().flat_map(|edge| [&edge.source, &edge.target]));
        assert!(states.into_iter().all(|state| state.0 < self.n_states), "states are in range");
        assert!(self.edges.is_sorted_by_key(|edge| edge.source), "edges are in order of their sources");
        let distinct: BTreeSet<&Atom> = self.atoms.iter().collect();
        assert_eq!(distinct.len(), self.atoms.len(), "an atom occurs once");
        for cube in self.edges.iter().flat_map(|edge| &edge.guard.cubes) {
            assert!(cube.is_sorted_by(|a, b| a.0 < b.0), "a cube has each atom once, in order");
            assert!(cube.iter().all(|(atom, _)| atom.index() < self.atoms.len()), "atoms are in range");
        }
    }
}

/// A state of the automaton and a position of the word.
type Node = (StateId, usize);

struct Product<'a> {
    automaton: &'a Automaton,
    word: &'a Word,
}

impl Product<'_> {
    fn steps(&self, (state, position): Node) -> impl Iterator<Item = (Node, bool)> {
        let letter: &Letter = self.word.letter(position);
        let holds = |atom: AtomId| letter.contains(&self.automaton.atoms[atom.index()]);
        let enabled = self.automaton.leaving(state).filter(move |edge| edge.guard.holds(holds));
        enabled.map(move |edge| ((edge.target, self.word.next(position)), edge.accepting))
    }

    fn reachable(&self, initial: Vec<Node>) -> BTreeSet<Node> {
        let mut seen: BTreeSet<Node> = initial.iter().copied().collect();
        let mut rest = initial;
        while let Some(node) = rest.pop() {
            for (to, _) in self.steps(node) {
                if seen.insert(to) {
                    rest.push(to);
                }
            }
        }
        seen
    }

    fn leads_to(&self, from: Node, to: Node) -> bool {
        self.reachable(vec![from]).contains(&to)
    }
}

/// One line per edge, for tests and people: `0 -[p && !q]-> 1 *`, `*` for accepting.
impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let initial: Vec<String> = self.initial.iter().map(|state| state.0.to_string()).collect();
        writeln!(f, "{} states, initial: {}", self.n_states, initial.join(" "))?;
        for edge in &self.edges {
            let guard = self.guard_text(&edge.guard);
            let accepting = if edge.accepting { " *" } else { "" };
            writeln!(f, "{} -[{guard}]-> {}{accepting}", edge.source.0, edge.target.0)?;
        }
        Ok(())
    }
}

impl Automaton {
    /// The guard with the names of the atoms.
    #[must_use]
    pub fn guard_text(&self, guard: &Guard) -> String {
        let literal = |(atom, positive): &(AtomId, bool)| {
            let name = self.atoms[atom.index()].to_string();
            if *positive { name } else { format!("!{name}") }
        };
        let cube = |cube: &Cube| {
            let literals: Vec<String> = cube.iter().map(literal).collect();
            if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") }
        };
        let cubes: Vec<String> = guard.cubes.iter().map(cube).collect();
        if cubes.is_empty() { "false".to_owned() } else { cubes.join(" || ") }
    }
}
