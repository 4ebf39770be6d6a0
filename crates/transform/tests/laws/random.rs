//! Random small Boolean programs, built in the model itself so that they use more of it than a front end would.

use program::{
    BinaryOp, Call, Expr, LocationId, NaryOp, ProcedureId, Program, ProgramBuilder, Relation, Rhs, Role, Sort, Spawn,
    Update, VariableId, When,
};

/// SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 16) as usize % n
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The variables that an expression may read at some moments.
type Scope = Vec<(VariableId, When)>;

struct Maker {
    dice: Dice,
    concurrent: bool,
    builder: ProgramBuilder,
    globals: Vec<VariableId>,
}

/// A random sequential program that `verify` accepts, and some locations of it.
pub(crate) fn sequential(seed: u64) -> (Program, Vec<LocationId>) {
    random(seed, false)
}

/// The same with threads.
pub(crate) fn concurrent(seed: u64) -> (Program, Vec<LocationId>) {
    random(seed, true)
}

fn random(seed: u64, concurrent: bool) -> (Program, Vec<LocationId>) {
    let mut maker = Maker { dice: Dice(seed), concurrent, builder: ProgramBuilder::new(), globals: Vec::new() };
    for at in 0..1 + maker.dice.below(2) {
        let global = maker.builder.shared(format!("g{at}"), Sort::Bool);
        maker.globals.push(global);
    }
    let procedures: Vec<ProcedureId> = (0..1 + maker.dice.below(3)).map(|at| maker.declare(at)).collect();
    for procedure in &procedures {
        maker.fill(*procedure, &procedures);
    }
    if concurrent {
        maker.threads(&procedures);
    } else {
        maker.start(procedures[0]);
        maker.builder.thread("main", procedures[0]);
    }
    let program = maker.builder.finish();
    let n = program.locations.len();
    let mut targets: Vec<LocationId> =
        (0..1 + maker.dice.below(3)).map(|_| LocationId(maker.dice.below(n) as u32)).collect();
    targets.sort_unstable();
    targets.dedup();
    (program, targets)
}

impl Maker {
    fn declare(&mut self, at: usize) -> ProcedureId {
        let procedure = self.builder.procedure(format!("p{at}"));
        for at in 0..if at == 0 { 0 } else { self.dice.below(3) } {
            self.builder.parameter(procedure, format!("a{at}"), Sort::Bool);
        }
        for at in 0..self.dice.below(2) {
            self.builder.result(procedure, format!("r{at}"), Sort::Bool);
        }
        let n_locals = 3usize.saturating_sub(self.frame(procedure).len());
        for at in 0..self.dice.below(n_locals + 1) {
            self.builder.local(procedure, format!("x{at}"), Sort::Bool);
        }
        let locations: Vec<LocationId> = (0..3 + self.dice.below(5)).map(|_| self.location(procedure)).collect();
        self.builder.entry(locations[0]);
        if self.dice.chance(15) {
            let second = self.dice.pick(&locations);
            self.builder.entry(second);
        }
        self.builder.exit(locations[locations.len() - 1]);
        if self.dice.chance(15) && locations.len() > 3 {
            self.builder.exit(locations[locations.len() - 2]);
        }
        procedure
    }

    fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let role = if self.dice.chance(5) { Role::Violation } else { Role::Plain };
        let location = self.builder.location_with(procedure, role);
        if self.concurrent && self.dice.chance(15) {
            self.builder.atomic(location);
        }
        location
    }

    fn threads(&mut self, procedures: &[ProcedureId]) {
        for at in 0..1 + self.dice.below(2) {
            let start = self.dice.pick(procedures);
            self.builder.thread(format!("t{at}"), start);
        }
        if self.dice.chance(20) {
            self.builder.uninterruptible(Expr::before(self.globals[0]));
        }
        let globals: Scope = self.globals.iter().map(|global| (*global, When::Before)).collect();
        for _ in 0..self.dice.below(3) {
            let condition = self.literal(&globals);
            self.builder.start(condition);
        }
    }

    fn frame(&self, procedure: ProcedureId) -> Vec<VariableId> {
        self.builder.program().procedures[procedure].frame().collect()
    }

    fn fill(&mut self, procedure: ProcedureId, procedures: &[ProcedureId]) {
        let it = self.builder.program().procedures[procedure].clone();
        let sources: Vec<usize> = (0..it.locations.len()).filter(|at| !it.exits.contains(&it.locations[*at])).collect();
        for at in sources {
            for _ in 0..self.dice.pick(&[1, 1, 1, 2, 2, 3]) {
                let source = it.locations[at];
                let next = it.locations[(at + 1).min(it.locations.len() - 1)];
                let target = if self.dice.chance(60) { next } else { self.dice.pick(&it.locations) };
                let callee = self.dice.pick(procedures);
                if self.dice.chance(if self.concurrent { 12 } else { 25 }) {
                    self.call(source, target, procedure, callee);
                } else if self.concurrent && self.dice.chance(12) {
                    self.spawn(source, target, procedure, callee);
                } else {
                    let relation = self.step(procedure);
                    self.builder.step(source, target, relation);
                }
            }
        }
    }

    fn scope(&self, procedure: ProcedureId, when: When) -> Scope {
        self.globals.iter().copied().chain(self.frame(procedure)).map(|variable| (variable, when)).collect()
    }

    fn step(&mut self, procedure: ProcedureId) -> Relation {
        if self.dice.chance(25) {
            return Relation::identity();
        }
        let before = self.scope(procedure, When::Before);
        let after = self.scope(procedure, When::After);
        let written: Vec<VariableId> = before.iter().map(|(variable, _)| *variable).collect();
        let updates = if self.dice.chance(60) { self.updates(&written, &before, 40, When::After) } else { Vec::new() };
        let guard = if self.dice.chance(50) { self.condition(&before) } else { Expr::TRUE };
        let both: Scope = before.iter().chain(&after).copied().collect();
        let constraint = if self.dice.chance(15) { self.condition(&both) } else { Expr::TRUE };
        Relation { guard, updates, constraint }
    }

    fn call(&mut self, source: LocationId, target: LocationId, caller: ProcedureId, callee: ProcedureId) {
        let it = self.builder.program().procedures[callee].clone();
        let before = self.scope(caller, When::Before);
        let mut enter = Relation::update(self.updates(&it.parameters, &before, 90, When::After));
        if self.dice.chance(15) {
            enter.updates.extend(self.updates(&self.globals.clone(), &before, 40, When::After));
        }
        if self.dice.chance(15) {
            enter.updates.extend(self.updates(&self.frame(caller), &before, 40, When::Saved));
        }
        if self.dice.chance(15) {
            enter.guard = self.condition(&before);
        }
        if self.dice.chance(15) {
            let saved = self.frame(caller).into_iter().map(|variable| (variable, When::Saved));
            let scope: Scope = before.iter().copied().chain(self.scope(callee, When::After)).chain(saved).collect();
            enter.constraint = self.condition(&scope);
        }
        let mut after_exit = before.clone();
        after_exit.extend(it.results.iter().map(|result| (*result, When::Result)));
        let written: Vec<VariableId> = before.iter().map(|(variable, _)| *variable).collect();
        let mut leave = Relation::update(self.updates(&written, &after_exit, 30, When::After));
        if self.dice.chance(10) {
            leave.guard = self.condition(&after_exit);
        }
        if self.dice.chance(10) {
            let scope: Scope = after_exit.into_iter().chain(self.scope(caller, When::After)).collect();
            leave.constraint = self.condition(&scope);
        }
        let entry = self.dice.pick(&it.entries);
        self.builder.call(source, target, Call { callee, entry, enter, leave });
    }

    fn spawn(&mut self, source: LocationId, target: LocationId, caller: ProcedureId, callee: ProcedureId) {
        let it = self.builder.program().procedures[callee].clone();
        let before = self.scope(caller, When::Before);
        let mut enter = Relation::update(self.updates(&it.parameters, &before, 90, When::After));
        if self.dice.chance(30) {
            enter.updates.extend(self.updates(&self.globals.clone(), &before, 40, When::After));
        }
        if self.dice.chance(30) {
            enter.guard = self.condition(&before);
        }
        let entry = self.dice.pick(&it.entries);
        self.builder.spawn(source, target, Spawn { callee, entry, enter });
    }

    fn updates(&mut self, written: &[VariableId], scope: &Scope, percent: usize, when: When) -> Vec<Update> {
        let mut updates = Vec::new();
        for variable in written {
            if self.dice.chance(percent) {
                let value = if self.dice.chance(10) { Rhs::Any } else { Rhs::Expr(self.expr(scope, 2)) };
                updates.push(Update { variable: *variable, index: None, when, value });
            }
        }
        updates
    }

    /// Often something that a run can get past.
    fn condition(&mut self, scope: &Scope) -> Expr {
        if self.dice.chance(40) {
            let literal = self.literal(scope);
            return if self.dice.chance(30) { literal.and(self.literal(scope)) } else { literal };
        }
        self.expr(scope, 2)
    }

    fn literal(&mut self, scope: &Scope) -> Expr {
        let (variable, when) = self.dice.pick(scope);
        let read = Expr::Read(variable, when);
        match self.dice.below(4) {
            0 | 1 => read,
            2 => read.not(),
            _ => read.eq(Expr::bool(self.dice.chance(50))),
        }
    }

    fn expr(&mut self, scope: &Scope, depth: usize) -> Expr {
        if depth == 0 || self.dice.chance(40) {
            return match self.dice.below(8) {
                0 => Expr::TRUE,
                1 => Expr::FALSE,
                2 => Expr::Any,
                _ => self.literal(scope),
            };
        }
        let operand = |maker: &mut Self| maker.expr(scope, depth - 1);
        match self.dice.below(6) {
            0 => operand(self).not(),
            1 => Expr::Binary(BinaryOp::Implies, Box::new(operand(self)), Box::new(operand(self))),
            2 => Expr::Binary(BinaryOp::Ne, Box::new(operand(self)), Box::new(operand(self))),
            3 => Expr::Ite(Box::new(operand(self)), Box::new(operand(self)), Box::new(operand(self))),
            _ => {
                let op = self.dice.pick(&[NaryOp::And, NaryOp::Or, NaryOp::Xor]);
                let operands = (0..self.dice.below(4)).map(|_| operand(self)).collect();
                Expr::Nary(op, operands)
            }
        }
    }

    fn start(&mut self, procedure: ProcedureId) {
        let scope = self.scope(procedure, When::Before);
        for _ in 0..self.dice.below(4) {
            let condition = if self.dice.chance(70) { self.literal(&scope) } else { self.expr(&scope, 2) };
            self.builder.start(condition);
        }
    }
}
