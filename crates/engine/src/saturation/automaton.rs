//! Symbolic automata over configurations: explicit states and symbols, data in decision diagrams.
//!
//! A configuration is the shared values, the running frame and the frames that wait, from the top down. The automaton
//! has one initial state, which holds the shared values; transitions that leave it are *top* transitions, the others are
//! *waiting*. What their diagrams are about, [`encode::Transfers`] says.

use base::IdVec;
use bdd::{Bdd, Manager, Stop};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// A state other than the initial one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// A state of the automaton that was given; it has no data.
    Given(u32),
    /// Below a frame that was entered here; its data is what the frame started with.
    Entered(LocationId),
    /// Below a frame of the procedure that returns; its data is what it returns with.
    Returned(program::ProcedureId),
}

/// A frame that waits for its callee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// It goes on here with the shared values that the callee leaves, whoever the callee is.
    At(LocationId),
    /// It is in the middle of this call.
    In(EdgeId),
}

impl Symbol {
    /// Where the frame goes on.
    #[must_use]
    pub fn location(self, program: &Program) -> LocationId {
        match self {
            Self::At(location) => location,
            Self::In(edge) => program.edges[edge].target,
        }
    }

    /// The call that the frame is in the middle of.
    pub(crate) fn call(self, program: &Program) -> Option<&Call> {
        match self {
            Self::In(edge) => match &program.edges[edge].kind {
                EdgeKind::Call(call) => Some(call),
                EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
            },
            Self::At(_) => None,
        }
    }

    /// The frames that go on at a location: those of calls that take something from their callees, and, unless all
    /// calls are such, one that does not.
    pub(super) fn at(program: &Program, graph: &Graph, location: LocationId) -> Vec<Self> {
        let incoming = graph.incoming(location).iter();
        let symbols = incoming.filter_map(|edge| match &program.edges[*edge].kind {
            EdgeKind::Call(call) => Some(Self::of(program, *edge, call, true)),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
        });
        let mut symbols: Vec<Self> = symbols.collect();
        if symbols.is_empty() {
            symbols.push(Self::At(location));
        }
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// The frame of a call while its callee runs; what takes nothing from its callee is known by its location alone.
    pub(super) fn of(program: &Program, edge: EdgeId, call: &Call, by_location: bool) -> Self {
        if by_location && call.leave.is_identity() { Self::At(program.edges[edge].target) } else { Self::In(edge) }
    }
}

/// A transition from the initial state.
#[derive(Clone, Debug)]
pub(crate) struct Top {
    pub(crate) location: LocationId,
    pub(crate) to: State,
    pub(crate) all: Bdd,
    /// What has not been sent on yet.
    fresh: Bdd,
}

/// A transition from another state.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) symbol: Symbol,
    pub(crate) to: State,
    pub(crate) all: Bdd,
}

/// The number of a top transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TopId(pub(super) u32);

/// An automaton while it grows.
#[derive(Debug)]
pub(crate) struct Automaton {
    nothing: Bdd,
    everything: Bdd,
    pub(crate) tops: Vec<Top>,
    top_of: FxHashMap<(LocationId, State), TopId>,
    at: IdVec<LocationId, Vec<TopId>>,
    /// How often top transitions of a location have grown.
    growth: IdVec<LocationId, u32>,
    pub(super) waiting: Vec<Waiting>,
    waiting_of: FxHashMap<(State, Symbol, State), u32>,
    from: FxHashMap<State, Vec<u32>>,
    from_by: FxHashMap<(State, Symbol), Vec<u32>>,
    /// States that read every frame and stay.
    loops: FxHashSet<State>,
    /// States in which the stack may end.
    pub(super) finals: FxHashSet<State>,
}

impl Automaton {
    pub(super) fn new(program: &Program, manager: &Manager) -> Self {
        Self {
            nothing: manager.bdd_false(),
            everything: manager.bdd_true(),
            tops: Vec::new(),
            top_of: FxHashMap::default(),
            at: IdVec::filled(program.locations.len(), Vec::new()),
            growth: IdVec::filled(program.locations.len(), 0),
            waiting: Vec::new(),
            waiting_of: FxHashMap::default(),
            from: FxHashMap::default(),
            from_by: FxHashMap::default(),
            loops: FxHashSet::default(),
            finals: FxHashSet::default(),
        }
    }

    /// Forgets all transitions to and from given states; the others stay in their order.
    pub(super) fn forget_given(&mut self) {
        let is_given = |state: State| matches!(state, State::Given(_));
        self.from.retain(|from, _| !is_given(*from));
        self.from_by.retain(|(from, _), _| !is_given(*from));
        let mut kept = Vec::new();
        let mut place: FxHashMap<u32, u32> = FxHashMap::default();
        let mut of: Vec<((State, Symbol, State), u32)> = self.waiting_of.drain().collect();
        of.sort_unstable_by_key(|(_, id)| *id);
        for ((from, symbol, to), id) in of {
            if !is_given(from) && !is_given(to) {
                place.insert(id, kept.len() as u32);
                self.waiting_of.insert((from, symbol, to), kept.len() as u32);
                kept.push(self.waiting[id as usize].clone());
            }
        }
        self.waiting = kept;
        let moved = |ids: &mut Vec<u32>| *ids = ids.iter().filter_map(|id| place.get(id).copied()).collect();
        for ids in self.from.values_mut().chain(self.from_by.values_mut()) {
            moved(ids);
        }
        self.tops.retain(|top| !is_given(top.to));
        self.top_of.clear();
        self.at.iter_mut().for_each(Vec::clear);
        for (id, top) in (0..).map(TopId).zip(&self.tops) {
            self.top_of.insert((top.location, top.to), id);
            self.at[top.location].push(id);
        }
    }

    /// Top transitions of which something has not been sent on yet.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = (LocationId, TopId)> {
        let all = (0..).map(TopId).zip(&self.tops);
        all.filter(|(_, top)| !top.fresh.is_false()).map(|(id, top)| (top.location, id))
    }

    /// Lets a state read every frame and stay; the stack may also end in it.
    pub(super) fn add_loop(&mut self, state: State) {
        self.loops.insert(state);
        self.finals.insert(state);
    }

    /// Adds to a top transition what is not there yet; says which one it is when there is something new.
    pub(super) fn add_top(&mut self, location: LocationId, to: State, set: &Bdd) -> Result<Option<TopId>, Stop> {
        if set.is_false() {
            return Ok(None);
        }
        let Some(id) = self.top_of.get(&(location, to)).copied() else {
            let id = TopId(self.tops.len() as u32);
            self.tops.push(Top { location, to, all: set.clone(), fresh: set.clone() });
            self.top_of.insert((location, to), id);
            self.at[location].push(id);
            self.growth[location] += 1;
            return Ok(Some(id));
        };
        let top = &mut self.tops[id.0 as usize];
        if *set == top.all {
            return Ok(None);
        }
        let new = set.diff(&top.all)?;
        if new.is_false() {
            return Ok(None);
        }
        let (all, fresh) = (top.all.or(&new)?, top.fresh.or(&new)?);
        (top.all, top.fresh) = (all, fresh);
        self.growth[location] += 1;
        Ok(Some(id))
    }

    /// What is new of a top transition since it was last asked for.
    pub(super) fn take_fresh(&mut self, id: TopId) -> Bdd {
        std::mem::replace(&mut self.tops[id.0 as usize].fresh, self.nothing.clone())
    }

    pub(super) fn top(&self, id: TopId) -> &Top {
        &self.tops[id.0 as usize]
    }

    /// The top transitions at a location.
    pub(crate) fn tops_at(&self, location: LocationId) -> impl Iterator<Item = &Top> {
        self.at[location].iter().map(|id| self.top(*id))
    }

    /// How often the top transitions at a location have grown.
    pub(super) fn growth_at(&self, location: LocationId) -> u32 {
        self.growth[location]
    }

    /// The diagram of a top transition.
    pub(super) fn top_to(&self, location: LocationId, to: State) -> &Bdd {
        self.top_of.get(&(location, to)).map_or(&self.nothing, |id| &self.top(*id).all)
    }

    pub(super) fn waiting_to(&self, from: State, symbol: Symbol, to: State) -> &Bdd {
        let id = self.waiting_of.get(&(from, symbol, to));
        id.map_or(&self.nothing, |id| &self.waiting[*id as usize].all)
    }

    pub(crate) fn add_waiting(&mut self, from: State, symbol: Symbol, to: State, set: &Bdd) -> Result<(), Stop> {
        if set.is_false() {
            return Ok(());
        }
        if let Some(id) = self.waiting_of.get(&(from, symbol, to)) {
            let known = &mut self.waiting[*id as usize].all;
            *known = known.or(set)?;
            return Ok(());
        }
        let id = self.waiting.len() as u32;
        self.waiting.push(Waiting { symbol, to, all: set.clone() });
        self.waiting_of.insert((from, symbol, to), id);
        self.from.entry(from).or_default().push(id);
        self.from_by.entry((from, symbol)).or_default().push(id);
        Ok(())
    }

    /// The waiting transitions of a state; those of a loop are not among them.
    pub(crate) fn waiting_from(&self, from: State) -> impl Iterator<Item = &Waiting> {
        self.from.get(&from).into_iter().flatten().map(|id| &self.waiting[*id as usize])
    }

    /// Where a state goes when it reads a frame.
    pub(super) fn reading(&self, from: State, symbol: Symbol) -> impl Iterator<Item = (State, &Bdd)> {
        let ids = self.from_by.get(&(from, symbol)).into_iter().flatten();
        let stays = self.loops.contains(&from).then_some((from, &self.everything));
        let goes = |id: &u32| (self.waiting[*id as usize].to, &self.waiting[*id as usize].all);
        ids.map(goes).chain(stays)
    }
}
