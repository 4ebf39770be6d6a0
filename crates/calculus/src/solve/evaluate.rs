//! The operational semantics: to evaluate R, start from the empty relation (or the full one), and in each round
//! evaluate the others afresh under the current value of R, then the body, until nothing changes.
//!
//! Getafix, section 3. Where all equations of a component are least and positive, this is the least fixed point,
//! which `saturate` finds faster; what does not depend on a relation that is being evaluated is evaluated once.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::execute::Source;
use super::pattern::Value;
use super::profile::{RoundCost, n_nodes};
use super::recipe::Given;
use super::table::{Key, Table};
use super::{Halt, Solver, halt};
use crate::plan::clause::Planned;
use crate::plan::{Component, Components, Kind, Plan};
use crate::system::Fixpoint;

/// Most keys of a full relation.
const MAX_KEYS: u64 = 1 << 20;

impl Solver<'_> {
    /// Puts the values of relations into their tables, given the values of those that are known.
    ///
    /// Each is computed as if it were alone. What has been computed for one of them is known while the others are
    /// computed, and no longer, unless nothing is being iterated.
    pub(super) fn evaluate(&mut self, wanted: &[Planned]) -> Result<(), Halt> {
        let components = Components::of(self.plan, wanted, &|relation| self.known[relation]);
        let mut found = Vec::new();
        for component in &components.list {
            if component.members.iter().any(|member| self.known[*member]) {
                continue;
            }
            let members = if !component.is_recursive {
                self.once(component.members[0])?;
                component.members.clone()
            } else if self.is_least(component) && !self.options.literal {
                self.least(&component.members)?
            } else {
                let asked = asked(self.plan, component, &components, wanted);
                self.each(&asked)?;
                asked
            };
            members.iter().for_each(|member| self.known[*member] = true);
            found.extend(members);
        }
        if self.depth > 0 {
            found.into_iter().for_each(|relation| self.known[relation] = false);
        }
        Ok(())
    }

    fn is_least(&self, component: &Component) -> bool {
        let is_other = |member: &Planned| {
            matches!(self.plan.relations[*member].kind, Kind::Fixpoint(Fixpoint::Greatest) | Kind::Cofactor(..))
        };
        component.is_positive && !component.members.iter().any(is_other)
    }

    /// The least fixed point of a positive component; also answers the queries that only wait for it.
    fn least(&mut self, members: &[Planned]) -> Result<Vec<Planned>, Halt> {
        let mut members = members.to_vec();
        if self.depth == 0 {
            members.extend(self.followers(&members));
        }
        members.iter().for_each(|member| self.store.tables[*member] = Table::default());
        self.saturate(&members)?;
        Ok(members)
    }

    /// Queries that can be answered as the members grow.
    fn followers(&self, members: &[Planned]) -> Vec<Planned> {
        let follows = |query: &Planned| {
            let uses = crate::plan::uses(self.plan, *query);
            let is_ready =
                |(used, positive): &(Planned, bool)| self.known[*used] || (*positive && members.contains(used));
            !members.contains(query) && !self.known[*query] && uses.iter().all(is_ready)
        };
        self.wanted.iter().copied().filter(follows).collect()
    }

    /// Evaluates relations of one component, each as a root of its own.
    fn each(&mut self, relations: &[Planned]) -> Result<(), Halt> {
        let mut tables = Vec::with_capacity(relations.len());
        for relation in relations {
            self.iterate(*relation)?;
            tables.push(std::mem::take(&mut self.store.tables[*relation]));
        }
        for (relation, table) in relations.iter().zip(tables) {
            self.store.tables[*relation] = table;
        }
        Ok(())
    }

    fn others(&self, relation: Planned) -> Vec<Planned> {
        let mut others: Vec<Planned> = crate::plan::uses(self.plan, relation).into_iter().map(|used| used.0).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|other| *other != relation);
        others
    }

    /// The paper's loop.
    fn iterate(&mut self, root: Planned) -> Result<(), Halt> {
        let others = self.others(root);
        self.depth += 1;
        let mut current = match self.plan.relations[root].kind {
            Kind::Fixpoint(Fixpoint::Least) => Table::default(),
            Kind::Fixpoint(Fixpoint::Greatest) => self.full(root)?,
            // A view is not an equation: what it uses is evaluated, and then it is.
            Kind::Input(_) | Kind::View | Kind::Cofactor(..) | Kind::Unused => {
                self.evaluate(&others)?;
                self.depth -= 1;
                return self.once(root);
            }
        };
        // Brent's method: an earlier value to compare with, replaced at every power of two.
        let (mut earlier, mut earlier_round) = (current.clone(), 0);
        for round in 1.. {
            self.tick()?;
            self.rounds[root] += 1;
            let started = Instant::now();
            self.store.tables[root] = current.clone();
            self.known[root] = true;
            self.evaluate(&others)?;
            self.known[root] = false;
            self.once(root)?;
            let next = std::mem::take(&mut self.store.tables[root]);
            self.note_round(root, &next, started);
            if self.same(root, &next, &current)? {
                break;
            }
            if self.same(root, &next, &earlier)? {
                return Err(Halt::Oscillates { relation: self.name(root), from: earlier_round, to: round });
            }
            if round.is_power_of_two() {
                (earlier, earlier_round) = (next.clone(), round);
            }
            current = next;
        }
        self.depth -= 1;
        self.store.tables[root] = current;
        Ok(())
    }

    /// Keeps what a round of a relation that is asked for itself cost. Those of the others begin anew in every round.
    fn note_round(&mut self, root: Planned, value: &Table, started: Instant) {
        if self.options.profile && self.depth == 1 {
            let (n_entries, n_nodes) = (value.entries.len(), n_nodes(value));
            let cost = RoundCost { n_entries, n_nodes, time: started.elapsed() };
            self.round_costs.entry(root).or_default().push(cost);
        }
    }

    fn same(&self, relation: Planned, a: &Table, b: &Table) -> Result<bool, Halt> {
        self.store.same(relation, a, b).map_err(|stop| halt(stop, self.budget))
    }

    /// Replaces a relation's table by the value of its body.
    fn once(&mut self, relation: Planned) -> Result<(), Halt> {
        self.tick()?;
        if let Kind::Cofactor(function, care) = self.plan.relations[relation].kind {
            return self.cofactor(relation, function, care);
        }
        let mut found = Vec::new();
        for clause in 0..self.plan.relations[relation].clauses.len() {
            let recipe = self.recipe(relation, clause, Given::Nothing);
            found.extend(self.run(relation, clause, &recipe, Source::Tables)?);
        }
        self.store.tables[relation] = Table::default();
        for (key, values) in by_key(found) {
            let value = self.united(relation, values)?;
            self.insert(relation, &key, &value, None)?;
        }
        Ok(())
    }

    /// The union of values, neighbours first: a long list then meets small diagrams, not one that grows.
    fn united(&mut self, relation: Planned, mut values: Vec<Value>) -> Result<Value, Halt> {
        while values.len() > 1 {
            let mut next = Vec::with_capacity(values.len().div_ceil(2));
            for pair in values.chunks(2) {
                next.push(match pair {
                    [a, b] => {
                        let manager = self.store.manager.clone();
                        let united = manager.retrying(|| self.store.unite(relation, a, b));
                        united.map_err(|stop| halt(stop, self.budget))?
                    }
                    rest => rest[0].clone(),
                });
            }
            values = next;
        }
        Ok(values.swap_remove(0))
    }

    fn cofactor(&mut self, relation: Planned, function: Planned, care: Planned) -> Result<(), Halt> {
        self.store.tables[relation] = Table::default();
        let budget = self.budget;
        let stop = |stop| halt(stop, budget);
        for entry in self.store.tables[function].entries.clone() {
            let Some(other) = self.store.tables[care].find(&entry.key) else { continue };
            let value = self.store.whole(function, &entry.value).map_err(stop)?;
            let other = &self.store.tables[care].entries[other].value.clone();
            let constrained = value.constrain(&self.store.whole(care, other).map_err(stop)?).map_err(stop)?;
            // Outside of the care set anything goes, but not values that the sorts do not have.
            let diagram = constrained.and(&self.in_range(relation)?).map_err(stop)?;
            let pattern = self.store.open_pattern(relation);
            self.insert(relation, &entry.key, &Value { pattern, diagram }, None)?;
        }
        Ok(())
    }

    /// All tuples.
    fn full(&mut self, relation: Planned) -> Result<Table, Halt> {
        let planned = &self.plan.relations[relation];
        let sizes: Vec<u64> = planned.keys().map(|column| self.plan.size(planned.columns[column].sort)).collect();
        let n_keys = sizes.iter().try_fold(1u64, |n, size| n.checked_mul(*size)).filter(|n| *n <= MAX_KEYS);
        let Some(n_keys) = n_keys else { return Err(Halt::TooManyKeys { relation: self.name(relation) }) };
        let pattern = self.store.open_pattern(relation);
        let diagram = self.in_range(relation)?;
        let mut table = Table::default();
        for number in 0..n_keys {
            let mut rest = number;
            let digit = |size: &u64| {
                let value = rest % size;
                rest /= size;
                value as u32
            };
            let key: Key = sizes.iter().map(digit).collect();
            table.push(key, Value { pattern, diagram: diagram.clone() });
        }
        Ok(table)
    }

    /// The bits of every column stand for values of its sort.
    fn in_range(&self, relation: Planned) -> Result<bdd::Bdd, Halt> {
        let planned = &self.plan.relations[relation];
        let mut result = Ok(self.store.manager.bdd_true());
        for (at, column) in planned.columns.iter().enumerate().filter(|(_, column)| !column.is_key) {
            let sort = &self.plan.sorts[column.sort];
            let Some(size) = sort.size.filter(|size| *size < 1 << sort.width) else { continue };
            let bits = self.store.space.stored(self.plan, relation, at);
            let below = super::space::below(&self.store.manager, &bits, size);
            result = result.and_then(|known| known.and(&below?));
        }
        result.map_err(|stop| halt(stop, self.budget))
    }
}

/// What a body gave, by key, in the order in which keys came.
fn by_key(found: Vec<(Key, Value)>) -> Vec<(Key, Vec<Value>)> {
    let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
    let mut list: Vec<(Key, Vec<Value>)> = Vec::new();
    for (key, value) in found {
        let number = *numbers.entry(key.clone()).or_insert(list.len());
        if number == list.len() {
            list.push((key, Vec::new()));
        }
        list[number].1.push(value);
    }
    list
}

/// The members of a component that others need.
fn asked(plan: &Plan, component: &Component, all: &Components, wanted: &[Planned]) -> Vec<Planned> {
    let outside = all.list.iter().flat_map(|other| &other.members).filter(|user| !component.members.contains(user));
    let uses = outside.flat_map(|user| crate::plan::uses(plan, *user)).map(|(used, _)| used);
    let needed: Vec<Planned> = uses.chain(wanted.iter().copied()).collect();
    component.members.iter().copied().filter(|member| needed.contains(member)).collect()
}
