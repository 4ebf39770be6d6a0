//! The canonical text of a syntax tree.

use crate::syntax::SyntaxTree;

/// The canonical text.
#[must_use]
pub fn format(tree: &SyntaxTree) -> String {
    let _ = tree;
    String::new()
}
