//! Edges that are alike: the same relation over the same slots has the same diagrams.
//!
//! Procedures share slots, so a program with many similar procedures has few different edges. An edge is written down
//! as a list of numbers in which variables are replaced by the first variable with the same place and sort; what is
//! written alike is compiled once.

use base::IdVec;
use program::finite::no_integers;
use program::{Expr, Program, Relation, Rhs, Scope, Sort, UnaryOp, Value, VariableId};
use rustc_hash::FxHashMap;

use crate::slots::{Slot, Slots};

/// For each variable, the first one that has the same slots and the same sort and is local like it or not.
pub(crate) fn representatives(program: &Program, slots: &Slots) -> IdVec<VariableId, VariableId> {
    let mut first: FxHashMap<(&[Slot], &Sort, bool), VariableId> = FxHashMap::default();
    let is_local = |id: VariableId| matches!(program.variables[id].scope, Scope::Local(_));
    let representative = |id: VariableId| match slots.bits(id) {
        // Nothing says where it is.
        [] => id,
        bits => *first.entry((bits, program.sort(id), is_local(id))).or_insert(id),
    };
    program.variables.ids().map(representative).collect()
}

/// Writes edges down.
pub(crate) struct Writer<'a> {
    pub(crate) representatives: &'a IdVec<VariableId, VariableId>,
    /// What is written so far.
    pub(crate) written: Vec<u32>,
}

/// What stands before the parts of what is written.
#[derive(Clone, Copy)]
enum Mark {
    Bool = 1,
    Bits,
    Enum,
    Array,
    Read,
    Any,
    Unary,
    Binary,
    Nary,
    Ite,
    Index,
    Update,
    UpdateElement,
    Havoc,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(representatives: &'a IdVec<VariableId, VariableId>) -> Self {
        /// Room for what most edges say.
        const ROOM: usize = 64;
        Self { representatives, written: Vec::with_capacity(ROOM) }
    }

    /// Writes a whole relation.
    pub(crate) fn relation(&mut self, relation: &Relation) {
        self.written.push(relation.updates.len() as u32);
        self.expr(&relation.guard);
        for update in &relation.updates {
            self.mark(if update.index.is_some() { Mark::UpdateElement } else { Mark::Update });
            self.variable(update.variable);
            self.written.push(update.when as u32);
            update.index.iter().for_each(|index| self.expr(index));
            match &update.value {
                Rhs::Expr(expr) => self.expr(expr),
                Rhs::Any => self.mark(Mark::Havoc),
            }
        }
        self.expr(&relation.constraint);
    }

    /// Writes a variable: what counts is where it is.
    pub(crate) fn variable(&mut self, variable: VariableId) {
        self.written.push(self.representatives[variable].0);
    }

    fn mark(&mut self, mark: Mark) {
        self.written.push(mark as u32);
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(value, sort) => self.constant(value, sort),
            Expr::Read(variable, when) => {
                self.mark(Mark::Read);
                self.variable(*variable);
                self.written.push(*when as u32);
            }
            Expr::Any => self.mark(Mark::Any),
            Expr::Unary(op, _) => {
                let (op, width) = match op {
                    UnaryOp::Not => (0, 0),
                    UnaryOp::BitNot => (1, 0),
                    UnaryOp::Neg => (2, 0),
                    UnaryOp::Resize(width) => (3, *width),
                    UnaryOp::SignResize(width) => (4, *width),
                    UnaryOp::ToInt | UnaryOp::SignedToInt => no_integers(),
                };
                self.mark(Mark::Unary);
                self.written.extend([op, width]);
            }
            Expr::Binary(op, ..) => {
                self.mark(Mark::Binary);
                self.written.push(*op as u32);
            }
            Expr::Nary(op, operands) => {
                self.mark(Mark::Nary);
                self.written.extend([*op as u32, operands.len() as u32]);
            }
            Expr::Ite(..) => self.mark(Mark::Ite),
            Expr::Index(..) => self.mark(Mark::Index),
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }

    fn constant(&mut self, value: &Value, sort: &Sort) {
        let number = |number: u64| [number as u32, (number >> 32) as u32];
        match (value, sort) {
            (Value::Bool(value), _) => {
                self.mark(Mark::Bool);
                self.written.push(u32::from(*value));
            }
            (Value::Bits(value), sort) => {
                self.mark(Mark::Bits);
                self.written.extend(number(*value));
                self.written.push(if let Sort::Bits(width) = sort { *width } else { 0 });
            }
            (Value::Int(_), _) => no_integers(),
            (Value::Enum(value), sort) => {
                self.mark(Mark::Enum);
                self.written.push(*value);
                self.written.push(if let Sort::Enum(id) = sort { id.0 } else { 0 });
            }
            (Value::Array(elements), sort) => {
                self.mark(Mark::Array);
                self.written.push(elements.len() as u32);
                if let Sort::Array(sort, _) = sort {
                    elements.iter().for_each(|element| self.constant(element, sort));
                }
            }
        }
    }
}
