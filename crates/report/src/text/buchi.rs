//! Automata over runs, drawn.

use std::fmt::Write as _;

use base::Id;
use property::Automaton;

use super::configurations::quoted;

/// The automaton as Graphviz draws it; accepting edges are bold.
#[must_use]
pub fn dot(automaton: &Automaton) -> String {
    let mut text = "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n".to_owned();
    for (at, state) in automaton.initial.iter().enumerate() {
        let _ = writeln!(text, "  start{at} [shape=point];\n  start{at} -> s{};", state.index());
    }
    for state in 0..automaton.n_states {
        let _ = writeln!(text, "  s{state} [label=\"{state}\"];");
    }
    for edge in &automaton.edges {
        let style = if edge.accepting { ", style=bold" } else { "" };
        let label = quoted(&automaton.guard_text(&edge.guard));
        let _ = writeln!(text, "  s{} -> s{} [label={label}{style}];", edge.source.index(), edge.target.index());
    }
    text.push_str("}\n");
    text
}
