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
use super::table::{Key, Reason};
use super::{Halt, Solver};
use crate::plan::clause::{Arg, Planned};
use crate::plan::{Control, Kind, Plan};

/// What is to be taken up: the order it has, the relation, the entry.
type Item = Reverse<((u64, u32), Planned, usize)>;

/// Entries with additions that have not been taken up.
type Agenda = BinaryHeap<Item>;

/// A place where a relation is used.
struct Use {
    head: Planned,
    clause: usize,
    /// Which atom of the clause it is.
    atom: usize,
    /// What to do with an addition to that place.
    recipe: Rc<Numbered>,
    next: Option<Next>,
}

/// What is looked up next.
struct Next {
    relation: Planned,
    columns: Vec<usize>,
    parts: Vec<Part>,
}

/// A part of the key that is looked up next.
#[derive(Clone, Copy)]
enum Part {
    /// A position in the addition's key.
    Position(usize),
    Value(u32),
}

impl Use {
    /// The second step of a recipe, if the addition alone decides what it looks up.
    fn next(plan: &Plan, recipe: &Recipe) -> Option<Next> {
        let [Step::Join(first), Step::Join(second), ..] = recipe.steps.as_slice() else { return None };
        let position = |(_, arg): &(usize, Arg)| match arg {
            Arg::Value(value) => Some(Part::Value(*value as u32)),
            Arg::Variable(variable) => {
                first.bind.iter().find(|(_, bound)| bound == variable).map(|(position, _)| Part::Position(*position))
            }
        };
        let parts: Option<Vec<Part>> = second.known.iter().map(position).collect();
        let relation = plan.relations[recipe.relation].clauses[recipe.clause].atoms[second.atom].relation;
        Some(Next { relation, columns: second.columns.clone(), parts: parts? })
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
                    if let Some(Next { relation, columns, .. }) = &next {
                        self.store.tables[*relation].make_index(columns);
                    }
                    uses[used.relation].push(Use { head, clause, atom, recipe, next });
                }
            }
        }
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                if !content.atoms.iter().any(|atom| members.contains(&atom.relation)) {
                    let recipe = self.recipe(head, clause, Given::Nothing);
                    let place = Use { head, clause, atom: 0, recipe, next: None };
                    self.take_up(&place, Source::Tables, None, &mut agenda)?;
                }
            }
        }
        while !self.has_enough()
            && let Some(Reverse((_, relation, entry))) = agenda.pop()
        {
            self.tick()?;
            let content = &mut self.store.tables[relation].entries[entry];
            let (key, values) = (Key::from_slice(&content.key), std::mem::take(&mut content.waiting));
            let n_additions = content.history.len() as u32;
            let additions = (std::mem::replace(&mut content.n_taken_up, n_additions), n_additions);
            for value in &values {
                for place in &uses[relation] {
                    if self.can_lead_on(place, &key) {
                        let (clause, atom, entry) = (place.clause as u32, place.atom as u32, entry as u32);
                        let reason = Reason { clause, atom, entry, additions };
                        self.take_up(place, Source::First(&key, value), Some(&reason), &mut agenda)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether every query that is asked has as many entries as are enough, or all that it can have.
    fn has_enough(&self) -> bool {
        let Some(enough) = self.options.enough else { return false };
        let has_enough = |query: &Planned| {
            let columns = &self.plan.relations[*query].columns;
            let sizes = columns.iter().map(|column| self.plan.size(column.sort));
            let most = sizes.fold(1u64, u64::saturating_mul).min(enough as u64);
            columns.iter().all(|column| column.is_key) && self.store.tables[*query].entries.len() as u64 >= most
        };
        !self.wanted.is_empty() && self.wanted.iter().all(has_enough)
    }

    /// Whether what is looked up next is there at all: most additions concern few of the places.
    fn can_lead_on(&self, place: &Use, key: &Key) -> bool {
        let Some(Next { relation, columns, parts }) = &place.next else { return true };
        let value = |part: &Part| match part {
            Part::Position(position) => key[*position],
            Part::Value(value) => *value,
        };
        !self.store.tables[*relation].matching(columns, parts.iter().map(value)).is_empty()
    }

    fn take_up(
        &mut self,
        place: &Use,
        source: Source<'_>,
        reason: Option<&Reason>,
        agenda: &mut Agenda,
    ) -> Result<(), Halt> {
        let head = place.head;
        let mut found = self.run(head, place.clause, &place.recipe, source)?;
        for (key, value) in found.drain(..) {
            let Some((entry, new)) = self.insert(head, &key, &value, reason)? else { continue };
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
        if self.plan.control == Control::Symbolic {
            // Without keys all additions are alike: breadth first, so that they are few and large.
            return (1 + self.steps, 0);
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
