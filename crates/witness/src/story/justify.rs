//! Which reads are enough for an expression to have a value.
//!
//! Justifying a value picks definitions such that the expression can have that value as long as these definitions have
//! theirs, whatever the others have. Where there is a choice (one true operand of a disjunction), the one that adds least
//! to what is needed already is taken. This is not the smallest set for the whole run, which would be a search.
//!
//! An index out of range makes an edge impossible wherever it stands, so indices are justified even in expressions
//! whose values are not.

use program::interp::{Possible, possible_values};
use program::verify::sort_of;
use program::{BinaryOp, Expr, NaryOp, Rhs, Sort, UnaryOp, Value, VariableId, When, semantics};

use super::record::{DefinitionId, Record, Scene};
use super::template::Source;

/// An expression is taken apart to this depth; below it, everything that is read is needed. Each level evaluates what
/// is below it anew.
const LEVELS: u32 = 48;

/// The most combinations of operands that are tried.
const MAX_COMBINATIONS: usize = 1 << 12;

/// The definitions that are needed.
pub(super) struct Needs<'r> {
    record: &'r Record<'r>,
    /// Definitions that could not be otherwise: there is nothing about them to be needed.
    determined: &'r [bool],
    needed: Vec<bool>,
}

impl<'r> Needs<'r> {
    pub(super) fn new(record: &'r Record<'r>, determined: &'r [bool]) -> Self {
        Self { record, determined, needed: vec![false; record.definitions.len()] }
    }

    pub(super) fn is_determined(&self, definition: DefinitionId) -> bool {
        self.determined[definition as usize]
    }

    pub(super) fn is_needed(&self, definition: DefinitionId) -> bool {
        self.needed[definition as usize]
    }

    /// The definition must have its value.
    pub(super) fn need(&mut self, definition: DefinitionId) {
        self.needed[definition as usize] |= !self.is_determined(definition);
    }

    /// Per definition: whether it is needed.
    pub(super) fn finish(self) -> Vec<bool> {
        self.needed
    }

    /// The expression must be able to have the value.
    pub(super) fn justify(&mut self, scene: &Scene, expr: &Expr, value: &Value) {
        Justification { needs: self, scene }.value(expr, value, LEVELS);
    }

    /// A definition must have its value if it is needed, and must be possible at all if not.
    pub(super) fn justify_definition(&mut self, id: DefinitionId) {
        let record = self.record;
        let definition = &record.definitions[id as usize];
        let is_needed = self.is_needed(id);
        let source = record.source(id);
        if *source == Source::Open {
            return;
        }
        let mut justification = Justification { needs: self, scene: &record.scenes[definition.scene as usize] };
        match source {
            Source::Open => {}
            Source::Value(expr) if is_needed => justification.value(expr, &definition.value, LEVELS),
            Source::Value(expr) => justification.defined(expr),
            Source::Elements { has_base, writes } => {
                if is_needed && *has_base {
                    justification.read(definition.variable, When::Before);
                }
                let n = match record.program.sort(definition.variable) {
                    Sort::Array(_, n) => *n,
                    _ => unreachable!("only arrays have elements"),
                };
                for (index, value) in writes {
                    if is_needed {
                        justification.element(index, value, &definition.value);
                    } else {
                        justification.in_range(index, n);
                        justification.defined_rhs(value);
                    }
                }
            }
        }
    }
}

/// A justification in one scene.
struct Justification<'n, 'r> {
    needs: &'n mut Needs<'r>,
    scene: &'n Scene,
}

impl Justification<'_, '_> {
    fn read(&mut self, variable: VariableId, when: When) {
        let definition = self.needs.record.read(self.scene, variable, when) as usize;
        self.needs.needed[definition] |= !self.needs.determined[definition];
    }

    /// All that is read.
    fn everything(&mut self, expr: &Expr) {
        expr.visit(&mut |expr| {
            if let Expr::Read(variable, when) = expr {
                self.read(*variable, *when);
            }
        });
    }

    /// The number of reads that would have to be added.
    fn cost(&self, expr: &Expr) -> usize {
        let mut cost = 0;
        expr.visit(&mut |expr| {
            if let Expr::Read(variable, when) = expr {
                let definition = self.needs.record.read(self.scene, *variable, *when);
                cost += usize::from(!self.needs.is_determined(definition) && !self.needs.is_needed(definition));
            }
        });
        cost
    }

    fn possible(&self, expr: &Expr) -> Option<Possible> {
        let record = self.needs.record;
        possible_values(record.program, expr, &record.values(self.scene)).ok()
    }

    fn list(&self, expr: &Expr) -> Option<Vec<Value>> {
        self.possible(expr)?.list().map(std::borrow::Cow::into_owned)
    }

    fn can_be(&self, expr: &Expr, value: bool) -> bool {
        self.possible(expr).is_some_and(|values| values.contains(&Value::Bool(value)))
    }

    /// The expression must be able to have the value.
    fn value(&mut self, expr: &Expr, value: &Value, levels: u32) {
        let Some(below) = levels.checked_sub(1) else { return self.everything(expr) };
        let done = match expr {
            Expr::Const(..) | Expr::Any => Some(()),
            Expr::Read(variable, when) => {
                self.read(*variable, *when);
                Some(())
            }
            Expr::Unary(op, operand) => self.unary(*op, operand, value, below),
            Expr::Binary(BinaryOp::Implies, left, right) => self.implies(left, right, value, below),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, value, below),
            Expr::Nary(op, operands) => self.nary(*op, operands, value, below),
            Expr::Ite(condition, then, otherwise) => self.ite([condition, then, otherwise], value, below),
            Expr::Index(array, index) => self.index(array, index, value, below),
        };
        if done.is_none() {
            self.everything(expr);
        }
    }

    fn truth(&mut self, expr: &Expr, value: bool, levels: u32) {
        self.value(expr, &Value::Bool(value), levels);
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, value: &Value, levels: u32) -> Option<()> {
        if let (UnaryOp::Not, Value::Bool(value)) = (op, value) {
            self.truth(operand, !value, levels);
            return Some(());
        }
        let mut values = self.list(operand)?;
        if values.len() > 1 {
            let sort = sort_of(self.needs.record.program, operand).ok()?;
            values.retain(|operand| semantics::apply_unary(op, operand, &sort) == *value);
        }
        self.value(operand, values.first()?, levels);
        Some(())
    }

    fn implies(&mut self, left: &Expr, right: &Expr, value: &Value, levels: u32) -> Option<()> {
        if *value == Value::Bool(false) {
            self.truth(left, true, levels);
            self.truth(right, false, levels);
            return Some(());
        }
        self.one_of(&[(left, false), (right, true)], levels)
    }

    /// One of the operands must have its value; the others may have any.
    fn one_of(&mut self, operands: &[(&Expr, bool)], levels: u32) -> Option<()> {
        let able = |at: &usize| self.can_be(operands[*at].0, operands[*at].1);
        let chosen = (0..operands.len()).filter(able).min_by_key(|at| self.cost(operands[*at].0))?;
        for (at, (operand, value)) in operands.iter().enumerate() {
            if at == chosen {
                self.truth(operand, *value, levels);
            } else {
                self.defined(operand);
            }
        }
        Some(())
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, value: &Value, levels: u32) -> Option<()> {
        let (lefts, rights) = (self.list(left)?, self.list(right)?);
        let (l, r) = match (lefts.as_slice(), rights.as_slice()) {
            ([l], [r]) => (l, r),
            _ if lefts.len().saturating_mul(rights.len()) > MAX_COMBINATIONS => return None,
            _ => {
                let sort = sort_of(self.needs.record.program, left).ok()?;
                let mut pairs = lefts.iter().flat_map(|l| rights.iter().map(move |r| (l, r)));
                pairs.find(|(l, r)| semantics::apply_binary(op, l, r, &sort) == *value)?
            }
        };
        self.value(left, l, levels);
        self.value(right, r, levels);
        Some(())
    }

    fn nary(&mut self, op: NaryOp, operands: &[Expr], value: &Value, levels: u32) -> Option<()> {
        let deciding = match op {
            NaryOp::And => false,
            NaryOp::Or => true,
            NaryOp::Xor => return self.xor(operands, value, levels),
        };
        if *value == Value::Bool(deciding) {
            let operands: Vec<(&Expr, bool)> = operands.iter().map(|operand| (operand, deciding)).collect();
            return self.one_of(&operands, levels);
        }
        operands.iter().for_each(|operand| self.truth(operand, !deciding, levels));
        Some(())
    }

    fn xor(&mut self, operands: &[Expr], value: &Value, levels: u32) -> Option<()> {
        // A choice makes up for whatever the others are.
        if operands.contains(&Expr::Any) {
            operands.iter().for_each(|operand| self.defined(operand));
            return Some(());
        }
        let truths: Vec<bool> = operands.iter().map(|operand| self.can_be(operand, true)).collect();
        let is_odd = semantics::apply_nary(NaryOp::Xor, truths.iter().copied());
        let free = |at: &usize| truths[*at] && self.can_be(&operands[*at], false);
        let flipped = if Value::Bool(is_odd) == *value { None } else { Some((0..operands.len()).find(free)?) };
        for (at, operand) in operands.iter().enumerate() {
            self.truth(operand, truths[at] ^ (flipped == Some(at)), levels);
        }
        Some(())
    }

    fn ite(&mut self, [condition, then, otherwise]: [&Expr; 3], value: &Value, levels: u32) -> Option<()> {
        let ways = [(true, then, otherwise), (false, otherwise, then)];
        let is_way = |(truth, taken, _): &&(bool, &Expr, &Expr)| {
            self.can_be(condition, *truth) && self.possible(taken).is_some_and(|values| values.contains(value))
        };
        let way = ways.iter().filter(is_way).min_by_key(|(_, taken, _)| self.cost(taken));
        let (truth, taken, other) = *way?;
        self.truth(condition, truth, levels);
        self.value(taken, value, levels);
        self.defined(other);
        Some(())
    }

    fn index(&mut self, array: &Expr, index: &Expr, value: &Value, levels: u32) -> Option<()> {
        let (arrays, indices) = (self.list(array)?, self.list(index)?);
        if arrays.len().saturating_mul(indices.len()) > MAX_COMBINATIONS {
            return None;
        }
        let mut pairs = arrays.iter().flat_map(|array| indices.iter().map(move |index| (array, index)));
        let (a, i) = pairs.find(|(array, index)| semantics::apply_index(array, index) == Some(value))?;
        self.value(array, a, levels);
        self.value(index, i, levels);
        Some(())
    }

    /// An element of an array that must have its value.
    fn element(&mut self, index: &Expr, value: &Rhs, array: &Value) {
        let Some([chosen]) =
            self.list(index).as_deref().and_then(|indices| <&[Value; 1]>::try_from(indices).ok()).cloned()
        else {
            self.everything(index);
            if let Rhs::Expr(expr) = value {
                self.everything(expr);
            }
            return;
        };
        self.value(index, &chosen, LEVELS);
        let Rhs::Expr(expr) = value else { return };
        // Where a later write wins, any value will do.
        let possible = self.list(expr).unwrap_or_default();
        let element = semantics::apply_index(array, &chosen).filter(|element| possible.contains(element));
        match element.or(possible.first()) {
            Some(element) => self.value(expr, element, LEVELS),
            None => self.everything(expr),
        }
    }

    /// No index in the expression may be out of range; its value may be any.
    fn defined(&mut self, expr: &Expr) {
        if self.needs.record.template(self.scene).has_indices {
            self.check_indices(expr);
        }
    }

    fn defined_rhs(&mut self, value: &Rhs) {
        if let Rhs::Expr(expr) = value {
            self.defined(expr);
        }
    }

    fn check_indices(&mut self, expr: &Expr) {
        let Expr::Index(array, index) = expr else {
            return expr.children().into_iter().for_each(|child| self.check_indices(child));
        };
        match sort_of(self.needs.record.program, array) {
            Ok(Sort::Array(_, n)) => self.in_range(index, n),
            _ => self.everything(index),
        }
        self.check_indices(array);
    }

    /// The index must be able to be below `n`.
    fn in_range(&mut self, index: &Expr, n: u32) {
        let widest = match sort_of(self.needs.record.program, index) {
            Ok(Sort::Bits(width)) => 1u64.checked_shl(width).unwrap_or(u64::MAX),
            _ => u64::MAX,
        };
        if widest <= u64::from(n) {
            return self.check_indices(index);
        }
        let is_in_range = |value: &Value| matches!(value, Value::Bits(at) if *at < u64::from(n));
        match self.list(index).into_iter().flatten().find(is_in_range) {
            Some(value) => self.value(index, &value, LEVELS),
            None => self.everything(index),
        }
    }
}
