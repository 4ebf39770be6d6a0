//! The procedure that calls `init` and the threads, one after the other, and compares the rounds at the end.

use program::{
    Call, EdgeKind, Expr, LocationId, Procedure, ProcedureId, Relation, Scope, Thread, Update, VariableId, When,
};

use super::{Builder, Origin};
use crate::edit::{conjuncts, free_name};

impl Builder<'_> {
    /// Adds the procedure; returns, for each target, the location that is reached if the target is.
    pub(super) fn schedule(&mut self, n_targets: usize) -> Vec<LocationId> {
        let taken = |name: &str| self.program.procedures.iter().any(|procedure| procedure.name == name);
        let name = free_name("schedule", taken);
        let schedule = self.program.procedures.push(Procedure { name: name.clone(), ..Procedure::default() });
        self.program.threads = vec![Thread { name, start: schedule }];
        let first = self.location(schedule);
        self.program.procedures[schedule].entries.push(first);
        let mut now = self.guess(first);
        let end = self.location(schedule);
        if let Some(init) = self.plain.init {
            let next = self.location(schedule);
            self.init(init, now, next, end);
            now = next;
        }
        for thread in 0..self.plain.threads.len() {
            let last = thread + 1 == self.plain.threads.len();
            let next = if last { end } else { self.location(schedule) };
            self.thread(thread, now, next);
            now = next;
        }
        let compared = self.compare(end);
        (0..n_targets).map(|target| self.goal(target, compared)).collect()
    }

    /// Every round begins as guessed. One variable at a time, so that the order of variables keeps rounds together.
    fn guess(&mut self, mut now: LocationId) -> LocationId {
        for (variable, guess) in self.rounds.beginnings() {
            let relation = Relation::update(vec![Update::assign(variable, Expr::before(guess))]);
            now = self.go_on(now, relation);
        }
        now
    }

    /// Every round has ended as the next one began. Runs that reach nothing need not be compared.
    fn compare(&mut self, end: LocationId) -> LocationId {
        let mut now = self.go_on(end, Relation::assume(self.rounds.target_is(0).not()));
        for (variable, guess) in self.rounds.ends() {
            now = self.go_on(now, Relation::assume(Expr::before(variable).eq(Expr::before(guess))));
        }
        now
    }

    fn go_on(&mut self, now: LocationId, relation: Relation) -> LocationId {
        let next = self.location(self.program.locations[now].procedure);
        self.edge(now, next, EdgeKind::Step(relation), Origin::Nothing);
        next
    }

    fn goal(&mut self, target: usize, compared: LocationId) -> LocationId {
        self.go_on(compared, Relation::assume(self.rounds.target_is(target + 1)))
    }

    fn entry(&self, procedure: ProcedureId) -> LocationId {
        let Some(entry) = self.plain.procedures[procedure].entries.first() else {
            unreachable!("verify accepts threads and `init` only with an entry")
        };
        *entry
    }

    /// `init` runs in the first round and is not interrupted. If it reaches a target, no thread runs.
    fn init(&mut self, init: ProcedureId, now: LocationId, next: LocationId, end: LocationId) {
        let (entry, over, held) = (self.entry(init), self.rounds.over, self.rounds.held);
        let enter = Relation::update(vec![Update::assign(held, Expr::TRUE)]);
        let released = Relation::update(vec![Update::assign(held, Expr::FALSE)]);
        let leave = Relation { guard: Expr::before(over).not(), ..released };
        let done = Call { callee: init, entry, enter: enter.clone(), leave };
        self.edge(now, next, EdgeKind::Call(Box::new(done)), Origin::Init);
        let dropped = Call { callee: init, entry, enter, leave: Relation::assume(Expr::before(over)) };
        self.edge(now, end, EdgeKind::Call(Box::new(dropped)), Origin::Init);
    }

    /// A thread begins in any round that it may have, or never.
    fn thread(&mut self, thread: usize, now: LocationId, next: LocationId) {
        let callee = self.plain.threads[thread].start;
        let ready = self.location(self.program.locations[now].procedure);
        let prepare = self.prepare();
        self.edge(now, ready, EdgeKind::Step(prepare), Origin::Prepare(thread));
        self.edge(ready, next, EdgeKind::Step(Relation::identity()), Origin::Nothing);
        let entry = self.entry(callee);
        for round in 0..self.rounds.n {
            let guard = self.rounds.is_open(round);
            let enter = Relation { guard, updates: self.rounds.enter(round), constraint: Expr::TRUE };
            let leave = self.dropped();
            let call = Call { callee, entry, enter, leave };
            self.edge(ready, next, EdgeKind::Call(Box::new(call)), Origin::Thread(thread));
        }
    }

    /// The private variables of a thread at its start.
    fn prepare(&self) -> Relation {
        let is_private = |variable: VariableId| self.plain.variables[variable].scope == Scope::Private;
        let updates = self.plain.variables_in(Scope::Private).map(Update::havoc).collect();
        let about = |part: &&Expr| part.reads().iter().any(|(variable, _)| is_private(*variable));
        let after = |part: &Expr| {
            part.clone().map(&mut |expr| match expr {
                Expr::Read(variable, _) => Expr::Read(variable, When::After),
                other => other,
            })
        };
        let constraint = conjuncts(&self.plain.start).iter().filter(about).map(after).fold(Expr::TRUE, Expr::and);
        Relation { guard: Expr::TRUE, updates, constraint }
    }

    /// A thread is done with when it has been dropped; what it had of its own is forgotten.
    fn dropped(&self) -> Relation {
        // It may have reached a target in a call from an atomic section.
        let flags = [self.rounds.over, self.rounds.held];
        let mut updates: Vec<Update> = flags.map(|flag| Update::assign(flag, Expr::FALSE)).into();
        updates.extend(self.rounds.now.map(|_| self.rounds.enter(0).swap_remove(0)));
        for private in self.plain.variables_in(Scope::Private) {
            let sort = self.plain.sort(private);
            updates.push(Update::assign(private, Expr::Const(sort.smallest(), sort.clone())));
        }
        Relation { guard: Expr::before(self.rounds.over), updates, constraint: Expr::TRUE }
    }
}
