//! Slots for the bits of all variables: locals of different procedures share them.
//!
//! Booleans are counted in each procedure from the same slot on. The bits of a number form a *column*, those of an array
//! one column for each element. Columns of the same kind form a *weave*: there bits of the same level will be
//! neighbours. So columns are shared where that keeps levels apart: two kinds of locals use the same weave if no procedure
//! has variables of both. The number of slots follows the largest procedure, whatever the number of procedures.

use std::collections::BTreeSet;

use base::IdVec;
use program::{Expr, ProcedureId, Program, Scope, Sort, VariableId};
use rustc_hash::FxHashMap;

use crate::kinds::Kinds;
use crate::slots::{Slot, element_width, for_each_read, relations, width};

/// Where the bits of variables are, before they are arranged.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) bits: IdVec<VariableId, Vec<Slot>>,
    /// By slot: its place in a weave; none for Booleans.
    pub(crate) strands: Vec<Option<Strand>>,
    /// Slots of shared and private variables come before those of locals.
    pub(crate) n_shared: u32,
}

/// The place of a bit in a weave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Strand {
    pub(crate) weave: u32,
    pub(crate) column: u32,
    /// Bits that meet have the same level; more significant ones have higher levels.
    pub(crate) level: i64,
}

impl Columns {
    /// Gives slots to all variables that occur in the program, or in conditions that a question brings.
    pub(crate) fn of(program: &Program, kinds: &Kinds, conditions: &[Expr]) -> Self {
        let occurring = occurring(program, conditions);
        let mut allocator = Allocator {
            program,
            kinds,
            weaves: weaves(program, kinds, &occurring),
            shared: Vec::new(),
            local: Vec::new(),
            n_columns: 0,
            columns: FxHashMap::default(),
            woven: FxHashMap::default(),
            booleans: Vec::new(),
            used: FxHashMap::default(),
        };
        let mut bits: IdVec<VariableId, Vec<Slot>> = IdVec::filled(program.variables.len(), Vec::new());
        for variable in &occurring {
            bits[*variable] = allocator.slots(*variable);
        }
        let n_shared = allocator.shared.len() as u32;
        for variable in occurring {
            if matches!(program.variables[variable].scope, Scope::Local(_)) {
                bits[variable].iter_mut().for_each(|slot| slot.0 += n_shared);
            }
        }
        Self { bits, strands: [allocator.shared, allocator.local].concat(), n_shared }
    }
}

/// All variables that occur, in order of their first occurrence.
fn occurring(program: &Program, conditions: &[Expr]) -> Vec<VariableId> {
    let mut seen = IdVec::filled(program.variables.len(), false);
    let mut occurring = Vec::new();
    let mut occur = |variable: VariableId| {
        if !std::mem::replace(&mut seen[variable], true) {
            occurring.push(variable);
        }
    };
    for_each_read(&program.start, &mut occur);
    for_each_read(&program.uninterruptible, &mut occur);
    conditions.iter().for_each(|condition| for_each_read(condition, &mut occur));
    for relation in program.edges.iter().flat_map(relations) {
        relation.updates.iter().for_each(|update| occur(update.variable));
        relation.exprs().for_each(|expr| for_each_read(expr, &mut occur));
    }
    // A caller sees these at the exit, whether they occur or not.
    program.procedures.iter().flat_map(|p| &p.results).for_each(|result| occur(*result));
    occurring
}

/// Whether bits of the sort are digits of something, and not Booleans that stand for themselves.
fn is_number(sort: &Sort) -> bool {
    match sort {
        Sort::Bool => false,
        Sort::Bits(_) | Sort::Enum(_) | Sort::Int => true,
        Sort::Array(element, _) => is_number(element),
    }
}

/// The weave of each kind of numbers.
fn weaves(program: &Program, kinds: &Kinds, occurring: &[VariableId]) -> FxHashMap<VariableId, u32> {
    let mut weaves: FxHashMap<VariableId, u32> = FxHashMap::default();
    let mut taken: Vec<Owners> = Vec::new();
    for (kind, owners) in owners(program, kinds, occurring) {
        let free = taken.iter().position(|taken| taken.is_disjoint(&owners));
        let weave = free.unwrap_or(taken.len());
        match taken.get_mut(weave) {
            Some(taken) => taken.extend(owners),
            None => taken.push(owners),
        }
        weaves.insert(kind, weave as u32);
    }
    weaves
}

/// Who has variables of a kind.
enum Owners {
    /// Shared variables are seen in every procedure.
    All,
    Only(BTreeSet<ProcedureId>),
}

impl Owners {
    fn is_disjoint(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Only(one), Self::Only(other)) => one.is_disjoint(other),
            (Self::All, _) | (_, Self::All) => false,
        }
    }

    fn extend(&mut self, other: Self) {
        match (self, other) {
            (Self::Only(all), Self::Only(more)) => all.extend(more),
            (all, more) => *all = if matches!(more, Self::All) { more } else { Self::All },
        }
    }
}

/// The kinds of numbers in order of their first occurrence, each with its owners.
fn owners(program: &Program, kinds: &Kinds, occurring: &[VariableId]) -> Vec<(VariableId, Owners)> {
    let mut place: FxHashMap<VariableId, usize> = FxHashMap::default();
    let mut owners: Vec<(VariableId, Owners)> = Vec::new();
    for variable in occurring.iter().filter(|variable| is_number(program.sort(**variable))) {
        let kind = kinds.of_variable(*variable).0;
        let own = match program.variables[*variable].scope {
            Scope::Local(procedure) => Owners::Only(BTreeSet::from([procedure])),
            Scope::Shared | Scope::Private => Owners::All,
        };
        match place.get(&kind) {
            Some(place) => owners[*place].1.extend(own),
            None => {
                place.insert(kind, owners.len());
                owners.push((kind, own));
            }
        }
    }
    owners
}

/// Hands out slots, variable by variable.
struct Allocator<'p> {
    program: &'p Program,
    kinds: &'p Kinds,
    weaves: FxHashMap<VariableId, u32>,
    shared: Vec<Option<Strand>>,
    local: Vec<Option<Strand>>,
    n_columns: u32,
    /// Columns of locals, by weave and by how many columns of it come before in the same procedure.
    columns: FxHashMap<(u32, u32), u32>,
    /// Slots of locals: of columns, and of Booleans by how many come before in the same procedure.
    woven: FxHashMap<Strand, Slot>,
    booleans: Vec<Slot>,
    /// How much each procedure has used so far: columns of a weave, or Booleans.
    used: Used,
}

type Used = FxHashMap<(ProcedureId, Option<u32>), u32>;

impl Allocator<'_> {
    fn slots(&mut self, variable: VariableId) -> Vec<Slot> {
        let sort = self.program.sort(variable);
        let n_bits = width(self.program, sort);
        if !is_number(sort) {
            return (0..n_bits).map(|_| self.boolean(variable)).collect();
        }
        let (kind, offset) = self.kinds.of_variable(variable);
        let weave = self.weaves[&kind];
        let n_levels = element_width(self.program, sort).max(1);
        let mut slots = Vec::with_capacity(n_bits);
        for _ in 0..n_bits / n_levels {
            let column = self.column(variable, weave);
            let strands = (0..n_levels as i64).map(|bit| Strand { weave, column, level: bit + offset });
            slots.extend(strands.map(|strand| self.strand(variable, strand)));
        }
        slots
    }

    fn boolean(&mut self, variable: VariableId) -> Slot {
        let Scope::Local(procedure) = self.program.variables[variable].scope else {
            return add(&mut self.shared, None);
        };
        let before = use_one(&mut self.used, (procedure, None)) as usize;
        if before == self.booleans.len() {
            self.booleans.push(add(&mut self.local, None));
        }
        self.booleans[before]
    }

    fn column(&mut self, variable: VariableId, weave: u32) -> u32 {
        let n_columns = &mut self.n_columns;
        let mut new = || {
            *n_columns += 1;
            *n_columns - 1
        };
        let Scope::Local(procedure) = self.program.variables[variable].scope else { return new() };
        let before = use_one(&mut self.used, (procedure, Some(weave)));
        *self.columns.entry((weave, before)).or_insert_with(new)
    }

    fn strand(&mut self, variable: VariableId, strand: Strand) -> Slot {
        match self.program.variables[variable].scope {
            Scope::Shared | Scope::Private => add(&mut self.shared, Some(strand)),
            Scope::Local(_) => *self.woven.entry(strand).or_insert_with(|| add(&mut self.local, Some(strand))),
        }
    }
}

/// Counts one more, and says how many there were.
fn use_one(used: &mut Used, by: (ProcedureId, Option<u32>)) -> u32 {
    let used = used.entry(by).or_insert(0);
    *used += 1;
    *used - 1
}

fn add(slots: &mut Vec<Option<Strand>>, strand: Option<Strand>) -> Slot {
    slots.push(strand);
    Slot(slots.len() as u32 - 1)
}
