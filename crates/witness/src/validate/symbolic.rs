//! Expressions on bits.
//!
//! The value of an expression is a vector of diagrams over the bits of the variables that are read, together with a
//! diagram of the states in which there is a value at all: an index out of range leaves states in which an expression has
//! none, and an operator has a value only where all of its operands have one.
//!
//! An expression with choices ([`Expr::Any`]) may take several values in one state. A Boolean then has two diagrams, one of
//! the states in which it may be true and one of those in which it may be false; that is exact, because each occurrence is a
//! choice of its own, so that no two operands share one. A vector whose bits depend on one choice has diagrams over a
//! further variable: its values in a state are those that it takes for some values of its choice variables.

use bdd::{Bdd, Manager, Var};
use program::{BinaryOp, Expr, NaryOp, Program, Sort, UnaryOp, Value, VariableId, When, semantics};

use super::Trouble;
use super::circuit::{self, Constants, Towards};
use super::layout::Bits;

/// Where a variable's bits are at a moment of the edge.
pub(super) trait Scene {
    fn bits(&self, variable: VariableId, when: When) -> Result<Bits>;
    /// A variable of the diagrams that nothing else in the scene uses.
    fn choice(&self) -> Var;
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Symbolic {
    Bool(Truth),
    Bits(Vector),
}

/// Where a Boolean expression may be true and where it may be false.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    /// In every state exactly one of both.
    Exact(Bdd),
    /// In some state perhaps both, or neither.
    Loose { truth: Bdd, falsity: Bdd },
}

/// The bits of any other expression, as [`Sort::bits_of`] lays them out.
#[derive(Clone, Debug)]
pub(super) struct Vector {
    pub(super) bits: Vec<Bdd>,
    pub(super) rest: Rest,
}

/// What there is to a value beside its bits.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// Where there is a value, over states and choices.
    pub(super) defined: Bdd,
    /// The choice variables of which bits or definedness may speak.
    pub(super) choices: Vec<Var>,
}

type Result<T> = std::result::Result<T, Trouble>;

impl Rest {
    fn with(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            defined: self.defined.and(&other.defined)?,
            choices: self.choices.iter().chain(&other.choices).copied().collect(),
        })
    }
}

impl Truth {
    /// Where it may be true.
    pub(super) fn truth(&self) -> &Bdd {
        let (Self::Exact(truth) | Self::Loose { truth, .. }) = self;
        truth
    }

    /// Where it may be false.
    pub(super) fn falsity(&self) -> Result<Bdd> {
        match self {
            Self::Exact(truth) => Ok(truth.not()?),
            Self::Loose { falsity, .. } => Ok(falsity.clone()),
        }
    }

    fn not(self) -> Result<Self> {
        match self {
            Self::Exact(truth) => Ok(Self::Exact(truth.not()?)),
            Self::Loose { truth, falsity } => Ok(Self::Loose { truth: falsity, falsity: truth }),
        }
    }

    /// Where there is a value.
    fn defined(&self, constants: &Constants) -> Result<Bdd> {
        match self {
            Self::Exact(_) => Ok(constants.always.clone()),
            Self::Loose { truth, falsity } => Ok(truth.or(falsity)?),
        }
    }

    /// Only where a condition holds.
    fn within(self, condition: &Bdd) -> Result<Self> {
        if condition.is_true() {
            return Ok(self);
        }
        Ok(Self::Loose { truth: self.truth().and(condition)?, falsity: self.falsity()?.and(condition)? })
    }
}

/// Evaluates expressions in a scene.
pub(super) struct Evaluator<'a, S> {
    pub(super) program: &'a Program,
    pub(super) manager: &'a Manager,
    pub(super) scene: &'a S,
    pub(super) constants: Constants,
}

impl<'a, S: Scene> Evaluator<'a, S> {
    pub(super) fn new(program: &'a Program, manager: &'a Manager, scene: &'a S) -> Self {
        let constants = Constants { always: manager.bdd_true(), never: manager.bdd_false() };
        Self { program, manager, scene, constants }
    }

    /// Where a Boolean expression may be true.
    pub(super) fn truth(&self, expr: &Expr) -> Result<Bdd> {
        Ok(self.boolean(expr)?.truth().clone())
    }

    pub(super) fn eval(&self, expr: &Expr) -> Result<Symbolic> {
        match expr {
            Expr::Const(Value::Bool(value), _) => Ok(Symbolic::Bool(Truth::Exact(self.constant(*value)))),
            Expr::Const(value, sort) => {
                let bits = sort.bits_of(self.program, value).into_iter().map(|bit| self.constant(bit));
                Ok(Symbolic::Bits(self.total(bits.collect())))
            }
            Expr::Read(variable, when) => {
                self.with_sort(self.read(&self.scene.bits(*variable, *when)?)?, self.program.sort(*variable))
            }
            Expr::Any => {
                let [truth, falsity] = [self.constants.always.clone(), self.constants.always.clone()];
                Ok(Symbolic::Bool(Truth::Loose { truth, falsity }))
            }
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Nary(op, operands) => Ok(Symbolic::Bool(self.nary(*op, operands)?)),
            Expr::Ite(condition, then, otherwise) => self.ite(condition, then, otherwise),
            Expr::Index(array, index) => self.index(array, index),
        }
    }

    fn constant(&self, value: bool) -> Bdd {
        if value { self.constants.always.clone() } else { self.constants.never.clone() }
    }

    fn always(&self) -> Rest {
        Rest { defined: self.constants.always.clone(), choices: Vec::new() }
    }

    fn total(&self, bits: Vec<Bdd>) -> Vector {
        Vector { bits, rest: self.always() }
    }

    fn read(&self, bits: &[Var]) -> Result<Vector> {
        let literals = bits.iter().map(|bit| self.manager.literal(*bit, true));
        Ok(self.total(literals.collect::<std::result::Result<_, _>>()?))
    }

    /// A vector as a value of a sort.
    fn with_sort(&self, vector: Vector, sort: &Sort) -> Result<Symbolic> {
        match (sort, vector.bits.as_slice()) {
            (Sort::Bool, [bit]) => Ok(Symbolic::Bool(self.truth_of(bit, &vector.rest)?)),
            _ => Ok(Symbolic::Bits(vector)),
        }
    }

    /// A bit as a Boolean. Nothing else speaks of its choices.
    fn truth_of(&self, bit: &Bdd, rest: &Rest) -> Result<Truth> {
        if rest.defined.is_true() && rest.choices.is_empty() {
            return Ok(Truth::Exact(bit.clone()));
        }
        let choices = self.manager.cube(&rest.choices);
        let truth = rest.defined.and_exists(bit, &choices)?;
        Ok(Truth::Loose { truth, falsity: rest.defined.and_exists(&bit.not()?, &choices)? })
    }

    /// A Boolean as a bit: where it may be both true and false, a choice says which.
    fn bit_of(&self, truth: &Truth) -> Result<(Bdd, Rest)> {
        match truth {
            Truth::Exact(truth) => Ok((truth.clone(), self.always())),
            Truth::Loose { truth, falsity } => {
                let defined = truth.or(falsity)?;
                if truth.disjoint(falsity)? {
                    return Ok((truth.clone(), Rest { defined, choices: Vec::new() }));
                }
                let choice = self.scene.choice();
                let forced = falsity.not()?;
                let bit = truth.and(&self.manager.literal(choice, true)?.or(&forced)?)?;
                Ok((bit, Rest { defined, choices: vec![choice] }))
            }
        }
    }

    fn boolean(&self, expr: &Expr) -> Result<Truth> {
        match self.eval(expr)? {
            Symbolic::Bool(truth) => Ok(truth),
            Symbolic::Bits(_) => unreachable!("verify accepts Boolean operators on Booleans only"),
        }
    }

    /// The value as bits; a Boolean has one.
    pub(super) fn vector(&self, expr: &Expr) -> Result<Vector> {
        match self.eval(expr)? {
            Symbolic::Bits(vector) => Ok(vector),
            Symbolic::Bool(truth) => {
                let (bit, rest) = self.bit_of(&truth)?;
                Ok(Vector { bits: vec![bit], rest })
            }
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expr) -> Result<Symbolic> {
        if op == UnaryOp::Not {
            return Ok(Symbolic::Bool(self.boolean(operand)?.not()?));
        }
        let Vector { mut bits, rest } = self.vector(operand)?;
        let sign = bits.last().unwrap_or(&self.constants.never).clone();
        match op {
            UnaryOp::Not | UnaryOp::BitNot => bits = circuit::complement(&bits)?,
            UnaryOp::Neg => bits = circuit::negative(&bits, &self.constants)?,
            UnaryOp::Resize(width) => bits.resize(width as usize, self.constants.never.clone()),
            UnaryOp::SignResize(width) => bits.resize(width as usize, sign),
            UnaryOp::ToInt | UnaryOp::SignedToInt => unreachable!("only finite programs have certificates of diagrams"),
        }
        Ok(Symbolic::Bits(Vector { bits, rest }))
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Symbolic> {
        let (left, right) = (self.eval(left)?, self.eval(right)?);
        match (left, right) {
            (Symbolic::Bool(left), Symbolic::Bool(right)) => Ok(Symbolic::Bool(match op {
                BinaryOp::Ne => self.combine(NaryOp::Xor, &left, &right)?,
                BinaryOp::Eq => self.combine(NaryOp::Xor, &left, &right)?.not()?,
                _ => self.combine(NaryOp::Or, &left.not()?, &right)?,
            })),
            (Symbolic::Bits(left), Symbolic::Bits(right)) => {
                let rest = left.rest.with(&right.rest)?;
                match self.compare(op, &left.bits, &right.bits)? {
                    Some(bit) => Ok(Symbolic::Bool(self.truth_of(&bit, &rest)?)),
                    None => Ok(Symbolic::Bits(Vector { bits: self.compute(op, &left.bits, &right.bits)?, rest })),
                }
            }
            _ => unreachable!("verify accepts operators on operands of one sort only"),
        }
    }

    /// The operators that give a Boolean.
    fn compare(&self, op: BinaryOp, a: &[Bdd], b: &[Bdd]) -> Result<Option<Bdd>> {
        let constants = &self.constants;
        Ok(Some(match op {
            BinaryOp::Eq => circuit::equal(a, b, constants)?,
            BinaryOp::Ne => circuit::equal(a, b, constants)?.not()?,
            BinaryOp::Ult => circuit::below(a, b, constants)?,
            BinaryOp::Ule => circuit::below(b, a, constants)?.not()?,
            BinaryOp::Slt => circuit::below_signed(a, b, constants)?,
            BinaryOp::Sle => circuit::below_signed(b, a, constants)?.not()?,
            _ => return Ok(None),
        }))
    }

    /// The operators that give a number.
    fn compute(&self, op: BinaryOp, a: &[Bdd], b: &[Bdd]) -> Result<Vec<Bdd>> {
        let constants = &self.constants;
        let bitwise = |op: fn(&Bdd, &Bdd) -> std::result::Result<Bdd, bdd::Stop>| {
            a.iter().zip(b).map(|(a, b)| op(a, b)).collect::<std::result::Result<_, _>>()
        };
        let sign = a.last().unwrap_or(&constants.never);
        Ok(match op {
            BinaryOp::Add => circuit::sum(a, b, &constants.never)?,
            BinaryOp::Sub => circuit::difference(a, b, constants)?,
            BinaryOp::Mul => circuit::product(a, b, constants)?,
            BinaryOp::Udiv => circuit::division(a, b, constants)?.0,
            BinaryOp::Urem => circuit::division(a, b, constants)?.1,
            BinaryOp::Sdiv => circuit::signed_division(a, b, constants)?.0,
            BinaryOp::Srem => circuit::signed_division(a, b, constants)?.1,
            BinaryOp::BitAnd => bitwise(Bdd::and)?,
            BinaryOp::BitOr => bitwise(Bdd::or)?,
            BinaryOp::BitXor => bitwise(Bdd::xor)?,
            BinaryOp::Shl => circuit::shift(a, b, &constants.never, Towards::High)?,
            BinaryOp::Lshr => circuit::shift(a, b, &constants.never, Towards::Low)?,
            BinaryOp::Ashr => circuit::shift(a, b, sign, Towards::Low)?,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Implies => unreachable!("these give Booleans"),
            BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => unreachable!("these give Booleans"),
        })
    }

    fn nary(&self, op: NaryOp, operands: &[Expr]) -> Result<Truth> {
        let mut whole = Truth::Exact(self.constant(semantics::apply_nary(op, [])));
        for operand in operands {
            whole = self.combine(op, &whole, &self.boolean(operand)?)?;
        }
        Ok(whole)
    }

    /// One more operand of a Boolean operator.
    fn combine(&self, op: NaryOp, left: &Truth, right: &Truth) -> Result<Truth> {
        let (l, r) = (left.truth(), right.truth());
        if let (Truth::Exact(_), Truth::Exact(_)) = (left, right) {
            return Ok(Truth::Exact(match op {
                NaryOp::And => l.and(r)?,
                NaryOp::Or => l.or(r)?,
                NaryOp::Xor => l.xor(r)?,
            }));
        }
        let (not_l, not_r) = (&left.falsity()?, &right.falsity()?);
        let (truth, falsity) = match op {
            NaryOp::And => (l.and(r)?, not_l.or(not_r)?),
            NaryOp::Or => (l.or(r)?, not_l.and(not_r)?),
            NaryOp::Xor => (l.and(not_r)?.or(&not_l.and(r)?)?, l.and(r)?.or(&not_l.and(not_r)?)?),
        };
        let defined = left.defined(&self.constants)?.and(&right.defined(&self.constants)?)?;
        Truth::Loose { truth, falsity }.within(&defined)
    }

    /// Both outcomes must have a value, also the one that is not taken.
    fn ite(&self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Result<Symbolic> {
        let condition = self.boolean(condition)?;
        match (self.eval(then)?, self.eval(otherwise)?) {
            (Symbolic::Bool(then), Symbolic::Bool(otherwise)) => {
                if let (Truth::Exact(c), Truth::Exact(t), Truth::Exact(o)) = (&condition, &then, &otherwise) {
                    return Ok(Symbolic::Bool(Truth::Exact(circuit::choose(c, t, o)?)));
                }
                let defined = then.defined(&self.constants)?.and(&otherwise.defined(&self.constants)?)?;
                let (yes, no) = (condition.truth(), condition.falsity()?);
                let truth = yes.and(then.truth())?.or(&no.and(otherwise.truth())?)?;
                let falsity = yes.and(&then.falsity()?)?.or(&no.and(&otherwise.falsity()?)?)?;
                Ok(Symbolic::Bool(Truth::Loose { truth, falsity }.within(&defined)?))
            }
            (Symbolic::Bits(then), Symbolic::Bits(otherwise)) => {
                let (condition, rest) = self.bit_of(&condition)?;
                let bits = circuit::choose_all(&condition, &then.bits, &otherwise.bits)?;
                Ok(Symbolic::Bits(Vector { bits, rest: rest.with(&then.rest)?.with(&otherwise.rest)? }))
            }
            _ => unreachable!("verify accepts outcomes of one sort only"),
        }
    }

    fn index(&self, array: &Expr, index: &Expr) -> Result<Symbolic> {
        let (element, n) = self.elements(array);
        let width = element.n_bits(self.program) as usize;
        if let (Expr::Read(variable, when), Expr::Const(Value::Bits(at), _)) = (array, index)
            && let Some(at) = usize::try_from(*at).ok().filter(|at| *at < n)
        {
            // One element of a variable needs none of the others.
            let bits = self.scene.bits(*variable, *when)?;
            return self.with_sort(self.read(&bits[at * width..(at + 1) * width])?, element);
        }
        let (array, index) = (self.vector(array)?, self.vector(index)?);
        let elements: Vec<&[Bdd]> = (0..n).map(|at| &array.bits[at * width..(at + 1) * width]).collect();
        let bits = circuit::select(&elements, &index.bits)?;
        let mut rest = array.rest.with(&index.rest)?;
        rest.defined = rest.defined.and(&circuit::below_constant(&index.bits, n as u64, &self.constants)?)?;
        self.with_sort(Vector { bits, rest }, element)
    }

    /// The sort and the number of an array's elements.
    fn elements<'e>(&'e self, array: &'e Expr) -> (&'e Sort, usize) {
        match self.array_sort(array) {
            Some(Sort::Array(element, n)) => (element, *n as usize),
            _ => unreachable!("verify accepts indices on arrays only"),
        }
    }

    fn array_sort<'e>(&'e self, expr: &'e Expr) -> Option<&'e Sort> {
        match expr {
            Expr::Const(_, sort) => Some(sort),
            Expr::Read(variable, _) => Some(self.program.sort(*variable)),
            Expr::Ite(_, then, _) => self.array_sort(then),
            Expr::Index(array, _) => Some(self.elements(array).0),
            _ => None,
        }
    }
}
