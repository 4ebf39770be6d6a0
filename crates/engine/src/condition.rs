//! Sets of states written out as conditions of the program.

use bdd::{Bdd, Var};
use encode::{Copy, Encoding};
use program::finite::no_integers;
use program::{BinaryOp, Expr, NaryOp, Program, Sort, Value, VariableId};
use rustc_hash::FxHashMap;

/// Writes a set over the current copies of some variables as a condition of at most so many nodes; none: it is too large,
/// or speaks of other variables. Recursion is as deep as there are bits.
pub(crate) fn condition(
    encoding: &Encoding<'_>,
    variables: impl Iterator<Item = VariableId>,
    set: &Bdd,
    most: usize,
) -> Option<Expr> {
    Writer { program: encoding.program(), bit_of: bits_of(encoding, variables), left: most }.write(set)
}

/// The variables of the diagrams that are bits of some variables.
pub(crate) fn bits_of(
    encoding: &Encoding<'_>,
    variables: impl Iterator<Item = VariableId>,
) -> FxHashMap<Var, (VariableId, usize)> {
    let bits = |variable: VariableId| {
        let vars = encoding.slots().vars(variable, Copy::Current).enumerate();
        vars.map(move |(bit, var)| (var, (variable, bit))).collect::<Vec<_>>()
    };
    variables.flat_map(bits).collect()
}

struct Writer<'p> {
    program: &'p Program,
    bit_of: FxHashMap<Var, (VariableId, usize)>,
    left: usize,
}

impl Writer<'_> {
    fn write(&mut self, set: &Bdd) -> Option<Expr> {
        self.left = self.left.checked_sub(1)?;
        let Some((var, low, high)) = set.branches() else { return Some(Expr::bool(set.is_true())) };
        let (variable, bit) = *self.bit_of.get(&var)?;
        let is_set = of_bit(self.program, Expr::before(variable), self.program.sort(variable), bit);
        if low.is_false() {
            return Some(is_set.and(self.write(&high)?));
        }
        if high.is_false() {
            return Some(is_set.not().and(self.write(&low)?));
        }
        Some(Expr::Ite(Box::new(is_set), Box::new(self.write(&high)?), Box::new(self.write(&low)?)))
    }
}

/// The condition that a bit of a value is set.
fn of_bit(program: &Program, value: Expr, sort: &Sort, bit: usize) -> Expr {
    match sort {
        Sort::Bool => value,
        Sort::Bits(width) => {
            let constant = |value: u64| Expr::Const(Value::Bits(value), Sort::Bits(*width));
            let masked = Expr::Binary(BinaryOp::BitAnd, Box::new(value), Box::new(constant(1 << bit)));
            Expr::Binary(BinaryOp::Ne, Box::new(masked), Box::new(constant(0)))
        }
        Sort::Int => no_integers(),
        Sort::Enum(id) => {
            let with_bit = (0..program.enums[*id].values.len() as u32).filter(|at| at >> bit & 1 == 1);
            let is = |at: u32| value.clone().eq(Expr::Const(Value::Enum(at), sort.clone()));
            Expr::Nary(NaryOp::Or, with_bit.map(is).collect())
        }
        Sort::Array(element, n) => {
            let width = (element.n_bits(program) as usize).max(1);
            let index_width = u32::BITS - n.leading_zeros();
            let at = Expr::Const(Value::Bits((bit / width) as u64), Sort::Bits(index_width));
            of_bit(program, Expr::Index(Box::new(value), Box::new(at)), element, bit % width)
        }
    }
}
