//! The transitive closure of the head graph (section 4.2 of the paper), location by location.
//!
//! A relation between two locations holds pairs of heads: the first one in the saved copies, the second one in the current
//! copies. It has two parts: all pairs, and those with a mark on some way between them. Locations are taken out of the
//! component one by one: what leads in, any number of rounds, what leads out become one relation. Rounds are found by
//! squaring, so that a loop that counts to a thousand takes ten steps. A head that a round leads back to itself, with a
//! mark, is repeating; if no location has one when it is taken out, there is none.

use std::collections::BTreeMap;

use base::IdVec;
use bdd::{Bdd, Cube, Renaming};
use encode::Copy;
use program::{LocationId, VariableId};

use super::heads::{Heads, Sets};
use crate::halt::Halt;

/// As many relations more or less make no difference.
const FEW: usize = 4;

/// The reachable heads of a location of a component that reach themselves with a mark on the way; empty: no location has
/// any.
pub(super) fn closure(heads: &Heads<'_, '_>, component: &[LocationId]) -> Result<Sets, Halt> {
    let mut graph = Relations { heads, between: BTreeMap::new(), copies: BTreeMap::new() };
    graph.fill(component)?;
    let mut left: Vec<LocationId> = component.to_vec();
    while let Some(next) = graph.cheapest(&left) {
        heads.problem.context.budget.check()?;
        left.retain(|location| *location != next);
        let repeating = graph.take_out(next)?;
        if !repeating.is_empty() {
            return Ok(repeating);
        }
        heads.problem.encoding.manager().collect_if_needed();
    }
    Ok(Vec::new())
}

/// Pairs of heads: all, and those with a mark on some way.
#[derive(Clone)]
struct Pairs {
    all: Bdd,
    marked: Bdd,
}

struct Relations<'h, 's, 'a> {
    heads: &'h Heads<'s, 'a>,
    /// By source and target.
    between: BTreeMap<(LocationId, LocationId), Pairs>,
    /// How the heads of a location move between copies.
    copies: BTreeMap<LocationId, Copies>,
}

/// The copies of what is in scope at a location.
struct Copies {
    variables: Vec<VariableId>,
    /// The second head of a pair becomes the middle of a composition.
    current_to_middle: Renaming,
    /// The first head of a pair becomes the middle of a composition.
    saved_to_middle: Renaming,
    middle: Cube,
    saved: Cube,
}

impl Relations<'_, '_, '_> {
    fn fill(&mut self, component: &[LocationId]) -> Result<(), Halt> {
        let heads = self.heads;
        let mut inside = IdVec::filled(heads.outgoing.len(), false);
        component.iter().for_each(|location| inside[*location] = true);
        for location in component {
            self.copies.insert(*location, self.copies_at(*location));
        }
        for location in component {
            let diagonal = self.diagonal(*location)?;
            for edge in heads.outgoing[*location].iter().map(|edge| &heads.edges[*edge as usize]) {
                if inside[edge.target] {
                    let all = heads.after(edge, &diagonal)?.and(&heads.set(edge.target)?)?;
                    let marked = heads.marked_after(edge, &diagonal)?.and(&heads.set(edge.target)?)?;
                    self.add(*location, edge.target, Pairs { all, marked })?;
                }
            }
        }
        Ok(())
    }

    fn copies_at(&self, location: LocationId) -> Copies {
        let encoding = &self.heads.problem.encoding;
        let procedure = encoding.program().locations[location].procedure;
        let variables: Vec<VariableId> = encoding.in_scope(procedure).collect();
        let all = || variables.iter().copied();
        Copies {
            current_to_middle: encoding.renaming(all(), Copy::Current, Copy::Exit),
            saved_to_middle: encoding.renaming(all(), Copy::Saved, Copy::Exit),
            middle: encoding.manager().cube(&encoding.copies(all(), Copy::Exit)),
            saved: encoding.manager().cube(&encoding.copies(all(), Copy::Saved)),
            variables,
        }
    }

    /// Both heads of a pair are the same.
    fn equal(&self, location: LocationId) -> Result<Bdd, Halt> {
        let encoding = &self.heads.problem.encoding;
        let mut equal = encoding.manager().bdd_true();
        for variable in &self.copies[&location].variables {
            equal = equal.and(&encoding.equality(*variable, Copy::Current, Copy::Saved)?)?;
        }
        Ok(equal)
    }

    /// Each head of a location with itself.
    fn diagonal(&self, location: LocationId) -> Result<Bdd, Halt> {
        Ok(self.equal(location)?.and(&self.heads.set(location)?)?)
    }

    fn add(&mut self, from: LocationId, to: LocationId, pairs: Pairs) -> Result<(), Halt> {
        if pairs.all.is_false() {
            return Ok(());
        }
        let joined = match self.between.get(&(from, to)) {
            None => pairs,
            Some(known) => Pairs { all: known.all.or(&pairs.all)?, marked: known.marked.or(&pairs.marked)? },
        };
        self.between.insert((from, to), joined);
        Ok(())
    }

    /// The location to take out next: its removal makes few relations; of those, the one where most data matters, so that
    /// the last ones, with the most rounds behind them, have little.
    fn cheapest(&self, left: &[LocationId]) -> Option<LocationId> {
        let cost = |location: &LocationId| {
            let out = || self.between.iter().filter(|((from, _), _)| from == location);
            let n_in = self.between.keys().filter(|(from, to)| to == location && from != location).count();
            let n_out = out().filter(|((_, to), _)| to != location).count();
            let first = &self.copies[location].saved;
            let mut read: Vec<_> = out().flat_map(|(_, pairs)| pairs.all.support()).collect();
            read.retain(|var| first.vars().binary_search(var).is_ok());
            read.sort_unstable();
            read.dedup();
            ((n_in * n_out).saturating_sub(FEW), std::cmp::Reverse(read.len()), *location)
        };
        left.iter().copied().min_by_key(cost)
    }

    /// Joins what leads to a location with what leads from it, unless reachable heads repeat there: those it gives.
    fn take_out(&mut self, location: LocationId) -> Result<Sets, Halt> {
        let keys: Vec<(LocationId, LocationId)> = self.between.keys().copied().collect();
        let own = self.between.remove(&(location, location));
        let rounds = own.map(|own| self.rounds(location, own)).transpose()?;
        let mut repeating = Sets::new();
        if let Some(rounds) = &rounds {
            let same = rounds.marked.and(&self.equal(location)?)?;
            repeating.push((location, same.exists(&self.copies[&location].saved)?));
            self.heads.keep_reachable(&mut repeating)?;
        }
        if !repeating.is_empty() {
            return Ok(repeating);
        }
        let take = |it: &mut Self, key: &(LocationId, LocationId)| it.between.remove(key).map(|pairs| (*key, pairs));
        let into: Vec<_> = keys.iter().filter(|key| key.1 == location && key.0 != location).collect();
        let into: Vec<_> = into.into_iter().filter_map(|key| take(self, key)).collect();
        let out: Vec<_> = keys.iter().filter(|key| key.0 == location && key.1 != location).collect();
        let out: Vec<_> = out.into_iter().filter_map(|key| take(self, key)).collect();
        for ((from, _), first) in &into {
            let arrived = match &rounds {
                Some(rounds) => self.joined(first, location, rounds)?,
                None => first.clone(),
            };
            for ((_, to), last) in &out {
                self.heads.problem.context.budget.step()?;
                let pairs = self.compose(&arrived, location, last)?;
                self.add(*from, *to, pairs)?;
            }
        }
        Ok(repeating)
    }

    /// First one, then perhaps the other.
    fn joined(&self, first: &Pairs, middle: LocationId, then: &Pairs) -> Result<Pairs, Halt> {
        let both = self.compose(first, middle, then)?;
        Ok(Pairs { all: first.all.or(&both.all)?, marked: first.marked.or(&both.marked)? })
    }

    fn compose(&self, first: &Pairs, middle: LocationId, then: &Pairs) -> Result<Pairs, Halt> {
        let copies = &self.copies[&middle];
        let after = |pairs: &Bdd| pairs.rename(&copies.current_to_middle);
        let before = |pairs: &Bdd| pairs.rename(&copies.saved_to_middle);
        let (first_all, then_all) = (after(&first.all)?, before(&then.all)?);
        let all = first_all.and_exists(&then_all, &copies.middle)?;
        if self.heads.accepts_always() {
            return Ok(Pairs { marked: all.clone(), all });
        }
        let early = after(&first.marked)?.and_exists(&then_all, &copies.middle)?;
        let late = first_all.and_exists(&before(&then.marked)?, &copies.middle)?;
        Ok(Pairs { all, marked: early.or(&late)? })
    }

    /// One or more rounds, by squaring.
    fn rounds(&self, location: LocationId, once: Pairs) -> Result<Pairs, Halt> {
        let mut rounds = once;
        loop {
            self.heads.problem.context.budget.step()?;
            let next = self.joined(&rounds, location, &rounds)?;
            if next.all == rounds.all && next.marked == rounds.marked {
                return Ok(next);
            }
            rounds = next;
        }
    }
}
