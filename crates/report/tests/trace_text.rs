//! Traces as text: the layout, folding, eliding, hostile names, great depth.

use insta::assert_snapshot;
use report::json::outcome::{TargetName, TargetWord};
use report::json::threads::{Stack, StackFrame, Switch};
use report::json::trace::{CallBody, Event, EventKind, Opening, Statement, Story, Trace};
use report::json::value::{JsonValue, Known};
use report::text::trace::{TraceStyle, render};

fn known(values: &[(&str, bool)]) -> Vec<Known> {
    let known = |(name, value): &(&str, bool)| Known { variable: (*name).to_owned(), value: JsonValue::Bool(*value) };
    values.iter().map(known).collect()
}

/// An event of the statement on a line.
fn event(kind: EventKind, line: u32) -> Event {
    Event {
        kind,
        statement: Some(line),
        thread: 0,
        switch: 0,
        depth: 0,
        callee: None,
        call: None,
        values: Vec::new(),
        changed: Vec::new(),
    }
}

fn step(line: u32, changed: &[(&str, bool)]) -> Event {
    Event { changed: known(changed), ..event(EventKind::Step, line) }
}

fn call(line: u32, body: u32) -> Event {
    Event { call: Some(body), ..event(EventKind::Call, line) }
}

/// Statements by line; on all other lines there is `skip`.
fn statements(texts: &[(u32, &str)]) -> Vec<Statement> {
    let text = |line| texts.iter().find(|(at, _)| *at == line).map_or("skip", |(_, text)| text).to_owned();
    let statement = |line| Statement {
        procedure: "main".to_owned(),
        file: None,
        line,
        column: 1,
        text: text(line),
        labels: Vec::new(),
    };
    (0..=1_000).map(statement).collect()
}

fn body(name: &str, values: &[(&str, bool)], steps: u64, events: Vec<Event>) -> CallBody {
    CallBody { procedure: name.to_owned(), values: known(values), steps, events }
}

fn opening(values: &[(&str, bool)]) -> Vec<Opening> {
    vec![Opening { thread: 0, procedure: "main".to_owned(), values: known(values) }]
}

/// A trace through the statements.
fn trace(texts: &[(u32, &str)], opening: Vec<Opening>, events: Vec<Event>, calls: Vec<CallBody>) -> Trace {
    let statements = statements(texts);
    let story = Story {
        only_what_matters: true,
        threads: Vec::new(),
        init_events: 0,
        switches: Vec::new(),
        opening,
        later: Vec::new(),
        statements,
        events,
        loop_start: None,
        calls,
    };
    Trace { steps: 16, switches: None, depth: 2, shortest: true, replayed: true, story: Some(story), replay: None }
}

fn target(kind: TargetWord, label: Option<&str>, line: u32, text: &str) -> TargetName {
    TargetName {
        kind,
        label: label.map(str::to_owned),
        procedure: "main".to_owned(),
        line: Some(line),
        column: Some(1),
        text: text.to_owned(),
    }
}

/// The first figure of the Bebop paper.
fn figure() -> Trace {
    let inner = vec![step(20, &[]), step(24, &[("g", true)])];
    let outer = vec![step(20, &[]), call(21, 0), step(22, &[])];
    let calls = vec![
        body("A", &[("A::a1", false), ("A::a2", true)], 2, inner),
        body("A", &[("A::a1", true), ("A::a2", false)], 5, outer),
    ];
    let events =
        vec![step(6, &[("main::h", false)]), call(7, 1), step(8, &[]), call(9, 1), step(10, &[]), step(11, &[])];
    trace(
        &[
            (6, "h := !g"),
            (7, "A(g, h)"),
            (9, "A(g, h)"),
            (11, "if (g)"),
            (20, "if (a1)"),
            (21, "A(a2, a1)"),
            (24, "g := a2"),
        ],
        opening(&[("g", true)]),
        events,
        calls,
    )
}

fn shown(trace: &Trace, target: &TargetName, expand: bool) -> String {
    render(trace, target, TraceStyle { expand, ..TraceStyle::default() })
}

#[test]
fn the_figure_of_the_paper() {
    assert_snapshot!(shown(&figure(), &target(TargetWord::Label, Some("main::R"), 12, "skip"), false), @r#"
    main                                 g=1
    6    h := !g                         h=0
    7    A(g, h)
         A                               a1=1 a2=0
    20     if (a1)
    21     A(a2, a1)
           A                             a1=0 a2=1
    20       if (a1)
    24       g := a2                     g=1
    22     skip
    8    skip
    9    A(g, h)                         (5 steps, as before; --expand)
    10   skip
    11   if (g)
    12   R: skip                         <-- R

    16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.
    "#);
}

#[test]
fn expanded_every_call_is_written_out() {
    let text = shown(&figure(), &target(TargetWord::Label, Some("R"), 12, "skip"), true);
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let visited = "6 7 A 20 21 A 20 24 22 8 9 A 20 21 A 20 24 22 10 11 12";
    assert!(lines.join(" ").starts_with(&format!("main {visited}")), "{text}");
}

#[test]
fn an_assertion_is_marked_where_it_is_violated() {
    let events = vec![step(3, &[("x", false)]), step(4, &[])];
    let trace = trace(&[(3, "x := *"), (4, "assert(x)")], opening(&[]), events, vec![]);
    assert_snapshot!(shown(&trace, &target(TargetWord::Assertion, None, 4, "assert(x)"), false), @r#"
    main
    3    x := *                          x=0
    4    assert(x)                       <-- violated

    16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.
    "#);
}

#[test]
fn calls_that_do_not_return_stay_open() {
    let enter = Event { callee: Some("p".to_owned()), values: known(&[("p::a", true)]), ..event(EventKind::Enter, 3) };
    let inside = Event { depth: 1, ..step(9, &[("p::b", true)]) };
    let trace = trace(&[(3, "p(1)"), (9, "b := a")], opening(&[]), vec![enter, inside], vec![]);
    assert_snapshot!(shown(&trace, &target(TargetWord::Label, Some("E"), 10, "skip"), false), @r#"
    main
    3    p(1)
         p                               a=1
    9      b := a                        b=1
    10     E: skip                       <-- E

    16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.
    "#);
}

#[test]
fn values_that_a_call_returns_are_shown() {
    let returning = Event { changed: known(&[("main::x", true)]), ..call(3, 0) };
    let events = vec![returning.clone(), returning];
    let calls = vec![body("f", &[], 1, vec![step(9, &[("f::return", true)])])];
    let trace = trace(&[(3, "x := f()"), (9, "return 1")], opening(&[]), events, calls);
    assert_snapshot!(shown(&trace, &target(TargetWord::Label, Some("E"), 5, "skip"), false), @r#"
    main
    3    x := f()
         f
    9      return 1                      return=1
         (returned)                      x=1
    3    x := f()                        x=1 (1 step, as before; --expand)
    5    E: skip                         <-- E

    16 steps, 2 calls deep, shortest. Replayed: yes. Not shown: values that do not matter.
    "#);
}

#[test]
fn only_locals_lose_the_name_of_their_procedure() {
    let events = vec![step(3, &[("main::x", true), ("{a::b}", false), ("other::x", true)])];
    let text =
        shown(&trace(&[], opening(&[]), events, vec![]), &target(TargetWord::Label, Some("E"), 5, "skip"), false);
    assert!(text.contains(" x=1 {a::b}=0 other::x=1\n"), "{text}");
}

#[test]
fn the_middle_of_a_long_trace_is_left_out() {
    let events = (1..=1_000).map(|line| step(line, &[])).collect();
    let trace = trace(&[], opening(&[]), events, vec![]);
    let goal = target(TargetWord::Label, Some("E"), 2_000, "skip");
    let text = shown(&trace, &goal, false);
    assert!(text.contains("... 822 rows not shown (--expand)"), "{text}");
    assert!(text.lines().count() < 200);
    assert!(shown(&trace, &goal, true).lines().count() > 1_000);
}

#[test]
fn depth_and_doubling_have_limits() {
    // Each call makes the previous one twice: expanded, the last has 2^40 steps.
    let mut calls = vec![body("p0", &[], 1, vec![step(1, &[])])];
    for n in 1..40u32 {
        calls.push(body(&format!("p{n}"), &[], 1 << n, vec![call(n, n - 1), call(n, n - 1)]));
    }
    let trace = trace(&[], opening(&[]), vec![call(1, 39)], calls);
    let goal = target(TargetWord::Label, Some("E"), 99, "skip");
    let folded = shown(&trace, &goal, false);
    assert!(folded.contains("as before; --expand"), "{folded}");
    assert!(folded.contains("[39] "), "{folded}");
    let expanded = shown(&trace, &goal, true);
    assert!(expanded.contains("... the trace goes on"), "the end of the expanded text");
}

#[test]
fn twenty_thousand_nested_calls_are_no_problem() {
    let mut calls = vec![body("p0", &[], 1, vec![step(1, &[])])];
    for n in 1..20_000u32 {
        calls.push(body("p", &[], u64::from(n), vec![call(n, n - 1)]));
    }
    let trace = trace(&[], opening(&[]), vec![call(1, 19_999)], calls);
    assert!(shown(&trace, &target(TargetWord::Label, Some("E"), 9, "skip"), false).lines().count() < 200);
}

/// A thread in these procedures, at these lines.
fn stack(thread: u32, frames: &[(&str, Option<u32>)]) -> Stack {
    let frame =
        |(procedure, line): &(&str, Option<u32>)| StackFrame { procedure: (*procedure).to_owned(), line: *line };
    Stack { thread, frames: frames.iter().map(frame).collect() }
}

/// Numbers the switches.
fn take_turns(trace: &mut Trace) {
    let Some(story) = trace.story.as_mut() else { return };
    story.threads = vec!["first".to_owned(), "second".to_owned()];
    let mut last = None;
    for (at, event) in story.events.iter_mut().enumerate() {
        if last.replace(event.thread).is_some_and(|last| last != event.thread) {
            let number = story.switches.len() as u32 + 1;
            let shared = known(&[("x", true)]);
            let stacks = vec![stack(0, &[("main", Some(4)), ("work", None)]), stack(1, &[("main", Some(9))])];
            story.switches.push(Switch { number, event: at as u32, thread: event.thread, shared, stacks });
        }
        event.switch = story.switches.len() as u32;
    }
    trace.switches = Some(story.switches.len() as u32);
}

#[test]
fn every_thread_has_a_lane_and_switches_are_numbered() {
    let other = |line| Event { thread: 1, ..step(line, &[]) };
    let events = vec![step(3, &[("x", true)]), other(9), step(4, &[])];
    let mut trace = trace(&[(3, "x := 1"), (9, "y := x")], opening(&[]), events, vec![]);
    take_turns(&mut trace);
    assert_snapshot!(shown(&trace, &target(TargetWord::Label, Some("E"), 5, "skip"), false), @r#"
         first      | second
         main       |
    3    x := 1     |             x=1
         -- switch 1 to second --  x=1
            first stops in main:4 > work:end
    9               | y := x
         -- switch 2 to first --  x=1
            first goes on in main:4 > work:end
    4    skip       |
    5    E: skip    |             <-- E

    16 steps, 2 context switches, 2 calls deep, shortest within the bound. Replayed: yes. Not shown: values that do not matter.
    "#);
}

#[test]
fn hostile_names_are_harmless() {
    let name = "\u{1b}[31m\u{7}\n";
    let calls = vec![body(name, &[], 0, vec![])];
    let mut trace = trace(&[], opening(&[(name, true)]), vec![step(3, &[(name, true)])], calls);
    let story = trace.story.as_mut().unwrap();
    story.statements[3].labels.push(name.to_owned());
    let text = shown(&trace, &target(TargetWord::Label, Some(name), 4, "skip"), false);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    assert_eq!(text.lines().count(), 5, "{text}");
}
