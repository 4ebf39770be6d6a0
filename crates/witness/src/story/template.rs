//! What an edge computes from what.
//!
//! A constraint that says what a variable becomes (`x' = y`, `x'`, `!x'`, for an x that the edge makes arbitrary) is an
//! assignment written in another way and becomes one here.

use base::IdVec;
use program::interp::MoveKind;
use program::{
    BinaryOp, Edge, EdgeId, EdgeKind, Expr, NaryOp, Program, Relation, Rhs, Scope, Sort, UnaryOp, VariableId, When,
};

static TRUE: Expr = Expr::TRUE;
static FALSE: Expr = Expr::FALSE;

/// What an edge, or the start, computes from what.
#[derive(Debug, Default)]
pub(super) struct Template<'p> {
    /// What is read, ascending.
    pub(super) reads: Vec<(VariableId, When)>,
    /// Conditions on what was there before, with the values that they must have.
    pub(super) conditions: Vec<(&'p Expr, bool)>,
    /// Conditions on the outcome that say more than what a single variable becomes.
    pub(super) constraint: Vec<&'p Expr>,
    /// What is written, ascending.
    writes: Vec<((VariableId, When), Source<'p>)>,
    /// Whether there are indices, which may be out of range.
    pub(super) has_indices: bool,
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source<'p> {
    /// It is arbitrary.
    Open,
    /// An expression.
    Value(&'p Expr),
    /// An array with some new elements.
    Elements {
        /// Whether the other elements are the old ones; otherwise they are arbitrary.
        has_base: bool,
        /// Indices and values; later ones win.
        writes: Vec<(&'p Expr, &'p Rhs)>,
    },
}

impl<'p> Template<'p> {
    /// What a relation computes when a thread moves in a certain way.
    pub(super) fn of_relation(program: &Program, relation: &'p Relation, kind: MoveKind) -> Self {
        let mut template = Self::default();
        if relation.guard != TRUE {
            template.conditions.push((&relation.guard, true));
        }
        let is_new = |variable: VariableId, when: When| is_new(program, variable, when, kind);
        for update in &relation.updates {
            let key = (update.variable, update.when);
            match (&update.index, &update.value) {
                (None, Rhs::Any) => template.set(key, Source::Open),
                (None, Rhs::Expr(expr)) => template.set(key, Source::Value(expr)),
                (Some(index), value) => template.set_element(key, index, value, !is_new(key.0, key.1)),
            }
        }
        for conjunct in conjuncts(&relation.constraint) {
            match literal(conjunct) {
                Some((variable, when, value)) if template.is_open(variable, when, &is_new) && reads_old(value) => {
                    template.set((variable, when), Source::Value(value));
                }
                _ => template.constraint.push(conjunct),
            }
        }
        template.read(relation.exprs());
        template
    }

    /// The condition on the start.
    pub(super) fn of_start(start: &'p Expr) -> Self {
        let mut template = Self::default();
        for conjunct in conjuncts(start) {
            match literal(conjunct) {
                Some((variable, When::Before, value)) if matches!(value, Expr::Const(..)) => {
                    if template.source(variable, When::After) == (None, &Source::Open) {
                        template.set((variable, When::After), Source::Value(value));
                    } else {
                        template.constraint.push(conjunct);
                    }
                }
                _ => template.constraint.push(conjunct),
            }
        }
        template.read(std::iter::once(start));
        template
    }

    /// A condition that must have a value: that under which another thread may go on, or what is watched.
    pub(super) fn of_condition(condition: &'p Expr, value: bool) -> Self {
        let mut template = Self { conditions: vec![(condition, value)], ..Self::default() };
        template.read(std::iter::once(condition));
        template
    }

    /// Where a written value comes from; what is not listed is arbitrary.
    pub(super) fn source(&self, variable: VariableId, when: When) -> (Option<u32>, &Source<'p>) {
        match self.writes.binary_search_by_key(&(variable, when), |(key, _)| *key) {
            Ok(at) => (Some(at as u32), &self.writes[at].1),
            Err(_) => (None, &Source::Open),
        }
    }

    /// The source with the given number.
    pub(super) fn source_at(&self, at: u32) -> &Source<'p> {
        &self.writes[at as usize].1
    }

    fn is_open(&self, variable: VariableId, when: When, is_new: &impl Fn(VariableId, When) -> bool) -> bool {
        match self.source(variable, when) {
            (Some(_), source) => *source == Source::Open,
            (None, _) => is_new(variable, when),
        }
    }

    fn set(&mut self, key: (VariableId, When), source: Source<'p>) {
        match self.writes.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(at) => self.writes[at].1 = source,
            Err(at) => self.writes.insert(at, (key, source)),
        }
    }

    fn set_element(&mut self, key: (VariableId, When), index: &'p Expr, value: &'p Rhs, has_base: bool) {
        let at = self.writes.binary_search_by_key(&key, |(key, _)| *key);
        if let Ok(at) = at
            && let Source::Elements { writes, .. } = &mut self.writes[at].1
        {
            writes.push((index, value));
            return;
        }
        self.set(key, Source::Elements { has_base, writes: vec![(index, value)] });
    }

    /// Lists what the expressions read, and the arrays of which elements are kept.
    fn read(&mut self, exprs: impl Iterator<Item = &'p Expr>) {
        for expr in exprs {
            expr.visit(&mut |expr| match expr {
                Expr::Read(variable, when) => self.reads.push((*variable, *when)),
                Expr::Index(..) => self.has_indices = true,
                _ => {}
            });
        }
        for ((variable, _), source) in &self.writes {
            if let Source::Elements { has_base, .. } = source {
                self.has_indices = true;
                self.reads.extend(has_base.then_some((*variable, When::Before)));
            }
        }
        self.reads.sort_unstable();
        self.reads.dedup();
    }
}

/// True when the variable has no old value.
fn is_new(program: &Program, variable: VariableId, when: When, kind: MoveKind) -> bool {
    match (program.variables[variable].scope, kind) {
        _ if when != When::After => false,
        (Scope::Local(_), MoveKind::Enter | MoveKind::Spawn) | (Scope::Private, MoveKind::Spawn) => true,
        _ => false,
    }
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    if *expr == TRUE {
        return found;
    }
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Nary(NaryOp::And, operands) => todo.extend(operands.iter().rev()),
            other if *other == TRUE => {}
            other => found.push(other),
        }
    }
    found
}

/// The variable of which a condition says what it is.
fn literal(expr: &Expr) -> Option<(VariableId, When, &Expr)> {
    match expr {
        Expr::Read(variable, when) => Some((*variable, *when, &TRUE)),
        Expr::Unary(UnaryOp::Not, operand) => match &**operand {
            Expr::Read(variable, when) => Some((*variable, *when, &FALSE)),
            _ => None,
        },
        Expr::Binary(BinaryOp::Eq, left, right) => match (&**left, &**right) {
            (Expr::Read(variable, when), value) if reads_old(value) => Some((*variable, *when, value)),
            (value, Expr::Read(variable, when)) => Some((*variable, *when, value)),
            _ => None,
        },
        _ => None,
    }
}

fn reads_old(expr: &Expr) -> bool {
    expr.reads().iter().all(|(_, when)| matches!(when, When::Before | When::Result))
}

/// Per edge: the number of values that it reads and writes, on its way in and, if it is a call, out.
pub(super) fn weights(program: &Program) -> IdVec<EdgeId, u64> {
    let of = |variable: VariableId| n_scalars(program.sort(variable));
    let of_relation = |relation: &Relation| {
        let mut weight = relation.updates.iter().map(|update| of(update.variable)).fold(1, u64::saturating_add);
        for expr in relation.exprs() {
            expr.visit(&mut |expr| {
                if let Expr::Read(variable, _) = expr {
                    weight = weight.saturating_add(of(*variable));
                }
            });
        }
        weight
    };
    let of_frame = |callee| program.procedures[callee].frame().map(of).fold(0, u64::saturating_add);
    let weight = |edge: &Edge| match &edge.kind {
        EdgeKind::Step(relation) => of_relation(relation),
        EdgeKind::Call(call) => {
            of_frame(call.callee).saturating_add(of_relation(&call.enter)).saturating_add(of_relation(&call.leave))
        }
        EdgeKind::Spawn(spawn) => of_frame(spawn.callee).saturating_add(of_relation(&spawn.enter)),
    };
    program.edges.iter().map(weight).collect()
}

fn n_scalars(sort: &Sort) -> u64 {
    match sort {
        Sort::Array(element, n) => u64::from(*n).saturating_mul(n_scalars(element)),
        Sort::Bool | Sort::Bits(_) | Sort::Int | Sort::Enum(_) => 1,
    }
}
