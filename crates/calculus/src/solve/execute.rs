//! Carries out recipes.

use std::rc::Rc;

use bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;

use super::body::Part;
use super::pattern::{self, Join, Meaning, PatternId, Projection, Value};
use super::recipe::{Lookup, Recipe, Step, variable};
use super::store::Store;
use super::table::{Key, Table, key_of};
use crate::model::Cell;
use crate::plan::clause::Arg;
use crate::system::SortId;

/// Where the entries of looked-up atoms come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'v> {
    /// The tables as they are.
    Tables,
    /// The first atom's entry is given, with its key; the others are from the tables.
    First(&'v Key, &'v Value),
    /// What was added before a stamp.
    Before(u64),
}

/// How a tuple came about: the values of keys and one solution for the bits of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    pub(crate) keys: Vec<u32>,
    pub(crate) partial: Value,
}

/// What a recipe is carried out for.
pub(crate) enum Goal<'g> {
    /// All tuples of the head.
    All(&'g mut Vec<(Key, Value)>),
    /// One way to the head that is given.
    One(&'g mut Option<Witness>),
}

/// A recipe with a number, so that what was worked out for it can be found again.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    pub(crate) number: u32,
    pub(crate) recipe: Recipe,
    /// The value that says nothing about the clause's bits.
    pub(crate) open: Value,
    /// What the atoms are in a witness, where the recipe is for finding one.
    pub(crate) body: Vec<Part>,
    /// Whether it only looks up atoms, by keys that have no bits.
    pub(crate) is_plain: bool,
}

/// A recipe, a step of it, what is joined in the step (0: the operand; n + 1: the bits of variable n), both patterns.
type JoinNumber = (u32, u32, u32, PatternId, PatternId);

/// Joins and projections that have been worked out.
#[derive(Default)]
pub(crate) struct Kitchen {
    joins: FxHashMap<JoinNumber, Option<Rc<Join>>>,
    projections: FxHashMap<(u32, PatternId), Rc<Projection>>,
    pub(super) comparisons: FxHashMap<(SortId, bool, i64, i64, bool), Value>,
    pub(super) ranges: FxHashMap<SortId, Value>,
    constants: FxHashMap<(SortId, u64), PatternId>,
    /// How many joins were carried out.
    pub(crate) n_joins: u64,
    /// Room for the values of keys.
    keys: Vec<u32>,
}

/// What is known so far: a value whose diagram belongs to someone else.
#[derive(Clone, Copy)]
struct Partial<'v> {
    pattern: PatternId,
    diagram: &'v Bdd,
}

impl<'v> From<&'v Value> for Partial<'v> {
    fn from(value: &'v Value) -> Self {
        Self { pattern: value.pattern, diagram: &value.diagram }
    }
}

/// One carrying out of a recipe.
pub(crate) struct Execution<'e, 'a> {
    /// The tables of the store, which do not change meanwhile; those that are looked up have their indices.
    pub(crate) tables: &'e [Table],
    pub(crate) store: &'e mut Store<'a>,
    pub(crate) kitchen: &'e mut Kitchen,
    pub(crate) recipe: &'e Numbered,
    pub(crate) source: Source<'e>,
    pub(crate) goal: Goal<'e>,
}

const UNBOUND: u32 = u32::MAX;

impl<'e> Execution<'e, '_> {
    /// Starts with nothing known.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let start = &self.recipe.open;
        let mut keys = std::mem::take(&mut self.kitchen.keys);
        keys.clear();
        keys.resize(self.recipe.recipe.explicit.len(), UNBOUND);
        let done = self.step(0, &mut keys, Partial::from(start));
        self.kitchen.keys = keys;
        done
    }

    /// Starts with the head known: its key and its bits.
    pub(crate) fn run_from_head(&mut self, key: &[u32], bits: &[bool]) -> Result<(), Stop> {
        let recipe = &self.recipe.recipe;
        let planned = &self.store.plan.relations[recipe.relation];
        let clause = &planned.clauses[recipe.clause];
        let mut keys = vec![UNBOUND; recipe.explicit.len()];
        let mut cells = vec![Cell::OPEN; recipe.n_bits];
        let (mut key, mut bits) = (key.iter(), bits.iter());
        for (column, arg) in planned.columns.iter().zip(&clause.head) {
            let agrees = if column.is_key {
                key.next().is_some_and(|value| put_key(&mut keys, *arg, *value))
            } else {
                let width = self.store.plan.sorts[column.sort].width;
                let bits: Vec<bool> = bits.by_ref().take(width).copied().collect();
                put_bits(recipe, &mut cells, *arg, &bits)
            };
            if !agrees {
                return Ok(());
            }
        }
        let pattern = self.store.patterns.intern(cells);
        let start = Value { pattern, diagram: self.store.manager.bdd_true() };
        // A variable may stand in a key column and in a column of bits.
        let start =
            (0..keys.len()).filter(|at| keys[*at] != UNBOUND).try_fold(Some(start), |value, at| match value {
                Some(value) => self.fix(u32::MAX, at, keys[at], Partial::from(&value), &vec![true; recipe.n_bits]),
                None => Ok(None),
            })?;
        match start {
            Some(start) => self.step(0, &mut keys, Partial::from(&start)),
            None => Ok(()),
        }
    }

    fn is_done(&self) -> bool {
        matches!(&self.goal, Goal::One(Some(_)))
    }

    fn step(&mut self, at: usize, keys: &mut Vec<u32>, partial: Partial<'_>) -> Result<(), Stop> {
        if partial.diagram.is_false() || self.is_done() {
            return Ok(());
        }
        let Some(step) = self.recipe.recipe.steps.get(at) else { return self.finish(keys, partial) };
        match step {
            Step::Join(lookup) => self.look_up(at, lookup, keys, partial),
            Step::Check(test) => {
                let test = &self.clause().tests[*test];
                let [left, right] = test.args().map(|arg| value_of(keys, arg));
                if test.holds(left, right, self.store.plan.size(test.sort)) {
                    return self.step(at + 1, keys, partial);
                }
                Ok(())
            }
            Step::Bind { variable, from, offset, size } => {
                let value = value_of(keys, *from).checked_add_signed(*offset).filter(|value| value < size);
                value.map_or(Ok(()), |value| self.bind(at, *variable, value as u32, keys, partial))
            }
            Step::Enumerate { variable, size } => {
                (0..*size as u32).try_for_each(|value| self.bind(at, *variable, value, keys, partial))
            }
            Step::Exclude(atom) => self.exclude(at, *atom, keys, partial),
            Step::Compare(test) => {
                let test = self.clause().tests[*test].clone();
                let operand = self.comparison(&test)?;
                self.join(at, &operand, keys, partial)
            }
            Step::InRange(variable) => {
                let sort = self.clause().variables[*variable].sort;
                let operand = self.range(sort)?;
                self.join(at, &operand, keys, partial)
            }
        }
    }

    fn clause(&self) -> &crate::plan::clause::Clause {
        let recipe = &self.recipe.recipe;
        &self.store.plan.relations[recipe.relation].clauses[recipe.clause]
    }

    fn bind(
        &mut self,
        at: usize,
        variable: usize,
        value: u32,
        keys: &mut Vec<u32>,
        partial: Partial<'_>,
    ) -> Result<(), Stop> {
        keys[variable] = value;
        let needed = &self.recipe.recipe.needed[at];
        if self.recipe.recipe.bits[variable].is_none() {
            self.step(at + 1, keys, partial)?;
        } else if let Some(partial) = self.fix(at as u32, variable, value, partial, needed)? {
            self.step(at + 1, keys, Partial::from(&partial))?;
        }
        keys[variable] = UNBOUND;
        Ok(())
    }

    /// The bits of a variable whose value has become known, if it has bits.
    fn fix(
        &mut self,
        at: u32,
        variable: usize,
        value: u32,
        partial: Partial<'_>,
        needed: &[bool],
    ) -> Result<Option<Value>, Stop> {
        let Some(start) = self.recipe.recipe.bits[variable] else {
            return Ok(Some(Value { pattern: partial.pattern, diagram: partial.diagram.clone() }));
        };
        let sort = self.clause().variables[variable].sort;
        let width = self.store.plan.sorts[sort].width;
        let known = self.constant(sort, u64::from(value));
        let meanings: Vec<Meaning> = (start..start + width).map(Meaning::Bit).collect();
        let number = (self.recipe.number, at, variable as u32 + 1, partial.pattern, known);
        let join = self.worked_out(number, &meanings, needed);
        let Some(join) = join else { return Ok(None) };
        let diagram = join.apply(partial.diagram, &self.store.manager.bdd_true())?;
        Ok(Some(Value { pattern: join.pattern, diagram }))
    }

    fn look_up(&mut self, at: usize, lookup: &Lookup, keys: &mut Vec<u32>, partial: Partial<'_>) -> Result<(), Stop> {
        if let (Source::First(key, value), 0) = (self.source, at) {
            let matches = lookup.known.iter().all(|(position, arg)| u64::from(key[*position]) == value_of(keys, *arg));
            return if matches { self.meet(at, lookup, key, value, keys, partial) } else { Ok(()) };
        }
        let entries = self.table(lookup).matching(&lookup.columns, part(lookup, keys));
        self.meet_all(at, lookup, entries, keys, partial)
    }

    fn table(&self, lookup: &Lookup) -> &'e Table {
        &self.tables[self.clause().atoms[lookup.atom].relation]
    }

    /// Joins some entries of an atom, each for itself, and goes on.
    fn meet_all(
        &mut self,
        at: usize,
        lookup: &Lookup,
        entries: &[u32],
        keys: &mut Vec<u32>,
        partial: Partial<'_>,
    ) -> Result<(), Stop> {
        if partial.diagram.is_false() || self.is_done() {
            return Ok(());
        }
        let table = self.table(lookup);
        for number in entries {
            let entry = &table.entries[*number as usize];
            if let Source::Before(stamp) = self.source {
                let history = table.history(*number as usize);
                if history.is_empty() {
                    self.meet(at, lookup, &entry.key, &entry.value, keys, partial)?;
                }
                for number in &history[..table.n_earlier(*number as usize, stamp)] {
                    let added = &table.additions[*number as usize].value;
                    self.meet(at, lookup, &entry.key, added, keys, partial)?;
                }
            } else {
                self.meet(at, lookup, &entry.key, &entry.value, keys, partial)?;
            }
        }
        Ok(())
    }

    /// Joins one entry of an atom and goes on.
    fn meet(
        &mut self,
        at: usize,
        lookup: &Lookup,
        key: &Key,
        value: &Value,
        keys: &mut Vec<u32>,
        partial: Partial<'_>,
    ) -> Result<(), Stop> {
        for (position, variable) in &lookup.bind {
            keys[*variable] = key[*position];
        }
        if lookup.agree.iter().all(|(position, variable)| keys[*variable] == key[*position]) {
            let mut fixed: Option<Value> = None;
            let mut is_possible = true;
            for (_, variable) in &lookup.bind {
                if is_possible && self.recipe.recipe.bits[*variable].is_some() {
                    // All bits are kept until the atom itself has been joined.
                    let all = vec![true; self.recipe.recipe.n_bits];
                    let known = fixed.as_ref().map_or(partial, Partial::from);
                    let more = self.fix(at as u32, *variable, keys[*variable], known, &all)?;
                    fixed = more;
                    is_possible = fixed.is_some();
                }
            }
            if is_possible {
                self.join(at, value, keys, fixed.as_ref().map_or(partial, Partial::from))?;
            }
        }
        lookup.bind.iter().for_each(|(_, variable)| keys[*variable] = UNBOUND);
        Ok(())
    }

    /// Joins an operand and goes on; the last join and the projection to the head are one operation.
    fn join(&mut self, at: usize, operand: &Value, keys: &mut Vec<u32>, partial: Partial<'_>) -> Result<(), Stop> {
        self.kitchen.n_joins += 1;
        let recipe = &self.recipe.recipe;
        let number = (self.recipe.number, at as u32, 0, partial.pattern, operand.pattern);
        let Some(join) = self.worked_out(number, &recipe.meanings[at], &recipe.needed[at]) else { return Ok(()) };
        // If the next step looks up an atom and finds nothing, there is no need to join before.
        let next = self.next(at + 1, keys);
        if next.is_some_and(|(_, entries)| entries.is_empty()) {
            return Ok(());
        }
        let is_last = at + 1 == recipe.steps.len();
        if is_last && matches!(self.goal, Goal::All(_)) {
            let projection = self.projection(join.pattern);
            let diagram = match &projection.rename {
                Some(renaming) => join.apply_renamed(partial.diagram, &operand.diagram, renaming)?,
                None => join.apply(partial.diagram, &operand.diagram)?,
            };
            self.put(keys, Value { pattern: projection.pattern, diagram });
            return Ok(());
        }
        let joined;
        let diagram = match join.unchanged(partial.diagram, &operand.diagram) {
            Some(diagram) => diagram,
            None => {
                joined = join.apply(partial.diagram, &operand.diagram)?;
                &joined
            }
        };
        let partial = Partial { pattern: join.pattern, diagram };
        match next {
            Some((lookup, entries)) => self.meet_all(at + 1, lookup, entries, keys, partial),
            None => self.step(at + 1, keys, partial),
        }
    }

    /// What a step finds, if it looks up an atom.
    fn next(&self, at: usize, keys: &[u32]) -> Option<(&'e Lookup, &'e [u32])> {
        let recipe: &'e Numbered = self.recipe;
        let Some(Step::Join(lookup)) = recipe.recipe.steps.get(at) else { return None };
        Some((lookup, self.table(lookup).matching(&lookup.columns, part(lookup, keys))))
    }

    fn worked_out(&mut self, number: JoinNumber, meanings: &[Meaning], needed: &[bool]) -> Option<Rc<Join>> {
        if let Some(join) = self.kitchen.joins.get(&number) {
            return join.clone();
        }
        let Store { patterns, space, manager, .. } = &mut *self.store;
        let homes = &self.recipe.recipe.homes;
        let join = pattern::join(patterns, space, manager, (number.3, number.4), meanings, needed, homes).map(Rc::new);
        self.kitchen.joins.insert(number, join.clone());
        join
    }

    fn finish(&mut self, keys: &[u32], partial: Partial<'_>) -> Result<(), Stop> {
        if let Goal::One(found) = &mut self.goal {
            **found = Some(Witness {
                keys: keys.to_vec(),
                partial: Value { pattern: partial.pattern, diagram: partial.diagram.clone() },
            });
            return Ok(());
        }
        let projection = self.projection(partial.pattern);
        let diagram = match &projection.rename {
            Some(renaming) => partial.diagram.rename(renaming)?,
            None => partial.diagram.clone(),
        };
        self.put(keys, Value { pattern: projection.pattern, diagram });
        Ok(())
    }

    fn put(&mut self, keys: &[u32], value: Value) {
        if value.diagram.is_false() {
            return;
        }
        let key = key_of(self.recipe.recipe.head_key.iter().map(|arg| value_of(keys, *arg) as u32));
        if let Goal::All(found) = &mut self.goal {
            found.push((key, value));
        }
    }

    fn projection(&mut self, from: PatternId) -> Rc<Projection> {
        if let Some(projection) = self.kitchen.projections.get(&(self.recipe.number, from)) {
            return Rc::clone(projection);
        }
        let Recipe { relation, head_meanings, .. } = &self.recipe.recipe;
        let Store { patterns, manager, stored, .. } = &mut *self.store;
        let projection = Rc::new(pattern::project(patterns, manager, from, head_meanings, &stored[*relation]));
        self.kitchen.projections.insert((self.recipe.number, from), Rc::clone(&projection));
        projection
    }

    /// Joins the complement of an atom whose key is known.
    fn exclude(&mut self, at: usize, atom: usize, keys: &mut Vec<u32>, partial: Partial<'_>) -> Result<(), Stop> {
        let excluded = &self.clause().atoms[atom];
        let relation = excluded.relation;
        let planned = &self.store.plan.relations[relation];
        let key: Vec<u32> = planned.keys().map(|column| value_of(keys, excluded.args[column]) as u32).collect();
        let diagram = match self.tables[relation].find(&key) {
            Some(entry) => self.store.whole(relation, &self.tables[relation].entries[entry].value)?.not()?,
            // Joined all the same: what no later step needs is quantified here.
            None => self.store.manager.bdd_true(),
        };
        let operand = Value { pattern: self.store.open_pattern(relation), diagram };
        self.join(at, &operand, keys, partial)
    }

    fn constant(&mut self, sort: SortId, value: u64) -> PatternId {
        let width = self.store.plan.sorts[sort].width;
        let patterns = &mut self.store.patterns;
        let cells = || (0..width).map(|bit| Cell::constant(value >> bit & 1 == 1)).collect();
        *self.kitchen.constants.entry((sort, value)).or_insert_with(|| patterns.intern(cells()))
    }
}

/// What is known of the key that is looked up.
pub(super) fn part<'k>(lookup: &'k Lookup, keys: &'k [u32]) -> impl Iterator<Item = u32> + Clone + 'k {
    lookup.known.iter().map(|(_, arg)| value_of(keys, *arg) as u32)
}

pub(super) fn value_of(keys: &[u32], arg: Arg) -> u64 {
    match arg {
        Arg::Value(value) => value,
        Arg::Variable(variable) => u64::from(keys[variable]),
    }
}

/// A head's key column has a value; false: it cannot.
pub(super) fn put_key(keys: &mut [u32], arg: Arg, value: u32) -> bool {
    match arg {
        Arg::Value(known) => known == u64::from(value),
        Arg::Variable(variable) if keys[variable] == UNBOUND => {
            keys[variable] = value;
            true
        }
        Arg::Variable(variable) => keys[variable] == value,
    }
}

/// A head's bits have values; false: they cannot.
fn put_bits(recipe: &Recipe, cells: &mut [Cell], arg: Arg, bits: &[bool]) -> bool {
    match arg {
        Arg::Value(known) => bits.iter().enumerate().all(|(at, bit)| *bit == (known >> at & 1 == 1)),
        Arg::Variable(_) => {
            let start = variable(arg).and_then(|variable| recipe.bits[variable]).unwrap_or(0);
            let mut agree = true;
            for (at, bit) in bits.iter().enumerate() {
                let cell = Cell::constant(*bit);
                agree &= cells[start + at] == Cell::OPEN || cells[start + at] == cell;
                cells[start + at] = cell;
            }
            agree
        }
    }
}
