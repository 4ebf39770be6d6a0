//! Lists of numbers, most of which have one: that one stands where the place of a list would.

/// Lists of numbers, by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    places: Vec<Few>,
    /// Lists of two and more.
    longer: Vec<Vec<u32>>,
}

/// How many there are, and the only one, or else the number of the longer list.
#[derive(Clone, Copy, Debug, Default)]
struct Few {
    n: u32,
    first: u32,
}

impl Lists {
    /// The list at a place.
    #[inline]
    pub(super) fn get(&self, place: usize) -> &[u32] {
        match self.places.get(place) {
            None | Some(Few { n: 0, .. }) => &[],
            Some(Few { n: 1, first }) => std::slice::from_ref(first),
            Some(Few { first, .. }) => &self.longer[*first as usize],
        }
    }

    /// Adds a number to the list at a place.
    pub(super) fn push(&mut self, place: usize, number: u32) {
        if place >= self.places.len() {
            self.places.resize(place + 1, Few::default());
        }
        let few = &mut self.places[place];
        match few.n {
            0 => few.first = number,
            1 => {
                let both = vec![std::mem::replace(&mut few.first, self.longer.len() as u32), number];
                self.longer.push(both);
            }
            _ => self.longer[few.first as usize].push(number),
        }
        few.n += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn lists_are_what_was_added_in_order() {
        let mut lists = Lists::default();
        let mut expected: Vec<Vec<u32>> = vec![Vec::new(); 8];
        for number in 0..40 {
            let place = (number * number % 7) as usize;
            lists.push(place, number);
            expected[place].push(number);
            (0..8).for_each(|place| assert_eq!(lists.get(place), expected[place]));
        }
        assert!(expected.iter().any(Vec::is_empty) && lists.get(100).is_empty());
    }
}
