//! Numbers of ranges: sums, and ranges with more values than can be listed.

use calculus::Control;

use crate::dice::Dice;
use crate::evaluate::{expected, limited, solved};
use crate::model::Small;

const MODES: [(Control, bool); 4] =
    [(Control::Explicit, false), (Control::Explicit, true), (Control::Symbolic, false), (Control::Symbolic, true)];

/// The solutions of the only query, in every mode; values by their position in their sorts.
fn check(text: &str, solutions: &[&[u64]]) {
    let mut model = Small::new(&mut Dice::new(1));
    let system = model.system(text, &[]);
    let solutions: Vec<_> = solutions.iter().map(|tuple| tuple.to_vec()).collect();
    assert_eq!(expected(&system, &model), Ok(vec![solutions.iter().cloned().collect()]), "{text}");
    for (control, literal) in MODES {
        let found = solved(&system, &mut model, control, literal);
        assert_eq!(found, Ok(vec![solutions.iter().cloned().collect()]), "{text} {control:?} literal {literal}");
    }
}

#[test]
fn a_sum_may_lie_outside_of_its_variables_range() {
    check("query q(g: Bool[0..1], i: 0..1) = g[i + 1];", &[&[0, 1, 0], &[1, 1, 0]]);
    check("define E(x: 0..2) = true; query q(x: 0..1) = E(x + 1);", &[&[0], &[1]]);
    check("mu E(x: 0..2) = x = 0 | exists y: 0..2. E(y) & x = y + 2; query q(x: 0..1) = E(x + 1);", &[&[1]]);
    check("query q(x: 0..1) = exists y: 0..2. y = x + 1 & y > 0;", &[&[0], &[1]]);
    check("query q(r: 1..3, c: 0..2) = r = c + 1;", &[&[0, 0], &[1, 1], &[2, 2]]);
    check("query q(t: Bool[1..2], r: 0..1) = r = 1 & t[r + 1];", &[&[0, 1, 1], &[1, 1, 1]]);
    check("query q(x: 0..3) = x + 1 = 4 | x - 2 < 0 - 1;", &[&[0], &[3]]);
}

#[test]
fn sums_are_compared_as_numbers() {
    check("query q(x, y: 1..2) = x - 1 < y - 1;", &[&[0, 1]]);
    check("query q(x, y: 1..2) = x - 2 < y - 1;", &[&[0, 0], &[0, 1], &[1, 1]]);
    check("query q(x, y: 1..2) = x + 1 <= y + 1;", &[&[0, 0], &[0, 1], &[1, 1]]);
    check("query q(x, y: 1..2) = x + 5 = y + 6;", &[&[1, 0]]);
    check("query q(x, y: 1..2) = x != y + 1;", &[&[0, 0], &[0, 1], &[1, 1]]);
    check("query q(x, y: 1..2) = !(x < y + 1);", &[&[1, 0]]);
    check("query q(x: 0..2, y: 1..2) = x - 1 >= y;", &[&[2, 0]]);
}

/// Where there are no numbers, only values: what is beyond the last one does not exist.
#[test]
fn sums_of_names_stay_among_the_names() {
    let head = "sort E = enum { a, b, c };";
    check(&format!("{head} query q(x, y: E) = x + 1 = y + 1;"), &[&[0, 0], &[1, 1]]);
    check(&format!("{head} query q(x: E) = x - 1 < c;"), &[&[1], &[2]]);
}

/// Whatever it is compared with, and however: also `!=` is false of what there is not.
#[test]
fn comparisons_with_what_does_not_exist_are_false() {
    let head = "sort E = enum { a, b, c };";
    for comparison in ["=", "!=", "<", "<=", ">", ">="] {
        check(&format!("query q(i: 0..3, g: (1..2)[0..1]) = i = 2 & g[i] {comparison} 1;"), &[]);
        check(&format!("query q(i: 0..3, g: (1..2)[0..1]) = i > 1 & 1 {comparison} g[i];"), &[]);
        check(&format!("{head} query q(e, f: E) = f = c & e {comparison} f + 1;"), &[]);
        check(&format!("{head} query q(e, f: E) = f = a & f - 1 {comparison} e;"), &[]);
    }
    check("query q(i: 0..3, g: (1..2)[0..1]) = g[i] != 1 & g[0] = 1;", &[&[1, 0, 1]]);
    check("query q(i: 0..2, g: Bool[0..1]) = g[i] != g[i + 1];", &[&[0, 0, 1], &[0, 1, 0]]);
    check(&format!("{head} query q(e, f: E) = e != f + 1 & e != b;"), &[&[0, 0], &[0, 1], &[2, 0]]);
    check("query q(x: 0..2, y: 1..2) = x + 1 != y & x != 0;", &[&[1, 0], &[2, 0], &[2, 1]]);
}

/// Some solutions of all queries with two kinds of control, at most five of each.
fn first(text: &str, parameters: &[(&str, u64)]) -> [Vec<Vec<Vec<u64>>>; 2] {
    let mut model = Small::new(&mut Dice::new(1));
    let system = model.system(text, parameters);
    [Control::Explicit, Control::Symbolic]
        .map(|control| limited(&system, &mut model, control, false, 5).unwrap_or_default())
}

#[test]
fn large_ranges_are_not_listed() {
    let small = "query e(x: 0..4294967295) = x < 3; query f(x: 0..4294967295) = x + 1 = 4294967295 + 1;";
    let all = vec![vec![vec![0], vec![1], vec![2]], vec![vec![4_294_967_295]]];
    assert_eq!(first(small, &[]), [all.clone(), all]);
    let beyond = "param k; mu A(x: 0..k + 5) = x = k + 2 | exists y: 0..k + 5. A(y) & x = y + 3;
        query s(x: 0..k + 5) = A(x); query t = A(1);";
    let top = u64::from(u32::MAX);
    let all = vec![vec![vec![top + 2], vec![top + 5]], vec![]];
    assert_eq!(first(beyond, &[("k", top)]), [all.clone(), all]);
    for found in first("query q(x: 0..4294967294) = x > 2; query r(x: 0..65536) = x > 2;", &[]) {
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5]);
        assert!(found.iter().flatten().all(|tuple| tuple[0] > 2));
    }
}
