//! Control points: what formulae call locations.
//!
//! A point is a location, seen with what a formula could not tell from the location alone:
//! - whether a caller holds an atomic section, in which case the thread cannot be interrupted here either;
//! - which of several calls of a location is made, and what it saves, where it sets that;
//! - that the program, or a thread, has not begun yet.

use std::num::NonZeroU32;

use base::{Id, IdVec};
use program::{EdgeId, EdgeKind, LocationId, ProcedureId, Program};
use rustc_hash::FxHashMap;

use super::saved::saved;

/// A control point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// At a location; the flag: some caller holds an atomic section.
    At(LocationId, bool),
    /// At the source of a call, having chosen this one of several, or what it saves.
    Calling(EdgeId, bool),
    /// Before the first location of a thread.
    Before(ProcedureId),
}

/// The number of a point, plus 1.
type PointNumber = NonZeroU32;

/// All control points of a program.
#[derive(Clone, Debug)]
pub struct Points {
    list: Vec<Point>,
    /// By location, without and with a caller that holds an atomic section: the number, if there is such a point.
    at: IdVec<LocationId, [Option<PointNumber>; 2]>,
    /// All others.
    others: FxHashMap<Point, PointNumber>,
    /// Which procedures run without and with a caller that holds an atomic section.
    contexts: IdVec<ProcedureId, [bool; 2]>,
    /// Calls that share their source with others, or set what they save.
    ambiguous: IdVec<EdgeId, bool>,
}

impl Points {
    pub(crate) fn of(program: &Program, starts: &[ProcedureId]) -> Self {
        let mut points = Self {
            list: Vec::new(),
            at: IdVec::filled(program.locations.len(), [None; 2]),
            others: FxHashMap::default(),
            contexts: contexts(program, starts),
            ambiguous: ambiguous(program),
        };
        for (id, location) in program.locations.iter_ids() {
            for held in [false, true] {
                if points.contexts[location.procedure][usize::from(held)] {
                    points.add(Point::At(id, held));
                }
            }
        }
        for (id, edge) in program.edges.iter_ids().filter(|(id, _)| points.ambiguous[*id]).collect::<Vec<_>>() {
            for held in points.held(program, edge.source) {
                points.add(Point::Calling(id, held));
            }
        }
        for start in starts {
            points.add(Point::Before(*start));
        }
        points
    }

    /// Whether this is a control point of the program.
    pub(super) fn has(&self, point: Point) -> bool {
        self.find(point).is_some()
    }

    fn find(&self, point: Point) -> Option<PointNumber> {
        match point {
            Point::At(location, held) => self.at[location][usize::from(held)],
            Point::Calling(..) | Point::Before(_) => self.others.get(&point).copied(),
        }
    }

    fn add(&mut self, point: Point) {
        if self.has(point) {
            return;
        }
        self.list.push(point);
        let number = PointNumber::new(self.list.len() as u32);
        match point {
            Point::At(location, held) => self.at[location][usize::from(held)] = number,
            Point::Calling(..) | Point::Before(_) => self.others.extend(number.map(|number| (point, number))),
        }
    }

    /// The points in order of their numbers.
    #[must_use]
    pub fn list(&self) -> &[Point] {
        &self.list
    }

    /// The number of a point that exists.
    pub(crate) fn number(&self, point: Point) -> u32 {
        let number = self.find(point);
        assert!(number.is_some(), "a point that exists has a number");
        number.map_or(0, |number| number.get() - 1)
    }

    /// Whether callers of a location's procedure may or may not hold an atomic section, as far as both occur.
    pub(crate) fn held(&self, program: &Program, location: LocationId) -> impl Iterator<Item = bool> + use<> {
        let contexts = self.contexts[program.locations[location].procedure];
        [false, true].into_iter().filter(move |held| contexts[usize::from(*held)])
    }

    /// The point at which a call is made.
    pub(crate) fn call_site(&self, program: &Program, edge: EdgeId, held: bool) -> Point {
        if self.ambiguous[edge] { Point::Calling(edge, held) } else { Point::At(program.edges[edge].source, held) }
    }
}

fn contexts(program: &Program, starts: &[ProcedureId]) -> IdVec<ProcedureId, [bool; 2]> {
    let mut calls: IdVec<ProcedureId, Vec<(ProcedureId, bool)>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind {
            let source = &program.locations[edge.source];
            calls[source.procedure].push((call.callee, source.atomic));
        }
    }
    let mut contexts = IdVec::filled(program.procedures.len(), [false; 2]);
    let mut open: Vec<(ProcedureId, bool)> = starts.iter().map(|start| (*start, false)).collect();
    while let Some((procedure, held)) = open.pop() {
        if !std::mem::replace(&mut contexts[procedure][usize::from(held)], true) {
            open.extend(calls[procedure].iter().map(|(callee, atomic)| (*callee, held || *atomic)));
        }
    }
    contexts
}

fn ambiguous(program: &Program) -> IdVec<EdgeId, bool> {
    let mut n_calls: FxHashMap<LocationId, u32> = FxHashMap::default();
    let is_call = |edge: &&program::Edge| matches!(edge.kind, EdgeKind::Call(_));
    program.edges.iter().filter(is_call).for_each(|edge| *n_calls.entry(edge.source).or_default() += 1);
    let several = |edge: &program::Edge| match &edge.kind {
        EdgeKind::Call(call) => n_calls[&edge.source] > 1 || !saved(call).is_empty(),
        EdgeKind::Step(_) | EdgeKind::Spawn(_) => false,
    };
    let mut ambiguous = IdVec::filled(program.edges.len(), false);
    for (at, edge) in program.edges.iter().enumerate() {
        ambiguous[EdgeId::from_index(at)] = several(edge);
    }
    ambiguous
}
