//! `.fp` files resolved: every construct taken apart into single values.

use crate::common::{read_fp, show_fp};

pub(crate) const SUMMARY: &str = "\
// Summaries of reachable procedures.
sort State = { loc: Location, local: Local, global: Global };

input Init(p: Location), Entry(p: Location), Exit(p: Location), Target(p: Location);
input ProgramInt(u: State, v: State), IntoCall(u: State, v: State);
input Return(u: State, v: State, w: State);

mu Summary(u: State, v: State) =
    Entry(u.loc) & Init(u.loc) & u = v
  | exists x: State. Summary(u, x) & ProgramInt(x, v)
  | exists x: State, y: State. Summary(x, y) & IntoCall(y, u) & u = v
  | exists x: State, y: State, z: State.
      Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z.loc) & Return(x, z, v);

query reachable = exists u: State, v: State. Summary(u, v) & Target(v.loc);
";

/// The bodies of the queries of a text; if it has a parameter `k`, that is 2.
fn query(head: &str, formula: &str) -> String {
    let parameters: &[(&str, u64)] = if head.contains("param k") { &[("k", 2)] } else { &[] };
    show_fp(&format!("{head} query q = {formula};"), parameters)
}

#[test]
fn summary() {
    insta::assert_snapshot!(show_fp(SUMMARY, &[]));
}

#[test]
fn connectives() {
    insta::assert_snapshot!(query("", "forall a, b: Bool. (a -> b -> a) & !(a & b) | (a <-> !b) | !!a | false"), @r#"
    query q =
        forall a: Bool, b: Bool. (!(a = true) | !(b = true) | a = true) & !(a = true & b = true) | (a = true <-> !(b = true)) | a = true;
    "#);
    insta::assert_snapshot!(query("", "exists a: Bool. a & (true | a) & (a & a)"), @r#"
    query q =
        exists a: Bool. a = true & a = true & a = true;
    "#);
    insta::assert_snapshot!(query("", "exists a: Bool. a = true & a != false"), @r#"
    query q =
        exists a: Bool. a = true & !(a = false);
    "#);
}

#[test]
fn a_quantifier_reaches_to_the_end_but_keeps_only_what_mentions_it() {
    insta::assert_snapshot!(query("", "exists a: Bool. a | exists b: Bool. b & b | exists a: Bool. !a"), @r#"
    query q =
        (exists a: Bool. a = true)
      | (exists b: Bool. b = true & b = true)
      | (exists a: Bool. !(a = true));
    "#);
    insta::assert_snapshot!(query("", "forall a: Bool, b: Bool. a & (exists c: Bool. c) & b"), @r#"
    query q =
        (forall a: Bool, b: Bool. a = true & b = true) & (exists c: Bool. c = true);
    "#);
    insta::assert_snapshot!(query("", "exists a: Bool. (a & true) -> a"), @r#"
    query q =
        exists a: Bool. !(a = true) | a = true;
    "#);
}

#[test]
fn comparisons_of_numbers() {
    insta::assert_snapshot!(query("", "exists x, y: 1..3. x < y & x <= 2 & x > y & x >= y & x + 1 = y & y = x - 1"), @r#"
    query q =
        exists x: 1..3, y: 1..3. x < y & (x < 2 | x = 2) & y < x & (y < x | y = x) & x + 1 = y & y = x - 1;
    "#);
    insta::assert_snapshot!(query("param k;", "exists x: 0..k. x < 5 & x = k & x < k + 1 & 0 < x + 1 & k = 2 & 1 < k"), @r#"
    query q =
        exists x: 0..2. x = 2;
    "#);
}

#[test]
fn sums_are_numbers() {
    insta::assert_snapshot!(query("", "exists x: 0..3. x + 1 = 4 | x + 2 < 4 | 1 < x - 1 | x - 1 < 0"), @r#"
    query q =
        exists x: 0..3. x = 3 | x < 2 | 2 < x | x < 1;
    "#);
    insta::assert_snapshot!(query("", "exists x, y: 0..3. x + 1 < y & x - 1 < y & x < y + 2 & x + 2 = y + 1"), @r#"
    query q =
        exists x: 0..3, y: 0..3. x + 1 < y & !(y < x) & !(y + 1 < x) & x + 1 = y;
    "#);
    insta::assert_snapshot!(query("", "exists r: 1..3, c: 0..2. r = c + 1 & c - 2 < r - 3"), @r#"
    query q =
        exists r: 1..3, c: 0..2. (r = 1 & 0 = c | r = 2 & 1 = c | r = 3 & 2 = c) & (c = 0 & 1 < r | c = 1 & 2 < r | c = 2 & 3 < r);
    "#);
    insta::assert_snapshot!(query("", "exists g: Bool[1..3], i: 0..2. g[i + 1] & !g[i - 1]"), @r#"
    query q =
        exists g[1]: Bool, g[2]: Bool, g[3]: Bool, i: 0..2. (i = 0 & g[1] = true | i = 1 & g[2] = true | i = 2 & g[3] = true) & !(i = 2 & g[1] = true);
    "#);
    insta::assert_snapshot!(query("define A(x: 0..2) = x = 1;", "exists y: 0..1. A(y + 1) & A(y - 1)"), @r#"
    define A(x: 0..2) =
        x = 1;
    query q =
        exists y: 0..1. (y = 0 & A(1) | y = 1 & A(2)) & y = 1 & A(0);
    "#);
}

#[test]
fn numbers_of_different_ranges_are_compared_by_value() {
    insta::assert_snapshot!(query("", "exists x: 0..1, y: 1..3. x = y"), @r#"
    query q =
        exists x: 0..1, y: 1..3. x = 1 & 1 = y;
    "#);
    insta::assert_snapshot!(query("", "exists x: 0..2, y: 1..2. x < y"), @r#"
    query q =
        exists x: 0..2, y: 1..2. x = 0 | x = 1 & 1 < y | x = 2 & 2 < y;
    "#);
    insta::assert_snapshot!(query("define A(x: 1..2) = x = 1;", "exists y: 0..5. A(y) | A(y + 1)"), @r#"
    define A(x: 1..2) =
        x = 1;
    query q =
        exists y: 0..5. y = 1 & A(1) | y = 2 & A(2) | y = 0 & A(1) | y = 1 & A(2);
    "#);
}

#[test]
fn records_and_arrays_are_compared_part_by_part() {
    let head = "sort P = { a: Bool, b: 0..1[1..2] };";
    insta::assert_snapshot!(query(head, "exists u, v: P. u = v & u.b != v.b & u.b[1] = v.b[2]"), @r#"
    query q =
        exists u.a: Bool, u.b[1]: 0..1, u.b[2]: 0..1, v.a: Bool, v.b[1]: 0..1, v.b[2]: 0..1. u.a = v.a & u.b[1] = v.b[1] & u.b[2] = v.b[2] & !(u.b[1] = v.b[1] & u.b[2] = v.b[2]) & u.b[1] = v.b[2];
    "#);
}

#[test]
fn a_variable_index_makes_cases() {
    insta::assert_snapshot!(query("", "exists g: Bool[1..2], i: 0..5. g[i]"), @r#"
    query q =
        exists g[1]: Bool, g[2]: Bool, i: 0..5. i = 1 & g[1] = true | i = 2 & g[2] = true;
    "#);
    insta::assert_snapshot!(query("", "exists g: Bool[1..2], i: 1..2. !g[i + 1]"), @r#"
    query q =
        exists g[1]: Bool, g[2]: Bool, i: 1..2. !(i = 1 & g[2] = true);
    "#);
    insta::assert_snapshot!(query("", "exists g: Bool[0..1], h: 0..1[0..1], i: 0..1. g[h[i]]"), @r#"
    query q =
        exists g[0]: Bool, g[1]: Bool, h[0]: 0..1, h[1]: 0..1, i: 0..1. i = 0 & h[0] = 0 & g[0] = true | i = 0 & h[0] = 1 & g[1] = true | i = 1 & h[1] = 0 & g[0] = true | i = 1 & h[1] = 1 & g[1] = true;
    "#);
    insta::assert_snapshot!(query("define A(x: Bool, y: Bool) = x & y;", "exists g: Bool[0..1], i, j: 0..1. A(g[i], g[j])"), @r#"
    define A(x: Bool, y: Bool) =
        x = true & y = true;
    query q =
        exists g[0]: Bool, g[1]: Bool, i: 0..1, j: 0..1. i = 0 & j = 0 & A(g[0], g[0]) | i = 0 & j = 1 & A(g[0], g[1]) | i = 1 & j = 0 & A(g[1], g[0]) | i = 1 & j = 1 & A(g[1], g[1]);
    "#);
    insta::assert_snapshot!(query("param k;", "exists g: Bool[1..k - 2], i: 0..k. g[i]"), @r#"
    query q =
        exists i: 0..2. false;
    "#);
}

#[test]
fn constants_belong_to_the_sort_of_the_other_side() {
    let head = "sort A = enum { low, high }; sort B = enum { mid, low };";
    insta::assert_snapshot!(query(head, "exists a: A, b: B. a = low & b = low & a + 1 = high"), @r#"
    query q =
        exists a: A, b: B. a = low & b = low & a + 1 = high;
    "#);
    insta::assert_snapshot!(query("", "exists p: Procedure, l: Location, t: Thread. p = main & l = main & t + 1 = t1"), @r#"
    query q =
        exists p: Procedure, l: Location, t: Thread. p = main & l = main & t + 1 = t1;
    "#);
}

#[test]
fn equations_hints_and_open_queries() {
    let text = "
        sort G = Bool[1..k]; param k = 1;
        nu A(g, h: G, t: Thread) = forall x: G. B(x, t) -> A(x, h, t) & g = h;
        mu B(g: G, t: Thread) = A(g, g, t0) | B(g, t - 1);
        order A: g interleaved h, t above g, g[1] apart h[1];
        query every(x: G) = A(x, x, t1);
        query some = exists x: G. every_one(x);
        define every_one(x: G) = A(x, x, t1);";
    insta::assert_snapshot!(show_fp(text, &[("k", 2)]), @r#"
    nu A(g[1]: Bool, g[2]: Bool, h[1]: Bool, h[2]: Bool, t: Thread) =
        forall x[1]: Bool, x[2]: Bool. !B(x[1], x[2], t) | A(x[1], x[2], h[1], h[2], t) & g[1] = h[1] & g[2] = h[2];
    mu B(g[1]: Bool, g[2]: Bool, t: Thread) =
        A(g[1], g[2], g[1], g[2], t0)
      | B(g[1], g[2], t - 1);
    define every_one(x[1]: Bool, x[2]: Bool) =
        A(x[1], x[2], x[1], x[2], t1);
    order g[1] g[2] interleaved h[1] h[2];
    order t above g[1] g[2];
    order g[1] apart h[1];
    query every(x[1]: Bool, x[2]: Bool) =
        A(x[1], x[2], x[1], x[2], t1);
    query some =
        exists x[1]: Bool, x[2]: Bool. every_one(x[1], x[2]);
    "#);
}

#[test]
fn parameters_are_listed_with_their_defaults() {
    let source = base::Source::new("test.fp", "param k, n = 3; query q = k = n;");
    let tree = calculus::fp::parse(&source).0.unwrap();
    let found = calculus::fp::parameters(&tree);
    let found: Vec<_> = found.iter().map(|parameter| (parameter.name.as_str(), parameter.default)).collect();
    assert_eq!(found, [("k", None), ("n", Some(3))]);
    assert!(read_fp(source.text(), &[]).is_err());
    assert!(read_fp(source.text(), &[("k", 1)]).is_ok());
}
