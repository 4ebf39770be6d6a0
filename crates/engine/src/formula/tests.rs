//! Files of a user's own: what they answer, and that every one of them gets an answer.

#![allow(clippy::expect_used, reason = "a test that cannot set itself up fails")]

use base::{Budget, Silent, Source};
use calculus::Control;
use program::{LocationId, Program};

use super::{ALGORITHMS, Cell, Formula, Found, Unready};
use crate::{Answer, Context, Engine, Task};

/// `flag` is a variable of one procedure, `wide` and `high` are of the other.
const PROGRAM: &str = "
    decl g;
    void main() begin decl wide, high; wide := *; small(); end
    void small() begin decl flag; flag := g; end";

fn load() -> Program {
    let source = Source::new("test.bp", PROGRAM);
    let tree = front_bp::parse(&source).0.expect("a tree");
    front_bp::lower(&tree, &source, &front_bp::Options::default()).expect("a program").0.program
}

fn read(text: &str) -> Formula {
    Formula::parse("test.fp", text).expect("a file")
}

/// The answer about all locations, with traces.
fn solve(text: &str) -> (Answer, usize) {
    let program = load();
    let targets: Vec<LocationId> = program.locations.ids().collect();
    let task =
        Task { program: &program, targets: &targets, lengths: &[], bound: None, traces: true, certificate: true };
    let answer = read(text).solve(&task, &Context { budget: &Budget::unlimited(), observer: &Silent });
    (answer, targets.len())
}

#[test]
fn bits_that_a_procedure_does_not_have_make_no_solutions() {
    let text = "sort State = { loc: Location, local: Local, global: Global };
        input Exit(p: Location), Within(p: Location, f: Procedure);
        query q(v: State) = Exit(v.loc) & Within(v.loc, small);";
    let program = load();
    for control in [Control::Explicit, Control::Symbolic] {
        let mut formula = read(text);
        formula.control = control;
        let context = Context { budget: &Budget::unlimited(), observer: &Silent };
        let answered = formula.answer_all(&program, &[], None, usize::MAX, &context).expect("answers");
        let Found::Open { mut rows, total } = answered.queries[0].found.clone() else { panic!("it is open") };
        let n_rows = rows.len();
        rows.dedup();
        assert_eq!((rows.len(), n_rows, total), (4, 4, Some(4)), "{control:?}: {rows:?}");
    }
}

/// Without its negated uses of equations nothing is left of `R`'s clause.
#[test]
fn a_file_that_is_not_positive_is_answered() {
    let (answer, n_targets) = solve(
        "input Target(p: Location);
        mu S(b: Bool, q: Location) = b | R(q);
        mu R(p: Location) = exists q: Location. !S(true, q);
        query reached(p: Location) = Target(p) & (exists q: Location. S(true, q));",
    );
    // What it says is wrong, and so there is no trace for it.
    assert_eq!((answer.stopped, answer.reached.len(), answer.traces.len()), (None, n_targets, 0));
}

#[test]
fn an_algorithm_with_a_wrong_clause_is_answered() {
    let shipped = ALGORITHMS.iter().find(|(name, _)| *name == "entry-forward-opt").expect("it ships").1;
    let wrong = shipped.replace("Summary(true, u, v) & !Summary(false", "!Summary(true, u, v) & !Summary(false");
    assert_ne!(wrong, shipped);
    let (answer, n_targets) = solve(&wrong);
    assert!(answer.stopped.is_some() || answer.traces.len() <= answer.reached.len());
    assert!(answer.reached.len() <= n_targets);
}

#[test]
fn a_value_for_no_parameter_is_a_mistake() {
    let mut formula =
        read("param depth = 1; input Target(p: Location); query reached(p: Location) = Target(p) & depth = 1;");
    let program = load();
    assert!(formula.prepare(&program, &[], None).is_ok());
    formula.parameters.insert("dpeth".to_owned(), 2);
    let Err(Unready::Rejected(diagnostics)) = formula.prepare(&program, &[], None) else { panic!("it is a mistake") };
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), ["FP0042"]);
}

/// The answers to all queries of a file that speaks of no program.
fn answers(text: &str) -> super::Answered {
    let context = Context { budget: &Budget::unlimited(), observer: &Silent };
    read(text).answer_all(&load(), &[], None, 100, &context).expect("answers")
}

#[test]
fn what_was_answered_before_a_stop_is_kept() {
    let answered = answers(
        "query easy = true; query few(x: 8..11) = x > 9;
        mu N(x: 0..2) = !N(x);
        query osc(x: 0..2) = N(x); query late = true;",
    );
    assert_eq!(answered.stopped, Some(base::StopReason::Oscillates));
    let found: Vec<(&str, &Found)> = answered.queries.iter().map(|query| (query.name.as_str(), &query.found)).collect();
    let few = Found::Open { rows: [10, 11].map(|x| vec![Cell::Number(x)]).to_vec(), total: Some(2) };
    let expected =
        [("easy", &Found::Closed(true)), ("few", &few), ("osc", &Found::Unanswered), ("late", &Found::Unanswered)];
    assert_eq!(found, expected);
}

#[test]
fn numbers_are_in_order() {
    let answered = answers("query q(c: 8..11, b: Bool) = b;");
    let Found::Open { rows, .. } = &answered.queries[0].found else { panic!("it is open") };
    let numbers: Vec<&Cell> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(numbers, [8, 9, 10, 11].map(Cell::Number).iter().collect::<Vec<_>>());
}

/// Two threads, of which a file speaks without following them.
#[test]
fn queries_about_threads_need_no_bound() {
    let source = Source::new(
        "threads.bp",
        "decl g;
        thread a begin void main() begin g := 1; end end
        thread b begin void main() begin g := 0; end end",
    );
    let tree = front_bp::parse(&source).0.expect("a tree");
    let program = front_bp::lower(&tree, &source, &front_bp::Options::default()).expect("a program").0.program;
    let context = Context { budget: &Budget::unlimited(), observer: &Silent };
    let ask = |text: &str| read(text).answer_all(&program, &[], None, 100, &context);
    let text = "input Init(t: Thread, p: Location); query q(p: Location, t: Thread) = Init(t, p);";
    let Ok(Found::Open { total, .. }) = ask(text).map(|mut answered| answered.queries.remove(0).found) else {
        panic!("it is answered")
    };
    assert_eq!(total, Some(2));
    let Err(Unready::Rejected(diagnostics)) = ask("input Init(p: Location); query q(p: Location) = Init(p);") else {
        panic!("there is no one beginning")
    };
    let found: Vec<_> = diagnostics.iter().map(|found| (found.code, found.help.as_deref())).collect();
    assert_eq!(found, [("FP0036", Some("the model offers `Init(t: Thread, p: Location)`"))]);
    assert!(matches!(ask(ALGORITHMS[0].1), Err(Unready::Unsupported(_))));
}
