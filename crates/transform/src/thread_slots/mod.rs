//! Thread slots: a program that starts threads becomes one with a fixed number of threads.
//!
//! Besides the threads of the program there are slots. A slot is a thread that waits until it is taken, then calls the
//! procedure in which the new thread starts. Starting a thread takes the first free slot and puts what the new thread gets
//! (values of its first frame and of its private variables) into shared variables of the slot, its mailbox, where the slot
//! finds them with its first move. Waiting is no move, so a run and its slotted form change threads equally often.
//!
//! - When no slot is free, the run goes to a location that each procedure has for that ([`Overflow`]). As long as that is not reached,
//!   the number of slots has no influence; otherwise what is not reached is not reached by so many threads.
//! - A thread that ends frees its slot, if the order of threads does not matter. The bound is then on threads that live at
//!   the same time; else on all that are started.
//! - A new thread is at its first location as soon as it is started, before it moves. Where that location is asked about,
//!   the step that starts it also leads to a location that stands for it.
//!
//! The parts of the program keep their numbers, new ones come after them.

mod back;
mod mailbox;

use std::sync::Arc;

use base::{Context, IdVec};
use program::{
    Call, Edge, EdgeId, EdgeKind, EnumId, Enumeration, Expr, Location, LocationId, Procedure, ProcedureId, Program,
    Relation, Role, Scope, Sort, Spawn, Thread, Trace, Unsupported, Update, Value, VariableId,
};

use self::mailbox::Mailboxes;
use crate::edit::free_name;
use crate::rewriting::{BackError, Overflow, Refused, Rewriting, Rewritten, Subject};

/// Gives a program that starts threads room for a number of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WithSlots {
    /// The number of threads for which there is room, those from the start included.
    pub max_threads: u32,
    /// Whether the slot of a thread that has ended is free again. A bound on rounds is about the order of threads, which
    /// that would change.
    pub reuse: bool,
}

impl Rewriting for WithSlots {
    fn name(&self) -> &'static str {
        "thread-slots"
    }

    fn rewrite(&self, subject: &mut Subject, _context: &Context<'_>) -> Result<Option<Box<dyn Rewritten>>, Refused> {
        if !has_spawns(&subject.program) {
            return Ok(None);
        }
        supports(&subject.program)?;
        let slots = ThreadSlots::build(&subject.program, &subject.targets, *self);
        subject.program = Arc::clone(&slots.overflow.program);
        subject.targets.extend(slots.arrivals.iter().map(|(arrival, _)| *arrival));
        subject.lengths.clear();
        Ok(Some(Box::new(slots)))
    }
}

/// The way back from a program with slots in the place of spawns.
#[derive(Clone, Debug)]
struct ThreadSlots {
    /// A run that is at one of its locations could not start a thread.
    overflow: Overflow,
    /// Locations that stand for the first location of a new thread, and that location.
    arrivals: Vec<(LocationId, LocationId)>,
    /// How many threads the original has from the start.
    n_threads: usize,
    /// By edge of the program.
    origins: IdVec<EdgeId, Origin>,
    mailboxes: Mailboxes,
    /// The scopes of the original's variables.
    scopes: IdVec<VariableId, Scope>,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// The edge with the same number.
    Same,
    /// The start of a thread in a slot; without a slot: of one that never runs.
    Spawn { edge: EdgeId, slot: Option<usize>, start: usize },
    /// The first move of a slot.
    Begin { slot: usize },
}

/// Whether the program starts threads on the way.
#[must_use]
pub fn has_spawns(program: &Program) -> bool {
    program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_)))
}

impl ThreadSlots {
    fn build(program: &Program, targets: &[LocationId], with: WithSlots) -> Self {
        let n_slots = (with.max_threads as usize).saturating_sub(program.threads.len());
        let mut result = program.clone();
        let mailboxes = Mailboxes::new(program, n_slots, &mut result);
        let origins = program.edges.ids().map(|_| Origin::Same).collect();
        let mut builder = Builder { plain: program, program: result, mailboxes, origins, n_slots, full: Vec::new() };
        let arrivals = builder.spawns(targets);
        for slot in 0..n_slots {
            builder.slot(slot, with.reuse);
        }
        let Builder { program: result, mailboxes, origins, full, .. } = builder;
        let locations = full.into_iter().map(|(_, location)| location).collect();
        Self {
            overflow: Overflow { program: Arc::new(result), locations, max_threads: with.max_threads },
            arrivals,
            n_threads: program.threads.len(),
            origins,
            mailboxes,
            scopes: program.variables.iter().map(|variable| variable.scope).collect(),
        }
    }
}

impl Rewritten for ThreadSlots {
    fn target_back(&self, location: LocationId) -> LocationId {
        let arrival = self.arrivals.iter().find(|(arrival, _)| *arrival == location);
        arrival.map_or(location, |(_, target)| *target)
    }

    fn trace_back(&self, trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        Ok(self.original(&trace))
    }

    fn overflow(&self) -> Option<&Overflow> {
        Some(&self.overflow)
    }
}

/// Says what is beyond slots.
pub fn supports(program: &Program) -> Result<(), Unsupported> {
    let is_local = |variable: VariableId| matches!(program.variables[variable].scope, Scope::Local(_));
    if program.start.reads().into_iter().any(|(variable, _)| is_local(variable)) {
        return Err(Unsupported::StartedThreadsWithFrameCondition);
    }
    for edge in &program.edges {
        let EdgeKind::Spawn(spawn) = &edge.kind else { continue };
        if program.locations[spawn.entry].atomic {
            return Err(Unsupported::AtomicStart);
        }
        let is_own = |update: &&Update| program.variables[update.variable].scope != Scope::Shared;
        if spawn.enter.updates.iter().filter(is_own).any(|update| update.index.is_some()) {
            return Err(Unsupported::HandedElements);
        }
    }
    Ok(())
}

struct Builder<'p> {
    plain: &'p Program,
    program: Program,
    mailboxes: Mailboxes,
    origins: IdVec<EdgeId, Origin>,
    n_slots: usize,
    /// By procedure, in their order.
    full: Vec<(ProcedureId, LocationId)>,
}

impl Builder<'_> {
    /// Replaces every spawn; returns the locations that stand for first locations of new threads.
    fn spawns(&mut self, targets: &[LocationId]) -> Vec<(LocationId, LocationId)> {
        let mut arrivals = Vec::new();
        let plain = self.plain;
        for (edge, Edge { source, target, kind }) in plain.edges.iter_ids() {
            let EdgeKind::Spawn(spawn) = kind else { continue };
            let start = self.mailboxes.start(spawn.callee, spawn.entry);
            // The edge itself becomes the one that finds no slot.
            let full = self.full(plain.locations[*source].procedure);
            let relation = self.hand_over(spawn, start, 0, self.all_taken());
            self.program.edges[edge] = Edge { source: *source, target: full, kind: EdgeKind::Step(relation) };
            self.origins[edge] = Origin::Spawn { edge, slot: None, start };
            for slot in 0..self.n_slots {
                let mut relation = self.hand_over(spawn, start, slot, self.first_free(slot));
                relation.updates.push(Update::assign(self.mailboxes.taken[slot], self.mailboxes.code(start + 1)));
                let origin = Origin::Spawn { edge, slot: Some(slot), start };
                self.edge(*source, *target, EdgeKind::Step(relation), origin);
            }
            if targets.contains(&spawn.entry) {
                let arrival = self.dead_end(plain.locations[*source].procedure);
                let relation = self.hand_over(spawn, start, 0, Expr::TRUE);
                self.edge(*source, arrival, EdgeKind::Step(relation), Origin::Spawn { edge, slot: None, start });
                arrivals.push((arrival, spawn.entry));
            }
        }
        arrivals
    }

    /// The spawn's relation, with the mailbox of a slot in the place of the new thread.
    fn hand_over(&self, spawn: &Spawn, start: usize, slot: usize, guard: Expr) -> Relation {
        let mut relation = self.mailboxes.redirect(&spawn.enter, start, slot);
        relation.guard = relation.guard.and(guard);
        relation
    }

    fn is_free(&self, slot: usize) -> Expr {
        Expr::before(self.mailboxes.taken[slot]).eq(self.mailboxes.code(0))
    }

    /// This slot is free and those before it are not.
    fn first_free(&self, slot: usize) -> Expr {
        (0..slot).map(|before| self.is_free(before).not()).fold(self.is_free(slot), Expr::and)
    }

    fn all_taken(&self) -> Expr {
        (0..self.n_slots).map(|slot| self.is_free(slot).not()).fold(Expr::TRUE, Expr::and)
    }

    /// The location of a procedure where no slot was free.
    fn full(&mut self, procedure: ProcedureId) -> LocationId {
        if let Some((_, location)) = self.full.iter().find(|(owner, _)| *owner == procedure) {
            return *location;
        }
        let location = self.dead_end(procedure);
        self.full.push((procedure, location));
        location
    }

    /// A location from which no thread goes on, since it is atomic and no edge leaves it.
    fn dead_end(&mut self, procedure: ProcedureId) -> LocationId {
        let location = self.location(procedure);
        self.program.locations[location].atomic = true;
        location
    }

    fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let location = Location { procedure, labels: Vec::new(), role: Role::Plain, atomic: false };
        let id = self.program.locations.push(location);
        self.program.procedures[procedure].locations.push(id);
        id
    }

    fn edge(&mut self, source: LocationId, target: LocationId, kind: EdgeKind, origin: Origin) {
        self.program.edges.push(Edge { source, target, kind });
        self.origins.push(origin);
    }

    /// The thread that waits and then is the new one.
    fn slot(&mut self, slot: usize, reuse: bool) {
        let taken = |name: &str| self.program.procedures.iter().any(|procedure| procedure.name == name);
        let name = free_name(&format!("slot{}", slot + 1), taken);
        let procedure = self.program.procedures.push(Procedure { name: name.clone(), ..Procedure::default() });
        let wait = self.location(procedure);
        self.program.procedures[procedure].entries.push(wait);
        self.program.threads.push(Thread { name, start: procedure });
        for start in 0..self.mailboxes.starts.len() {
            let (callee, entry) = (self.mailboxes.starts[start].callee, self.mailboxes.starts[start].entry);
            let enter = self.mailboxes.take_out(self.plain, start, slot);
            // A thread that has ended inside an atomic section keeps all others from running.
            let frees =
                reuse && !self.plain.procedures[callee].exits.iter().any(|exit| self.plain.locations[*exit].atomic);
            let leave = if frees { self.free(slot) } else { Relation::assume(Expr::FALSE) };
            let call = EdgeKind::Call(Box::new(Call { callee, entry, enter, leave }));
            self.edge(wait, wait, call, Origin::Begin { slot });
        }
    }

    /// The thread has ended: all that it had is forgotten.
    fn free(&self, slot: usize) -> Relation {
        let mut updates = vec![Update::assign(self.mailboxes.taken[slot], self.mailboxes.code(0))];
        for private in self.plain.variables_in(Scope::Private) {
            updates.push(Update::assign(private, smallest(self.plain.sort(private))));
        }
        Relation::update(updates)
    }
}

/// The smallest value of a sort.
fn smallest(sort: &Sort) -> Expr {
    Expr::Const(sort.smallest(), sort.clone())
}
