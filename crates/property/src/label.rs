//! Boolean functions as shared if-then-else trees with one order of variables, so that equal functions are the same.
//!
//! Labels of edges, and the steps of a formula's states, are such functions. There are few of them and they are small,
//! which is why this is no library of decision diagrams: nothing is ever collected. A table that grows too large, or has
//! no time left, turns everything to false and says so.

use base::{Budget, StopReason};
use rustc_hash::FxHashMap;

/// A function in a [`Labels`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Label(u32);

impl Label {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);
}

/// Literals in order of their variables.
pub(crate) type Literals = Vec<(u32, bool)>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    variable: u32,
    low: Label,
    high: Label,
}

/// The functions of one piece of work.
#[derive(Debug)]
pub(crate) struct Labels {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Label>,
    conjunctions: FxHashMap<(Label, Label), Label>,
    negations: FxHashMap<Label, Label>,
    budget: Budget,
    until_check: u32,
    stopped: Option<StopReason>,
}

/// More nodes than any property needs.
const MAX_NODES: usize = 4_000_000;
/// More cubes than any guard needs.
const MAX_CUBES: usize = 100_000;
/// The clock is slower than an operation, so only one in so many looks at it.
const OPERATIONS_PER_CHECK: u32 = 1_024;

impl Labels {
    /// No functions yet. Operations heed the limits of the budget, but are no steps of it.
    pub(crate) fn new(budget: &Budget) -> Self {
        let leaf = |label| Node { variable: u32::MAX, low: label, high: label };
        Self {
            nodes: vec![leaf(Label::FALSE), leaf(Label::TRUE)],
            unique: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            negations: FxHashMap::default(),
            budget: budget.clone(),
            until_check: 0,
            stopped: None,
        }
    }

    /// An error once the table has grown too large or a limit was reached; what was computed then is not to be used.
    pub(crate) fn check(&self) -> Result<(), StopReason> {
        self.stopped.map_or(Ok(()), Err)
    }

    fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Counts an operation; true when no more are to be done.
    fn is_stopped(&mut self) -> bool {
        match self.until_check.checked_sub(1) {
            Some(left) => self.until_check = left,
            None => {
                self.until_check = OPERATIONS_PER_CHECK;
                if let Err(reason) = self.budget.check() {
                    self.stop(reason);
                }
            }
        }
        self.stopped.is_some()
    }

    pub(crate) fn literal(&mut self, variable: u32, positive: bool) -> Label {
        let (low, high) = if positive { (Label::FALSE, Label::TRUE) } else { (Label::TRUE, Label::FALSE) };
        self.node(variable, low, high)
    }

    fn node(&mut self, variable: u32, low: Label, high: Label) -> Label {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(label) = self.unique.get(&node) {
            return *label;
        }
        if self.nodes.len() >= MAX_NODES {
            self.stop(StopReason::Automaton);
            return Label::FALSE;
        }
        let label = Label(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, label);
        label
    }

    /// The variable that is asked for first; leaves come after all variables.
    pub(crate) fn variable(&self, label: Label) -> u32 {
        self.nodes[label.0 as usize].variable
    }

    /// The function for a value of a variable that is not after the first.
    fn branch(&self, label: Label, variable: u32, value: bool) -> Label {
        let node = self.nodes[label.0 as usize];
        match (node.variable == variable, value) {
            (false, _) => label,
            (true, false) => node.low,
            (true, true) => node.high,
        }
    }

    pub(crate) fn and(&mut self, a: Label, b: Label) -> Label {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Label::FALSE => return Label::FALSE,
            Label::TRUE => return b,
            _ if a == b => return a,
            _ => {}
        }
        if self.is_stopped() {
            return Label::FALSE;
        }
        if let Some(known) = self.conjunctions.get(&(a, b)) {
            return *known;
        }
        let variable = self.variable(a).min(self.variable(b));
        let low = self.and(self.branch(a, variable, false), self.branch(b, variable, false));
        let high = self.and(self.branch(a, variable, true), self.branch(b, variable, true));
        let result = self.node(variable, low, high);
        self.conjunctions.insert((a, b), result);
        result
    }

    pub(crate) fn not(&mut self, a: Label) -> Label {
        match a {
            Label::FALSE => return Label::TRUE,
            Label::TRUE => return Label::FALSE,
            _ => {}
        }
        if self.is_stopped() {
            return Label::FALSE;
        }
        if let Some(known) = self.negations.get(&a) {
            return *known;
        }
        let Node { variable, low, high } = self.nodes[a.0 as usize];
        let (low, high) = (self.not(low), self.not(high));
        let result = self.node(variable, low, high);
        self.negations.insert(a, result);
        self.negations.insert(result, a);
        result
    }

    pub(crate) fn or(&mut self, a: Label, b: Label) -> Label {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// `a` without `b`.
    pub(crate) fn minus(&mut self, a: Label, b: Label) -> Label {
        let b = self.not(b);
        self.and(a, b)
    }

    pub(crate) fn implies(&mut self, a: Label, b: Label) -> bool {
        self.minus(a, b) == Label::FALSE
    }

    pub(crate) fn all(&mut self, parts: impl IntoIterator<Item = Label>) -> Label {
        parts.into_iter().fold(Label::TRUE, |all, part| self.and(all, part))
    }

    pub(crate) fn any(&mut self, parts: impl IntoIterator<Item = Label>) -> Label {
        parts.into_iter().fold(Label::FALSE, |any, part| self.or(any, part))
    }

    /// Splits a function at a variable: for every function of the later variables that is left, for which values of the
    /// earlier ones it is. False is not listed. In order of the functions' first occurrence; None when there are more
    /// than `most`.
    pub(crate) fn split(&mut self, label: Label, at: u32, most: usize) -> Option<Vec<(Label, Label)>> {
        let mut order = Vec::new();
        let mut above = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut rest = vec![label];
        while let Some(label) = rest.pop() {
            if !seen.insert(label) {
                continue;
            }
            let node = self.nodes[label.0 as usize];
            if node.variable < at {
                above.push((node.variable, label));
                rest.extend([node.high, node.low]);
            } else if order.len() == most {
                return None;
            } else {
                order.push(label);
            }
        }
        // Later variables first: whatever a node leads to is known before the node.
        above.sort_unstable_by_key(|(variable, label)| (std::cmp::Reverse(*variable), *label));
        let wanted = order.into_iter().filter(|below| *below != Label::FALSE);
        Some(wanted.map(|below| (self.leading_to(label, &above, below, at), below)).collect())
    }

    /// For which values of the variables before `at` the function `from` becomes `below`.
    fn leading_to(&mut self, from: Label, above: &[(u32, Label)], below: Label, at: u32) -> Label {
        if self.variable(from) >= at {
            return Label::TRUE;
        }
        let mut conditions = FxHashMap::default();
        for (variable, label) in above {
            let Node { low, high, .. } = self.nodes[label.0 as usize];
            let of = |branch: Label| match conditions.get(&branch) {
                Some(condition) => *condition,
                None if branch == below => Label::TRUE,
                None => Label::FALSE,
            };
            let (low, high) = (of(low), of(high));
            let condition = self.node(*variable, low, high);
            conditions.insert(*label, condition);
        }
        conditions[&from]
    }

    /// A disjunction of cubes without superfluous cubes or literals, after Minato and Morreale. For a function that is
    /// monotone in a variable, no cube has the variable negated; if it is in all, these are its prime implicants.
    pub(crate) fn cubes(&mut self, label: Label) -> Result<Vec<Literals>, StopReason> {
        let (mut cubes, _) = self.cover(label, label, 0);
        cubes.iter_mut().for_each(|cube| cube.reverse());
        self.check()?;
        Ok(cubes)
    }

    /// Cubes, last literal first, whose disjunction (also returned) lies between two functions.
    fn cover(&mut self, lower: Label, upper: Label, n_cubes: usize) -> (Vec<Literals>, Label) {
        if lower == Label::FALSE || self.is_stopped() {
            return (Vec::new(), Label::FALSE);
        }
        if upper == Label::TRUE {
            return (vec![Vec::new()], Label::TRUE);
        }
        let variable = self.variable(lower).min(self.variable(upper));
        let part =
            |labels: &Self, value| (labels.branch(lower, variable, value), labels.branch(upper, variable, value));
        let ((lower0, upper0), (lower1, upper1)) = (part(self, false), part(self, true));
        let only0 = self.minus(lower0, upper1);
        let (mut cubes, covered0) = self.cover(only0, upper0, n_cubes);
        cubes.iter_mut().for_each(|cube| cube.push((variable, false)));
        let only1 = self.minus(lower1, upper0);
        let (mut cubes1, covered1) = self.cover(only1, upper1, n_cubes + cubes.len());
        cubes1.iter_mut().for_each(|cube| cube.push((variable, true)));
        cubes.append(&mut cubes1);
        let (left0, left1) = (self.minus(lower0, covered0), self.minus(lower1, covered1));
        let (left, both) = (self.or(left0, left1), self.and(upper0, upper1));
        let (mut shared, covered) = self.cover(left, both, n_cubes + cubes.len());
        cubes.append(&mut shared);
        if n_cubes + cubes.len() > MAX_CUBES {
            self.stop(StopReason::Automaton);
        }
        let (low, high) = (self.or(covered, covered0), self.or(covered, covered1));
        (cubes, self.node(variable, low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function of four variables with this table.
    fn function(labels: &mut Labels, table: u32) -> Label {
        let rows = (0..16).filter(|row| table >> row & 1 == 1);
        let rows: Vec<Label> = rows
            .map(|row| {
                let literals: Vec<Label> = (0..4).map(|at| labels.literal(at, row >> at & 1 == 1)).collect();
                labels.all(literals)
            })
            .collect();
        labels.any(rows)
    }

    #[test]
    fn every_function_of_three_variables_is_covered_and_split() {
        let mut labels = Labels::new(&Budget::unlimited());
        for table in (0..256).map(|table| table | table << 8) {
            let label = function(&mut labels, table);
            let cubes = labels.cubes(label).unwrap();
            let parts: Vec<Label> = cubes
                .iter()
                .map(|cube| {
                    cube.iter().fold(Label::TRUE, |all, (at, positive)| {
                        let literal = labels.literal(*at, *positive);
                        labels.and(all, literal)
                    })
                })
                .collect();
            assert_eq!(labels.any(parts.iter().copied()), label);
            for left_out in 0..parts.len() {
                let others = parts.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, part)| *part);
                assert_ne!(labels.any(others), label, "no cube is superfluous");
            }
            let split = labels.split(label, 2, 16).unwrap();
            assert_eq!(labels.split(label, 2, split.len().saturating_sub(1)), None);
            let joined: Vec<Label> = split.iter().map(|(above, below)| labels.and(*above, *below)).collect();
            assert_eq!(labels.any(joined), label);
            assert!(split.iter().all(|(_, below)| labels.variable(*below) >= 2));
        }
    }

    /// Whether an odd number of so many variables is true: no two of its cubes can be made one.
    fn parity(labels: &mut Labels, n: u32) -> Label {
        (0..n).fold(Label::FALSE, |odd, at| {
            let literal = labels.literal(at, true);
            let (left, right) = (labels.minus(odd, literal), labels.minus(literal, odd));
            labels.or(left, right)
        })
    }

    #[test]
    fn too_many_cubes_are_no_limit_of_the_user() {
        let mut labels = Labels::new(&Budget::unlimited());
        let odd = parity(&mut labels, 10);
        assert_eq!(labels.cubes(odd).map(|cubes| cubes.len()), Ok(512));
        let odd = parity(&mut labels, 18);
        assert_eq!(labels.cubes(odd), Err(StopReason::Automaton));
    }

    #[test]
    fn long_operations_heed_the_limits() {
        let budget = Budget::unlimited();
        let mut labels = Labels::new(&budget);
        let odd = parity(&mut labels, 14);
        budget.cancel().cancel();
        assert_eq!(labels.cubes(odd), Err(StopReason::Cancelled));
    }
}
