//! Tuples that are part of others: they add nothing.
//!
//! Inclusion is decided structurally, which is enough but not necessary: every transition of one automaton must be part
//! of a transition of the other one between corresponding states.

use bdd::Stop;
use rustc_hash::FxHashMap;

use super::view::{BOTTOM, Stacks, StateId, Tuple, View, Waiting};

/// Remembers which layers of stacks are parts of others.
#[derive(Debug, Default)]
pub(super) struct Inclusion {
    layers: FxHashMap<(StateId, StateId), bool>,
}

impl Inclusion {
    /// Whether whatever follows from one tuple follows from another, with no more contexts.
    pub(super) fn tuple(&mut self, stacks: &Stacks, small: &Tuple, large: &Tuple) -> Result<bool, Stop> {
        if small.active != large.active || small.used < large.used {
            return Ok(false);
        }
        for (small, large) in small.views.iter().zip(&large.views) {
            if !std::rc::Rc::ptr_eq(small, large) && !self.view(stacks, small, large)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn view(&mut self, stacks: &Stacks, small: &View, large: &View) -> Result<bool, Stop> {
        for top in &small.tops {
            let mut is_included = false;
            for other in large.tops.iter().filter(|other| other.location == top.location) {
                if top.set.leq(&other.set)? && self.state(stacks, top.below, other.below)? {
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

    fn state(&mut self, stacks: &Stacks, small: StateId, large: StateId) -> Result<bool, Stop> {
        let (first, second) = (stacks.place(small), stacks.place(large));
        Ok(small == large || (first.entry == second.entry && self.layer(stacks, first.layer, second.layer)?))
    }

    /// States of two layers correspond if they belong to the same entry. There are as many layers below each other as a
    /// thread has had contexts.
    fn layer(&mut self, stacks: &Stacks, small: StateId, large: StateId) -> Result<bool, Stop> {
        if small == BOTTOM || large == BOTTOM || small == large {
            return Ok(small == large);
        }
        if let Some(known) = self.layers.get(&(small, large)) {
            return Ok(*known);
        }
        let mut is_included = true;
        for state in stacks.layer(small) {
            let entry = stacks.place(state).entry;
            let partner = stacks.layer(large).find(|other| stacks.place(*other).entry == entry);
            is_included = match partner {
                Some(partner) => self.frames(stacks, (small, state), (large, partner))?,
                None => false,
            };
            if !is_included {
                break;
            }
        }
        self.layers.insert((small, large), is_included);
        Ok(is_included)
    }

    /// Whether the frames below a state of a layer are among those below a state of another.
    fn frames(
        &mut self,
        stacks: &Stacks,
        (small, from): (StateId, StateId),
        (large, partner): (StateId, StateId),
    ) -> Result<bool, Stop> {
        for waiting in &stacks.place(from).waiting {
            let mut is_included = false;
            for other in stacks.place(partner).waiting.iter().filter(|other| other.call == waiting.call) {
                if waiting.set.leq(&other.set)? && self.target(stacks, (small, waiting), (large, other))? {
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

    fn target(
        &mut self,
        stacks: &Stacks,
        (small, waiting): (StateId, &Waiting),
        (large, other): (StateId, &Waiting),
    ) -> Result<bool, Stop> {
        let (first, second) = (stacks.place(waiting.to), stacks.place(other.to));
        match (first.layer == small, second.layer == large) {
            // What is to be shown: it may be assumed for the frames further down.
            (true, true) => Ok(first.entry == second.entry),
            (false, false) => self.state(stacks, waiting.to, other.to),
            _ => Ok(false),
        }
    }
}
