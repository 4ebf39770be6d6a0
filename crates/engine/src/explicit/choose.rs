//! Enumeration of all sequences of choices.

/// Hands out choices; [`for_all_choices`] runs a computation once for every sequence of answers.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    /// The answers of this run, each with the number of its alternatives.
    trail: Vec<(u64, u64)>,
    position: usize,
}

impl Chooser {
    /// One of `0..n`. In the first run 0; later runs go through all of them.
    pub(super) fn choose(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a choice has at least one alternative");
        if self.position == self.trail.len() {
            self.trail.push((0, n));
        }
        let answer = self.trail[self.position].0;
        self.position += 1;
        answer
    }

    /// Moves on to the next sequence; false when all have been seen.
    fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((answer, n)) = self.trail.pop() {
            if answer + 1 < n {
                self.trail.push((answer + 1, n));
                return true;
            }
        }
        false
    }
}

/// Runs `body` once for every sequence of choices that it can be given, until it returns false.
pub(super) fn for_all_choices(mut body: impl FnMut(&mut Chooser) -> bool) {
    let mut chooser = Chooser::default();
    while body(&mut chooser) && chooser.advance() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_is_seen_once() {
        let mut seen = Vec::new();
        for_all_choices(|chooser| {
            let first = chooser.choose(2);
            let second = if first == 1 { chooser.choose(3) } else { 0 };
            seen.push((first, second));
            true
        });
        assert_eq!(seen, [(0, 0), (1, 0), (1, 1), (1, 2)]);
    }
}
