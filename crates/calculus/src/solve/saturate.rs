//! Least fixed points of positive equations.
//!
//! Every addition to a relation is taken up once: it is joined, in every place where the relation is used, with
//! what is known of the others by then. Additions with small context numbers and early locations come first, so that
//! what belongs together is taken up together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use smallvec::SmallVec;

use super::execute::{Numbered, Source};
use super::pattern::Value;
use super::recipe::{Given, Recipe, Step};
use super::table::{Key, Reason};
use super::{Halt, Solver};
use crate::plan::clause::{Arg, Planned};
use crate::plan::{Control, Kind, Plan};

/// What is to be taken up: the order it has, the relation, the entry.
type Item = Reverse<((u64, u32), Planned, usize)>;

/// What was added and has not been taken up.
type Waiting = SmallVec<[Value; 1]>;

/// Entries with additions that have not been taken up.
#[derive(Default)]
struct Agenda {
    heap: BinaryHeap<Item>,
    /// By relation and entry: how many additions have been taken up, and where those are that have not.
    states: Vec<Vec<State>>,
    /// Room for what waits, and which of it is free.
    rooms: Vec<Waiting>,
    free: Vec<u32>,
}

/// How far an entry has been taken up.
#[derive(Clone, Copy, Default)]
struct State {
    n_taken_up: u32,
    /// The room of what waits, plus 1; 0: nothing does.
    room: u32,
}

impl Agenda {
    fn state(&mut self, relation: Planned, entry: usize) -> &mut State {
        let states = &mut self.states[relation];
        if entry >= states.len() {
            states.resize(entry + 1, State::default());
        }
        &mut states[entry]
    }

    /// What waits of an entry; with nothing in it if nothing did.
    fn waiting(&mut self, relation: Planned, entry: usize) -> &mut Waiting {
        let room = match self.state(relation, entry).room {
            0 => {
                let room = self.free.pop().unwrap_or(self.rooms.len() as u32);
                if room as usize == self.rooms.len() {
                    self.rooms.push(Waiting::new());
                }
                self.state(relation, entry).room = room + 1;
                room
            }
            known => known - 1,
        };
        &mut self.rooms[room as usize]
    }

    /// Takes what waits of an entry that has `n` additions by now; also, from which of them on it was taken up last.
    fn take(&mut self, relation: Planned, entry: usize, n: u32) -> (Waiting, u32) {
        let waiting = std::mem::take(self.waiting(relation, entry));
        let state = self.state(relation, entry);
        let State { n_taken_up, room } = std::mem::replace(state, State { n_taken_up: n, room: 0 });
        self.free.push(room - 1);
        (waiting, n_taken_up)
    }
}

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

/// The places where a relation is used.
#[derive(Default)]
struct Uses {
    list: Vec<Use>,
    /// The position in the key that decides, together with inputs alone, about the places of `decided`.
    position: usize,
    decided: u64,
    /// By the value at that position: the places among those decided about that it can lead on from, once that has been
    /// looked up.
    leading: Vec<u64>,
}

impl Uses {
    /// Says that a value has been looked up.
    const KNOWN: u64 = 1 << 63;
    /// Larger values are looked up every time.
    const SMALL: usize = 1 << 20;

    /// Finds out which places an input decides about.
    fn new(plan: &Plan, list: Vec<Use>) -> Self {
        let position = |place: &Use| {
            let next = place.next.as_ref()?;
            let is_input = matches!(plan.relations[next.relation].kind, Kind::Input(_));
            match next.parts.as_slice() {
                [Part::Position(position)] if is_input => Some(*position),
                _ => None,
            }
        };
        let Some(first) = list.iter().find_map(position) else { return Self { list, ..Self::default() } };
        let places = list.iter().enumerate().filter(|(at, place)| *at < 63 && position(place) == Some(first));
        let decided = places.map(|(at, _)| 1 << at).sum();
        Self { list, position: first, decided, leading: Vec::new() }
    }

    /// What inputs alone decide about the places for an addition.
    fn decided(&mut self, key: &Key, can_lead_on: impl Fn(&Use) -> bool) -> Decided {
        let value = key.get(self.position).map_or(usize::MAX, |value| *value as usize);
        if self.decided == 0 || value >= Self::SMALL {
            return Decided { about: 0, leading: 0 };
        }
        if value >= self.leading.len() {
            self.leading.resize(value + 1, 0);
        }
        if self.leading[value] == 0 {
            let leads = |at: &usize| self.decided >> at & 1 == 1 && can_lead_on(&self.list[*at]);
            let places: u64 = (0..self.list.len().min(63)).filter(leads).map(|at| 1 << at).sum();
            self.leading[value] = places | Self::KNOWN;
        }
        Decided { about: self.decided, leading: self.leading[value] }
    }
}

/// Which places inputs decide about, and which of these an addition can lead on from.
#[derive(Clone, Copy)]
struct Decided {
    about: u64,
    leading: u64,
}

impl Decided {
    /// Whether an addition can lead on from a place; none: that is not decided by inputs.
    fn leads(self, at: usize) -> Option<bool> {
        let is_in = |places: u64| places.unbounded_shr(at as u32) & 1 == 1;
        is_in(self.about).then_some(is_in(self.leading))
    }
}

impl Solver<'_> {
    /// Computes relations that depend on each other positively, with empty tables to start from.
    pub(super) fn saturate(&mut self, members: &[Planned]) -> Result<(), Halt> {
        let states = self.plan.relations.iter().map(|_| Vec::new()).collect();
        let mut agenda = Agenda { states, ..Agenda::default() };
        let mut uses: Vec<Vec<Use>> = self.plan.relations.iter().map(|_| Vec::new()).collect();
        for head in members.iter().copied() {
            for (clause, content) in self.plan.relations[head].clauses.iter().enumerate() {
                let within = content.atoms.iter().enumerate().filter(|(_, atom)| members.contains(&atom.relation));
                for (atom, used) in within {
                    let recipe = self.recipe(head, clause, Given::Atom(atom));
                    let next = Use::next(self.plan, &recipe.recipe);
                    self.store.make_indices(&recipe.recipe);
                    uses[used.relation].push(Use { head, clause, atom, recipe, next });
                }
            }
        }
        let mut uses: Vec<Uses> = uses.into_iter().map(|list| Uses::new(self.plan, list)).collect();
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
            && let Some(Reverse((_, relation, entry))) = agenda.heap.pop()
        {
            self.tick()?;
            let table = &self.store.tables[relation];
            let (key, n_additions) = (Key::from_slice(&table.entries[entry].key), table.history(entry).len() as u32);
            let (values, n_taken_up) = agenda.take(relation, entry, n_additions);
            let additions = (n_taken_up, n_additions);
            let uses = &mut uses[relation];
            let decided = uses.decided(&key, |place| self.can_lead_on(place, &key));
            for value in &values {
                for (at, place) in uses.list.iter().enumerate() {
                    if decided.leads(at).unwrap_or_else(|| self.can_lead_on(place, &key)) {
                        let (clause, atom, entry) = (place.clause as u32, place.atom as u32, entry as u32);
                        let reason = Reason { clause, atom, entry, additions };
                        self.take_up(place, Source::First(&key, value), Some(reason), &mut agenda)?;
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
        reason: Option<Reason>,
        agenda: &mut Agenda,
    ) -> Result<(), Halt> {
        let head = place.head;
        let mut found = self.run(head, place.clause, &place.recipe, source)?;
        for (key, value) in found.drain(..) {
            let Some((entry, new)) = self.insert(head, &key, &value, reason)? else { continue };
            let waiting = agenda.waiting(head, entry);
            if waiting.is_empty() {
                waiting.push(new);
                agenda.heap.push(Reverse((self.order(head, &key), head, entry)));
                continue;
            }
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
