//! The graph of heads: locations with the sets of data that are found there, and images between them.

use std::rc::Rc;

use base::IdVec;
use bdd::{Bdd, Stop};
use encode::{Copy, Image};
use program::{EdgeKind, LocationId};

use super::{Acceptance, Recurrence};
use crate::summary::rings::Move;
use crate::summary::{Halt, Solver};

/// Sets of states at some locations, in ascending order of locations.
pub(super) type Sets = Vec<(LocationId, Bdd)>;

/// The graph of heads. In all of its sets `seen` is false: what was seen before does not count.
pub(super) struct Heads<'s, 'a> {
    pub(super) solver: &'s Solver<'a>,
    acceptance: Acceptance<'a>,
    /// The heads of each location.
    pub(super) sets: IdVec<LocationId, Bdd>,
    pub(super) edges: Vec<HeadEdge>,
    pub(super) outgoing: IdVec<LocationId, Vec<u32>>,
    pub(super) incoming: IdVec<LocationId, Vec<u32>>,
}

/// An edge between heads.
pub(super) struct HeadEdge {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    pub(super) moved: Move,
    pub(super) image: Rc<Image>,
}

impl<'s, 'a> Heads<'s, 'a> {
    pub(super) fn of(question: &Recurrence<'a>, solver: &'s Solver<'a>) -> Result<Self, Halt> {
        let n = question.program.locations.len();
        let nothing = solver.encoding.manager().bdd_false();
        let mut heads = Self {
            solver,
            acceptance: question.acceptance,
            sets: IdVec::filled(n, nothing),
            edges: Vec::new(),
            outgoing: IdVec::filled(n, Vec::new()),
            incoming: IdVec::filled(n, Vec::new()),
        };
        for location in question.program.locations.ids() {
            heads.sets[location] = heads.heads_at(location)?;
        }
        for location in question.program.locations.ids() {
            heads.add_edges(location)?;
        }
        Ok(heads)
    }

    /// What the path edges say about the present alone.
    fn heads_at(&self, location: LocationId) -> Result<Bdd, Halt> {
        let encoding = &self.solver.encoding;
        let path_edges = &self.solver.path_edges[location];
        if path_edges.is_false() || self.solver.is_exit[location] {
            return Ok(encoding.manager().bdd_false());
        }
        let procedure = encoding.program().locations[location].procedure;
        let entry = encoding.copies(encoding.entry_copied(procedure), Copy::Entry);
        Ok(self.unseen(location, &path_edges.exists(&encoding.manager().cube(&entry))?)?)
    }

    fn add_edges(&mut self, location: LocationId) -> Result<(), Halt> {
        let (solver, program) = (self.solver, self.solver.task.program);
        if self.sets[location].is_false() {
            return Ok(());
        }
        for edge in solver.graph.outgoing(location) {
            let target = program.edges[*edge].target;
            match &program.edges[*edge].kind {
                EdgeKind::Step(relation) => {
                    self.add(location, target, Move::Step(*edge), solver.encoding.step(*edge, relation)?);
                }
                EdgeKind::Call(call) => {
                    let images = solver.encoding.call(*edge, call)?;
                    self.add(location, call.entry, Move::Enter(*edge), Rc::new(images.entry().clone()));
                    let summary = &solver.summaries[call.callee].all;
                    if !summary.is_false() {
                        self.add(location, target, Move::Across(*edge), Rc::new(images.lift(summary)?));
                    }
                }
                EdgeKind::Spawn(_) => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, source: LocationId, target: LocationId, moved: Move, image: Rc<Image>) {
        if self.sets[target].is_false() {
            return;
        }
        let id = self.edges.len() as u32;
        self.edges.push(HeadEdge { source, target, moved, image });
        self.outgoing[source].push(id);
        self.incoming[target].push(id);
    }

    /// The part of a set in which nothing is claimed to have been seen.
    pub(super) fn unseen(&self, location: LocationId, set: &Bdd) -> Result<Bdd, Stop> {
        Ok(match self.seen(location, false)? {
            Some(unseen) => set.and(&unseen)?,
            None => set.clone(),
        })
    }

    fn seen(&self, location: LocationId, value: bool) -> Result<Option<Bdd>, Stop> {
        let Acceptance::Marked { seen, .. } = self.acceptance else { return Ok(None) };
        let encoding = &self.solver.encoding;
        let variable = seen[encoding.program().locations[location].procedure];
        let var = encoding.slots().vars(variable, Copy::Current).next();
        var.map(|var| encoding.manager().literal(var, value)).transpose()
    }

    /// The states before an edge from which it leads into a set.
    pub(super) fn before(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        self.unseen(edge.source, &edge.image.preimage(set)?)
    }

    /// The states after an edge from a set.
    pub(super) fn after(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        self.unseen(edge.target, &edge.image.apply(set)?)
    }

    /// The part of a set of states after an edge where taking the edge means that the mark was seen. After a call, the
    /// states claim to have seen it.
    pub(super) fn marked(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        let Acceptance::Marked { mark, .. } = self.acceptance else { return Ok(set.clone()) };
        let encoding = &self.solver.encoding;
        match (edge.moved, self.seen(edge.target, true)?) {
            (Move::Across(_), Some(seen)) => {
                let vars = seen.support();
                set.exists(&encoding.manager().cube(&vars))?.and(&seen)
            }
            _ => match encoding.slots().vars(mark, Copy::Current).next() {
                Some(var) => set.and(&encoding.manager().literal(var, true)?),
                None => Ok(encoding.manager().bdd_false()),
            },
        }
    }

    /// The states after an edge from a set where taking it means that the mark was seen, as states that claim nothing.
    pub(super) fn marked_after(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        let image = edge.image.apply(set)?;
        let image = match (edge.moved, self.seen(edge.target, true)?) {
            (Move::Across(_), Some(seen)) => image.and(&seen)?,
            _ => self.marked(edge, &image)?,
        };
        let Some(seen) = self.seen(edge.target, false)? else { return Ok(image) };
        let vars = seen.support();
        // A claim may be dropped at any time, so the states without it are there as well.
        image.exists(&self.solver.encoding.manager().cube(&vars))?.and(&seen)
    }

    /// Whether every edge counts.
    pub(super) fn accepts_always(&self) -> bool {
        matches!(self.acceptance, Acceptance::Always)
    }

    /// Locations that lie on common cycles of the graph, small components first: cycles in them are found soon. Or all
    /// locations as one.
    pub(super) fn components(&self, rough: bool) -> Vec<Vec<LocationId>> {
        if !rough {
            return vec![self.sets.ids().filter(|location| !self.sets[*location].is_false()).collect()];
        }
        let successor = |location: LocationId, at: usize| {
            self.outgoing[location].get(at).map(|edge| self.edges[*edge as usize].target)
        };
        let mut components = base::components(self.sets.len(), successor);
        let has_edge = |component: &Vec<LocationId>| {
            let to_itself = |edge: &u32| self.edges[*edge as usize].target == component[0];
            component.len() > 1 || self.outgoing[component[0]].iter().any(to_itself)
        };
        components.retain(has_edge);
        components.iter_mut().for_each(|component| component.sort_unstable());
        components.sort_by_key(Vec::len);
        components
    }

    /// Keeps of some sets what a run from the start reaches. For searches that did not begin with the reachable heads.
    pub(super) fn keep_reachable(&self, sets: &mut Sets) -> Result<(), Halt> {
        let Some((start, states)) = self.start()? else {
            sets.clear();
            return Ok(());
        };
        let reached = super::route::reach(self, start, &states)?;
        for (location, set) in sets.iter_mut() {
            *set = set.and(&reached[*location])?;
        }
        sets.retain(|(_, set)| !set.is_false());
        Ok(())
    }

    /// Where the program starts, and with what.
    pub(super) fn start(&self) -> Result<Option<(LocationId, Bdd)>, Halt> {
        let (encoding, start) = (&self.solver.encoding, self.solver.start);
        let Some(entry) = encoding.program().procedures[start].entries.first().copied() else { return Ok(None) };
        let states = self.unseen(entry, &encoding.start_states(start)?)?;
        Ok(Some((entry, states)))
    }
}
