//! The bits of a single tuple.

use smallvec::SmallVec;

/// Bits, 64 to a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Packed {
    words: SmallVec<[u64; 2]>,
    n: usize,
}

const WORD: usize = u64::BITS as usize;

impl Packed {
    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn push(&mut self, bit: bool) {
        if self.n.is_multiple_of(WORD) {
            self.words.push(0);
        }
        self.words[self.n / WORD] |= u64::from(bit) << (self.n % WORD);
        self.n += 1;
    }

    pub(super) fn get(&self, at: usize) -> bool {
        self.words[at / WORD] >> (at % WORD) & 1 == 1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.n).map(|at| self.get(at))
    }
}

impl Extend<bool> for Packed {
    fn extend<T: IntoIterator<Item = bool>>(&mut self, bits: T) {
        bits.into_iter().for_each(|bit| self.push(bit));
    }
}

impl FromIterator<bool> for Packed {
    fn from_iter<T: IntoIterator<Item = bool>>(bits: T) -> Self {
        let mut packed = Self::default();
        packed.extend(bits);
        packed
    }
}

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn bits_come_back_across_words() {
        let bits: Vec<bool> = (0..150).map(|at| at % 3 == 0 || at == 64).collect();
        let packed: Packed = bits.iter().copied().collect();
        assert_eq!((packed.len(), packed.iter().collect::<Vec<_>>()), (150, bits));
        assert!(packed.get(64) && !packed.get(65));
    }
}
