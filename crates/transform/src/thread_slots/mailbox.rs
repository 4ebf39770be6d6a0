//! Mailboxes: the shared variables in which a new thread finds what it was given.
//!
//! Only what some spawn says something about is handed over; the rest of the first frame and of the private variables is
//! arbitrary, and stays so until the thread moves. Procedures share the variables of a mailbox, by sort.

use super::{
    EnumId, Enumeration, Expr, LocationId, ProcedureId, Program, Relation, Scope, Sort, Spawn, Update, Value,
    VariableId, smallest,
};
use crate::edit::{free_name, shared_variable};
use program::{EdgeKind, Rhs, When};

/// Where new threads start.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) callee: ProcedureId,
    pub(super) entry: LocationId,
    /// What is handed over, and where it stands in a mailbox.
    handed: Vec<(VariableId, usize)>,
}

/// The mailboxes of all slots.
#[derive(Clone, Debug)]
pub(super) struct Mailboxes {
    /// All places where threads are started.
    pub(super) starts: Vec<Start>,
    /// By slot: free, or the number of its start plus one.
    pub(super) taken: Vec<VariableId>,
    /// By slot: what is handed over. There is one for threads without a slot, too.
    cells: Vec<Vec<VariableId>>,
    codes: EnumId,
}

impl Mailboxes {
    /// Declares the variables; all mailboxes are empty at the start.
    pub(super) fn new(plain: &Program, n_slots: usize, program: &mut Program) -> Self {
        let mut starts: Vec<Start> = Vec::new();
        for edge in &plain.edges {
            let EdgeKind::Spawn(spawn) = &edge.kind else { continue };
            let at = starts.iter().position(|it| (it.callee, it.entry) == (spawn.callee, spawn.entry));
            let at = at.unwrap_or_else(|| {
                starts.push(Start { callee: spawn.callee, entry: spawn.entry, handed: Vec::new() });
                starts.len() - 1
            });
            for variable in spoken_of(plain, spawn) {
                if starts[at].handed.iter().all(|(known, _)| *known != variable) {
                    starts[at].handed.push((variable, 0));
                }
            }
        }
        let sorts = assign_cells(plain, &mut starts);
        let codes = declare_codes(plain, &starts, program);
        let mut mailboxes = Self { starts, taken: Vec::new(), cells: Vec::new(), codes };
        for slot in 0..n_slots.max(1) {
            if slot < n_slots {
                let taken = shared_variable(program, &format!("slot{}", slot + 1), Sort::Enum(codes));
                mailboxes.taken.push(taken);
                require(program, taken, mailboxes.code(0));
            }
            let declare = |(at, sort): (usize, &Sort)| {
                let cell = shared_variable(program, &format!("slot{}.{}", slot + 1, at + 1), sort.clone());
                require(program, cell, smallest(sort));
                cell
            };
            mailboxes.cells.push(sorts.iter().enumerate().map(declare).collect());
        }
        mailboxes
    }

    /// The number of a start.
    pub(super) fn start(&self, callee: ProcedureId, entry: LocationId) -> usize {
        let at = self.starts.iter().position(|it| (it.callee, it.entry) == (callee, entry));
        let Some(at) = at else { unreachable!("every spawn's start is listed") };
        at
    }

    /// A value of what slots are taken by: 0 is free.
    pub(super) fn code(&self, value: usize) -> Expr {
        Expr::Const(Value::Enum(value as u32), Sort::Enum(self.codes))
    }

    /// The variable of a mailbox that holds a variable of a new thread.
    pub(super) fn cell(&self, start: usize, slot: usize, variable: VariableId) -> Option<VariableId> {
        let handed = self.starts[start].handed.iter().find(|(handed, _)| *handed == variable);
        handed.map(|(_, cell)| self.cells[slot][*cell])
    }

    /// The variable of a new thread that a variable of the mailbox holds.
    pub(super) fn held(&self, start: usize, slot: usize, cell: VariableId) -> Option<VariableId> {
        let at = self.cells[slot].iter().position(|known| *known == cell)?;
        self.starts[start].handed.iter().find(|(_, cell)| *cell == at).map(|(variable, _)| *variable)
    }

    /// What the spawn says about the new thread, said about the mailbox.
    pub(super) fn redirect(&self, enter: &Relation, start: usize, slot: usize) -> Relation {
        let cell = |variable: VariableId| self.cell(start, slot, variable).unwrap_or(variable);
        let constraint = enter.constraint.clone().map(&mut |expr| match expr {
            Expr::Read(variable, When::After) => Expr::Read(cell(variable), When::After),
            other => other,
        });
        let redirected = |update: &Update| Update { variable: cell(update.variable), ..update.clone() };
        let mut updates: Vec<Update> = enter.updates.iter().map(redirected).collect();
        for (variable, at) in &self.starts[start].handed {
            if !enter.writes(*variable, When::After) {
                updates.push(Update::havoc(self.cells[slot][*at]));
            }
        }
        Relation { guard: enter.guard.clone(), updates, constraint }
    }

    /// The first move of a slot: it takes what it finds, everything else is arbitrary, and the mailbox is empty again.
    pub(super) fn take_out(&self, plain: &Program, start: usize, slot: usize) -> Relation {
        let Start { handed, .. } = &self.starts[start];
        let mut updates: Vec<Update> = Vec::new();
        for (variable, at) in handed {
            let cell = self.cells[slot][*at];
            updates.push(Update::assign(*variable, Expr::before(cell)));
            updates.push(Update::assign(cell, smallest(plain.sort(*variable))));
        }
        let open = plain.variables_in(Scope::Private).filter(|own| handed.iter().all(|(known, _)| known != own));
        updates.extend(open.map(|own| Update { value: Rhs::Any, ..Update::assign(own, Expr::TRUE) }));
        let guard = Expr::before(self.taken[slot]).eq(self.code(start + 1));
        Relation { guard, updates, constraint: Expr::TRUE }
    }
}

/// The variables of the new thread that a spawn says something about, in order.
fn spoken_of(program: &Program, spawn: &Spawn) -> Vec<VariableId> {
    let mut variables: Vec<VariableId> = spawn.enter.updates.iter().map(|update| update.variable).collect();
    let read = spawn.enter.constraint.reads().into_iter().filter(|(_, when)| *when == When::After);
    variables.extend(read.map(|(variable, _)| variable));
    variables.retain(|variable| program.variables[*variable].scope != Scope::Shared);
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// Gives what is handed over its place in a mailbox; returns the sorts of the places.
fn assign_cells(program: &Program, starts: &mut [Start]) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = Vec::new();
    for start in starts {
        let mut used: Vec<bool> = vec![false; sorts.len()];
        for (variable, cell) in &mut start.handed {
            let sort = program.sort(*variable);
            let free = (0..sorts.len()).find(|at| !used[*at] && sorts[*at] == *sort);
            *cell = free.unwrap_or_else(|| {
                sorts.push(sort.clone());
                used.push(false);
                sorts.len() - 1
            });
            used[*cell] = true;
        }
    }
    sorts
}

/// The enumeration of what a slot is taken by.
fn declare_codes(plain: &Program, starts: &[Start], program: &mut Program) -> EnumId {
    let mut values = vec!["free".to_owned()];
    for start in starts {
        let name = free_name(&plain.procedures[start.callee].name, |name| values.iter().any(|known| known == name));
        values.push(name);
    }
    let name = free_name("slot", |name| program.enums.iter().any(|other| other.name == name));
    program.enums.push(Enumeration { name, values })
}

/// The variable has the value at the start.
fn require(program: &mut Program, variable: VariableId, value: Expr) {
    let start = std::mem::replace(&mut program.start, Expr::TRUE);
    program.start = start.and(Expr::before(variable).eq(value));
}
