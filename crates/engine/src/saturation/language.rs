//! Which configurations an automaton accepts: the meeting with a set, and all of them up to a height.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use bdd::{Bdd, Stop, Var};
use encode::{Copy, Transfers};
use program::{Graph, LocationId, ProcedureId, Program, Value, VariableId};
use question::configuration::ConfigurationSet;
use rustc_hash::FxHashMap;

use super::automaton::{Automaton, State, Symbol};
use crate::state::value;

/// One configuration: what occurs in the program has a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Configuration {
    /// Shared and private variables.
    pub shared: Vec<(VariableId, Value)>,
    /// The stack, from the top down. A frame that waits is where it goes on.
    pub frames: Vec<Frame>,
}

/// One frame of a stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frame {
    /// Where it is.
    pub location: LocationId,
    /// Its locals.
    pub values: Vec<(VariableId, Value)>,
}

/// Values of diagram variables, in ascending order.
type Literals = Vec<(Var, bool)>;

/// An automaton, ready to be read.
pub(super) struct Reader<'r, 'e, 'p> {
    pub(super) graph: &'r Graph,
    pub(super) transfers: &'r Transfers<'e, 'p>,
    pub(super) automaton: &'r Automaton,
}

/// A part of a configuration that has been read, on the way to a meeting.
struct Step {
    state: State,
    place: usize,
    /// The data of the state, as transitions from it have it.
    data: Bdd,
    parent: Option<usize>,
    location: LocationId,
    /// Over the data of the state before (next copies), the frame (current copies) and the data of this state (entry copies).
    relation: Bdd,
}

impl<'r, 'e, 'p> Reader<'r, 'e, 'p> {
    pub(super) fn new(graph: &'r Graph, transfers: &'r Transfers<'e, 'p>, automaton: &'r Automaton) -> Self {
        Self { graph, transfers, automaton }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.transfers.encoding().program()
    }

    /// The transitions of a state. A procedure that has returned lets the frame below it go on like a running one.
    pub(super) fn goes_on(&self, state: State) -> Result<Vec<(Symbol, State, Bdd)>, Stop> {
        let is_returned = matches!(state, State::Returned(_));
        let own = self.automaton.waiting_from(state).filter(|w| !is_returned || matches!(w.symbol, Symbol::In(_)));
        let mut all: Vec<(Symbol, State, Bdd)> = own.map(|w| (w.symbol, w.to, w.all.clone())).collect();
        if is_returned {
            for location in self.program().locations.ids() {
                if !Symbol::at(self.program(), self.graph, location).contains(&Symbol::At(location)) {
                    continue;
                }
                for top in self.automaton.tops_at(location) {
                    all.push((Symbol::At(location), top.to, self.transfers.as_waiting(&top.all)?));
                }
            }
        }
        Ok(all)
    }

    /// The top transitions at a location, without values that no variable has.
    pub(super) fn tops(&self, location: LocationId) -> Result<Vec<(State, Bdd)>, Stop> {
        let encoding = self.transfers.encoding();
        let procedure = self.program().locations[location].procedure;
        let mut tops = Vec::new();
        for top in self.automaton.tops_at(location) {
            let set = encoding.and_in_range(top.all.clone(), encoding.in_scope(procedure), Copy::Current)?;
            if !set.is_false() {
                tops.push((top.to, set));
            }
        }
        Ok(tops)
    }

    /// A configuration that is also in a set.
    pub(super) fn meets(&self, set: &ConfigurationSet) -> Result<Option<Configuration>, Stop> {
        let mut meeting = Meeting { reader: self, set, steps: Vec::new(), known: FxHashMap::default() };
        for (first, condition) in &set.first {
            let place = &set.places[*first];
            let condition = self.transfers.condition(condition)?.and(&self.transfers.condition(&place.condition)?)?;
            for location in &place.locations {
                for (to, top) in self.tops(*location)? {
                    meeting.add(to, *first, None, *location, top.and(&condition)?)?;
                }
            }
        }
        meeting.search()
    }

    /// All configurations with at most so many frames, in order; none when there are more than `most`.
    pub(super) fn enumerate(&self, max_frames: usize, most: usize) -> Result<Option<Vec<Configuration>>, Stop> {
        let mut walk = Walk { reader: self, max_frames, most, found: Vec::new(), goes_on: FxHashMap::default() };
        for location in self.program().locations.ids() {
            let vars = self.transfers.encoding().current_vars(self.program().locations[location].procedure);
            let tops = self.tops(location)?;
            for (values, states) in walk.split(&tops, &vars)? {
                let shared = self.values(self.transfers.encoding().globals().iter().copied(), &values);
                let mut prefix = Configuration { shared, frames: vec![self.frame(location, &values)] };
                walk.down(&mut prefix, &states)?;
            }
        }
        let mut found = walk.found;
        if found.len() > most {
            return Ok(None);
        }
        found.sort();
        Ok(Some(found))
    }

    fn frame(&self, location: LocationId, values: &Literals) -> Frame {
        let procedure = self.program().locations[location].procedure;
        Frame { location, values: self.values(self.transfers.encoding().frame(procedure), values) }
    }

    fn values(&self, variables: impl Iterator<Item = VariableId>, values: &Literals) -> Vec<(VariableId, Value)> {
        let encoding = self.transfers.encoding();
        let mut variables: Vec<VariableId> = variables.collect();
        variables.sort_unstable();
        variables.into_iter().filter_map(|variable| Some((variable, value(encoding, values, variable)?))).collect()
    }

    /// Current copies of a frame, in ascending order.
    fn frame_vars(&self, procedure: ProcedureId) -> Vec<Var> {
        let encoding = self.transfers.encoding();
        let mut vars = encoding.copies(encoding.frame(procedure), Copy::Current);
        vars.sort_unstable();
        vars
    }
}

/// The search for a configuration that is in two sets.
struct Meeting<'m, 'r, 'e, 'p> {
    reader: &'m Reader<'r, 'e, 'p>,
    set: &'m ConfigurationSet,
    steps: Vec<Step>,
    /// By state and place: the data that has been seen.
    known: FxHashMap<(State, usize), Bdd>,
}

impl Meeting<'_, '_, '_, '_> {
    /// Adds what is new of a step.
    fn add(
        &mut self,
        state: State,
        place: usize,
        parent: Option<usize>,
        location: LocationId,
        relation: Bdd,
    ) -> Result<(), Stop> {
        if relation.is_false() {
            return Ok(());
        }
        let mut data = self.reader.transfers.to_source(&self.reader.transfers.target_data(&relation)?)?;
        let mut all = data.clone();
        if let Some(known) = self.known.get(&(state, place)) {
            data = data.diff(known)?;
            all = all.or(known)?;
        }
        if !data.is_false() {
            self.known.insert((state, place), all);
            self.steps.push(Step { state, place, data, parent, location, relation });
        }
        Ok(())
    }

    fn search(mut self) -> Result<Option<Configuration>, Stop> {
        let reader = self.reader;
        let mut goes_on: FxHashMap<State, Vec<(Symbol, State, Bdd)>> = FxHashMap::default();
        let mut at = 0;
        while at < self.steps.len() {
            let (state, place, data) = (self.steps[at].state, self.steps[at].place, self.steps[at].data.clone());
            if self.set.places[place].is_last && reader.automaton.finals.contains(&state) {
                return self.example(at).map(Some);
            }
            if let Entry::Vacant(place) = goes_on.entry(state) {
                place.insert(reader.goes_on(state)?);
            }
            for next in &self.set.places[place].next {
                let condition = reader.transfers.condition(&self.set.places[*next].condition)?;
                for (symbol, to, waiting) in &goes_on[&state] {
                    let location = symbol.location(reader.program());
                    if self.set.places[*next].locations.binary_search(&location).is_ok() {
                        let encoding = reader.transfers.encoding();
                        let frame = encoding.frame(reader.program().locations[location].procedure);
                        let relation = data.and(waiting)?.and(&condition)?;
                        let relation = encoding.and_in_range(relation, frame, Copy::Current)?;
                        self.add(*to, *next, Some(at), location, relation)?;
                    }
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Goes back from the last step and picks values on the way.
    fn example(&self, last: usize) -> Result<Configuration, Stop> {
        let (reader, encoding) = (self.reader, self.reader.transfers.encoding());
        let slots = encoding.slots();
        let [entry, next] = [Copy::Entry, Copy::Next].map(|copy| slots.all(copy).collect::<Vec<Var>>());
        let mut frames = Vec::new();
        let mut shared = Vec::new();
        let mut wanted = self.steps[last].data.clone();
        let mut at = Some(last);
        while let Some(step) = at.map(|at| &self.steps[at]) {
            let back: Vec<(Var, Var)> = next.iter().copied().zip(entry.iter().copied()).collect();
            let fitting = step.relation.and(&wanted.rename(&encoding.manager().renaming(&back))?)?;
            let mut vars: Vec<Var> = slots.all(Copy::Current).chain(next.iter().copied()).collect();
            vars.sort_unstable();
            let mut picked = fitting.pick_total(&vars).unwrap_or_default();
            picked.sort_unstable();
            frames.push(reader.frame(step.location, &picked));
            if step.parent.is_none() {
                shared = reader.values(encoding.globals().iter().copied(), &picked);
            }
            let is_data = |(var, _): &&(Var, bool)| next.binary_search(var).is_ok();
            let data: Literals = picked.iter().filter(is_data).copied().collect();
            wanted = encoding.manager().conjunction(&data)?;
            at = step.parent;
        }
        frames.reverse();
        Ok(Configuration { shared, frames })
    }
}

/// Goes through all configurations, from the top down.
struct Walk<'m, 'r, 'e, 'p> {
    reader: &'m Reader<'r, 'e, 'p>,
    max_frames: usize,
    most: usize,
    found: Vec<Configuration>,
    goes_on: FxHashMap<State, Vec<(Symbol, State, Bdd)>>,
}

impl Walk<'_, '_, '_, '_> {
    /// All values of some variables, with the states (and their data) that they lead to.
    #[expect(clippy::type_complexity, reason = "a list that is gone through at once")]
    fn split(&self, sets: &[(State, Bdd)], vars: &[Var]) -> Result<Vec<(Literals, Vec<(State, Bdd)>)>, Stop> {
        let (encoding, transfers) = (self.reader.transfers.encoding(), self.reader.transfers);
        let mut left = encoding.manager().bdd_false();
        for (_, set) in sets {
            left = left.or(&transfers.heads(set)?)?;
        }
        let mut parts = Vec::new();
        while let Some(mut values) = left.pick_total(vars) {
            values.sort_unstable();
            left = left.diff(&encoding.manager().conjunction(&values)?)?;
            let mut states = Vec::new();
            for (state, set) in sets {
                let data = set.cofactor(&values)?;
                if !data.is_false() {
                    states.push((*state, transfers.to_source(&data)?));
                }
            }
            parts.push((values, states));
        }
        Ok(parts)
    }

    fn down(&mut self, prefix: &mut Configuration, states: &[(State, Bdd)]) -> Result<(), Stop> {
        let reader = self.reader;
        if self.found.len() > self.most {
            return Ok(());
        }
        if states.iter().any(|(state, _)| reader.automaton.finals.contains(state)) {
            self.found.push(prefix.clone());
        }
        if prefix.frames.len() == self.max_frames {
            return Ok(());
        }
        let mut below: BTreeMap<LocationId, Vec<(State, Bdd)>> = BTreeMap::new();
        for (state, data) in states {
            if let Entry::Vacant(place) = self.goes_on.entry(*state) {
                place.insert(reader.goes_on(*state)?);
            }
            for (symbol, to, waiting) in &self.goes_on[state] {
                let location = symbol.location(reader.program());
                let encoding = reader.transfers.encoding();
                let frame = encoding.frame(reader.program().locations[location].procedure);
                let read = reader.transfers.read(data, waiting)?;
                let read = encoding.and_in_range(read, frame, Copy::Current)?;
                if !read.is_false() {
                    below.entry(location).or_default().push((*to, read));
                }
            }
        }
        for (location, sets) in below {
            let vars = reader.frame_vars(reader.program().locations[location].procedure);
            for (values, states) in self.split(&sets, &vars)? {
                prefix.frames.push(reader.frame(location, &values));
                self.down(prefix, &states)?;
                prefix.frames.pop();
            }
        }
        Ok(())
    }
}
