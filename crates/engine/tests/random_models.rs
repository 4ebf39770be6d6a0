//! Random programs over all sorts and all kinds of relation, as no single source language writes them: the symbolic
//! engine reaches what the oracle reaches, and every trace replays.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use base::{Budget, Silent};
use engine::formula::{ALGORITHMS, Formula};
use engine::{Context, Engine, Task};
use program::{
    BinaryOp, Bound, Call, EnumId, Expr, LocationId, NaryOp, ProcedureId, Program, ProgramBuilder, Relation, Rhs, Sort,
    Thread, UnaryOp, Update, Value, VariableId, When, interp,
};

/// A small generator of numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

const COLORS: u32 = 3;

fn sorts(colors: EnumId) -> Vec<Sort> {
    vec![Sort::Bool, Sort::Bool, Sort::Bits(2), Sort::Enum(colors), Sort::Array(Box::new(Sort::Bool), 2)]
}

/// Variables that may be read, each with the moment.
type Scope = Vec<(VariableId, When)>;

struct Writer {
    dice: Dice,
    builder: ProgramBuilder,
    colors: EnumId,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut builder = ProgramBuilder::new();
        let colors = builder.enumeration("color", (0..COLORS).map(|i| format!("color{i}")).collect());
        Self { dice: Dice(seed), builder, colors }
    }

    fn sort_of(&self, variable: VariableId) -> Sort {
        self.builder.program().sort(variable).clone()
    }

    fn constant(&mut self, sort: &Sort) -> Expr {
        let value = match sort {
            Sort::Bool => Value::Bool(self.dice.chance(50)),
            Sort::Bits(width) => Value::Bits(self.dice.below(1 << width) as u64),
            Sort::Int => program::finite::no_integers(),
            Sort::Enum(_) => Value::Enum(self.dice.below(COLORS as usize) as u32),
            Sort::Array(..) => Value::Array(vec![Value::Bool(self.dice.chance(50)), Value::Bool(true)]),
        };
        Expr::Const(value, sort.clone())
    }

    /// An expression of a sort over the variables in scope.
    fn expr(&mut self, sort: &Sort, scope: &Scope, depth: u32) -> Expr {
        let of_sort: Vec<_> = scope.iter().filter(|(v, _)| self.sort_of(*v) == *sort).copied().collect();
        if depth == 0 || self.dice.chance(20) {
            return match of_sort.is_empty() || self.dice.chance(15) {
                true => self.constant(sort),
                false => {
                    let (variable, when) = self.dice.pick(&of_sort);
                    Expr::Read(variable, when)
                }
            };
        }
        if self.dice.chance(10) {
            let condition = self.expr(&Sort::Bool, scope, depth - 1);
            let then = self.expr(sort, scope, depth - 1);
            return Expr::Ite(Box::new(condition), Box::new(then), Box::new(self.expr(sort, scope, depth - 1)));
        }
        match sort {
            Sort::Bool => self.boolean(scope, depth),
            Sort::Bits(width) => self.bits(*width, scope, depth),
            Sort::Int | Sort::Enum(_) | Sort::Array(..) => self.expr(sort, scope, 0),
        }
    }

    fn boolean(&mut self, scope: &Scope, depth: u32) -> Expr {
        use BinaryOp::{Eq, Implies, Ne, Sle, Slt, Ule, Ult};
        let bits = Sort::Bits(2);
        let binary = |writer: &mut Self, op: BinaryOp, sort: &Sort| {
            let left = writer.expr(sort, scope, depth - 1);
            Expr::Binary(op, Box::new(left), Box::new(writer.expr(sort, scope, depth - 1)))
        };
        match self.dice.below(8) {
            0 => Expr::Any,
            1 => self.expr(&Sort::Bool, scope, depth - 1).not(),
            2 => binary(self, Implies, &Sort::Bool),
            3 => {
                let op = self.dice.pick(&[Ult, Ule, Slt, Sle]);
                binary(self, op, &bits)
            }
            4 => {
                let sort = self.dice.pick(&sorts(self.colors));
                let op = self.dice.pick(&[Eq, Ne]);
                binary(self, op, &sort)
            }
            5 => {
                let array = self.expr(&Sort::Array(Box::new(Sort::Bool), 2), scope, 0);
                Expr::Index(Box::new(array), Box::new(self.expr(&bits, scope, 1)))
            }
            _ => {
                let op = self.dice.pick(&[NaryOp::And, NaryOp::Or, NaryOp::Xor]);
                let n = 1 + self.dice.below(3);
                Expr::Nary(op, (0..n).map(|_| self.expr(&Sort::Bool, scope, depth - 1)).collect())
            }
        }
    }

    fn bits(&mut self, width: u32, scope: &Scope, depth: u32) -> Expr {
        use BinaryOp::{Add, Ashr, BitAnd, BitOr, BitXor, Lshr, Mul, Sdiv, Shl, Srem, Sub, Udiv, Urem};
        let sort = Sort::Bits(width);
        if self.dice.chance(25) {
            let op = self.dice.pick(&[UnaryOp::BitNot, UnaryOp::Neg, UnaryOp::SignResize(width)]);
            return Expr::Unary(op, Box::new(self.expr(&sort, scope, depth - 1)));
        }
        let all = [Add, Sub, Mul, Udiv, Urem, Sdiv, Srem, BitAnd, BitOr, BitXor, Shl, Lshr, Ashr];
        let op = self.dice.pick(&all);
        let left = self.expr(&sort, scope, depth - 1);
        Expr::Binary(op, Box::new(left), Box::new(self.expr(&sort, scope, depth - 1)))
    }

    fn update(&mut self, variable: VariableId, when: When, scope: &Scope) -> Update {
        let sort = self.sort_of(variable);
        let (index, sort) = match sort {
            Sort::Array(element, _) if self.dice.chance(60) => (Some(self.expr(&Sort::Bits(2), scope, 1)), *element),
            sort => (None, sort),
        };
        let value = if self.dice.chance(15) { Rhs::Any } else { Rhs::Expr(self.expr(&sort, scope, 2)) };
        Update { variable, index, when, value }
    }

    /// Updates of some of the variables, a guard and, sometimes, a constraint.
    fn relation(&mut self, reads: &Scope, writes: &[(VariableId, When)], always: bool, after: &Scope) -> Relation {
        let mut relation = Relation::identity();
        for (variable, when) in writes {
            if always || self.dice.chance(25) {
                relation.updates.push(self.update(*variable, *when, reads));
            }
        }
        if self.dice.chance(40) {
            relation.guard = self.expr(&Sort::Bool, reads, 2);
        }
        if self.dice.chance(20) {
            relation.constraint = self.expr(&Sort::Bool, after, 2);
        }
        relation
    }
}

fn at(variables: &[VariableId], when: When) -> Scope {
    variables.iter().map(|variable| (*variable, when)).collect()
}

struct Proc {
    id: ProcedureId,
    locals: Vec<VariableId>,
    locations: Vec<LocationId>,
}

fn random_program(seed: u64) -> Program {
    let mut w = Writer::new(seed);
    let all = sorts(w.colors);
    let shared: Vec<VariableId> = (0..2)
        .map(|i| {
            let sort = w.dice.pick(&all);
            w.builder.shared(format!("g{i}"), sort)
        })
        .collect();
    let procedures: Vec<Proc> = (0..3).map(|i| procedure(&mut w, i, &all)).collect();
    for index in 0..procedures.len() {
        edges(&mut w, &shared, &procedures, index);
    }
    w.builder.thread("main", procedures[0].id);
    if w.dice.chance(50) {
        let condition = w.expr(&Sort::Bool, &at(&shared, When::Before), 2);
        w.builder.start(condition);
    }
    w.builder.finish()
}

fn procedure(w: &mut Writer, index: usize, sorts: &[Sort]) -> Proc {
    let id = w.builder.procedure(format!("p{index}"));
    let locals = vec![w.builder.parameter(id, "a", Sort::Bool), w.builder.result(id, "r", Sort::Bool), {
        let sort = w.dice.pick(sorts);
        w.builder.local(id, "x", sort)
    }];
    let locations: Vec<LocationId> = (0..4).map(|_| w.builder.location(id)).collect();
    let entry = locations[usize::from(w.dice.chance(30))];
    w.builder.entry(entry);
    w.builder.exit(locations[3]);
    Proc { id, locals, locations }
}

fn edges(w: &mut Writer, shared: &[VariableId], procedures: &[Proc], index: usize) {
    let here = &procedures[index];
    let n_edges = 3 + w.dice.below(3);
    let scope = [shared, &here.locals].concat();
    let (before, after) = (at(&scope, When::Before), at(&scope, When::After));
    let both = [before.clone(), after.clone()].concat();
    for edge in 0..n_edges {
        let source = here.locations[if edge < 3 { edge } else { w.dice.below(3) }];
        let target = if edge < 3 { here.locations[edge + 1] } else { w.dice.pick(&here.locations) };
        if w.dice.chance(60) {
            let relation = w.relation(&before, &after, false, &both);
            w.builder.step(source, target, relation);
        } else {
            let callee = &procedures[w.dice.below(procedures.len())];
            let call = call(w, shared, here, callee);
            w.builder.call(source, target, call);
        }
    }
}

fn call(w: &mut Writer, shared: &[VariableId], caller: &Proc, callee: &Proc) -> Call {
    let program = w.builder.program();
    let entry = program.procedures[callee.id].entries[0];
    let scope = [shared, &caller.locals].concat();
    let before = at(&scope, When::Before);
    let entered = [at(shared, When::After), at(&callee.locals, When::After)].concat();
    let enter_reads = [before.clone(), entered, at(&caller.locals, When::Saved)].concat();
    let mut enter = w.relation(&before, &[(callee.locals[0], When::After)], true, &enter_reads);
    if w.dice.chance(25) {
        enter.updates.push(w.update(shared[0], When::After, &before));
    }
    if w.dice.chance(25) {
        enter.updates.push(w.update(caller.locals[2], When::Saved, &before));
    }
    let returned = [before.clone(), vec![(callee.locals[1], When::Result)]].concat();
    let after = at(&scope, When::After);
    let mut leave = w.relation(&returned, &after, false, &[returned.clone(), after.clone()].concat());
    if w.dice.chance(50) && !leave.writes(caller.locals[0], When::After) {
        leave.updates.push(Update::assign(caller.locals[0], Expr::Read(callee.locals[1], When::Result)));
    }
    Call { callee: callee.id, entry, enter, leave }
}

fn solved_by(name: &str, program: &Program, engine: &dyn Engine, seed: u64) -> Vec<LocationId> {
    let targets: Vec<LocationId> = program.locations.ids().collect();
    let budget = Budget::unlimited();
    let task = Task { program, targets: &targets, lengths: &[], bound: None, traces: true, certificate: true };
    let answer = engine.solve(&task, &Context { budget: &budget, observer: &Silent });
    assert_eq!(answer.stopped, None, "seed {seed}, {name}");
    assert_eq!(answer.traces.len(), answer.reached.len(), "seed {seed}, {name}");
    for (target, trace) in &answer.traces {
        interp::replay(program, trace, *target)
            .unwrap_or_else(|error| panic!("seed {seed}, {name}, {target:?}: {error}"));
    }
    if let Some(certificate) = &answer.certificate {
        let valid = witness::validate(program, certificate, &budget);
        assert!(valid.is_ok(), "seed {seed}, {name}: {valid:?}");
    }
    answer.reached
}

fn check(seed: u64) -> (usize, usize) {
    let program = random_program(seed);
    program::verify::verify(&program).unwrap_or_else(|defects| panic!("seed {seed}: {defects:?}"));
    let [expected, found] = ["explicit", "summary"].map(|name| {
        let engine = engine::engines().into_iter().find(|engine| engine.name() == name).expect("it exists");
        solved_by(name, &program, engine, seed)
    });
    assert_eq!(found, expected, "seed {seed}");
    (expected.len(), program.locations.len())
}

#[test]
fn the_engines_agree_on_random_models() {
    let (reached, all) = (0..300).map(check).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    assert!(reached * 5 > all && reached * 10 < all * 9, "a fair mix of answers: {reached} of {all}");
}

/// Calls that set what they save, and constraints between that and the callee's frame, among them.
#[test]
fn formulae_agree_with_the_oracle_on_random_models() {
    let mut n_split = 0;
    for seed in 0..60 {
        let program = random_program(seed);
        let expected = solved_by("explicit", &program, &engine::explicit::Explicit, seed);
        for (name, text) in ALGORITHMS.iter().filter(|(name, _)| !name.contains("termination")) {
            let formula = Formula::parse(name, text).expect("it is well formed");
            let targets: Vec<LocationId> = program.locations.ids().collect();
            if formula.needs_bound() || formula.prepare(&program, &targets, None).is_err() {
                continue;
            }
            n_split += usize::from(*name == "entry-forward-split");
            assert_eq!(solved_by(name, &program, &formula, seed), expected, "seed {seed}, {name}");
        }
    }
    assert!(n_split > 10, "some calls can be split: {n_split}");
}

/// A program with two or three threads; some variables are private, some locations atomic.
fn random_threads(seed: u64) -> Program {
    let mut program = random_program(seed);
    let mut dice = Dice(!seed);
    program.threads.push(Thread { name: "other".to_owned(), start: ProcedureId(1) });
    if dice.chance(40) {
        // Like one of the others.
        program.threads.push(Thread { name: "third".to_owned(), start: dice.pick(&[ProcedureId(0), ProcedureId(1)]) });
    }
    if dice.chance(40) {
        program.variables[VariableId(1)].scope = program::Scope::Private;
    }
    if *program.sort(VariableId(0)) == Sort::Bool && dice.chance(30) {
        program.uninterruptible = Expr::before(VariableId(0));
    }
    program.locations.iter_mut().for_each(|location| location.atomic = dice.chance(10));
    program
}

fn check_threads(seed: u64) -> (usize, usize) {
    let program = random_threads(seed);
    program::verify::verify(&program).unwrap_or_else(|defects| panic!("seed {seed}: {defects:?}"));
    let targets: Vec<LocationId> = program.locations.ids().collect();
    let bound = if seed.is_multiple_of(3) { Bound::Rounds(2) } else { Bound::Switches((seed % 4) as u32) };
    let solve = |engine: &dyn Engine, max_steps| {
        let budget = Budget::unlimited().with_max_steps(max_steps).with_max_depth(Some(4));
        let bound = Some(bound);
        let task = Task { program: &program, targets: &targets, lengths: &[], bound, traces: true, certificate: false };
        engine.solve(&task, &Context { budget: &budget, observer: &Silent })
    };
    let expected = solve(&engine::explicit::Explicit, Some(3_000));
    for engine in [engine::network::Network::Lazy, engine::network::Network::Eager] {
        let name = engine.name();
        let found = solve(&engine, None);
        assert_eq!((found.stopped, found.traces.len()), (None, found.reached.len()), "seed {seed}, {name}");
        for (target, trace) in &found.traces {
            let replay = interp::replay(&program, trace, *target);
            assert!(replay.is_ok(), "seed {seed}, {name}, {target:?}: {replay:?}");
        }
        let missing: Vec<_> = expected.reached.iter().filter(|target| !found.reached.contains(target)).collect();
        assert!(missing.is_empty(), "seed {seed}, {name}, {bound}: {missing:?} are reached");
        let is_complete = expected.stopped.is_none();
        assert!(!is_complete || found.reached == expected.reached, "seed {seed}, {name}, {bound}");
    }
    (expected.reached.len(), targets.len())
}

#[test]
fn networks_agree_with_the_oracle_on_random_models() {
    let (reached, all) = (0..40).map(check_threads).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    assert!(reached * 5 > all && reached * 10 < all * 9, "a fair mix of answers: {reached} of {all}");
}
