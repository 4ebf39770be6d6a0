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
//! original, but for the shared variables, which come first in the same order. [`Interleaving::trace_back`] turns its
//! traces into ones of the original.

mod back;
mod build;
mod frames;
mod unfold;

use base::IdVec;
use program::{EdgeId, EdgeKind, LocationId, Program, Scope, VariableId};

use self::frames::Actor;

/// A program whose runs are the interleavings of the threads of another.
#[derive(Clone, Debug)]
pub struct Interleaving {
    /// The program.
    pub program: Program,
    /// For each target of the original, in their order: the location that is reached if and only if the target is.
    pub goals: Vec<LocationId>,
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

/// The interleavings; or what in the original is beyond them, as a noun phrase.
pub fn interleaving(program: &Program, targets: &[LocationId]) -> Result<Interleaving, String> {
    check(program)?;
    let starts = program.threads.iter().map(|thread| thread.start).chain(program.init);
    let mut unfolded = Vec::new();
    let mut n_places = 0;
    for start in starts {
        let thread = unfold::unfold(program, start, MAX_PLACES.saturating_sub(n_places))?;
        n_places += thread.places.len();
        unfolded.push(thread);
    }
    Ok(build::build(program, targets, unfolded))
}

fn check(program: &Program) -> Result<(), String> {
    if program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_))) {
        return Err("programs that start threads".to_owned());
    }
    let is_local = |variable: VariableId| matches!(program.variables[variable].scope, Scope::Local(_));
    if program.start.reads().into_iter().any(|(variable, _)| is_local(variable)) {
        return Err("a start condition on the first frame".to_owned());
    }
    if crate::sequentialize::init_uses_private(program) {
        return Err("an init procedure with private variables".to_owned());
    }
    Ok(())
}
