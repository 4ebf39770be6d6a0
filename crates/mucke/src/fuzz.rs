//! What the fuzzer checks: a function from bytes to nothing that panics when a promise is broken.

use base::Source;
use calculus::fuzz::verify;

/// Every text gets an answer; what is accepted is well formed.
pub fn mucke(bytes: &[u8]) {
    let source = Source::new("fuzz.mu", String::from_utf8_lossy(bytes));
    let (tree, diagnostics) = crate::parse(&source);
    assert!(tree.is_some() || diagnostics.has_errors(), "without a tree there is an error");
    match tree.map(|tree| crate::resolve(&tree)) {
        Some(Ok((resolved, _))) => verify(&resolved.system),
        Some(Err(errors)) => {
            assert!(errors.has_errors() || diagnostics.has_errors(), "what is rejected has errors");
        }
        None => {}
    }
}
