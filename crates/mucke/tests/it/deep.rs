//! Nesting: up to the limit everything works in the promised stack, beyond it there is one diagnostic.

use base::Source;
use calculus::MAX_DEPTH;

use crate::shared::{deepest, nest, with_stack};

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

#[test]
fn up_to_the_limit_is_read_and_resolved() {
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
    for text in MUCKE {
        let (tree, diagnostics) = with_stack(|| mucke::parse(&Source::new("test.mu", nest(text, depth))));
        let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(tree.is_none() && codes == ["MU0004"], "{text:?}: {codes:?}");
    }
}
