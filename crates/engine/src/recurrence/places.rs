//! The question as one about locations: is there a run that comes to some of them again and again?
//!
//! A location that an edge of the automaton leads to gets two before it: one that looks whether the mark is set, and one
//! that is passed only then. Steps that are possible only where the program cannot go on get that as their guard. So the
//! formula `recurrence` answers it, with no code in common with the search for cycles.

use base::{IdVec, StopReason};
use bdd::{Bdd, Interrupt, Manager, Stop, Var};
use encode::{Copy, Encoding};
use program::{EdgeKind, Expr, Graph, Location, LocationId, Program, Relation, Role, VariableId};
use rustc_hash::FxHashMap;

use super::{Acceptance, Recurrence};
use crate::Context;
use crate::formula::{ALGORITHMS, Formula, Found};
use crate::init::bit_is_set;
use crate::summary::{Halt, manager_config};

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
    let manager = Manager::new(&manager_config(plain, context));
    manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
    let encoding = Encoding::new(plain, &graph, manager);
    for stutter in question.stutters {
        let source = program.edges[*stutter].source;
        let mut stuck = encoding.manager().bdd_true();
        for edge in graph.outgoing(source) {
            stuck = stuck.diff(&encoding.enabled(*edge, &plain.edges[*edge].kind)?)?;
        }
        let procedure = plain.locations[source].procedure;
        let mut bit_of: FxHashMap<Var, (VariableId, usize)> = FxHashMap::default();
        for variable in encoding.in_scope(procedure) {
            let vars = encoding.slots().vars(variable, Copy::Current);
            bit_of.extend(vars.enumerate().map(|(bit, var)| (var, (variable, bit))));
        }
        let guard = written(plain, &bit_of, &stuck, &mut 0).ok_or(Halt::Diagram(Stop::OutOfNodes))?;
        if let EdgeKind::Step(relation) = &mut program.edges[*stutter].kind {
            // Beside what the automaton reads.
            relation.guard = std::mem::replace(&mut relation.guard, Expr::TRUE).and(guard);
        }
    }
    Ok(())
}

/// A set of states as a condition; none: it is too large. Recursion is as deep as there are bits.
fn written(
    program: &Program,
    bit_of: &FxHashMap<Var, (VariableId, usize)>,
    set: &Bdd,
    size: &mut usize,
) -> Option<Expr> {
    *size += 1;
    if *size > MAX_SIZE {
        return None;
    }
    let Some((var, low, high)) = set.branches() else { return Some(Expr::bool(set.is_true())) };
    let (variable, bit) = bit_of.get(&var)?;
    let (low, high) = (written(program, bit_of, &low, size)?, written(program, bit_of, &high, size)?);
    Some(Expr::Ite(Box::new(bit_is_set(program, *variable, *bit)), Box::new(high), Box::new(low)))
}
