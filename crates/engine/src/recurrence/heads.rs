//! The graph of heads: locations with the sets of data that are found there, and images between them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use base::IdVec;
use bdd::{Bdd, Stop};
use encode::{Copy, Image};
use program::{EdgeKind, LocationId, ProcedureId};

use super::careful::Careful;
use super::{Acceptance, Recurrence};
use crate::evidence::rings::Move;
use crate::halt::Halt;
use crate::problem::Problem;
use crate::summary::Solver;

/// Sets of states at some locations, in ascending order of locations.
pub(super) type Sets = Vec<(LocationId, Bdd)>;

/// The graph of heads. In all of its sets `seen` is false: what was seen before does not count.
pub(super) struct Heads<'s, 'a> {
    pub(super) problem: &'s Problem<'a>,
    pub(super) path_edges: &'s IdVec<LocationId, Bdd>,
    summaries: &'s IdVec<ProcedureId, Bdd>,
    /// No run calls and calls for ever.
    recursion_ends: bool,
    acceptance: Acceptance<'a>,
    /// Whether some of its heads may be out of reach.
    may_be_unreachable: bool,
    /// What a run from the start reaches, if somebody asked.
    reached: OnceCell<IdVec<LocationId, Bdd>>,
    /// The heads of each location, where somebody asked for them.
    sets: RefCell<IdVec<LocationId, Option<Bdd>>>,
    pub(super) edges: Vec<HeadEdge>,
    pub(super) outgoing: IdVec<LocationId, Vec<u32>>,
    pub(super) incoming: IdVec<LocationId, Vec<u32>>,
}

/// An edge between heads.
pub(super) struct HeadEdge {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    pub(super) moved: Move,
    /// What taking it does, if somebody asked.
    image: OnceCell<Rc<Image>>,
}

impl<'s, 'a> Heads<'s, 'a> {
    pub(super) fn of(question: &Recurrence<'a>, solver: &'s Solver<'a, Careful>, only_reachable: bool) -> Self {
        let n = question.program.locations.len();
        let mut heads = Self {
            problem: &solver.problem,
            path_edges: &solver.path_edges,
            summaries: &solver.summaries,
            recursion_ends: solver.calls.recursion_ends(),
            acceptance: question.acceptance,
            may_be_unreachable: !only_reachable,
            reached: OnceCell::new(),
            sets: RefCell::new(IdVec::filled(n, None)),
            edges: Vec::new(),
            outgoing: IdVec::filled(n, Vec::new()),
            incoming: IdVec::filled(n, Vec::new()),
        };
        question.program.locations.ids().for_each(|location| heads.add_edges(location));
        heads
    }

    /// Whether there are heads at a location.
    fn has_heads(&self, location: LocationId) -> bool {
        !self.path_edges[location].is_false() && !self.problem.is_exit[location]
    }

    /// The heads of a location.
    pub(super) fn set(&self, location: LocationId) -> Result<Bdd, Halt> {
        if let Some(set) = &self.sets.borrow()[location] {
            return Ok(set.clone());
        }
        let set = self.heads_at(location)?;
        self.sets.borrow_mut()[location] = Some(set.clone());
        Ok(set)
    }

    /// The heads of all locations.
    pub(super) fn all_sets(&self) -> Result<IdVec<LocationId, Bdd>, Halt> {
        self.path_edges.ids().map(|location| self.set(location)).collect()
    }

    /// For each location nothing.
    pub(super) fn no_sets(&self) -> IdVec<LocationId, Bdd> {
        IdVec::filled(self.path_edges.len(), self.problem.encoding.manager().bdd_false())
    }

    /// What the path edges say about the present alone.
    fn heads_at(&self, location: LocationId) -> Result<Bdd, Halt> {
        let encoding = &self.problem.encoding;
        let path_edges = &self.path_edges[location];
        if !self.has_heads(location) {
            return Ok(encoding.manager().bdd_false());
        }
        let procedure = encoding.program().locations[location].procedure;
        let entry = encoding.copies(encoding.entry_copied(procedure), Copy::Entry);
        Ok(self.unseen(location, &path_edges.exists(&encoding.manager().cube(&entry))?)?)
    }

    fn add_edges(&mut self, location: LocationId) {
        let (problem, program) = (self.problem, self.problem.task.program);
        if !self.has_heads(location) {
            return;
        }
        for edge in problem.graph.outgoing(location) {
            let target = program.edges[*edge].target;
            match &program.edges[*edge].kind {
                EdgeKind::Step(_) => self.add(location, target, Move::Step(*edge)),
                EdgeKind::Call(call) => {
                    self.add(location, call.entry, Move::Enter(*edge));
                    if !self.summaries[call.callee].is_false() {
                        self.add(location, target, Move::Across(*edge));
                    }
                }
                EdgeKind::Spawn(_) => {}
            }
        }
    }

    fn add(&mut self, source: LocationId, target: LocationId, moved: Move) {
        if !self.has_heads(target) {
            return;
        }
        let id = self.edges.len() as u32;
        self.edges.push(HeadEdge { source, target, moved, image: OnceCell::new() });
        self.outgoing[source].push(id);
        self.incoming[target].push(id);
    }

    /// What taking an edge does.
    pub(super) fn image(&self, edge: &HeadEdge) -> Result<Rc<Image>, Stop> {
        if let Some(image) = edge.image.get() {
            return Ok(Rc::clone(image));
        }
        let (Move::Step(id) | Move::Enter(id) | Move::Across(id)) = edge.moved;
        let encoding = &self.problem.encoding;
        let image = match (&encoding.program().edges[id].kind, edge.moved) {
            (EdgeKind::Step(relation), _) => encoding.step(id, relation)?,
            (EdgeKind::Call(call), Move::Across(_)) => {
                Rc::new(encoding.call(id, call)?.lift(&self.summaries[call.callee])?)
            }
            (EdgeKind::Call(call), _) => Rc::new(encoding.call(id, call)?.entry().clone()),
            (EdgeKind::Spawn(_), _) => unreachable!("edges of heads are steps and calls"),
        };
        Ok(Rc::clone(edge.image.get_or_init(|| image)))
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
        let encoding = &self.problem.encoding;
        let variable = seen[encoding.program().locations[location].procedure];
        let var = encoding.slots().vars(variable, Copy::Current).next();
        var.map(|var| encoding.manager().literal(var, value)).transpose()
    }

    /// The states before an edge from which it leads into a set.
    pub(super) fn before(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        self.unseen(edge.source, &self.image(edge)?.preimage(set)?)
    }

    /// The states after an edge from a set.
    pub(super) fn after(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        self.unseen(edge.target, &self.image(edge)?.apply(set)?)
    }

    /// The part of a set of states after an edge where taking the edge means that the mark was seen. After a call, the
    /// states claim to have seen it.
    pub(super) fn marked(&self, edge: &HeadEdge, set: &Bdd) -> Result<Bdd, Stop> {
        let Acceptance::Marked { mark, .. } = self.acceptance else { return Ok(set.clone()) };
        let encoding = &self.problem.encoding;
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
        let image = self.image(edge)?.apply(set)?;
        let image = match (edge.moved, self.seen(edge.target, true)?) {
            (Move::Across(_), Some(seen)) => image.and(&seen)?,
            _ => self.marked(edge, &image)?,
        };
        let Some(seen) = self.seen(edge.target, false)? else { return Ok(image) };
        let vars = seen.support();
        // A claim may be dropped at any time, so the states without it are there as well.
        image.exists(&self.problem.encoding.manager().cube(&vars))?.and(&seen)
    }

    /// Whether every edge counts.
    pub(super) fn accepts_always(&self) -> bool {
        matches!(self.acceptance, Acceptance::Always)
    }

    /// Locations that lie on common cycles of the graph, small components first: cycles in them are found soon. Or all
    /// locations as one.
    ///
    /// Where all recursion comes to an end, no cycle enters a call.
    pub(super) fn components(&self, rough: bool) -> Vec<Vec<LocationId>> {
        let locations = self.path_edges.ids();
        if !rough {
            return vec![locations.filter(|location| self.has_heads(*location)).collect()];
        }
        let may_repeat = |edge: &HeadEdge| !(self.recursion_ends && matches!(edge.moved, Move::Enter(_)));
        let successors: IdVec<LocationId, Vec<LocationId>> = locations
            .map(|location| {
                let edges = self.outgoing[location].iter().map(|edge| &self.edges[*edge as usize]);
                edges.filter(|edge| may_repeat(edge)).map(|edge| edge.target).collect()
            })
            .collect();
        let successor = |location: LocationId, at: usize| successors[location].get(at).copied();
        let mut components = base::components(successors.len(), successor);
        components.retain(|component| component.len() > 1 || successors[component[0]].contains(&component[0]));
        components.iter_mut().for_each(|component| component.sort_unstable());
        components.sort_by_key(Vec::len);
        components
    }

    /// Keeps of some sets what a run from the start reaches, where that is not all.
    pub(super) fn keep_reachable(&self, sets: &mut Sets) -> Result<(), Halt> {
        if self.may_be_unreachable && !sets.is_empty() {
            let reached = self.reached()?;
            for (location, set) in sets.iter_mut() {
                *set = set.and(&reached[*location])?;
            }
        }
        sets.retain(|(_, set)| !set.is_false());
        Ok(())
    }

    fn reached(&self) -> Result<&IdVec<LocationId, Bdd>, Halt> {
        if let Some(reached) = self.reached.get() {
            return Ok(reached);
        }
        let reached = match self.start()? {
            Some((start, states)) => super::route::reach(self, start, &states)?,
            None => self.no_sets(),
        };
        Ok(self.reached.get_or_init(|| reached))
    }

    /// Where the program starts, and with what.
    pub(super) fn start(&self) -> Result<Option<(LocationId, Bdd)>, Halt> {
        let (encoding, start) = (&self.problem.encoding, self.problem.start);
        let Some(entry) = encoding.program().procedures[start].entries.first().copied() else { return Ok(None) };
        let states = self.unseen(entry, &encoding.start_states(start)?)?;
        Ok(Some((entry, states)))
    }
}
