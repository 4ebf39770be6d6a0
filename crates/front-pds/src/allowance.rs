//! How far quantifiers may be written out: a few lines can stand for more than there is room or time for.

/// The quantifiers of all conditions of a file stand for at most so many parts.
const MOST_OF_ALL: usize = 4_000_000;

/// What the quantifiers of a file have come to so far.
#[derive(Debug, Default)]
pub(crate) struct Allowance {
    n_parts: usize,
}

/// Whether there may be one part more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spent {
    /// There may.
    Well,
    /// For the first time there may not, as this says.
    TooMuch(String),
    /// There may not, which has been said.
    InVain,
}

impl Allowance {
    /// Counts a part of a condition that has had `here` parts and may have `most`.
    pub(crate) fn spend(&mut self, here: &mut usize, most: usize) -> Spent {
        *here += 1;
        self.n_parts += 1;
        match (self.n_parts, *here) {
            (all, _) if all == MOST_OF_ALL + 1 => {
                Spent::TooMuch(format!("more than {MOST_OF_ALL} parts, with those before it"))
            }
            (all, _) if all > MOST_OF_ALL => Spent::InVain,
            (_, here) if here == most + 1 => Spent::TooMuch(format!("more than {most} parts")),
            (_, here) if here > most => Spent::InVain,
            _ => Spent::Well,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_and_all_of_them_have_limits() {
        let mut allowance = Allowance::default();
        let mut spend = |n: usize, most| {
            let mut here = 0;
            (0..n).map(|_| allowance.spend(&mut here, most)).filter(|spent| *spent != Spent::Well).collect::<Vec<_>>()
        };
        assert_eq!(spend(5, 3), [Spent::TooMuch("more than 3 parts".to_owned()), Spent::InVain]);
        assert_eq!(spend(3, 3), []);
        assert_eq!(spend(MOST_OF_ALL - 8, MOST_OF_ALL), []);
        let too_much = Spent::TooMuch("more than 4000000 parts, with those before it".to_owned());
        assert_eq!(spend(2, 3), [too_much, Spent::InVain]);
        assert_eq!(spend(1, 3), [Spent::InVain]);
    }
}
