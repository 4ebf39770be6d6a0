//! Where comments can stand in the canonical text.
//!
//! A comment can be anywhere in a source, but is printed only before a declaration, a body, an operand or what a
//! quantifier binds. Each is moved to the next such place, so that the layout depends on nothing else.

use text::Comment;

use crate::fp::syntax::{Binary, Expr, ExprKind, ItemKind, SyntaxTree};

/// The comments of a tree, each just before the place where it is printed.
pub(super) fn comments(tree: &SyntaxTree) -> Vec<Comment> {
    if tree.comments.is_empty() {
        return Vec::new();
    }
    let mut slots = Vec::new();
    for item in &tree.items {
        slots.push(item.span.start);
        if let ItemKind::Define(_, body) | ItemKind::Fixpoint(_, _, body) | ItemKind::Query(_, body) = &item.kind {
            slots.push(body.span.start);
            collect(body, &mut slots);
        }
    }
    slots.sort_unstable();
    let moved = |comment: &Comment| {
        let next = slots.partition_point(|slot| *slot <= comment.start);
        let start = slots.get(next).map_or(u32::MAX - 1, |slot| slot - 1);
        Comment { start, ..comment.clone() }
    };
    tree.comments.iter().map(moved).collect()
}

fn collect(expr: &Expr, slots: &mut Vec<u32>) {
    let parts = match &expr.kind {
        ExprKind::Nary(_, parts) => parts.as_slice(),
        ExprKind::Binary(Binary::Iff | Binary::Implies, parts) => parts.as_slice(),
        ExprKind::Not(inner) => return collect(inner, slots),
        ExprKind::Quantified(_, _, body) => {
            slots.push(body.span.start);
            return collect(body, slots);
        }
        _ => return,
    };
    slots.extend(parts[1..].iter().map(|part| part.span.start));
    parts.iter().for_each(|part| collect(part, slots));
}
