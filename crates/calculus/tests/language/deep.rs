//! Nesting: up to the limit everything works in the promised stack, beyond it there is one diagnostic.

use base::Source;
use calculus::{MAX_DEPTH, fp, mucke};

use crate::common::{formatted, read_fp, with_stack};

/// Openings, a middle and closings.
fn nest((before, open, middle, close, after): (&str, &str, &str, &str, &str), depth: usize) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth))
}

const FP: [(&str, &str, &str, &str, &str); 9] = [
    ("query q = ", "(", "true", ")", ";"),
    ("query q = ", "!(", "true", ")", ";"),
    ("query q = ", "!", "true", "", ";"),
    ("query q = exists a: Bool. ", "a & (a | ", "a", ")", ";"),
    ("query q = exists a: Bool. ", "a -> ", "a", "", ";"),
    ("query q = exists a: Bool. ", "a <-> (", "a", ")", ";"),
    ("query q = ", "exists a: Bool. a & ", "true", "", ";"),
    ("query q = ", "exists a: Bool. a | ", "true", "", ";"),
    ("query q = exists g: (0..1)[0..1]. ", "g[", "0", "]", " = 0;"),
];

const MUCKE: [(&str, &str, &str, &str, &str); 8] = [
    ("", "(", "true", ")", ";"),
    ("", "!", "true", "", ";"),
    ("exists bool a. ", "(a & ", "a", ")", ";"),
    ("", "exists bool a. ", "true", "", ";"),
    ("", "if (true) ", "true", " else false", ";"),
    ("", "if (", "true", ") true", ";"),
    ("", "case true: ", "true", "; esac", ";"),
    ("bool P(bool a) a; ", "(P(1) assume ", "P(1)", ")", ";"),
];

/// The deepest nesting that is read.
fn deepest(mut is_read: impl FnMut(usize) -> bool) -> usize {
    let (mut read, mut rejected) = (0, MAX_DEPTH as usize + 1);
    while rejected - read > 1 {
        let middle = usize::midpoint(read, rejected);
        if is_read(middle) {
            read = middle;
        } else {
            rejected = middle;
        }
    }
    read
}

#[test]
fn fp_up_to_the_limit_is_read_resolved_and_formatted() {
    for text in FP {
        with_stack(|| {
            let depth = deepest(|depth| fp::parse(&Source::new("test.fp", nest(text, depth))).0.is_some());
            assert!(depth >= MAX_DEPTH as usize / 4, "{text:?}: only {depth} levels");
            let text = nest(text, depth);
            let resolved = read_fp(&text, &[]);
            let again = formatted(&text);
            assert_eq!(resolved.is_ok(), read_fp(&again, &[]).is_ok());
            assert_eq!(formatted(&again), again);
        });
    }
}

#[test]
fn mucke_up_to_the_limit_is_read_and_resolved() {
    for text in MUCKE {
        with_stack(|| {
            let depth = deepest(|depth| mucke::parse(&Source::new("test.mu", nest(text, depth))).0.is_some());
            assert!(depth >= MAX_DEPTH as usize / 4, "{text:?}: only {depth} levels");
            let tree = mucke::parse(&Source::new("test.mu", nest(text, depth))).0.unwrap();
            if let Err(diagnostics) = mucke::resolve(&tree) {
                assert!(diagnostics.iter().all(|diagnostic| diagnostic.code == "MU0034"), "{diagnostics:?}");
            }
        });
    }
}

#[test]
fn deeper_nesting_is_one_error() {
    let depth = 1_000_000;
    for text in FP {
        let (tree, diagnostics) = with_stack(|| fp::parse(&Source::new("test.fp", nest(text, depth))));
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(tree.is_none() && codes == ["FP0004"], "{text:?}: {codes:?}");
    }
    for text in MUCKE {
        let (tree, diagnostics) = with_stack(|| mucke::parse(&Source::new("test.mu", nest(text, depth))));
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(tree.is_none() && codes == ["MU0004"], "{text:?}: {codes:?}");
    }
}

#[test]
fn long_chains_are_not_deep() {
    let text = format!("query q = exists a: Bool. {} a;", "a & !a | ".repeat(50_000));
    assert!(read_fp(&text, &[]).is_ok());
    assert_eq!(formatted(&formatted(&text)), formatted(&text));
}
