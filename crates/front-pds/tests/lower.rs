//! What pushdown systems become.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{model, read};
use program::property::Proposition;

#[test]
fn symbols_states_and_procedures() {
    insta::assert_snapshot!(model(
        "(q <main0>)\nq <main0> --> q <f0 main1>\nq <main1> --> p <main0>\nq <f0> --> p <>\np <f0> --> q <f1>\n\
         q <f1> --> q <f0 f1>\n"
    ));
}

#[test]
fn conditions_become_guards_updates_and_constraints() {
    insta::assert_snapshot!(model(
        "global int g(3), h(3); bool b;\nlocal (m, n) int x(2);\nlocal (f) int y(3);\n(q (g = 1) <m (x = 2)>)\n\
         q <m> --> q <n> (g' = g + 1 & h' = h & !b' & x' = x)\n\
         q <m> --> q <f n> (g < h & y' = g - 1 & x'' = x & (b' == b))\n\
         q <f> --> q <> (g' < y & h' = g' & (b' ^ b))\n"
    ));
}

#[test]
fn arrays_keep_what_every_element_keeps() {
    insta::assert_snapshot!(model(
        "global int a[1,3](2), i(2);\n(q <m>)\n\
         q <m> --> q <m> (A k (1,3) a'[k] = a[k] & i' = a[i])\n\
         q <m> --> q <n> (a'[1] = a[2] & a'[2] = a[1] & a'[3] = a[3] & i' = i)\n\
         q <n> --> q <n> (a'[2] = 1 & i' = i)\n\
         q <n> --> q <m> (a'[i] = 0 & i' = i & A k (1,3) (k = i | a'[k] = a[k]))\n"
    ));
}

#[test]
fn long_right_sides_are_pushed_one_by_one() {
    insta::assert_snapshot!(model(
        "global bool g;\nlocal (a) bool x;\nlocal (b, c) bool y;\nlocal (d) bool z;\n(q <a (x) b (!y) c>)\n\
         q <a> --> q <a b c d> ((g' == x) & (x' == g) & (y'' == x) & !y''' & z'''')\nq <b> --> q <>\n"
    ));
}

/// Symbols without locals have nothing to hand over: a right side of any length is pushed in as many steps.
#[test]
fn right_sides_without_locals_may_be_long() {
    let n = 50_000;
    let symbols = "b ".repeat(n);
    let text = format!("global bool g;\n(q <a {symbols}>)\nq <a> --> q <{symbols}c> (g' == g)\nq <b> --> q <>\n");
    let lowered = read(&text).0.expect("it is well formed");
    assert_eq!(lowered.program.edges.len(), 2 * n + 1);
}

#[test]
fn symbols_without_locals_between_those_that_have_some() {
    insta::assert_snapshot!(model(
        "local (b, d) bool y;\n(q <a>)\nq <a> --> q <b e d e b f> (y' & !y''' & y''''')\nq <b> --> q <>\n"
    ));
}

#[test]
fn operators_bind_as_in_moped() {
    let with =
        |condition: &str| model(&format!("global int x(3), y(3); bool b, c;\n(q <a>)\nq <a> --> q <a> ({condition})"));
    let same = [
        ("x = 8 / y << 1 * 3", "x = {8 / {y << 1}} * 3"),
        ("x = 1 + y << 1 - 2 * x", "x = {1 + {y << 1}} - {2 * x}"),
        ("x = 8 / y / 2", "x = {8 / y} / 2"),
        ("b == b ^ c | b & c", "b == (b ^ (c | (b & c)))"),
        ("!b & c", "(!b) & c"),
        ("b & A i (0,1) x = i | b == c", "b & (A i (0,1) (x = i | b == c))"),
        ("b <=> c", "b == c"),
    ];
    for (plain, grouped) in same {
        assert_eq!(with(plain), with(grouped), "{plain}");
    }
    assert_ne!(with("x = 8 / y << 1"), with("x = {8 / y} << 1"));
}

#[test]
fn propositions_name_symbols_and_states() {
    let (lowered, _) = read("(q <a>)\natoms a p, r\natoms b p\natoms q r\nq <a> --> s <b>\n");
    let lowered = lowered.expect("it is well formed");
    let state = lowered.state.expect("there are two states");
    let [a, b] = ["a", "b"].map(|label| Proposition::Location(lowered.program.label_targets(label)[0].location));
    assert_eq!(lowered.propositions["p"], [a, b]);
    assert_eq!(lowered.propositions["r"], [a, Proposition::Value(state, 0)]);
    assert_eq!(lowered.propositions["s"], [Proposition::Value(state, 1)]);
    let (lowered, _) = read("(q <a>)\natoms q p\nq <a> --> q <a>\n");
    assert_eq!(lowered.expect("it is well formed").propositions["p"], [Proposition::Everywhere]);
}
