//! Laws: what automata accept is what formulae say, for random formulae and words.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod files;
mod sizes;
mod translation;

use property::{Atom, Word, random};

/// Four atoms of all kinds.
fn atoms() -> Vec<Atom> {
    ["p", "q:r", "in(main)", "\"x > 3\""].map(Atom::read).to_vec()
}

fn words(seed: u64, n: u64) -> impl Iterator<Item = Word> {
    let atoms = atoms();
    (0..n).map(move |at| random::word(seed * 1_000 + at, &atoms, 5))
}
