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
use super::recipe::{Given, Recipe};
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
    relation: u32,
    /// The entry of its key.
    entry: u32,
    bits: Packed,
}

impl Tuple {
    fn new(relation: Planned, entry: usize, bits: Packed) -> Self {
        Self { relation: relation as u32, entry: entry as u32, bits }
    }

    fn relation(&self) -> Planned {
        self.relation as Planned
    }
}

/// What a tuple has been traced back to.
struct Open<'t> {
    /// Each with the one of its entry's additions that it is in, if that is known.
    tuples: Vec<(Tuple, Option<u32>)>,
    /// Who takes the facts: there are many, and they are not kept here.
    take: &'t mut dyn FnMut(Fact) -> Result<(), Halt>,
    /// Recipes whose tables have the indices that they need.
    indexed: FxHashSet<u32>,
}

impl Solver<'_> {
    /// Gives away the facts that a solution of a query rests on: one with the given listed values. A fact may come more
    /// than once. Needs [`super::Options::history`].
    pub fn derive(
        &mut self,
        query: usize,
        values: &[u32],
        take: &mut dyn FnMut(Fact) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let relation = self.plan.queries[query];
        let root = self.root(relation, values).map_err(|stop| halt(stop, self.budget))?;
        let Some(root) = root else { return Ok(()) };
        let mut seen: FxHashSet<Tuple> = FxHashSet::default();
        let mut open = Open { tuples: vec![(root, None)], take, indexed: FxHashSet::default() };
        while let Some((tuple, addition)) = open.tuples.pop() {
            if seen.insert(tuple.clone()) {
                self.budget.step().map_err(Halt::Limit)?;
                self.reasons(&tuple, addition, &mut open)?;
            }
        }
        Ok(())
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
        for number in table.history(entry) {
            let added = &table.additions[*number as usize].value;
            let whole = self.store.whole(relation, added)?.and(&self.store.manager.conjunction(&fixed)?)?;
            if let Some(picked) = whole.pick() {
                let bit = |var: &Var| picked.contains(&(*var, true));
                let bits = self.store.stored[relation].iter().map(bit).collect();
                return Ok(Some(Tuple::new(relation, entry, bits)));
            }
        }
        Ok(None)
    }

    /// Which of an entry's additions a tuple is in.
    fn addition(&mut self, tuple: &Tuple) -> Option<u32> {
        let table = &self.store.tables[tuple.relation()];
        let mut history = table.history(tuple.entry as usize).iter();
        let cells = |value: &Value| self.store.patterns.cells(value.pattern);
        let is_in = |value: &Value| {
            let reading = Reading::new(&cells(value), (0..tuple.bits.len()).map(Meaning::Bit));
            reading.contains(&value.diagram, &tuple.bits)
        };
        history.position(|number| is_in(&table.additions[*number as usize].value)).map(|at| at as u32)
    }

    /// Adds the tuples that a clause found this one from.
    fn reasons(&mut self, tuple: &Tuple, addition: Option<u32>, open: &mut Open<'_>) -> Result<(), Halt> {
        let addition = addition.or_else(|| self.addition(tuple));
        let table = &self.store.tables[tuple.relation()];
        let added = addition.and_then(|addition| table.addition(tuple.entry as usize, addition as usize));
        let stamp = added.map_or(u64::MAX, |added| added.stamp);
        if let Some(reason) = added.and_then(|added| added.reason)
            && self.reason(tuple, reason.clause as usize, stamp, Some(&reason), open)?
        {
            return Ok(());
        }
        for clause in 0..self.plan.relations[tuple.relation()].clauses.len() {
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
        open: &mut Open<'_>,
    ) -> Result<bool, Halt> {
        let given = reason.map_or(Given::Head, |reason| Given::HeadAnd(reason.atom as usize));
        let recipe = self.recipe(tuple.relation(), clause, given);
        if !Search::can_follow(&recipe) {
            return self.reason_by_joins(tuple, clause, stamp, open);
        }
        if open.indexed.insert(recipe.number) {
            self.prepare(&recipe.recipe).map_err(|stop| halt(stop, self.budget))?;
        }
        let Self { store, readings, unions, budget, .. } = self;
        let key = &store.tables[tuple.relation()].entries[tuple.entry as usize].key;
        let found = Search::new(store, (readings, unions), &recipe, stamp, reason, budget).run(key, &tuple.bits)?;
        let Some(witness) = found else { return Ok(false) };
        self.body(&recipe, &witness, open)?;
        Ok(true)
    }

    /// Makes what looking up a clause's atoms needs.
    fn prepare(&mut self, recipe: &Recipe) -> Result<(), Stop> {
        self.store.make_indices(recipe);
        let clause = &self.plan.relations[recipe.relation].clauses[recipe.clause];
        let atoms = clause.atoms.iter().filter(|atom| !atom.negated);
        atoms.map(|atom| atom.relation).try_for_each(|used| unions::make(&mut self.unions, &mut self.store, used))
    }

    /// The same by diagrams, for clauses with conditions that only these know.
    fn reason_by_joins(&mut self, tuple: &Tuple, clause: usize, stamp: u64, open: &mut Open<'_>) -> Result<bool, Halt> {
        let recipe = self.recipe(tuple.relation(), clause, Given::Head);
        self.store.manager.collect_if_needed();
        let bits: Vec<bool> = tuple.bits.iter().collect();
        let key = Key::from_slice(&self.store.tables[tuple.relation()].entries[tuple.entry as usize].key);
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
        self.body(&recipe, &witness, open)?;
        Ok(true)
    }

    /// Adds the tuples of a clause's atoms in a witness.
    fn body(&self, recipe: &Numbered, witness: &Witness, open: &mut Open<'_>) -> Result<(), Halt> {
        for part in &recipe.body {
            let bits = part.bits(witness);
            if let Some(input) = part.input {
                (open.take)(Fact { input, key: part.key(witness), bits })?;
                continue;
            }
            let used = witness.used.iter().find(|used| used.atom == part.atom);
            let entry = match used {
                Some(used) => Some(used.entry as usize),
                None => self.store.tables[part.relation].find(&part.key(witness)),
            };
            // What an atom was joined with is in its table.
            let tuple = entry.map(|entry| Tuple::new(part.relation, entry, bits));
            open.tuples.extend(tuple.map(|tuple| (tuple, used.map(|used| used.addition))));
        }
        Ok(())
    }
}
