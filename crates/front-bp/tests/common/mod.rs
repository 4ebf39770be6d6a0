//! What the tests share: programs and diagnostics as compact text.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use std::fmt::Write;

use base::{Diagnostics, Severity, Source};
use front_bp::{Lowered, Options, lower, parse};
use program::{BinaryOp, EdgeKind, Expr, LocationId, NaryOp, Program, Relation, Rhs, Role, UnaryOp, Value, When};

/// Runs on a thread with the stack that [`front_bp::MAX_DEPTH`] promises to fit in.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(8 << 20);
        builder.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// Parses and lowers; all diagnostics when that fails.
pub fn read(text: &str, options: &Options) -> Result<(Lowered, Diagnostics), Diagnostics> {
    let source = Source::new("test.bp", text);
    let (tree, mut diagnostics) = parse(&source);
    let Some(tree) = tree else { return Err(diagnostics) };
    match lower(&tree, &source, options) {
        Ok((lowered, warnings)) => {
            diagnostics.extend(warnings);
            diagnostics.sort();
            if diagnostics.has_errors() { Err(diagnostics) } else { Ok((lowered, diagnostics)) }
        }
        Err(errors) => {
            diagnostics.extend(errors);
            diagnostics.sort();
            Err(diagnostics)
        }
    }
}

/// The canonical text of a source without errors.
pub fn formatted(text: &str) -> String {
    let (tree, diagnostics) = parse(&Source::new("test.bp", text));
    assert!(!diagnostics.has_errors(), "{}", show_diagnostics(text, &diagnostics));
    front_bp::format(&tree.unwrap())
}

/// Diagnostics as `line:column code severity: message`, with labels and help below.
pub fn show_diagnostics(text: &str, diagnostics: &Diagnostics) -> String {
    let source = Source::new("test.bp", text);
    let place = |span: base::Span| {
        let position = source.position(span.start);
        format!("{}:{} `{}`", position.line, position.column, source.slice(span).replace('\0', "<NUL>"))
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{severity}[{}]: {}", diagnostic.code, diagnostic.message).unwrap();
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            writeln!(out, "  at {} {}", place(label.span), label.text).unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    out
}

/// A program as compact text: one line per location and edge.
pub fn show_program(lowered: &Lowered, text: &str) -> String {
    let source = Source::new("test.bp", text);
    let program = &lowered.program;
    let mut out = String::new();
    let shown = Shown(program);
    for procedure in &program.procedures {
        let names = |ids: &[program::VariableId]| ids.iter().map(|id| shown.name(*id)).collect::<Vec<_>>().join(", ");
        write!(out, "{}({})", procedure.name, names(&procedure.parameters)).unwrap();
        if !procedure.results.is_empty() {
            write!(out, " -> {}", names(&procedure.results)).unwrap();
        }
        if !procedure.locals.is_empty() {
            write!(out, " locals {}", names(&procedure.locals)).unwrap();
        }
        writeln!(out).unwrap();
        for id in &procedure.locations {
            shown.location(*id, &lowered.origins, &source, &mut out);
        }
    }
    if let Some(init) = program.init {
        writeln!(out, "init: {}", program.procedures[init].name).unwrap();
    }
    for thread in &program.threads {
        writeln!(out, "thread {}: {}", thread.name, program.procedures[thread.start].name).unwrap();
    }
    if program.start != Expr::TRUE {
        writeln!(out, "start: {}", shown.expr(&program.start)).unwrap();
    }
    if program.uninterruptible != Expr::FALSE {
        writeln!(out, "uninterruptible: {}", shown.expr(&program.uninterruptible)).unwrap();
    }
    out
}

struct Shown<'p>(&'p Program);

impl Shown<'_> {
    fn name(&self, id: program::VariableId) -> String {
        self.0.variables[id].name.clone()
    }

    fn location(&self, id: LocationId, origins: &program::Origins, source: &Source, out: &mut String) {
        let location = &self.0.locations[id];
        let procedure = &self.0.procedures[location.procedure];
        write!(out, "  {}", id.0).unwrap();
        for label in &location.labels {
            write!(out, " {label}:").unwrap();
        }
        if let Some(span) = origins.locations[id] {
            write!(out, " `{}`", source.slice(span)).unwrap();
        }
        let flags = [
            (procedure.entries.contains(&id), " entry"),
            (procedure.exits.contains(&id), " exit"),
            (location.role == Role::Violation, " violation"),
            (location.atomic, " atomic"),
        ];
        flags.iter().filter(|(on, _)| *on).for_each(|(_, text)| out.push_str(text));
        writeln!(out).unwrap();
        for (edge_id, edge) in self.0.edges.iter_ids().filter(|(_, edge)| edge.source == id) {
            let head = origins.edges[edge_id].map(|span| source.slice(span));
            assert_eq!(head, origins.locations[id].map(|span| source.slice(span)), "edges and locations agree");
            writeln!(out, "    -> {}{}", edge.target.0, self.kind(&edge.kind)).unwrap();
        }
    }

    fn kind(&self, kind: &EdgeKind) -> String {
        match kind {
            EdgeKind::Step(relation) => self.relation(relation),
            EdgeKind::Call(call) => {
                let callee = &self.0.procedures[call.callee].name;
                let (enter, leave) = (self.relation(&call.enter), self.relation(&call.leave));
                format!(" call {callee}@{}{enter} leave{leave}", call.entry.0)
            }
            EdgeKind::Spawn(spawn) => {
                let callee = &self.0.procedures[spawn.callee].name;
                format!(" spawn {callee}@{}{}", spawn.entry.0, self.relation(&spawn.enter))
            }
        }
    }

    fn relation(&self, relation: &Relation) -> String {
        let mut out = String::new();
        if relation.guard != Expr::TRUE {
            write!(out, " [{}]", self.expr(&relation.guard)).unwrap();
        }
        for update in &relation.updates {
            let value = match &update.value {
                Rhs::Any => "any".to_owned(),
                Rhs::Expr(expr) => self.expr(expr),
            };
            write!(out, " {} := {value};", self.name(update.variable)).unwrap();
        }
        if relation.constraint != Expr::TRUE {
            write!(out, " with {}", self.expr(&relation.constraint)).unwrap();
        }
        out
    }

    fn expr(&self, expr: &Expr) -> String {
        let join = |operator: &str, operands: &[Expr]| {
            let operands: Vec<String> = operands.iter().map(|operand| self.expr(operand)).collect();
            format!("({})", operands.join(operator))
        };
        match expr {
            Expr::Const(Value::Bool(value), _) => u8::from(*value).to_string(),
            Expr::Read(variable, When::Before) => self.name(*variable),
            Expr::Read(variable, When::After) => format!("'{}", self.name(*variable)),
            Expr::Read(variable, When::Result) => format!("{}@exit", self.name(*variable)),
            Expr::Any => "*".to_owned(),
            Expr::Unary(UnaryOp::Not, operand) => format!("!{}", self.expr(operand)),
            Expr::Nary(NaryOp::And, operands) => join(" & ", operands),
            Expr::Nary(NaryOp::Or, operands) => join(" | ", operands),
            Expr::Nary(NaryOp::Xor, operands) => join(" ^ ", operands),
            Expr::Binary(op, left, right) => {
                let op = match op {
                    BinaryOp::Eq => "=",
                    BinaryOp::Ne => "!=",
                    BinaryOp::Implies => "=>",
                    other => panic!("{other:?} in a Boolean program"),
                };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            Expr::Ite(condition, then, otherwise) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            other => panic!("{other:?} in a Boolean program"),
        }
    }
}
