//! What is known about the bits of a clause while a way to a tuple is looked for.

use smallvec::SmallVec;

use super::witness::Reading;

/// The value of a bit, if it is known.
pub(super) type Known = Option<bool>;

/// What is known about the bits of a clause: which are equal, and their values.
///
/// For each bit, one that it is equal to, times four, and for those that are equal to themselves a value: they are
/// copied all the time, so they are kept small.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Bits(SmallVec<[u32; 24]>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        // As a block: the vector's own way is one by one.
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Bits {
    pub(super) fn new(n: usize) -> Self {
        let mut bits = SmallVec::from_elem(0, n);
        bits.iter_mut().zip(0..).for_each(|(cell, bit)| *cell = bit << 2);
        Self(bits)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// To look at many bits: the list is found once.
    pub(super) fn cells(&self) -> Cells<&[u32]> {
        Cells(&self.0)
    }

    /// The same, to change them.
    pub(super) fn cells_mut(&mut self) -> Cells<&mut [u32]> {
        Cells(&mut self.0)
    }
}

/// The list behind [`Bits`].
pub(super) struct Cells<C>(C);

const VALUE: u32 = 1;
const IS_KNOWN: u32 = 2;

impl<C: std::ops::Deref<Target = [u32]>> Cells<C> {
    #[inline]
    pub(super) fn root(&self, mut bit: usize) -> usize {
        loop {
            let next = (self.0[bit] >> 2) as usize;
            if next == bit {
                return bit;
            }
            bit = next;
        }
    }

    #[inline]
    fn of_root(&self, root: usize) -> Known {
        let cell = self.0[root];
        (cell & IS_KNOWN != 0).then_some(cell & VALUE != 0)
    }

    #[inline]
    pub(super) fn get(&self, bit: usize) -> Known {
        self.of_root(self.root(bit))
    }
}

impl Cells<&mut [u32]> {
    /// Gives a root a value, or takes it away.
    pub(super) fn put(&mut self, root: usize, value: Known) {
        let code = value.map_or(0, |value| IS_KNOWN | u32::from(value));
        self.0[root] = (root as u32) << 2 | code;
    }

    /// False: it has another value.
    #[inline]
    pub(super) fn set(&mut self, bit: usize, value: bool) -> bool {
        let root = self.root(bit);
        match self.of_root(root) {
            Some(known) => known == value,
            None => {
                self.put(root, Some(value));
                true
            }
        }
    }

    /// False: they have different values.
    fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let known = self.of_root(b);
        self.0[b] = (a as u32) << 2;
        known.is_none_or(|value| self.set(a, value))
    }

    /// Takes up what a pattern says; false: it cannot be.
    pub(super) fn take_up(&mut self, reading: &Reading) -> bool {
        !reading.is_impossible
            && reading.fixed.iter().all(|(bit, value)| self.set(*bit, *value))
            && reading.equal.iter().all(|(a, b)| self.unite(*a, *b))
    }
}
