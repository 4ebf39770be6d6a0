//! Traces on small programs: what is accepted, what is refused and why.

use super::*;
use crate::{
    Action, BinaryOp, Call, Choice, EdgeId, Expr, LocationId, NaryOp, Program, ProgramBuilder, Relation, Rhs, Run,
    RunId, Sort, Spawn, Trace, TraceStep, Update, Value, VariableId, When,
};

fn step(action: Action) -> TraceStep {
    TraceStep { thread: 0, action, choices: Vec::new() }
}

fn take(edge: EdgeId) -> TraceStep {
    step(Action::Take(edge))
}

fn by(thread: u32, edge: EdgeId) -> TraceStep {
    TraceStep { thread, ..take(edge) }
}

fn choosing(mut step: TraceStep, choices: &[(VariableId, Value)]) -> TraceStep {
    step.choices = choices.iter().cloned().map(|(variable, value)| Choice::after(variable, value)).collect();
    step
}

fn trace(start: &[(VariableId, Value)], steps: Vec<TraceStep>) -> Trace {
    let start = start.iter().cloned().map(|(variable, value)| Choice::after(variable, value)).collect();
    Trace { start, steps, runs: Vec::new() }
}

fn fault(program: &Program, trace: &Trace, target: LocationId) -> (Place, Fault) {
    let error = replay(program, trace, target).expect_err("the trace is wrong");
    (error.place, error.fault)
}

fn truth(value: bool) -> Value {
    Value::Bool(value)
}

fn bits(value: u64, width: u32) -> Expr {
    Expr::Const(Value::Bits(value), Sort::Bits(width))
}

/// A program of one procedure whose edges form a line.
struct Line {
    builder: ProgramBuilder,
    last: LocationId,
}

impl Line {
    fn new() -> Self {
        let mut builder = ProgramBuilder::new();
        let main = builder.procedure("main");
        let last = builder.location(main);
        builder.entry(last);
        builder.thread("main", main);
        Self { builder, last }
    }

    fn then(&mut self, relation: Relation) -> EdgeId {
        let main = self.builder.program().locations[self.last].procedure;
        let source = std::mem::replace(&mut self.last, self.builder.location(main));
        self.builder.step(source, self.last, relation)
    }
}

#[test]
fn guards_are_passed_when_they_may_be_true() {
    let mut line = Line::new();
    let x = line.builder.shared("x", Sort::Bool);
    let e = line.then(Relation::assume(Expr::Nary(NaryOp::Or, vec![Expr::before(x), Expr::Any])));
    let f = line.then(Relation::assume(Expr::before(x)));
    let (program, end) = (line.builder.finish(), line.last);
    assert!(replay(&program, &trace(&[(x, truth(true))], vec![take(e), take(f)]), end).is_ok());
    let wrong = trace(&[(x, truth(false))], vec![take(e), take(f)]);
    assert_eq!(fault(&program, &wrong, end), (Place::Step(1), Fault::Impossible));
}

#[test]
fn updates_are_parallel_and_choices_must_be_possible() {
    let mut line = Line::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| line.builder.shared(name, Sort::Bool));
    let swap = vec![Update::assign(x, Expr::before(y)), Update::assign(y, Expr::before(x)), Update::havoc(z)];
    let e = line.then(Relation::update(swap));
    let f = line.then(Relation::assume(Expr::before(y).and(Expr::before(x).not()).and(Expr::before(z))));
    let (program, end) = (line.builder.finish(), line.last);
    let start = [(x, truth(true)), (y, truth(false))];
    let with = |choices: &[(VariableId, Value)]| trace(&start, vec![choosing(take(e), choices), take(f)]);
    assert!(replay(&program, &with(&[(z, truth(true))]), end).is_ok());
    assert!(replay(&program, &with(&[(z, truth(true)), (y, truth(true))]), end).is_ok());
    // Without a choice the smallest value is taken, which the next guard does not pass.
    assert_eq!(fault(&program, &with(&[]), end), (Place::Step(1), Fault::Impossible));
    // A deterministic update that disagrees, a value of the wrong sort, two values at once, a variable out of range.
    assert_eq!(fault(&program, &with(&[(y, truth(false))]), end), (Place::Step(0), Fault::Choice));
    assert_eq!(fault(&program, &with(&[(z, Value::Bits(1))]), end), (Place::Step(0), Fault::Choice));
    assert_eq!(fault(&program, &with(&[(z, truth(true)), (z, truth(false))]), end), (Place::Step(0), Fault::Choice));
    assert_eq!(fault(&program, &with(&[(VariableId(99), truth(true))]), end), (Place::Step(0), Fault::Choice));
}

#[test]
fn a_choice_for_a_variable_that_keeps_its_value_must_agree() {
    let mut line = Line::new();
    let x = line.builder.shared("x", Sort::Bool);
    let e = line.then(Relation::identity());
    let (program, end) = (line.builder.finish(), line.last);
    let with = |value| trace(&[(x, truth(true))], vec![choosing(take(e), &[(x, truth(value))])]);
    assert!(replay(&program, &with(true), end).is_ok());
    let error = replay(&program, &with(false), end).expect_err("x is true");
    assert_eq!(
        error.to_string(),
        "at step 1: the edge from main.0 to main.1 cannot be taken: the value false is chosen for x, but it keeps \
         its old one"
    );
}

#[test]
fn constraints_are_met_by_a_search_over_what_is_open() {
    let mut line = Line::new();
    let vars: Vec<VariableId> = (0..24).map(|n| line.builder.shared(format!("x{n}"), Sort::Bool)).collect();
    let all = vars.iter().map(|x| Expr::after(*x)).collect();
    let havoc = || vars.iter().map(|x| Update::havoc(*x)).collect();
    let e = line.then(Relation::update(havoc()).constrained(Expr::Nary(NaryOp::And, all)));
    let contradiction = Expr::after(vars[0]).and(Expr::after(vars[0]).not());
    let before = line.last;
    let f = line.then(Relation::update(havoc()).constrained(contradiction));
    let (program, end) = (line.builder.finish(), line.last);
    assert!(replay(&program, &trace(&[], vec![take(e)]), before).is_ok());
    assert_eq!(fault(&program, &trace(&[], vec![take(e), take(f)]), end), (Place::Step(1), Fault::Constraint));
    let chosen = choosing(take(e), &[(vars[7], truth(false))]);
    assert_eq!(fault(&program, &trace(&[], vec![chosen]), before), (Place::Step(0), Fault::Constraint));
}

#[test]
fn constraints_relate_old_and_new_numbers() {
    let mut line = Line::new();
    let n = line.builder.shared("n", Sort::Bits(8));
    let sum = Expr::Binary(BinaryOp::Add, Box::new(Expr::before(n)), Box::new(bits(3, 8)));
    let e = line.then(Relation::update(vec![Update::havoc(n)]).constrained(Expr::after(n).eq(sum)));
    let f = line.then(Relation::assume(Expr::before(n).eq(bits(2, 8))));
    let (program, end) = (line.builder.finish(), line.last);
    assert!(replay(&program, &trace(&[(n, Value::Bits(255))], vec![take(e), take(f)]), end).is_ok());
    assert_eq!(
        fault(&program, &trace(&[(n, Value::Bits(0))], vec![take(e), take(f)]), end),
        (Place::Step(1), Fault::Impossible)
    );
    assert_eq!(fault(&program, &trace(&[(n, Value::Bits(256))], vec![]), end), (Place::Start, Fault::Choice));
}

#[test]
fn what_a_constraint_fixes_by_equality_is_not_searched_for() {
    let mut line = Line::new();
    let (width, n) = (16, 12);
    let a = line.builder.shared("a", Sort::Array(Box::new(Sort::Bits(width)), n));
    let k = line.builder.shared("k", Sort::Bits(4));
    let at = |when: When, index: Expr| Expr::Index(Box::new(Expr::Read(a, when)), Box::new(index));
    let kept = |i: u32| {
        let index = || bits(u64::from(i), 4);
        let keeps = at(When::After, index()).eq(at(When::Before, index()));
        Expr::Nary(NaryOp::Or, vec![keeps, Expr::before(k).eq(index())])
    };
    let others = || (0..n).map(kept);
    let written = |value: u64| at(When::After, Expr::before(k)).eq(bits(value, width));
    let all = |conditions: Vec<Expr>| {
        Relation::update(vec![Update::havoc(a)]).constrained(Expr::Nary(NaryOp::And, conditions))
    };
    let e = line.then(all(others().chain([written(77)]).collect()));
    let is = |i: u64, value: u64| at(When::Before, bits(i, 4)).eq(bits(value, width));
    let seen = line.then(Relation::assume(is(3, 77).and(is(0, 9)).and(is(11, 9))));
    let before = line.last;
    let f = line.then(all(others().chain([written(77), written(78)]).collect()));
    let (program, end) = (line.builder.finish(), line.last);
    let start = [(a, Value::Array(vec![Value::Bits(9); n as usize])), (k, Value::Bits(3))];
    assert!(replay(&program, &trace(&start, vec![take(e), take(seen)]), before).is_ok());
    let twice = trace(&start, vec![take(e), take(seen), take(f)]);
    assert_eq!(fault(&program, &twice, end), (Place::Step(2), Fault::Constraint));
}

#[test]
fn the_start_condition_binds_chosen_and_open_values() {
    let mut line = Line::new();
    let [x, y] = ["x", "y"].map(|name| line.builder.shared(name, Sort::Bool));
    line.builder.start(Expr::before(x).eq(Expr::before(y).not()));
    let e = line.then(Relation::assume(Expr::before(y)));
    let (program, end) = (line.builder.finish(), line.last);
    assert!(replay(&program, &trace(&[(x, truth(false))], vec![take(e)]), end).is_ok());
    assert!(replay(&program, &trace(&[], vec![take(e)]), end).is_ok());
    let both = trace(&[(x, truth(true)), (y, truth(true))], vec![take(e)]);
    assert_eq!(fault(&program, &both, end), (Place::Start, Fault::StartCondition));
}

#[test]
fn array_elements_are_read_and_written() {
    let mut line = Line::new();
    let a = line.builder.shared("a", Sort::Array(Box::new(Sort::Bits(4)), 3));
    let i = line.builder.shared("i", Sort::Bits(4));
    let write = |index: Expr, value: u64| Update {
        variable: a,
        index: Some(index),
        when: When::After,
        value: Rhs::Expr(bits(value, 4)),
    };
    let e = line.then(Relation::update(vec![write(Expr::before(i), 5), write(bits(1, 4), 6)]));
    let read = |index: u64| Expr::Index(Box::new(Expr::before(a)), Box::new(bits(index, 4)));
    let f = line.then(Relation::assume(read(0).eq(bits(5, 4)).and(read(1).eq(bits(6, 4)))));
    let (program, end) = (line.builder.finish(), line.last);
    let at = |index| trace(&[(i, Value::Bits(index))], vec![take(e), take(f)]);
    assert!(replay(&program, &at(0), end).is_ok());
    assert_eq!(fault(&program, &at(1), end), (Place::Step(1), Fault::Impossible));
    assert_eq!(fault(&program, &at(3), end), (Place::Step(0), Fault::Impossible));
}

#[test]
fn enumerations_and_arbitrary_elements_follow_the_choices() {
    let mut line = Line::new();
    let colour = Sort::Enum(line.builder.enumeration("colour", ["red", "green"].map(String::from).to_vec()));
    let a = line.builder.shared("a", Sort::Array(Box::new(colour.clone()), 2));
    let any = Update { variable: a, index: Some(bits(1, 1)), when: When::After, value: Rhs::Any };
    let e = line.then(Relation::update(vec![any]));
    let element = Expr::Index(Box::new(Expr::before(a)), Box::new(bits(1, 1)));
    let f = line.then(Relation::assume(element.eq(Expr::Const(Value::Enum(1), colour))));
    let (program, end) = (line.builder.finish(), line.last);
    let array = |colours: [u32; 2]| Value::Array(colours.map(Value::Enum).to_vec());
    let with = |after| trace(&[(a, array([0, 0]))], vec![choosing(take(e), &[(a, array(after))]), take(f)]);
    assert!(replay(&program, &with([0, 1]), end).is_ok());
    assert_eq!(fault(&program, &with([1, 1]), end), (Place::Step(0), Fault::Choice));
    assert_eq!(fault(&program, &with([0, 2]), end), (Place::Step(0), Fault::Choice));
    assert_eq!(fault(&program, &with([0, 0]), end), (Place::Step(1), Fault::Impossible));
}

/// `main` calls `p(x)`, which havocs its result r if its parameter holds; main gets it into x and saves y in between.
struct Calling {
    program: Program,
    x: VariableId,
    a: VariableId,
    r: VariableId,
    l: VariableId,
    call: EdgeId,
    body: EdgeId,
    check: EdgeId,
    inside: LocationId,
    end: LocationId,
}

fn calling() -> Calling {
    let mut b = ProgramBuilder::new();
    let x = b.shared("x", Sort::Bool);
    let main = b.procedure("main");
    let y = b.local(main, "y", Sort::Bool);
    let p = b.procedure("p");
    let [a, r, l] = [b.parameter(p, "a", Sort::Bool), b.result(p, "r", Sort::Bool), b.local(p, "l", Sort::Bool)];
    let [m0, m1, end] = [main; 3].map(|main| b.location(main));
    let [p0, inside, p2] = [p; 3].map(|p| b.location(p));
    b.entry(m0);
    b.entry(p0);
    b.exit(p2);
    b.thread("main", main);
    let saved = Update { when: When::Saved, ..Update::assign(y, Expr::before(y).not()) };
    let enter = Relation::update(vec![Update::assign(a, Expr::before(x)), saved]);
    let leave = Relation::update(vec![Update::assign(x, Expr::Read(r, When::Result))]);
    let call = b.call(m0, m1, Call { callee: p, entry: p0, enter, leave });
    let body = b.step(p0, inside, Relation::assume(Expr::before(a).and(Expr::before(l))));
    b.step(inside, p2, Relation::update(vec![Update::havoc(r)]));
    let check = b.step(m1, end, Relation::assume(Expr::before(x).and(Expr::before(y))));
    Calling { program: b.finish(), x, a, r, l, call, body, check, inside, end }
}

impl Calling {
    fn run(&self, r: bool) -> Vec<TraceStep> {
        let havoc = EdgeId(self.body.0 + 1);
        vec![take(self.body), choosing(take(havoc), &[(self.r, truth(r))])]
    }
}

#[test]
fn calls_pass_parameters_results_and_saved_frames() {
    let c = calling();
    let entry = vec![Choice::after(c.l, truth(true))];
    let across = |run: Run| Trace {
        runs: vec![run],
        ..trace(&[(c.x, truth(true))], vec![step(Action::Across(c.call, RunId(0))), take(c.check)])
    };
    assert_eq!(
        replay(&c.program, &across(Run { entry: entry.clone(), steps: c.run(true) }), c.end).unwrap().n_moves,
        5
    );
    let no_l = across(Run { entry: Vec::new(), steps: c.run(true) });
    assert_eq!(fault(&c.program, &no_l, c.end), (Place::InRun(RunId(0), 0), Fault::Impossible));
    let no_r = across(Run { entry: entry.clone(), steps: c.run(false) });
    assert_eq!(fault(&c.program, &no_r, c.end), (Place::Step(1), Fault::Impossible));
    let unfinished = across(Run { entry: entry.clone(), steps: vec![take(c.body)] });
    assert_eq!(fault(&c.program, &unfinished, c.end), (Place::InRun(RunId(0), 1), Fault::Elsewhere));
    let mut wrong = entry;
    wrong.push(Choice::after(c.a, truth(false)));
    let wrong = across(Run { entry: wrong, steps: c.run(true) });
    assert_eq!(fault(&c.program, &wrong, c.end), (Place::Step(0), Fault::Choice));
}

#[test]
fn a_run_stays_in_its_call() {
    let c = calling();
    let entry = vec![Choice::after(c.l, truth(true))];
    let across = |steps: Vec<TraceStep>| Trace {
        runs: vec![Run { entry: entry.clone(), steps }],
        ..trace(&[(c.x, truth(true))], vec![step(Action::Across(c.call, RunId(0)))])
    };
    let mut returning = c.run(true);
    returning.push(step(Action::Return));
    assert_eq!(fault(&c.program, &across(returning), c.end), (Place::InRun(RunId(0), 2), Fault::WrongEnd));
    let elsewhere = c.run(true).into_iter().map(|step| TraceStep { thread: 1, ..step }).collect();
    assert_eq!(fault(&c.program, &across(elsewhere), c.end), (Place::InRun(RunId(0), 0), Fault::NotItsTurn));
}

#[test]
fn calls_may_also_be_entered_and_left_step_by_step_or_never_left() {
    let c = calling();
    let enter = choosing(step(Action::Enter(c.call)), &[(c.l, truth(true))]);
    let mut steps = vec![enter.clone()];
    steps.extend(c.run(true));
    steps.extend([step(Action::Return), take(c.check)]);
    assert!(replay(&c.program, &trace(&[(c.x, truth(true))], steps.clone()), c.end).is_ok());
    let inside = trace(&[(c.x, truth(true))], vec![enter, take(c.body)]);
    assert!(replay(&c.program, &inside, c.inside).is_ok());
    assert_eq!(fault(&c.program, &inside, c.end), (Place::End, Fault::WrongEnd));
    steps.swap(2, 3);
    let early = trace(&[(c.x, truth(true))], steps);
    assert_eq!(fault(&c.program, &early, c.end), (Place::Step(2), Fault::Elsewhere));
}

#[test]
fn traces_that_name_what_does_not_exist_are_refused() {
    let c = calling();
    let start = [(c.x, truth(true))];
    let first = |step: TraceStep| fault(&c.program, &trace(&start, vec![step]), c.end);
    assert_eq!(first(take(EdgeId(77))), (Place::Step(0), Fault::Unknown));
    assert_eq!(first(by(1, c.body)), (Place::Step(0), Fault::Unknown));
    assert_eq!(first(take(c.body)), (Place::Step(0), Fault::Elsewhere));
    assert_eq!(first(take(c.call)), (Place::Step(0), Fault::Unknown));
    assert_eq!(first(step(Action::Return)), (Place::Step(0), Fault::Elsewhere));
    assert_eq!(first(step(Action::Across(c.call, RunId(0)))), (Place::Step(0), Fault::Unknown));
    let itself = Run { entry: Vec::new(), steps: vec![step(Action::Across(c.call, RunId(0)))] };
    let runs = vec![itself];
    let circular = Trace { runs, ..trace(&start, vec![step(Action::Across(c.call, RunId(0)))]) };
    assert_eq!(fault(&c.program, &circular, c.end), (Place::InRun(RunId(0), 0), Fault::Unknown));
}

/// Procedures p0, p1, ... of which each calls the one before twice; the last is main. The innermost negates x.
fn doubling(n: usize) -> (Program, Trace, LocationId) {
    let mut b = ProgramBuilder::new();
    let x = b.shared("x", Sort::Bool);
    let mut runs: Vec<Run> = Vec::new();
    let mut callee = None;
    let mut end = LocationId(0);
    for at in 0..n {
        let p = b.procedure(format!("p{at}"));
        let l: Vec<LocationId> = (0..3).map(|_| b.location(p)).collect();
        b.entry(l[0]);
        b.exit(l[2]);
        end = l[2];
        let mut edge = |source, target| match callee {
            None => {
                let negate = Relation::update(vec![Update::assign(x, Expr::before(x).not())]);
                let relation = if source == l[0] { negate } else { Relation::identity() };
                take(b.step(source, target, relation))
            }
            Some((callee, entry)) => {
                let (enter, leave) = (Relation::identity(), Relation::identity());
                let edge = b.call(source, target, Call { callee, entry, enter, leave });
                step(Action::Across(edge, RunId(at as u32 - 1)))
            }
        };
        let steps = vec![edge(l[0], l[1]), edge(l[1], l[2])];
        runs.push(Run { entry: Vec::new(), steps });
        callee = Some((p, l[0]));
    }
    let main = callee.map(|(main, _)| main).unwrap();
    b.thread("main", main);
    let steps = runs.pop().unwrap().steps;
    (b.finish(), Trace { start: Vec::new(), steps, runs }, end)
}

#[test]
fn replay_costs_what_the_trace_costs_and_not_what_the_run_does() {
    let (program, trace, end) = doubling(60);
    assert!(trace.n_steps() > 1 << 59);
    let replayed = replay(&program, &trace, end).unwrap();
    assert!(replayed.n_moves < 1000, "{replayed:?}");
    let (program, trace, end) = doubling(10);
    let mut player = Player::new(&program, &trace).unwrap();
    let mut kinds = [0; 2];
    while let Some(played) = player.next_move().unwrap() {
        match played.moved.kind {
            MoveKind::Step => kinds[0] += 1,
            MoveKind::Enter => kinds[1] += 1,
            MoveKind::Leave | MoveKind::Spawn => {}
        }
    }
    assert_eq!(kinds, [1 << 10, (1 << 10) - 2]);
    assert_eq!(player.machine().configuration().locations().collect::<Vec<_>>(), [end]);
}

#[test]
fn very_deep_calls_replay() {
    const DEPTH: u32 = 50_000;
    let mut b = ProgramBuilder::new();
    let main = b.procedure("main");
    let [l0, l1] = [main; 2].map(|main| b.location(main));
    b.entry(l0);
    b.exit(l1);
    b.thread("main", main);
    let (enter, leave) = (Relation::identity(), Relation::identity());
    let call = b.call(l0, l1, Call { callee: main, entry: l0, enter, leave });
    let skip = b.step(l0, l1, Relation::identity());
    let across = |run: u32| step(Action::Across(call, RunId(run)));
    let mut runs = vec![Run { entry: Vec::new(), steps: vec![take(skip)] }];
    runs.extend((0..DEPTH).map(|run| Run { entry: Vec::new(), steps: vec![across(run)] }));
    let trace = Trace { start: Vec::new(), steps: vec![across(DEPTH)], runs };
    assert!(replay(&b.finish(), &trace, l1).is_ok());
}

#[test]
fn a_run_may_differ_by_the_state_in_which_it_begins() {
    // The same run is used twice, from different shared states: what is remembered of the first must not be used.
    let mut b = ProgramBuilder::new();
    let n = b.shared("n", Sort::Bits(4));
    let [main, p] = ["main", "p"].map(|name| b.procedure(name));
    let m: Vec<LocationId> = (0..4).map(|_| b.location(main)).collect();
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(m[0]);
    b.entry(p0);
    b.exit(p1);
    b.thread("main", main);
    let call = || Call { callee: p, entry: p0, enter: Relation::identity(), leave: Relation::identity() };
    let calls: Vec<EdgeId> = (0..3).map(|at| b.call(m[at], m[at + 1], call())).collect();
    let sum = Expr::Binary(BinaryOp::Add, Box::new(Expr::before(n)), Box::new(bits(1, 4)));
    let add = b.step(p0, p1, Relation::update(vec![Update::assign(n, sum)]));
    let end = b.location(main);
    let check = b.step(m[3], end, Relation::assume(Expr::before(n).eq(bits(3, 4))));
    let runs = vec![Run { entry: Vec::new(), steps: vec![take(add)] }];
    let mut steps: Vec<TraceStep> = calls.iter().map(|call| step(Action::Across(*call, RunId(0)))).collect();
    steps.push(take(check));
    let trace = Trace { runs, ..trace(&[(n, Value::Bits(0))], steps) };
    assert!(replay(&b.finish(), &trace, end).is_ok());
}

/// Two threads of one procedure: atomic_begin, a step, atomic_end; and a way round it.
fn atomic_threads() -> (Program, [EdgeId; 3], LocationId) {
    let mut b = ProgramBuilder::new();
    let p = b.procedure("p");
    let l: Vec<LocationId> = (0..4).map(|_| b.location(p)).collect();
    b.entry(l[0]);
    b.atomic(l[1]);
    b.atomic(l[2]);
    let edges = [0, 1, 2].map(|at| b.step(l[at], l[at + 1], Relation::identity()));
    b.thread("one", p);
    b.thread("two", p);
    (b.finish(), edges, l[3])
}

#[test]
fn nobody_else_moves_while_a_thread_is_at_an_atomic_location() {
    let (program, e, end) = atomic_threads();
    let run =
        |steps: Vec<TraceStep>| replay(&program, &trace(&[], steps), end).map_err(|error| (error.place, error.fault));
    assert!(run(vec![by(0, e[0]), by(0, e[1]), by(0, e[2]), by(1, e[0]), by(1, e[1]), by(1, e[2])]).is_ok());
    assert_eq!(run(vec![by(0, e[0]), by(1, e[0])]), Err((Place::Step(1), Fault::NotItsTurn)));
    assert_eq!(run(vec![by(1, e[0]), by(1, e[1]), by(0, e[0])]), Err((Place::Step(2), Fault::NotItsTurn)));
    // The thread that moved last must be the one that is there.
    assert_eq!(run(vec![by(0, e[0]), by(0, e[1]), by(0, e[2]), by(1, e[0])]), Err((Place::End, Fault::WrongEnd)));
}

/// What one thread has played is not taken for the run of another: its steps name their thread.
#[test]
fn a_remembered_run_belongs_to_its_thread() {
    let mut b = ProgramBuilder::new();
    let [main, p] = ["main", "p"].map(|name| b.procedure(name));
    let [m0, m1] = [main; 2].map(|main| b.location(main));
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(m0);
    b.entry(p0);
    b.exit(p1);
    let inside = b.step(p0, p1, Relation::identity());
    let (enter, leave) = (Relation::identity(), Relation::identity());
    let call = b.call(m0, m1, Call { callee: p, entry: p0, enter, leave });
    b.thread("one", main);
    b.thread("two", main);
    let program = b.finish();
    let step = |thread, action| TraceStep { thread, action, choices: Vec::new() };
    let run = Run { entry: Vec::new(), steps: vec![step(0, Action::Take(inside))] };
    let both = [0, 1].map(|thread| step(thread, Action::Across(call, RunId(0)))).to_vec();
    let trace = Trace { start: Vec::new(), steps: both, runs: vec![run] };
    assert_eq!(fault(&program, &trace, m1), (Place::InRun(RunId(0), 0), Fault::NotItsTurn));
}

#[test]
fn a_caller_at_an_atomic_location_keeps_others_out_of_its_callee_too() {
    let mut b = ProgramBuilder::new();
    let [main, p] = ["main", "p"].map(|name| b.procedure(name));
    let [m0, m1] = [main; 2].map(|main| b.location(main));
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(m0);
    b.entry(p0);
    b.exit(p1);
    b.atomic(m0);
    b.thread("main", main);
    b.thread("other", p);
    let (enter, leave) = (Relation::identity(), Relation::identity());
    let call = b.call(m0, m1, Call { callee: p, entry: p0, enter, leave });
    let skip = b.step(p0, p1, Relation::identity());
    let program = b.finish();
    let steps = |other: usize| {
        let mut steps = vec![step(Action::Enter(call)), take(skip), step(Action::Return)];
        steps.insert(other, by(1, skip));
        trace(&[], steps)
    };
    assert!(replay(&program, &steps(3), p1).is_ok());
    for other in 0..3 {
        assert_eq!(fault(&program, &steps(other), m1), (Place::Step(other), Fault::NotItsTurn));
    }
}

#[test]
fn the_active_thread_is_not_interrupted_while_the_condition_holds() {
    let mut b = ProgramBuilder::new();
    let lock = b.shared("lock", Sort::Bool);
    b.uninterruptible(Expr::before(lock));
    let p = b.procedure("p");
    let l: Vec<LocationId> = (0..3).map(|_| b.location(p)).collect();
    b.entry(l[0]);
    let e = b.step(l[0], l[1], Relation::update(vec![Update::assign(lock, Expr::TRUE)]));
    let f = b.step(l[1], l[2], Relation::update(vec![Update::assign(lock, Expr::FALSE)]));
    b.thread("one", p);
    b.thread("two", p);
    let program = b.finish();
    let from = |locked: bool, steps: Vec<TraceStep>| trace(&[(lock, truth(locked))], steps);
    assert!(replay(&program, &from(true, vec![by(1, e), by(1, f), by(0, e), by(0, f)]), l[2]).is_ok());
    assert_eq!(fault(&program, &from(false, vec![by(0, e), by(1, e)]), l[1]), (Place::Step(1), Fault::NotItsTurn));
}

#[test]
fn init_runs_first_then_the_threads_with_their_own_private_variables() {
    let mut b = ProgramBuilder::new();
    let x = b.shared("x", Sort::Bool);
    let own = b.private("own", Sort::Bits(2));
    b.start(Expr::before(own).eq(bits(0, 2)).not());
    let [init, p] = ["init", "p"].map(|name| b.procedure(name));
    let [i0, i1] = [init; 2].map(|init| b.location(init));
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(i0);
    b.exit(i1);
    b.entry(p0);
    b.init(init);
    b.thread("one", p);
    b.thread("two", p);
    let set = b.step(i0, i1, Relation::update(vec![Update::assign(x, Expr::TRUE)]));
    let go = b.step(p0, p1, Relation::assume(Expr::before(x).and(Expr::before(own).eq(bits(3, 2)))));
    let program = b.finish();
    let start = |one, two| [(own, Value::Bits(one)), (own, Value::Bits(two))];
    assert!(replay(&program, &trace(&start(1, 3), vec![take(set), by(1, go)]), p1).is_ok());
    assert!(replay(&program, &trace(&start(1, 3), vec![take(set)]), i1).is_ok());
    assert!(replay(&program, &trace(&start(1, 3), vec![take(set)]), p0).is_ok());
    assert_eq!(
        fault(&program, &trace(&start(1, 3), vec![take(set), by(0, go)]), p1),
        (Place::Step(1), Fault::Impossible)
    );
    assert_eq!(fault(&program, &trace(&start(1, 3), vec![by(1, go)]), p1), (Place::Step(0), Fault::Unknown));
    assert_eq!(fault(&program, &trace(&start(1, 3), vec![by(0, go)]), p1), (Place::Step(0), Fault::Elsewhere));
    assert_eq!(fault(&program, &trace(&start(1, 0), vec![]), i0), (Place::Start, Fault::StartCondition));
    let three = [start(1, 3).to_vec(), vec![(own, Value::Bits(1))]].concat();
    assert_eq!(fault(&program, &trace(&three, vec![]), i0), (Place::Start, Fault::Choice));
}

#[test]
fn spawned_threads_come_last_and_have_their_own_frames() {
    let mut b = ProgramBuilder::new();
    let own = b.private("own", Sort::Bool);
    let [main, p] = ["main", "p"].map(|name| b.procedure(name));
    let a = b.parameter(p, "a", Sort::Bits(2));
    let l = b.local(main, "l", Sort::Bits(2));
    let [m0, m1] = [main; 2].map(|main| b.location(main));
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(m0);
    b.entry(p0);
    b.thread("main", main);
    let enter = Relation::update(vec![Update::assign(a, Expr::before(l))]);
    let spawn = b.spawn(m0, m1, Spawn { callee: p, entry: p0, enter });
    let again = b.step(m1, m0, Relation::update(vec![Update::assign(l, bits(1, 2))]));
    let go = b.step(p0, p1, Relation::assume(Expr::before(a).eq(bits(1, 2)).and(Expr::before(own))));
    let program = b.finish();
    let start = [(own, truth(false)), (l, Value::Bits(2))];
    let with = |own_of_second| {
        let second = choosing(take(spawn), &[(own, truth(own_of_second))]);
        trace(&start, vec![take(spawn), take(again), second, by(2, go)])
    };
    assert!(replay(&program, &with(true), p1).is_ok());
    assert_eq!(fault(&program, &with(false), p1), (Place::Step(3), Fault::Impossible));
    assert!(replay(&program, &trace(&start, vec![take(spawn)]), p0).is_ok());
    let first = trace(&start, vec![choosing(take(spawn), &[(own, truth(true))]), by(1, go)]);
    assert_eq!(fault(&program, &first, p1), (Place::Step(1), Fault::Impossible));
}

/// A thread that `init` starts is there at once, but moves only when `init` is over, and comes after the others.
#[test]
fn threads_that_init_starts_begin_with_the_others() {
    let mut b = ProgramBuilder::new();
    let x = b.shared("x", Sort::Bool);
    let [init, main, p] = ["init", "main", "p"].map(|name| b.procedure(name));
    let a = b.parameter(p, "a", Sort::Bits(2));
    let [i0, i1, i2] = [init; 3].map(|init| b.location(init));
    let m0 = b.location(main);
    let [p0, p1] = [p; 2].map(|p| b.location(p));
    b.entry(i0);
    b.exit(i2);
    b.entry(m0);
    b.entry(p0);
    b.init(init);
    b.thread("main", main);
    let enter = Relation::update(vec![Update::assign(a, bits(2, 2)), Update::assign(x, Expr::FALSE)]);
    let spawn = b.spawn(i0, i1, Spawn { callee: p, entry: p0, enter });
    let set = b.step(i1, i2, Relation::update(vec![Update::assign(x, Expr::TRUE)]));
    let go = b.step(p0, p1, Relation::assume(Expr::before(x).and(Expr::before(a).eq(bits(2, 2)))));
    let program = b.finish();
    assert!(replay(&program, &trace(&[], vec![take(spawn), take(set), by(1, go)]), p1).is_ok());
    assert!(replay(&program, &trace(&[], vec![take(spawn)]), p0).is_ok());
    assert_eq!(fault(&program, &trace(&[], vec![take(spawn)]), m0), (Place::End, Fault::WrongEnd));
    assert!(replay(&program, &trace(&[], vec![take(spawn), take(set)]), m0).is_ok());
    assert_eq!(fault(&program, &trace(&[], vec![take(spawn), by(1, go)]), p1), (Place::Step(1), Fault::Unknown));
    let first = trace(&[], vec![take(spawn), take(set), by(0, go)]);
    assert_eq!(fault(&program, &first, p1), (Place::Step(2), Fault::Elsewhere));
}

#[test]
fn a_limit_stops_a_replay() {
    let (program, trace, end) = doubling(3);
    let budget = base::Budget::unlimited();
    budget.cancel().cancel();
    let stopped = replay_within(&program, &trace, end, &budget).map_err(|error| error.fault);
    assert_eq!(stopped, Err(Fault::Stopped(base::StopReason::Cancelled)));
}
