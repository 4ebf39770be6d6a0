//! Which variables an edge may forget, and the edge that forgets them.

use base::IdVec;
use program::{Call, EdgeId, EdgeKind, LocationId, Program, Relation, Rhs, Update, VariableId, When};

use super::analysis::{Liveness, reads_after};
use crate::Forgotten;
use crate::edit::update_may_block;

/// The variables that an edge may forget.
#[derive(Default)]
pub(super) struct Dead {
    entering: DeadAfter,
    leaving: DeadAfter,
}

/// The same for one relation.
#[derive(Default)]
struct DeadAfter {
    /// Positions of updates that set a dead variable.
    set: Vec<usize>,
    /// Variables that the relation does not set.
    kept: Vec<VariableId>,
    /// Dead arrays of which the relation still sets an element: what it leaves of them may have been forgotten before.
    stale: Vec<VariableId>,
}

/// Finds what edges may forget.
pub(super) struct Finder<'p> {
    program: &'p Program,
    live: &'p Liveness,
    /// Variables but for parameters that their own procedure never sets.
    assigned: IdVec<VariableId, bool>,
}

impl<'p> Finder<'p> {
    pub(super) fn new(program: &'p Program, live: &'p Liveness) -> Self {
        let mut assigned = IdVec::filled(program.variables.len(), false);
        for edge in &program.edges {
            let entering = !matches!(edge.kind, EdgeKind::Step(_));
            for (at, relation) in edge.kind.relations().enumerate() {
                let own = |update: &&Update| !(entering && at == 0) || update.when == When::Saved;
                relation.updates.iter().filter(own).for_each(|update| assigned[update.variable] = true);
            }
        }
        for local in program.procedures.iter().flat_map(|it| it.results.iter().chain(&it.locals)) {
            assigned[*local] = true;
        }
        Self { program, live, assigned }
    }

    /// What the edge may forget; none if nothing.
    pub(super) fn dead_after(&self, id: EdgeId) -> Option<Dead> {
        let edge = &self.program.edges[id];
        let (source, target) = (edge.source, edge.target);
        let mut dead = Dead::default();
        match &edge.kind {
            EdgeKind::Step(relation) => {
                self.find_set(relation, target, &mut dead.entering, |_| true);
                let lost = lost(self.live.row(source), self.live.row(target));
                self.find_kept(relation, source, lost, &mut dead.entering);
            }
            EdgeKind::Call(call) => self.find_call(call, source, target, &mut dead),
            EdgeKind::Spawn(_) => {}
        }
        (!dead.entering.is_empty() || !dead.leaving.is_empty()).then_some(dead)
    }

    fn find_call(&self, call: &Call, source: LocationId, target: LocationId, dead: &mut Dead) {
        let enters = |update: &Update| self.live.may_forget_entering(self.program, call.entry, update);
        self.find_set(&call.enter, call.entry, &mut dead.entering, enters);
        let words = self.live.effects.touched.row(call.callee);
        let entry = self.live.row(call.entry);
        let entering =
            self.live.row(source).iter().zip(words).zip(entry).map(|((live, touched), entry)| live & touched & !entry);
        self.find_kept(&call.enter, source, entering, &mut dead.entering);
        self.find_set(&call.leave, target, &mut dead.leaving, |_| true);
        let exits = &self.program.procedures[call.callee].exits;
        let live_before = self.live.row(source).iter().enumerate().map(|(word, live)| match words.get(word) {
            None => *live,
            Some(touched) => {
                let at_exits = exits.iter().fold(0, |bits, exit| bits | self.live.row(*exit)[word]);
                (live & !touched) | (at_exits & touched)
            }
        });
        let leaving = live_before.zip(self.live.row(target)).map(|(before, after)| before & !after);
        self.find_kept(&call.leave, source, leaving, &mut dead.leaving);
    }

    /// Updates of variables that are dead at a location.
    fn find_set(&self, relation: &Relation, at: LocationId, dead: &mut DeadAfter, may: impl Fn(&Update) -> bool) {
        for (position, update) in relation.updates.iter().enumerate() {
            let is_dead =
                !self.live.is_live(at, update.variable) && !reads_after(&relation.constraint, update.variable);
            if !is_dead || !may(update) {
                continue;
            }
            if matches!(update.value, Rhs::Expr(_)) && !update_may_block(update) {
                dead.set.push(position);
            } else if update.index.is_some() {
                dead.stale.push(update.variable);
            }
        }
    }

    /// Variables of the given bits that the relation does not set.
    fn find_kept(
        &self,
        relation: &Relation,
        source: LocationId,
        bits: impl Iterator<Item = u64>,
        dead: &mut DeadAfter,
    ) {
        let procedure = self.program.locations[source].procedure;
        for (word, mut bits) in bits.enumerate() {
            while bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let variable = self.live.slots.variable(self.program, procedure, slot);
                if self.may_forget(source, variable)
                    && !relation.writes(variable, When::After)
                    && !reads_after(&relation.constraint, variable)
                {
                    dead.kept.push(variable);
                }
            }
        }
    }

    /// True when the procedure changes the variable anyway, or is never called.
    fn may_forget(&self, source: LocationId, variable: VariableId) -> bool {
        let procedure = self.program.locations[source].procedure;
        match self.live.slots.globals.position(variable) {
            None => self.assigned[variable],
            Some(global) => {
                self.live.effects.written.has(procedure, global) || self.live.graph.calls_of(procedure).is_empty()
            }
        }
    }
}

/// What is live before and not after, word by word.
fn lost<'a>(before: &'a [u64], after: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    before.iter().zip(after).map(|(before, after)| before & !after)
}

impl DeadAfter {
    fn is_empty(&self) -> bool {
        self.set.is_empty() && self.kept.is_empty() && self.stale.is_empty()
    }

    /// Makes the variables arbitrary in the relation.
    fn forget(self, relation: &mut Relation) -> Vec<VariableId> {
        let mut forgotten = self.kept;
        relation.updates.extend(forgotten.iter().map(|variable| Update::havoc(*variable)));
        for position in self.set {
            let update = &mut relation.updates[position];
            update.value = Rhs::Any;
            forgotten.push(update.variable);
        }
        forgotten.extend(self.stale);
        forgotten
    }
}

impl Dead {
    /// Makes the variables arbitrary on the edge.
    pub(super) fn forget(self, kind: &mut EdgeKind) -> Forgotten {
        match kind {
            EdgeKind::Step(relation) => Forgotten { entering: self.entering.forget(relation), leaving: Vec::new() },
            EdgeKind::Call(call) => Forgotten {
                entering: self.entering.forget(&mut call.enter),
                leaving: self.leaving.forget(&mut call.leave),
            },
            EdgeKind::Spawn(spawn) => {
                Forgotten { entering: self.entering.forget(&mut spawn.enter), leaving: Vec::new() }
            }
        }
    }
}
