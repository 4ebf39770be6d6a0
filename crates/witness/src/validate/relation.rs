//! What an edge does, as a diagram over old and new bits.

use bdd::{Bdd, Manager};
use program::{Call, Expr, NaryOp, ProcedureId, Program, Relation, Rhs, Scope, Sort, Update, Value, VariableId, When};

use super::Trouble;
use super::layout::{Bits, Copy, Layout};
use super::symbolic::{Evaluator, MAX_VALUES, Scene, Symbolic, agree, equals, valid};

/// An edge, or a half of one, and where the bits are around it.
#[derive(Clone, Copy)]
pub(super) struct Act<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout<'a>,
    /// The procedure that the edge belongs to.
    pub(super) own: ProcedureId,
    pub(super) kind: Kind<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// Nothing happens: a condition on a state.
    Condition,
    Step(&'a Relation),
    Enter(&'a Call),
    /// With the variables that the callee leaves unchanged, ascending.
    Leave(&'a Call, &'a [VariableId]),
}

type Result<T> = std::result::Result<T, Trouble>;

impl Act<'_> {
    fn is_local(&self, variable: VariableId) -> bool {
        matches!(self.program.variables[variable].scope, Scope::Local(_))
    }

    fn own_bits(&self, variable: VariableId, copy: Copy) -> Result<Bits> {
        self.layout.bits(self.own, variable, copy)
    }

    /// The caller's frame while the callee runs.
    fn saved(&self, call: &Call, variable: VariableId) -> Result<Bits> {
        let written = call.enter.writes(variable, When::Saved);
        self.own_bits(variable, if written { Copy::Saved } else { Copy::Base })
    }

    /// The callee's first state: what entering does not write is as in the caller's.
    fn entered(&self, call: &Call, variable: VariableId) -> Result<Bits> {
        if self.is_local(variable) || call.enter.writes(variable, When::After) {
            return self.layout.bits(call.callee, variable, Copy::Entered);
        }
        self.own_bits(variable, Copy::Base)
    }

    /// The callee's last state: what it leaves unchanged is as in its first.
    fn at_exit(&self, call: &Call, unchanged: &[VariableId], variable: VariableId) -> Result<Bits> {
        if unchanged.binary_search(&variable).is_ok() {
            return self.entered(call, variable);
        }
        self.layout.bits(call.callee, variable, Copy::Exit)
    }

    /// The bits of a value that the edge would keep; none where there is no old value.
    fn kept(&self, variable: VariableId, when: When) -> Result<Option<Bits>> {
        match (self.kind, when) {
            (Kind::Enter(_), When::After) if self.is_local(variable) => Ok(None),
            _ => self.bits(variable, When::Before).map(Some),
        }
    }
}

impl Scene for Act<'_> {
    fn bits(&self, variable: VariableId, when: When) -> Result<Bits> {
        match (self.kind, when) {
            (Kind::Step(relation), When::After) if relation.writes(variable, When::After) => {
                self.own_bits(variable, Copy::Next)
            }
            (Kind::Enter(call), When::After) => self.entered(call, variable),
            (Kind::Enter(call), When::Saved) => self.saved(call, variable),
            (Kind::Leave(call, unchanged), When::Result) => self.at_exit(call, unchanged, variable),
            (Kind::Leave(call, _), When::After) if call.leave.writes(variable, When::After) => {
                self.own_bits(variable, Copy::Next)
            }
            (Kind::Leave(call, unchanged), _) if !self.is_local(variable) => self.at_exit(call, unchanged, variable),
            (Kind::Leave(call, _), _) => self.saved(call, variable),
            _ => self.own_bits(variable, Copy::Base),
        }
    }
}

/// How much of a relation is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// Only what has to do with variables that are spoken of. It holds for whatever the relation holds for, and perhaps
    /// for more: what is within a set then is so in truth. The rest can be far larger.
    Rough,
    /// All of it.
    Exact,
}

/// The relation over the bits that it reads and writes. New values that are not needed are left open: nothing that
/// follows speaks of them.
pub(super) fn relation(
    act: &Act<'_>,
    manager: &Manager,
    relation: &Relation,
    care: Care,
    needed: impl Fn(VariableId, When) -> bool,
) -> Result<Bdd> {
    let in_constraint = relation.constraint.reads();
    let needed = |variable, when| in_constraint.contains(&(variable, when)) || needed(variable, when);
    let builder = Builder { act, manager, evaluator: Evaluator { program: act.program, manager, scene: act } };
    let (guard, exprs) = taken_parts(relation, care, &needed);
    let mut whole = manager.bdd_true();
    for condition in guard {
        whole = whole.and(&builder.evaluator.truth(condition)?)?;
    }
    for (at, update) in relation.updates.iter().enumerate() {
        let same = |other: &&Update| other.variable == update.variable && other.when == update.when;
        if !needed(update.variable, update.when) {
            if care == Care::Exact {
                whole = whole.and(&builder.is_possible(update)?)?;
            }
        } else if update.index.is_none() {
            whole = whole.and(&builder.update(update)?)?;
        } else if !relation.updates[..at].iter().any(|other| same(&other)) {
            let updates: Vec<&Update> = relation.updates[at..].iter().filter(same).collect();
            whole = whole.and(&builder.elements(&updates)?)?;
        }
    }
    whole = whole.and(&builder.evaluator.truth(&relation.constraint)?)?;
    for expr in exprs {
        whole = builder.within_sorts(expr, whole)?;
    }
    Ok(whole)
}

/// The conditions of the guard that are taken, and all expressions that are.
fn taken_parts<'a>(
    relation: &'a Relation,
    care: Care,
    needed: &dyn Fn(VariableId, When) -> bool,
) -> (Vec<&'a Expr>, Vec<&'a Expr>) {
    if care == Care::Exact {
        return (vec![&relation.guard], relation.exprs().collect());
    }
    let updates = relation.updates.iter().filter(|update| needed(update.variable, update.when));
    let mut exprs: Vec<&Expr> = updates.flat_map(Update::exprs).chain([&relation.constraint]).collect();
    let conditions = match &relation.guard {
        guard if *guard == Expr::TRUE => return (Vec::new(), exprs),
        Expr::Nary(NaryOp::And, conditions) => conditions.as_slice(),
        other => std::slice::from_ref(other),
    };
    let read: Vec<(VariableId, When)> = exprs.iter().flat_map(|expr| expr.reads()).collect();
    let matters = |at: &(VariableId, When)| needed(at.0, at.1) || read.contains(at);
    let taken = |condition: &&Expr| {
        let reads = condition.reads();
        reads.is_empty() || reads.iter().any(matters)
    };
    let guard: Vec<&Expr> = conditions.iter().filter(taken).collect();
    exprs.extend(&guard);
    (guard, exprs)
}

/// A condition on one state of a procedure, over its current bits.
pub(super) fn condition(act: &Act<'_>, manager: &Manager, condition: &Expr) -> Result<Bdd> {
    let builder = Builder { act, manager, evaluator: Evaluator { program: act.program, manager, scene: act } };
    let truth = builder.evaluator.truth(condition)?;
    builder.within_sorts(condition, truth)
}

struct Builder<'a> {
    act: &'a Act<'a>,
    manager: &'a Manager,
    evaluator: Evaluator<'a, Act<'a>>,
}

impl Builder<'_> {
    /// Bits that stand for no value belong to no state.
    fn within_sorts(&self, expr: &Expr, mut states: Bdd) -> Result<Bdd> {
        for (variable, when) in expr.reads() {
            let sort = self.act.program.sort(variable);
            if let Sort::Enum(_) | Sort::Array(..) = sort {
                let bits = self.act.bits(variable, when)?;
                if let Some(valid) = valid(self.act.program, self.manager, &bits, sort)? {
                    states = states.and(&valid)?;
                }
            }
        }
        Ok(states)
    }

    fn anything(&self, bits: &[bdd::Var], sort: &Sort) -> Result<Bdd> {
        let valid = valid(self.act.program, self.manager, bits, sort)?;
        Ok(valid.unwrap_or_else(|| self.manager.bdd_true()))
    }

    /// The states in which an update has an outcome.
    fn is_possible(&self, update: &Update) -> Result<Bdd> {
        let mut possible = self.manager.bdd_true();
        if let Rhs::Expr(expr) = &update.value
            && !matches!(expr, Expr::Read(..))
            && has_index(expr)
        {
            possible = self.evaluator.eval(expr)?.0.defined(self.manager)?;
        }
        let Some(index) = &update.index else { return Ok(possible) };
        let Sort::Array(_, n) = self.act.program.sort(update.variable) else {
            unreachable!("verify accepts element updates on arrays only")
        };
        let mut in_range = self.manager.bdd_false();
        for (index, condition) in self.evaluator.eval(index)?.0.list() {
            if matches!(index, Value::Bits(at) if at < u64::from(*n)) {
                in_range = in_range.or(&condition)?;
            }
        }
        Ok(possible.and(&in_range)?)
    }

    fn update(&self, update: &Update) -> Result<Bdd> {
        let bits = self.act.bits(update.variable, update.when)?;
        let sort = self.act.program.sort(update.variable);
        match &update.value {
            Rhs::Any => self.anything(&bits, sort),
            Rhs::Expr(Expr::Read(variable, when)) => {
                // A copy needs no list of values.
                agree(self.manager, &bits, &self.act.bits(*variable, *when)?)
            }
            Rhs::Expr(expr) => {
                let (value, _) = self.evaluator.eval(expr)?;
                self.becomes(&bits, sort, &value)
            }
        }
    }

    /// The new bits have one of the values.
    fn becomes(&self, bits: &[bdd::Var], sort: &Sort, value: &Symbolic) -> Result<Bdd> {
        if let (Symbolic::Bool(truth), [bit]) = (value, bits) {
            let (one, zero) = (self.manager.literal(*bit, true)?, self.manager.literal(*bit, false)?);
            if truth.kind.total && truth.kind.single {
                return Ok(one.iff(&truth.truth)?);
            }
            return Ok(one.and(&truth.truth)?.or(&zero.and(&truth.falsity)?)?);
        }
        let mut sum = self.manager.bdd_false();
        for (value, condition) in value.list() {
            let equals = equals(self.act.program, self.manager, bits, sort, &value)?;
            sum = sum.or(&condition.and(&equals)?)?;
        }
        Ok(sum)
    }

    /// Writes to elements of one array: for each way of choosing the indices, each element is what the last write to it
    /// gives, or what it was.
    fn elements(&self, updates: &[&Update]) -> Result<Bdd> {
        let Update { variable, when, .. } = updates[0];
        let Sort::Array(element, n) = self.act.program.sort(*variable) else {
            unreachable!("verify accepts element updates on arrays only")
        };
        let new = self.act.bits(*variable, *when)?;
        let array = Array { new: &new, old: self.act.kept(*variable, *when)?, element, n: *n as usize };
        let mut writes = Vec::with_capacity(updates.len());
        let mut n_ways = 1usize;
        for update in updates {
            let write = self.write(update, &array)?;
            n_ways = n_ways.saturating_mul(write.indices.len().max(1));
            writes.push(write);
        }
        if n_ways.saturating_mul(array.n) > MAX_VALUES {
            return Err(Trouble::TooLarge(format!(
                "writes to elements of {}",
                self.act.program.qualified_name(*variable)
            )));
        }
        let mut sum = self.manager.bdd_false();
        self.each_way(&array, &writes, &mut vec![None; array.n], 0, self.manager.bdd_true(), &mut sum)?;
        Ok(sum)
    }

    fn write(&self, update: &Update, array: &Array<'_>) -> Result<Write> {
        let mut indices = Vec::new();
        let index = update.index.as_ref().map(|index| self.evaluator.eval(index)).transpose()?;
        for (index, condition) in index.iter().flat_map(|(index, _)| index.list()) {
            if let Value::Bits(at) = index
                && at < array.n as u64
            {
                indices.push((at as usize, condition));
            }
        }
        let value = match &update.value {
            Rhs::Any => None,
            Rhs::Expr(expr) => Some(self.evaluator.eval(expr)?.0),
        };
        Ok(Write { indices, value })
    }

    /// Adds the outcomes of all ways of choosing the indices of `writes[at..]`; `writers` says who writes an element last.
    /// Recursion is as deep as there are writes to one array in one edge.
    fn each_way(
        &self,
        array: &Array<'_>,
        writes: &[Write],
        writers: &mut Vec<Option<usize>>,
        at: usize,
        condition: Bdd,
        sum: &mut Bdd,
    ) -> Result<()> {
        if condition.is_false() {
            return Ok(());
        }
        let Some(write) = writes.get(at) else {
            *sum = sum.or(&self.outcome(array, writes, writers, condition)?)?;
            return Ok(());
        };
        // A write that a later one hides must still have a value.
        let condition = match &write.value {
            Some(value) => condition.and(&value.defined(self.manager)?)?,
            None => condition,
        };
        for (index, when) in &write.indices {
            let before = writers[*index].replace(at);
            self.each_way(array, writes, writers, at + 1, condition.and(when)?, sum)?;
            writers[*index] = before;
        }
        Ok(())
    }

    fn outcome(&self, array: &Array<'_>, writes: &[Write], writers: &[Option<usize>], condition: Bdd) -> Result<Bdd> {
        let width = array.new.len() / array.n.max(1);
        let mut whole = condition;
        for (at, writer) in writers.iter().enumerate() {
            let range = at * width..(at + 1) * width;
            let new = &array.new[range.clone()];
            let part = match (writer.map(|write| &writes[write].value), &array.old) {
                (Some(Some(value)), _) => self.becomes(new, array.element, value)?,
                (Some(None), _) | (None, None) => self.anything(new, array.element)?,
                (None, Some(old)) => agree(self.manager, new, &old[range])?,
            };
            whole = whole.and(&part)?;
        }
        Ok(whole)
    }
}

/// Only an index can keep an expression from having a value.
fn has_index(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| found |= matches!(expr, Expr::Index(..)));
    found
}

struct Array<'a> {
    new: &'a [bdd::Var],
    old: Option<Bits>,
    element: &'a Sort,
    n: usize,
}

/// One write to an element: possible indices in range, and the value; none: any.
struct Write {
    indices: Vec<(usize, Bdd)>,
    value: Option<Symbolic>,
}
