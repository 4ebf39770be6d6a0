//! Nesting: up to the limit everything works in the promised stack, beyond it there is one diagnostic.

use base::Source;
use calculus::{MAX_DEPTH, fp};

use crate::common::{formatted, read_fp};
use crate::shared::{deepest, nest, with_stack};

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
fn deeper_nesting_is_one_error() {
    let depth = 1_000_000;
    for text in FP {
        let (tree, diagnostics) = with_stack(|| fp::parse(&Source::new("test.fp", nest(text, depth))));
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(tree.is_none() && codes == ["FP0004"], "{text:?}: {codes:?}");
    }
}

#[test]
fn long_chains_are_not_deep() {
    let text = format!("query q = exists a: Bool. {} a;", "a & !a | ".repeat(50_000));
    assert!(read_fp(&text, &[]).is_ok());
    assert_eq!(formatted(&formatted(&text)), formatted(&text));
}
