//! Formulae that would come to very many clauses are evaluated as they are written.

use std::fmt::Write;

use calculus::{Control, Plan};

use crate::dice::Dice;
use crate::evaluate::{expected, limited, solved};
use crate::model::Small;

/// The solutions of the only query, with both kinds of control, are those of the semantics.
fn check(text: &str) {
    let mut model = Small::new(&mut Dice::new(1));
    let system = model.system(text, &[]);
    let Ok(expected) = expected(&system, &model) else { panic!("{text}") };
    for control in [Control::Explicit, Control::Symbolic] {
        let found = solved(&system, &mut model, control, false);
        assert_eq!(found.as_ref(), Ok(&expected), "{text} {control:?}");
    }
}

/// How many solutions the only query has, where there are too many values to try them all.
fn count(text: &str) -> [usize; 2] {
    let mut model = Small::new(&mut Dice::new(1));
    let system = model.system(text, &[]);
    let found = [Control::Explicit, Control::Symbolic].map(|control| limited(&system, &mut model, control, false, 9));
    found.map(|answers| answers.map_or(usize::MAX, |answers| answers[0].len()))
}

fn joined(n: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(between)
}

#[test]
fn arguments_of_other_ranges() {
    check("mu A(x: 0..4, y: 0..4) = x = y; query none(c: 1..4, d: 1..4) = !A(c, d);");
    check("mu A(x: 1..5, y: 0..4) = true; nu B(c: 0..3) = forall v: 0..3. A(c, v) | B(c); query q(c: 0..3) = B(c);");
    check("mu R(a: 0..2, b: 0..4) = forall e: Bool. R(b, a) | a = 1; query q(a: 0..2, b: 0..4) = R(a, b);");
    check("mu R(a: 0..5, b: 0..4) = a = 0 | !(forall c: 0..6. !R(c, b)); query q(a: 0..5, b: 0..4) = R(a, b);");
}

#[test]
fn elements_with_a_variable_index() {
    assert_eq!(count("query q(g: Bool[0..13]) = forall i: 0..13. g[i];"), [1, 1]);
    assert_eq!(count("query q(g: (0..4)[0..9]) = forall i: 0..9. !(g[i] < 4);"), [1, 1]);
}

#[test]
fn conjunctions_of_disjunctions() {
    let names = joined(16, ", ", |at| format!("x{at}, y{at}"));
    for (connective, rest, n) in [("->", "!y", 1), ("<->", "x", 1), ("|", "!x", 1)] {
        let parts = joined(16, " & ", |at| format!("(x{at} {connective} y{at}) & {rest}{at}"));
        assert_eq!(count(&format!("query q({names}: Bool) = {parts};")), [n, n], "{connective}");
    }
    let applied = joined(16, " & ", |at| format!("(R(x{at}, y{at}) | !R(y{at}, x{at}) & x{at} = y{at}) & x{at} = 1"));
    let text = format!("mu R(x: 0..3, y: 0..3) = x = y | R(y, x); query q({names}: 0..3) = {applied};");
    assert_eq!(count(&text), [1, 1]);
}

#[test]
fn chains_of_equivalences() {
    let names = joined(9, ", ", |at| format!("x{at}"));
    let chain = joined(9, " <-> ", |at| format!("x{at}"));
    check(&format!("query q({names}: Bool) = {chain};"));
    let long = joined(60, " <-> ", |at| format!("x{at}"));
    let (first, others) = (joined(59, ", ", |at| format!("x{at}")), joined(59, " & ", |at| format!("x{at}")));
    assert_eq!(count(&format!("query q({first}: Bool, x59: Bool) = ({long}) & {others};")), [1, 1]);
}

#[test]
fn abbreviations_that_double() {
    for connective in ["&", "|"] {
        let mut text = "define D0(x: Bool, y: 0..5) = x & y = 1;\n".to_owned();
        for at in 1..60 {
            let before = format!("D{}(x, y)", at - 1);
            let _ = writeln!(text, "define D{at}(x: Bool, y: 0..5) = {before} {connective} {before};");
        }
        assert_eq!(count(&format!("{text} query q(x: Bool, y: 0..5) = D59(x, y);")), [1, 1]);
    }
}

/// A plan has a limited number of clauses; what is below it is multiplied out as ever.
#[test]
fn the_number_of_clauses_is_limited() {
    let model = Small::new(&mut Dice::new(1));
    let clauses = |n: usize| {
        let names = joined(n, ", ", |at| format!("x{at}, y{at}"));
        let parts = joined(n, " & ", |at| format!("(x{at} < 2 | y{at} < 2)"));
        let system = model.system(&format!("query q({names}: 0..3) = {parts};"), &[]);
        let text = Plan::new(&system, &model.signature, Control::Explicit).explain(&system, &model.signature);
        text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).count()
    };
    assert_eq!([2, 10].map(clauses), [4, 1024]);
    assert!(clauses(30) < 100, "{}", clauses(30));
}
