//! Tuples that are part of others: they add nothing.
//!
//! Inclusion is decided by simulation, which is enough but not necessary: every transition of one automaton must be part
//! of a transition of the other one, to a state that simulates the first one's.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;

use super::view::{Stacks, StateId, Top, Tuple, View};

/// Two states of stacks: is the second one's language at least that of the first?
type Pair = (StateId, StateId);

/// Remembers which states of stacks simulate others, and what is quickly said about tuples.
#[derive(Debug)]
pub(super) struct Inclusion {
    known: FxHashMap<Pair, bool>,
    /// By thread: the first one that is like it. Threads that are alike may change places.
    alike: Vec<usize>,
    /// Tuples by their shared values, in the order in which these came up.
    groups: Vec<(Bdd, Vec<usize>)>,
    group_of: FxHashMap<Bdd, usize>,
    /// By tuple and thread.
    marks: Vec<Box<[Marks]>>,
    /// Whether each tuple has one shared value only: then it is part only of such as have the same.
    is_eager: bool,
}

/// Some bits of the locations of a view: one view can be part of another only if its bits are.
type Marks = u64;

/// For each frame below the first state of a pair: the pairs of which one must hold.
type Needs = Vec<Vec<Pair>>;

impl Inclusion {
    pub(super) fn new(alike: Vec<usize>, is_eager: bool) -> Self {
        Self {
            known: FxHashMap::default(),
            alike,
            groups: Vec::new(),
            group_of: FxHashMap::default(),
            marks: Vec::new(),
            is_eager,
        }
    }

    /// Whether a thread has its turn after a tuple: not if another one that is like it has one and is doing the same.
    pub(super) fn is_first(&self, tuple: &Tuple, thread: usize) -> bool {
        let same = |other: usize| {
            Rc::ptr_eq(&tuple.views[other], &tuple.views[thread]) || tuple.views[other] == tuple.views[thread]
        };
        let mut others = (0..thread).filter(|other| self.alike[*other] == self.alike[thread]);
        !others.any(|other| tuple.active != Some(other) && same(other))
    }

    /// Notes a tuple; they are noted in the order of their numbers.
    pub(super) fn note(&mut self, tuple: &Tuple) {
        let group = match self.group_of.entry(tuple.shared.clone()) {
            Entry::Occupied(group) => *group.get(),
            Entry::Vacant(place) => {
                self.groups.push((tuple.shared.clone(), Vec::new()));
                *place.insert(self.groups.len() - 1)
            }
        };
        self.groups[group].1.push(self.marks.len());
        self.marks.push(marks(tuple));
    }

    /// Whether a tuple is part of one of those that are known and meet a condition.
    pub(super) fn is_part(
        &mut self,
        stacks: &Stacks,
        tuples: &[Tuple],
        tuple: &Tuple,
        is_wanted: impl Fn(&Tuple) -> bool,
    ) -> Result<bool, Stop> {
        let marks = marks(tuple);
        for group in self.candidates(tuple) {
            if !tuple.shared.leq(&self.groups[group].0)? {
                continue;
            }
            for place in 0..self.groups[group].1.len() {
                let at = self.groups[group].1[place];
                let is_possible = is_wanted(&tuples[at]) && self.may_be_part(&marks, &self.marks[at]);
                if is_possible && self.views(stacks, tuple, &tuples[at])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The groups with shared values that may contain those of a tuple.
    fn candidates(&self, tuple: &Tuple) -> std::ops::Range<usize> {
        if !self.is_eager {
            return 0..self.groups.len();
        }
        self.group_of.get(&tuple.shared).map_or(0..0, |group| *group..*group + 1)
    }

    /// Whether a tuple that is known is part of another one.
    pub(super) fn is_contained(
        &mut self,
        stacks: &Stacks,
        (at, known): (usize, &Tuple),
        tuple: &Tuple,
        marks: &[Marks],
    ) -> Result<bool, Stop> {
        Ok(self.may_be_part(&self.marks[at], marks)
            && known.shared.leq(&tuple.shared)?
            && self.views(stacks, known, tuple)?)
    }

    fn may_be_part(&self, small: &[Marks], large: &[Marks]) -> bool {
        let has_place = |(thread, small): (usize, &Marks)| {
            let mut places = large.iter().zip(&self.alike);
            places.any(|(large, alike)| *alike == self.alike[thread] && small & !large == 0)
        };
        small.iter().enumerate().all(has_place)
    }

    /// Whether the views of one tuple are part of those of another, after some threads that are alike have changed places.
    fn views(&mut self, stacks: &Stacks, small: &Tuple, large: &Tuple) -> Result<bool, Stop> {
        // Everybody in their own place first: mostly that is enough, and mostly nobody else has it.
        let mut failing = None;
        for thread in 0..small.views.len() {
            if !self.fits(stacks, (small, large), thread, thread)? {
                failing = Some(thread);
                break;
            }
        }
        let Some(failing) = failing else { return Ok(true) };
        if self.alike.iter().filter(|first| **first == self.alike[failing]).count() == 1 {
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

    fn fits(
        &mut self,
        stacks: &Stacks,
        (small, large): (&Tuple, &Tuple),
        thread: usize,
        place: usize,
    ) -> Result<bool, Stop> {
        let (small, large) = (&small.views[thread], &large.views[place]);
        Ok(Rc::ptr_eq(small, large) || self.view(stacks, small, large)?)
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
            if !self.fits(stacks, tuples, thread, place)? {
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
            let first = large.tops.partition_point(|other| other.location < top.location);
            for other in large.tops[first..].iter().take_while(|other| other.location == top.location) {
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

/// What is quickly said about the views of a tuple.
pub(super) fn marks(tuple: &Tuple) -> Box<[Marks]> {
    let mark = |top: &Top| 1 << (top.location.0 % Marks::BITS);
    tuple.views.iter().map(|view| view.tops.iter().map(mark).fold(0, |all, mark: Marks| all | mark)).collect()
}
