//! Tests on bits as diagrams: made once, then joined like any other operand.

use bdd::{Bdd, Manager, Stop, Var};

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
        let diagram = if plain { self.compared(test, &bits)? } else { self.calculated(test, &bits)? };
        let pattern = self.store.patterns.intern(bits.concat().into_iter().map(Cell::variable).collect());
        let value = Value { pattern, diagram };
        self.kitchen.comparisons.insert(number, value.clone());
        Ok(value)
    }

    fn compared(&self, test: &Test, bits: &[Vec<Var>; 2]) -> Result<Bdd, Stop> {
        let manager = &self.store.manager;
        let literals = |bits: &[Var]| bits.iter().map(|var| manager.literal(*var, true)).collect::<Result<Vec<_>, _>>();
        let holds = compare(manager, test.comparison, &literals(&bits[0])?, &literals(&bits[1])?)?;
        if test.negated { holds.not() } else { Ok(holds) }
    }

    /// The same with sums, for values of the sort only: false, before negation, where a sum is none.
    fn calculated(&self, test: &Test, bits: &[Vec<Var>; 2]) -> Result<Bdd, Stop> {
        let (manager, size) = (&self.store.manager, self.store.plan.size(test.sort));
        let sum = |bits, offset| Sum::new(manager, bits, offset, size);
        let (left, right) = (sum(&bits[0], test.left.1)?, sum(&bits[1], test.right.1)?);
        let exist = left.exists.and(&right.exists)?;
        let holds = compare(manager, test.comparison, &left.bits, &right.bits)?.and(&exist)?;
        let holds = if test.negated { holds.not()? } else { holds };
        holds.and(&left.given)?.and(&right.given)
    }
}

/// Compares two numbers of as many bits, the least significant first.
fn compare(manager: &Manager, comparison: Comparison, left: &[Bdd], right: &[Bdd]) -> Result<Bdd, Stop> {
    let (mut equal, mut less) = (manager.bdd_true(), manager.bdd_false());
    for (left, right) in left.iter().zip(right) {
        let same = left.iff(right)?;
        less = same.ite(&less, right)?;
        equal = equal.and(&same)?;
    }
    Ok(if comparison == Comparison::Equal { equal } else { less })
}

/// A number in bits, plus a constant.
struct Sum {
    /// The last bits of the sum.
    bits: Vec<Bdd>,
    /// Where the number is a value of its sort.
    given: Bdd,
    /// Where, moreover, the sum is one.
    exists: Bdd,
}

impl Sum {
    /// Adds bit by bit, modulo a power of two: where the sum exists that makes no difference.
    fn new(manager: &Manager, vars: &[Var], offset: i64, size: u64) -> Result<Self, Stop> {
        let mut carry = manager.bdd_false();
        let mut bits = Vec::with_capacity(vars.len());
        for (at, var) in vars.iter().enumerate() {
            let bit = manager.literal(*var, true)?;
            let is_set = offset >> at.min(63) & 1 == 1;
            let flipped = bit.iff(&carry)?;
            bits.push(if is_set { flipped.clone() } else { flipped.not()? });
            carry = if is_set { bit.or(&carry)? } else { bit.and(&carry)? };
        }
        let given = up_to(manager, vars, size)?;
        let by = offset.unsigned_abs();
        let exists = match offset {
            0.. => up_to(manager, vars, size.saturating_sub(by))?,
            _ => given.diff(&up_to(manager, vars, by)?)?,
        };
        Ok(Self { bits, given, exists })
    }
}

/// The bits, read as a number, are below a bound, whether they can reach it or not.
fn up_to(manager: &Manager, bits: &[Var], bound: u64) -> Result<Bdd, Stop> {
    let can_reach = bits.len() < 64 && bound >> bits.len() == 0;
    if can_reach { below(manager, bits, bound) } else { Ok(manager.bdd_true()) }
}
