//! Writing the format.

use std::fmt::Write as _;

use base::Id;

use crate::automaton::{Cube, Guard, StateId};
use crate::{AtomId, Automaton};

/// The automaton in the format, with acceptance on edges.
#[must_use]
pub fn write(automaton: &Automaton) -> String {
    let mut text = format!("HOA: v1\ntool: \"cauldron\"\nStates: {}\n", automaton.n_states);
    let mut line = |line: std::fmt::Arguments<'_>| {
        let written = text.write_fmt(line).and_then(|()| text.write_char('\n'));
        assert!(written.is_ok(), "writing to a string succeeds");
    };
    for state in &automaton.initial {
        line(format_args!("Start: {}", state.index()));
    }
    let atoms: String = automaton.atoms.iter().map(|atom| format!(" \"{}\"", escaped(&atom.to_string()))).collect();
    line(format_args!("AP: {}{atoms}", automaton.atoms.len()));
    line(format_args!("acc-name: Buchi\nAcceptance: 1 Inf(0)"));
    line(format_args!("properties: trans-labels explicit-labels trans-acc"));
    line(format_args!("--BODY--"));
    for state in (0..automaton.n_states).map(StateId) {
        line(format_args!("State: {}", state.index()));
        for edge in automaton.leaving(state) {
            let accepting = if edge.accepting { " {0}" } else { "" };
            line(format_args!("[{}] {}{accepting}", label(&edge.guard), edge.target.index()));
        }
    }
    line(format_args!("--END--"));
    text
}

fn label(guard: &Guard) -> String {
    let literal = |(atom, positive): &(AtomId, bool)| format!("{}{}", if *positive { "" } else { "!" }, atom.index());
    let cube = |cube: &Cube| {
        let literals: Vec<String> = cube.iter().map(literal).collect();
        if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
    };
    let cubes: Vec<String> = guard.cubes.iter().map(cube).collect();
    if cubes.is_empty() { "f".to_owned() } else { cubes.join(" | ") }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
