//! Program to text.

use std::fmt::Write as _;

use base::{Id, IdVec};

use super::names::{Context, Names};
use super::parse_expr::{AND, ATOM, BINARY_FUNCTIONS, EQUAL, IMPLIES, NOT, OR, XOR};
use super::token::push_name;
use super::value::push_value;
use crate::{
    BinaryOp, EdgeId, EdgeKind, Expr, LocationId, NaryOp, ProcedureId, Program, Relation, Rhs, Role, Scope, Sort,
    UnaryOp, Update, VariableId, When,
};

/// The program as text.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        names: names(program),
        positions: positions(program),
        edges: edges_by_source(program),
        next: Next::default(),
        text: String::new(),
    };
    printer.program();
    printer.text
}

fn names(program: &Program) -> Names {
    let mut names = Names::default();
    for (id, variable) in program.variables.iter_ids() {
        let scope = match variable.scope {
            Scope::Shared | Scope::Private => &mut names.globals,
            Scope::Local(procedure) => names.locals.entry(procedure).or_default(),
        };
        scope.insert(variable.name.clone(), id);
    }
    names
}

/// Numbers of locations within their procedures.
fn positions(program: &Program) -> IdVec<LocationId, usize> {
    let mut positions = IdVec::filled(program.locations.len(), 0);
    for procedure in &program.procedures {
        for (position, location) in procedure.locations.iter().enumerate() {
            positions[*location] = position;
        }
    }
    positions
}

fn edges_by_source(program: &Program) -> IdVec<LocationId, Vec<EdgeId>> {
    let mut edges: IdVec<LocationId, Vec<EdgeId>> = IdVec::filled(program.locations.len(), Vec::new());
    for (id, edge) in program.edges.iter_ids() {
        edges[edge.source].push(id);
    }
    edges
}

/// The ids that come next if nothing is said.
#[derive(Default)]
struct Next {
    enumeration: usize,
    variable: usize,
    procedure: usize,
    location: usize,
    edge: usize,
}

struct Printer<'a> {
    program: &'a Program,
    names: Names,
    positions: IdVec<LocationId, usize>,
    edges: IdVec<LocationId, Vec<EdgeId>>,
    next: Next,
    text: String,
}

/// Appends `#n ` unless the id is the one that comes next.
fn push_id(text: &mut String, next: &mut usize, id: impl Id) {
    if *next != id.index() {
        push(text, format_args!("#{} ", id.index()));
    }
    *next = id.index() + 1;
}

pub(super) fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(arguments);
    assert!(written.is_ok(), "writing to a string does not fail");
}

fn push_sort(text: &mut String, program: &Program, sort: &Sort) {
    match sort {
        Sort::Bool => text.push_str("bool"),
        Sort::Bits(width) => push(text, format_args!("bits<{width}>")),
        Sort::Int => text.push_str("int"),
        Sort::Enum(id) => push_name(text, &program.enums[*id].name),
        Sort::Array(element, n) => {
            text.push('[');
            push_sort(text, program, element);
            push(text, format_args!("; {n}]"));
        }
    }
}

impl Printer<'_> {
    fn program(&mut self) {
        let program = self.program;
        for (id, enumeration) in program.enums.iter_ids() {
            self.text.push_str("enum ");
            push_id(&mut self.text, &mut self.next.enumeration, id);
            push_name(&mut self.text, &enumeration.name);
            self.text.push_str(" { ");
            self.list(&enumeration.values, |printer, value| push_name(&mut printer.text, value));
            self.text.push_str(" }\n");
        }
        for (id, variable) in program.variables.iter_ids() {
            let keyword = match variable.scope {
                Scope::Shared => "shared ",
                Scope::Private => "private ",
                Scope::Local(_) => continue,
            };
            self.text.push_str(keyword);
            self.declaration(id);
            self.text.push_str(";\n");
        }
        self.threads();
        for id in program.procedures.ids() {
            self.procedure(id);
        }
    }

    fn threads(&mut self) {
        let program = self.program;
        let procedure =
            |printer: &mut Self, id: ProcedureId| push_name(&mut printer.text, &program.procedures[id].name);
        if let Some(init) = program.init {
            self.text.push_str("init ");
            procedure(self, init);
            self.text.push_str(";\n");
        }
        for thread in &program.threads {
            self.text.push_str("thread ");
            push_name(&mut self.text, &thread.name);
            self.text.push_str(": ");
            procedure(self, thread.start);
            self.text.push_str(";\n");
        }
        for (keyword, condition, default) in
            [("start ", &program.start, Expr::TRUE), ("uninterruptible ", &program.uninterruptible, Expr::FALSE)]
        {
            if *condition != default {
                self.text.push_str(keyword);
                self.expr(condition, &Context::default(), IMPLIES);
                self.text.push_str(";\n");
            }
        }
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut Self, T)) {
        for (at, item) in items.into_iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            one(self, item);
        }
    }

    fn declaration(&mut self, id: VariableId) {
        let variable = &self.program.variables[id];
        push_id(&mut self.text, &mut self.next.variable, id);
        push_name(&mut self.text, &variable.name);
        self.text.push_str(": ");
        push_sort(&mut self.text, self.program, &variable.sort);
    }

    fn procedure(&mut self, id: ProcedureId) {
        let procedure = &self.program.procedures[id];
        self.text.push_str("\nprocedure ");
        push_id(&mut self.text, &mut self.next.procedure, id);
        push_name(&mut self.text, &procedure.name);
        self.text.push('(');
        self.list(&procedure.parameters, |printer, parameter| printer.declaration(*parameter));
        self.text.push(')');
        if !procedure.results.is_empty() {
            self.text.push_str(" -> (");
            self.list(&procedure.results, |printer, result| printer.declaration(*result));
            self.text.push(')');
        }
        self.text.push_str(" {\n");
        for local in &procedure.locals {
            self.text.push_str("  local ");
            self.declaration(*local);
            self.text.push_str(";\n");
        }
        self.numbers("entry", &procedure.entries);
        self.numbers("exit", &procedure.exits);
        if !procedure.untouched.is_empty() {
            self.text.push_str("  untouched ");
            let context = Context::default();
            self.list(&procedure.untouched, |printer, id| printer.variable(*id, When::Before, &context));
            self.text.push_str(";\n");
        }
        for location in &procedure.locations {
            self.location(id, *location);
        }
        self.text.push_str("}\n");
    }

    fn numbers(&mut self, keyword: &str, locations: &[LocationId]) {
        if locations.is_empty() {
            return;
        }
        push(&mut self.text, format_args!("  {keyword} "));
        self.list(locations, |printer, id| push(&mut printer.text, format_args!("{}", printer.positions[*id])));
        self.text.push_str(";\n");
    }

    fn location(&mut self, procedure: ProcedureId, id: LocationId) {
        let location = &self.program.locations[id];
        push(&mut self.text, format_args!("  {}", self.positions[id]));
        if self.next.location != id.index() {
            push(&mut self.text, format_args!(" #{}", id.index()));
        }
        self.next.location = id.index() + 1;
        if !location.labels.is_empty() {
            self.text.push_str(" (");
            self.list(&location.labels, |printer, label| push_name(&mut printer.text, label));
            self.text.push(')');
        }
        self.text.push_str(if location.atomic { " atomic" } else { "" });
        self.text.push_str(match location.role {
            Role::Plain => ":\n",
            Role::Violation => " violation:\n",
            Role::Between => " between:\n",
            Role::Returned => " returned:\n",
        });
        for edge in std::mem::take(&mut self.edges[id]) {
            self.edge(procedure, edge);
        }
    }

    fn edge(&mut self, own: ProcedureId, id: EdgeId) {
        let edge = &self.program.edges[id];
        self.text.push_str("    -> ");
        push_id(&mut self.text, &mut self.next.edge, id);
        push(&mut self.text, format_args!("{}", self.positions[edge.target]));
        let own = Some(own);
        match &edge.kind {
            EdgeKind::Step(relation) => self.clauses(relation, &Context { own, after: own, callee: None }),
            EdgeKind::Call(call) => {
                self.entered(" call ", call.callee, call.entry);
                let callee = Some(call.callee);
                self.block(" enter {", &call.enter, &Context { own, after: callee, callee: None });
                self.block(" leave {", &call.leave, &Context { own, after: own, callee });
            }
            EdgeKind::Spawn(spawn) => {
                self.entered(" spawn ", spawn.callee, spawn.entry);
                self.block(" enter {", &spawn.enter, &Context { own, after: Some(spawn.callee), callee: None });
            }
        }
        self.text.push_str(";\n");
    }

    fn entered(&mut self, keyword: &str, callee: ProcedureId, entry: LocationId) {
        self.text.push_str(keyword);
        push_name(&mut self.text, &self.program.procedures[callee].name);
        push(&mut self.text, format_args!(".{}", self.positions[entry]));
    }

    fn block(&mut self, open: &str, relation: &Relation, context: &Context) {
        if !relation.is_identity() {
            self.text.push_str(open);
            self.clauses(relation, context);
            self.text.push_str(" }");
        }
    }

    fn clauses(&mut self, relation: &Relation, context: &Context) {
        if relation.guard != Expr::TRUE {
            self.text.push_str(" when ");
            self.expr(&relation.guard, context, IMPLIES);
        }
        if !relation.updates.is_empty() {
            self.text.push_str(" do ");
            self.list(&relation.updates, |printer, update| printer.update(update, context));
        }
        if relation.constraint != Expr::TRUE {
            self.text.push_str(" where ");
            self.expr(&relation.constraint, context, IMPLIES);
        }
    }

    fn update(&mut self, update: &Update, context: &Context) {
        self.text.push_str(if update.value == Rhs::Any { "havoc " } else { "" });
        self.text.push_str(if update.when == When::Saved { "saved " } else { "" });
        self.variable(update.variable, update.when, context);
        if let Some(index) = &update.index {
            self.text.push('[');
            self.expr(index, context, IMPLIES);
            self.text.push(']');
        }
        if let Rhs::Expr(value) = &update.value {
            self.text.push_str(" := ");
            self.expr(value, context, IMPLIES);
        }
    }

    /// The variable by its plain name, or by a qualified one where the plain one means another.
    fn variable(&mut self, id: VariableId, when: When, context: &Context) {
        let variable = &self.program.variables[id];
        if self.names.plain(&variable.name, context, when) != Some(id) {
            if let Scope::Local(procedure) = variable.scope {
                push_name(&mut self.text, &self.program.procedures[procedure].name);
            }
            self.text.push_str("::");
        }
        push_name(&mut self.text, &variable.name);
    }

    /// Appends an expression, in parentheses if it binds less tightly than its place needs.
    fn expr(&mut self, expr: &Expr, context: &Context, least: u8) {
        let level = level(expr);
        if level < least {
            self.text.push('(');
        }
        match expr {
            Expr::Const(value, sort) => push_value(&mut self.text, self.program, value, sort),
            Expr::Read(variable, when) => self.read(*variable, *when, context),
            Expr::Any => self.text.push_str("any"),
            Expr::Unary(op, operand) => self.unary(*op, operand, context),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, context),
            Expr::Nary(op, operands) => self.nary(*op, operands, context),
            Expr::Ite(condition, then, otherwise) => {
                self.function("ite", [&**condition, &**then, &**otherwise], context);
            }
            Expr::Index(array, index) => {
                self.expr(array, context, ATOM);
                self.text.push('[');
                self.expr(index, context, IMPLIES);
                self.text.push(']');
            }
        }
        if level < least {
            self.text.push(')');
        }
    }

    fn read(&mut self, variable: VariableId, when: When, context: &Context) {
        self.text.push_str(match when {
            When::Before | When::After => "",
            When::Saved => "saved ",
            When::Result => "result ",
        });
        self.variable(variable, when, context);
        if when == When::After {
            self.text.push('\'');
        }
    }

    fn function<'e>(&mut self, name: &str, operands: impl IntoIterator<Item = &'e Expr>, context: &Context) {
        self.text.push_str(name);
        self.text.push('(');
        self.list(operands, |printer, operand| printer.expr(operand, context, IMPLIES));
        self.text.push(')');
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, context: &Context) {
        let (name, width) = match op {
            UnaryOp::Not => {
                self.text.push('!');
                return self.expr(operand, context, NOT);
            }
            UnaryOp::BitNot => ("bitnot(", None),
            UnaryOp::Neg => ("neg(", None),
            UnaryOp::ToInt => ("toint(", None),
            UnaryOp::SignedToInt => ("signedtoint(", None),
            UnaryOp::Resize(width) => ("resize(", Some(width)),
            UnaryOp::SignResize(width) => ("signresize(", Some(width)),
        };
        self.text.push_str(name);
        self.expr(operand, context, IMPLIES);
        match width {
            Some(width) => push(&mut self.text, format_args!(", {width})")),
            None => self.text.push(')'),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, context: &Context) {
        let (sign, least_left, least_right) = match op {
            BinaryOp::Implies => (" => ", IMPLIES + 1, IMPLIES),
            BinaryOp::Eq => (" = ", EQUAL + 1, EQUAL + 1),
            BinaryOp::Ne => (" != ", EQUAL + 1, EQUAL + 1),
            _ => {
                let name = BINARY_FUNCTIONS.iter().find(|(_, function)| *function == op).map_or("", |(name, _)| name);
                return self.function(name, [left, right], context);
            }
        };
        self.expr(left, context, least_left);
        self.text.push_str(sign);
        self.expr(right, context, least_right);
    }

    fn nary(&mut self, op: NaryOp, operands: &[Expr], context: &Context) {
        let (name, sign, level) = match op {
            NaryOp::And => ("and", " & ", AND),
            NaryOp::Or => ("or", " | ", OR),
            NaryOp::Xor => ("xor", " ^ ", XOR),
        };
        if operands.len() < 2 {
            return self.function(name, operands, context);
        }
        for (at, operand) in operands.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { sign });
            self.expr(operand, context, level + 1);
        }
    }
}

/// How tightly the outermost operator binds.
fn level(expr: &Expr) -> u8 {
    match expr {
        Expr::Binary(BinaryOp::Implies, ..) => IMPLIES,
        Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) => EQUAL,
        Expr::Nary(op, operands) if operands.len() >= 2 => match op {
            NaryOp::And => AND,
            NaryOp::Or => OR,
            NaryOp::Xor => XOR,
        },
        Expr::Unary(UnaryOp::Not, _) => NOT,
        _ => ATOM,
    }
}
