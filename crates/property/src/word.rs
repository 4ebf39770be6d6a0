//! Ultimately periodic words, and what a formula says of one.
//!
//! The meaning of every operator is computed here from its definition, moment by moment. Automata are not used, so this
//! is what they are tested against.

use std::collections::BTreeSet;
use std::fmt;

use crate::formula::{BinaryOp, NaryOp, UnaryOp};
use crate::{Atom, Formula};

/// One moment: the atoms that hold.
pub type Letter = BTreeSet<Atom>;

/// An infinite word: the letters of the stem, then those of the loop again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub(crate) stem: Vec<Letter>,
    /// Not empty.
    pub(crate) repeated: Vec<Letter>,
}

impl Word {
    /// The word that starts with `stem` and repeats `repeated` for ever; None when there is nothing to repeat.
    #[must_use]
    pub fn new(stem: Vec<Letter>, repeated: Vec<Letter>) -> Option<Self> {
        (!repeated.is_empty()).then_some(Self { stem, repeated })
    }

    /// The letters before the loop.
    #[must_use]
    pub fn stem(&self) -> &[Letter] {
        &self.stem
    }

    /// The letters of the loop, of which there is at least one.
    #[must_use]
    pub fn repeated(&self) -> &[Letter] {
        &self.repeated
    }

    /// Number of positions that differ: stem and one round of the loop.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.stem.len() + self.repeated.len()
    }

    /// The letter at a position.
    #[must_use]
    pub fn letter(&self, position: usize) -> &Letter {
        self.stem.get(position).unwrap_or_else(|| &self.repeated[(position - self.stem.len()) % self.repeated.len()])
    }

    /// The position after a position.
    #[must_use]
    pub fn next(&self, position: usize) -> usize {
        if position + 1 < self.n_positions() { position + 1 } else { self.stem.len() }
    }
}

/// `p,q; p; {}` with the loop in brackets: `p; (p,q; -)`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |letter: &Letter| {
            let names: Vec<String> = letter.iter().map(ToString::to_string).collect();
            if names.is_empty() { "-".to_owned() } else { names.join(",") }
        };
        for stem in &self.stem {
            write!(f, "{}; ", letter(stem))?;
        }
        let repeated: Vec<String> = self.repeated.iter().map(letter).collect();
        write!(f, "({})", repeated.join("; "))
    }
}

impl Formula {
    /// True when the word satisfies the formula.
    #[must_use]
    pub fn holds_on(&self, word: &Word) -> bool {
        self.moments(word)[0]
    }

    /// For each position whether the rest of the word from there satisfies the formula.
    fn moments(&self, word: &Word) -> Vec<bool> {
        let positions = 0..word.n_positions();
        match self {
            Self::Const(value) => vec![*value; word.n_positions()],
            Self::Atom(atom) => positions.map(|at| word.letter(at).contains(atom)).collect(),
            Self::Unary(op, inner) => unary(*op, &inner.moments(word), word),
            Self::Binary(op, left, right) => binary(*op, &left.moments(word), &right.moments(word), word),
            Self::Nary(op, parts) => {
                let parts: Vec<Vec<bool>> = parts.iter().map(|part| part.moments(word)).collect();
                let at = |at: usize| match op {
                    NaryOp::And => parts.iter().all(|part| part[at]),
                    NaryOp::Or => parts.iter().any(|part| part[at]),
                };
                positions.map(at).collect()
            }
        }
    }
}

fn unary(op: UnaryOp, inner: &[bool], word: &Word) -> Vec<bool> {
    match op {
        UnaryOp::Not => inner.iter().map(|value| !value).collect(),
        UnaryOp::Next => (0..inner.len()).map(|at| inner[word.next(at)]).collect(),
        UnaryOp::Finally => fixpoint(word, false, |at, later| inner[at] || later),
        UnaryOp::Globally => fixpoint(word, true, |at, later| inner[at] && later),
    }
}

fn binary(op: BinaryOp, left: &[bool], right: &[bool], word: &Word) -> Vec<bool> {
    let until = |at: usize, later: bool| right[at] || (left[at] && later);
    let release = |at: usize, later: bool| right[at] && (left[at] || later);
    match op {
        BinaryOp::Implies => left.iter().zip(right).map(|(left, right)| !left || *right).collect(),
        BinaryOp::Iff => left.iter().zip(right).map(|(left, right)| left == right).collect(),
        BinaryOp::Until => fixpoint(word, false, until),
        BinaryOp::WeakUntil => fixpoint(word, true, until),
        BinaryOp::Release => fixpoint(word, true, release),
        BinaryOp::StrongRelease => fixpoint(word, false, release),
    }
}

/// The least (from false) or greatest (from true) solution of `value[at] = step(at, value[next(at)])`.
fn fixpoint(word: &Word, from: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![from; word.n_positions()];
    loop {
        let before = values.clone();
        for at in (0..values.len()).rev() {
            values[at] = step(at, values[word.next(at)]);
        }
        if values == before {
            return values;
        }
    }
}
