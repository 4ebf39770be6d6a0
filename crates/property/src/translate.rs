//! From a formula to a Büchi automaton, after Couvreur (FM 1999).
//!
//! A state is a formula that the rest of the word has to satisfy. What it says about the current letter and about the
//! next state is a Boolean function of the atoms, of variables `next f`, and of variables `promise g`:
//!
//! ```text
//! step(f U g) = step(g) || step(f) && next(f U g) && promise(g)
//! step(f R g) = step(g) && (step(f) || next(f R g))
//! ```
//!
//! An arc that makes the promise of `g` puts `g` off; a run accepts when it does not put anything off for ever, so the
//! marks of an arc are the promises that it does not make. States with the same function are the same state.

use base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::graph::{Arc, Graph, Marks};
use crate::label::{Label, Labels, Literals};
use crate::normal::Reader;
use crate::term::{Node, Term, Terms};
use crate::{Formula, reduce};

/// The automaton that accepts exactly the words that satisfy the formula.
///
/// The same formula gives the same automaton. Its states are reachable, and all but an initial one are on the way to
/// acceptance; edges outside of components in which a run can accept are not marked as accepting.
pub fn translate(formula: &Formula, budget: &Budget) -> Result<Automaton, StopReason> {
    let atoms = formula.atoms();
    let mut terms = Terms::new();
    let term = Reader::new(&atoms).read(formula, &mut terms);
    let mut steps = Steps::new(terms, atoms.len() as u32, budget);
    let graph = steps.explore(term, budget)?;
    let mut labels = steps.labels;
    let graph = reduce::plain(graph, &mut labels, budget)?;
    graph.finish(&mut labels, &atoms, budget)
}

/// How many ways to go on the letters of a state may leave.
const MAX_PARTS: usize = 128;

/// What a variable after those of the atoms stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Meaning {
    Next(Term),
    Promise(Term),
}

struct Steps {
    terms: Terms,
    labels: Labels,
    n_atoms: u32,
    meanings: Vec<Meaning>,
    variables: FxHashMap<Meaning, u32>,
    known: FxHashMap<Term, Label>,
    n_promises: usize,
    /// The number of the promise, by variable.
    promises: FxHashMap<u32, usize>,
}

impl Steps {
    fn new(terms: Terms, n_atoms: u32, budget: &Budget) -> Self {
        Self {
            terms,
            labels: Labels::new(budget),
            n_atoms,
            meanings: Vec::new(),
            variables: FxHashMap::default(),
            known: FxHashMap::default(),
            n_promises: 0,
            promises: FxHashMap::default(),
        }
    }

    fn variable(&mut self, meaning: Meaning) -> Label {
        let next = self.n_atoms + self.meanings.len() as u32;
        let variable = *self.variables.entry(meaning).or_insert(next);
        if variable == next {
            self.meanings.push(meaning);
            if let Meaning::Promise(_) = meaning {
                self.promises.insert(variable, self.n_promises);
                self.n_promises += 1;
            }
        }
        self.labels.literal(variable, true)
    }

    /// That the next state has to satisfy the term.
    fn next(&mut self, term: Term) -> Label {
        match self.terms.node(term).clone() {
            Node::Const(true) => Label::TRUE,
            Node::Const(false) => Label::FALSE,
            Node::And(parts) => {
                let parts: Vec<Label> = parts.into_iter().map(|part| self.next(part)).collect();
                self.labels.all(parts)
            }
            _ => self.variable(Meaning::Next(term)),
        }
    }

    /// What the term says about the current letter and the next state.
    fn step(&mut self, term: Term) -> Label {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let label = match self.terms.node(term).clone() {
            Node::Const(value) => {
                if value {
                    Label::TRUE
                } else {
                    Label::FALSE
                }
            }
            Node::Literal(atom, positive) => self.labels.literal(atom, positive),
            Node::And(parts) => {
                let parts: Vec<Label> = parts.into_iter().map(|part| self.step(part)).collect();
                self.labels.all(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Label> = parts.into_iter().map(|part| self.step(part)).collect();
                self.labels.any(parts)
            }
            Node::Next(inner) => self.next(inner),
            Node::Finally(inner) => self.until(term, Terms::TRUE, inner, true),
            Node::Globally(inner) => self.release(term, Terms::FALSE, inner, false),
            Node::Until(left, right) => self.until(term, left, right, true),
            Node::WeakUntil(left, right) => self.until(term, left, right, false),
            Node::Release(left, right) => self.release(term, left, right, false),
            Node::StrongRelease(left, right) => self.release(term, left, right, true),
        };
        self.known.insert(term, label);
        label
    }

    fn until(&mut self, term: Term, left: Term, right: Term, strong: bool) -> Label {
        let later = self.later(term, strong.then_some(right));
        let (left, right) = (self.step(left), self.step(right));
        let put_off = self.labels.and(left, later);
        self.labels.or(right, put_off)
    }

    fn release(&mut self, term: Term, left: Term, right: Term, strong: bool) -> Label {
        let later = self.later(term, strong.then_some(left));
        let (left, right) = (self.step(left), self.step(right));
        let released = self.labels.or(left, later);
        self.labels.and(right, released)
    }

    fn later(&mut self, term: Term, promise: Option<Term>) -> Label {
        let promise = promise.map_or(Label::TRUE, |promise| self.variable(Meaning::Promise(promise)));
        let next = self.variable(Meaning::Next(term));
        self.labels.and(next, promise)
    }

    fn explore(&mut self, term: Term, budget: &Budget) -> Result<Graph, StopReason> {
        let mut states = States::default();
        let initial = self.step(term);
        let initial = states.number(initial);
        let mut found: Vec<Vec<(Label, Vec<usize>, usize)>> = Vec::new();
        while let Some(state) = states.labels.get(found.len()).copied() {
            let mut arcs = Vec::new();
            for (guard, choice) in self.choices(state)? {
                budget.step()?;
                let (target, promises) = self.target(&choice);
                if target != Label::FALSE {
                    arcs.push((guard, promises, states.number(target)));
                }
            }
            self.labels.check()?;
            found.push(arcs);
        }
        let mut graph = Graph { n_sets: self.n_promises, initial: vec![initial], arcs: Vec::new() };
        for arcs in found {
            budget.check()?;
            let arc = |(guard, promises, target): (Label, Vec<usize>, usize)| {
                let marks: Marks = (0..self.n_promises).filter(|mark| !promises.contains(mark)).collect();
                Arc { target, marks, guard }
            };
            graph.arcs.push(arcs.into_iter().map(arc).collect());
        }
        graph.tidy(&mut self.labels);
        self.labels.check()?;
        Ok(graph)
    }

    /// The ways to take a step: for which letters, and which of the variables after the atoms have to be true.
    ///
    /// Letters that leave the same to be done are put together, which keeps choices of the automaton few. Where the
    /// letters differ too much for that, the function is taken apart as it comes.
    fn choices(&mut self, state: Label) -> Result<Vec<(Label, Literals)>, StopReason> {
        let mut choices = Vec::new();
        if let Some(parts) = self.labels.split(state, self.n_atoms, MAX_PARTS) {
            for (guard, rest) in parts {
                choices.extend(self.labels.cubes(rest)?.into_iter().map(|choice| (guard, choice)));
            }
            return Ok(choices);
        }
        for mut cube in self.labels.cubes(state)? {
            let choice = cube.split_off(cube.partition_point(|(variable, _)| *variable < self.n_atoms));
            let literals: Vec<Label> = cube.iter().map(|(at, positive)| self.labels.literal(*at, *positive)).collect();
            choices.push((self.labels.all(literals), choice));
        }
        Ok(choices)
    }

    /// The next state and the promises of a way to take a step.
    fn target(&mut self, choice: &[(u32, bool)]) -> (Label, Vec<usize>) {
        let (mut target, mut promises) = (Label::TRUE, Vec::new());
        for (variable, positive) in choice {
            assert!(positive, "no state asks that something is not to be done next");
            match self.meanings[(variable - self.n_atoms) as usize] {
                Meaning::Next(term) => {
                    let step = self.step(term);
                    target = self.labels.and(target, step);
                }
                Meaning::Promise(_) => promises.push(self.promises[variable]),
            }
        }
        (target, promises)
    }
}

/// The states by their functions.
#[derive(Default)]
struct States {
    numbers: FxHashMap<Label, usize>,
    labels: Vec<Label>,
}

impl States {
    fn number(&mut self, label: Label) -> usize {
        let next = self.labels.len();
        let number = *self.numbers.entry(label).or_insert(next);
        if number == next {
            self.labels.push(label);
        }
        number
    }
}
