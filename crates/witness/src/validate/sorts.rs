//! Bits and the values that they stand for.

use bdd::{Bdd, Manager};
use program::{Program, Sort, Value};

use super::Trouble;

type Result<T> = std::result::Result<T, Trouble>;

/// The states in which bits have a value.
pub(super) fn equals(
    program: &Program,
    manager: &Manager,
    bits: &[bdd::Var],
    sort: &Sort,
    value: &Value,
) -> Result<Bdd> {
    let literals: Vec<(bdd::Var, bool)> = bits.iter().copied().zip(sort.bits_of(program, value)).collect();
    Ok(manager.conjunction(&literals)?)
}

/// The states in which two rows of bits agree.
pub(super) fn agree(manager: &Manager, left: &[bdd::Var], right: &[bdd::Var]) -> Result<Bdd> {
    let mut agree = manager.bdd_true();
    for (l, r) in left.iter().zip(right).rev() {
        if l != r {
            agree = agree.and(&manager.literal(*l, true)?.iff(&manager.literal(*r, true)?)?)?;
        }
    }
    Ok(agree)
}

/// The states in which bits stand for a value at all; none if they always do.
pub(super) fn valid(program: &Program, manager: &Manager, bits: &[bdd::Var], sort: &Sort) -> Result<Option<Bdd>> {
    match sort {
        // Only finite programs come here: there are no bits of an integer.
        Sort::Bool | Sort::Bits(_) | Sort::Int => Ok(None),
        Sort::Enum(_) => {
            let n = sort.n_values(program);
            if n.is_power_of_two() {
                return Ok(None);
            }
            // Values are numbered, so this is a comparison of the number with `n`, from the least significant bit on.
            let mut below = manager.bdd_false();
            for (at, bit) in bits.iter().enumerate() {
                let zero = manager.literal(*bit, false)?;
                below = if n >> at & 1 == 1 { zero.or(&below)? } else { zero.and(&below)? };
            }
            Ok(Some(below))
        }
        Sort::Array(element, n) => {
            let width = bits.len() / (*n).max(1) as usize;
            let mut all = None;
            for at in 0..*n as usize {
                let Some(one) = valid(program, manager, &bits[at * width..(at + 1) * width], element)? else { break };
                all = Some(match all {
                    Some(all) => one.and(&all)?,
                    None => one,
                });
            }
            Ok(all)
        }
    }
}

/// True when some bits stand for no value of the sort.
pub(super) fn is_partial(program: &Program, sort: &Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Bits(_) | Sort::Int => false,
        Sort::Enum(_) => !sort.n_values(program).is_power_of_two(),
        Sort::Array(element, _) => is_partial(program, element),
    }
}
