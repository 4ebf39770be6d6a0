//! Tuples that are part of others: they add nothing.
//!
//! Inclusion is decided by simulation, which is enough but not necessary: every transition of one automaton must be part
//! of a transition of the other one, to a state that simulates the first one's.

use std::rc::Rc;

use bdd::Stop;
use rustc_hash::FxHashMap;

use super::view::{Stacks, StateId, Tuple, View};

/// Two states of stacks: is the second one's language at least that of the first?
type Pair = (StateId, StateId);

/// Remembers which states of stacks simulate others.
#[derive(Debug)]
pub(super) struct Inclusion {
    known: FxHashMap<Pair, bool>,
    /// By thread: the first one that is like it. Threads that are alike may change places.
    alike: Vec<usize>,
}

/// For each frame below the first state of a pair: the pairs of which one must hold.
type Needs = Vec<Vec<Pair>>;

impl Inclusion {
    pub(super) fn new(alike: Vec<usize>) -> Self {
        Self { known: FxHashMap::default(), alike }
    }

    /// Whether a thread has its turn after a tuple: not if another one that is like it has one and is doing the same.
    pub(super) fn is_first(&self, tuple: &Tuple, thread: usize) -> bool {
        let same = |other: usize| {
            Rc::ptr_eq(&tuple.views[other], &tuple.views[thread]) || tuple.views[other] == tuple.views[thread]
        };
        let mut others = (0..thread).filter(|other| self.alike[*other] == self.alike[thread]);
        !others.any(|other| tuple.active != Some(other) && same(other))
    }

    /// Whether one tuple is part of another, after some threads that are alike have changed places.
    pub(super) fn tuple(&mut self, stacks: &Stacks, small: &Tuple, large: &Tuple) -> Result<bool, Stop> {
        if !small.shared.leq(&large.shared)? {
            return Ok(false);
        }
        // By thread of the large tuple: the thread of the small one that takes its place.
        let mut places: Vec<Option<usize>> = vec![None; large.views.len()];
        for thread in 0..small.views.len() {
            let mut tried = vec![false; places.len()];
            if !self.find_place(stacks, (small, large), thread, &mut places, &mut tried)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds a place for a thread; others may have to move for it.
    fn find_place(
        &mut self,
        stacks: &Stacks,
        tuples: (&Tuple, &Tuple),
        thread: usize,
        places: &mut Vec<Option<usize>>,
        tried: &mut Vec<bool>,
    ) -> Result<bool, Stop> {
        // Its own place first: mostly that is enough.
        let others = (0..places.len()).filter(|place| *place != thread);
        for place in std::iter::once(thread).chain(others) {
            if self.alike[place] != self.alike[thread] || tried[place] {
                continue;
            }
            let (small, large) = (&tuples.0.views[thread], &tuples.1.views[place]);
            if !Rc::ptr_eq(small, large) && !self.view(stacks, small, large)? {
                continue;
            }
            tried[place] = true;
            let is_free = match places[place] {
                Some(other) => self.find_place(stacks, tuples, other, places, tried)?,
                None => true,
            };
            if is_free {
                places[place] = Some(thread);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn view(&mut self, stacks: &Stacks, small: &View, large: &View) -> Result<bool, Stop> {
        for top in &small.tops {
            let mut is_included = false;
            for other in large.tops.iter().filter(|other| other.location == top.location) {
                if top.set.leq(&other.set)? && self.state(stacks, (top.below, other.below))? {
                    is_included = true;
                    break;
                }
            }
            if !is_included {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Simulation is the largest relation with the property, so all pairs that matter are assumed first, and those that
    /// fail are struck out until none does.
    fn state(&mut self, stacks: &Stacks, pair: Pair) -> Result<bool, Stop> {
        if let Some(known) = self.settled(stacks, pair) {
            return Ok(known);
        }
        let mut pairs: Vec<(Pair, Needs)> = Vec::new();
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            // Assumed until shown otherwise; that also marks it as seen.
            if self.known.insert(pair, true).is_some() {
                continue;
            }
            let needs = self.needs(stacks, pair)?;
            let unsettled = |pair: &&Pair| self.settled(stacks, **pair).is_none();
            open.extend(needs.iter().flatten().filter(unsettled).copied());
            pairs.push((pair, needs));
        }
        loop {
            let holds = |pair: &Pair| self.settled(stacks, *pair).unwrap_or(false);
            let fails = |needs: &Needs| needs.iter().any(|some| !some.iter().any(holds));
            let struck: Vec<Pair> = pairs.iter().filter(|(_, needs)| fails(needs)).map(|(pair, _)| *pair).collect();
            if struck.is_empty() {
                break;
            }
            pairs.retain(|(pair, _)| !struck.contains(pair));
            self.known.extend(struck.into_iter().map(|pair| (pair, false)));
        }
        Ok(self.settled(stacks, pair).unwrap_or(false))
    }

    /// What is known about a pair, or seen at once.
    fn settled(&self, stacks: &Stacks, pair: Pair) -> Option<bool> {
        if pair.0 == pair.1 {
            return Some(true);
        }
        if stacks.place(pair.0).entry != stacks.place(pair.1).entry {
            return Some(false);
        }
        self.known.get(&pair).copied()
    }

    fn needs(&self, stacks: &Stacks, (small, large): Pair) -> Result<Needs, Stop> {
        let mut needs = Vec::new();
        for waiting in &stacks.place(small).waiting {
            let mut some = Vec::new();
            for other in stacks.place(large).waiting.iter().filter(|other| other.call == waiting.call) {
                if waiting.set.leq(&other.set)? {
                    some.push((waiting.to, other.to));
                }
            }
            needs.push(some);
        }
        Ok(needs)
    }
}
