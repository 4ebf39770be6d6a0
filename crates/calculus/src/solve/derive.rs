//! How a tuple came about: the facts about the model that it rests on.
//!
//! What was added to a relation has a stamp, and was found from what was added earlier, by a clause that is written
//! down with it. So a tuple is traced back to tuples with earlier stamps until only inputs are left.

use bdd::{Stop, Var};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::answers::literals;
use super::execute::{self, Goal, Numbered, Source};
use super::packed::Packed;
use super::pattern::{Meaning, Value};
use super::recipe::{Given, Recipe, Step};
use super::table::{Key, Reason};
use super::witness::{Reading, Search, Witness};
use super::{Halt, Solver, halt, unions};
use crate::plan::clause::Planned;

/// A tuple of an input relation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The input, by its position in the signature.
    pub input: usize,
    /// The values of its columns of listed sorts, in order.
    pub key: SmallVec<[u32; 4]>,
    /// The bits of its other columns, in order.
    pub bits: Packed,
}

/// A tuple of any relation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tuple {
    relation: Planned,
    /// The entry of its key.
    entry: u32,
    bits: Packed,
}

/// What a tuple has been traced back to.
struct Open {
    /// Each with the one of its entry's additions that it is in, if that is known.
    tuples: Vec<(Tuple, Option<u32>)>,
    facts: Vec<Fact>,
    /// Recipes whose tables have the indices that they need.
    indexed: FxHashSet<u32>,
}

impl Solver<'_> {
    /// The facts that a solution of a query rests on: one with the given listed values. A fact may be there more than
    /// once. Needs [`super::Options::history`].
    pub fn derive(&mut self, query: usize, values: &[u32]) -> Result<Vec<Fact>, Halt> {
        let relation = self.plan.queries[query];
        let root = self.root(relation, values).map_err(|stop| halt(stop, self.budget))?;
        let Some(root) = root else { return Ok(Vec::new()) };
        let mut seen: FxHashSet<Tuple> = FxHashSet::default();
        let mut open = Open { tuples: vec![(root, None)], facts: Vec::new(), indexed: FxHashSet::default() };
        while let Some((tuple, addition)) = open.tuples.pop() {
            if seen.insert(tuple.clone()) {
                self.budget.step().map_err(Halt::Limit)?;
                self.reasons(&tuple, addition, &mut open)?;
            }
        }
        Ok(open.facts)
    }

    /// The solution with the given listed values that was found first.
    fn root(&self, relation: Planned, values: &[u32]) -> Result<Option<Tuple>, Stop> {
        let (mut values, mut key, mut fixed) = (values.iter().peekable(), Key::new(), Vec::new());
        for (at, column) in self.plan.relations[relation].columns.iter().enumerate() {
            if column.is_key {
                key.extend(values.next().copied());
            } else if let Some(value) = values.next_if(|_| column.is_listed) {
                fixed.extend(literals(&self.store.space.stored(self.plan, relation, at), *value));
            }
        }
        let table = &self.store.tables[relation];
        let Some(entry) = table.find(&key) else { return Ok(None) };
        for addition in &table.entries[entry].history {
            let whole = self.store.whole(relation, &addition.value)?.and(&self.store.manager.conjunction(&fixed)?)?;
            if let Some(picked) = whole.pick() {
                let bit = |var: &Var| picked.contains(&(*var, true));
                let bits = self.store.stored[relation].iter().map(bit).collect();
                return Ok(Some(Tuple { relation, entry: entry as u32, bits }));
            }
        }
        Ok(None)
    }

    /// Which of an entry's additions a tuple is in.
    fn addition(&mut self, tuple: &Tuple) -> Option<u32> {
        let history = &self.store.tables[tuple.relation].entries[tuple.entry as usize].history;
        let cells = |value: &Value| self.store.patterns.cells(value.pattern);
        let is_in = |value: &Value| {
            let reading = Reading::new(&cells(value), (0..tuple.bits.len()).map(Meaning::Bit));
            reading.contains(&value.diagram, &tuple.bits)
        };
        history.iter().position(|addition| is_in(&addition.value)).map(|at| at as u32)
    }

    /// Adds the tuples that a clause found this one from.
    fn reasons(&mut self, tuple: &Tuple, addition: Option<u32>, open: &mut Open) -> Result<(), Halt> {
        let addition = addition.or_else(|| self.addition(tuple));
        let history = &self.store.tables[tuple.relation].entries[tuple.entry as usize].history;
        let added = addition.and_then(|addition| history.get(addition as usize));
        let stamp = added.map_or(u64::MAX, |added| added.stamp);
        if let Some(reason) = added.and_then(|added| added.reason.clone())
            && self.reason(tuple, reason.clause as usize, stamp, Some(&reason), open)?
        {
            return Ok(());
        }
        for clause in 0..self.plan.relations[tuple.relation].clauses.len() {
            if self.reason(tuple, clause, stamp, None, open)? {
                break;
            }
        }
        Ok(())
    }

    /// Adds the tuples that one clause found this one from; false: it is not this clause.
    fn reason(
        &mut self,
        tuple: &Tuple,
        clause: usize,
        stamp: u64,
        reason: Option<&Reason>,
        open: &mut Open,
    ) -> Result<bool, Halt> {
        let given = reason.map_or(Given::Head, |reason| Given::HeadAnd(reason.atom as usize));
        let recipe = self.recipe(tuple.relation, clause, given);
        if !Search::can_follow(&recipe) {
            return self.reason_by_joins(tuple, clause, stamp, open);
        }
        if open.indexed.insert(recipe.number) {
            self.prepare(&recipe.recipe).map_err(|stop| halt(stop, self.budget))?;
        }
        let Self { store, readings, unions, budget, .. } = self;
        let key = &store.tables[tuple.relation].entries[tuple.entry as usize].key;
        let found = Search::new(store, (readings, unions), &recipe, stamp, reason, budget).run(key, &tuple.bits)?;
        let Some(witness) = found else { return Ok(false) };
        self.body(&recipe, &witness, open);
        Ok(true)
    }

    /// Makes what looking up a clause's atoms needs.
    fn prepare(&mut self, recipe: &Recipe) -> Result<(), Stop> {
        let clause = &self.plan.relations[recipe.relation].clauses[recipe.clause];
        for step in &recipe.steps {
            if let Step::Join(lookup) = step {
                let relation = clause.atoms[lookup.atom].relation;
                self.store.tables[relation].make_index(&lookup.columns);
                unions::make(&mut self.unions, &mut self.store, relation)?;
            }
        }
        Ok(())
    }

    /// The same by diagrams, for clauses with conditions that only these know.
    fn reason_by_joins(&mut self, tuple: &Tuple, clause: usize, stamp: u64, open: &mut Open) -> Result<bool, Halt> {
        let recipe = self.recipe(tuple.relation, clause, Given::Head);
        self.store.manager.collect_if_needed();
        let bits: Vec<bool> = tuple.bits.iter().collect();
        let key = Key::from_slice(&self.store.tables[tuple.relation].entries[tuple.entry as usize].key);
        let mut found = None;
        let (source, goal) = (Source::Before(stamp), Goal::One(&mut found));
        self.carry_out(&recipe, source, goal, |execution| execution.run_from_head(&key, &bits))
            .map_err(|stop| halt(stop, self.budget))?;
        let Some(execute::Witness { keys, partial }) = found else { return Ok(false) };
        let cells = self.store.patterns.cells(partial.pattern);
        let picked = partial.diagram.pick().unwrap_or_default();
        let of_var = |var| picked.iter().find(|(picked, _)| *picked == var).is_some_and(|(_, value)| *value);
        let bit = |cell: &crate::model::Cell| cell.value().or(cell.var().map(of_var)).unwrap_or(false);
        let (keys, bits) = (keys.into(), cells.iter().map(bit).collect());
        let witness = Witness { keys, bits, used: <_>::default() };
        self.body(&recipe, &witness, open);
        Ok(true)
    }

    /// Adds the tuples of a clause's atoms in a witness.
    fn body(&self, recipe: &Numbered, witness: &Witness, open: &mut Open) {
        for part in &recipe.body {
            let bits = part.bits(witness);
            if let Some(input) = part.input {
                open.facts.push(Fact { input, key: part.key(witness), bits });
                continue;
            }
            let used = witness.used.iter().find(|used| used.atom == part.atom);
            let entry = match used {
                Some(used) => Some(used.entry),
                None => self.store.tables[part.relation].find(&part.key(witness)).map(|entry| entry as u32),
            };
            // What an atom was joined with is in its table.
            let tuple = entry.map(|entry| Tuple { relation: part.relation, entry, bits });
            open.tuples.extend(tuple.map(|tuple| (tuple, used.map(|used| used.addition))));
        }
    }
}
