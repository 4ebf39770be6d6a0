//! Which bits stand for which variable, at which moment.
//!
//! A slot is a place for one bit. A column of a frame is a slot that procedures share, as they share it in the
//! certificate; a bit that has no column gets a slot of its own: one for each bit of a shared or private variable, and a
//! pool of slots that all procedures use for their locals. So the number of slots follows the largest procedure and not
//! the number of procedures. Each slot has one variable of the decision diagrams for each [`Copy`]; in the scene of one
//! edge, a slot is used by two procedures only in different copies.
//!
//! The order is that of the certificate's columns. Bits without a column are beside those that they meet in arithmetic
//! (`neighbours`), and at the end if there are none.

use std::cell::RefCell;
use std::rc::Rc;

use base::IdVec;
use bdd::{Manager, Var};
use program::{ProcedureId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;

use super::Trouble;
use super::neighbours;
use crate::{Certificate, Copy as Moment};

/// Copies of a slot. The numbers are positions in the order: copies of one slot are neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copy {
    /// The certificate's own: entry and current values of the procedure whose edge is checked.
    Base = 0,
    /// Values when the callee is entered.
    Entered = 1,
    /// Values at the callee's exit.
    Exit = 2,
    /// The caller's saved frame.
    Saved = 3,
    /// Values after the edge.
    Next = 4,
}

const N_COPIES: u32 = 5;

/// A variable with more bits than this has no diagrams.
pub(super) const MAX_BITS: u64 = 1 << 16;

/// The bits of a variable: decision-diagram variables, least significant first.
pub(super) type Bits = Rc<[Var]>;

pub(super) struct Layout<'a> {
    program: &'a Program,
    manager: Manager,
    columns: Columns,
    /// First place of a local in the pool of its procedure, or of another variable among all others.
    offsets: IdVec<VariableId, u64>,
    lazy: RefCell<Lazy>,
}

/// Slots of columns.
pub(super) type Columns = FxHashMap<(ProcedureId, VariableId, u32, Moment), u32>;

/// Where a bit without a column is: in the pool of locals or not, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pooled: bool,
    number: u64,
}

/// What is laid out on demand.
#[derive(Default)]
struct Lazy {
    n_slots: u32,
    places: FxHashMap<Place, u32>,
    /// Slots of the current value.
    slots: FxHashMap<(ProcedureId, VariableId), Rc<[u32]>>,
    /// Diagram variables of the current value, by copy: they are asked for all the time.
    bits: FxHashMap<(ProcedureId, VariableId, u32), Bits>,
    /// Slots of choices; the first `n_choices` are in use.
    choices: Vec<u32>,
    n_choices: usize,
}

impl Lazy {
    fn add_slot(&mut self, manager: &Manager) -> u32 {
        manager.add_vars(N_COPIES as usize);
        self.n_slots += 1;
        self.n_slots - 1
    }
}

impl<'a> Layout<'a> {
    /// Declares the variables of the columns and of what belongs beside them. Returns the slot of each diagram variable of
    /// the certificate.
    pub(super) fn new(
        program: &'a Program,
        certificate: &Certificate,
        manager: &Manager,
    ) -> (Self, FxHashMap<u32, u32>) {
        let all = certificate.frames.iter().flat_map(|(_, frame)| &frame.columns);
        let mut numbers: Vec<u32> = all.map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let columns = |slots: &FxHashMap<u32, u32>| -> Columns {
            let mut columns = Columns::default();
            for (procedure, frame) in &certificate.frames {
                for (number, column) in &frame.columns {
                    columns.insert((*procedure, column.variable, column.bit, column.copy), slots[number]);
                }
            }
            columns
        };
        let ranks: FxHashMap<u32, u32> = numbers.iter().copied().zip(0..).collect();
        let offsets = offsets(program);
        let slots = neighbours::slots(program, &columns(&ranks), &offsets, numbers.len());
        let slot_of: FxHashMap<u32, u32> = numbers.into_iter().zip(slots.columns).collect();
        manager.add_vars((slots.n_slots * N_COPIES) as usize);
        let lazy = RefCell::new(Lazy { n_slots: slots.n_slots, places: slots.places, ..Lazy::default() });
        (Self { program, manager: manager.clone(), columns: columns(&slot_of), offsets, lazy }, slot_of)
    }

    /// The variable of a slot in a copy.
    pub(super) fn var(slot: u32, copy: Copy) -> Var {
        Var(slot * N_COPIES + copy as u32)
    }

    /// A variable that stands for a choice, in use until [`release_choices`](Self::release_choices).
    pub(super) fn choice(&self) -> Var {
        let lazy = &mut *self.lazy.borrow_mut();
        if lazy.n_choices == lazy.choices.len() {
            let slot = lazy.add_slot(&self.manager);
            lazy.choices.push(slot);
        }
        lazy.n_choices += 1;
        Self::var(lazy.choices[lazy.n_choices - 1], Copy::Base)
    }

    /// No diagram that is still needed speaks of a choice.
    pub(super) fn release_choices(&self) {
        self.lazy.borrow_mut().n_choices = 0;
    }

    /// The entry copy of a bit, if it has a column.
    pub(super) fn entry(&self, procedure: ProcedureId, variable: VariableId, bit: u32) -> Option<Var> {
        let slot = self.columns.get(&(procedure, variable, bit, Moment::Entry))?;
        Some(Self::var(*slot, Copy::Base))
    }

    /// The bits of a variable of a procedure in a copy.
    pub(super) fn bits(&self, procedure: ProcedureId, variable: VariableId, copy: Copy) -> Result<Bits, Trouble> {
        let number = (procedure, variable, copy as u32);
        if let Some(bits) = self.lazy.borrow().bits.get(&number) {
            return Ok(Rc::clone(bits));
        }
        let bits: Bits = self.slots(procedure, variable)?.iter().map(|slot| Self::var(*slot, copy)).collect();
        self.lazy.borrow_mut().bits.insert(number, Rc::clone(&bits));
        Ok(bits)
    }

    fn slots(&self, procedure: ProcedureId, variable: VariableId) -> Result<Rc<[u32]>, Trouble> {
        if let Some(slots) = self.lazy.borrow().slots.get(&(procedure, variable)) {
            return Ok(Rc::clone(slots));
        }
        let n_bits = self.program.sort(variable).n_bits(self.program);
        if n_bits > MAX_BITS {
            return Err(Trouble::TooLarge(format!("{} has {n_bits} bits", self.program.qualified_name(variable))));
        }
        let slot = |bit: u32| match self.columns.get(&(procedure, variable, bit, Moment::Current)) {
            Some(slot) => *slot,
            None => self.slot_without_column(variable, bit),
        };
        let slots: Rc<[u32]> = (0..n_bits as u32).map(slot).collect();
        self.lazy.borrow_mut().slots.insert((procedure, variable), Rc::clone(&slots));
        Ok(slots)
    }

    fn slot_without_column(&self, variable: VariableId, bit: u32) -> u32 {
        let place = place(self.program, &self.offsets, variable, bit);
        let lazy = &mut *self.lazy.borrow_mut();
        if let Some(slot) = lazy.places.get(&place) {
            return *slot;
        }
        let slot = lazy.add_slot(&self.manager);
        lazy.places.insert(place, slot);
        slot
    }
}

/// The place of a bit without a column.
pub(super) fn place(program: &Program, offsets: &IdVec<VariableId, u64>, variable: VariableId, bit: u32) -> Place {
    let pooled = matches!(program.variables[variable].scope, Scope::Local(_));
    Place { pooled, number: offsets[variable] + u64::from(bit) }
}

/// Where the bits of each variable begin, among those of its procedure or among those of no procedure.
fn offsets(program: &Program) -> IdVec<VariableId, u64> {
    let mut next_local: IdVec<ProcedureId, u64> = IdVec::filled(program.procedures.len(), 0);
    let mut next_other = 0;
    let mut offsets = IdVec::new();
    for variable in &program.variables {
        let next = match variable.scope {
            Scope::Local(procedure) => &mut next_local[procedure],
            Scope::Shared | Scope::Private => &mut next_other,
        };
        offsets.push(*next);
        *next += variable.sort.n_bits(program);
    }
    offsets
}
