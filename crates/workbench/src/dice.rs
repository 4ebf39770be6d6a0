//! Pseudo-random numbers that are the same everywhere and for ever: SplitMix64.
//!
//! Not for secrets, and not a library's generator: a seed that once showed a defect has to show it after every update.

/// A source of random choices.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    /// The sequence that belongs to a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `n`, which is not zero. The bias of the multiplication does not matter here.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is a number below n");
        ((u64::from(n) * (self.bits() >> 32)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included; `low` when the range is empty.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there is at least one.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        assert!(!items.is_empty(), "there is an item to pick");
        &items[self.below(items.len() as u32) as usize]
    }

    /// One of the items, each as often as its weight says. Some weight is not zero.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, item) in items {
            if at < *weight {
                return *item;
            }
            at -= weight;
        }
        unreachable!("the weights sum up to the total")
    }

    /// Up to `n` different items, in random order.
    pub(crate) fn some<T: Clone>(&mut self, items: &[T], n: usize) -> Vec<T> {
        let mut pool = items.to_vec();
        let mut chosen = Vec::new();
        while chosen.len() < n && !pool.is_empty() {
            let at = self.below(pool.len() as u32) as usize;
            chosen.push(pool.swap_remove(at));
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference_implementation() {
        let mut dice = Dice::new(1_234_567);
        assert_eq!([dice.bits(), dice.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_stay_in_range_and_reach_its_ends() {
        let mut dice = Dice::new(7);
        let mut seen = [false; 4];
        for _ in 0..200 {
            seen[dice.between(1, 3) as usize] = true;
        }
        assert_eq!(seen, [false, true, true, true]);
        assert_eq!(dice.between(5, 2), 5);
    }

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let mut dice = Dice::new(7);
        assert!((0..100).all(|_| dice.weighted(&[(0, 'a'), (3, 'b'), (0, 'c')]) == 'b'));
    }

    #[test]
    fn some_items_are_different_ones() {
        let mut dice = Dice::new(7);
        let mut chosen = dice.some(&[1, 2, 3, 4], 9);
        chosen.sort_unstable();
        assert_eq!(chosen, [1, 2, 3, 4]);
    }
}
