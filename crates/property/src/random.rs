//! Random formulae and words, for tests of whatever works on properties. The same seed gives the same result.

use crate::formula::{BinaryOp, NaryOp, UnaryOp};
use crate::word::{Letter, Word};
use crate::{Atom, Formula};

/// A random formula over the atoms, with about so many operators, atoms and constants. All operators occur.
#[must_use]
pub fn formula(seed: u64, atoms: &[Atom], size: u32) -> Formula {
    Dice { state: seed }.formula(atoms, size)
}

/// A random word over the atoms: at most so many letters before the loop, and at most so many in it.
#[must_use]
pub fn word(seed: u64, atoms: &[Atom], max_length: u32) -> Word {
    let mut dice = Dice { state: seed };
    let stem = dice.below(max_length + 1);
    let repeated = 1 + dice.below(max_length.max(1));
    let stem = (0..stem).map(|_| dice.letter(atoms)).collect();
    let repeated = (0..repeated).map(|_| dice.letter(atoms)).collect();
    Word { stem, repeated }
}

/// SplitMix64.
struct Dice {
    state: u64,
}

impl Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        ((u64::from(n.max(1)) * (bits >> 32)) >> 32) as u32
    }

    fn letter(&mut self, atoms: &[Atom]) -> Letter {
        atoms.iter().filter(|_| self.below(2) == 0).cloned().collect()
    }

    fn formula(&mut self, atoms: &[Atom], size: u32) -> Formula {
        if size <= 1 {
            return self.leaf(atoms);
        }
        if size == 2 || self.below(5) < 2 {
            const OPS: [UnaryOp; 4] = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
            let op = OPS[self.below(4) as usize];
            return Formula::unary(op, self.formula(atoms, size - 1));
        }
        let left = 1 + self.below(size - 2);
        let (left, right) = (self.formula(atoms, left), self.formula(atoms, size - 1 - left));
        match self.below(11) {
            0..=1 => Formula::Nary(NaryOp::And, vec![left, right]),
            2..=3 => Formula::Nary(NaryOp::Or, vec![left, right]),
            4 => Formula::binary(BinaryOp::Implies, left, right),
            5 => Formula::binary(BinaryOp::Iff, left, right),
            6..=7 => Formula::binary(BinaryOp::Until, left, right),
            8 => Formula::binary(BinaryOp::WeakUntil, left, right),
            9 => Formula::binary(BinaryOp::Release, left, right),
            _ => Formula::binary(BinaryOp::StrongRelease, left, right),
        }
    }

    fn leaf(&mut self, atoms: &[Atom]) -> Formula {
        let at = self.below(atoms.len() as u32) as usize;
        match atoms.get(at) {
            Some(atom) if self.below(20) > 0 => Formula::Atom(atom.clone()),
            _ => Formula::Const(self.below(2) == 0),
        }
    }
}
