//! Bits and their places: locals of different procedures share slots, and every slot has five copies, or six.

use base::IdVec;
use bdd::{Manager, Stop, Var};
use program::finite::no_integers;
use program::verify::sort_of;
use program::{Edge, EdgeKind, Expr, Program, Relation, Sort, VariableId};

use crate::arrangement::Arrangement;

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
        Self::mentioning(program, &[], manager)
    }

    /// Lays out the variables of a program and of conditions that a question brings.
    #[must_use]
    pub fn mentioning(program: &Program, conditions: &[Expr], manager: &Manager) -> Self {
        Self::create(Arrangement::of(program, conditions).bits, manager, N_COPIES)
    }

    /// The same, with the copy [`Copy::Origin`] as well.
    #[must_use]
    pub fn with_origins(program: &Program, manager: &Manager) -> Self {
        Self::create(Arrangement::of(program, &[]).bits, manager, N_COPIES + 1)
    }

    /// The same in the order in which variables occur, for comparisons.
    #[must_use]
    pub fn as_they_occur(program: &Program, manager: &Manager) -> Self {
        Self::create(Arrangement::as_they_occur(program).bits, manager, N_COPIES)
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
        Sort::Bool | Sort::Bits(_) | Sort::Int => None,
    }
}

/// Number of bits of a sort.
pub(crate) fn width(program: &Program, sort: &Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => *width as usize,
        Sort::Int => no_integers(),
        Sort::Enum(id) => bits_for(program.enums[*id].values.len()),
        Sort::Array(element, n) => width(program, element) * *n as usize,
    }
}

/// Number of bits of what an array holds, or of a sort that is none.
pub(crate) fn element_width(program: &Program, sort: &Sort) -> usize {
    match sort {
        Sort::Array(element, _) => element_width(program, element),
        scalar => width(program, scalar),
    }
}

/// Number of elements of an array; 1 of a sort that is none.
pub(crate) fn length(sort: &Sort) -> usize {
    match sort {
        Sort::Array(_, n) => *n as usize,
        Sort::Bool | Sort::Bits(_) | Sort::Enum(_) | Sort::Int => 1,
    }
}

/// Number of elements of the array that an expression stands for.
pub(crate) fn n_elements(program: &Program, array: &Expr) -> usize {
    match array {
        Expr::Read(variable, _) => length(program.sort(*variable)),
        other => sort_of(program, other).map_or(1, |sort| length(&sort)),
    }
}

/// Bits that tell `n` values apart.
pub(crate) fn bits_for(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

/// Calls a function with each variable that an expression reads.
pub(crate) fn for_each_read(expr: &Expr, read: &mut impl FnMut(VariableId)) {
    expr.visit(&mut |expr| {
        if let Expr::Read(variable, _) = expr {
            read(*variable);
        }
    });
}

/// What an edge does to the data: one relation, or those of entering and leaving a call.
pub(crate) fn relations(edge: &Edge) -> impl Iterator<Item = &Relation> {
    let (first, second) = match &edge.kind {
        EdgeKind::Step(relation) => (relation, None),
        EdgeKind::Call(call) => (&call.enter, Some(&call.leave)),
        EdgeKind::Spawn(spawn) => (&spawn.enter, None),
    };
    std::iter::once(first).chain(second)
}
