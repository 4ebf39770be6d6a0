//! Programs in text form and traces in, stories out.

use base::{Id as _, Source};
use program::{Choice, Run, RunId, When, text};

use super::*;

fn program(text: &str) -> Program {
    match text::parse(&Source::new("test", text)) {
        Ok((program, _)) => program,
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

fn step(action: Action) -> TraceStep {
    TraceStep { thread: 0, action, choices: Vec::new() }
}

fn take(edge: u32) -> TraceStep {
    step(Action::Take(EdgeId(edge)))
}

fn enter(edge: u32) -> TraceStep {
    step(Action::Enter(EdgeId(edge)))
}

fn across(edge: u32, run: u32) -> TraceStep {
    step(Action::Across(EdgeId(edge), RunId(run)))
}

fn by(thread: u32, step: TraceStep) -> TraceStep {
    TraceStep { thread, ..step }
}

fn run(steps: Vec<TraceStep>) -> Run {
    Run { entry: Vec::new(), steps }
}

/// `x=1` for Booleans and numbers; `p::x` for locals.
fn choices(program: &Program, values: &[(&str, u64)]) -> Vec<Choice> {
    let choice = |(name, value): &(&str, u64)| {
        let found = program.variables.ids().find(|id| program.qualified_name(*id) == *name);
        let variable = found.unwrap_or_else(|| panic!("no variable {name}"));
        Choice::after(variable, value_of(program.sort(variable), *value))
    };
    values.iter().map(choice).collect()
}

fn value_of(sort: &program::Sort, value: u64) -> Value {
    use program::Sort;
    match sort {
        Sort::Bool => Value::Bool(value != 0),
        Sort::Bits(_) => Value::Bits(value),
        Sort::Int => Value::Int((value as i64).into()),
        Sort::Enum(_) => Value::Enum(value as u32),
        Sort::Array(element, n) => {
            let digit = |at: &u32| value_of(element, value / 10u64.pow(n - 1 - at) % 10);
            Value::Array((0..*n).map(|at| digit(&at)).collect())
        }
    }
}

fn choosing(program: &Program, mut step: TraceStep, values: &[(&str, u64)]) -> TraceStep {
    step.choices = choices(program, values);
    step
}

fn trace(program: &Program, start: &[(&str, u64)], steps: Vec<TraceStep>) -> Trace {
    Trace { start: choices(program, start), steps, runs: Vec::new() }
}

fn show_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Bits(bits) => bits.to_string(),
        Value::Int(_) => unreachable!("these programs are finite"),
        Value::Enum(position) => format!("#{position}"),
        Value::Array(elements) => format!("[{}]", elements.iter().map(show_value).collect::<Vec<_>>().join(",")),
    }
}

fn show_values(program: &Program, values: &Values) -> String {
    let shown =
        values.iter().map(|(variable, value)| format!(" {}={}", program.variables[*variable].name, show_value(value)));
    shown.collect()
}

/// The story, a line for each event; a body is shown where it occurs first.
fn show(program: &Program, story: &Story) -> String {
    let mut text = String::new();
    let opening = |opening: &Opening| {
        let name = &program.procedures[opening.procedure].name;
        format!("thread {} {name}:{}\n", opening.thread, show_values(program, &opening.values))
    };
    story.opening.iter().for_each(|it| text += &opening(it));
    let mut shown = vec![false; story.bodies.len()];
    show_events(program, story, &story.events, 0, &mut shown, &mut text);
    story.later.iter().for_each(|it| text += &format!("later {}", opening(it)));
    let all = if story.only_what_matters { "" } else { ", all values" };
    text + &format!("{} steps, {} deep{all}\n", story.n_steps, story.max_depth)
}

fn show_events(program: &Program, story: &Story, events: &[Event], base: u32, shown: &mut [bool], text: &mut String) {
    for event in events {
        let indent = "  ".repeat(1 + (base + event.depth) as usize);
        let thread = if event.thread > 0 { format!("[{}] ", event.thread) } else { String::new() };
        let place = program.location_name(event.location);
        let changed = show_values(program, &event.changed);
        let entered = |procedure: ProcedureId, values: &Values| {
            format!("{}({})", program.procedures[procedure].name, show_values(program, values).trim_start())
        };
        let what = match &event.kind {
            EventKind::Step => format!("e{}", event.edge.0),
            EventKind::Spawn { procedure, values } => format!("spawn {}", entered(*procedure, values)),
            EventKind::Enter { procedure, values } => format!("enter {}", entered(*procedure, values)),
            EventKind::Return => "return".into(),
            EventKind::Call(body) if shown[body.index()] => format!("call, as before #{}", body.0),
            EventKind::Call(id) => {
                let body = &story.bodies[*id];
                let about = format!("{} steps, {} deep", body.n_steps, body.max_depth);
                format!("call #{} {} [{about}]", id.0, entered(body.procedure, &body.values))
            }
        };
        *text += &format!("{indent}{thread}{place} {what}:{changed}\n");
        if let EventKind::Call(id) = event.kind
            && !std::mem::replace(&mut shown[id.index()], true)
        {
            show_events(program, story, &story.bodies[id].events, base + event.depth + 1, shown, text);
        }
    }
}

fn told(program: &Program, trace: &Trace) -> String {
    match tell(program, trace) {
        Ok(story) => show(program, &story),
        Err(error) => panic!("{error}"),
    }
}

/// The first figure of the Bebop paper.
const FIGURE: &str = "
shared g: bool;
thread main: main;
procedure main() {
  local h: bool;
  entry 0; exit 7;
  0: -> 1 do h := !g;
  1: -> 2 call A.0 enter { do a1 := g, a2 := h };
  2: -> 3;
  3: -> 4 call A.0 enter { do a1 := g, a2 := h };
  4: -> 5;
  5: -> 6 when g;
     -> 7 when !g;
  6: -> 7;
  7:
}
procedure A(a1: bool, a2: bool) {
  local unused: bool;
  entry 0; exit 4;
  0: -> 1 when a1;
     -> 3 when !a1;
  1: -> 2 call A.0 enter { do a1 := a2, a2 := a1 };
  2: -> 4;
  3: -> 4 do g := a2;
  4:
}
";

fn figure(program: &Program) -> Trace {
    let steps = vec![take(0), across(1, 1), take(2), across(3, 1), take(4), take(5)];
    let runs = vec![run(vec![take(9), take(12)]), run(vec![take(8), across(10, 0), take(11)])];
    Trace { runs, ..trace(program, &[("g", 1)], steps) }
}

#[test]
fn the_figure_of_the_paper() {
    let program = program(FIGURE);
    insta::assert_snapshot!(told(&program, &figure(&program)), @r"
    thread 0 main: g=1
      main.0 e0: h=0
      main.1 call #1 A(a1=1 a2=0) [5 steps, 1 deep]:
        A.0 e8:
        A.1 call #0 A(a1=0 a2=1) [2 steps, 0 deep]:
          A.0 e9:
          A.3 e12: g=1
        A.2 e11:
      main.2 e2:
      main.3 call, as before #1:
      main.4 e4:
      main.5 e5:
    16 steps, 2 deep
    ");
}

#[test]
fn a_run_that_is_too_long_is_told_with_all_values_and_the_same_sharing() {
    let program = program(FIGURE);
    let story = tell_within(&program, &figure(&program), &Watched::default(), 10).unwrap();
    insta::assert_snapshot!(show(&program, &story), @r"
    thread 0 main: g=1 h=0
      main.0 e0: h=0
      main.1 call #1 A(a1=1 a2=0 unused=0) [5 steps, 1 deep]:
        A.0 e8:
        A.1 call #0 A(a1=0 a2=1 unused=0) [2 steps, 0 deep]:
          A.0 e9:
          A.3 e12: g=1
        A.2 e11:
      main.2 e2:
      main.3 call, as before #1:
      main.4 e4:
      main.5 e5:
    16 steps, 2 deep, all values
    ");
}

#[test]
fn what_is_left_open_and_not_read_is_left_out() {
    let program = program(
        "shared g: bool; shared other: bool;
         thread main: main;
         procedure main() {
           local x: bool; local y: bool; local z: bool; local never: bool;
           entry 0;
           0: -> 1 do havoc x, havoc y;
           1: -> 2 do z := y, other := x & false;
           2: -> 3 when x;
           3: -> 4 do x := any, y := any | g;
           4: -> 5 when y;
           5:
         }",
    );
    let steps = vec![
        choosing(&program, take(0), &[("main::x", 1), ("main::y", 1)]),
        take(1),
        take(2),
        choosing(&program, take(3), &[("main::x", 1), ("main::y", 1)]),
        take(4),
    ];
    insta::assert_snapshot!(told(&program, &trace(&program, &[], steps)), @r"
    thread 0 main:
      main.0 e0: x=1
      main.1 e1: other=0
      main.2 e2:
      main.3 e3: y=1
      main.4 e4:
    5 steps, 0 deep
    ");
}

/// A program with two shared Booleans, of which the trace reads some in a single guard.
fn guarded(guard: &str, start: &[(&str, u64)]) -> String {
    let program = program(&format!(
        "shared x: bool; shared y: bool; shared n: bits<2>; shared a: [bool; 2];
         thread main: main;
         procedure main() {{ entry 0; 0: -> 1 when {guard}; 1: }}"
    ));
    let story = tell(&program, &trace(&program, start, vec![take(0)])).unwrap();
    format!("{guard}:{}", show_values(&program, &story.opening[0].values))
}

#[test]
fn a_guard_needs_what_decides_it_and_no_more() {
    let x_and_y = [("x", 1), ("y", 1)];
    let checks = [
        guarded("x | y", &x_and_y),
        guarded("x | y", &[("y", 1)]),
        guarded("x & y", &x_and_y),
        guarded("!(x & y)", &[("x", 1)]),
        guarded("!(x & y)", &[]),
        guarded("x => y", &x_and_y),
        guarded("x => y", &[]),
        guarded("x ^ y", &[("y", 1)]),
        guarded("x | any", &[]),
        guarded("x & any", &[("x", 1)]),
        guarded("(x ^ any) & (y | any)", &[]),
        guarded("!(x ^ (y & any))", &[("y", 1)]),
        guarded("any != (x & any)", &[]),
        guarded("ite(x, y, n = 1u2)", &x_and_y),
        guarded("ite(x, y, n = 1u2)", &[("n", 1)]),
        guarded("ite(any, y, n = 1u2)", &[("n", 1)]),
        guarded("ult(n, 2u2) & (x | n = 1u2)", &[("x", 1), ("n", 1)]),
        guarded("a[resize(n, 1)]", &[("n", 1), ("a", 1)]),
        guarded("x | a[n]", &[("x", 1), ("n", 1)]),
        guarded("x | a[resize(n, 1)]", &[("x", 1), ("n", 1)]),
    ];
    insta::assert_snapshot!(checks.join("\n"), @r"
    x | y: x=1
    x | y: y=1
    x & y: x=1 y=1
    !(x & y): y=0
    !(x & y): x=0
    x => y: y=1
    x => y: x=0
    x ^ y: x=0 y=1
    x | any:
    x & any: x=1
    (x ^ any) & (y | any):
    !(x ^ (y & any)): x=0
    any != (x & any):
    ite(x, y, n = 1u2): x=1 y=1
    ite(x, y, n = 1u2): x=0 n=1
    ite(any, y, n = 1u2): n=1
    ult(n, 2u2) & (x | n = 1u2): n=1
    a[resize(n, 1)]: n=1 a=[0,1]
    x | a[n]: x=1 n=1
    x | a[resize(n, 1)]: x=1
    ");
}

#[test]
fn an_uninitialised_local_that_is_read_is_part_of_the_start() {
    let program = program(
        "thread main: main;
         procedure main() {
           local x: bool; local y: bool;
           entry 0;
           0: -> 1 call p.0 enter { do a := y } leave { do x := result r };
           1: -> 2 when !x;
           2:
         }
         procedure p(a: bool) -> (r: bool) {
           local l: bool; local m: bool;
           entry 0; exit 2;
           0: -> 1 when l;
           1: -> 2 do m := !a;
           2:
         }",
    );
    let entry = choices(&program, &[("p::l", 1), ("p::r", 0)]);
    let runs = vec![Run { entry, steps: vec![take(2), take(3)] }];
    let trace = Trace { runs, ..trace(&program, &[("main::y", 1)], vec![across(0, 0), take(1)]) };
    insta::assert_snapshot!(told(&program, &trace), @r"
    thread 0 main:
      main.0 call #0 p(r=0 l=1) [2 steps, 0 deep]: x=0
        p.0 e2:
        p.1 e3:
      main.1 e1:
    4 steps, 1 deep
    ");
}

#[test]
fn arrays_are_needed_as_a_whole_and_indices_must_be_in_range() {
    let program = program(
        "shared a: [bits<3>; 3]; shared b: [bool; 3]; shared i: bits<2>; shared j: bits<2>;
         thread main: main;
         procedure main() {
           entry 0;
           0: -> 1 do a[i] := 5u3, b[j] := true;
           1: -> 2 when a[1u2] = 5u3;
           2:
         }",
    );
    let start = [("a", 123), ("b", 111), ("i", 1), ("j", 2)];
    insta::assert_snapshot!(told(&program, &trace(&program, &start, vec![take(0), take(1)])), @r"
    thread 0 main: a=[1,2,3] i=1 j=2
      main.0 e0: a=[1,5,3]
      main.1 e1:
    2 steps, 0 deep
    ");
}

#[test]
fn a_call_that_does_not_return_is_entered_in_sight() {
    let program = program(FIGURE);
    let steps = vec![take(0), enter(1), take(8), enter(10), take(9), take(12), step(Action::Return), take(11)];
    insta::assert_snapshot!(told(&program, &trace(&program, &[("g", 1)], steps)), @r"
    thread 0 main: g=1
      main.0 e0: h=0
      main.1 enter A(a1=1 a2=0):
        A.0 e8:
        A.1 enter A(a1=0 a2=1):
          A.0 e9:
          A.3 e12: g=1
          A.4 return:
        A.2 e11:
    7 steps, 2 deep
    ");
}

#[test]
fn entering_may_write_shared_variables_and_the_frame_that_waits() {
    let program = program(
        "shared g: bool;
         thread main: main;
         procedure main() {
           local x: bool; local y: bool;
           entry 0;
           0: -> 1 call p.0 enter { do ::g := true, havoc saved x, saved y := y, havoc a where a' = y & (saved x | saved y) }
                            leave { when x & ::g };
           1:
         }
         procedure p(a: bool) { entry 0; exit 0; 0: }",
    );
    let saved = |name: &str| {
        choices(&program, &[(name, 1)]).into_iter().map(|choice| Choice { when: When::Saved, ..choice }).collect()
    };
    let call = TraceStep { choices: saved("main::x"), ..across(0, 0) };
    let trace = Trace { runs: vec![run(Vec::new())], ..trace(&program, &[], vec![call]) };
    insta::assert_snapshot!(told(&program, &trace), @r"
    thread 0 main:
      main.0 call #0 p(g=1) [0 steps, 0 deep]: x=1
    1 steps, 1 deep
    ");
}

#[test]
fn constraints_that_say_what_a_variable_becomes_are_assignments() {
    let program = program(
        "shared x: bool; shared y: bool; shared z: bool; shared v: bool; shared w: bool;
         thread main: main;
         start !v & (x | y);
         procedure main() {
           entry 0;
           0: -> 1 do havoc x, havoc y, havoc z where x' = w & !y' & (z' | z);
           1: -> 2 do havoc v, havoc z where v' != z';
           2: -> 3 when !x;
           3:
         }",
    );
    let steps = vec![take(0), choosing(&program, take(1), &[("v", 1)]), take(2)];
    insta::assert_snapshot!(told(&program, &trace(&program, &[("x", 1), ("z", 1)], steps)), @r"
    thread 0 main: z=1 v=0 w=0
      main.0 e0: x=0 y=0
      main.1 e1:
      main.2 e2:
    3 steps, 0 deep
    ");
}

#[test]
fn a_condition_on_the_start_is_told_as_far_as_it_touches_what_matters() {
    let told = |guard: &str| {
        let program = program(&format!(
            "shared x: bool; shared y: bool; shared z: bool; shared n: bits<2>;
             thread main: main;
             start z = y & (x | y) & n = 3u2;
             procedure main() {{ entry 0; 0: -> 1 when {guard}; 1: }}"
        ));
        let trace = trace(&program, &[("y", 1), ("z", 1)], vec![take(0)]);
        format!("{guard}:{}", show_values(&program, &tell(&program, &trace).unwrap().opening[0].values))
    };
    insta::assert_snapshot!([told("!x"), told("n = 3u2"), told("z")].join("\n"), @r"
    !x: x=0 y=1 z=1 n=3
    n = 3u2: n=3
    z: y=1 z=1 n=3
    ");
}

#[test]
fn a_constraint_on_the_outcome_is_told_as_far_as_it_touches_what_matters() {
    let told = |guard: &str| {
        let program = program(&format!(
            "shared x: bool; shared y: bool; shared z: bool;
             thread main: main;
             procedure main() {{ entry 0; 0: -> 1 do havoc x, havoc y where x' | y'; 1: -> 2 when {guard}; 2: }}"
        ));
        let trace = trace(&program, &[], vec![choosing(&program, take(0), &[("y", 1)]), take(1)]);
        format!("{guard}:{}", show_values(&program, &tell(&program, &trace).unwrap().events[0].changed))
    };
    insta::assert_snapshot!([told("!x"), told("!z")].join("\n"), @r"
    !x: x=0 y=1
    !z:
    ");
}

#[test]
fn threads_have_their_own_values_and_init_comes_first() {
    let program = program(
        "shared lock: bool; shared x: bool; shared y: bool;
         private own: bits<2>;
         thread one: p; thread two: p;
         init begin;
         uninterruptible lock & y;
         procedure begin() { entry 0; exit 1; 0: -> 1 do x := true, havoc lock; 1: }
         procedure p() {
           local l: bool;
           entry 0;
           0: -> 1 when own = 2u2 & x;
           1: -> 2 spawn q.0 enter { do a := l, own := 3u2, y := false };
           2: -> 3 when own = 2u2;
           3:
         }
         procedure q(a: bool) {
           local b: bool;
           entry 0;
           0: -> 1 when a & own = 3u2;
           1:
         }",
    );
    let steps = vec![
        choosing(&program, take(0), &[("lock", 1)]),
        by(1, take(1)),
        by(1, take(2)),
        by(2, take(4)),
        by(1, take(3)),
    ];
    let start = [("own", 1), ("own", 2), ("p::l", 0), ("p::l", 1)];
    insta::assert_snapshot!(told(&program, &trace(&program, &start, steps)), @r"
    thread 0 begin:
      begin.0 e0: x=1
      [1] p.0 e1:
      [1] p.1 spawn q(a=1 own=3): y=0
      [2] q.0 e4:
      [1] p.2 e3:
    later thread 0 p:
    later thread 1 p: own=2 l=1
    5 steps, 0 deep
    ");
}

#[test]
fn a_thread_switch_needs_that_the_other_may_be_interrupted() {
    let program = program(
        "shared lock: bool; shared x: bool;
         thread one: p; thread two: p;
         uninterruptible lock & x;
         procedure p() { entry 0; 0: -> 1; 1: }",
    );
    insta::assert_snapshot!(told(&program, &trace(&program, &[("x", 1)], vec![take(0), by(1, take(0))])), @r"
    thread 0 p: lock=0
    thread 1 p:
      p.0 e0:
      [1] p.0 e0:
    2 steps, 0 deep
    ");
}

#[test]
fn traces_that_are_no_runs_are_refused() {
    let program = program(FIGURE);
    let trace = trace(&program, &[("g", 0)], vec![take(0), enter(1), take(8)]);
    let error = tell(&program, &trace).unwrap_err().to_string();
    insta::assert_snapshot!(error, @"at step 3: the edge from A.0 to A.1 cannot be taken: the guard is false");
    assert_eq!(tell_within(&program, &trace, &Watched::default(), 0).unwrap_err().to_string(), error);
}

/// Procedures of which each calls the one before twice; the innermost negates x.
fn doubling(n: u32) -> (Program, Trace) {
    let mut text = format!("shared x: bool; thread main: p{};\n", n - 1);
    text += "procedure p0() { entry 0; exit 2; 0: -> 1 do x := !x; 1: -> 2; 2: }\n";
    for at in 1..n {
        let call = format!("call p{}.0", at - 1);
        text += &format!("procedure p{at}() {{ entry 0; exit 2; 0: -> 1 {call}; 1: -> 2 {call}; 2: }}\n");
    }
    let steps = |at: u32| match at {
        0 => vec![take(0), take(1)],
        _ => [2 * at, 2 * at + 1].map(|edge| across(edge, at - 1)).to_vec(),
    };
    let runs = (0..n - 1).map(|at| run(steps(at))).collect();
    (program(&text), Trace { start: Vec::new(), steps: steps(n - 1), runs })
}

#[test]
fn a_long_run_costs_what_its_trace_costs() {
    let (program, trace) = doubling(60);
    let story = tell(&program, &trace).unwrap();
    assert!(!story.only_what_matters);
    assert_eq!((story.n_steps, story.max_depth), (trace.n_steps(), 59));
    // The innermost body depends on x; the others have it negated an even number of times.
    assert_eq!(story.bodies.len(), 60);
    let (program, trace) = doubling(10);
    let story = tell(&program, &trace).unwrap();
    assert!(story.only_what_matters);
    assert_eq!((story.n_steps, story.max_depth, story.bodies.len()), (trace.n_steps(), 9, 9));
}

#[test]
fn very_deep_calls_are_told() {
    const DEPTH: u32 = 50_000;
    let program = program(
        "thread main: main;
         procedure main() { local x: bool; entry 0; exit 1; 0: -> 1 call main.0; -> 1 when x; 1: }",
    );
    let entry = choices(&program, &[("main::x", 1)]);
    let mut runs = vec![Run { entry, steps: vec![take(1)] }];
    runs.extend((0..DEPTH).map(|inside| run(vec![across(0, inside)])));
    let trace = Trace { runs, ..trace(&program, &[], vec![across(0, DEPTH)]) };
    for max_moves in [0, MAX_MOVES] {
        let story = tell_within(&program, &trace, &Watched::default(), max_moves).unwrap();
        assert_eq!((story.n_steps, story.max_depth), (u64::from(DEPTH) + 2, DEPTH + 1));
        assert_eq!(story.bodies.len(), DEPTH as usize + 1);
    }
}

/// A loop that goes on while `x` is true, in a program with a `y` that nothing reads.
fn looping() -> (Program, Lasso) {
    let mut builder = program::ProgramBuilder::new();
    let main = builder.procedure("main");
    let [x, y] = ["x", "y"].map(|name| builder.shared(name, program::Sort::Bool));
    let [head, body] = [(), ()].map(|()| builder.location(main));
    let mut go = program::Relation::identity();
    go.guard = program::Expr::before(x);
    builder.step(head, body, go);
    let both = vec![program::Update::havoc(x), program::Update::havoc(y)];
    builder.step(body, head, program::Relation::update(both));
    builder.entry(head);
    builder.thread("main", main);
    let program = builder.finish();
    let back = choosing(&program, take(1), &[("x", 1), ("y", 0)]);
    let trace = trace(&program, &[("x", 1), ("y", 0)], vec![take(0), back]);
    (program, Lasso { trace, loop_start: 0 })
}

#[test]
fn what_a_round_needs_at_its_beginning_is_told_at_its_end() {
    let (program, lasso) = looping();
    let story = tell_lasso(&program, &lasso, &[]).unwrap();
    insta::assert_snapshot!(show(&program, &story), @"
    thread 0 main: x=1
      main.0 e0:
      main.1 e1: x=1
    2 steps, 0 deep
    ");
}

#[test]
fn what_is_watched_is_told_at_every_moment() {
    let (program, lasso) = looping();
    let y = program.variables.ids().nth(1).unwrap();
    let watched = Observation::Holds { condition: program::Expr::before(y), procedure: None };
    let story = tell_lasso(&program, &lasso, &[Observation::AnyOf(vec![watched])]).unwrap();
    insta::assert_snapshot!(show(&program, &story), @"
    thread 0 main: x=1 y=0
      main.0 e0:
      main.1 e1: x=1 y=0
    2 steps, 0 deep
    ");
}

#[test]
fn what_keeps_a_run_from_going_on_is_told() {
    let (program, mut lasso) = looping();
    lasso.trace.steps[1] = choosing(&program, take(1), &[("x", 0), ("y", 0)]);
    lasso.loop_start = 2;
    let story = tell_lasso(&program, &lasso, &[]).unwrap();
    insta::assert_snapshot!(show(&program, &story), @"
    thread 0 main: x=1
      main.0 e0:
      main.1 e1: x=0
    2 steps, 0 deep
    ");
}
