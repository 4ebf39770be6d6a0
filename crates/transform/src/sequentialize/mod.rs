//! Sequentialization: the runs of a program with threads, up to a bound, as the runs of a sequential program.
//!
//! Lal and Reps, Reducing concurrent analysis under a context bound to sequential analysis (CAV 2008). A run is cut into
//! *rounds*; with a bound on context switches a round belongs to one thread, with a bound on rounds all threads have a turn
//! in it. There is a copy of the shared variables for each round. The values with which rounds begin are guessed; then the
//! threads run one after the other, each through all of its rounds, on the copies; at the end the guesses are compared
//! with what the rounds before have left.
//!
//! The sequential program has the procedures of the threads and one that calls them. In addition to what it does in the
//! original, a thread may
//! - *advance* to a later round, wherever it may be interrupted;
//! - be *dropped* there: its stack is unwound, since `over` makes every call return;
//! - *arrive* at a target: that is noted in `target`, and the thread is dropped.
//!
//! Changes that only a thread itself sees can wait for its next round, so threads advance and are dropped only right after
//! they have touched what others see, or left an atomic section (`points`).
//!
//! The parts of the program keep their numbers, new ones come after them. On the way back the moves of a sequential run are
//! sorted by rounds and threads.

mod back;
mod edges;
mod points;
mod rounds;
mod schedule;

use std::sync::Arc;

use base::{Context, IdVec};
use program::{
    Bound, EdgeId, EdgeKind, Expr, Location, LocationId, ProcedureId, Program, Role, Scope, Trace, Unsupported,
    VariableId,
};

use self::rounds::Rounds;
use crate::edit::conjuncts;
use crate::rewriting::{BackError, Refused, Rewriting, Rewritten, Subject};

/// Makes a program with threads a sequential one, up to a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequentialize {
    /// How far the interleavings of the threads are followed.
    pub bound: Bound,
}

impl Rewriting for Sequentialize {
    fn name(&self) -> &'static str {
        "sequentialize"
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        check(&subject.program, self.bound)?;
        let sequential = Sequential::build(&subject.program, &subject.targets, self.bound);
        subject.program = Arc::clone(&sequential.program);
        subject.targets.clone_from(&sequential.goals);
        subject.lengths.clear();
        Ok(Some(Box::new(sequential)))
    }
}

/// The way back from a sequential program that stands for one with threads, up to a bound.
#[derive(Clone, Debug)]
struct Sequential {
    original: Arc<Program>,
    program: Arc<Program>,
    bound: Bound,
    targets: Vec<LocationId>,
    /// For each target of the original, in their order: the location that is reached if and only if the target is.
    goals: Vec<LocationId>,
    rounds: Rounds,
    /// By edge of the program.
    origins: IdVec<EdgeId, Origin>,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// An edge of the original.
    Edge(EdgeId),
    /// A call of the original inside which the thread is dropped.
    Unfinished(EdgeId),
    /// `init` is called.
    Init,
    /// The private variables of a thread are decided.
    Prepare(usize),
    /// A thread is called.
    Thread(usize),
    /// A target is reached.
    Arrive,
    /// Nothing in the original.
    Nothing,
}

impl Sequential {
    fn build(original: &Arc<Program>, targets: &[LocationId], bound: Bound) -> Self {
        let mut builder = Builder::new(original, targets, bound);
        builder.edges();
        builder.points();
        builder.arrivals(targets);
        let goals = builder.schedule(targets.len());
        builder.start();
        let Builder { program, rounds, origins, .. } = builder;
        let (original, program, targets) = (Arc::clone(original), Arc::new(program), targets.to_vec());
        Self { original, program, bound, targets, goals, rounds, origins }
    }
}

impl Rewritten for Sequential {
    fn target_back(&self, location: LocationId) -> LocationId {
        crate::edit::target_of(&self.goals, &self.targets, location)
    }

    fn trace_back(&self, trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        Ok(self.sorted(&trace)?)
    }

    fn bound(&self) -> Option<Bound> {
        Some(self.bound)
    }
}

/// Says what is beyond sequentialization.
fn check(program: &Program, bound: Bound) -> Result<(), Unsupported> {
    let scope = |variable: VariableId| program.variables[variable].scope;
    if bound == Bound::Rounds(0) {
        return Err(Unsupported::NoRounds);
    }
    if program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_))) {
        return Err(Unsupported::StartedThreads);
    }
    for thread in &program.threads {
        let entry = program.procedures[thread.start].entries.first();
        if entry.is_some_and(|entry| program.locations[*entry].atomic) {
            return Err(Unsupported::AtomicStart);
        }
    }
    for part in conjuncts(&program.start) {
        let scopes: Vec<Scope> = part.reads().into_iter().map(|(variable, _)| scope(variable)).collect();
        if scopes.iter().any(|scope| matches!(scope, Scope::Local(_))) {
            return Err(Unsupported::FrameCondition);
        }
        if scopes.contains(&Scope::Private) && scopes.contains(&Scope::Shared) {
            return Err(Unsupported::MixedCondition);
        }
    }
    if init_uses_private(program) {
        return Err(Unsupported::InitWithPrivate);
    }
    Ok(())
}

/// Whether `init` reads or writes private variables, which no thread has yet.
pub(crate) fn init_uses_private(program: &Program) -> bool {
    let Some(init) = program.init else { return false };
    let of_init = called_from(program, [init]);
    let is_private = |variable: VariableId| program.variables[variable].scope == Scope::Private;
    let uses = |relation: &program::Relation| {
        let reads = relation.exprs().flat_map(Expr::reads).any(|(variable, _)| is_private(variable));
        reads || relation.updates.iter().any(|update| is_private(update.variable))
    };
    let own = program.edges.iter().filter(|edge| of_init[program.locations[edge.source].procedure]);
    own.flat_map(|edge| edge.kind.relations()).any(uses)
}

/// The procedures that may run when these are called.
fn called_from(program: &Program, starts: impl IntoIterator<Item = ProcedureId>) -> IdVec<ProcedureId, bool> {
    let mut callees: IdVec<ProcedureId, Vec<ProcedureId>> = IdVec::filled(program.procedures.len(), Vec::new());
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind {
            callees[program.locations[edge.source].procedure].push(call.callee);
        }
    }
    let mut called = IdVec::filled(program.procedures.len(), false);
    let mut open: Vec<ProcedureId> = starts.into_iter().collect();
    while let Some(procedure) = open.pop() {
        if !std::mem::replace(&mut called[procedure], true) {
            open.extend(&callees[procedure]);
        }
    }
    called
}

/// The sequential program as far as it is built.
struct Builder<'p> {
    plain: &'p Program,
    program: Program,
    rounds: Rounds,
    origins: IdVec<EdgeId, Origin>,
    /// By procedure: where threads are dropped, an exit.
    drops: IdVec<ProcedureId, Option<LocationId>>,
    /// The procedures that threads call.
    in_threads: IdVec<ProcedureId, bool>,
    /// The procedures that `init` and threads call.
    is_used: IdVec<ProcedureId, bool>,
}

impl<'p> Builder<'p> {
    fn new(plain: &'p Program, targets: &[LocationId], bound: Bound) -> Self {
        let starts = || plain.threads.iter().map(|thread| thread.start);
        let in_threads = called_from(plain, starts());
        let is_used = called_from(plain, starts().chain(plain.init));
        let mut program = plain.clone();
        program.init = None;
        program.uninterruptible = Expr::FALSE;
        for procedure in program.procedures.iter_mut() {
            procedure.untouched.clear();
        }
        for location in program.locations.iter_mut() {
            location.atomic = false;
        }
        let rounds = Rounds::declare(plain, &in_threads, targets.len(), bound, &mut program);
        let origins = plain.edges.ids().map(Origin::Edge).collect();
        let drops = IdVec::filled(plain.procedures.len(), None);
        Self { plain, program, rounds, origins, drops, in_threads, is_used }
    }

    fn edge(&mut self, source: LocationId, target: LocationId, kind: EdgeKind, origin: Origin) {
        self.program.edges.push(program::Edge { source, target, kind });
        self.origins.push(origin);
    }

    fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let location = Location { procedure, labels: Vec::new(), role: Role::Plain, atomic: false };
        let id = self.program.locations.push(location);
        self.program.procedures[procedure].locations.push(id);
        id
    }

    /// Where threads are dropped in a procedure.
    fn drop_of(&mut self, procedure: ProcedureId) -> LocationId {
        if let Some(drop) = self.drops[procedure] {
            return drop;
        }
        let drop = self.location(procedure);
        self.program.procedures[procedure].exits.push(drop);
        self.drops[procedure] = Some(drop);
        drop
    }

    /// What holds at the start of the sequential program. The private variables are decided for each thread again; that
    /// they can be is a condition already for `init`.
    fn start(&mut self) {
        self.program.start = self.plain.start.clone().and(self.rounds.at_start());
    }
}
