//! View tuples: for each thread, the stacks that it may have, together with the shared values.
//!
//! A configuration belongs to a tuple if, with its shared values, each of its stacks belongs to the view of its thread.
//! A view is a symbolic automaton over stacks. Its top transitions carry the shared values and the running frame; the
//! states below them, and the frames that wait there, never change once the thread has lost its turn, so tuples refer
//! to them by number ([`Stacks`]).

use std::rc::Rc;

use bdd::Bdd;
use program::{EdgeId, LocationId};
use rustc_hash::FxHashMap;

/// The number of a state of a stack.
pub(super) type StateId = u32;

/// The state below a thread's first frame.
pub(super) const BOTTOM: StateId = 0;

/// The running frames at a location above a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Top<S = Bdd> {
    pub(super) location: LocationId,
    pub(super) below: StateId,
    /// Over the current values of everything in scope and, in the entry copies, the data of the state below.
    pub(super) set: S,
}

/// What one thread may be doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View<S = Bdd> {
    /// By location, then by state; none of them empty.
    pub(super) tops: Vec<Top<S>>,
}

/// What all threads may be doing.
#[derive(Clone, Debug)]
pub(super) struct Tuple {
    pub(super) views: Vec<Rc<View>>,
    /// The shared values, which all views have in common.
    pub(super) shared: Bdd,
    /// The thread whose context was the last; none at the start.
    pub(super) active: Option<usize>,
    /// Changes of the active thread, or rounds before the present one.
    pub(super) used: u32,
    pub(super) n_contexts: u32,
    /// The tuple before the last context.
    pub(super) parent: Option<usize>,
}

/// Frames that wait, in the middle of a call, below a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Waiting<S = Bdd> {
    pub(super) call: EdgeId,
    pub(super) to: StateId,
    /// Over the data of the state (next copies), the frame (current copies), and the data of the state below the frame (entry
    /// copies).
    pub(super) set: S,
}

/// A state of a stack: what is below a frame that was entered here.
#[derive(Clone, Debug)]
pub(super) struct Place<S = Bdd> {
    /// None at the bottom.
    pub(super) entry: Option<LocationId>,
    pub(super) waiting: Vec<Waiting<S>>,
}

/// Where a waiting frame of a new layer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum To {
    /// To a state of the same layer, by position.
    Own(u32),
    /// To a state that is known.
    Old(StateId),
}

/// One state of a new layer: its entry and the frames below it.
pub(super) type Row<S = Bdd> = (LocationId, Vec<(EdgeId, To, S)>);

/// A view before the layer of its last context has numbers.
#[derive(Clone, Debug)]
pub(super) struct Draft<S = Bdd> {
    /// Tops above states that are known.
    pub(super) old: Vec<Top<S>>,
    /// Tops above states of a layer: location, position in the layer, set.
    pub(super) new: Vec<(LocationId, u32, S)>,
}

/// The states of all stacks. What a thread pushed in one context is a layer: a range of states.
#[derive(Debug)]
pub(super) struct Stacks {
    places: Vec<Place>,
    known: FxHashMap<Vec<Row>, StateId>,
}

impl Stacks {
    pub(super) fn new() -> Self {
        Self { places: vec![Place { entry: None, waiting: Vec::new() }], known: FxHashMap::default() }
    }

    pub(super) fn place(&self, state: StateId) -> &Place {
        &self.places[state as usize]
    }

    /// All diagrams of all states.
    pub(super) fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.places.iter().flat_map(|place| &place.waiting).map(|waiting| &waiting.set)
    }

    /// Takes over a state from elsewhere, under its number there.
    pub(super) fn put(&mut self, state: StateId, place: Place) {
        let state = state as usize;
        if self.places.len() <= state {
            self.places.resize(state + 1, Place { entry: None, waiting: Vec::new() });
        }
        self.places[state] = place;
    }

    /// The view of a draft whose layer begins with a state.
    pub(super) fn settle(draft: Draft, first: StateId) -> View {
        let Draft { old: mut tops, new } = draft;
        tops.extend(new.into_iter().map(|(location, at, set)| Top { location, below: first + at, set }));
        tops.sort_by_key(|top| (top.location, top.below));
        View { tops }
    }

    /// The number of the first state of a layer; equal layers have equal numbers.
    pub(super) fn add(&mut self, rows: Vec<Row>) -> StateId {
        if rows.is_empty() {
            return BOTTOM;
        }
        if let Some(first) = self.known.get(&rows) {
            return *first;
        }
        let first = self.places.len() as StateId;
        for (entry, waiting) in &rows {
            let number = |to: To| match to {
                To::Own(at) => first + at,
                To::Old(state) => state,
            };
            let waiting =
                waiting.iter().map(|(call, to, set)| Waiting { call: *call, to: number(*to), set: set.clone() });
            self.places.push(Place { entry: Some(*entry), waiting: waiting.collect() });
        }
        self.known.insert(rows, first);
        first
    }

    /// All states that some tops stand on, in order.
    pub(super) fn below(&self, tops: &[Top]) -> Vec<StateId> {
        let mut open: Vec<StateId> = tops.iter().map(|top| top.below).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(state) = open.pop() {
            if seen.insert(state) {
                open.extend(self.place(state).waiting.iter().map(|waiting| waiting.to));
            }
        }
        seen.into_iter().collect()
    }
}
