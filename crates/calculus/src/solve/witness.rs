//! One way to a tuple, found without building diagrams.
//!
//! The head of a clause is given, bit by bit. Its atoms are looked up as the recipe says, among what was added before
//! the tuple was; what they say about the bits of the clause that are still open is then decided (`decide`).

use std::ops::Range;
use std::rc::Rc;

use base::Budget;
use bdd::{Bdd, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Halt;
use super::bits::{Bits, Values};
use super::decide::{Decision, Nodes, follow, pick};
use super::execute::{Numbered, part, put_key, value_of};
use super::packed::Packed;
use super::pattern::{Meaning, PatternId, Value};
use super::recipe::{Lookup, Step};
use super::store::Store;
use super::straight::{Patterns, Shape};
use super::table::Reason;
use super::unions::Unions;
use crate::model::Cell;
use crate::plan::clause::Planned;

/// What a pattern says about the bits of a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    pub(super) fixed: Values,
    pub(super) equal: Vec<(usize, usize)>,
    /// What the diagram's variables are, in order.
    pub(super) vars: Vec<(Var, Meaning)>,
    pub(super) is_impossible: bool,
}

impl Reading {
    pub(super) fn new(cells: &[Cell], meanings: impl Iterator<Item = Meaning>) -> Self {
        let mut reading = Self::default();
        for (cell, meaning) in cells.iter().zip(meanings) {
            let Some(var) = cell.var() else {
                match (cell.value(), meaning) {
                    (Some(value), Meaning::Bit(bit)) => reading.fix(bit, value),
                    (Some(value), Meaning::Constant(constant)) => reading.is_impossible |= value != constant,
                    (None, _) => {}
                }
                continue;
            };
            match reading.vars.iter().find(|(known, _)| *known == var).map(|(_, meaning)| *meaning) {
                None => reading.vars.push((var, meaning)),
                Some(Meaning::Bit(first)) => match meaning {
                    Meaning::Bit(bit) => reading.equal.push((first, bit)),
                    Meaning::Constant(value) => reading.fix(first, value),
                },
                Some(Meaning::Constant(value)) => match meaning {
                    Meaning::Bit(bit) => reading.fix(bit, value),
                    Meaning::Constant(constant) => reading.is_impossible |= value != constant,
                },
            }
        }
        reading.vars.sort_unstable_by_key(|(var, _)| *var);
        reading
    }

    fn fix(&mut self, bit: usize, value: bool) {
        self.is_impossible |= !self.fixed.set(bit, value);
    }

    pub(super) fn meaning(&self, var: Var) -> Option<Meaning> {
        self.vars.binary_search_by_key(&var, |(var, _)| *var).ok().map(|at| self.vars[at].1)
    }

    /// Whether bits that are all known are in a value of this pattern.
    pub(super) fn contains(&self, diagram: &Bdd, bits: &Packed) -> bool {
        let of_var = |var: Var| match self.meaning(var) {
            Some(Meaning::Bit(bit)) => bits.get(bit),
            Some(Meaning::Constant(value)) => value,
            None => false,
        };
        !self.is_impossible
            && self.fixed.iter().all(|(bit, value)| bits.get(bit) == value)
            && self.equal.iter().all(|(a, b)| bits.get(*a) == bits.get(*b))
            && diagram.eval(&of_var)
    }
}

/// What has been worked out about patterns.
#[derive(Default)]
pub(super) struct Readings {
    /// By recipe, step and pattern.
    of_atoms: FxHashMap<(u32, u32, PatternId), Rc<Reading>>,
    /// By recipe and the patterns of all atoms; none: nothing has them.
    pub(super) shapes: FxHashMap<(u32, Patterns), Option<Rc<Shape>>>,
}

/// The atom of a step, in a witness: the entry, and which of its additions it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) atom: usize,
    pub(super) entry: u32,
    pub(super) addition: u32,
}

/// The values of a clause's keys; most clauses have no more variables.
pub(super) type Keys = SmallVec<[u32; 16]>;

/// How a tuple came about: the values of the clause's keys and bits, and what its atoms are.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) keys: Keys,
    pub(super) bits: Packed,
    pub(super) used: SmallVec<[Used; 8]>,
}

/// The atoms looked up so far, each as a diagram and what its variables mean.
pub(super) type Operands = SmallVec<[(Bdd, Rc<Reading>); 4]>;

/// An entry that is looked up for an atom.
#[derive(Clone, Copy)]
struct Atom<'l> {
    /// The step that looks it up, and how.
    at: usize,
    lookup: &'l Lookup,
    relation: Planned,
    number: u32,
}

/// A search for one way to a tuple.
pub(super) struct Search<'s, 'a> {
    pub(super) store: &'s Store<'a>,
    pub(super) readings: &'s mut Readings,
    pub(super) unions: &'s Unions,
    pub(super) recipe: &'s Numbered,
    /// Only what was added before is looked at.
    pub(super) stamp: u64,
    /// What the first atom's entry is, if that is known.
    pub(super) reason: Option<&'s Reason>,
    pub(super) budget: &'s Budget,
    operands: Operands,
    used: SmallVec<[Used; 8]>,
    found: Option<Witness>,
}

pub(super) const UNBOUND: u32 = u32::MAX;

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(
        store: &'s Store<'a>,
        (readings, unions): (&'s mut Readings, &'s Unions),
        recipe: &'s Numbered,
        stamp: u64,
        reason: Option<&'s Reason>,
        budget: &'s Budget,
    ) -> Self {
        let (operands, used, found) = (Operands::new(), SmallVec::new(), None);
        Self { store, readings, unions, recipe, stamp, reason, budget, operands, used, found }
    }

    /// Whether a recipe has only steps that can be taken without diagrams.
    pub(super) fn can_follow(recipe: &Numbered) -> bool {
        let can = |step: &Step| match step {
            Step::Join(_) | Step::Bind { .. } | Step::Check(_) | Step::Enumerate { .. } => true,
            Step::Exclude(_) | Step::Compare(_) | Step::InRange(_) => false,
        };
        recipe.recipe.steps.iter().all(can)
    }

    /// Starts with the head known: its key and its bits.
    pub(super) fn run(mut self, key: &[u32], bits: &Packed) -> Result<Option<Witness>, Halt> {
        if let Some(witness) = self.straight(key, bits) {
            return Ok(Some(witness));
        }
        let recipe = &self.recipe.recipe;
        let planned = &self.store.plan.relations[recipe.relation];
        let clause = &planned.clauses[recipe.clause];
        let mut keys = Keys::from_elem(UNBOUND, recipe.explicit.len());
        let mut known = Bits::new(recipe.n_bits);
        let key_args = planned.columns.iter().zip(&clause.head).filter(|(column, _)| column.is_key);
        let fits = key_args.zip(key).all(|((_, arg), value)| put_key(&mut keys, *arg, *value))
            && recipe.head_meanings.iter().zip(bits.iter()).all(|(meaning, bit)| match meaning {
                Meaning::Bit(at) => known.set(*at, bit),
                Meaning::Constant(value) => *value == bit,
            })
            && (0..keys.len())
                .all(|variable| keys[variable] == UNBOUND || self.fix(&mut known, variable, keys[variable]));
        if fits {
            self.step(0, &mut keys, known)?;
        }
        Ok(self.found.take())
    }

    /// The bits of a variable whose value is known as a key, if it has bits; false: they are others.
    fn fix(&self, bits: &mut Bits, variable: usize, value: u32) -> bool {
        let recipe = &self.recipe.recipe;
        let Some(start) = recipe.bits[variable] else { return true };
        let sort = self.store.plan.relations[recipe.relation].clauses[recipe.clause].variables[variable].sort;
        (0..self.store.plan.sorts[sort].width).all(|bit| bits.set(start + bit, value >> bit & 1 == 1))
    }

    /// Takes the steps from this one on; false: they lead nowhere.
    fn step(&mut self, at: usize, keys: &mut [u32], bits: Bits) -> Result<bool, Halt> {
        let recipe = self.recipe;
        let Some(step) = recipe.recipe.steps.get(at) else { return self.decide(keys, bits) };
        match step {
            Step::Join(lookup) => self.look_up(at, lookup, keys, &bits),
            Step::Check(test) => {
                let test =
                    &self.store.plan.relations[recipe.recipe.relation].clauses[recipe.recipe.clause].tests[*test];
                let [left, right] = test.args().map(|arg| value_of(keys, arg));
                if test.holds(left, right, self.store.plan.size(test.sort)) {
                    self.step(at + 1, keys, bits)
                } else {
                    Ok(false)
                }
            }
            Step::Bind { variable, from, offset, size } => {
                let value = value_of(keys, *from).checked_add_signed(*offset).filter(|value| value < size);
                value.map_or(Ok(false), |value| self.bind(at, *variable, value as u32, keys, bits))
            }
            Step::Enumerate { variable, size } => {
                for value in 0..*size as u32 {
                    if self.bind(at, *variable, value, keys, bits.clone())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Step::Exclude(_) | Step::Compare(_) | Step::InRange(_) => Ok(false),
        }
    }

    fn bind(&mut self, at: usize, variable: usize, value: u32, keys: &mut [u32], mut bits: Bits) -> Result<bool, Halt> {
        keys[variable] = value;
        let found = self.fix(&mut bits, variable, value) && self.step(at + 1, keys, bits)?;
        keys[variable] = UNBOUND;
        Ok(found)
    }

    fn look_up(&mut self, at: usize, lookup: &Lookup, keys: &mut [u32], bits: &Bits) -> Result<bool, Halt> {
        let recipe = &self.recipe.recipe;
        let relation = self.store.plan.relations[recipe.relation].clauses[recipe.clause].atoms[lookup.atom].relation;
        let table = &self.store.tables[relation];
        if let (Some(reason), 0) = (self.reason, at) {
            let number = reason.entry;
            let key = &table.entries[number as usize].key;
            let fits = lookup.known.iter().all(|(position, arg)| u64::from(key[*position]) == value_of(keys, *arg));
            let range = reason.additions.0 as usize..reason.additions.1 as usize;
            return Ok(fits && self.meet(Atom { at, lookup, relation, number }, range, keys, bits)?);
        }
        for number in table.matching(&lookup.columns, part(lookup, keys)).iter().copied() {
            let has_history = !table.history(number as usize).is_empty();
            let range = if has_history { 0..table.n_earlier(number as usize, self.stamp) } else { 0..1 };
            if self.meet(Atom { at, lookup, relation, number }, range, keys, bits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes up one of some additions to an entry and goes on.
    fn meet(&mut self, atom: Atom<'_>, range: Range<usize>, keys: &mut [u32], bits: &Bits) -> Result<bool, Halt> {
        let Lookup { bind, agree, .. } = atom.lookup;
        let key = &self.store.tables[atom.relation].entries[atom.number as usize].key;
        for (position, variable) in bind {
            keys[*variable] = key[*position];
        }
        let agrees = agree.iter().all(|(position, variable)| keys[*variable] == key[*position]);
        let found = agrees && self.meet_first(atom, range, keys, bits)?;
        bind.iter().for_each(|(_, variable)| keys[*variable] = UNBOUND);
        Ok(found)
    }

    /// The first of some additions that fits; groups of which the union does not fit are passed over.
    fn meet_first(&mut self, atom: Atom<'_>, range: Range<usize>, keys: &mut [u32], bits: &Bits) -> Result<bool, Halt> {
        let (unions, table) = (self.unions, &self.store.tables[atom.relation]);
        let groups = if unions.is_empty() { None } else { unions.get(&(atom.relation, atom.number)) };
        let mut next = range.start;
        while next < range.end {
            let mut level = groups.map_or(0, |groups| groups.level(next, range.end));
            while let Some(union) = groups.and_then(|groups| groups.union(next, level)) {
                if !self.take_up(atom, next, union, keys, bits)? {
                    break;
                }
                self.found = None;
                level -= 1;
            }
            if level == 0 {
                let added = table.addition(atom.number as usize, next).map(|addition| &addition.value);
                let value = added.unwrap_or(&table.entries[atom.number as usize].value);
                if self.take_up(atom, next, value, keys, bits)? {
                    return Ok(true);
                }
            }
            next += 1 << level;
        }
        Ok(false)
    }

    /// Takes up a value of an atom, one of its additions or several, and goes on; false: this leads nowhere.
    fn take_up(
        &mut self,
        Atom { at, lookup, number, .. }: Atom<'_>,
        addition: usize,
        value: &Value,
        keys: &mut [u32],
        bits: &Bits,
    ) -> Result<bool, Halt> {
        let mut bits = bits.clone();
        let reading = self.reading(at, value.pattern);
        let fits = lookup.bind.iter().all(|(_, variable)| self.fix(&mut bits, *variable, keys[*variable]))
            && bits.take_up(&reading);
        let Some(node) = fits.then(|| follow(&value.diagram, &reading, &bits)).flatten() else { return Ok(false) };
        self.operands.push((node, reading));
        self.used.push(Used { atom: lookup.atom, entry: number, addition: addition as u32 });
        let found = self.step(at + 1, keys, bits)?;
        self.operands.pop();
        self.used.pop();
        Ok(found)
    }

    pub(super) fn reading(&mut self, at: usize, pattern: PatternId) -> Rc<Reading> {
        let number = (self.recipe.number, at as u32, pattern);
        if let Some(reading) = self.readings.of_atoms.get(&number) {
            return Rc::clone(reading);
        }
        let cells = self.store.patterns.cells(pattern);
        let reading = Rc::new(Reading::new(&cells, self.recipe.recipe.meanings[at].iter().copied()));
        self.readings.of_atoms.insert(number, Rc::clone(&reading));
        reading
    }

    /// All atoms are there: values for the bits that are open.
    fn decide(&mut self, keys: &[u32], bits: Bits) -> Result<bool, Halt> {
        let mut picked = bits.clone();
        if !self.operands.iter().all(|(node, reading)| pick(node, reading, &mut picked)) {
            picked = bits;
            let nodes: Nodes = self.operands.iter().map(|(node, _)| node.clone()).collect();
            if !Decision::new(&self.operands, &picked, &self.store.manager, self.budget).decide(nodes, &mut picked)? {
                return Ok(false);
            }
        }
        let bits = picked.values();
        self.found = Some(Witness { keys: Keys::from_slice(keys), bits, used: SmallVec::from_slice(&self.used) });
        Ok(true)
    }
}
