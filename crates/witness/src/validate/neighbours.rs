//! Bits that should be neighbours in the order.
//!
//! The columns of a certificate have their places. A variable without columns may still meet others in arithmetic, as `x`
//! in `z := x + y`: the diagram of that sum is linear in the width if bits of equal weight are neighbours, and exponential if
//! x is below y as a whole. Each wide variable without columns is therefore put beside another that it meets, bit by bit.

use base::IdVec;
use program::{EdgeKind, Expr, ProcedureId, Program, Relation, Rhs, Scope, Sort, VariableId};
use rustc_hash::FxHashMap;

use super::layout::{Columns, MAX_BITS, Place, place};
use crate::Copy as Moment;

/// A variable as a procedure sees it.
type Member = (ProcedureId, VariableId);
/// Variables of more than one bit that meet in one expression.
type Meeting = Vec<Member>;

/// Which slots columns and some places without columns have.
pub(super) struct Slots {
    /// By column.
    pub(super) columns: Vec<u32>,
    pub(super) places: FxHashMap<Place, u32>,
    pub(super) n_slots: u32,
}

/// Puts wide variables without columns beside those that they meet.
pub(super) fn slots(program: &Program, columns: &Columns, offsets: &IdVec<VariableId, u64>, n_columns: usize) -> Slots {
    let n_groups = n_columns as u32;
    let mut neighbours = Neighbours { program, columns, offsets, n_groups, group: FxHashMap::default(), order: vec![] };
    let meetings = meetings(program);
    // Twice, because what has found its place may be what others meet.
    for found_new_group in [false, false, true] {
        meetings.iter().for_each(|meeting| neighbours.settle(meeting, found_new_group));
    }
    neighbours.slots(n_columns)
}

/// Bits of equal weight form groups: one for each column, and further ones of which no column is part.
struct Neighbours<'a> {
    program: &'a Program,
    columns: &'a Columns,
    offsets: &'a IdVec<VariableId, u64>,
    n_groups: u32,
    /// The groups of places without columns.
    group: FxHashMap<Place, u32>,
    /// The same, in the order in which they came.
    order: Vec<(u32, Place)>,
}

impl Neighbours<'_> {
    /// Bits of an element, and of all elements.
    fn widths(&self, variable: VariableId) -> (u32, u32) {
        let mut sort = self.program.sort(variable);
        let whole = sort.n_bits(self.program).min(MAX_BITS) as u32;
        while let Sort::Array(element, _) = sort {
            sort = element;
        }
        ((sort.n_bits(self.program) as u32).max(1), whole)
    }

    fn group_of(&self, (procedure, variable): Member, bit: u32) -> Option<u32> {
        let column = self.columns.get(&(procedure, variable, bit, Moment::Current));
        column.or_else(|| self.group.get(&place(self.program, self.offsets, variable, bit))).copied()
    }

    /// The groups of a variable's bits, by weight; where a bit has none, that of the next lower or higher one.
    fn groups(&self, member: Member) -> Option<Vec<u32>> {
        let (width, _) = self.widths(member.1);
        let known: Vec<Option<u32>> = (0..width).map(|bit| self.group_of(member, bit)).collect();
        let mut last = known.iter().copied().flatten().next()?;
        let mut nearest = |group: &Option<u32>| {
            last = group.unwrap_or(last);
            last
        };
        Some(known.iter().map(&mut nearest).collect())
    }

    /// Gives groups to the bits of all members, if one of them has groups or new ones may be founded.
    fn settle(&mut self, meeting: &Meeting, found_new_group: bool) {
        let groups = match meeting.iter().find_map(|member| self.groups(*member)) {
            Some(groups) => groups,
            None if found_new_group => {
                let width = meeting.iter().map(|(_, variable)| self.widths(*variable).0).max().unwrap_or(0);
                self.n_groups += width;
                (self.n_groups - width..self.n_groups).collect()
            }
            None => return,
        };
        for member in meeting {
            let (width, whole) = self.widths(member.1);
            for bit in 0..whole {
                if self.group_of(*member, bit).is_none() {
                    let place = place(self.program, self.offsets, member.1, bit);
                    let group = groups[((bit % width) as usize).min(groups.len() - 1)];
                    self.group.insert(place, group);
                    self.order.push((group, place));
                }
            }
        }
    }

    fn slots(mut self, n_columns: usize) -> Slots {
        self.order.sort_by_key(|(group, _)| *group);
        let mut order = self.order.into_iter().peekable();
        let mut slots = Slots { columns: Vec::with_capacity(n_columns), places: FxHashMap::default(), n_slots: 0 };
        let mut next = 0..;
        for group in 0..self.n_groups {
            if (group as usize) < n_columns {
                slots.columns.extend(next.next());
            }
            while let Some((_, place)) = order.next_if(|(own, _)| *own == group) {
                slots.places.extend(next.next().map(|slot| (place, slot)));
            }
        }
        slots.n_slots = next.start;
        slots
    }
}

/// All meetings of a program in which somebody has more than one bit.
fn meetings(program: &Program) -> Vec<Meeting> {
    if !program.variables.iter().any(|variable| is_wide(program, &variable.sort)) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for edge in &program.edges {
        let own = program.locations[edge.source].procedure;
        match &edge.kind {
            EdgeKind::Step(relation) => of_relation(program, relation, own, own, &mut all),
            EdgeKind::Call(call) => {
                of_relation(program, &call.enter, own, call.callee, &mut all);
                of_relation(program, &call.leave, own, call.callee, &mut all);
            }
            EdgeKind::Spawn(_) => {}
        }
    }
    if let Some(start) = program.sequential_start() {
        of_expr(program, &program.start, &|variable| (start, variable), &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn is_wide(program: &Program, sort: &Sort) -> bool {
    sort.n_bits(program) > 1
}

/// A relation between a procedure and another.
fn of_relation(program: &Program, relation: &Relation, own: ProcedureId, other: ProcedureId, all: &mut Vec<Meeting>) {
    let owner = |variable: VariableId| match program.variables[variable].scope {
        Scope::Local(procedure) if procedure == other => (other, variable),
        _ => (own, variable),
    };
    of_expr(program, &relation.guard, &owner, all);
    of_expr(program, &relation.constraint, &owner, all);
    for update in &relation.updates {
        if let Some(index) = &update.index {
            of_expr(program, index, &owner, all);
        }
        if let Rhs::Expr(value) = &update.value {
            let mut met = numbers(program, value, all, &owner);
            met.push(owner(update.variable));
            add(program, met, all);
        }
    }
}

/// Whose variable it is.
type Owner<'a> = dyn Fn(VariableId) -> Member + 'a;

fn of_expr(program: &Program, expr: &Expr, owner: &Owner<'_>, all: &mut Vec<Meeting>) {
    let met = numbers(program, expr, all, owner);
    add(program, met, all);
}

fn add(program: &Program, mut met: Meeting, all: &mut Vec<Meeting>) {
    met.retain(|(_, variable)| is_wide(program, program.sort(*variable)));
    met.sort_unstable();
    met.dedup();
    if met.len() > 1 {
        all.push(met);
    }
}

/// The variables whose bits flow into the value of an expression, weight by weight. What meets below a Boolean or an index
/// is a meeting of its own.
fn numbers(program: &Program, expr: &Expr, all: &mut Vec<Meeting>, owner: &Owner<'_>) -> Meeting {
    match expr {
        Expr::Const(..) | Expr::Any => Vec::new(),
        Expr::Read(variable, _) => vec![owner(*variable)],
        Expr::Unary(_, operand) => numbers(program, operand, all, owner),
        Expr::Binary(_, left, right) => {
            let mut met = numbers(program, left, all, owner);
            met.extend(numbers(program, right, all, owner));
            met
        }
        Expr::Nary(_, operands) => {
            operands.iter().for_each(|operand| of_expr(program, operand, owner, all));
            Vec::new()
        }
        Expr::Ite(condition, then, otherwise) => {
            of_expr(program, condition, owner, all);
            let mut met = numbers(program, then, all, owner);
            met.extend(numbers(program, otherwise, all, owner));
            met
        }
        Expr::Index(array, index) => {
            of_expr(program, index, owner, all);
            numbers(program, array, all, owner)
        }
    }
}
