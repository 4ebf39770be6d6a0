//! Explicit states as rows of numbers.
//!
//! A state holds shared variables first, then those private to a thread, then the frame of one procedure. Every scalar
//! takes one cell; an array takes the cells of its elements.

use base::IdVec;
use program::finite::no_integers;
use program::{ProcedureId, Program, Scope, Sort, Value, VariableId};

/// The data of a run in one frame.
pub(super) type State = Vec<u64>;

/// Where variables live in a state.
#[derive(Debug)]
pub(super) struct Layout {
    /// First cell of each variable.
    first_cell: IdVec<VariableId, usize>,
    /// Number of alternatives of each cell of a variable.
    n_values: IdVec<VariableId, u128>,
    n_cells: IdVec<VariableId, usize>,
    /// Cells of shared variables.
    pub(super) n_shared_cells: usize,
    /// Cells of shared and private variables.
    pub(super) n_global_cells: usize,
    frame_cells: IdVec<ProcedureId, usize>,
}

impl Layout {
    pub(super) fn of(program: &Program) -> Self {
        let n = program.variables.len();
        let mut layout = Self {
            first_cell: IdVec::filled(n, 0),
            n_values: IdVec::filled(n, 0),
            n_cells: IdVec::filled(n, 0),
            n_shared_cells: 0,
            n_global_cells: 0,
            frame_cells: IdVec::filled(program.procedures.len(), 0),
        };
        let mut n_private_cells = 0;
        for (id, variable) in program.variables.iter_ids() {
            let (n_cells, n_values) = cells(program, &variable.sort);
            layout.n_cells[id] = n_cells;
            layout.n_values[id] = n_values;
            let next = match variable.scope {
                Scope::Shared => &mut layout.n_shared_cells,
                Scope::Private => &mut n_private_cells,
                Scope::Local(procedure) => &mut layout.frame_cells[procedure],
            };
            layout.first_cell[id] = *next;
            *next += n_cells;
        }
        layout.n_global_cells = layout.n_shared_cells + n_private_cells;
        for (id, variable) in program.variables.iter_ids() {
            layout.first_cell[id] += match variable.scope {
                Scope::Shared => 0,
                Scope::Private => layout.n_shared_cells,
                Scope::Local(_) => layout.n_global_cells,
            };
        }
        layout
    }

    /// Cells of the variable in a state of its procedure.
    pub(super) fn cells(&self, variable: VariableId) -> std::ops::Range<usize> {
        let first = self.first_cell[variable];
        first..first + self.n_cells[variable]
    }

    /// Number of values of each cell of the variable; none when it cannot be enumerated.
    pub(super) fn n_values(&self, variable: VariableId) -> Option<u64> {
        u64::try_from(self.n_values[variable]).ok()
    }

    /// A state of the procedure with all cells zero.
    pub(super) fn blank(&self, procedure: ProcedureId) -> State {
        vec![0; self.n_global_cells + self.frame_cells[procedure]]
    }

    /// The value of a variable in a state.
    pub(super) fn value(&self, program: &Program, state: &[u64], variable: VariableId) -> Value {
        let mut cells = state[self.cells(variable)].iter().copied();
        value_of(program.sort(variable), &mut cells)
    }
}

/// Number of cells, and of values per cell.
fn cells(program: &Program, sort: &Sort) -> (usize, u128) {
    match sort {
        Sort::Bool => (1, 2),
        Sort::Bits(width) => (1, 1 << width),
        Sort::Int => no_integers(),
        Sort::Enum(id) => (1, program.enums[*id].values.len() as u128),
        Sort::Array(element, n) => {
            let (n_cells, n_values) = cells(program, element);
            (n_cells * *n as usize, n_values)
        }
    }
}

fn value_of(sort: &Sort, cells: &mut impl Iterator<Item = u64>) -> Value {
    let mut next = || cells.next().unwrap_or(0);
    match sort {
        Sort::Bool => Value::Bool(next() != 0),
        Sort::Bits(_) => Value::Bits(next()),
        Sort::Int => no_integers(),
        Sort::Enum(_) => Value::Enum(next() as u32),
        Sort::Array(element, n) => Value::Array((0..*n).map(|_| value_of(element, cells)).collect()),
    }
}

/// The cells of a value.
pub(super) fn cells_of(value: &Value, cells: &mut Vec<u64>) {
    match value {
        Value::Bool(value) => cells.push(u64::from(*value)),
        Value::Bits(value) => cells.push(*value),
        Value::Int(_) => no_integers(),
        Value::Enum(value) => cells.push(u64::from(*value)),
        Value::Array(elements) => elements.iter().for_each(|element| cells_of(element, cells)),
    }
}
