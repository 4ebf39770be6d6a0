//! Least fixed points of positive equations.
//!
//! Every addition to a relation is taken up once: it is joined, in every place where the relation is used, with
//! what is known of the others by then. Additions with small context numbers and early locations come first, so that
//! what belongs together is taken up together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::execute::Source;
use super::pattern::Value;
use super::recipe::Given;
use super::{Halt, Solver};
use crate::plan::Kind;
use crate::plan::clause::Planned;

/// What is to be taken up: the order it has, the relation, the entry.
type Item = Reverse<((u64, u32), Planned, usize)>;

/// Additions that have not been taken up.
#[derive(Default)]
struct Agenda {
    heap: BinaryHeap<Item>,
    waiting: FxHashMap<(Planned, usize), Vec<Value>>,
}

/// A place where a relation is used.
#[derive(Clone, Copy)]
struct Use {
    head: Planned,
    clause: usize,
    atom: usize,
}

impl Solver<'_> {
    /// Computes relations that depend on each other positively, with empty tables to start from.
    pub(super) fn saturate(&mut self, members: &[Planned]) -> Result<(), Halt> {
        let mut agenda = Agenda::default();
        let mut uses: Vec<Vec<Use>> = vec![Vec::new(); self.plan.relations.len()];
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                let within = content.atoms.iter().enumerate().filter(|(_, atom)| members.contains(&atom.relation));
                within.for_each(|(atom, used)| uses[used.relation].push(Use { head, clause, atom }));
            }
        }
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                if !content.atoms.iter().any(|atom| members.contains(&atom.relation)) {
                    self.take_up(head, clause, Given::Nothing, Source::Tables, &mut agenda)?;
                }
            }
        }
        while !self.has_enough()
            && let Some(Reverse((_, relation, entry))) = agenda.heap.pop()
        {
            self.tick()?;
            let Some(values) = agenda.waiting.remove(&(relation, entry)) else { continue };
            let key = self.store.tables[relation].entries[entry].key.clone();
            for value in self.gathered(values)? {
                for place in &uses[relation] {
                    let source = Source::First(&key, &value);
                    self.take_up(place.head, place.clause, Given::Atom(place.atom), source, &mut agenda)?;
                }
            }
        }
        Ok(())
    }

    fn has_enough(&self) -> bool {
        let Some(query) = self.plan.queries.first() else { return false };
        let all_keys = self.plan.relations[*query].columns.iter().all(|column| column.is_key);
        let found = self.store.tables[*query].entries.len();
        self.options.enough.is_some_and(|enough| all_keys && found >= enough)
    }

    /// Values of one pattern become one.
    fn gathered(&mut self, values: Vec<Value>) -> Result<Vec<Value>, Halt> {
        let mut gathered: Vec<Value> = Vec::new();
        for value in values {
            match gathered.iter_mut().find(|known| known.pattern == value.pattern) {
                Some(known) => {
                    let joined = known.diagram.or(&value.diagram);
                    known.diagram = joined.map_err(|stop| super::halt(stop, self.budget))?;
                }
                None => gathered.push(value),
            }
        }
        Ok(gathered)
    }

    fn take_up(
        &mut self,
        head: Planned,
        clause: usize,
        given: Given,
        source: Source<'_>,
        agenda: &mut Agenda,
    ) -> Result<(), Halt> {
        for (key, value) in self.run(head, clause, given, source)? {
            let order = self.order(head, &key);
            if let Some((entry, new)) = self.insert(head, key, value)? {
                let waiting = agenda.waiting.entry((head, entry)).or_default();
                if waiting.is_empty() {
                    agenda.heap.push(Reverse((order, head, entry)));
                }
                waiting.push(new);
            }
        }
        Ok(())
    }

    /// Views at once; then by the sum of the numbers in the key, then by the rank of its last listed value.
    fn order(&self, relation: Planned, key: &[u32]) -> (u64, u32) {
        let planned = &self.plan.relations[relation];
        if !matches!(planned.kind, Kind::Fixpoint(_)) {
            return (0, 0);
        }
        let (mut numbers, mut rank) = (1, 0);
        for (column, value) in planned.keys().zip(key) {
            let sort = planned.columns[column].sort;
            match self.ranks[sort.0 as usize].get(*value as usize) {
                Some(of_value) => rank = *of_value,
                None => numbers += u64::from(*value),
            }
        }
        (numbers, rank)
    }
}
