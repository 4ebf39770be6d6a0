//! Automata over configurations: names of their states and symbols, and their conditions, for all formats.

use std::collections::BTreeSet;

use driver::Loaded;
use driver::configurations::{Configuration, Frame, ListedColumn, ListedTransition, Listing, Part, State};
use program::{LocationId, Sort, Value, VariableId};
use question::Written;
use question::configuration::{location_label, location_name};

use crate::json::value::JsonValue;

/// With more open bits, the values that a variable may have are not listed.
const MOST_OPEN: usize = 3;

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
        valued(name, value, &self.value(variable, value))
    }

    /// A value as conditions write it.
    #[must_use]
    pub fn value(&self, variable: VariableId, value: &Value) -> String {
        self.written(self.loaded.program.sort(variable), value, &self.writing(variable))
    }

    fn writing(&self, variable: VariableId) -> Written {
        self.loaded.writing.of(variable).unwrap_or_default()
    }

    fn written(&self, sort: &Sort, value: &Value, written: &Written) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            other => JsonValue::of_sort(&self.loaded.program, sort, other, written).show(),
        }
    }

    /// A configuration as a set that holds it would be written, with values in brackets.
    #[must_use]
    pub fn configuration(&self, configuration: &Configuration) -> String {
        let frame = |frame: &Frame| format!("{}{}", self.symbol(frame.location), bracketed(&self.locals(frame)));
        let frames: Vec<String> = configuration.frames.iter().map(frame).collect();
        let is_state = |variable: VariableId| self.loaded.state == Some(variable);
        let states = configuration.shared.iter().filter(|(variable, _)| is_state(*variable));
        let state = states.map(|(variable, value)| self.value(*variable, value));
        let values = configuration.shared.iter().filter(|(variable, _)| !is_state(*variable));
        let shared: Vec<String> = values
            .map(|(variable, value)| self.valued(&self.shared_name(*variable, configuration), *variable, value))
            .collect();
        let parts = state.chain([bracketed(&shared), format!("<{}>", frames.join(" "))]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The values of a frame that its location has in the source.
    fn locals(&self, frame: &Frame) -> Vec<String> {
        let named = |(variable, value): &(VariableId, Value)| {
            let name = self.loaded.writing.name_at(&self.loaded.program, frame.location, *variable)?;
            Some(self.valued(name, *variable, value))
        };
        frame.values.iter().filter_map(named).collect()
    }

    /// A shared variable; a local of the same name on top of the stack hides it.
    fn shared_name(&self, variable: VariableId, configuration: &Configuration) -> String {
        let Loaded { program, writing, .. } = self.loaded;
        let name = program.variables[variable].name.as_str();
        let is_hidden = configuration.frames.first().is_some_and(|frame| {
            frame.values.iter().any(|(local, _)| writing.name_at(program, frame.location, *local) == Some(name))
        });
        if is_hidden { format!("::{name}") } else { name.to_owned() }
    }

    /// The condition of a transition as alternatives, at most so many; the number says how many there are, as far as they
    /// were counted.
    #[must_use]
    pub fn condition(&self, listing: &Listing, transition: &ListedTransition, most: usize) -> (Vec<String>, usize) {
        let mut alternatives = Vec::new();
        let mut n = 0;
        let hides = transition.columns.iter().any(|column| !self.is_shown(transition, column));
        let mut known = BTreeSet::new();
        let mut open = vec![(transition.root, Vec::new())];
        while let Some((node, path)) = open.pop() {
            match node {
                0 => {}
                1 => {
                    let is_short = alternatives.len() < most;
                    let alternative = (is_short || hides).then(|| self.alternative(transition, &path));
                    // They may differ only in what is not shown.
                    if hides && !known.insert(alternative.clone()) {
                        continue;
                    }
                    n += 1;
                    if is_short {
                        alternatives.extend(alternative);
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
            let column = transition.columns.iter().find(|column| column.var == *var);
            let shown = column.filter(|column| self.is_shown(transition, column));
            columns.extend(shown.map(|column| (column, *bit)));
        }
        let key = |column: &ListedColumn| (column.part, column.variable);
        columns.sort_by_key(|(column, _)| (key(column), column.bit));
        let mut parts = Vec::new();
        for group in columns.chunk_by(|(left, _), (right, _)| key(left) == key(right)) {
            let (part, variable) = key(group[0].0);
            let own = self.name_at(transition, group[0].0).map(str::to_owned);
            let name = own.unwrap_or_else(|| self.variable(variable, part));
            parts.push(self.known_bits(&name, variable, group));
        }
        if parts.is_empty() { "any".to_owned() } else { parts.join(" ") }
    }

    /// What the source calls a variable of the frame that a transition reads, if it has it there.
    fn name_at(&self, transition: &ListedTransition, column: &ListedColumn) -> Option<&'a str> {
        let name = self.loaded.writing.name_at(&self.loaded.program, transition.location, column.variable);
        name.filter(|_| column.part == Part::Frame)
    }

    fn is_shown(&self, transition: &ListedTransition, column: &ListedColumn) -> bool {
        column.part != Part::Frame || self.name_at(transition, column).is_some()
    }

    /// What is known about the bits of a variable.
    fn known_bits(&self, name: &str, variable: VariableId, group: &[(&ListedColumn, bool)]) -> String {
        let program = &self.loaded.program;
        let sort = program.sort(variable);
        let mut bits = vec![None; sort.n_bits(program) as usize];
        for (column, bit) in group {
            bits[column.bit as usize] = Some(*bit);
        }
        self.known(name, sort, &bits, &self.writing(variable))
    }

    /// The value, the few that it may be, what is known of the elements, or the bits with a dash for those that are open.
    fn known(&self, name: &str, sort: &Sort, bits: &[Option<bool>], written: &Written) -> String {
        if let (Sort::Array(element, n), true) = (sort, bits.contains(&None)) {
            let elements = bits.chunks(bits.len() / *n as usize).enumerate();
            let known = elements.filter(|(_, bits)| bits.iter().any(Option::is_some)).map(|(at, bits)| {
                let name = format!("{name}{}", written.index(at as u32));
                self.known(&name, element, bits, written)
            });
            return known.collect::<Vec<_>>().join(" ");
        }
        match self.possible(sort, bits).as_deref() {
            Some([value]) => valued(name, value, &self.written(sort, value, written)),
            Some(values) => {
                let values: Vec<String> = values.iter().map(|value| self.written(sort, value, written)).collect();
                format!("{name} in {{{}}}", values.join(", "))
            }
            None => {
                let digit = |bit: &Option<bool>| bit.map_or('-', |bit| if bit { '1' } else { '0' });
                format!("{name}=0b{}", bits.iter().rev().map(digit).collect::<String>())
            }
        }
    }

    /// The values of a sort of which some bits are known; none: there are too many.
    fn possible(&self, sort: &Sort, bits: &[Option<bool>]) -> Option<Vec<Value>> {
        let open: Vec<usize> = (0..bits.len()).filter(|at| bits[*at].is_none()).collect();
        if open.len() > MOST_OPEN {
            return None;
        }
        let value = |chosen: u32| {
            let mut bits: Vec<bool> = bits.iter().map(|bit| bit.unwrap_or(false)).collect();
            for (nth, at) in open.iter().enumerate() {
                bits[*at] = chosen >> nth & 1 == 1;
            }
            match sort {
                Sort::Bool => bits.first().map(|bit| Value::Bool(*bit)),
                sort => sort.value_of_bits(&self.loaded.program, &bits),
            }
        };
        Some((0..1 << open.len()).filter_map(value).collect())
    }
}

/// Values as a condition.
fn bracketed(values: &[String]) -> String {
    if values.is_empty() { String::new() } else { format!("[{}]", values.join(" & ")) }
}

/// `x`, `!x` or `x=3`.
fn valued(name: &str, value: &Value, written: &str) -> String {
    match value {
        Value::Bool(true) => name.to_owned(),
        Value::Bool(false) => format!("!{name}"),
        _ => format!("{name}={written}"),
    }
}
