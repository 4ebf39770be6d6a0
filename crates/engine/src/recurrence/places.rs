//! The question as one about locations: is there a run that comes to some of them again and again?
//!
//! A location that an edge of the automaton leads to gets two before it: one that looks whether the mark is set, and one
//! that is passed only then. Steps that are possible only where the program cannot go on get that as their guard. So the
//! formula `recurrence` answers it, with no code in common with the search for cycles.

use base::{IdVec, StopReason};
use bdd::Stop;
use encode::Encoding;
use program::{EdgeKind, Expr, Graph, Location, LocationId, Program, Relation, Role, VariableId};

use super::{Acceptance, Recurrence};
use crate::Context;
use crate::condition::condition;
use crate::formula::{ALGORITHMS, Formula, Found};
use crate::halt::Halt;
use crate::problem::manager;

/// Largest guard that is written out.
const MAX_SIZE: usize = 1 << 14;

/// Whether there is a run, by the formula `recurrence`; without evidence.
pub fn by_formula(question: &Recurrence<'_>, context: &Context<'_>) -> Result<bool, StopReason> {
    let mut program = question.program.clone();
    guard_stutters(question, &mut program, context).map_err(|halt| halt.reason(context))?;
    let targets = match question.acceptance {
        Acceptance::Always => program.locations.ids().collect(),
        Acceptance::Marked { mark, .. } => add_places(&mut program, mark),
    };
    let text = ALGORITHMS.iter().find(|(name, _)| *name == "recurrence").map_or("", |(_, text)| text);
    let formula =
        Formula::parse("recurrence.fp", text).unwrap_or_else(|_| unreachable!("the file that ships is right"));
    let answered = formula.answer_all(&program, &targets, None, 0, context);
    let answered = answered.unwrap_or_else(|_| unreachable!("the file fits every program with one thread"));
    let recurs = answered.queries.iter().find(|query| query.name == "recurs");
    match (recurs.map(|query| &query.found), answered.stopped) {
        (Some(Found::Closed(recurs)), None) => Ok(*recurs),
        (_, stopped) => Err(stopped.unwrap_or(StopReason::Cancelled)),
    }
}

/// Puts the two locations before every one that an edge of the automaton leads to; returns those that are passed when the
/// mark is set.
fn add_places(program: &mut Program, mark: VariableId) -> Vec<LocationId> {
    let mut gates: IdVec<LocationId, Option<LocationId>> = IdVec::filled(program.locations.len(), None);
    let mut places = Vec::new();
    // Only the edges that are there now.
    for id in program.edges.ids().collect::<Vec<_>>() {
        // Going on after a call reads nothing.
        let to = match &program.edges[id].kind {
            EdgeKind::Step(_) => program.edges[id].target,
            EdgeKind::Call(call) => call.entry,
            EdgeKind::Spawn(_) => continue,
        };
        let gate = match gates[to] {
            Some(gate) => gate,
            None => add_gate(program, to, mark, &mut places),
        };
        gates[to] = Some(gate);
        match &mut program.edges[id].kind {
            EdgeKind::Call(call) => call.entry = gate,
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => program.edges[id].target = gate,
        }
    }
    places
}

fn add_gate(program: &mut Program, to: LocationId, mark: VariableId, places: &mut Vec<LocationId>) -> LocationId {
    let procedure = program.locations[to].procedure;
    let place = Location { procedure, labels: Vec::new(), role: Role::Plain, atomic: false };
    let [gate, marked] = [0, 1].map(|_| program.locations.push(place.clone()));
    program.procedures[procedure].locations.extend([gate, marked]);
    if program.procedures[procedure].entries.contains(&to) {
        program.procedures[procedure].entries.push(gate);
    }
    let when = |guard: Expr| EdgeKind::Step(Relation { guard, ..Relation::identity() });
    let is_set = Expr::before(mark);
    for (source, target, kind) in [
        (gate, marked, when(is_set.clone())),
        (gate, to, when(is_set.not())),
        (marked, to, EdgeKind::Step(Relation::identity())),
    ] {
        program.edges.push(program::Edge { source, target, kind });
    }
    places.push(marked);
    gate
}

/// Steps that are possible only where no edge of the program is.
fn guard_stutters(question: &Recurrence<'_>, program: &mut Program, context: &Context<'_>) -> Result<(), Halt> {
    let plain = question.plain;
    let graph = Graph::of(plain);
    let encoding = Encoding::new(plain, manager(plain, context));
    for stutter in question.stutters {
        let source = program.edges[*stutter].source;
        let mut stuck = encoding.manager().bdd_true();
        for edge in graph.outgoing(source) {
            stuck = stuck.diff(&encoding.enabled(*edge, &plain.edges[*edge].kind)?)?;
        }
        let procedure = plain.locations[source].procedure;
        let guard = condition(&encoding, encoding.in_scope(procedure), &stuck, MAX_SIZE);
        let guard = guard.ok_or(Halt::Diagram(Stop::OutOfNodes))?;
        if let EdgeKind::Step(relation) = &mut program.edges[*stutter].kind {
            // Beside what the automaton reads.
            relation.guard = std::mem::replace(&mut relation.guard, Expr::TRUE).and(guard);
        }
    }
    Ok(())
}
