//! The variables of one thread: where it is, its private variables, its frames.

use std::collections::BTreeMap;

use program::{Expr, Program, Scope, Sort, Value, VariableId};

use super::unfold::Unfolded;
use crate::edit::shared_variable;

/// By depth and local: the variable that stands for it.
type Cells = BTreeMap<(usize, VariableId), VariableId>;

/// A thread, or `init`.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub(super) unfolded: Unfolded,
    /// The number of its place.
    pub(super) place: VariableId,
    width: u32,
    /// Its private variables, and the variables that stand for them.
    pub(super) private: Vec<(VariableId, VariableId)>,
    /// By depth and local: the variable that stands for it.
    cells: Cells,
    /// By depth: all variables for frames.
    pub(super) by_depth: Vec<Vec<VariableId>>,
    /// It keeps others from running; none: it never does.
    pub(super) is_atomic: Option<VariableId>,
}

impl Actor {
    /// Declares the variables of the actor with this number.
    pub(super) fn declare(plain: &Program, unfolded: Unfolded, number: usize, program: &mut Program) -> Self {
        let n_places = unfolded.places.len();
        let width = (usize::BITS - n_places.saturating_sub(1).leading_zeros()).max(1);
        let name = |what: &str| format!("{what}.{number}");
        let place = shared_variable(program, &name("place"), Sort::Bits(width));
        let may_hold = (0..n_places).any(|place| unfolded.is_atomic(plain, place));
        let is_atomic = may_hold.then(|| shared_variable(program, &name("atomic"), Sort::Bool));
        let mut declare = |variable: VariableId| {
            let (own, sort) = (&plain.variables[variable].name, plain.sort(variable).clone());
            (variable, shared_variable(program, &name(own), sort))
        };
        let private = plain.variables_in(Scope::Private).map(&mut declare).collect();
        let (cells, by_depth) = Self::cells(plain, &unfolded, number, program);
        Self { unfolded, place, width, private, cells, by_depth, is_atomic }
    }

    /// Frames at the same depth share variables of the same sort.
    fn cells(
        plain: &Program,
        unfolded: &Unfolded,
        number: usize,
        program: &mut Program,
    ) -> (Cells, Vec<Vec<VariableId>>) {
        let mut cells = BTreeMap::new();
        let mut by_depth: Vec<Vec<VariableId>> = Vec::new();
        for frame in &unfolded.frames {
            if by_depth.len() <= frame.depth {
                by_depth.resize(frame.depth + 1, Vec::new());
            }
            let mut used: Vec<VariableId> = Vec::new();
            for local in plain.procedures[frame.procedure].frame() {
                if let Some(known) = cells.get(&(frame.depth, local)) {
                    used.push(*known);
                    continue;
                }
                let sort = plain.sort(local);
                let is_free = |cell: &&VariableId| !used.contains(cell) && program.sort(**cell) == sort;
                let free = by_depth[frame.depth].iter().find(is_free).copied();
                let cell = free.unwrap_or_else(|| {
                    let name = format!("{}.{number}.{}", plain.variables[local].name, frame.depth);
                    let cell = shared_variable(program, &name, sort.clone());
                    by_depth[frame.depth].push(cell);
                    cell
                });
                used.push(cell);
                cells.insert((frame.depth, local), cell);
            }
        }
        (cells, by_depth)
    }

    /// The variable that stands for a private variable, or for a local of a frame.
    pub(super) fn own(&self, frame: usize, variable: VariableId) -> Option<VariableId> {
        let private = self.private.iter().find(|(private, _)| *private == variable).map(|(_, own)| *own);
        private.or_else(|| self.cells.get(&(self.unfolded.frames[frame].depth, variable)).copied())
    }

    /// The local of a frame, or the private variable, that a variable stands for.
    pub(super) fn meant(&self, plain: &Program, frame: usize, own: VariableId) -> Option<VariableId> {
        let private = self.private.iter().find(|(_, it)| *it == own).map(|(private, _)| *private);
        let frame = &self.unfolded.frames[frame];
        let is_it = |local: &VariableId| self.cells.get(&(frame.depth, *local)) == Some(&own);
        private.or_else(|| plain.procedures[frame.procedure].frame().find(is_it))
    }

    /// The number of a place.
    pub(super) fn number(&self, place: usize) -> Expr {
        Expr::Const(Value::Bits(place as u64), Sort::Bits(self.width))
    }

    /// The actor is at a place.
    pub(super) fn is_at(&self, place: usize) -> Expr {
        Expr::before(self.place).eq(self.number(place))
    }
}
