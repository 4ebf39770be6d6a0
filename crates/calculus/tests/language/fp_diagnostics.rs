//! The text of errors and warnings about `.fp` files.

use std::fmt::Write;

use crate::common::show_fp;

/// All snippets with their diagnostics.
fn check(snippets: &[&str]) -> String {
    let mut out = String::new();
    for text in snippets {
        let shown = show_fp(text, &[]);
        assert!(shown.contains("error[") || shown.contains("warning["), "no diagnostics: {text}");
        writeln!(out, "{}\n{shown}", text.replace('\0', "<NUL>")).unwrap();
    }
    out
}

#[test]
fn syntax() {
    insta::assert_snapshot!(check(&[
        "query q = true & % true; query r = ^;",
        "query q = tr\u{e9}e; \0\0",
        "query q = true; /* no end",
        "qury q = true;",
        "query = true;",
        "query q true;",
        "query mu = true;",
        "query q = (true;",
        "query q = true define A = true;",
        "query q = true\ndefine A = true; query r = A() &;",
        "sort A = { x Bool }; sort B = enum { a, 1 }; query q = true;",
        "query q = exists x: enum { a, b }. x = a;",
        "query q = exists x. x = 1;",
        "query q = exists x: 0..3 x = 1;",
        "query q = R(true, );",
        "query q = 3x = 1 & 99999999999 = 2;",
        "query q = true = true = true;",
        "order A: x before y; query q = true;",
        "param 3; query q = true;",
        "",
    ]));
}

#[test]
fn names() {
    insta::assert_snapshot!(check(&[
        "define Reach(xs: Bool) = xz; query q = Raech(true);",
        "input Entry(p: Location); query q = exists l: Location. Entry(lo);",
        "query q = exists p: Location. Entry(p);",
        "define A = true; query q = A;",
        "query q = exists x: bool, y: Locatoin. x & y = main;",
        "query q = exists x, y, x: Bool. x & y; define A(a: Bool, a: Bool) = a;",
        "sort A = Bool; sort A = Bool; sort Location = Bool; query q = exists a: A. a; query q = true;",
        "sort A = { b: A }; sort B = C; sort C = Bool; query q = true;",
        "sort A = { x, x: Bool }; sort E = enum { e, e }; param k = 1, k; query q = true;",
        "sort P = { loc: Location, flag: Bool }; query q = exists u: P. u.lok = main & u.other & u.flag.x;",
        "define A(x: Bool) = B(x); define B(x: Bool) = A(x); define C = A(true); query q = C();",
        "mu A(x: Bool) = x; order A: x above y; order B: x above x; query q = A(true);",
    ]));
}

#[test]
fn sorts() {
    insta::assert_snapshot!(check(&[
        "query q = exists x: 0..3, b: Bool, l: Location, p: Procedure. x = b & l = p & x = main & l = 1 & b = 1;",
        "sort P = { a: Bool }; sort Q = { b: Bool }; query q = exists u: P, v: Q. u = v & u < u;",
        "query q = exists g: Bool[1..3], h: Bool[0..2]. g = h;",
        "query q(x: 0..3, b: Bool) = x = t1 & b = main;",
        "define A(x: 0..3, y: Bool) = x = 1 & y; query q = A(true, 1) | A(0) | A(0, true, 1);",
        "query q = exists x: 0..3. x | x + 1 | 3 | main;",
        "query q = exists x: Bool, y: Bool. x = (y & y) & !x = y;",
        "query q = exists x: 0..3, b: Bool. x + x = 1 & 2 * x = 1 & b + 1 = b & 1 - x = 0;",
        "query q = exists g: Bool[1..3], i: Bool, x: Bool. g[0] & g[i] & x[1] & 1;",
        "query q = exists x: 0..n, y: 2..1, z: 0..1 - 2. x = y;",
        "param k; query q = exists x: 0..k, y: 1..k. x = y;",
        "query q = exists g: Bool[1..1000000], x: 0..4294967295, y: 0..5. g[1] & x = y;",
        "sort A = Bool[1..64][1..64]; query q = exists a: A[1..2]. a = a;",
        "sort A = enum { low }; sort B = enum { low }; query q = low = low & main = main & true = low;",
    ]));
}

#[test]
fn inputs() {
    insta::assert_snapshot!(check(&[
        "input Entyr(p: Location), Foo(x: Bool); query q = true;",
        "input Entry(p: Bool), Init(p, q: Location), Target(x: 0..2); query q = true;",
        "sort State = { loc: Location, global: Global, local: Local }; input ProgramInt(u, v: State); query q = true;",
        "mu A(x: Bool) = x | A(x);",
    ]));
}

#[test]
fn a_value_for_no_parameter_is_a_mistake() {
    let with_parameters = show_fp("param bound = 1, n = 2; query q = bound = n;", &[("buond", 3), ("x", 4)]);
    insta::assert_snapshot!(with_parameters, @r#"
    error[FP0042]: the file has no parameter `buond`
      help: did you mean `bound`?
    error[FP0042]: the file has no parameter `x`
      help: its parameters are `bound`, `n`
    "#);
    insta::assert_snapshot!(show_fp("query q = true;", &[("k", 3)]), @r#"
    error[FP0042]: the file has no parameter `k`
      help: the file has no parameters
    "#);
}

#[test]
fn warnings() {
    insta::assert_snapshot!(check(&[
        "param k = 1, _n = 2; sort S = Bool; sort _T = Bool; input Entry(p: Location); query q = true;",
        "define A = true; mu B(x: Bool) = B(x) | A(); nu C(x: Bool) = C(x); query q = C(true);",
        "query q = exists x: Bool, _y: Bool. true;",
        "query q = exists x: 0..3. x = 7 | x < 9;",
        "define A(x: 0..3) = x + 1 = 4; query q = A(4) | exists x: 0..3. x - 1 = 3 & 5 < x + 2;",
        "param k = 7; query q = exists x: 0..3. x = k | x = k + 1 | x = 5;",
        "define A(x: Bool) = exists x: Bool. x & exists x: Bool. x; query q = A(true);",
    ]));
}

#[test]
fn the_hundredth_error_is_the_last_one_listed() {
    let text = format!("query q = {} true;", "x & ".repeat(150));
    let shown = show_fp(&text, &[]);
    assert_eq!(shown.matches("FP0020").count(), 100);
    assert!(shown.contains("and 50 more errors"), "{shown}");
}

#[test]
fn an_input_with_two_signatures_is_offered_once() {
    let mut signature = calculus::fuzz::signature();
    let another = signature.inputs[0].clone();
    signature.inputs.push(another);
    let (tree, _) = calculus::fp::parse(&base::Source::new("test.fp", "input Foo(x: Bool); query q = true;"));
    let resolved = tree.map(|tree| calculus::fp::resolve(&tree, &signature, &std::collections::BTreeMap::new()));
    let Some(Err(diagnostics)) = resolved else { panic!("there is no such input") };
    let helps: Vec<&str> = diagnostics.iter().filter_map(|diagnostic| diagnostic.help.as_deref()).collect();
    assert_eq!(helps.len(), 1);
    assert_eq!(helps[0].matches("`Init`").count(), 1, "{}", helps[0]);
}
