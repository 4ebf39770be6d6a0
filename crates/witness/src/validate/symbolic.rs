//! The values of an expression, each with the states in which it may take it.
//!
//! For every possible value there is a diagram over the bits of the variables that are read. An expression with choices
//! may take several values in one state: the diagrams then overlap. An index out of range leaves states in which it takes
//! no value; an operator has a value only where all of its operands have one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bdd::{Bdd, Manager};
use program::{BinaryOp, Expr, NaryOp, Program, Sort, UnaryOp, Value, VariableId, When, semantics};

use super::Trouble;
use super::layout::Bits;

/// Lists of values and combinations of values are not longer than this.
pub(super) const MAX_VALUES: usize = 1 << 16;

/// Where a variable's bits are at a moment of the edge.
pub(super) trait Scene {
    fn bits(&self, variable: VariableId, when: When) -> Result<Bits>;
}

/// The values of an expression.
#[derive(Clone, Debug)]
pub(super) enum Symbolic {
    Bool(Truth),
    Values(Values),
}

/// Where a Boolean expression may be true and where it may be false.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub(super) truth: Bdd,
    pub(super) falsity: Bdd,
    pub(super) kind: Kind,
}

/// The values of another expression, ascending.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) list: Vec<(Value, Bdd)>,
    pub(super) kind: Kind,
}

/// How many values there are in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// At least one.
    pub(super) total: bool,
    /// At most one.
    pub(super) single: bool,
}

impl Kind {
    const EXACT: Self = Self { total: true, single: true };

    fn with(self, other: Self) -> Self {
        Self { total: self.total && other.total, single: self.single && other.single }
    }

    fn is_exact(self) -> bool {
        self == Self::EXACT
    }
}

type Result<T> = std::result::Result<T, Trouble>;

impl Truth {
    fn exact(truth: Bdd) -> Result<Self> {
        Ok(Self { falsity: truth.not()?, truth, kind: Kind::EXACT })
    }

    fn defined(&self) -> Result<Bdd> {
        Ok(self.truth.or(&self.falsity)?)
    }

    /// The same, only where the condition holds.
    fn within(self, condition: &Bdd) -> Result<Self> {
        if condition.is_true() {
            return Ok(self);
        }
        let kind = Kind { total: false, ..self.kind };
        Ok(Self { truth: self.truth.and(condition)?, falsity: self.falsity.and(condition)?, kind })
    }
}

impl Symbolic {
    fn kind(&self) -> Kind {
        match self {
            Self::Bool(truth) => truth.kind,
            Self::Values(values) => values.kind,
        }
    }

    /// Where there is a value.
    pub(super) fn defined(&self, manager: &Manager) -> Result<Bdd> {
        match self {
            _ if self.kind().total => Ok(manager.bdd_true()),
            Self::Bool(truth) => truth.defined(),
            Self::Values(values) => {
                let mut defined = manager.bdd_false();
                for (_, condition) in &values.list {
                    defined = defined.or(condition)?;
                }
                Ok(defined)
            }
        }
    }

    /// The values with their conditions.
    pub(super) fn list(&self) -> Vec<(Value, Bdd)> {
        match self {
            Self::Bool(truth) => {
                vec![(Value::Bool(false), truth.falsity.clone()), (Value::Bool(true), truth.truth.clone())]
            }
            Self::Values(values) => values.list.clone(),
        }
    }
}

const BOOL: Cow<'static, Sort> = Cow::Borrowed(&Sort::Bool);

/// Evaluates expressions in a scene.
pub(super) struct Evaluator<'a, S> {
    pub(super) program: &'a Program,
    pub(super) manager: &'a Manager,
    pub(super) scene: &'a S,
}

type Sorted<'a> = (Symbolic, Cow<'a, Sort>);

impl<'a, S: Scene> Evaluator<'a, S> {
    /// Where a Boolean expression may be true.
    pub(super) fn truth(&self, expr: &'a Expr) -> Result<Bdd> {
        if *expr == Expr::TRUE {
            return Ok(self.manager.bdd_true());
        }
        Ok(self.boolean(expr)?.truth)
    }

    pub(super) fn eval(&self, expr: &'a Expr) -> Result<Sorted<'a>> {
        match expr {
            Expr::Const(value, sort) => Ok((self.constant(value), Cow::Borrowed(sort))),
            Expr::Read(variable, when) => {
                let sort = self.program.sort(*variable);
                Ok((self.read(&self.scene.bits(*variable, *when)?, sort)?, Cow::Borrowed(sort)))
            }
            Expr::Any => {
                let always = self.manager.bdd_true();
                let kind = Kind { total: true, single: false };
                Ok((Symbolic::Bool(Truth { truth: always.clone(), falsity: always, kind }), BOOL))
            }
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Nary(op, operands) => Ok((Symbolic::Bool(self.nary(*op, operands)?), BOOL)),
            Expr::Ite(condition, then, otherwise) => self.ite(condition, then, otherwise),
            Expr::Index(array, index) => self.index(array, index),
        }
    }

    fn boolean(&self, expr: &'a Expr) -> Result<Truth> {
        match self.eval(expr)?.0 {
            Symbolic::Bool(truth) => Ok(truth),
            Symbolic::Values(_) => unreachable!("verify accepts Boolean operators on Booleans only"),
        }
    }

    fn constant(&self, value: &Value) -> Symbolic {
        let always = self.manager.bdd_true();
        match value {
            Value::Bool(value) => {
                let (truth, falsity) = (self.manager.constant(*value), self.manager.constant(!value));
                Symbolic::Bool(Truth { truth, falsity, kind: Kind::EXACT })
            }
            other => Symbolic::Values(Values { list: vec![(other.clone(), always)], kind: Kind::EXACT }),
        }
    }

    /// The value of a variable with the given bits.
    pub(super) fn read(&self, bits: &[bdd::Var], sort: &Sort) -> Result<Symbolic> {
        if let (Sort::Bool, [bit]) = (sort, bits) {
            let (truth, falsity) = (self.manager.literal(*bit, true)?, self.manager.literal(*bit, false)?);
            return Ok(Symbolic::Bool(Truth { truth, falsity, kind: Kind::EXACT }));
        }
        let Some(values) = sort.values(self.program, MAX_VALUES) else {
            return Err(Trouble::TooLarge(format!("a variable of {} bits is read", bits.len())));
        };
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            let condition = equals(self.program, self.manager, bits, sort, &value)?;
            list.push((value, condition));
        }
        Ok(Symbolic::Values(Values { list, kind: Kind::EXACT }))
    }

    fn unary(&self, op: UnaryOp, operand: &'a Expr) -> Result<Sorted<'a>> {
        let (operand, sort) = self.eval(operand)?;
        if let (UnaryOp::Not, Symbolic::Bool(Truth { truth, falsity, kind })) = (op, &operand) {
            let (truth, falsity) = (falsity.clone(), truth.clone());
            return Ok((Symbolic::Bool(Truth { truth, falsity, kind: *kind }), BOOL));
        }
        let Some(result) = semantics::unary_sort(op, &sort) else {
            unreachable!("verify accepts operators on their sorts only")
        };
        let values = operand.list().into_iter();
        let values = values.map(|(value, condition)| (semantics::apply_unary(op, &value, &sort), condition));
        Ok((self.collect(&result, values, operand.kind())?, Cow::Owned(result)))
    }

    /// Joins equal values.
    fn collect(&self, sort: &Sort, values: impl Iterator<Item = (Value, Bdd)>, kind: Kind) -> Result<Symbolic> {
        let mut joined: BTreeMap<Value, Bdd> = BTreeMap::new();
        for (value, condition) in values {
            if condition.is_false() {
                continue;
            }
            let condition = match joined.get(&value) {
                Some(other) => other.or(&condition)?,
                None => condition,
            };
            joined.insert(value, condition);
        }
        if *sort != Sort::Bool {
            return Ok(Symbolic::Values(Values { list: joined.into_iter().collect(), kind }));
        }
        let mut take = |value| joined.remove(&Value::Bool(value)).unwrap_or_else(|| self.manager.bdd_false());
        let (truth, falsity) = (take(true), take(false));
        Ok(Symbolic::Bool(Truth { truth, falsity, kind }))
    }

    /// A variable held against a constant needs no list of values.
    fn comparison(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Option<Truth>> {
        let (Expr::Read(variable, when), Expr::Const(value, _)) = (left, right) else { return Ok(None) };
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return Ok(None);
        }
        let bits = self.scene.bits(*variable, *when)?;
        let same = equals(self.program, self.manager, &bits, self.program.sort(*variable), value)?;
        Truth::exact(if op == BinaryOp::Eq { same } else { same.not()? }).map(Some)
    }

    fn binary(&self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Result<Sorted<'a>> {
        if let Some(truth) = self.comparison(op, left, right)? {
            return Ok((Symbolic::Bool(truth), BOOL));
        }
        let (left, sort) = self.eval(left)?;
        let (right, _) = self.eval(right)?;
        let kind = left.kind().with(right.kind());
        if let (Symbolic::Bool(l), Symbolic::Bool(r), true) = (&left, &right, kind.is_exact()) {
            let truth = match op {
                BinaryOp::Eq => l.truth.iff(&r.truth)?,
                BinaryOp::Ne => l.truth.xor(&r.truth)?,
                _ => l.truth.implies(&r.truth)?,
            };
            return Ok((Symbolic::Bool(Truth::exact(truth)?), BOOL));
        }
        let (lefts, rights) = (left.list(), right.list());
        if lefts.len().saturating_mul(rights.len()) > MAX_VALUES {
            return Err(Trouble::TooLarge(format!("{op:?} meets {} and {} values", lefts.len(), rights.len())));
        }
        let Some(result) = semantics::binary_sort(op, &sort, &sort) else {
            unreachable!("verify accepts operators on their sorts only")
        };
        let mut pairs = Vec::with_capacity(lefts.len() * rights.len());
        for (l, when_l) in &lefts {
            for (r, when_r) in &rights {
                pairs.push((semantics::apply_binary(op, l, r, &sort), when_l.and(when_r)?));
            }
        }
        Ok((self.collect(&result, pairs.into_iter(), kind)?, Cow::Owned(result)))
    }

    fn nary(&self, op: NaryOp, operands: &'a [Expr]) -> Result<Truth> {
        let start = semantics::apply_nary(op, []);
        let (truth, falsity) = (self.manager.constant(start), self.manager.constant(!start));
        let mut sum = Truth { truth, falsity, kind: Kind::EXACT };
        for operand in operands {
            let next = self.boolean(operand)?;
            sum = combine(op, &sum, &next)?;
        }
        Ok(sum)
    }

    fn ite(&self, condition: &'a Expr, then: &'a Expr, otherwise: &'a Expr) -> Result<Sorted<'a>> {
        let condition = self.boolean(condition)?;
        let (then, sort) = self.eval(then)?;
        let (otherwise, _) = self.eval(otherwise)?;
        let kind = condition.kind.with(then.kind()).with(otherwise.kind());
        if let (Symbolic::Bool(t), Symbolic::Bool(o), true) = (&then, &otherwise, kind.is_exact()) {
            return Ok((Symbolic::Bool(Truth::exact(condition.truth.ite(&t.truth, &o.truth)?)?), BOOL));
        }
        // Both outcomes must have a value, also the one that is not taken.
        let defined = then.defined(self.manager)?.and(&otherwise.defined(self.manager)?)?;
        let mut values = Vec::new();
        for (outcome, when) in [(&then, condition.truth.and(&defined)?), (&otherwise, condition.falsity.and(&defined)?)]
        {
            for (value, condition) in outcome.list() {
                values.push((value, condition.and(&when)?));
            }
        }
        Ok((self.collect(&sort, values.into_iter(), kind)?, sort))
    }

    fn index(&self, array: &'a Expr, index: &'a Expr) -> Result<Sorted<'a>> {
        let (index, _) = self.eval(index)?;
        let (elements, sort) = self.elements(array)?;
        let mut values = Vec::new();
        let mut kind = index.kind();
        for (index, when_index) in index.list() {
            let at = match index {
                Value::Bits(at) => usize::try_from(at).unwrap_or(usize::MAX),
                _ => unreachable!("verify accepts bit vectors as indices only"),
            };
            match elements.get(at) {
                None => kind.total = false,
                Some(element) => {
                    kind = kind.with(element.kind());
                    for (value, when) in element.list() {
                        values.push((value, when.and(&when_index)?));
                    }
                }
            }
        }
        Ok((self.collect(&sort, values.into_iter(), kind)?, sort))
    }

    /// The elements of an array, one by one. Their values are correlated only if the array is not a variable; then the
    /// whole array is looked at.
    fn elements(&self, array: &'a Expr) -> Result<(Vec<Symbolic>, Cow<'a, Sort>)> {
        if let Expr::Read(variable, when) = array {
            let Sort::Array(element, n) = self.program.sort(*variable) else {
                unreachable!("verify accepts indices on arrays only")
            };
            let bits = self.scene.bits(*variable, *when)?;
            let width = bits.len() / (*n).max(1) as usize;
            let read = |at: usize| self.read(&bits[at * width..(at + 1) * width], element);
            let elements = (0..*n as usize).map(read).collect::<Result<_>>()?;
            return Ok((elements, Cow::Borrowed(element)));
        }
        let (array, sort) = self.eval(array)?;
        let (element, n) = match sort {
            Cow::Borrowed(Sort::Array(element, n)) => (Cow::Borrowed(&**element), *n),
            Cow::Owned(Sort::Array(element, n)) => (Cow::Owned(*element), n),
            _ => unreachable!("verify accepts indices on arrays only"),
        };
        let mut elements = Vec::with_capacity(n as usize);
        for at in 0..n as usize {
            let value_at = |value: Value| match value {
                Value::Array(values) => values.into_iter().nth(at).unwrap_or(Value::Bool(false)),
                other => other,
            };
            let values = array.list().into_iter().map(|(value, condition)| (value_at(value), condition));
            elements.push(self.collect(&element, values, array.kind())?);
        }
        Ok((elements, element))
    }
}

/// One more operand of a Boolean operator.
fn combine(op: NaryOp, left: &Truth, right: &Truth) -> Result<Truth> {
    let kind = left.kind.with(right.kind);
    let (l, r) = (&left.truth, &right.truth);
    if kind.is_exact() {
        return Truth::exact(match op {
            NaryOp::And => l.and(r)?,
            NaryOp::Or => l.or(r)?,
            NaryOp::Xor => l.xor(r)?,
        });
    }
    let (not_l, not_r) = (&left.falsity, &right.falsity);
    let (truth, falsity) = match op {
        NaryOp::And => (l.and(r)?, not_l.or(not_r)?),
        NaryOp::Or => (l.or(r)?, not_l.and(not_r)?),
        NaryOp::Xor => (l.and(not_r)?.or(&not_l.and(r)?)?, l.and(r)?.or(&not_l.and(not_r)?)?),
    };
    let whole = Truth { truth, falsity, kind };
    if kind.total { Ok(whole) } else { whole.within(&left.defined()?.and(&right.defined()?)?) }
}

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
        Sort::Bool | Sort::Bits(_) => Ok(None),
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
