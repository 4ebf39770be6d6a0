//! Evaluation of expressions and relations on explicit states, for one sequence of choices.
//!
//! Written apart from the interpreter and the encoding on purpose: this is what they are compared with.

use program::finite::no_integers;
use program::{BinaryOp, Expr, NaryOp, Program, Relation, Rhs, Sort, UnaryOp, Update, VariableId, When};

use super::choose::Chooser;
use super::layout::{Layout, State, cells_of};

/// The states that an expression may read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments<'a> {
    pub(super) before: &'a [u64],
    pub(super) after: &'a [u64],
    pub(super) saved: &'a [u64],
    pub(super) result: &'a [u64],
}

impl Moments<'_> {
    fn state(&self, when: When) -> &[u64] {
        match when {
            When::Before => self.before,
            When::After => self.after,
            When::Saved => self.saved,
            When::Result => self.result,
        }
    }
}

/// What all evaluations share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluator<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
}

impl Evaluator<'_> {
    /// True when the condition holds under these choices; an index out of range makes it false.
    pub(super) fn holds(&self, expr: &Expr, at: &Moments<'_>, chooser: &mut Chooser) -> bool {
        self.cells(expr, at, chooser).is_some_and(|cells| cells[0] != 0)
    }

    /// The value as cells; none when an index is out of range.
    fn cells(&self, expr: &Expr, at: &Moments<'_>, chooser: &mut Chooser) -> Option<Vec<u64>> {
        Some(match expr {
            Expr::Const(value, _) => {
                let mut cells = Vec::new();
                cells_of(value, &mut cells);
                cells
            }
            Expr::Read(variable, when) => at.state(*when)[self.layout.cells(*variable)].to_vec(),
            Expr::Any => vec![chooser.choose(2)],
            Expr::Unary(op, operand) => {
                let width = self.width(operand);
                vec![unary(*op, width, self.scalar(operand, at, chooser)?)]
            }
            Expr::Binary(op, left, right) => {
                let width = self.width(left);
                let left = self.cells(left, at, chooser)?;
                let right = self.cells(right, at, chooser)?;
                vec![binary(*op, width, &left, &right)]
            }
            Expr::Nary(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push(self.scalar(operand, at, chooser)? != 0);
                }
                vec![u64::from(nary(*op, &values))]
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.scalar(condition, at, chooser)?;
                // Both sides are evaluated, as an index out of range on either side makes the edge impossible.
                let then = self.cells(then, at, chooser)?;
                let otherwise = self.cells(otherwise, at, chooser)?;
                if condition != 0 { then } else { otherwise }
            }
            Expr::Index(array, index) => {
                let array_cells = self.cells(array, at, chooser)?;
                let index = self.scalar(index, at, chooser)?;
                element(&array_cells, self.n_elements(array), index)?
            }
        })
    }

    fn scalar(&self, expr: &Expr, at: &Moments<'_>, chooser: &mut Chooser) -> Option<u64> {
        self.cells(expr, at, chooser).map(|cells| cells[0])
    }

    /// Evaluates the right sides and writes them; false when an index is out of range.
    pub(super) fn update(
        &self,
        relation: &Relation,
        moments: &Moments<'_>,
        chooser: &mut Chooser,
        after: &mut State,
        saved: &mut State,
    ) -> bool {
        for update in &relation.updates {
            let Some((first, cells)) = self.outcome(update, moments, chooser) else { return false };
            let state = if update.when == When::Saved { &mut *saved } else { &mut *after };
            state[first..first + cells.len()].copy_from_slice(&cells);
        }
        true
    }

    /// First cell written, and what is written.
    fn outcome(&self, update: &Update, at: &Moments<'_>, chooser: &mut Chooser) -> Option<(usize, Vec<u64>)> {
        let all = self.layout.cells(update.variable);
        let (first, n) = match &update.index {
            None => (all.start, all.len()),
            Some(index) => {
                let n_elements = array_length(self.program.sort(update.variable));
                let index = self.scalar(index, at, chooser)?;
                let n = all.len() / n_elements as usize;
                if index >= n_elements {
                    return None;
                }
                (all.start + index as usize * n, n)
            }
        };
        let cells = match &update.value {
            Rhs::Expr(expr) => self.cells(expr, at, chooser)?,
            Rhs::Any => self.arbitrary(update.variable, n, chooser),
        };
        Some((first, cells))
    }

    /// Arbitrary values for `n` cells of a variable.
    pub(super) fn arbitrary(&self, variable: VariableId, n: usize, chooser: &mut Chooser) -> Vec<u64> {
        // A sort with 2^64 values has no count in 64 bits; such programs end at a limit long before the difference shows.
        let n_values = self.layout.n_values(variable).unwrap_or(u64::MAX);
        (0..n).map(|_| chooser.choose(n_values)).collect()
    }

    fn n_elements(&self, array: &Expr) -> u64 {
        array_length(&self.sort(array))
    }

    fn width(&self, expr: &Expr) -> u32 {
        match self.sort(expr) {
            Sort::Bits(width) => width,
            Sort::Bool | Sort::Int | Sort::Enum(_) | Sort::Array(..) => 1,
        }
    }

    fn sort(&self, expr: &Expr) -> Sort {
        match expr {
            Expr::Const(_, sort) => sort.clone(),
            Expr::Read(variable, _) => self.program.sort(*variable).clone(),
            Expr::Any | Expr::Nary(..) => Sort::Bool,
            Expr::Unary(UnaryOp::Resize(width) | UnaryOp::SignResize(width), _) => Sort::Bits(*width),
            Expr::Unary(_, operand) => self.sort(operand),
            Expr::Binary(op, left, _) if is_arithmetic(*op) => self.sort(left),
            Expr::Binary(..) => Sort::Bool,
            Expr::Ite(_, then, _) => self.sort(then),
            Expr::Index(array, _) => match self.sort(array) {
                Sort::Array(element, _) => *element,
                other => other,
            },
        }
    }
}

fn array_length(sort: &Sort) -> u64 {
    match sort {
        Sort::Array(_, n) => u64::from(*n),
        Sort::Bool | Sort::Bits(_) | Sort::Int | Sort::Enum(_) => 1,
    }
}

fn element(cells: &[u64], n_elements: u64, index: u64) -> Option<Vec<u64>> {
    let size = cells.len().checked_div(n_elements as usize)?;
    let first = usize::try_from(index).ok().filter(|_| index < n_elements)? * size;
    Some(cells[first..first + size].to_vec())
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Implies, Ne, Sle, Slt, Ule, Ult};
    !matches!(op, Eq | Ne | Implies | Ult | Ule | Slt | Sle)
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The number that a bit vector stands for when its top bit is a sign.
fn signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn unary(op: UnaryOp, width: u32, value: u64) -> u64 {
    match op {
        UnaryOp::Not => u64::from(value == 0),
        UnaryOp::BitNot => !value & mask(width),
        UnaryOp::Neg => value.wrapping_neg() & mask(width),
        UnaryOp::Resize(to) => value & mask(to),
        UnaryOp::SignResize(to) => signed(width, value) as u64 & mask(to),
        UnaryOp::ToInt | UnaryOp::SignedToInt => no_integers(),
    }
}

fn nary(op: NaryOp, values: &[bool]) -> bool {
    match op {
        NaryOp::And => values.iter().all(|value| *value),
        NaryOp::Or => values.iter().any(|value| *value),
        NaryOp::Xor => values.iter().filter(|value| **value).count() % 2 == 1,
    }
}

fn binary(op: BinaryOp, width: u32, left: &[u64], right: &[u64]) -> u64 {
    let (a, b) = (left[0], right[0]);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let shift = u32::try_from(b).unwrap_or(u32::MAX);
    let result = match op {
        BinaryOp::Eq => u64::from(left == right),
        BinaryOp::Ne => u64::from(left != right),
        BinaryOp::Implies => u64::from(a == 0 || b != 0),
        BinaryOp::Ult => u64::from(a < b),
        BinaryOp::Ule => u64::from(a <= b),
        BinaryOp::Slt => u64::from(sa < sb),
        BinaryOp::Sle => u64::from(sa <= sb),
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Udiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::Urem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::Sdiv if b == 0 => {
            if sa >= 0 {
                u64::MAX
            } else {
                1
            }
        }
        BinaryOp::Sdiv => sa.wrapping_div(sb) as u64,
        BinaryOp::Srem => {
            if b == 0 {
                a
            } else {
                sa.wrapping_rem(sb) as u64
            }
        }
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => {
            if shift >= width {
                0
            } else {
                a << shift
            }
        }
        BinaryOp::Lshr => {
            if shift >= width {
                0
            } else {
                a >> shift
            }
        }
        BinaryOp::Ashr => (sa >> shift.min(width - 1)) as u64,
    };
    result & mask(if is_arithmetic(op) { width } else { 1 })
}
