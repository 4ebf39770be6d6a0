//! One context: all that a thread can do while the others stand still.
//!
//! The automaton of the thread's view is saturated (post\*). Its own states are *given* and belong to this context;
//! what is known about procedures that are entered, their path edges and summaries, is kept from context to context
//! and shared by all threads, for it depends on the values at their entry alone. So a callee does not know how the
//! context began: that is found again in the waiting frames below it, all the way down to the first given state.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use bdd::Bdd;
use program::{EdgeId, LocationId};

use super::layer::{Layer, Reach};
use super::space::Space;
use super::view::{Draft, Row, Stacks, StateId, Top, View};
use crate::halt::Halt;
use crate::saturation::automaton::{Automaton, State, Symbol};
use crate::saturation::post::Post;

/// Runs contexts, one after the other.
pub(super) struct Runner<'s, 'p> {
    pub(super) space: &'s Space<'s, 'p>,
    pub(super) post: Post<'s, 'p>,
}

/// A thread after its context, at the configurations in which another one may go on.
pub(super) struct Ended {
    /// Above given states. Like `crossing`, they know how the context began if the view did.
    pub(super) old: Vec<Top>,
    /// Location, entry of the procedure, path edges.
    pub(super) new: Vec<(LocationId, LocationId, Bdd)>,
    /// Frames with an entered procedure above and a given state below.
    pub(super) crossing: Vec<(LocationId, EdgeId, StateId, Bdd)>,
    /// Frames with entered procedures above and below.
    pub(super) inner: Vec<(LocationId, EdgeId, LocationId, Bdd)>,
    reach: Reach,
}

/// Frames that wait: entry of the procedure above, the call, what is below.
type Frames = Vec<(LocationId, EdgeId, State, Bdd)>;

impl<'s, 'p> Runner<'s, 'p> {
    pub(super) fn new(space: &'s Space<'s, 'p>, post: Post<'s, 'p>) -> Self {
        Self { space, post }
    }

    /// Lets a thread run from a view until nothing is new, or until there is enough.
    pub(super) fn run(
        &mut self,
        stacks: &Stacks,
        view: &View,
        is_enough: &mut dyn FnMut(&Automaton) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        self.post.forget_given();
        for state in stacks.below(&view.tops) {
            for waiting in &stacks.place(state).waiting {
                let (symbol, to) = (Symbol::In(waiting.call), State::Given(waiting.to));
                self.post.automaton.add_waiting(State::Given(state), symbol, to, &waiting.set)?;
            }
        }
        for top in &view.tops {
            self.post.add(top.location, State::Given(top.below), &top.set)?;
        }
        self.post.run(is_enough)
    }

    /// The frames below entered procedures; only those of calls that may be interrupted, or all.
    fn frames(&self, only_open: bool) -> Frames {
        let (automaton, program) = (&self.post.automaton, self.space.program());
        let entries: BTreeSet<LocationId> = automaton.tops.iter().filter_map(|top| entered(top.to)).collect();
        let mut frames = Vec::new();
        for entry in entries {
            for waiting in automaton.waiting_from(State::Entered(entry)) {
                if let Symbol::In(call) = waiting.symbol
                    && (!only_open || self.space.is_open(program.edges[call].source))
                {
                    frames.push((entry, call, waiting.to, waiting.all.clone()));
                }
            }
        }
        frames
    }

    /// What procedures are entered with in this context, through some frames.
    fn reach(&self, frames: &Frames) -> Result<Reach, Halt> {
        let mut above: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        let mut reach = Reach::new();
        let mut fresh: BTreeMap<LocationId, Bdd> = BTreeMap::new();
        for (at, (entry, _, below, set)) in frames.iter().enumerate() {
            match below {
                State::Entered(caller) => above.entry(*caller).or_default().push(at),
                _ => self.enlarge(*entry, set, &self.space.everything(), &mut reach, &mut fresh)?,
            }
        }
        while let Some((caller, new)) = fresh.pop_first() {
            self.post.limits.check()?;
            for at in above.get(&caller).into_iter().flatten() {
                let (entry, _, _, set) = &frames[*at];
                self.enlarge(*entry, set, &new, &mut reach, &mut fresh)?;
            }
        }
        Ok(reach)
    }

    fn enlarge(
        &self,
        entry: LocationId,
        frame: &Bdd,
        below: &Bdd,
        reach: &mut Reach,
        fresh: &mut BTreeMap<LocationId, Bdd>,
    ) -> Result<(), Halt> {
        let data = self.space.transfers.sources(frame, below)?;
        let known = reach.entry(entry).or_insert_with(|| self.space.nothing());
        let new = data.diff(known)?;
        if !new.is_false() {
            *known = known.or(&new)?;
            let waiting = fresh.entry(entry).or_insert_with(|| self.space.nothing());
            *waiting = waiting.or(&new)?;
        }
        Ok(())
    }

    /// What the context has led to, where another thread may go on.
    pub(super) fn ended(&self) -> Result<Ended, Halt> {
        let space = self.space;
        let frames = self.frames(true);
        let reach = self.reach(&frames)?;
        let mut ended = Ended { old: Vec::new(), new: Vec::new(), crossing: Vec::new(), inner: Vec::new(), reach };
        for top in self.post.automaton.tops.iter().filter(|top| space.is_open(top.location)) {
            match top.to {
                State::Given(below) => {
                    let set = top.all.and(&space.interruptible)?;
                    ended.old.push(Top { location: top.location, below, set });
                }
                State::Entered(entry) if ended.reach.contains_key(&entry) => {
                    ended.new.push((top.location, entry, top.all.and(&space.interruptible)?));
                }
                _ => {}
            }
        }
        for (entry, call, below, set) in frames.into_iter().filter(|frame| ended.reach.contains_key(&frame.0)) {
            match below {
                State::Given(below) => ended.crossing.push((entry, call, below, set)),
                State::Entered(caller) if ended.reach.contains_key(&caller) => {
                    ended.inner.push((entry, call, caller, set));
                }
                _ => {}
            }
        }
        Ok(ended)
    }

    /// With which shared values the context may have begun if it has led to a location, interrupted or not.
    pub(super) fn origins_of(&self, location: LocationId) -> Result<Bdd, Halt> {
        let reach = self.reach(&self.frames(false))?;
        let mut origins = self.space.nothing();
        for top in self.post.automaton.tops_at(location) {
            let began = match top.to {
                State::Entered(entry) => match reach.get(&entry) {
                    Some(reach) => top.all.and_exists(reach, &self.space.forget_all)?,
                    None => continue,
                },
                _ => top.all.exists(&self.space.forget_all)?,
            };
            origins = origins.or(&began)?;
        }
        Ok(origins)
    }
}

fn entered(state: State) -> Option<LocationId> {
    match state {
        State::Entered(entry) => Some(entry),
        State::Given(_) | State::Returned(_) => None,
    }
}

/// Which configurations are taken over into a view.
pub(super) struct Part<'a> {
    /// Those whose context began with these shared values.
    pub(super) origins: &'a Bdd,
    /// Whether the view forgets how the context began.
    pub(super) forgets: bool,
}

impl Ended {
    /// The effect on the shared values: from those at the beginning (origin copies) to those now (current copies).
    pub(super) fn effect(&self, space: &Space<'_, '_>) -> Result<Bdd, Halt> {
        let mut effect = space.nothing();
        for top in &self.old {
            effect = effect.or(&top.set.exists(&space.forget_own)?)?;
        }
        for (_, entry, set) in &self.new {
            effect = effect.or(&set.and_exists(&self.reach[entry], &space.forget_own)?)?;
        }
        Ok(effect)
    }

    /// What the thread has pushed in the context, and its view after it. Both depend on the context alone, whatever else is
    /// known about procedures.
    pub(super) fn draft(&self, space: &Space<'_, '_>, part: &Part<'_>) -> Result<(Vec<Row>, Draft), Halt> {
        let mut old = Vec::new();
        for top in &self.old {
            let set = part.of(space, &top.set)?;
            old.push(Top { location: top.location, below: top.below, set });
        }
        old.retain(|top| !top.set.is_false());
        let mut reach = Reach::new();
        for (entry, all) in &self.reach {
            reach.insert(*entry, part.of(space, all)?);
        }
        let mut layer = Layer::default();
        for (location, entry, set) in &self.new {
            let set = set.and(&reach[entry])?;
            if !set.is_false() {
                layer.tops.push((*location, *entry, set));
            }
        }
        self.fill(space, part, &reach, &mut layer)?;
        layer.simplify(space, reach)?;
        let (rows, new) = layer.finish();
        Ok((rows, Draft { old, new }))
    }

    /// The frames below what was entered in this context, as far as some top stands on them.
    fn fill(&self, space: &Space<'_, '_>, part: &Part<'_>, reach: &Reach, layer: &mut Layer) -> Result<(), Halt> {
        let entries: BTreeSet<LocationId> = layer.tops.iter().map(|(_, entry, _)| *entry).collect();
        layer.frames = entries.iter().map(|entry| (*entry, Vec::new())).collect();
        let mut open: Vec<LocationId> = entries.into_iter().collect();
        while let Some(entry) = open.pop() {
            let mut frames = Vec::new();
            for (_, call, below, set) in self.crossing.iter().filter(|frame| frame.0 == entry) {
                frames.push((*call, State::Given(*below), part.of(space, set)?));
            }
            for (_, call, caller, set) in self.inner.iter().filter(|frame| frame.0 == entry) {
                frames.push((*call, State::Entered(*caller), set.and(&reach[caller])?));
            }
            frames.retain(|(_, _, set)| !set.is_false());
            frames.sort_unstable_by_key(|(call, below, _)| (*call, *below));
            for caller in frames.iter().filter_map(|(_, below, _)| entered(*below)) {
                if let Entry::Vacant(place) = layer.frames.entry(caller) {
                    place.insert(Vec::new());
                    open.push(caller);
                }
            }
            layer.frames.insert(entry, frames);
        }
        Ok(())
    }
}

impl Part<'_> {
    fn of(&self, space: &Space<'_, '_>, set: &Bdd) -> Result<Bdd, Halt> {
        Ok(if self.forgets { set.and_exists(self.origins, &space.forget_origin)? } else { set.and(self.origins)? })
    }
}
