//! Temporal properties of programs that work on arrays.

use crate::harness::Lab;

/// The ways to search that know different things of arrays.
const SEARCHES: [&[&str]; 5] =
    [&[], &["--no-components"], &["--no-reachable-first"], &["--cycles", "closure"], &["--algorithm", "recurrence"]];

/// Checks a formula by each of the ways; `verdict` is the exit code.
fn all_searches_say(verdict: i32, text: &str, formula: &str) {
    let lab = Lab::with("a.pds", text);
    for search in SEARCHES {
        let done = lab.run(&[&["check", "a.pds", "--ltl", formula], search].concat());
        assert_eq!(done.code, Some(verdict), "{search:?}\n{text}\n{}", done.transcript());
    }
}

/// A procedure that never returns if the first element of an array is 1, and counts down by recursion otherwise. The
/// start leaves the array open; what main writes into it decides.
const OPEN_ARRAY: &str = "\
global int a[0,1](1);
local (f, g) int n(2);

(q <main>)

q <main> --> q <f end> (WRITTEN & a'[1] = a[1] & n' = 3)
q <f> --> q <f> (a[0] = 1 & n' = n & (A i (0,1) a'[i] = a[i]))
q <f> --> q <g> (a[0] = 0 & n = 0 & n' = n & (A i (0,1) a'[i] = a[i]))
q <f> --> q <f g> (a[0] = 0 & n > 0 & n' = n - 1 & n'' = n & (A i (0,1) a'[i] = a[i]))
q <g> --> q <> (A i (0,1) a'[i] = a[i])
q <end> --> q <end> (A i (0,1) a'[i] = a[i])
";

/// Calls are looked at with all values of the array; those that no run has must not count.
#[test]
fn an_array_that_is_left_open_holds_what_was_written_into_it() {
    for (written, verdict) in [("a'[0] = 0", 0), ("a'[0] = a[0]", 10), ("a'[0] = 1", 10)] {
        all_searches_say(verdict, &OPEN_ARRAY.replace("WRITTEN", written), "<> end");
    }
}

/// A loop that something counts ends whatever is in the array; one that elements decide about must be looked at with them.
#[test]
fn loops_over_arrays_end_where_they_do() {
    let all = "A k (0,1) a'[k] = a[k]";
    let rules = |next: &str, start: &str| {
        format!(
            "global int a[0,1](2); int i(3);\n(q <w ({start})>)\nq <w> --> q <w> ({next} & {all})\n\
             q <w> --> q <done> (i = 7 & i' = i & {all})\nq <done> --> q <done> (i' = i & {all})\n"
        )
    };
    let expected = [
        ("i < 7 & i' = i + 1", "i = 0", 0),
        ("i < 7 & i' <= i + 1 & i' > i", "i < 7", 0),
        ("(a[0] = 1 & i' = 0 | a[0] != 1 & i < 7 & i' = i + 1)", "a[0] = 2", 0),
        ("(a[0] = 1 & i' = 0 | a[0] != 1 & i < 7 & i' = i + 1)", "a[1] = 2", 10),
        ("i < 7 & (i' = i + 1 | i' = i & a[0] < a[1])", "a[0] = a[1]", 0),
        ("i < 7 & (i' = i + 1 | i' = i & a[0] < a[1])", "a[0] = 1", 10),
    ];
    for (next, start, verdict) in expected {
        all_searches_say(verdict, &rules(next, start), "<> done");
    }
}

/// What the array was before a recursion is looked at only where the answer depends on it.
#[test]
fn a_recursion_may_have_to_leave_the_array_as_it_was() {
    let all = "A i (0,1) a'[i] = a[i]";
    let rules = |first: &str, after: &str, condition: &str| {
        format!(
            "global int a[0,1](2);\nlocal (f, g) int n(2);\nlocal (back) int x(2);\n(q <main>)\n\
             q <main> --> q <f back> (n' = 3 & x'' = a[0] & {all})\n\
             q <f> --> q <f g> (n > 0 & n' = n - 1 & n'' = n & {first})\nq <f> --> q <> (n = 0 & {all})\n\
             q <g> --> q <> ({after})\nq <back> --> q <done> ({condition} & {all})\n\
             q <back> --> q <wrong> (!({condition}) & {all})\n\
             q <done> --> q <done> ({all})\nq <wrong> --> q <wrong> ({all})\n"
        )
    };
    let swapped = "a'[0] = a[1] & a'[1] = a[0]";
    let sorted = "(a[0] <= a[1] & A i (0,1) a'[i] = a[i]) | (a[0] > a[1] & a'[0] = a[1] & a'[1] = a[0])";
    let expected = [
        (all, all, "a[0] = x", 0),
        (swapped, swapped, "a[0] = x", 0),
        (swapped, all, "a[0] = x", 10),
        (swapped, all, "a[1] = x", 0),
        (all, sorted, "a[0] <= a[1]", 0),
        (all, sorted, "a[0] = x", 10),
        (all, sorted, "a[0] <= x", 0),
        (sorted, swapped, "a[0] <= a[1]", 10),
    ];
    for (first, after, condition, verdict) in expected {
        all_searches_say(verdict, &rules(first, after, condition), "<> done");
    }
}
