//! Edges and expressions: names resolved.

use base::Diagnostics;

use super::codes;
use super::names::Context;
use super::resolve::{Tables, error};
use super::syntax::{self, Clauses, Effect, Moment, Name, Qualifier};
use crate::{
    Call, Edge, EdgeKind, Expr, ProcedureId, Relation, Rhs, Sort, Spawn, UnaryOp, Update, Value, VariableId, When,
};

pub(super) struct Resolver<'a> {
    tables: &'a Tables,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(tables: &'a Tables, diagnostics: &'a mut Diagnostics) -> Self {
        Self { tables, diagnostics }
    }

    /// A condition outside of procedures.
    pub(super) fn condition(&mut self, condition: &syntax::Expr) -> Expr {
        self.expr(condition, &Context::default())
    }

    /// A variable that is named outside of edges.
    pub(super) fn outside(&mut self, variable: &syntax::Variable) -> Option<VariableId> {
        self.variable(variable, When::Before, &Context::default())
    }

    /// The edges of a procedure in order of appearance.
    pub(super) fn edges(&mut self, procedure: &syntax::Procedure, own: ProcedureId) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (location, source) in procedure.locations.iter().zip(&self.tables.locations[own]) {
            for edge in &location.edges {
                let target = self.tables.location(own, edge.target, self.diagnostics);
                edges.push(Edge { source: *source, target, kind: self.effect(&edge.effect, own) });
            }
        }
        edges
    }

    fn effect(&mut self, effect: &Effect, own: ProcedureId) -> EdgeKind {
        let inside = Context { own: Some(own), after: Some(own), callee: None };
        let (callee, entry) = match effect {
            Effect::Step(clauses) => return EdgeKind::Step(self.relation(clauses, &inside)),
            Effect::Call { callee, entry, .. } | Effect::Spawn { callee, entry, .. } => (callee, entry),
        };
        // An unknown callee has been reported; nothing is made of its edge.
        let Some(callee) = self.tables.procedure(callee, self.diagnostics) else {
            return EdgeKind::Step(Relation::identity());
        };
        let entry = self.tables.location(callee, *entry, self.diagnostics);
        let into = Context { after: Some(callee), ..inside };
        let back = Context { callee: Some(callee), ..inside };
        match effect {
            Effect::Step(_) => EdgeKind::Step(Relation::identity()),
            Effect::Call { enter, leave, .. } => {
                let (enter, leave) = (self.relation(enter, &into), self.relation(leave, &back));
                EdgeKind::Call(Box::new(Call { callee, entry, enter, leave }))
            }
            Effect::Spawn { enter, .. } => {
                EdgeKind::Spawn(Box::new(Spawn { callee, entry, enter: self.relation(enter, &into) }))
            }
        }
    }

    fn relation(&mut self, clauses: &Clauses, context: &Context) -> Relation {
        let mut condition =
            |condition: &Option<syntax::Expr>| condition.as_ref().map_or(Expr::TRUE, |expr| self.expr(expr, context));
        let (guard, constraint) = (condition(&clauses.guard), condition(&clauses.constraint));
        let updates = clauses.updates.iter().filter_map(|update| self.update(update, context)).collect();
        Relation { guard, updates, constraint }
    }

    fn update(&mut self, update: &syntax::Update, context: &Context) -> Option<Update> {
        let when = if update.saved { When::Saved } else { When::After };
        let variable = self.variable(&update.variable, when, context);
        let index = update.index.as_ref().map(|index| self.expr(index, context));
        let value = match &update.value {
            Some(value) => Rhs::Expr(self.expr(value, context)),
            None => Rhs::Any,
        };
        Some(Update { variable: variable?, index, when, value })
    }

    fn variable(&mut self, variable: &syntax::Variable, when: When, context: &Context) -> Option<VariableId> {
        let syntax::Variable { qualifier, name } = variable;
        let found = match qualifier {
            Qualifier::None => self.tables.names.plain(&name.text, context, when),
            Qualifier::Global => self.tables.names.globals.get(&name.text).copied(),
            Qualifier::Procedure(procedure) => {
                let procedure = self.tables.procedure(procedure, self.diagnostics)?;
                self.tables.names.local(procedure, &name.text)
            }
        };
        if found.is_none() {
            self.unknown(name, "variable");
        }
        found
    }

    fn unknown(&mut self, name: &Name, what: &str) {
        error(self.diagnostics, codes::UNKNOWN, format!("there is no {what} {:?} here", name.text), name.span);
    }

    fn expr(&mut self, expr: &syntax::Expr, context: &Context) -> Expr {
        let mut boxed = |expr: &syntax::Expr| Box::new(self.expr(expr, context));
        match expr {
            syntax::Expr::Bool(value) => Expr::bool(*value),
            syntax::Expr::Bits(value, width) => Expr::Const(Value::Bits(*value), Sort::Bits(*width)),
            syntax::Expr::Int(value) => Expr::Const(Value::Int(value.clone()), Sort::Int),
            syntax::Expr::Any => Expr::Any,
            syntax::Expr::Not(operand) => Expr::Unary(UnaryOp::Not, boxed(operand)),
            syntax::Expr::BitNot(operand) => Expr::Unary(UnaryOp::BitNot, boxed(operand)),
            syntax::Expr::Neg(operand) => Expr::Unary(UnaryOp::Neg, boxed(operand)),
            syntax::Expr::ToInt(operand) => Expr::Unary(UnaryOp::ToInt, boxed(operand)),
            syntax::Expr::SignedToInt(operand) => Expr::Unary(UnaryOp::SignedToInt, boxed(operand)),
            syntax::Expr::Resize(operand, width) => Expr::Unary(UnaryOp::Resize(*width), boxed(operand)),
            syntax::Expr::SignResize(operand, width) => Expr::Unary(UnaryOp::SignResize(*width), boxed(operand)),
            syntax::Expr::Binary(op, left, right) => Expr::Binary(*op, boxed(left), boxed(right)),
            syntax::Expr::Index(array, index) => Expr::Index(boxed(array), boxed(index)),
            syntax::Expr::Ite(operands) => {
                let [condition, then, otherwise] = operands.each_ref().map(boxed);
                Expr::Ite(condition, then, otherwise)
            }
            syntax::Expr::Nary(op, operands) => {
                Expr::Nary(*op, operands.iter().map(|operand| self.expr(operand, context)).collect())
            }
            syntax::Expr::Read(variable, moment) => {
                let when = match moment {
                    Moment::Before => When::Before,
                    Moment::After => When::After,
                    Moment::Saved => When::Saved,
                    Moment::Result => When::Result,
                };
                self.variable(variable, when, context).map_or(Expr::Any, |variable| Expr::Read(variable, when))
            }
            syntax::Expr::Value(enumeration, value) => self.value(enumeration, value),
            syntax::Expr::Array(elements, span) => {
                let elements: Vec<Expr> = elements.iter().map(|element| self.expr(element, context)).collect();
                self.array(elements).unwrap_or_else(|| {
                    let message = "an array is written as constants of one sort, at least one";
                    error(self.diagnostics, codes::OPERANDS, message, *span);
                    Expr::Any
                })
            }
        }
    }

    fn value(&mut self, enumeration: &Name, value: &Name) -> Expr {
        let Some(id) = self.tables.enum_names.get(&enumeration.text) else {
            self.unknown(enumeration, "enumeration");
            return Expr::Any;
        };
        let Some(position) = self.tables.enums[*id].values.iter().position(|name| *name == value.text) else {
            self.unknown(value, "value");
            return Expr::Any;
        };
        Expr::Const(Value::Enum(position as u32), Sort::Enum(*id))
    }

    fn array(&mut self, elements: Vec<Expr>) -> Option<Expr> {
        let n = elements.len() as u32;
        let mut values = Vec::with_capacity(elements.len());
        let mut sort = None;
        for element in elements {
            let Expr::Const(value, of) = element else { return None };
            if sort.get_or_insert_with(|| of.clone()) != &of {
                return None;
            }
            values.push(value);
        }
        Some(Expr::Const(Value::Array(values), Sort::Array(Box::new(sort?), n)))
    }
}
