//! Files in Mucke's language, answered; the expected answers are Mucke's own.

use base::{Budget, Silent, Source};
use bdd::{Config, Manager};
use calculus::{Halt, Options, Signature};
use mucke::{Asked, Outcome, Resolved, Unfinished};

fn resolved(text: &str) -> Resolved {
    let (tree, diagnostics) = mucke::parse(&Source::new("test.mu", text));
    match tree.map(|tree| mucke::resolve(&tree)) {
        Some(Ok((resolved, _))) if !diagnostics.has_errors() => resolved,
        other => panic!("{diagnostics:?} {other:?}"),
    }
}

fn run(text: &str) -> Result<mucke::Run, Halt> {
    let manager = Manager::new(&Config::small());
    mucke::run(&resolved(text), manager, Options::default(), &Budget::unlimited(), &Silent)
        .map_err(|stopped| stopped.halt)
}

fn outcomes(text: &str) -> Vec<Outcome> {
    run(text).map(|run| run.outcomes).unwrap_or_default()
}

const COUNTER: &str = "
    enum Value {0..5};
    class State { Value v; bool even; };
    bool Next(State s, State t) s ~+ t
      case s.v = 0: t.v = 1; s.v = 1: t.v = 2; s.v = 2: t.v = 3; s.v = 3: t.v = 0; esac & (t.even <-> !s.even);
    mu bool Reach(State s)
      (s.v = 0 & s.even) | (exists State p. Next(p, s) & Reach(p));
    nu bool Forever(State s)
      Reach(s) & (exists State t. Next(s, t) & Forever(t));
";

#[test]
fn all_steps_are_answered() {
    let text = format!(
        "{COUNTER} #ons Reach; forall State s. Reach(s) -> !(s.v = 5); #wit exists State s. Reach(s) & s.v = 3;
         #cex forall State s. Reach(s) -> s.even; #print \"done\"; exists State s. Forever(s) & s.v = 4;"
    );
    let named =
        |v: &str, even: &str| Some(vec![("s.v".to_owned(), v.to_owned()), ("s.even".to_owned(), even.to_owned())]);
    let outcomes = outcomes(&text);
    assert_eq!(outcomes[0], Outcome::OnSet { predicate: "Reach".to_owned(), elements: 4.0 });
    assert_eq!(outcomes[1], Outcome::Truth { query: 0, holds: true });
    assert_eq!(outcomes[2], Outcome::Witness { query: 1, holds: true, values: named("3", "false") });
    let Outcome::Counterexample { holds: false, values: Some(values), .. } = &outcomes[3] else {
        panic!("{outcomes:?}")
    };
    assert_eq!(values[1], ("s.even".to_owned(), "false".to_owned()));
    assert_eq!(outcomes[4], Outcome::Print("done".to_owned()));
    assert_eq!(outcomes[5], Outcome::Truth { query: 3, holds: false });
    assert_eq!(outcomes.len(), 6);
}

/// After Mucke's own test 0010.
#[test]
fn bits_of_numbers() {
    let bits = (1..8).map(|bit| format!("b[{bit}] = a[{}]", bit - 1)).collect::<Vec<_>>().join(" & ");
    let text = format!(
        "enum Int8 {{0..255}};
        bool Shift(Int8 a, Int8 b) {bits} & b[0] = 0;
        bool Odd(Int8 a) a[0];
        Shift(5, 10); Shift(5, 11); Shift(192, 128); forall Int8 a, Int8 b. Shift(a, b) -> !Odd(b); #ons Shift; #ons Odd;"
    );
    let truth = |query, holds| Outcome::Truth { query, holds };
    let on_set = |predicate: &str, elements| Outcome::OnSet { predicate: predicate.to_owned(), elements };
    let answers = [truth(0, true), truth(1, false), truth(2, true), truth(3, true)];
    assert_eq!(outcomes(&text), [&answers[..], &[on_set("Shift", 256.0), on_set("Odd", 128.0)]].concat());
}

#[test]
fn a_predicate_alone_is_shown() {
    let text = "enum R {0..5}; bool P(R x) x = 4; bool All(R x) 1; #vis P; #cex All; #cex P;";
    let value = |value: &str| Some(vec![("x".to_owned(), value.to_owned())]);
    let witness = Outcome::Witness { query: 0, holds: true, values: value("4") };
    let none = Outcome::Counterexample { query: 1, holds: true, values: None };
    assert_eq!(outcomes(text)[..2], [witness, none]);
    assert!(matches!(&outcomes(text)[2], Outcome::Counterexample { holds: false, values: Some(_), .. }));
}

#[test]
fn a_text_of_several_lines_is_printed_line_by_line() {
    let print = |text: &str| Outcome::Print(text.to_owned());
    assert_eq!(
        outcomes("#print \"one\ntwo\n\", \"three\"; #print \"\"; 1;")[..4],
        [print("one"), print("two"), print(" three"), print("")]
    );
}

#[test]
fn values_out_of_range_do_not_exist() {
    assert_eq!(run("enum R {0..5}; exists R x. forall R y. x = y;").map(|run| run.verdict()), Ok(Some(false)));
    assert_eq!(run("enum R {0..5}; forall R x. !(x = 0) | x = 0;").map(|run| run.verdict()), Ok(Some(true)));
}

/// An inner fixed point starts afresh in every round of an outer one: on some run from the start `p` holds again and
/// again (a greatest fixed point over a least one).
#[test]
fn inner_fixed_points_restart() {
    let text = "
        enum Value {0..3};
        bool Next(Value s, Value t) (s = 0 & t = 1) | (s = 1 & t = 0) | (s = 1 & t = 2) | (s = 2 & t = 3) | (s = 3 & t = 3);
        bool P(Value s) s = 0 | s = 2;
        nu bool Again(Value s);
        mu bool Soon(Value s) (exists Value t. Next(s, t) & ((P(t) & Again(t)) | Soon(t)));
        nu bool Again(Value s) Soon(s);
        Again(0); Again(1); Again(2); Again(3);";
    let holds = |outcome: &Outcome| matches!(outcome, Outcome::Truth { holds: true, .. });
    assert_eq!(outcomes(text).iter().map(holds).collect::<Vec<_>>(), [true, true, false, false]);
}

#[test]
fn what_does_not_stabilise_is_reported() {
    let oscillates = Halt::Oscillates { relation: "P".to_owned(), from: 2, to: 4 };
    assert_eq!(run("mu bool P(bool a) !P(a); P(0);").map(|run| run.verdict()), Err(oscillates));
}

#[test]
fn the_plan_and_the_profile_are_readable() {
    let resolved = resolved(&format!("{COUNTER} exists State s. Forever(s) & !Reach(s);"));
    insta::assert_snapshot!(mucke::plan(&resolved).explain(&resolved.system, &Signature::default()));
    let manager = Manager::new(&Config::small());
    let run = mucke::run(&resolved, manager, Options::default(), &Budget::unlimited(), &Silent);
    insta::assert_snapshot!(run.map(|run| run.profile.to_string()).unwrap_or_default());
}

#[test]
fn what_was_answered_before_the_end_is_kept() {
    let text = "enum R {0..1}; nu bool N(R x) !N(x); true; #ons N; exists R x. N(x); #print \"words\";";
    let manager = Manager::new(&Config::small());
    let run = mucke::run(&resolved(text), manager, Options::default(), &Budget::unlimited(), &Silent);
    let Err(Unfinished { halt: Halt::Oscillates { relation, .. }, outcomes }) = run else { panic!("{run:?}") };
    assert_eq!(relation, "N");
    let expected = [
        Outcome::Truth { query: 0, holds: true },
        Outcome::Unanswered(Asked::Predicate("N".to_owned())),
        Outcome::Unanswered(Asked::Formula(1)),
        Outcome::Print("words".to_owned()),
    ];
    assert_eq!(outcomes, expected);
}

/// Sixteen variables and more: nothing is written twice.
#[test]
fn nested_exclusive_disjunctions() {
    let n = 40;
    let nested = (0..n - 1).rev().fold(format!("x{}", n - 1), |rest, at| format!("(x{at} <+> {rest})"));
    let names: Vec<String> = (0..n).map(|at| format!("bool x{at}")).collect();
    let others: Vec<String> = (1..n).map(|at| format!("!x{at}")).collect();
    let (names, others) = (names.join(", "), others.join(" & "));
    let text = format!("exists {names}. {nested} & {others} & x0; exists {names}. {nested} & {others} & !x0;");
    let Ok(run) = run(&text) else { panic!("it is solved") };
    let expected = [Outcome::Truth { query: 0, holds: true }, Outcome::Truth { query: 1, holds: false }];
    assert_eq!(run.outcomes, expected);
}
