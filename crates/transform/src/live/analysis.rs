//! Which variables are live where: a backward analysis through calls and returns.
//!
//! Sets are rows of bits: first the globals (in sequential programs), then the variables of the procedure's frame, so
//! that a row is as wide as what is in scope. A global that a callee does not touch goes around the callee.

use base::{Id, IdVec};
use program::{
    Call, EdgeKind, Expr, Graph, LocationId, ProcedureId, Program, Relation, Spawn, Update, VariableId, When,
};

use crate::edit::{for_each_read, is_true, update_may_block};
use crate::slots::Slots;
use program::effects::Effects;

/// The result of the analysis.
pub(super) struct Liveness {
    pub(super) slots: Slots,
    pub(super) effects: Effects,
    pub(super) graph: Graph,
    starts: IdVec<LocationId, usize>,
    bits: Vec<u64>,
}

impl Liveness {
    pub(super) fn of(program: &Program) -> Self {
        let slots = Slots::of(program);
        let n_globals = slots.globals.variables.len();
        let n_words: IdVec<ProcedureId, usize> =
            program.procedures.iter().map(|it| (n_globals + it.frame().count()).div_ceil(64)).collect();
        let mut n = 0;
        let mut starts = IdVec::new();
        for location in &program.locations {
            starts.push(n);
            n += n_words[location.procedure];
        }
        let effects = Effects::of(program, &slots.globals);
        let live = Self { slots, effects, graph: Graph::of(program), starts, bits: vec![0; n] };
        let waiting = IdVec::filled(program.locations.len(), false);
        let (work, after, before, results, needed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut analysis = Analysis { program, live, work, waiting, n_words, after, before, results, needed };
        analysis.run();
        analysis.live
    }

    /// The live variables at a location, as bits; as wide as what is in scope there.
    pub(super) fn row(&self, location: LocationId) -> &[u64] {
        let end = location.index() + 1;
        let end = if end < self.starts.len() { self.starts.as_slice()[end] } else { self.bits.len() };
        &self.bits[self.starts[location]..end]
    }

    /// True when the variable is live at the location; globals of programs with threads are live everywhere.
    pub(super) fn is_live(&self, location: LocationId, variable: VariableId) -> bool {
        let slot = self.slots.of_variable(variable);
        slot.is_none_or(|slot| has(self.row(location), slot))
    }

    /// True when what the callee does with a variable decides whether an update on entering it matters: not so for
    /// the saved frame, and for what goes around the callee.
    pub(super) fn may_forget_entering(&self, program: &Program, entry: LocationId, update: &Update) -> bool {
        let callee = program.locations[entry].procedure;
        let goes_around = |global| !self.effects.touched.has(callee, global);
        update.when == When::After && !self.slots.globals.position(update.variable).is_some_and(goes_around)
    }
}

/// True when the bit is set.
pub(super) fn has(row: &[u64], slot: usize) -> bool {
    row[slot / 64] >> (slot % 64) & 1 == 1
}

/// Adds bits; true when some are new.
fn add(word: &mut u64, bits: u64) -> bool {
    let grew = bits & !*word != 0;
    *word |= bits;
    grew
}

/// The state of the analysis.
struct Analysis<'p> {
    program: &'p Program,
    live: Liveness,
    work: Vec<LocationId>,
    waiting: IdVec<LocationId, bool>,
    n_words: IdVec<ProcedureId, usize>,
    /// Rows of the edge at hand.
    after: Vec<u64>,
    before: Vec<u64>,
    /// Results that leaving the call at hand needs.
    results: Vec<VariableId>,
    /// What is to be live at the exits of its callee.
    needed: Vec<u64>,
}

/// Whose frame a relation writes at `After`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameAfter {
    /// The frame that it reads.
    Same,
    /// That of the callee, entered here.
    Callee(LocationId),
    /// That of a new thread.
    Thread,
}

impl Analysis<'_> {
    fn run(&mut self) {
        let mut entries: IdVec<LocationId, bool> = IdVec::filled(self.program.locations.len(), false);
        for entry in self.program.procedures.iter().flat_map(|procedure| &procedure.entries) {
            entries[*entry] = true;
        }
        self.read_guards();
        // Taken from the end: in most programs a location comes before those that it leads to.
        self.program.locations.ids().for_each(|location| self.wait(location));
        while let Some(location) = self.work.pop() {
            self.waiting[location] = false;
            if !self.process(location) {
                continue;
            }
            self.wake_before(location);
            if entries[location] {
                self.wake_callers(location);
            }
        }
    }

    fn wait(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.waiting[location], true) {
            self.work.push(location);
        }
    }

    fn wake_before(&mut self, location: LocationId) {
        for at in 0..self.live.graph.incoming(location).len() {
            self.wait(self.program.edges[self.live.graph.incoming(location)[at]].source);
        }
    }

    fn wake_callers(&mut self, entry: LocationId) {
        let procedure = self.program.locations[entry].procedure;
        for at in 0..self.live.graph.calls_of(procedure).len() {
            self.wait(self.program.edges[self.live.graph.calls_of(procedure)[at]].source);
        }
    }

    /// Adds what is live before the edges of a location; true when the location's row grew.
    fn process(&mut self, location: LocationId) -> bool {
        let mut grew = false;
        for at in 0..self.live.graph.outgoing(location).len() {
            let edge = &self.program.edges[self.live.graph.outgoing(location)[at]];
            if let EdgeKind::Step(relation) = &edge.kind
                && relation.updates.is_empty()
                && is_true(&relation.constraint)
            {
                grew |= self.process_guard(location, edge.target);
                continue;
            }
            self.after.clear();
            self.after.extend_from_slice(self.live.row(edge.target));
            match &edge.kind {
                EdgeKind::Step(relation) => self.pull(relation, FrameAfter::Same),
                EdgeKind::Call(call) => self.process_call(call),
                EdgeKind::Spawn(spawn) => self.process_spawn(spawn),
            }
            let start = self.live.starts[location];
            for (word, bits) in self.before.iter().enumerate() {
                grew |= add(&mut self.live.bits[start + word], *bits);
            }
        }
        grew
    }

    /// The same for a step that only has a guard, as most have: what the guard reads is in the row already.
    fn process_guard(&mut self, location: LocationId, target: LocationId) -> bool {
        let Liveness { starts, bits, .. } = &mut self.live;
        let (source, target) = (starts[location], starts[target]);
        let mut grew = false;
        for word in 0..self.n_words[self.program.locations[location].procedure] {
            let after = bits[target + word];
            grew |= add(&mut bits[source + word], after);
        }
        grew
    }

    /// Makes live what the guards of steps read.
    fn read_guards(&mut self) {
        let Liveness { slots, starts, bits, .. } = &mut self.live;
        for edge in &self.program.edges {
            let EdgeKind::Step(relation) = &edge.kind else { continue };
            let start = starts[edge.source];
            for_each_read(&relation.guard, &mut |variable, _| {
                if let Some(slot) = slots.of_variable(variable) {
                    bits[start + slot / 64] |= 1 << (slot % 64);
                }
            });
        }
    }

    fn process_call(&mut self, call: &Call) {
        self.pull(&call.leave, FrameAfter::Same);
        self.demand_at_exits(call);
        let touched = self.live.effects.touched.row(call.callee);
        let entry = self.live.row(call.entry);
        std::mem::swap(&mut self.after, &mut self.before);
        for (word, touched) in touched.iter().enumerate() {
            self.after[word] &= !touched;
            self.after[word] |= touched & entry[word];
        }
        self.pull(&call.enter, FrameAfter::Callee(call.entry));
    }

    fn process_spawn(&mut self, spawn: &Spawn) {
        self.pull(&spawn.enter, FrameAfter::Thread);
    }

    /// Makes live at the callee's exits what is needed when it is left: `before` holds that of the leave relation.
    fn demand_at_exits(&mut self, call: &Call) {
        let program = self.program;
        let mut needed = std::mem::take(&mut self.needed);
        needed.clear();
        needed.extend(
            self.before.iter().zip(self.live.effects.touched.row(call.callee)).map(|(bits, touched)| bits & touched),
        );
        needed.resize(self.n_words[call.callee], 0);
        for result in self.results.drain(..) {
            if let Some(slot) = self.live.slots.of_variable(result) {
                needed[slot / 64] |= 1 << (slot % 64);
            }
        }
        for exit in &program.procedures[call.callee].exits {
            let start = self.live.starts[*exit];
            let mut grew = false;
            for (word, bits) in needed.iter().enumerate() {
                grew |= add(&mut self.live.bits[start + word], *bits);
            }
            if grew {
                self.wake_before(*exit);
                if program.procedures[call.callee].entries.contains(exit) {
                    self.wake_callers(*exit);
                }
            }
        }
        self.needed = needed;
    }

    /// Computes `before` from `after` (which grows by what the constraint reads of the outcome).
    fn pull(&mut self, relation: &Relation, frame: FrameAfter) {
        let program = self.program;
        let Self { live, after, before, results, .. } = self;
        let own = |variable: VariableId, when: When| match when {
            When::Before | When::Saved => true,
            When::After => frame == FrameAfter::Same || !live.slots.is_local(variable),
            When::Result => false,
        };
        let slot = |variable: VariableId| live.slots.of_variable(variable);
        for_each_read(&relation.constraint, &mut |variable, when| {
            if let (true, Some(slot)) = (when != When::Before && own(variable, when), slot(variable)) {
                after[slot / 64] |= 1 << (slot % 64);
            }
        });
        before.clear();
        before.extend_from_slice(after);
        let whole = relation.updates.iter().filter(|update| update.index.is_none());
        for update in whole.filter(|update| own(update.variable, update.when)) {
            if let Some(slot) = slot(update.variable) {
                before[slot / 64] &= !(1 << (slot % 64));
            }
        }
        let mut read = |expr: &Expr| {
            for_each_read(expr, &mut |variable, when| match (when, slot(variable)) {
                (When::Before, Some(slot)) => before[slot / 64] |= 1 << (slot % 64),
                (When::Result, _) => results.push(variable),
                _ => {}
            });
        };
        read(&relation.guard);
        read(&relation.constraint);
        let matters = |update: &Update| match frame {
            FrameAfter::Same => slot(update.variable).is_none_or(|slot| has(after, slot)),
            FrameAfter::Thread => true,
            FrameAfter::Callee(entry) => {
                !live.may_forget_entering(program, entry, update)
                    || live.is_live(entry, update.variable)
                    || reads_after(&relation.constraint, update.variable)
            }
        };
        for update in &relation.updates {
            if update_may_block(update) || matters(update) {
                update.exprs().for_each(&mut read);
            }
        }
    }
}

/// True when the constraint reads the variable after the edge.
pub(super) fn reads_after(constraint: &Expr, variable: VariableId) -> bool {
    let mut found = false;
    for_each_read(constraint, &mut |read, when| found |= read == variable && when == When::After);
    found
}
