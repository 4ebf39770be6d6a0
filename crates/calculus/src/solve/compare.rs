//! Tests on bits as diagrams: made once, then joined like any other operand.

use bdd::{Bdd, Stop};

use super::execute::Execution;
use super::pattern::Value;
use super::space::below;
use crate::model::Cell;
use crate::plan::clause::{Comparison, Test};
use crate::system::SortId;

impl Execution<'_, '_> {
    /// The bits of a sort that stand for one of its values, in its first copy.
    pub(super) fn range(&mut self, sort: SortId) -> Result<Value, Stop> {
        if let Some(value) = self.kitchen.ranges.get(&sort) {
            return Ok(value.clone());
        }
        let size = self.store.plan.size(sort);
        let bits = self.store.space.bits(sort, 0);
        let diagram = below(&self.store.manager, &bits, size)?;
        let pattern = self.store.patterns.intern(bits.into_iter().map(Cell::variable).collect());
        let value = Value { pattern, diagram };
        self.kitchen.ranges.insert(sort, value.clone());
        Ok(value)
    }

    /// A test as a relation between the first and the second copy of its sort.
    pub(super) fn comparison(&mut self, test: &Test) -> Result<Value, Stop> {
        let is_equality = test.comparison == Comparison::Equal;
        let number = (test.sort, is_equality, test.left.1, test.right.1, test.negated);
        if let Some(value) = self.kitchen.comparisons.get(&number) {
            return Ok(value.clone());
        }
        let bits = [self.store.space.bits(test.sort, 0), self.store.space.bits(test.sort, 1)];
        let plain = test.left.1 == 0 && test.right.1 == 0;
        let diagram = if plain { self.compared(test, &bits)? } else { self.tabulated(test, &bits)? };
        let pattern = self.store.patterns.intern(bits.concat().into_iter().map(Cell::variable).collect());
        let value = Value { pattern, diagram };
        self.kitchen.comparisons.insert(number, value.clone());
        Ok(value)
    }

    fn compared(&self, test: &Test, bits: &[Vec<bdd::Var>; 2]) -> Result<Bdd, Stop> {
        let manager = &self.store.manager;
        let (mut equal, mut less) = (manager.bdd_true(), manager.bdd_false());
        for (left, right) in bits[0].iter().zip(&bits[1]) {
            let (left, right) = (manager.literal(*left, true)?, manager.literal(*right, true)?);
            let same = left.iff(&right)?;
            less = same.ite(&less, &right)?;
            equal = equal.and(&same)?;
        }
        let holds = if test.comparison == Comparison::Equal { equal } else { less };
        if test.negated { holds.not() } else { Ok(holds) }
    }

    fn tabulated(&self, test: &Test, bits: &[Vec<bdd::Var>; 2]) -> Result<Bdd, Stop> {
        let size = self.store.plan.size(test.sort);
        let mut diagram = self.store.manager.bdd_false();
        for left in 0..size {
            for right in (0..size).filter(|right| test.holds(left, *right, size)) {
                let literals = |value: u64, bits: &[bdd::Var]| -> Vec<(bdd::Var, bool)> {
                    bits.iter().enumerate().map(|(at, var)| (*var, value >> at & 1 == 1)).collect()
                };
                let pair = [literals(left, &bits[0]), literals(right, &bits[1])].concat();
                diagram = diagram.or(&self.store.manager.conjunction(&pair)?)?;
            }
        }
        Ok(diagram)
    }
}
