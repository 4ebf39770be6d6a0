//! One way to a tuple, found without building diagrams.
//!
//! The head of a clause is given, bit by bit. Its atoms are looked up as the recipe says, among what was added before
//! the tuple was; what they say about the bits of the clause that are still open is then decided bit by bit, following
//! all diagrams at once. A conjunction that fails is remembered by the nodes that were reached in it.

use std::rc::Rc;

use base::Budget;
use bdd::{Bdd, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::Halt;
use super::execute::{Numbered, part, put_key, value_of};
use super::packed::Packed;
use super::pattern::{Meaning, PatternId, Value};
use super::recipe::{Lookup, Recipe, Step};
use super::store::Store;
use super::table::{Entry, Reason};
use crate::model::Cell;
use crate::plan::clause::Arg;

/// What a pattern says about the bits of a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    fixed: Vec<(usize, bool)>,
    equal: Vec<(usize, usize)>,
    /// What the diagram's variables are, in order.
    vars: Vec<(Var, Meaning)>,
    is_impossible: bool,
}

impl Reading {
    pub(super) fn new(cells: &[Cell], meanings: impl Iterator<Item = Meaning>) -> Self {
        let mut reading = Self::default();
        for (cell, meaning) in cells.iter().zip(meanings) {
            let Some(var) = cell.var() else {
                match (cell.value(), meaning) {
                    (Some(value), Meaning::Bit(bit)) => reading.fixed.push((bit, value)),
                    (Some(value), Meaning::Constant(constant)) => reading.is_impossible |= value != constant,
                    (None, _) => {}
                }
                continue;
            };
            match reading.vars.iter().find(|(known, _)| *known == var).map(|(_, meaning)| *meaning) {
                None => reading.vars.push((var, meaning)),
                Some(Meaning::Bit(first)) => match meaning {
                    Meaning::Bit(bit) => reading.equal.push((first, bit)),
                    Meaning::Constant(value) => reading.fixed.push((first, value)),
                },
                Some(Meaning::Constant(value)) => match meaning {
                    Meaning::Bit(bit) => reading.fixed.push((bit, value)),
                    Meaning::Constant(constant) => reading.is_impossible |= value != constant,
                },
            }
        }
        reading.vars.sort_unstable_by_key(|(var, _)| *var);
        reading
    }

    fn meaning(&self, var: Var) -> Option<Meaning> {
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
            && self.fixed.iter().all(|(bit, value)| bits.get(*bit) == *value)
            && self.equal.iter().all(|(a, b)| bits.get(*a) == bits.get(*b))
            && diagram.eval(&of_var)
    }
}

/// Readings by recipe, step and pattern.
pub(super) type Readings = FxHashMap<(u32, u32, PatternId), Rc<Reading>>;

/// The value of a bit, if it is known.
type Known = Option<bool>;

/// What is known about the bits of a clause: which are equal, and their values.
///
/// For each bit, one that it is equal to, times four, and for those that are equal to themselves a value: they are
/// copied all the time, so they are kept small.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Bits(SmallVec<[u32; 32]>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        // As a block: the vector's own way is one by one.
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Bits {
    const VALUE: u32 = 1;
    const IS_KNOWN: u32 = 2;

    fn new(n: usize) -> Self {
        let mut bits = SmallVec::from_elem(0, n);
        bits.iter_mut().zip(0..).for_each(|(cell, bit)| *cell = bit << 2);
        Self(bits)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn root(&self, mut bit: usize) -> usize {
        while (self.0[bit] >> 2) as usize != bit {
            bit = (self.0[bit] >> 2) as usize;
        }
        bit
    }

    fn of_root(&self, root: usize) -> Known {
        let cell = self.0[root];
        (cell & Self::IS_KNOWN != 0).then_some(cell & Self::VALUE != 0)
    }

    fn get(&self, bit: usize) -> Known {
        self.of_root(self.root(bit))
    }

    /// Gives a root a value, or takes it away.
    fn put(&mut self, root: usize, value: Known) {
        let code = value.map_or(0, |value| Self::IS_KNOWN | u32::from(value));
        self.0[root] = (root as u32) << 2 | code;
    }

    /// False: it has another value.
    fn set(&mut self, bit: usize, value: bool) -> bool {
        let root = self.root(bit);
        match self.of_root(root) {
            Some(known) => known == value,
            None => {
                self.put(root, Some(value));
                true
            }
        }
    }

    /// False: they have different values.
    fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let known = self.of_root(b);
        self.0[b] = (a as u32) << 2;
        known.is_none_or(|value| self.set(a, value))
    }

    /// Takes up what a pattern says; false: it cannot be.
    fn take_up(&mut self, reading: &Reading) -> bool {
        !reading.is_impossible
            && reading.fixed.iter().all(|(bit, value)| self.set(*bit, *value))
            && reading.equal.iter().all(|(a, b)| self.unite(*a, *b))
    }
}

/// The atom of a step, in a witness: the entry, and which of its additions it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) atom: usize,
    pub(super) addition: u32,
}

/// How a tuple came about: the values of the clause's keys and bits, and what its atoms are.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) keys: SmallVec<[u32; 8]>,
    pub(super) bits: Packed,
    pub(super) used: SmallVec<[Used; 8]>,
}

impl Witness {
    /// Adds the bits of an argument.
    pub(super) fn bits_of(&self, recipe: &Recipe, arg: Arg, width: usize, bits: &mut Packed) {
        match arg {
            Arg::Value(value) => bits.extend((0..width).map(|at| value >> at & 1 == 1)),
            Arg::Variable(variable) => bits.extend_from(&self.bits, recipe.bits[variable].unwrap_or(0), width),
        }
    }
}

/// The atoms looked up so far, each as a diagram and what its variables mean.
type Operands = SmallVec<[(Bdd, Rc<Reading>); 4]>;

/// A search for one way to a tuple.
pub(super) struct Search<'s, 'a> {
    pub(super) store: &'s Store<'a>,
    pub(super) readings: &'s mut Readings,
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

const UNBOUND: u32 = u32::MAX;

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(
        store: &'s Store<'a>,
        readings: &'s mut Readings,
        recipe: &'s Numbered,
        stamp: u64,
        reason: Option<&'s Reason>,
        budget: &'s Budget,
    ) -> Self {
        let (operands, used, found) = (Operands::new(), SmallVec::new(), None);
        Self { store, readings, recipe, stamp, reason, budget, operands, used, found }
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
        let recipe = &self.recipe.recipe;
        let planned = &self.store.plan.relations[recipe.relation];
        let clause = &planned.clauses[recipe.clause];
        let mut keys: SmallVec<[u32; 8]> = SmallVec::from_elem(UNBOUND, recipe.explicit.len());
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
            let entry = &table.entries[reason.entry as usize];
            let fits =
                lookup.known.iter().all(|(position, arg)| u64::from(entry.key[*position]) == value_of(keys, *arg));
            let range = reason.additions.0 as usize..reason.additions.1 as usize;
            return if fits { self.meet(at, lookup, entry, range, keys, bits) } else { Ok(false) };
        }
        for entry in table.matching(&lookup.columns, &part(lookup, keys)) {
            let entry = &table.entries[*entry as usize];
            let n_earlier = entry.history.partition_point(|addition| addition.stamp < self.stamp);
            // Inputs have no history: they were there from the start.
            let range = if entry.history.is_empty() { 0..1 } else { 0..n_earlier };
            if self.meet(at, lookup, entry, range, keys, bits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes up one of some additions to an entry and goes on.
    fn meet(
        &mut self,
        at: usize,
        lookup: &Lookup,
        entry: &Entry,
        range: std::ops::Range<usize>,
        keys: &mut [u32],
        bits: &Bits,
    ) -> Result<bool, Halt> {
        for (position, variable) in &lookup.bind {
            keys[*variable] = entry.key[*position];
        }
        let mut found = false;
        if lookup.agree.iter().all(|(position, variable)| keys[*variable] == entry.key[*position]) {
            for addition in range {
                let value = entry.history.get(addition).map_or(&entry.value, |addition| &addition.value);
                let mut bits = bits.clone();
                let reading = self.reading(at, value);
                let fits = lookup.bind.iter().all(|(_, variable)| self.fix(&mut bits, *variable, keys[*variable]))
                    && bits.take_up(&reading);
                let Some(node) = fits.then(|| follow(&value.diagram, &reading, &bits)).flatten() else { continue };
                self.operands.push((node, reading));
                self.used.push(Used { atom: lookup.atom, addition: addition as u32 });
                found = self.step(at + 1, keys, bits)?;
                self.operands.pop();
                self.used.pop();
                if found {
                    break;
                }
            }
        }
        lookup.bind.iter().for_each(|(_, variable)| keys[*variable] = UNBOUND);
        Ok(found)
    }

    fn reading(&mut self, at: usize, value: &Value) -> Rc<Reading> {
        let number = (self.recipe.number, at as u32, value.pattern);
        if let Some(reading) = self.readings.get(&number) {
            return Rc::clone(reading);
        }
        let cells = self.store.patterns.cells(value.pattern);
        let reading = Rc::new(Reading::new(&cells, self.recipe.recipe.meanings[at].iter().copied()));
        self.readings.insert(number, Rc::clone(&reading));
        reading
    }

    /// All atoms are there: values for the bits that are open.
    fn decide(&mut self, keys: &[u32], bits: Bits) -> Result<bool, Halt> {
        let mut picked = bits.clone();
        if !self.operands.iter().all(|(node, reading)| pick(node, reading, &mut picked)) {
            picked = bits;
            let nodes: Nodes = self.operands.iter().map(|(node, _)| node.clone()).collect();
            if !Decision::new(&self.operands, &picked, self.budget).decide(nodes, &mut picked)? {
                return Ok(false);
            }
        }
        let bits = (0..picked.len()).map(|bit| picked.get(bit).unwrap_or(false)).collect();
        self.found = Some(Witness { keys: SmallVec::from_slice(keys), bits, used: SmallVec::from_slice(&self.used) });
        Ok(true)
    }
}

/// Follows a diagram to true, taking the first way that is open; false: there is none, with what is known.
fn pick(diagram: &Bdd, reading: &Reading, bits: &mut Bits) -> bool {
    let end = diagram.walk(&mut |var, is_low_false| {
        Some(match reading.meaning(var) {
            Some(Meaning::Constant(value)) => value,
            Some(Meaning::Bit(bit)) => {
                let value = bits.get(bit).unwrap_or(is_low_false);
                bits.set(bit, value);
                value
            }
            None => is_low_false,
        })
    });
    end.is_true()
}

/// Follows a diagram as far as bits are known; none: it is false.
fn follow(diagram: &Bdd, reading: &Reading, bits: &Bits) -> Option<Bdd> {
    let end = diagram.walk(&mut |var, _| match reading.meaning(var)? {
        Meaning::Constant(value) => Some(value),
        Meaning::Bit(bit) => bits.get(bit),
    });
    (!end.is_false()).then_some(end)
}

/// What failed: the nodes that were reached, and, where the orders of the diagrams differ, all that was decided.
type Failed = (Nodes, Option<Bits>);

/// A node of each diagram.
type Nodes = SmallVec<[Bdd; 4]>;

/// Open bits are decided in one order, all diagrams at once.
struct Decision<'d> {
    operands: &'d Operands,
    /// By root: where it comes in the order.
    rank: Vec<u32>,
    /// Whether all diagrams have their bits in that order: then what is decided no longer matters further down.
    is_ordered: bool,
    failed: FxHashSet<Failed>,
    budget: &'d Budget,
}

impl<'d> Decision<'d> {
    fn new(operands: &'d Operands, bits: &Bits, budget: &'d Budget) -> Self {
        let mut rank = vec![u32::MAX; bits.len()];
        let open = |(var, meaning): &(Var, Meaning)| match meaning {
            Meaning::Bit(bit) if bits.get(*bit).is_none() => Some((var.0, bits.root(*bit))),
            Meaning::Bit(_) | Meaning::Constant(_) => None,
        };
        let undecided = || operands.iter().filter(|(node, _)| !node.is_true()).map(|(_, reading)| reading);
        for (var, root) in undecided().flat_map(|reading| reading.vars.iter().filter_map(open)) {
            rank[root] = rank[root].min(var);
        }
        let is_ordered = undecided().all(|reading| {
            let mut ranks = reading.vars.iter().filter_map(open).map(|(_, root)| rank[root]);
            let mut last = ranks.next();
            ranks.all(|next| last.replace(next) < Some(next))
        });
        Self { operands, rank, is_ordered, failed: FxHashSet::default(), budget }
    }

    fn decide(&mut self, mut nodes: Nodes, bits: &mut Bits) -> Result<bool, Halt> {
        for (node, (_, reading)) in nodes.iter_mut().zip(self.operands) {
            match follow(node, reading, bits) {
                Some(next) => *node = next,
                None => return Ok(false),
            }
        }
        let top = |(node, (_, reading)): (&Bdd, &(Bdd, Rc<Reading>))| match reading.meaning(node.branches()?.0) {
            Some(Meaning::Bit(bit)) => Some(bits.root(bit)),
            Some(Meaning::Constant(_)) | None => None,
        };
        let Some(root) = nodes.iter().zip(self.operands).filter_map(top).min_by_key(|root| self.rank[*root]) else {
            return Ok(true);
        };
        let decided = (!self.is_ordered).then(|| bits.clone());
        let failed = (nodes, decided);
        if self.failed.contains(&failed) {
            return Ok(false);
        }
        self.budget.check().map_err(Halt::Limit)?;
        for value in [false, true] {
            bits.put(root, Some(value));
            if self.decide(failed.0.clone(), bits)? {
                return Ok(true);
            }
        }
        bits.put(root, None);
        self.failed.insert(failed);
        Ok(false)
    }
}
