//! An automaton as plain values, for reports.

use bdd::{Bdd, Dag, Stop};
use encode::Copy;
use program::{LocationId, ProcedureId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::State;
use super::language::Reader;

/// An automaton that accepts configurations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// All states but the initial one.
    pub states: Vec<ListedState>,
    /// All transitions.
    pub transitions: Vec<ListedTransition>,
    /// The conditions of the transitions.
    pub dag: Dag,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedState {
    /// What it stands for.
    pub state: State,
    /// Whether the stack may end here.
    pub is_final: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedTransition {
    /// Position of the state that it leaves; none: the initial one, so that it is about the running frame.
    pub from: Option<u32>,
    /// Where the frame is that it reads, or goes on.
    pub location: LocationId,
    /// Position of the state that it leads to.
    pub to: u32,
    /// The root of its condition.
    pub root: u32,
    /// What the variables of its condition mean.
    pub columns: Vec<ListedColumn>,
}

/// A variable of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListedColumn {
    /// The variable of the diagram, as the nodes of the automaton name it.
    pub var: u32,
    /// Whose value it is about.
    pub part: Part,
    /// The variable of the program.
    pub variable: VariableId,
    /// The bit of it.
    pub bit: u32,
}

/// What a condition speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The frame that is read, and for the running frame the shared values.
    Frame,
    /// The data of the state that the transition leaves.
    From,
    /// The data of the state that it leads to.
    To,
}

/// A transition with its diagram.
struct Row {
    from: Option<State>,
    location: LocationId,
    to: State,
    set: Bdd,
}

/// Writes an automaton down: states and transitions that are on the way from the initial state to a final one.
pub(super) fn list(reader: &Reader<'_, '_, '_>) -> Result<Listing, Stop> {
    let (met, mut rows) = rows(reader)?;
    let useful = useful(reader, &rows);
    rows.retain(|row| useful.contains(&row.to) && row.from.is_none_or(|from| useful.contains(&from)));
    let states: Vec<State> = met.into_iter().filter(|state| useful.contains(state)).collect();
    let position: FxHashMap<State, u32> = states.iter().copied().zip(0..).collect();
    let sets: Vec<Bdd> = rows.iter().map(|row| row.set.clone()).collect();
    let dag = reader.transfers.encoding().manager().export(&sets);
    let transition = |(row, root): (&Row, &u32)| ListedTransition {
        from: row.from.map(|from| position[&from]),
        location: row.location,
        to: position[&row.to],
        root: *root,
        columns: columns(reader, row),
    };
    let transitions = rows.iter().zip(&dag.roots).map(transition).collect();
    let listed = |state: &State| ListedState { state: *state, is_final: reader.automaton.finals.contains(state) };
    Ok(Listing { states: states.iter().map(listed).collect(), transitions, dag })
}

/// All transitions of states that the initial one leads to, and these states in the order in which they are met.
fn rows(reader: &Reader<'_, '_, '_>) -> Result<(Vec<State>, Vec<Row>), Stop> {
    let (mut states, mut seen) = (Vec::new(), FxHashSet::default());
    let mut rows: Vec<Row> = Vec::new();
    for location in reader.program().locations.ids() {
        for (to, set) in reader.tops(location)? {
            if seen.insert(to) {
                states.push(to);
            }
            rows.push(Row { from: None, location, to, set });
        }
    }
    let mut at = 0;
    while at < states.len() {
        let from = states[at];
        for (symbol, to, set) in reader.goes_on(from)? {
            let location = symbol.location(reader.program());
            let encoding = reader.transfers.encoding();
            let frame = encoding.frame(reader.program().locations[location].procedure);
            let set = encoding.and_in_range(set, frame, Copy::Current)?;
            if set.is_false() {
                continue;
            }
            if seen.insert(to) {
                states.push(to);
            }
            rows.push(Row { from: Some(from), location, to, set });
        }
        at += 1;
    }
    Ok((states, rows))
}

/// States from which a final one may be reached.
fn useful(reader: &Reader<'_, '_, '_>, rows: &[Row]) -> FxHashSet<State> {
    let mut into: FxHashMap<State, Vec<State>> = FxHashMap::default();
    for row in rows {
        into.entry(row.to).or_default().extend(row.from);
    }
    let ends = |state: &State| reader.automaton.finals.contains(state);
    let mut open: Vec<State> = rows.iter().map(|row| row.to).filter(ends).collect();
    let mut useful: FxHashSet<State> = FxHashSet::default();
    while let Some(state) = open.pop() {
        if useful.insert(state) {
            open.extend(into.get(&state).into_iter().flatten());
        }
    }
    useful
}

/// What the variables of a condition mean.
fn columns(reader: &Reader<'_, '_, '_>, row: &Row) -> Vec<ListedColumn> {
    let procedure = reader.program().locations[row.location].procedure;
    let encoding = reader.transfers.encoding();
    let support = row.set.support();
    let mut columns = Vec::new();
    let mut add = |variables: Vec<VariableId>, copy: Copy, part: Part| {
        for variable in variables {
            for (bit, var) in (0..).zip(encoding.slots().vars(variable, copy)) {
                if support.contains(&var) {
                    columns.push(ListedColumn { var: var.0, part, variable, bit });
                }
            }
        }
    };
    let globals = if row.from.is_none() { encoding.globals().to_vec() } else { Vec::new() };
    add(globals, Copy::Current, Part::Frame);
    add(encoding.frame(procedure).collect(), Copy::Current, Part::Frame);
    add(row.from.map(|from| data(reader, from)).unwrap_or_default(), Copy::Next, Part::From);
    add(data(reader, row.to), Copy::Entry, Part::To);
    columns
}

/// The variables that a state holds.
fn data(reader: &Reader<'_, '_, '_>, state: State) -> Vec<VariableId> {
    let procedure_of = |location: LocationId| -> ProcedureId { reader.program().locations[location].procedure };
    match state {
        State::Given(_) => Vec::new(),
        State::Entered(entry) => reader.transfers.entered(procedure_of(entry)).collect(),
        State::Returned(procedure) => reader.transfers.returned(procedure).collect(),
    }
}
