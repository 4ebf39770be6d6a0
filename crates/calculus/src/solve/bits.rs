//! What is known about the bits of a clause while a way to a tuple is looked for.

use smallvec::SmallVec;

use super::packed::Packed;
use super::witness::Reading;

/// The value of a bit, if it is known.
pub(super) type Known = Option<bool>;

/// Up to 64 bits: which are known, and the values of those, 0 for the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Word {
    known: u64,
    values: u64,
}

impl Word {
    /// Gives a bit that is not known a value; false: it has another.
    #[inline]
    fn set(&mut self, bit: u32, value: bool) -> bool {
        let (known, values) = (1 << bit, u64::from(value) << bit);
        let agrees = self.known & known == 0 || self.values & known == values;
        self.known |= known;
        self.values |= if agrees { values } else { 0 };
        agrees
    }
}

const WORD: usize = u64::BITS as usize;

/// Values for some bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<Word>);

impl Values {
    /// False: the bit has another value.
    pub(super) fn set(&mut self, bit: usize, value: bool) -> bool {
        if bit / WORD >= self.0.len() {
            self.0.resize(bit / WORD + 1, Word::default());
        }
        self.0[bit / WORD].set((bit % WORD) as u32, value)
    }

    /// Whether bits that are all known have these values.
    pub(super) fn agree(&self, bits: &Packed) -> bool {
        self.0.iter().enumerate().all(|(at, word)| {
            let n = bits.len().saturating_sub(at * WORD).min(WORD);
            (bits.word(at * WORD, n) ^ word.values) & word.known == 0
        })
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        let of_word = |(at, word): (usize, &Word)| {
            let word = *word;
            let known = (0..WORD).filter(move |bit| word.known >> bit & 1 == 1);
            known.map(move |bit| (at * WORD + bit, word.values >> bit & 1 == 1))
        };
        self.0.iter().enumerate().flat_map(of_word)
    }
}

/// What is known about the bits of a clause: which are equal, and their values.
///
/// They are copied all the time, so they are kept small: bits that are equal are only written down if neither is known,
/// which is rare.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Bits {
    words: SmallVec<[Word; 2]>,
    /// For each bit, one that it is equal to, itself if it has a value of its own; empty if all have.
    parents: Vec<u32>,
    n: usize,
}

impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Self {
        // As a block: the vector's own way is one by one.
        Self { words: SmallVec::from_slice(&self.words), parents: self.parents.clone(), n: self.n }
    }
}

impl Bits {
    pub(super) fn new(n: usize) -> Self {
        Self { words: SmallVec::from_elem(Word::default(), n.div_ceil(WORD)), parents: Vec::new(), n }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Of bits that are equal, the one that has the value.
    #[inline]
    pub(super) fn root(&self, bit: usize) -> usize {
        if self.parents.is_empty() {
            return bit;
        }
        let mut bit = bit as u32;
        while self.parents[bit as usize] != bit {
            bit = self.parents[bit as usize];
        }
        bit as usize
    }

    #[inline]
    fn of_root(&self, root: usize) -> Known {
        let word = self.words[root / WORD];
        let at = root % WORD;
        (word.known >> at & 1 == 1).then_some(word.values >> at & 1 == 1)
    }

    #[inline]
    pub(super) fn get(&self, bit: usize) -> Known {
        self.of_root(self.root(bit))
    }

    /// Takes the value of a root away.
    pub(super) fn forget(&mut self, root: usize) {
        let word = &mut self.words[root / WORD];
        let others = !(1 << (root % WORD));
        *word = Word { known: word.known & others, values: word.values & others };
    }

    /// False: it has another value.
    #[inline]
    pub(super) fn set(&mut self, bit: usize, value: bool) -> bool {
        let root = self.root(bit);
        self.words[root / WORD].set((root % WORD) as u32, value)
    }

    /// False: they have different values.
    fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        match (self.of_root(a), self.of_root(b)) {
            (Some(a), Some(b)) => a == b,
            (Some(value), None) => self.set(b, value),
            (None, Some(value)) => self.set(a, value),
            (None, None) => {
                if self.parents.is_empty() {
                    self.parents = (0..self.n as u32).collect();
                }
                self.parents[b] = a as u32;
                true
            }
        }
    }

    /// Takes up what a pattern says; false: it cannot be.
    pub(super) fn take_up(&mut self, reading: &Reading) -> bool {
        !reading.is_impossible
            && self.take_up_values(&reading.fixed)
            && reading.equal.iter().all(|(a, b)| self.unite(*a, *b))
    }

    /// Gives bits values; false: some have others.
    fn take_up_values(&mut self, values: &Values) -> bool {
        if !self.parents.is_empty() {
            return values.iter().all(|(bit, value)| self.set(bit, value));
        }
        self.words.iter_mut().zip(&values.0).all(|(word, new)| {
            let both = word.known & new.known;
            let agrees = (word.values ^ new.values) & both == 0;
            *word = Word { known: word.known | new.known, values: word.values | new.values };
            agrees
        })
    }

    /// The values of all bits, false where they are not known.
    pub(super) fn values(&self) -> Packed {
        if !self.parents.is_empty() {
            return (0..self.n).map(|bit| self.get(bit).unwrap_or(false)).collect();
        }
        let mut values = Packed::default();
        for (at, word) in self.words.iter().enumerate() {
            values.push_word(word.values, (self.n - at * WORD).min(WORD));
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values and equalities in every order against a list of classes.
    #[test]
    fn bits_are_those_of_their_classes() {
        let pairs = [(0, 70), (70, 3), (3, 128), (5, 64), (64, 65), (1, 1), (129, 0)];
        let mut random = 1u32;
        let mut next = |n: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % n
        };
        let mut n_conflicts = 0;
        for _ in 0..500 {
            let (mut bits, mut is_possible) = (Bits::new(130), true);
            let mut class: Vec<usize> = (0..130).collect();
            let (mut values, mut was_other): (Vec<Known>, bool) = (vec![None; 130], false);
            for _ in 0..12 {
                if next(2) == 0 {
                    let (a, b) = pairs[next(pairs.len() as u32) as usize];
                    is_possible &= bits.unite(a, b);
                    let (from, to) = (class[b], class[a]);
                    class.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
                } else {
                    let (bit, value) = (pairs[next(pairs.len() as u32) as usize].1, next(2) == 1);
                    let mut fixed = Values::default();
                    is_possible &= fixed.set(bit, value) && bits.take_up_values(&fixed);
                    was_other |= values[bit].replace(value).is_some_and(|known| known != value);
                }
            }
            let of = |bit: usize| (0..130).filter(|other| class[*other] == class[bit]).find_map(|other| values[other]);
            let agree = !was_other && (0..130).all(|bit| values[bit].is_none_or(|value| of(bit) == Some(value)));
            assert_eq!(is_possible, agree);
            n_conflicts += usize::from(!agree);
            if agree {
                assert!((0..130).all(|bit| bits.get(bit) == of(bit)));
                let packed = bits.values();
                assert!(packed.len() == 130 && (0..130).all(|bit| packed.get(bit) == of(bit).unwrap_or(false)));
            }
        }
        assert!((50..450).contains(&n_conflicts), "{n_conflicts}");
    }
}
