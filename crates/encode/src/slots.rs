//! Bits and their places: locals of different procedures share slots, and every slot has five copies, or six.

use base::{Id, IdVec};
use bdd::{Manager, Stop, Var};
use program::{Edge, EdgeKind, Expr, Program, Relation, Rhs, Scope, Sort, VariableId};
use rustc_hash::FxHashMap;

use crate::order::{Group, arrange};
use crate::select::selected;

/// One bit of a shared or private variable, or of one local of each procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

/// Which value of a bit is meant.
///
/// Copies of a slot are neighbours in the order, in this order, so that renaming one copy to another keeps the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Copy {
    /// At the entry of the procedure.
    Entry,
    /// Now.
    Current,
    /// After the edge.
    Next,
    /// At the exit of a callee.
    Exit,
    /// In a caller's frame while the callee runs, where entering changed it.
    Saved,
    /// When the thread got its turn. Only some encodings have this copy.
    Origin,
}

/// Number of copies that every encoding has.
const N_COPIES: usize = 5;

/// Where the bits of variables live.
#[derive(Debug)]
pub struct Slots {
    bits: IdVec<VariableId, Vec<Slot>>,
    /// `vars[slot * n_copies + copy]`.
    vars: Vec<Var>,
    n_copies: usize,
}

impl Slots {
    /// Gives slots to all variables that occur in the program, in a good order, and creates the copies.
    #[must_use]
    pub fn of(program: &Program, manager: &Manager) -> Self {
        Self::create(arranged(program), manager, N_COPIES)
    }

    /// The same, with the copy [`Copy::Origin`] as well.
    #[must_use]
    pub fn with_origins(program: &Program, manager: &Manager) -> Self {
        Self::create(arranged(program), manager, N_COPIES + 1)
    }

    /// The same in the order in which variables occur, for comparisons.
    #[must_use]
    pub fn as_they_occur(program: &Program, manager: &Manager) -> Self {
        Self::create(allocate(program), manager, N_COPIES)
    }

    /// Whether there is a copy [`Copy::Origin`].
    #[must_use]
    pub fn has_origins(&self) -> bool {
        self.n_copies > N_COPIES
    }

    /// Creates at least so many copies of every slot; those with names come first.
    pub(crate) fn create(bits: IdVec<VariableId, Vec<Slot>>, manager: &Manager, n_copies: usize) -> Self {
        let n_copies = n_copies.max(N_COPIES);
        Self { vars: manager.add_vars(n_slots(&bits) * n_copies), bits, n_copies }
    }

    /// Slots of the variable's bits, least significant first; none when it does not occur.
    #[must_use]
    pub fn bits(&self, variable: VariableId) -> &[Slot] {
        &self.bits[variable]
    }

    /// The diagram variable of a copy of a slot.
    #[must_use]
    pub fn var(&self, slot: Slot, copy: Copy) -> Var {
        self.vars[slot.0 as usize * self.n_copies + copy as usize]
    }

    /// The diagram variables of a copy of a variable.
    pub fn vars(&self, variable: VariableId, copy: Copy) -> impl Iterator<Item = Var> + '_ {
        self.bits[variable].iter().map(move |slot| self.var(*slot, copy))
    }

    /// Which copy a diagram variable is; none when it is no copy with a name.
    #[must_use]
    pub fn copy_of(&self, var: Var) -> Option<Copy> {
        const COPIES: [Copy; N_COPIES + 1] =
            [Copy::Entry, Copy::Current, Copy::Next, Copy::Exit, Copy::Saved, Copy::Origin];
        let first = self.vars.first()?.0;
        let at = var.0.checked_sub(first)? as usize;
        (at < self.vars.len()).then(|| COPIES.get(at % self.n_copies).copied()).flatten()
    }

    /// Another copy of the same bit; none when the variable is no copy with a name.
    #[must_use]
    pub fn sibling(&self, var: Var, copy: Copy) -> Option<Var> {
        let own = self.copy_of(var)?;
        Some(Var(var.0 - own as u32 + copy as u32))
    }

    /// All variables of a copy.
    pub fn all(&self, copy: Copy) -> impl Iterator<Item = Var> + '_ {
        self.vars.iter().skip(copy as usize).step_by(self.n_copies).copied()
    }

    /// Copies of each slot: what must stay together when the order changes.
    #[must_use]
    pub fn blocks(&self) -> Vec<Vec<Var>> {
        self.vars.chunks(self.n_copies).map(<[Var]>::to_vec).collect()
    }

    /// The condition that the bits of a copy stand for a value of the variable's sort.
    pub fn in_range(&self, program: &Program, manager: &Manager, id: VariableId, copy: Copy) -> Result<bdd::Bdd, Stop> {
        let mut result = manager.bdd_true();
        let Some((n_values, width)) = enumerated(program, program.sort(id)) else { return Ok(result) };
        for element in self.bits[id].chunks(width.max(1)) {
            let bits: Vec<Var> = element.iter().map(|slot| self.var(*slot, copy)).collect();
            result = result.and(&below(manager, &bits, n_values)?)?;
        }
        Ok(result)
    }
}

/// Slots for all variables that occur in the program, in a good order.
pub(crate) fn arranged(program: &Program) -> IdVec<VariableId, Vec<Slot>> {
    let mut bits = allocate(program);
    let n = n_slots(&bits);
    let mut order = arrange(n, &groups(program, &bits));
    let first_local = n_global_slots(program, &bits);
    if has_arrays(program) {
        // Moped's advice: what selects above what is selected. What is compared with elements stays among them.
        let is_below = selected_slots(program, &bits, n);
        order.sort_by_key(|slot| is_below[*slot as usize]);
        let n_above = order.iter().filter(|slot| !is_below[**slot as usize]).count();
        let (above, below) = order.split_at_mut(n_above);
        turn(program, &bits, above);
        turn(program, &bits, below);
    } else {
        // What decides about the way above what is only counted with: sets fall into few cases first.
        let tested = tested(program, &bits, n);
        order.sort_by_key(|slot| *slot < first_local && !tested[*slot as usize]);
    }
    let mut place = vec![0u32; n];
    for (position, slot) in order.iter().enumerate() {
        place[*slot as usize] = position as u32;
    }
    for slot in bits.iter_mut().flatten() {
        slot.0 = place[slot.0 as usize];
    }
    bits
}

/// By slot: whether one of its variables is selected and none selects.
fn selected_slots(program: &Program, bits: &IdVec<VariableId, Vec<Slot>>, n_slots: usize) -> Vec<bool> {
    let mut is_below = vec![true; n_slots];
    for (variable, is_selected) in selected(program).iter_ids() {
        bits[variable].iter().for_each(|slot| is_below[slot.0 as usize] &= is_selected);
    }
    is_below
}

/// By slot: whether a guard reads it.
fn tested(program: &Program, bits: &IdVec<VariableId, Vec<Slot>>, n_slots: usize) -> Vec<bool> {
    let mut tested = vec![false; n_slots];
    let mut read = |variable: VariableId| bits[variable].iter().for_each(|slot| tested[slot.0 as usize] = true);
    program.edges.iter().flat_map(relations).for_each(|relation| for_each_expr(&relation.guard, &mut read));
    tested
}

/// Turns a part of the order round if less significant bits of numbers come first in it: numbers are compared and
/// sorted from their most significant bits on.
fn turn(program: &Program, bits: &IdVec<VariableId, Vec<Slot>>, order: &mut [u32]) {
    let place: FxHashMap<u32, usize> = order.iter().enumerate().map(|(place, slot)| (*slot, place)).collect();
    let (mut upwards, mut downwards) = (0, 0);
    for (id, variable) in program.variables.iter_ids() {
        for element in bits[id].chunks(element_width(program, &variable.sort).max(1)) {
            for pair in element.windows(2) {
                if let (Some(low), Some(high)) = (place.get(&pair[0].0), place.get(&pair[1].0)) {
                    *(if low < high { &mut upwards } else { &mut downwards }) += 1;
                }
            }
        }
    }
    if upwards > downwards {
        order.reverse();
    }
}

fn has_arrays(program: &Program) -> bool {
    program.variables.iter().any(|variable| matches!(variable.sort, Sort::Array(..)))
}

/// Slots of shared and private variables come before those of locals as long as they are not arranged.
fn n_global_slots(program: &Program, bits: &IdVec<VariableId, Vec<Slot>>) -> u32 {
    let globals = program.variables.iter_ids().filter(|(_, variable)| !matches!(variable.scope, Scope::Local(_)));
    globals.flat_map(|(id, _)| &bits[id]).map(|slot| slot.0 + 1).max().unwrap_or(0)
}

pub(crate) fn n_slots(bits: &IdVec<VariableId, Vec<Slot>>) -> usize {
    bits.iter().flatten().map(|slot| slot.0 as usize + 1).max().unwrap_or(0)
}

/// The bits, read as a number, are below `bound`.
fn below(manager: &Manager, bits: &[Var], bound: u64) -> Result<bdd::Bdd, Stop> {
    let mut result = manager.bdd_false();
    for (position, var) in bits.iter().enumerate() {
        let zero = manager.literal(*var, false)?;
        // Less so far, or equal so far and less here: read from the least significant bit upwards.
        result = if bound >> position & 1 == 1 { zero.or(&result)? } else { zero.and(&result)? };
    }
    Ok(if bound >> bits.len() != 0 { manager.bdd_true() } else { result })
}

/// Number of values and bits of the enumeration that a sort is built of.
fn enumerated(program: &Program, sort: &Sort) -> Option<(u64, usize)> {
    match sort {
        Sort::Enum(id) => Some((program.enums[*id].values.len() as u64, width(program, sort))),
        Sort::Array(element, _) => enumerated(program, element),
        Sort::Bool | Sort::Bits(_) => None,
    }
}

/// Number of bits of a sort.
pub(crate) fn width(program: &Program, sort: &Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => *width as usize,
        Sort::Enum(id) => bits_for(program.enums[*id].values.len()),
        Sort::Array(element, n) => width(program, element) * *n as usize,
    }
}

/// Number of bits of what an array holds, or of a sort that is none.
fn element_width(program: &Program, sort: &Sort) -> usize {
    match sort {
        Sort::Array(element, _) => element_width(program, element),
        scalar => width(program, scalar),
    }
}

/// Bits that tell `n` values apart.
fn bits_for(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// Slots in order of first occurrence; locals of different procedures count from the same number.
fn allocate(program: &Program) -> IdVec<VariableId, Vec<Slot>> {
    let mut bits: IdVec<VariableId, Vec<Slot>> = IdVec::filled(program.variables.len(), Vec::new());
    let mut n_global = 0;
    let mut n_local = vec![0u32; program.procedures.len()];
    let mut occur = |variable: VariableId| {
        if !bits[variable].is_empty() {
            return;
        }
        let next = match program.variables[variable].scope {
            Scope::Shared | Scope::Private => &mut n_global,
            Scope::Local(procedure) => &mut n_local[procedure.index()],
        };
        let n = width(program, program.sort(variable)) as u32;
        bits[variable] = (*next..*next + n).map(Slot).collect();
        *next += n;
    };
    for_each_expr(&program.start, &mut occur);
    for_each_expr(&program.uninterruptible, &mut occur);
    for edge in &program.edges {
        for relation in relations(edge) {
            relation.updates.iter().for_each(|update| occur(update.variable));
            relation.exprs().for_each(|expr| for_each_expr(expr, &mut occur));
        }
    }
    // A caller sees these at the exit, whether they occur or not.
    program.procedures.iter().flat_map(|p| &p.results).for_each(|result| occur(*result));
    for (id, variable) in program.variables.iter_ids() {
        if matches!(variable.scope, Scope::Local(_)) {
            bits[id].iter_mut().for_each(|slot| slot.0 += n_global);
        }
    }
    bits
}

fn for_each_expr(expr: &Expr, occur: &mut impl FnMut(VariableId)) {
    expr.visit(&mut |expr| {
        if let Expr::Read(variable, _) = expr {
            occur(*variable);
        }
    });
}

pub(crate) fn relations(edge: &Edge) -> impl Iterator<Item = &Relation> {
    let (first, second) = match &edge.kind {
        EdgeKind::Step(relation) => (relation, None),
        EdgeKind::Call(call) => (&call.enter, Some(&call.leave)),
        EdgeKind::Spawn(spawn) => (&spawn.enter, None),
    };
    std::iter::once(first).chain(second)
}

/// The groups of slots that occur together in an update, a guard or a constraint.
fn groups(program: &Program, bits: &IdVec<VariableId, Vec<Slot>>) -> Vec<Group> {
    let mut meetings = Meetings { program, bits, weights: FxHashMap::default(), slots: Vec::new() };
    let mut variables: Vec<VariableId> = Vec::new();
    for relation in program.edges.iter().flat_map(relations) {
        for update in &relation.updates {
            variables.push(update.variable);
            if let Rhs::Expr(expr) = &update.value {
                for_each_expr(expr, &mut |variable| variables.push(variable));
            }
            meetings.add(&variables);
            variables.clear();
        }
        for condition in [&relation.guard, &relation.constraint] {
            for_each_expr(condition, &mut |variable| variables.push(variable));
            meetings.add(&variables);
            variables.clear();
        }
    }
    let mut groups: Vec<Group> = meetings.weights.into_iter().collect();
    groups.sort_unstable();
    groups
}

/// How often slots occur together.
struct Meetings<'a> {
    program: &'a Program,
    bits: &'a IdVec<VariableId, Vec<Slot>>,
    weights: FxHashMap<Vec<u32>, u64>,
    /// Room for one group.
    slots: Vec<u32>,
}

impl Meetings<'_> {
    /// Counts each bit of some variables, and of the elements of arrays, with the same bit of the others.
    fn add(&mut self, variables: &[VariableId]) {
        let element = |v: &VariableId| element_width(self.program, self.program.sort(*v)).max(1);
        let deepest = variables.iter().map(element).max().unwrap_or(0);
        for bit in 0..deepest {
            self.slots.clear();
            for variable in variables {
                // Of an array, the bit of each element.
                let elements = self.bits[*variable].chunks(element(variable));
                self.slots.extend(elements.filter_map(|bits| bits.get(bit)).map(|slot| slot.0));
            }
            self.slots.sort_unstable();
            self.slots.dedup();
            if self.slots.len() < 2 {
                continue;
            }
            match self.weights.get_mut(self.slots.as_slice()) {
                Some(weight) => *weight += 1,
                None => drop(self.weights.insert(self.slots.clone(), 1)),
            }
        }
    }
}
