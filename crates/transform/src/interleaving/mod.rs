//! All interleavings of threads that do not recurse, as one sequential program without calls.
//!
//! Calls are unfolded, so that a thread is at one of finitely many places (`unfold`): a place is a location together with
//! the calls that wait. The program has one procedure with a location `run`, from which every move of every thread leads
//! back to it; where a thread is, its private variables and its frames are shared variables. The frames of a thread at the
//! same depth share variables by sort, since they are never there at the same time, and hold the smallest values while
//! there is no frame.
//!
//! So an engine for sequential programs answers questions about all runs, without a bound, and its certificate is an
//! invariant of the global states. The result is a new program, whose parts have nothing to do with the numbers of the
//! original, but for the shared variables, which come first in the same order.

mod back;
mod build;
mod frames;
mod unfold;

use std::sync::Arc;

use base::{Context, IdVec};
use program::{EdgeId, EdgeKind, LocationId, ProcedureId, Program, Scope, Trace, Unsupported, VariableId};

use self::frames::Actor;
use self::unfold::Unfolded;
use crate::rewriting::{BackError, Certified, Refused, Rewriting, Rewritten, Subject};

/// Makes threads that do not recurse one sequential program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleave;

impl Rewriting for Interleave {
    fn name(&self) -> &'static str {
        "interleaving"
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        let unfolded = unfolded(&subject.program)?;
        let interleaving = build::build(&subject.program, &subject.targets, unfolded);
        subject.program = Arc::clone(&interleaving.program);
        subject.targets.clone_from(&interleaving.goals);
        subject.lengths.clear();
        Ok(Some(Box::new(interleaving)))
    }
}

/// The way back from a program whose runs are the interleavings of the threads of another.
#[derive(Clone, Debug)]
struct Interleaving {
    original: Arc<Program>,
    program: Arc<Program>,
    targets: Vec<LocationId>,
    /// For each target of the original, in their order: the location that is reached if and only if the target is.
    goals: Vec<LocationId>,
    /// By edge of the program.
    origins: IdVec<EdgeId, Origin>,
    /// The threads, then `init` if there is one.
    actors: Vec<Actor>,
    /// The shared variables of the original, and the variables that stand for them.
    shared: Vec<(VariableId, VariableId)>,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// A move of an actor, between frames of unfolded procedures.
    Move {
        actor: usize,
        kind: MoveKind,
        edge: EdgeId,
        /// The frame in which it begins, and the one in which it ends.
        from: usize,
        to: usize,
    },
    /// A target is reached by an actor.
    Arrive(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MoveKind {
    Step,
    Enter,
    Leave,
}

/// Most places of all threads together.
const MAX_PLACES: usize = 20_000;

impl Rewritten for Interleaving {
    fn target_back(&self, location: LocationId) -> LocationId {
        crate::edit::target_of(&self.goals, &self.targets, location)
    }

    fn trace_back(&self, trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        Ok(self.of_threads(&trace)?)
    }

    /// An invariant of the global states says nothing about single threads.
    fn certificate_back(&self, certified: Certified) -> Option<Certified> {
        let about = certified.about.or_else(|| Some(Arc::clone(&self.program)));
        Some(Certified { about, ..certified })
    }
}

/// Says what in a program is beyond interleavings, when it gets this many slots for threads that it starts.
pub fn supports(program: &Program, n_slots: usize) -> Result<(), Unsupported> {
    check(program)?;
    let mut n_places = 0;
    let mut unfold = |start: ProcedureId, entry: Option<LocationId>, times: usize| {
        let places = unfold::unfold(program, start, entry, MAX_PLACES.saturating_sub(n_places), n_slots > 0)?;
        n_places += times * (places.places.len() + 2 * places.n_spawns);
        if n_places > MAX_PLACES { Err(Unsupported::ManyPlaces) } else { Ok(()) }
    };
    for start in starts(program) {
        unfold(start, program.procedures[start].entries.first().copied(), 1)?;
    }
    let mut seen = Vec::new();
    // A slot may be any of the threads that are started.
    for edge in program.edges.iter().filter(|_| n_slots > 0) {
        if let EdgeKind::Spawn(spawn) = &edge.kind
            && !seen.contains(&(spawn.callee, spawn.entry))
        {
            seen.push((spawn.callee, spawn.entry));
            unfold(spawn.callee, Some(spawn.entry), n_slots)?;
        }
    }
    Ok(())
}

/// The threads, then `init`.
fn starts(program: &Program) -> impl Iterator<Item = ProcedureId> {
    program.threads.iter().map(|thread| thread.start).chain(program.init)
}

fn unfolded(program: &Program) -> Result<Vec<Unfolded>, Unsupported> {
    if program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_))) {
        return Err(Unsupported::StartedThreads);
    }
    check(program)?;
    let mut unfolded = Vec::new();
    let mut n_places = 0;
    for start in starts(program) {
        let entry = program.procedures[start].entries.first().copied();
        let thread = unfold::unfold(program, start, entry, MAX_PLACES.saturating_sub(n_places), false)?;
        n_places += thread.places.len();
        unfolded.push(thread);
    }
    Ok(unfolded)
}

fn check(program: &Program) -> Result<(), Unsupported> {
    let is_local = |variable: VariableId| matches!(program.variables[variable].scope, Scope::Local(_));
    if program.start.reads().into_iter().any(|(variable, _)| is_local(variable)) {
        return Err(Unsupported::FrameCondition);
    }
    if crate::sequentialize::init_uses_private(program) {
        return Err(Unsupported::InitWithPrivate);
    }
    Ok(())
}
