//! What an edge does, as conjuncts over old and new bits.

use bdd::{Bdd, Manager, Var};
use program::{
    BinaryOp, Call, Expr, NaryOp, ProcedureId, Program, Relation, Rhs, Scope, Sort, Update, VariableId, When,
};

use super::Trouble;
use super::circuit;
use super::image::Part;
use super::layout::{Bits, Copy, Layout};
use super::sorts::{is_partial, valid};
use super::symbolic::{Evaluator, Rest, Scene, Vector};

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

    fn choice(&self) -> Var {
        self.layout.choice()
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

/// Which bits matter around a relation.
#[derive(Clone, Copy)]
pub(super) struct Interest<'a> {
    /// What is known before it speaks of these, ascending.
    pub(super) known: &'a [Var],
    /// What is to be shown after it speaks of these, ascending. All other new values may be left open.
    pub(super) wanted: &'a [Var],
}

/// Conjuncts whose conjunction is the relation, projected to the bits that it reads and those that are wanted.
pub(super) fn parts(
    act: &Act<'_>,
    manager: &Manager,
    relation: &Relation,
    care: Care,
    interest: Interest<'_>,
) -> Result<Vec<Part>> {
    let builder = Builder { act, manager, interest, evaluator: Evaluator::new(act.program, manager, act) };
    let mut open = Open { constraint: relation.constraint.reads(), parts: Vec::new() };
    let mut taken: Vec<&Update> = Vec::new();
    for update in &relation.updates {
        if care == Care::Exact || builder.is_needed(&open, update.variable, update.when)? {
            taken.push(update);
        }
    }
    let mut exprs: Vec<&Expr> = taken.iter().flat_map(|update| update.exprs()).collect();
    exprs.extend((relation.constraint != Expr::TRUE).then_some(&relation.constraint));
    let guard = builder.taken_guard(&relation.guard, care, &exprs)?;
    exprs.extend(&guard);
    for condition in guard {
        builder.condition(condition, &mut open.parts)?;
    }
    builder.within_sorts(&exprs, &mut open.parts)?;
    for (at, update) in taken.iter().enumerate() {
        let same = |other: &&&Update| other.variable == update.variable && other.when == update.when;
        if update.index.is_none() {
            builder.update(update, &mut open)?;
        } else if !taken[..at].iter().any(|other| same(&other)) {
            let updates: Vec<&Update> = taken[at..].iter().filter(same).copied().collect();
            builder.elements(&updates, &mut open)?;
        }
    }
    for condition in conjuncts(&relation.constraint) {
        builder.condition(condition, &mut open.parts)?;
    }
    Ok(open.parts)
}

/// A conjunction is true where all of its operands can be: no two of them share a choice.
fn conjuncts(condition: &Expr) -> &[Expr] {
    match condition {
        condition if *condition == Expr::TRUE => &[],
        Expr::Nary(NaryOp::And, conditions) => conditions,
        other => std::slice::from_ref(other),
    }
}

/// Adds the conjunct that a variable's bits stand for a value, if they may not.
pub(super) fn add_validity(
    act: &Act<'_>,
    manager: &Manager,
    (variable, when): (VariableId, When),
    parts: &mut Vec<Part>,
) -> Result<()> {
    let sort = act.program.sort(variable);
    if is_partial(act.program, sort) {
        let bits = act.bits(variable, when)?;
        if let Some(bdd) = valid(act.program, manager, &bits, sort)? {
            parts.push(Part { bdd, vars: bits.to_vec() });
        }
    }
    Ok(())
}

/// What is built so far, and the reads of the constraint, which make new values matter.
struct Open {
    constraint: Vec<(VariableId, When)>,
    parts: Vec<Part>,
}

struct Builder<'a> {
    act: &'a Act<'a>,
    manager: &'a Manager,
    interest: Interest<'a>,
    evaluator: Evaluator<'a, Act<'a>>,
}

impl Builder<'_> {
    fn is_wanted(&self, bit: Var) -> bool {
        self.interest.wanted.binary_search(&bit).is_ok()
    }

    fn is_needed(&self, open: &Open, variable: VariableId, when: When) -> Result<bool> {
        if open.constraint.contains(&(variable, when)) {
            return Ok(true);
        }
        match self.act.bits(variable, when) {
            Ok(bits) => Ok(bits.iter().any(|bit| self.is_wanted(*bit))),
            // Nobody can speak of what has no bits.
            Err(Trouble::TooLarge(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The conditions of the guard that are taken: all, or those that have to do with what matters.
    fn taken_guard<'e>(&self, guard: &'e Expr, care: Care, exprs: &[&Expr]) -> Result<Vec<&'e Expr>> {
        let conditions = conjuncts(guard);
        if care == Care::Exact || conditions.is_empty() {
            return Ok(conditions.iter().collect());
        }
        let read: Vec<(VariableId, When)> = exprs.iter().flat_map(|expr| expr.reads()).collect();
        let is_of_interest = |bit: &Var| self.is_wanted(*bit) || self.interest.known.binary_search(bit).is_ok();
        let mut taken = Vec::new();
        for condition in conditions {
            let reads = condition.reads();
            let mut matters = reads.is_empty() || reads.iter().any(|at| read.contains(at));
            for (variable, when) in &reads {
                matters = matters || self.act.bits(*variable, *when)?.iter().any(is_of_interest);
            }
            if matters {
                taken.push(condition);
            }
        }
        Ok(taken)
    }

    fn condition(&self, condition: &Expr, parts: &mut Vec<Part>) -> Result<()> {
        if let Expr::Binary(BinaryOp::Eq, left, right) = condition {
            return self.equality(condition, [left, right], parts);
        }
        let bdd = self.evaluator.truth(condition)?;
        parts.push(Part { bdd, vars: self.bits_read([condition])? });
        Ok(())
    }

    /// An equality of numbers or arrays is one conjunct for each bit.
    fn equality(&self, condition: &Expr, sides: [&Expr; 2], parts: &mut Vec<Part>) -> Result<()> {
        let [left, right] = sides.map(|side| self.evaluator.vector(side));
        let (left, right) = (left?, right?);
        for (side, vector) in sides.iter().zip([&left, &right]) {
            self.defined(&vector.rest, &[side], parts)?;
        }
        let equations = left.bits.iter().zip(&right.bits).map(|(left, right)| left.iff(right));
        let equations: Vec<Bdd> = equations.collect::<std::result::Result<_, _>>()?;
        if let [bdd] = equations.as_slice() {
            let mut vars = self.bits_read([condition])?;
            vars.extend(left.rest.choices.iter().chain(&right.rest.choices));
            parts.push(Part { bdd: bdd.clone(), vars });
            return Ok(());
        }
        self.cluster(equations, parts)
    }

    fn bits_read<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Result<Vec<Var>> {
        let mut vars = Vec::new();
        for (variable, when) in exprs.into_iter().flat_map(Expr::reads) {
            vars.extend(self.act.bits(variable, when)?.iter());
        }
        Ok(vars)
    }

    /// Bits that stand for no value belong to no state.
    fn within_sorts(&self, exprs: &[&Expr], parts: &mut Vec<Part>) -> Result<()> {
        let partial = |at: &(VariableId, When)| is_partial(self.act.program, self.act.program.sort(at.0));
        let mut reads: Vec<(VariableId, When)> = exprs.iter().flat_map(|expr| expr.reads()).filter(partial).collect();
        reads.sort_unstable();
        reads.dedup();
        reads.into_iter().try_for_each(|at| add_validity(self.act, self.manager, at, parts))
    }

    /// A value is there.
    fn defined(&self, rest: &Rest, exprs: &[&Expr], parts: &mut Vec<Part>) -> Result<()> {
        if !rest.defined.is_true() {
            let mut vars = self.bits_read(exprs.iter().copied())?;
            vars.extend(&rest.choices);
            parts.push(Part { bdd: rest.defined.clone(), vars });
        }
        Ok(())
    }

    /// A variable gets a value as a whole.
    fn update(&self, update: &Update, open: &mut Open) -> Result<()> {
        let at = (update.variable, update.when);
        let Rhs::Expr(expr) = &update.value else {
            return add_validity(self.act, self.manager, at, &mut open.parts);
        };
        let is_seen = open.constraint.contains(&at);
        let new = self.act.bits(at.0, at.1)?;
        if !is_seen && !has_index(expr) && !new.iter().any(|bit| self.is_wanted(*bit)) {
            return Ok(());
        }
        let Vector { bits, rest } = self.evaluator.vector(expr)?;
        self.defined(&rest, &[expr], &mut open.parts)?;
        let mut equations = Vec::new();
        for (new, value) in new.iter().zip(&bits) {
            if is_seen || self.is_wanted(*new) {
                equations.push(self.manager.literal(*new, true)?.iff(value)?);
            }
        }
        if let ([equation], [new]) = (equations.as_slice(), &*new) {
            let mut vars = self.bits_read([expr])?;
            vars.push(*new);
            vars.extend(&rest.choices);
            open.parts.push(Part { bdd: equation.clone(), vars });
            return Ok(());
        }
        self.cluster(equations, &mut open.parts)
    }

    /// Joins equations for bits as long as that stays small.
    fn cluster(&self, equations: Vec<Bdd>, parts: &mut Vec<Part>) -> Result<()> {
        let mut push = |bdd: Bdd| parts.push(Part { vars: bdd.support(), bdd });
        let mut joined: Option<Bdd> = None;
        for equation in equations {
            let Some(others) = joined else {
                joined = Some(equation);
                continue;
            };
            let both = equation.and(&others)?;
            joined = Some(if both.node_count() <= CLUSTER {
                both
            } else {
                push(others);
                equation
            });
        }
        joined.into_iter().for_each(push);
        Ok(())
    }

    /// Writes to elements of one array: each element is what the last write to it gives, or what it was.
    fn elements(&self, updates: &[&Update], open: &mut Open) -> Result<()> {
        let at = (updates[0].variable, updates[0].when);
        let Sort::Array(element, n) = self.act.program.sort(at.0) else {
            unreachable!("verify accepts element updates on arrays only")
        };
        let mut writes = Vec::with_capacity(updates.len());
        for update in updates {
            writes.push(self.write(update, u64::from(*n), &mut open.parts)?);
        }
        let (new, old) = (self.act.bits(at.0, at.1)?, self.act.kept(at.0, at.1)?);
        let is_seen = open.constraint.contains(&at);
        let width = element.n_bits(self.act.program) as usize;
        let mut equations = Vec::new();
        for number in 0..*n as usize {
            let range = number * width..(number + 1) * width;
            if !is_seen && !new[range.clone()].iter().any(|bit| self.is_wanted(*bit)) {
                continue;
            }
            let array =
                Element { number: number as u64, new: &new[range.clone()], old: old.as_ref().map(|old| &old[range]) };
            equations.extend(self.element(&array, &writes)?);
        }
        self.cluster(equations, &mut open.parts)?;
        add_validity(self.act, self.manager, at, &mut open.parts)
    }

    /// A write, whose index is in range and whose value is there.
    fn write(&self, update: &Update, n: u64, parts: &mut Vec<Part>) -> Result<Write> {
        let Some(index) = &update.index else { unreachable!("only writes to elements are asked for") };
        let Vector { bits, mut rest } = self.evaluator.vector(index)?;
        let in_range = circuit::below_constant(&bits, n, &self.evaluator.constants)?;
        rest.defined = rest.defined.and(&in_range)?;
        self.defined(&rest, &[index], parts)?;
        let value = match &update.value {
            Rhs::Any => None,
            Rhs::Expr(expr) => {
                let Vector { bits, rest } = self.evaluator.vector(expr)?;
                self.defined(&rest, &[expr], parts)?;
                Some(bits)
            }
        };
        Ok(Write { index: bits, value })
    }

    /// The equations for the bits of one element.
    fn element(&self, element: &Element<'_>, writes: &[Write]) -> Result<Vec<Bdd>> {
        let mut equations = Vec::with_capacity(element.new.len());
        let is_it = |write: &Write| circuit::equals_constant(&write.index, element.number, &self.evaluator.constants);
        let is_it: Vec<Bdd> = writes.iter().map(is_it).collect::<std::result::Result<_, _>>()?;
        for (bit, new) in element.new.iter().enumerate() {
            let new = self.manager.literal(*new, true)?;
            let mut equation = match element.old {
                Some(old) => new.iff(&self.manager.literal(old[bit], true)?)?,
                None => self.manager.bdd_true(),
            };
            for (write, is_it) in writes.iter().zip(&is_it) {
                let written = match &write.value {
                    Some(value) => new.iff(&value[bit])?,
                    None => self.manager.bdd_true(),
                };
                equation = circuit::choose(is_it, &written, &equation)?;
            }
            equations.push(equation);
        }
        Ok(equations)
    }
}

/// Only an index can keep an expression from having a value.
fn has_index(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |expr| found |= matches!(expr, Expr::Index(..)));
    found
}

/// One element of an array around a write; without old bits it was anything.
struct Element<'a> {
    number: u64,
    new: &'a [Var],
    old: Option<&'a [Var]>,
}

/// One write to an element: the index, and the value; none: any.
struct Write {
    index: Vec<Bdd>,
    value: Option<Vec<Bdd>>,
}

/// Equations for bits are joined up to this many nodes.
const CLUSTER: usize = 1 << 12;
