//! The bits of a single tuple.

use std::hash::{Hash, Hasher};

/// Bits, 64 to a word; bits beyond the last are zero.
#[derive(Eq, PartialOrd, Ord, Debug, Default)]
pub struct Packed {
    /// The first word stands alone: most tuples need no other, and copies of them are cheap.
    first: u64,
    rest: Vec<u64>,
    n: usize,
}

const WORD: usize = u64::BITS as usize;

impl Packed {
    /// Number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n
    }

    /// True when there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    fn word(&self, at: usize) -> u64 {
        if at == 0 { self.first } else { self.rest[at - 1] }
    }

    /// Adds a bit.
    pub fn push(&mut self, bit: bool) {
        self.push_word(u64::from(bit), 1);
    }

    /// Adds up to 64 bits of a number, the least significant first; the others must be zero.
    #[inline]
    fn push_word(&mut self, word: u64, n: usize) {
        let (at, used) = (self.n / WORD, self.n % WORD);
        self.n += n;
        match at {
            0 => self.first |= word << used,
            _ if used == 0 => self.rest.push(word),
            _ => self.rest[at - 1] |= word << used,
        }
        if used + n > WORD {
            self.rest.push(word >> (WORD - used));
        }
    }

    /// Adds some of the bits of another.
    #[inline]
    pub fn extend_from(&mut self, other: &Self, start: usize, n: usize) {
        // Nearly always there is one word before and after.
        if start + n <= WORD && self.n + n <= WORD && n < WORD {
            let word = other.first.unbounded_shr(start as u32) & ((1 << n) - 1);
            self.first |= word.unbounded_shl(self.n as u32);
            self.n += n;
            return;
        }
        self.extend_by_words(other, start, n);
    }

    fn extend_by_words(&mut self, other: &Self, start: usize, n: usize) {
        let mut at = start;
        while at < start + n {
            let n = (start + n - at).min(WORD - at % WORD);
            let word = other.word(at / WORD) >> (at % WORD);
            self.push_word(if n == WORD { word } else { word & ((1 << n) - 1) }, n);
            at += n;
        }
    }

    /// Some of the bits.
    #[must_use]
    pub fn part(&self, start: usize, n: usize) -> Self {
        let mut part = Self::default();
        part.extend_from(self, start, n);
        part
    }

    /// A bit.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn get(&self, at: usize) -> bool {
        self.word(at / WORD) >> (at % WORD) & 1 == 1
    }

    /// All bits, in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.n).map(|at| self.get(at))
    }
}

// Tuples are copied, compared and looked up all the time, and nearly all have one word: then the list is not touched.

impl Clone for Packed {
    #[inline]
    fn clone(&self) -> Self {
        let rest = if self.n <= WORD { Vec::new() } else { self.rest.clone() };
        Self { first: self.first, rest, n: self.n }
    }
}

impl PartialEq for Packed {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.n == other.n && self.first == other.first && (self.n <= WORD || self.rest == other.rest)
    }
}

impl Hash for Packed {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.first.hash(state);
        if self.n > WORD {
            self.rest.hash(state);
        }
    }
}

impl Extend<bool> for Packed {
    fn extend<T: IntoIterator<Item = bool>>(&mut self, bits: T) {
        let (mut word, mut n) = (0, 0);
        for bit in bits {
            word |= u64::from(bit) << n;
            n += 1;
            if n == WORD {
                self.push_word(word, n);
                (word, n) = (0, 0);
            }
        }
        if n > 0 {
            self.push_word(word, n);
        }
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

    #[test]
    fn parts_are_those_of_the_list() {
        let bits: Vec<bool> = (0..200).map(|at| at % 3 == 0 || at % 7 == 2).collect();
        let packed: Packed = bits.iter().copied().collect();
        for (start, n) in [(0, 0), (0, 200), (3, 61), (3, 64), (60, 10), (63, 2), (64, 64), (1, 130), (199, 1)] {
            let mut part = packed.part(1, 5);
            part.extend_from(&packed, start, n);
            let expected: Packed = bits[1..6].iter().chain(&bits[start..start + n]).copied().collect();
            assert_eq!(part, expected, "{n} from {start}");
        }
    }
}
