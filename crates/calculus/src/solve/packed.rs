//! The bits of a single tuple.

use std::hash::{Hash, Hasher};

/// Bits, 64 to a word; bits beyond the last are zero.
///
/// Tuples are kept, copied, compared and looked up by the hundred thousand, and nearly all have one word: that one stands
/// where the list would.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed(Words);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Words {
    /// Up to 64 bits.
    One { n: u8, word: u64 },
    /// More than that.
    Many(Box<Many>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Many {
    words: Vec<u64>,
    n: usize,
}

const WORD: usize = u64::BITS as usize;

impl Many {
    fn push_word(&mut self, word: u64, n: usize) {
        if n == 0 {
            return;
        }
        let used = self.n % WORD;
        self.n += n;
        match self.words.last_mut() {
            Some(last) if used > 0 => {
                *last |= word << used;
                if used + n > WORD {
                    self.words.push(word >> (WORD - used));
                }
            }
            _ => self.words.push(word),
        }
    }

    /// The bits from a place on, as far as they fill a word.
    fn word_from(&self, start: usize) -> u64 {
        let (at, used) = (start / WORD, start % WORD);
        let next = if used == 0 { 0 } else { self.words.get(at + 1).map_or(0, |word| word << (WORD - used)) };
        self.words[at] >> used | next
    }
}

impl Hash for Words {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // How many bits there are is mostly the same for all that meet in a table.
        match self {
            Self::One { word, .. } => state.write_u64(*word),
            Self::Many(many) => many.hash(state),
        }
    }
}

impl Default for Packed {
    #[inline]
    fn default() -> Self {
        Self(Words::One { n: 0, word: 0 })
    }
}

impl Packed {
    /// Number of bits.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Words::One { n, .. } => usize::from(*n),
            Words::Many(many) => many.n,
        }
    }

    /// True when there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a bit.
    pub fn push(&mut self, bit: bool) {
        self.push_word(u64::from(bit), 1);
    }

    /// Adds up to 64 bits of a number, the least significant first; the others must be zero.
    #[inline]
    pub(crate) fn push_word(&mut self, word: u64, n: usize) {
        match &mut self.0 {
            Words::One { n: used, word: first } if usize::from(*used) + n <= WORD => {
                *first |= word.unbounded_shl(u32::from(*used));
                *used += n as u8;
            }
            Words::One { n: used, word: first } => {
                let mut many = Many { words: vec![*first], n: usize::from(*used) };
                many.push_word(word, n);
                self.0 = Words::Many(Box::new(many));
            }
            Words::Many(many) => many.push_word(word, n),
        }
    }

    /// Up to 64 of the bits.
    #[inline]
    pub(crate) fn word(&self, start: usize, n: usize) -> u64 {
        let word = match &self.0 {
            Words::One { word, .. } => word.unbounded_shr(start as u32),
            Words::Many(_) if n == 0 => 0,
            Words::Many(many) => many.word_from(start),
        };
        word & u64::MAX.unbounded_shr((WORD - n) as u32)
    }

    /// Adds some of the bits of another.
    #[inline]
    pub fn extend_from(&mut self, other: &Self, start: usize, n: usize) {
        let (mut start, mut left) = (start, n);
        while left > WORD {
            self.push_word(other.word(start, WORD), WORD);
            (start, left) = (start + WORD, left - WORD);
        }
        self.push_word(other.word(start, left), left);
    }

    /// Some of the bits.
    #[must_use]
    #[inline]
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
    #[inline]
    pub fn get(&self, at: usize) -> bool {
        assert!(at < self.len(), "bits are looked at that are there");
        self.word(at, 1) == 1
    }

    /// All bits, in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len()).map(|at| self.get(at))
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
        for (start, n) in
            [(0, 0), (0, 200), (3, 61), (3, 64), (60, 10), (63, 2), (64, 64), (1, 130), (199, 1), (5, 59), (6, 123)]
        {
            for before in [0, 5, 64, 128] {
                let mut part = packed.part(1, before);
                part.extend_from(&packed, start, n);
                let expected: Packed = bits[1..1 + before].iter().chain(&bits[start..start + n]).copied().collect();
                assert_eq!(part, expected, "{n} from {start} after {before}");
                assert_eq!(part.len(), before + n);
            }
        }
    }
}
