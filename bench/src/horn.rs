//! A program as constrained Horn clauses in SMT-LIB, for solvers of those.
//!
//! One predicate for each location, over the shared variables and parameters at the entry of its procedure and all
//! variables now: the same relation that a summary engine computes. The clauses are unsatisfiable iff a target is
//! reached. Only Boolean variables, and only sequential programs.

use std::fmt::Write;

use program::{
    BinaryOp, Call, Edge, EdgeKind, Expr, LocationId, NaryOp, ProcedureId, Program, Relation, Rhs, Scope, Sort,
    UnaryOp, Value, VariableId, When,
};

/// Why there are no clauses.
pub(crate) type Unsupported = &'static str;

/// The clauses for the question whether one of the targets is reached.
pub(crate) fn clauses(program: &Program, targets: &[LocationId]) -> Result<String, Unsupported> {
    let start = program.sequential_start().ok_or("threads")?;
    if program.variables.iter().any(|variable| variable.sort != Sort::Bool) {
        return Err("a variable that is not Boolean");
    }
    let mut text = String::from("(set-logic HORN)\n");
    for (location, _) in program.locations.iter_ids() {
        let sorts = vec!["Bool"; Columns::of(program, location).len()].join(" ");
        let _ = writeln!(text, "(declare-fun l{} ({sorts}) Bool)", location.0);
    }
    text.push_str(&start_clause(program, start)?);
    for edge in program.edges.iter() {
        text.push_str(&edge_clauses(program, edge)?);
    }
    for target in targets {
        let columns = Columns::of(program, *target);
        let mut clause = Clause::default();
        clause.body.push(columns.atom(*target, "e", "c"));
        text.push_str(&clause.finish("false"));
    }
    text.push_str("(check-sat)\n");
    Ok(text)
}

/// The variables that a location's predicate is about.
struct Columns {
    /// Those whose value at the entry is kept.
    entry: Vec<VariableId>,
    current: Vec<VariableId>,
}

impl Columns {
    fn of(program: &Program, location: LocationId) -> Self {
        Self::of_procedure(program, program.locations[location].procedure)
    }

    fn of_procedure(program: &Program, procedure: ProcedureId) -> Self {
        let shared = |scope| program.variables_in(scope);
        let globals: Vec<VariableId> = shared(Scope::Shared).chain(shared(Scope::Private)).collect();
        let procedure = &program.procedures[procedure];
        let entry = globals.iter().chain(&procedure.parameters).copied().collect();
        let current = globals.iter().copied().chain(procedure.frame()).collect();
        Self { entry, current }
    }

    fn len(&self) -> usize {
        self.entry.len() + self.current.len()
    }

    /// The location's predicate on the named copies of its variables.
    fn atom(&self, location: LocationId, entry: &str, current: &str) -> String {
        let entry = self.entry.iter().map(|variable| format!(" {entry}{}", variable.0));
        let current = self.current.iter().map(|variable| format!(" {current}{}", variable.0));
        let arguments: String = entry.chain(current).collect();
        if arguments.is_empty() { format!("l{}", location.0) } else { format!("(l{}{arguments})", location.0) }
    }
}

/// A clause under construction.
#[derive(Default)]
struct Clause {
    body: Vec<String>,
    n_choices: u32,
}

impl Clause {
    fn fresh(&mut self) -> String {
        self.n_choices += 1;
        format!("x{}", self.n_choices)
    }

    /// Everything that looks like a variable is quantified.
    fn finish(self, head: &str) -> String {
        let body = if self.body.is_empty() { "true".to_owned() } else { format!("(and {})", self.body.join(" ")) };
        let matrix = format!("(=> {body} {head})");
        let is_variable = |word: &&str| {
            let mut characters = word.chars();
            characters.next().is_some_and(|c| "ecdfgxs".contains(c)) && characters.as_str().parse::<u32>().is_ok()
        };
        let words = matrix.split(|c: char| c.is_whitespace() || "()".contains(c));
        let mut variables: Vec<&str> = words.filter(is_variable).collect();
        variables.sort_unstable();
        variables.dedup();
        if variables.is_empty() {
            return format!("(assert {matrix})\n");
        }
        let declared: Vec<String> = variables.iter().map(|variable| format!("({variable} Bool)")).collect();
        format!("(assert (forall ({}) {matrix}))\n", declared.join(" "))
    }

    /// The expression, with each read replaced by a name.
    fn expr(&mut self, expr: &Expr, name: &dyn Fn(VariableId, When) -> String) -> Result<String, Unsupported> {
        let mut operands = Vec::new();
        for child in expr.children() {
            operands.push(self.expr(child, name)?);
        }
        let operator = match expr {
            Expr::Const(Value::Bool(value), _) => return Ok(value.to_string()),
            Expr::Read(variable, when) => return Ok(name(*variable, *when)),
            Expr::Any => return Ok(self.fresh()),
            Expr::Nary(op, operands) if operands.is_empty() => return Ok((*op == NaryOp::And).to_string()),
            Expr::Nary(_, single) if single.len() == 1 => return Ok(operands.remove(0)),
            Expr::Unary(UnaryOp::Not, _) => "not",
            Expr::Binary(BinaryOp::Eq, ..) => "=",
            Expr::Binary(BinaryOp::Ne, ..) | Expr::Nary(NaryOp::Xor, _) => "xor",
            Expr::Binary(BinaryOp::Implies, ..) => "=>",
            Expr::Nary(NaryOp::And, _) => "and",
            Expr::Nary(NaryOp::Or, _) => "or",
            Expr::Ite(..) => "ite",
            Expr::Const(..) | Expr::Unary(..) | Expr::Binary(..) | Expr::Index(..) => {
                return Err("an operator on bit vectors");
            }
        };
        Ok(format!("({operator} {})", operands.join(" ")))
    }

    /// Guard, updates and constraint. Variables of `kept` keep the value that they have under the first of the two
    /// prefixes, unless they are updated.
    fn relation(&mut self, relation: &Relation, moments: &Moments<'_>, kept: &[VariableId]) -> Result<(), Unsupported> {
        let name = |variable: VariableId, when: When| moments.name(variable, when);
        let guard = self.expr(&relation.guard, &name)?;
        self.body.push(guard);
        for update in &relation.updates {
            let value = match &update.value {
                Rhs::Expr(expr) => self.expr(expr, &name)?,
                Rhs::Any => self.fresh(),
            };
            self.body.push(format!("(= {} {value})", name(update.variable, update.when)));
        }
        for variable in kept.iter().filter(|variable| !relation.writes(**variable, When::After)) {
            self.body.push(format!("(= {} {})", name(*variable, When::After), name(*variable, When::Before)));
        }
        let constraint = self.expr(&relation.constraint, &name)?;
        self.body.push(constraint);
        Ok(())
    }
}

/// Which copy of a variable is meant at which moment of an edge.
struct Moments<'a> {
    program: &'a Program,
    before: &'a str,
    /// The frame before, where it differs from the shared variables (on leaving a call).
    frame_before: &'a str,
    after: &'a str,
    saved: &'a str,
    result: &'a str,
}

impl Moments<'_> {
    fn name(&self, variable: VariableId, when: When) -> String {
        let is_local = matches!(self.program.variables[variable].scope, Scope::Local(_));
        let prefix = match when {
            When::Before if is_local => self.frame_before,
            When::Before => self.before,
            When::After => self.after,
            When::Saved => self.saved,
            When::Result => self.result,
        };
        format!("{prefix}{}", variable.0)
    }
}

fn start_clause(program: &Program, procedure: ProcedureId) -> Result<String, Unsupported> {
    let entry = *program.procedures[procedure].entries.first().ok_or("a procedure without entry")?;
    let mut clause = Clause::default();
    let start = clause.expr(&program.start, &|variable, _| format!("c{}", variable.0))?;
    clause.body.push(start);
    Ok(clause.finish(&Columns::of(program, entry).atom(entry, "c", "c")))
}

fn edge_clauses(program: &Program, edge: &Edge) -> Result<String, Unsupported> {
    match &edge.kind {
        EdgeKind::Step(relation) => step_clause(program, edge, relation),
        EdgeKind::Call(call) => {
            let mut text = enter_clause(program, edge, call)?;
            for exit in &program.procedures[call.callee].exits {
                text.push_str(&return_clause(program, edge, call, *exit)?);
            }
            Ok(text)
        }
        EdgeKind::Spawn(_) => Err("threads"),
    }
}

fn step_clause(program: &Program, edge: &Edge, relation: &Relation) -> Result<String, Unsupported> {
    let columns = Columns::of(program, edge.source);
    let moments = Moments { program, before: "c", frame_before: "c", after: "d", saved: "c", result: "c" };
    let mut clause = Clause::default();
    clause.body.push(columns.atom(edge.source, "e", "c"));
    clause.relation(relation, &moments, &columns.current)?;
    Ok(clause.finish(&columns.atom(edge.target, "e", "d")))
}

/// The caller at the source of the call, and the callee's first state `f`.
fn entering(program: &Program, edge: &Edge, call: &Call) -> Result<Clause, Unsupported> {
    let columns = Columns::of(program, edge.source);
    let moments = Moments { program, before: "c", frame_before: "c", after: "f", saved: "s", result: "c" };
    let mut clause = Clause::default();
    clause.body.push(columns.atom(edge.source, "e", "c"));
    let (globals, frame): (Vec<_>, Vec<_>) =
        columns.current.iter().partition(|variable| !matches!(program.variables[**variable].scope, Scope::Local(_)));
    clause.relation(&call.enter, &moments, &globals)?;
    for variable in frame.iter().filter(|variable| !call.enter.writes(**variable, When::Saved)) {
        clause.body.push(format!("(= s{0} c{0})", variable.0));
    }
    Ok(clause)
}

fn enter_clause(program: &Program, edge: &Edge, call: &Call) -> Result<String, Unsupported> {
    let clause = entering(program, edge, call)?;
    Ok(clause.finish(&Columns::of_procedure(program, call.callee).atom(call.entry, "f", "f")))
}

fn return_clause(program: &Program, edge: &Edge, call: &Call, exit: LocationId) -> Result<String, Unsupported> {
    let mut clause = entering(program, edge, call)?;
    clause.body.push(Columns::of_procedure(program, call.callee).atom(exit, "f", "g"));
    let moments = Moments { program, before: "g", frame_before: "s", after: "d", saved: "s", result: "g" };
    let columns = Columns::of(program, edge.source);
    clause.relation(&call.leave, &moments, &columns.current)?;
    Ok(clause.finish(&columns.atom(edge.target, "e", "d")))
}

/// The clauses for a Boolean program and the label, or else the assertions, that are asked about.
pub(crate) fn from_source(text: &str, label: Option<&str>) -> Result<String, String> {
    let source = base::Source::new("input", text);
    let loaded = driver::load(source, &front_bp::FRONT_END, &driver::FrontOptions::default());
    let program = loaded.map_err(|_| "the program is rejected".to_owned())?.program;
    let targets = label.map_or_else(|| program.assertion_targets(), |label| program.label_targets(label));
    let locations: Vec<LocationId> = targets.into_iter().map(|target| target.location).collect();
    if locations.is_empty() {
        return Err("nothing to check".to_owned());
    }
    clauses(&program, &locations).map_err(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_calls_and_returns_are_clauses() {
        let text = "decl g; void main() begin g := p(*); assert(g); end bool p(a) begin return !a; end";
        let clauses = from_source(text, None).unwrap();
        let expected = "\
(set-logic HORN)
(declare-fun l0 (Bool Bool) Bool)
(declare-fun l1 (Bool Bool) Bool)
(declare-fun l2 (Bool Bool) Bool)
(declare-fun l3 (Bool Bool) Bool)
(declare-fun l4 (Bool Bool Bool Bool Bool) Bool)
(declare-fun l5 (Bool Bool Bool Bool Bool) Bool)
";
        assert!(clauses.starts_with(expected), "{clauses}");
        assert!(
            clauses.ends_with("(assert (forall ((c0 Bool) (e0 Bool)) (=> (and (l2 e0 c0)) false)))\n(check-sat)\n")
        );
        // Start, entering and leaving the call, both ways on from the assertion, the return, the target.
        assert_eq!(clauses.matches("(assert ").count(), 7, "{clauses}");
    }

    #[test]
    fn what_cannot_be_translated_is_said() {
        assert_eq!(from_source("void main() begin skip; end", None), Err("nothing to check".to_owned()));
        let spawns = "void main() begin start_thread p(); assert(F); end void p() begin skip; end";
        assert_eq!(from_source(spawns, None), Err("threads".to_owned()));
    }
}
