//! What several passes do to programs: looking at expressions and dropping edges.

use base::IdVec;
use program::{
    BinaryOp, EdgeId, EdgeKind, Expr, LocationId, NaryOp, Program, Relation, Rhs, Scope, Sort, UnaryOp, Update, Value,
    Variable, VariableId, When,
};

/// Calls `visit` on every read in the expression, with repetitions, without allocating.
pub(crate) fn for_each_read(expr: &Expr, visit: &mut impl FnMut(VariableId, When)) {
    match expr {
        Expr::Const(..) | Expr::Any => {}
        Expr::Read(variable, when) => visit(*variable, *when),
        Expr::Unary(_, operand) => for_each_read(operand, visit),
        Expr::Binary(_, left, right) | Expr::Index(left, right) => {
            for_each_read(left, visit);
            for_each_read(right, visit);
        }
        Expr::Nary(_, operands) => operands.iter().for_each(|operand| for_each_read(operand, visit)),
        Expr::Ite(condition, then, otherwise) => {
            for_each_read(condition, visit);
            for_each_read(then, visit);
            for_each_read(otherwise, visit);
        }
    }
}

/// True when evaluating the expression may make an edge impossible: an index may be out of range.
pub(crate) fn may_block(expr: &Expr) -> bool {
    match expr {
        Expr::Const(..) | Expr::Any | Expr::Read(..) => false,
        Expr::Index(..) => true,
        Expr::Unary(_, operand) => may_block(operand),
        Expr::Binary(_, left, right) => may_block(left) || may_block(right),
        Expr::Nary(_, operands) => operands.iter().any(may_block),
        Expr::Ite(condition, then, otherwise) => may_block(condition) || may_block(then) || may_block(otherwise),
    }
}

/// True when the update is more than a new value for a whole variable: it may make the edge impossible.
pub(crate) fn update_may_block(update: &Update) -> bool {
    update.index.is_some() || matches!(&update.value, Rhs::Expr(expr) if may_block(expr))
}

/// True for the constant true.
pub(crate) fn is_true(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Value::Bool(true), _))
}

/// True for the constant false.
pub(crate) fn is_false(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Value::Bool(false), _))
}

/// True when no state lets the edge pass.
pub(crate) fn is_impossible(relation: &Relation) -> bool {
    is_false(&relation.guard) || is_false(&relation.constraint)
}

/// The relations of an edge, to be changed: one, or entering and leaving.
pub(crate) fn relations_mut(kind: &mut EdgeKind) -> impl Iterator<Item = &mut Relation> {
    let (first, second) = match kind {
        EdgeKind::Step(relation) => (relation, None),
        EdgeKind::Call(call) => {
            let call = &mut **call;
            (&mut call.enter, Some(&mut call.leave))
        }
        EdgeKind::Spawn(spawn) => (&mut spawn.enter, None),
    };
    std::iter::once(first).chain(second)
}

/// Calls `visit` on every read of the relation.
pub(crate) fn for_each_read_of(relation: &Relation, visit: &mut impl FnMut(VariableId, When)) {
    for_each_read(&relation.guard, visit);
    for update in &relation.updates {
        update.exprs().for_each(|expr| for_each_read(expr, visit));
    }
    for_each_read(&relation.constraint, visit);
}

/// Drops the edges that are not to be kept; returns, for each edge that is left, what its id was.
pub(crate) fn retain_edges(program: &mut Program, keep: &IdVec<EdgeId, bool>) -> IdVec<EdgeId, EdgeId> {
    let origins = keep.iter_ids().filter(|(_, keep)| **keep).map(|(id, _)| id).collect();
    let edges = std::mem::take(&mut program.edges).into_iter();
    program.edges = edges.zip(keep).filter(|(_, keep)| **keep).map(|(edge, _)| edge).collect();
    origins
}

/// The operands of a conjunction, or the expression itself.
pub(crate) fn conjuncts(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Nary(NaryOp::And, operands) => operands,
        single => std::slice::from_ref(single),
    }
}

/// The variable and the value that a condition of the form `v`, `!v` or `v = constant` gives to it.
pub(crate) fn literal(expr: &Expr) -> Option<(VariableId, When, Value)> {
    match expr {
        Expr::Read(variable, when) => Some((*variable, *when, Value::Bool(true))),
        Expr::Unary(UnaryOp::Not, operand) => match **operand {
            Expr::Read(variable, when) => Some((variable, when, Value::Bool(false))),
            _ => None,
        },
        Expr::Binary(BinaryOp::Eq, left, right) => match (&**left, &**right) {
            (Expr::Read(variable, when), Expr::Const(value, _))
            | (Expr::Const(value, _), Expr::Read(variable, when)) => Some((*variable, *when, value.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Adds a shared variable with a name like the wanted one.
pub(crate) fn shared_variable(program: &mut Program, name: &str, sort: Sort) -> VariableId {
    let taken = |name: &str| {
        let is_global = |variable: &Variable| !matches!(variable.scope, Scope::Local(_));
        program.variables.iter().filter(|variable| is_global(variable)).any(|variable| variable.name == name)
    };
    let name = free_name(name, taken);
    program.variables.push(Variable { name, sort, scope: Scope::Shared })
}

/// A name like the wanted one that is not taken.
pub(crate) fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    while taken(&name) {
        name.push('\'');
    }
    name
}

/// The target that a goal of a rewritten program stands for; both are listed in the same order.
pub(crate) fn target_of(goals: &[LocationId], targets: &[LocationId], goal: LocationId) -> LocationId {
    let at = goals.iter().position(|it| *it == goal);
    at.and_then(|at| targets.get(at)).copied().unwrap_or(goal)
}
