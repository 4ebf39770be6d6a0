//! The states and their edges.

use std::collections::BTreeSet;

use base::Span;

use super::header::Header;
use super::token::Token;
use super::{Reader, Stop};
use crate::graph::{Arc, Graph, Marks};
use crate::label::Label;

/// More states than any property has.
const MAX_STATES: u32 = 1 << 20;
/// Beyond this many propositions nobody lists an edge for every letter.
const MAX_IMPLICIT: usize = 16;

/// An edge as written.
struct Edge {
    label: Option<Label>,
    target: (u32, Span),
    sets: Vec<u32>,
}

impl Reader<'_> {
    pub(super) fn body(&mut self, header: &Header) -> Result<Graph, Stop> {
        let mut graph = Graph { n_sets: header.clauses.len(), initial: Vec::new(), arcs: Vec::new() };
        let mut seen = BTreeSet::new();
        if let Some(n) = header.n_states.filter(|n| *n <= MAX_STATES) {
            graph.arcs.resize(n as usize, Vec::new());
        }
        for (state, span) in &header.start {
            let state = self.known_state(*state, *span, header, &mut graph);
            graph.initial.push(state);
        }
        while self.tape.peek() == Token::Header && self.text(self.tape.span()) == "State:" {
            self.tape.take();
            self.state_with_edges(header, &mut graph, &mut seen)?;
        }
        if self.tape.peek() == Token::Abort {
            self.error("LT0108", "this automaton was given up by the tool that wrote it", self.tape.span());
            return Err(Stop);
        }
        self.expect(Token::Finish, "`State:`, an edge or `--END--`")?;
        if self.tape.peek() != Token::End {
            self.error("LT0108", "there is more than one automaton; only one can be asked about", self.tape.span());
        }
        Ok(graph)
    }

    /// The index of a state, which exists afterwards.
    fn known_state(&mut self, state: u32, span: Span, header: &Header, graph: &mut Graph) -> usize {
        if header.n_states.is_some_and(|n| state >= n) {
            let n = header.n_states.unwrap_or(0);
            self.error("LT0105", format!("there are {n} states, counted from 0"), span);
            return 0;
        }
        if state >= MAX_STATES {
            self.error("LT0107", format!("automata may have up to {MAX_STATES} states"), span);
            return 0;
        }
        let state = state as usize;
        if state >= graph.arcs.len() {
            graph.arcs.resize(state + 1, Vec::new());
        }
        state
    }

    fn state_with_edges(&mut self, header: &Header, graph: &mut Graph, seen: &mut BTreeSet<u32>) -> Result<(), Stop> {
        let label = self.optional_label(header)?;
        let (number, span) = self.number("the number of a state")?;
        if !seen.insert(number) {
            self.error("LT0105", format!("state {number} occurs twice"), span);
        }
        if self.tape.peek() == Token::Text {
            self.tape.take();
        }
        let of_state = self.sets(header)?;
        let mut edges = Vec::new();
        while matches!(self.tape.peek(), Token::OpenLabel | Token::Number) {
            let label = self.optional_label(header)?;
            let target = self.state()?;
            edges.push(Edge { label, target, sets: self.sets(header)? });
        }
        let state = self.known_state(number, span, header, graph);
        let guards = self.guards(label, &edges, header, span);
        for (edge, guard) in edges.iter().zip(guards) {
            let has = |set: u32| of_state.contains(&set) || edge.sets.contains(&set);
            let met = |at: &usize| header.clauses[*at].iter().any(|(set, complement)| has(*set) != *complement);
            let marks: Marks = (0..header.clauses.len()).filter(met).collect();
            let target = self.known_state(edge.target.0, edge.target.1, header, graph);
            if let Some(arcs) = graph.arcs.get_mut(state) {
                arcs.push(Arc { target, marks, guard });
            }
        }
        Ok(())
    }

    fn optional_label(&mut self, header: &Header) -> Result<Option<Label>, Stop> {
        if !self.tape.take_if(Token::OpenLabel) {
            return Ok(None);
        }
        let label = self.label(header)?;
        self.expect(Token::CloseLabel, "`]`")?;
        Ok(Some(label))
    }

    fn sets(&mut self, header: &Header) -> Result<Vec<u32>, Stop> {
        let mut sets = Vec::new();
        if !self.tape.take_if(Token::OpenSet) {
            return Ok(sets);
        }
        while self.tape.peek() == Token::Number {
            let (set, span) = self.number("the number of a set")?;
            if set >= header.n_sets {
                self.error("LT0105", format!("there are {} acceptance sets, counted from 0", header.n_sets), span);
            }
            sets.push(set);
        }
        self.expect(Token::CloseSet, "`}`")?;
        Ok(sets)
    }

    /// The label of each edge: its own, that of its state, or the letter with the number of the edge.
    fn guards(&mut self, of_state: Option<Label>, edges: &[Edge], header: &Header, span: Span) -> Vec<Label> {
        let n_labels = edges.iter().filter(|edge| edge.label.is_some()).count();
        if let Some(label) = of_state {
            if n_labels > 0 {
                self.error("LT0106", "both the state and its edges have labels", span);
            }
            return vec![label; edges.len()];
        }
        if n_labels == edges.len() {
            return edges.iter().filter_map(|edge| edge.label).collect();
        }
        let n_atoms = header.numbers.len();
        if n_labels > 0 || n_atoms > MAX_IMPLICIT || edges.len() != 1 << n_atoms {
            let message = format!(
                "{} edges have no label; without labels there is one edge for each of 2^{n_atoms} letters",
                edges.len() - n_labels
            );
            self.error("LT0106", message, span);
            return Vec::new();
        }
        (0..edges.len()).map(|letter| self.letter(letter, header)).collect()
    }

    /// The letter in which the propositions hold whose bits are set.
    fn letter(&mut self, letter: usize, header: &Header) -> Label {
        let bits = header.numbers.iter().enumerate();
        let literals: Vec<Label> = bits.map(|(bit, atom)| self.labels.literal(*atom, letter >> bit & 1 == 1)).collect();
        self.labels.all(literals)
    }
}
