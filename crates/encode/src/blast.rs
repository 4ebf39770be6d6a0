//! Expressions and relations to diagrams.
//!
//! Every arbitrary Boolean ([`Expr::Any`]) is a choice variable of its own, quantified away at the end of the
//! condition or update it stands in: choices in different ones are independent.

use std::cell::RefCell;

use bdd::{Bdd, Manager, Stop, Var};
use program::finite::no_integers;
use program::{BinaryOp, Expr, NaryOp, Program, Relation, Rhs, Sort, UnaryOp, Update, Value, VariableId, When};

use crate::circuit::{self, Bits, Shift};
use crate::slots::{Copy, Slots, n_elements, width};

/// Says which copy of a variable a read or a write at a moment means.
pub(crate) type CopyOf<'a> = &'a dyn Fn(VariableId, When) -> Copy;

/// Turns expressions into diagrams.
pub(crate) struct Blaster<'a> {
    pub(crate) program: &'a Program,
    pub(crate) manager: &'a Manager,
    pub(crate) slots: &'a Slots,
    /// Choice variables, created on demand and used again for every condition.
    pub(crate) choices: &'a RefCell<Vec<Var>>,
    pub(crate) copy_of: CopyOf<'a>,
}

/// What one condition or update has used so far.
struct Scratch {
    n_choices: usize,
    /// All indices are in range.
    defined: Bdd,
}

impl Blaster<'_> {
    /// The whole relation: guard, updates and constraint.
    pub(crate) fn relation(&self, relation: &Relation) -> Result<Bdd, Stop> {
        let mut result = self.condition(&relation.guard)?;
        let mut done: Vec<(VariableId, When)> = Vec::new();
        for update in &relation.updates {
            let written = (update.variable, update.when);
            if !done.contains(&written) {
                done.push(written);
                result = result.and(&self.updates(relation, written)?)?;
            }
        }
        result.and(&self.condition(&relation.constraint)?)
    }

    /// The condition can be true.
    pub(crate) fn condition(&self, expr: &Expr) -> Result<Bdd, Stop> {
        if *expr == Expr::TRUE {
            return Ok(self.manager.bdd_true());
        }
        let mut scratch = self.scratch();
        let value = self.bit(expr, &mut scratch)?;
        self.close(&value, &scratch)
    }

    /// All updates of one variable at one moment.
    fn updates(&self, relation: &Relation, (variable, when): (VariableId, When)) -> Result<Bdd, Stop> {
        let copy = (self.copy_of)(variable, when);
        let parts = relation.updates.iter().filter(|u| (u.variable, u.when) == (variable, when));
        let mut scratch = self.scratch();
        // Only updates of elements read this: what they leave alone keeps its value.
        let mut value: Option<Bits> = None;
        for update in parts {
            value = match (&update.index, &update.value) {
                (None, Rhs::Any) => return self.slots.in_range(self.program, self.manager, variable, copy),
                (None, Rhs::Expr(expr)) => Some(self.bits(expr, &mut scratch)?),
                (Some(index), _) => {
                    let old = match value {
                        Some(bits) => bits,
                        None => self.read(variable, When::Before)?,
                    };
                    Some(self.store(update, index, old, &mut scratch)?)
                }
            };
        }
        let written = self.literals(variable, copy)?;
        let equal = circuit::equal(self.manager, &written, &value.unwrap_or_default())?;
        let result = self.close(&equal, &scratch)?;
        result.and(&self.slots.in_range(self.program, self.manager, variable, copy)?)
    }

    /// An array with one element replaced.
    fn store(&self, update: &Update, index: &Expr, old: Bits, scratch: &mut Scratch) -> Result<Bits, Stop> {
        let Sort::Array(element, n) = self.program.sort(update.variable) else { return Ok(old) };
        let size = width(self.program, element);
        let index = self.bits(index, scratch)?;
        let value = match &update.value {
            Rhs::Expr(expr) => self.bits(expr, scratch)?,
            Rhs::Any => (0..size).map(|_| self.choice(scratch)).collect::<Result<Bits, Stop>>()?,
        };
        let mut result = Bits::with_capacity(old.len());
        let mut in_range = self.manager.bdd_false();
        for position in 0..*n as usize {
            let here = self.equals_number(&index, position as u64)?;
            let element = &old[position * size..(position + 1) * size];
            result.extend(circuit::choose(&here, &value, element)?);
            in_range = in_range.or(&here)?;
        }
        scratch.defined = scratch.defined.and(&in_range)?;
        Ok(result)
    }

    fn scratch(&self) -> Scratch {
        Scratch { n_choices: 0, defined: self.manager.bdd_true() }
    }

    fn close(&self, value: &Bdd, scratch: &Scratch) -> Result<Bdd, Stop> {
        if scratch.n_choices == 0 {
            return value.and(&scratch.defined);
        }
        let cube = self.manager.cube(&self.choices.borrow()[..scratch.n_choices]);
        value.and_exists(&scratch.defined, &cube)
    }

    fn choice(&self, scratch: &mut Scratch) -> Result<Bdd, Stop> {
        let mut choices = self.choices.borrow_mut();
        if choices.len() == scratch.n_choices {
            choices.extend(self.manager.add_vars(1));
        }
        scratch.n_choices += 1;
        self.manager.literal(choices[scratch.n_choices - 1], true)
    }

    fn literals(&self, variable: VariableId, copy: Copy) -> Result<Bits, Stop> {
        self.slots.vars(variable, copy).map(|var| self.manager.literal(var, true)).collect()
    }

    fn read(&self, variable: VariableId, when: When) -> Result<Bits, Stop> {
        self.literals(variable, (self.copy_of)(variable, when))
    }

    fn bit(&self, expr: &Expr, scratch: &mut Scratch) -> Result<Bdd, Stop> {
        let bits = self.bits(expr, scratch)?;
        assert!(bits.len() == 1, "verify has checked that this is a Boolean");
        Ok(bits[0].clone())
    }

    fn bits(&self, expr: &Expr, scratch: &mut Scratch) -> Result<Bits, Stop> {
        Ok(match expr {
            Expr::Const(value, sort) => self.constant(value, sort),
            Expr::Read(variable, when) => self.read(*variable, *when)?,
            Expr::Any => vec![self.choice(scratch)?],
            Expr::Unary(op, operand) => self.unary(*op, &self.bits(operand, scratch)?)?,
            Expr::Binary(op, left, right) => {
                let left = self.bits(left, scratch)?;
                self.binary(*op, &left, &self.bits(right, scratch)?)?
            }
            Expr::Nary(op, operands) => vec![self.nary(*op, operands, scratch)?],
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.bit(condition, scratch)?;
                let then = self.bits(then, scratch)?;
                circuit::choose(&condition, &then, &self.bits(otherwise, scratch)?)?
            }
            Expr::Index(array, index) => self.element(array, index, scratch)?,
        })
    }

    fn constant(&self, value: &Value, sort: &Sort) -> Bits {
        let number = |value: u64| {
            let bits = 0..width(self.program, sort);
            bits.map(|bit| self.manager.constant(value >> bit & 1 == 1)).collect()
        };
        match (value, sort) {
            (Value::Bool(value), _) => vec![self.manager.constant(*value)],
            (Value::Bits(value), _) => number(*value),
            (Value::Int(_), _) => no_integers(),
            (Value::Enum(value), _) => number(u64::from(*value)),
            (Value::Array(elements), Sort::Array(sort, _)) => {
                elements.iter().flat_map(|element| self.constant(element, sort)).collect()
            }
            (Value::Array(_), _) => Bits::new(),
        }
    }

    fn element(&self, array: &Expr, index: &Expr, scratch: &mut Scratch) -> Result<Bits, Stop> {
        let n = n_elements(self.program, array);
        let elements = self.bits(array, scratch)?;
        let index = self.bits(index, scratch)?;
        let size = elements.len() / n;
        let mut result = circuit::zero(self.manager, size);
        let mut in_range = self.manager.bdd_false();
        for position in 0..n {
            let here = self.equals_number(&index, position as u64)?;
            let element = &elements[position * size..(position + 1) * size];
            result = circuit::choose(&here, element, &result)?;
            in_range = in_range.or(&here)?;
        }
        scratch.defined = scratch.defined.and(&in_range)?;
        Ok(result)
    }

    fn equals_number(&self, bits: &[Bdd], number: u64) -> Result<Bdd, Stop> {
        if bits.len() < 64 && number >> bits.len() != 0 {
            return Ok(self.manager.bdd_false());
        }
        let number: Bits = (0..bits.len()).map(|bit| self.manager.constant(number >> bit & 1 == 1)).collect();
        circuit::equal(self.manager, bits, &number)
    }

    fn nary(&self, op: NaryOp, operands: &[Expr], scratch: &mut Scratch) -> Result<Bdd, Stop> {
        let mut result = self.manager.constant(op == NaryOp::And);
        for operand in operands {
            let operand = self.bit(operand, scratch)?;
            result = match op {
                NaryOp::And => result.and(&operand)?,
                NaryOp::Or => result.or(&operand)?,
                NaryOp::Xor => result.xor(&operand)?,
            };
        }
        Ok(result)
    }

    fn unary(&self, op: UnaryOp, bits: &[Bdd]) -> Result<Bits, Stop> {
        Ok(match op {
            UnaryOp::Not | UnaryOp::BitNot => circuit::complement(bits)?,
            UnaryOp::Neg => circuit::negate(self.manager, bits)?,
            UnaryOp::Resize(width) => resize(bits, width, &self.manager.bdd_false()),
            UnaryOp::SignResize(width) => {
                let sign = bits.last().cloned().unwrap_or_else(|| self.manager.bdd_false());
                resize(bits, width, &sign)
            }
            UnaryOp::ToInt | UnaryOp::SignedToInt => no_integers(),
        })
    }

    fn binary(&self, op: BinaryOp, a: &[Bdd], b: &[Bdd]) -> Result<Bits, Stop> {
        let m = self.manager;
        let bitwise = |f: fn(&Bdd, &Bdd) -> Result<Bdd, Stop>| a.iter().zip(b).map(|(a, b)| f(a, b)).collect();
        match op {
            BinaryOp::Eq => Ok(vec![circuit::equal(m, a, b)?]),
            BinaryOp::Ne => Ok(vec![circuit::equal(m, a, b)?.not()?]),
            BinaryOp::Implies => Ok(vec![a[0].implies(&b[0])?]),
            BinaryOp::Ult => Ok(vec![circuit::less(m, a, b)?]),
            BinaryOp::Ule => Ok(vec![circuit::less(m, b, a)?.not()?]),
            BinaryOp::Slt => Ok(vec![circuit::less_signed(m, a, b)?]),
            BinaryOp::Sle => Ok(vec![circuit::less_signed(m, b, a)?.not()?]),
            BinaryOp::Add => circuit::add(a, b, m.bdd_false()),
            BinaryOp::Sub => circuit::subtract(m, a, b),
            BinaryOp::Mul => circuit::multiply(m, a, b),
            BinaryOp::Udiv => Ok(circuit::divide(m, a, b)?.0),
            BinaryOp::Urem => Ok(circuit::divide(m, a, b)?.1),
            BinaryOp::Sdiv => Ok(circuit::divide_signed(m, a, b)?.0),
            BinaryOp::Srem => Ok(circuit::divide_signed(m, a, b)?.1),
            BinaryOp::BitAnd => bitwise(Bdd::and),
            BinaryOp::BitOr => bitwise(Bdd::or),
            BinaryOp::BitXor => bitwise(Bdd::xor),
            BinaryOp::Shl => circuit::shift(m, a, b, Shift::Left),
            BinaryOp::Lshr => circuit::shift(m, a, b, Shift::Right),
            BinaryOp::Ashr => circuit::shift(m, a, b, Shift::RightSigned),
        }
    }
}

fn resize(bits: &[Bdd], width: u32, fill: &Bdd) -> Bits {
    (0..width as usize).map(|bit| bits.get(bit).unwrap_or(fill).clone()).collect()
}
