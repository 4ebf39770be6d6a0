//! One way to a tuple where there is but one to look at.
//!
//! Most tuples were found from a single addition to a single entry of each atom. What the patterns of these say about
//! the bits of the clause is the same for thousands of tuples, so it is worked out once, as a shape. A tuple then costs
//! a walk through its diagrams. Where this does not lead to a way, `witness` searches for one.

use std::rc::Rc;

use bdd::{Bdd, Var};
use smallvec::SmallVec;

use super::bits::Values;
use super::execute::{part, put_key, value_of};
use super::packed::Packed;
use super::pattern::{Meaning, PatternId, Value};
use super::recipe::{Lookup, Recipe, Step};
use super::witness::{Keys, Reading, Search, UNBOUND, Used, Witness};
use crate::plan::clause::Planned;

/// Where a bit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// It is that bit of the head.
    Head(usize),
    Constant(bool),
    /// It is open; all bits with the same number are equal.
    Free(usize),
}

/// The patterns of a clause's atoms, in the order in which they are looked up.
pub(super) type Patterns = SmallVec<[PatternId; 4]>;

/// What the patterns of a clause's atoms say about its bits.
#[derive(Debug)]
pub(super) struct Shape {
    /// The values that bits of the head must have.
    fixed: Values,
    /// Bits of the head that must be equal.
    equal: Vec<(usize, usize)>,
    /// For each atom, what the variables of its diagram are, in order.
    atoms: Vec<Vec<(Var, Origin)>>,
    /// The bits of the clause, by what comes from one place: where it starts and how many there are.
    runs: Vec<(Origin, usize)>,
}

/// Most bits that may be open.
const MAX_FREE: usize = 64;

impl Shape {
    /// Works out a shape from what the atoms' patterns say; none: nothing has it, or too much is open.
    fn new(recipe: &Recipe, readings: &[Rc<Reading>]) -> Option<Self> {
        let mut class: Vec<usize> = (0..recipe.n_bits).collect();
        for (a, b) in readings.iter().flat_map(|reading| &reading.equal) {
            let (from, to) = (class[*b], class[*a]);
            class.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
        }
        let mut origins: Vec<Option<Origin>> = vec![None; recipe.n_bits];
        let (mut fixed, mut equal, mut is_possible) = (Values::default(), Vec::new(), true);
        for (bit, value) in readings.iter().flat_map(|reading| reading.fixed.iter()) {
            let known = origins[class[bit]].replace(Origin::Constant(value));
            is_possible &= known.is_none_or(|known| known == Origin::Constant(value));
        }
        for (at, meaning) in recipe.head_meanings.iter().enumerate() {
            let origin = match meaning {
                Meaning::Constant(value) => Some(Origin::Constant(*value)),
                Meaning::Bit(bit) => origins[class[*bit]],
            };
            match (origin, meaning) {
                (Some(Origin::Constant(value)), _) => is_possible &= fixed.set(at, value),
                (Some(Origin::Head(first)), _) => equal.push((first, at)),
                (_, Meaning::Bit(bit)) => origins[class[*bit]] = Some(Origin::Head(at)),
                (_, Meaning::Constant(_)) => {}
            }
        }
        let open: Vec<usize> =
            (0..recipe.n_bits).filter(|bit| class[*bit] == *bit && origins[*bit].is_none()).collect();
        if !is_possible || open.len() > MAX_FREE || readings.iter().any(|reading| reading.is_impossible) {
            return None;
        }
        open.iter().enumerate().for_each(|(number, bit)| origins[*bit] = Some(Origin::Free(number)));
        let of_bit = |bit: usize| origins[class[bit]].unwrap_or(Origin::Constant(false));
        let of_meaning = |meaning: &Meaning| match meaning {
            Meaning::Constant(value) => Origin::Constant(*value),
            Meaning::Bit(bit) => of_bit(*bit),
        };
        let atoms = readings.iter().map(|reading| &reading.vars);
        let atoms = atoms.map(|vars| vars.iter().map(|(var, meaning)| (*var, of_meaning(meaning))).collect());
        Some(Self { fixed, equal, atoms: atoms.collect(), runs: runs((0..recipe.n_bits).map(of_bit)) })
    }

    /// The bits of the clause for a tuple, following the diagrams of its atoms; none: there are none, or they take a
    /// search.
    fn solve(&self, head: &Packed, diagrams: &[&Bdd]) -> Option<Packed> {
        if !self.fixed.agree(head) || !self.equal.iter().all(|(a, b)| head.get(*a) == head.get(*b)) {
            return None;
        }
        let (mut known, mut free) = (0u64, 0u64);
        for (diagram, vars) in diagrams.iter().zip(&self.atoms).filter(|(diagram, _)| !diagram.is_true()) {
            let end = diagram.walk(&mut |var, is_low_false| {
                let at = vars.binary_search_by_key(&var, |(var, _)| *var).ok()?;
                Some(match vars[at].1 {
                    Origin::Head(bit) => head.get(bit),
                    Origin::Constant(value) => value,
                    Origin::Free(number) if known >> number & 1 == 1 => free >> number & 1 == 1,
                    Origin::Free(number) => {
                        known |= 1 << number;
                        free |= u64::from(is_low_false) << number;
                        is_low_false
                    }
                })
            });
            if !end.is_true() {
                return None;
            }
        }
        Some(self.bits(head, free))
    }

    fn bits(&self, head: &Packed, free: u64) -> Packed {
        let mut bits = Packed::default();
        for (origin, n) in &self.runs {
            match *origin {
                Origin::Head(start) => bits.extend_from(head, start, *n),
                Origin::Constant(value) => bits.push_word(if value { u64::MAX >> (64 - n) } else { 0 }, *n),
                Origin::Free(start) => bits.push_word(free >> start & (u64::MAX >> (64 - n)), *n),
            }
        }
        bits
    }
}

/// Neighbours that come from one place, not more than a word.
fn runs(origins: impl Iterator<Item = Origin>) -> Vec<(Origin, usize)> {
    let mut runs: Vec<(Origin, usize)> = Vec::new();
    for origin in origins {
        let continues = |start: Origin, n: usize| match (start, origin) {
            (Origin::Head(start), Origin::Head(bit)) => start + n == bit,
            (Origin::Constant(value), Origin::Constant(other)) => value == other,
            (Origin::Free(start), Origin::Free(number)) => start + n == number,
            _ => false,
        };
        match runs.last_mut() {
            Some((start, n)) if *n < 64 && continues(*start, *n) => *n += 1,
            _ => runs.push((origin, 1)),
        }
    }
    runs
}

/// Whether a recipe only looks up atoms, by keys that have no bits.
pub(super) fn is_plain(recipe: &Recipe) -> bool {
    let has_bits = |variable: usize| recipe.explicit[variable] && recipe.bits[variable].is_some();
    let only_looks_up = recipe.steps.iter().all(|step| matches!(step, Step::Join(_)));
    only_looks_up && !(0..recipe.explicit.len()).any(has_bits)
}

impl Search<'_, '_> {
    /// The way to a tuple if each of the clause's atoms has but one entry, and that one addition, that it can come from;
    /// none: it takes a search to find one.
    pub(super) fn straight(&mut self, key: &[u32], bits: &Packed) -> Option<Witness> {
        let (store, recipe) = (self.store, &self.recipe.recipe);
        if !self.recipe.is_plain {
            return None;
        }
        let clause = &store.plan.relations[recipe.relation].clauses[recipe.clause];
        let mut keys = Keys::from_elem(UNBOUND, recipe.explicit.len());
        if !recipe.head_key.iter().zip(key).all(|(arg, value)| put_key(&mut keys, *arg, *value)) {
            return None;
        }
        let mut used: SmallVec<[Used; 8]> = SmallVec::new();
        let (mut patterns, mut diagrams) = (Patterns::new(), SmallVec::<[&Bdd; 4]>::new());
        for (at, step) in recipe.steps.iter().enumerate() {
            let Step::Join(lookup) = step else { return None };
            let relation = clause.atoms[lookup.atom].relation;
            let (entry, addition) = self.only(at, lookup, relation, &keys)?;
            let table = &store.tables[relation];
            let content = &table.entries[entry as usize];
            lookup.bind.iter().for_each(|(position, variable)| keys[*variable] = content.key[*position]);
            if !lookup.agree.iter().all(|(position, variable)| keys[*variable] == content.key[*position]) {
                return None;
            }
            let added = table.addition(entry as usize, addition as usize).map(|addition| &addition.value);
            let Value { pattern, diagram } = added.unwrap_or(&content.value);
            patterns.push(*pattern);
            diagrams.push(diagram);
            used.push(Used { atom: lookup.atom, entry, addition });
        }
        let bits = self.shape(patterns)?.solve(bits, &diagrams)?;
        Some(Witness { keys, bits, used })
    }

    /// The only entry, and the only one of its additions, that an atom can be.
    fn only(&self, at: usize, lookup: &Lookup, relation: Planned, keys: &[u32]) -> Option<(u32, u32)> {
        let table = &self.store.tables[relation];
        if let (Some(reason), 0) = (self.reason, at) {
            let key = &table.entries[reason.entry as usize].key;
            let fits = lookup.known.iter().all(|(position, arg)| u64::from(key[*position]) == value_of(keys, *arg));
            let (first, end) = reason.additions;
            return (fits && end - first == 1).then_some((reason.entry, first));
        }
        let &[entry] = table.matching(&lookup.columns, part(lookup, keys)) else { return None };
        let is_input = table.history(entry as usize).is_empty();
        (is_input || table.n_earlier(entry as usize, self.stamp) == 1).then_some((entry, 0))
    }

    fn shape(&mut self, patterns: Patterns) -> Option<Rc<Shape>> {
        let number = (self.recipe.number, patterns);
        if let Some(shape) = self.readings.shapes.get(&number) {
            return shape.clone();
        }
        let readings: Vec<Rc<Reading>> =
            number.1.iter().enumerate().map(|(at, pattern)| self.reading(at, *pattern)).collect();
        let shape = Shape::new(&self.recipe.recipe, &readings).map(Rc::new);
        self.readings.shapes.insert(number, shape.clone());
        shape
    }
}
