//! Least fixed points of positive equations.
//!
//! Every addition to a relation is taken up once: it is joined, in every place where the relation is used, with
//! what is known of the others by then. Additions with small context numbers and early locations come first, so that
//! what belongs together is taken up together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use super::execute::{Numbered, Source};
use super::recipe::{Given, Recipe, Step};
use super::table::Key;
use super::{Halt, Solver};
use crate::plan::clause::{Arg, Planned};
use crate::plan::{Kind, Plan};

/// What is to be taken up: the order it has, the relation, the entry.
type Item = Reverse<((u64, u32), Planned, usize)>;

/// Entries with additions that have not been taken up.
type Agenda = BinaryHeap<Item>;

/// A place where a relation is used.
struct Use {
    head: Planned,
    clause: usize,
    /// What to do with an addition to that place.
    recipe: Rc<Numbered>,
    /// What is looked up next, and the parts of its key: positions in the addition's key, or values.
    next: Option<(Planned, Vec<usize>, Vec<Result<usize, u32>>)>,
}

impl Use {
    /// The second step of a recipe, if the addition alone decides what it looks up.
    fn next(plan: &Plan, recipe: &Recipe) -> Option<(Planned, Vec<usize>, Vec<Result<usize, u32>>)> {
        let [Step::Join(first), Step::Join(second), ..] = recipe.steps.as_slice() else { return None };
        let position = |(_, arg): &(usize, Arg)| match arg {
            Arg::Value(value) => Some(Err(*value as u32)),
            Arg::Variable(variable) => {
                first.bind.iter().find(|(_, bound)| bound == variable).map(|(position, _)| Ok(*position))
            }
        };
        let parts: Option<Vec<Result<usize, u32>>> = second.known.iter().map(position).collect();
        let relation = plan.relations[recipe.relation].clauses[recipe.clause].atoms[second.atom].relation;
        Some((relation, second.columns.clone(), parts?))
    }
}

impl Solver<'_> {
    /// Computes relations that depend on each other positively, with empty tables to start from.
    pub(super) fn saturate(&mut self, members: &[Planned]) -> Result<(), Halt> {
        let mut agenda = Agenda::default();
        let mut uses: Vec<Vec<Use>> = self.plan.relations.iter().map(|_| Vec::new()).collect();
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                let within = content.atoms.iter().enumerate().filter(|(_, atom)| members.contains(&atom.relation));
                for (atom, used) in within {
                    let recipe = self.recipe(head, clause, Given::Atom(atom));
                    let next = Use::next(self.plan, &recipe.recipe);
                    if let Some((relation, columns, _)) = &next {
                        self.store.tables[*relation].make_index(columns);
                    }
                    uses[used.relation].push(Use { head, clause, recipe, next });
                }
            }
        }
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                if !content.atoms.iter().any(|atom| members.contains(&atom.relation)) {
                    let recipe = self.recipe(head, clause, Given::Nothing);
                    self.take_up(&Use { head, clause, recipe, next: None }, Source::Tables, &mut agenda)?;
                }
            }
        }
        while !self.has_enough()
            && let Some(Reverse((_, relation, entry))) = agenda.pop()
        {
            self.tick()?;
            let entry = &mut self.store.tables[relation].entries[entry];
            let (key, values) = (entry.key.clone(), std::mem::take(&mut entry.waiting));
            for value in &values {
                for place in &uses[relation] {
                    if self.can_lead_on(place, &key) {
                        self.take_up(place, Source::First(&key, value), &mut agenda)?;
                    }
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

    /// Whether what is looked up next is there at all: most additions concern few of the places.
    fn can_lead_on(&self, place: &Use, key: &Key) -> bool {
        let Some((relation, columns, parts)) = &place.next else { return true };
        let part: Key = parts.iter().map(|part| part.map_or_else(|value| value, |position| key[position])).collect();
        !self.store.tables[*relation].matching(columns, &part).is_empty()
    }

    fn take_up(&mut self, place: &Use, source: Source<'_>, agenda: &mut Agenda) -> Result<(), Halt> {
        let head = place.head;
        let mut found = self.run(head, place.clause, &place.recipe, source)?;
        for (key, value) in found.drain(..) {
            let Some((entry, new)) = self.insert(head, &key, &value)? else { continue };
            let waiting = &mut self.store.tables[head].entries[entry].waiting;
            if waiting.is_empty() {
                agenda.push(Reverse((self.order(head, &key), head, entry)));
            }
            let waiting = &mut self.store.tables[head].entries[entry].waiting;
            match waiting.iter_mut().find(|known| known.pattern == new.pattern) {
                Some(known) => {
                    let joined = known.diagram.or(&new.diagram);
                    known.diagram = joined.map_err(|stop| super::halt(stop, self.budget))?;
                }
                None => waiting.push(new),
            }
        }
        self.found = found;
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
