//! Automata over configurations: names of their states and symbols, and their conditions, for all formats.

use driver::Loaded;
use engine::saturation::{Configuration, Frame, ListedColumn, ListedTransition, Listing, Part, State};
use program::configuration::{location_label, location_name};
use program::text::print_value;
use program::{LocationId, Sort, Value, VariableId};

/// Names for the parts of an automaton.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    loaded: &'a Loaded,
}

impl<'a> Names<'a> {
    /// For a program.
    #[must_use]
    pub fn new(loaded: &'a Loaded) -> Self {
        Self { loaded }
    }

    /// A location, as sets of configurations name it. In a pushdown system, a symbol.
    #[must_use]
    pub fn symbol(&self, location: LocationId) -> String {
        let program = &self.loaded.program;
        if self.loaded.propositions.is_empty() {
            location_name(program, location)
        } else {
            location_label(program, location)
        }
    }

    /// A state.
    #[must_use]
    pub fn state(&self, state: State) -> String {
        match state {
            State::Given(place) => format!("set:{place}"),
            State::Entered(entry) => format!("called {}", self.symbol(entry)),
            State::Returned(procedure) => format!("returned {}", self.loaded.program.procedures[procedure].name),
        }
    }

    /// A variable, with whose value it is.
    #[must_use]
    pub fn variable(&self, variable: VariableId, part: Part) -> String {
        let name = &self.loaded.program.variables[variable].name;
        match part {
            Part::Frame => name.clone(),
            Part::From => format!("from.{name}"),
            Part::To => format!("to.{name}"),
        }
    }

    /// A variable with its value: `x`, `!x` or `x=3`.
    #[must_use]
    pub fn valued(&self, name: &str, variable: VariableId, value: &Value) -> String {
        match value {
            Value::Bool(true) => name.to_owned(),
            Value::Bool(false) => format!("!{name}"),
            other => format!("{name}={}", self.value(variable, other)),
        }
    }

    /// A value as conditions write it.
    #[must_use]
    pub fn value(&self, variable: VariableId, value: &Value) -> String {
        let program = &self.loaded.program;
        match (value, program.sort(variable)) {
            (Value::Bool(value), _) => value.to_string(),
            (Value::Bits(value), _) => value.to_string(),
            (Value::Enum(at), Sort::Enum(id)) => {
                program.enums[*id].values.get(*at as usize).cloned().unwrap_or_default()
            }
            (other, sort) => print_value(program, other, sort),
        }
    }

    /// A configuration as a set that holds it would be written, with values in brackets.
    #[must_use]
    pub fn configuration(&self, configuration: &Configuration) -> String {
        let values = |values: &[(VariableId, Value)]| -> String {
            let part = |(variable, value): &(VariableId, Value)| {
                self.valued(&self.loaded.program.variables[*variable].name, *variable, value)
            };
            let parts: Vec<String> = values.iter().map(part).collect();
            if parts.is_empty() { String::new() } else { format!("[{}]", parts.join(" & ")) }
        };
        let frame = |frame: &Frame| format!("{}{}", self.symbol(frame.location), values(&frame.values));
        let frames: Vec<String> = configuration.frames.iter().map(frame).collect();
        let shared = values(&configuration.shared);
        let space = if shared.is_empty() { "" } else { " " };
        format!("{shared}{space}<{}>", frames.join(" "))
    }

    /// The condition of a transition as alternatives, at most so many; the number says how many there are, as far as they
    /// were counted.
    #[must_use]
    pub fn condition(&self, listing: &Listing, transition: &ListedTransition, most: usize) -> (Vec<String>, usize) {
        let mut alternatives = Vec::new();
        let mut n = 0;
        let mut open = vec![(transition.root, Vec::new())];
        while let Some((node, path)) = open.pop() {
            match node {
                0 => {}
                1 => {
                    n += 1;
                    if alternatives.len() < most {
                        alternatives.push(self.alternative(transition, &path));
                    } else if n > 1000 {
                        break;
                    }
                }
                inner => {
                    let (var, low, high) = listing.dag.nodes[inner as usize - 2];
                    for (child, bit) in [(low, false), (high, true)] {
                        let mut longer = path.clone();
                        longer.push((var.0, bit));
                        open.push((child, longer));
                    }
                }
            }
        }
        (alternatives, n)
    }

    fn alternative(&self, transition: &ListedTransition, path: &[(u32, bool)]) -> String {
        let mut columns: Vec<(&ListedColumn, bool)> = Vec::new();
        for (var, bit) in path {
            columns.extend(transition.columns.iter().find(|column| column.var == *var).map(|column| (column, *bit)));
        }
        let key = |column: &ListedColumn| (column.part, column.variable);
        columns.sort_by_key(|(column, _)| (key(column), column.bit));
        let mut parts = Vec::new();
        for group in columns.chunk_by(|(left, _), (right, _)| key(left) == key(right)) {
            let (part, variable) = key(group[0].0);
            parts.push(self.known_bits(&self.variable(variable, part), variable, group));
        }
        if parts.is_empty() { "any".to_owned() } else { parts.join(" ") }
    }

    /// What is known about the bits of a variable: its value, or the bits with a dash for those that are open.
    fn known_bits(&self, name: &str, variable: VariableId, group: &[(&ListedColumn, bool)]) -> String {
        let program = &self.loaded.program;
        let width = program.sort(variable).n_bits(program) as usize;
        let bit = |at: usize| group.iter().find(|(column, _)| column.bit as usize == at).map(|(_, bit)| *bit);
        let bits: Option<Vec<bool>> = (0..width).map(bit).collect();
        let value = bits.and_then(|bits| match program.sort(variable) {
            Sort::Bool => bits.first().map(|bit| Value::Bool(*bit)),
            sort => sort.value_of_bits(program, &bits),
        });
        match value {
            Some(value) => self.valued(name, variable, &value),
            None => {
                let digit = |at: usize| bit(at).map_or('-', |bit| if bit { '1' } else { '0' });
                format!("{name}=0b{}", (0..width).rev().map(digit).collect::<String>())
            }
        }
    }
}
