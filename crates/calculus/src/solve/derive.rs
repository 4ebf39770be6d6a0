//! How a tuple came about: the facts about the model that it rests on.
//!
//! What was added to a relation has a stamp, and was found from what was added earlier. So a tuple is traced back to
//! tuples with earlier stamps, by the clause that gave it, until only inputs are left.

use bdd::{Stop, Var};
use rustc_hash::FxHashSet;

use super::answers::literals;
use super::execute::{Goal, Source, Witness};
use super::pattern::Value;
use super::recipe::{Given, Recipe};
use super::{Halt, Solver, halt};
use crate::plan::Kind;
use crate::plan::clause::{Arg, Planned};

/// A tuple of an input relation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The input, by its position in the signature.
    pub input: usize,
    /// The values of its columns of listed sorts, in order.
    pub key: Vec<u32>,
    /// The bits of its other columns, in order.
    pub bits: Vec<bool>,
}

/// A tuple of any relation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tuple {
    relation: Planned,
    key: Vec<u32>,
    bits: Vec<bool>,
}

impl Solver<'_> {
    /// The facts that a solution of a query rests on: one with the given listed values. Needs
    /// [`super::Options::history`].
    pub fn derive(&mut self, query: usize, values: &[u32]) -> Result<Vec<Fact>, Halt> {
        let relation = self.plan.queries[query];
        let root = self.root(relation, values).map_err(|stop| halt(stop, self.budget))?;
        let Some(root) = root else { return Ok(Vec::new()) };
        let mut seen: FxHashSet<Tuple> = FxHashSet::default();
        let (mut facts, mut open) = (Vec::new(), vec![root]);
        while let Some(tuple) = open.pop() {
            if !seen.insert(tuple.clone()) {
                continue;
            }
            self.tick()?;
            if let Kind::Input(input) = self.plan.relations[tuple.relation].kind {
                facts.push(self.fact(input, &tuple));
            } else {
                open.extend(self.reasons(&tuple).map_err(|stop| halt(stop, self.budget))?);
            }
        }
        Ok(facts)
    }

    /// A tuple of an input, whatever was a key.
    fn fact(&self, input: usize, tuple: &Tuple) -> Fact {
        let (mut key, mut bits) = (tuple.key.iter(), tuple.bits.iter().copied());
        let mut fact = Fact { input, key: Vec::new(), bits: Vec::new() };
        for column in &self.plan.relations[tuple.relation].columns {
            let sort = &self.plan.sorts[column.sort];
            if column.is_key {
                fact.key.extend(key.next());
            } else if sort.model.is_some() && sort.size.is_some() {
                let value = bits.by_ref().take(sort.width).enumerate();
                fact.key.push(value.map(|(at, bit)| u32::from(bit) << at).sum());
            } else {
                fact.bits.extend(bits.by_ref().take(sort.width));
            }
        }
        fact
    }

    /// The solution with the given listed values that was found first.
    fn root(&self, relation: Planned, values: &[u32]) -> Result<Option<Tuple>, Stop> {
        let (mut values, mut key, mut fixed) = (values.iter().peekable(), Vec::new(), Vec::new());
        for (at, column) in self.plan.relations[relation].columns.iter().enumerate() {
            if column.is_key {
                key.extend(values.next().copied());
            } else if let Some(value) = values.next_if(|_| column.is_listed) {
                fixed.extend(literals(&self.store.space.stored(self.plan, relation, at), *value));
            }
        }
        let table = &self.store.tables[relation];
        let Some(entry) = table.find(&key) else { return Ok(None) };
        for (_, value) in &table.entries[entry].history {
            let whole = self.store.whole(relation, value)?.and(&self.store.manager.conjunction(&fixed)?)?;
            if let Some(picked) = whole.pick() {
                let bit = |var: &Var| picked.contains(&(*var, true));
                let bits = self.store.stored[relation].iter().map(bit).collect();
                return Ok(Some(Tuple { relation, key, bits }));
            }
        }
        Ok(None)
    }

    fn contains(&self, value: &Value, bits: &[bool]) -> bool {
        let cells = self.store.patterns.cells(value.pattern);
        let mut of_var = rustc_hash::FxHashMap::default();
        let agree = cells.iter().zip(bits).all(|(cell, bit)| match (cell.value(), cell.var()) {
            (Some(value), _) => value == *bit,
            (_, Some(var)) => *of_var.entry(var).or_insert(*bit) == *bit,
            _ => true,
        });
        agree && value.diagram.eval(&|var| of_var.get(&var).copied().unwrap_or(false))
    }

    /// The tuples that a clause found this one from.
    fn reasons(&mut self, tuple: &Tuple) -> Result<Vec<Tuple>, Stop> {
        let table = &self.store.tables[tuple.relation];
        let entry = table.find(&tuple.key).map(|entry| &table.entries[entry]);
        let added = entry.and_then(|entry| entry.history.iter().find(|(_, value)| self.contains(value, &tuple.bits)));
        let stamp = added.map_or(u64::MAX, |(stamp, _)| *stamp);
        for clause in 0..self.plan.relations[tuple.relation].clauses.len() {
            let recipe = self.recipe(tuple.relation, clause, Given::Head);
            let mut found = None;
            let (source, goal) = (Source::Before(stamp), Goal::One(&mut found));
            self.carry_out(&recipe, source, goal, |execution| execution.run_from_head(&tuple.key, &tuple.bits))?;
            if let Some(witness) = found {
                return Ok(self.body(&recipe.recipe, &witness));
            }
        }
        Ok(Vec::new())
    }

    /// The tuples of a clause's atoms in a witness.
    fn body(&self, recipe: &Recipe, witness: &Witness) -> Vec<Tuple> {
        let clause = &self.plan.relations[recipe.relation].clauses[recipe.clause];
        let cells = self.store.patterns.cells(witness.partial.pattern);
        let picked = witness.partial.diagram.pick().unwrap_or_default();
        let of_var = |var| picked.iter().find(|(picked, _)| *picked == var).is_some_and(|(_, value)| *value);
        let bit = |bit: usize| cells[bit].value().or(cells[bit].var().map(of_var)).unwrap_or(false);
        let tuple = |atom: &crate::plan::clause::Atom| {
            let (mut key, mut bits) = (Vec::new(), Vec::new());
            for (column, arg) in self.plan.relations[atom.relation].columns.iter().zip(&atom.args) {
                let width = self.plan.sorts[column.sort].width;
                match *arg {
                    Arg::Value(value) if column.is_key => key.push(value as u32),
                    Arg::Variable(variable) if column.is_key => key.push(witness.keys[variable]),
                    Arg::Value(value) => bits.extend((0..width).map(|at| value >> at & 1 == 1)),
                    Arg::Variable(variable) => {
                        let start = recipe.bits[variable].unwrap_or(0);
                        bits.extend((start..start + width).map(bit));
                    }
                }
            }
            Tuple { relation: atom.relation, key, bits }
        };
        clause.atoms.iter().filter(|atom| !atom.negated).map(tuple).collect()
    }
}
