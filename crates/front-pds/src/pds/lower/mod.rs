//! Names resolved, syntax tree to program.
//!
//! A stack symbol becomes a location that carries its name as a label. Symbols that can follow each other in the same
//! place of the stack form a procedure: `a --> b` links `a` and `b`, `a --> b c` links `a` and `c` and makes `b` an entry
//! of its procedure. Popping is a step to the procedure's exit. The control state is a shared variable of an enumeration,
//! unless there is only one. Everything is linear in the number of rules.
//!
//! Modules in reading order:
//! - `constant`: defines and other constant expressions;
//! - `declare`: variables;
//! - `control`: control states, locations and procedures;
//! - `resolve`: what the names of a condition mean;
//! - `expand`: conditions without quantifiers, as expressions of the model;
//! - `effect`: conditions as guards, updates and constraints;
//! - `rule`: edges, the start and propositions.

pub(crate) mod constant;
mod control;
mod declare;
pub(crate) mod effect;
mod expand;
mod resolve;
mod rule;

use base::{Diagnostic, Diagnostics, IdVec, Source, Span};
use program::{
    Edge, EdgeKind, Expr, Location, LocationId, Origins, ProcedureId, Program, Role, Scope, Sort, Variable, VariableId,
};
use question::front::Lowered;
use question::{Notation, Writing};
use rustc_hash::{FxHashMap, FxHashSet};

use super::syntax::{Name, SyntaxTree};
use crate::Options;
use crate::allowance::Allowance;
use base::names::Symbol;
use base::report::Report;
use control::Control;
use declare::Declared;

/// Resolves names and lowers to a program. `damaged`: there were errors before, so what is missing may be their fault.
pub(crate) fn lower(
    tree: &SyntaxTree,
    source: &Source,
    options: &Options,
    damaged: bool,
) -> (Option<Lowered>, Diagnostics) {
    let mut lowering = Lowering::new(tree, source, damaged);
    lowering.constants(options);
    lowering.declare();
    let Some(start) = tree.start.as_ref().filter(|_| !tree.lost) else {
        if !damaged {
            lowering.report.push(no_start(tree, source));
        }
        return (None, lowering.report.finish());
    };
    lowering.control(start);
    lowering.complete_frames(start);
    lowering.start(start);
    lowering.rules();
    let propositions = lowering.propositions();
    lowering.name_constants();
    let Lowering { program, origins, report, control, writing, .. } = lowering;
    if report.has_errors() {
        return (None, report.finish());
    }
    let lowered = Lowered { propositions, state: control.variable, ..Lowered::new(program, origins, writing) };
    (Some(lowered), report.finish())
}

fn no_start(tree: &SyntaxTree, source: &Source) -> Diagnostic {
    let place = tree.rules.first().map_or(source.end(), |rule| rule.span);
    let diagnostic = Diagnostic::error("PD0020", "the pushdown system has no start configuration");
    diagnostic.at(place, "expected before the rules").help("write `(state <symbol>)`")
}

/// The state of lowering.
struct Lowering<'t> {
    tree: &'t SyntaxTree,
    source: &'t Source,
    /// Rules may be missing because of errors that have been reported.
    damaged: bool,
    report: Report,
    program: Program,
    origins: Origins,
    constants: FxHashMap<Symbol, (i128, Span)>,
    /// Constants whose values are those of the options.
    overridden: FxHashSet<Symbol>,
    declared: Declared,
    control: Control,
    writing: Writing,
    allowance: Allowance,
}

impl<'t> Lowering<'t> {
    fn new(tree: &'t SyntaxTree, source: &'t Source, damaged: bool) -> Self {
        Self {
            tree,
            source,
            damaged,
            report: Report::new("PD0099"),
            program: Program {
                enums: IdVec::new(),
                variables: IdVec::new(),
                procedures: IdVec::new(),
                locations: IdVec::new(),
                edges: IdVec::new(),
                init: None,
                threads: Vec::new(),
                start: Expr::TRUE,
                uninterruptible: Expr::FALSE,
            },
            origins: Origins::default(),
            constants: FxHashMap::default(),
            overridden: FxHashSet::default(),
            declared: Declared::default(),
            control: Control::default(),
            writing: Writing::new(Notation::PUSHDOWN_SYSTEM),
            allowance: Allowance::default(),
        }
    }

    /// Conditions that users write may use the constants.
    fn name_constants(&mut self) {
        let named = |(name, (value, _)): (&Symbol, &(i128, Span))| (self.tree.names.text(*name).to_owned(), *value);
        self.writing.constants.extend(self.constants.iter().map(named));
    }

    fn text(&self, name: Name) -> &'t str {
        self.tree.names.text(name.symbol)
    }

    fn variable(&mut self, name: String, sort: Sort, scope: Scope, span: Option<Span>) -> VariableId {
        self.origins.variables.push(span);
        let id = self.program.variables.push(Variable { name, sort, scope });
        if let Scope::Local(procedure) = scope {
            self.program.procedures[procedure].locals.push(id);
        }
        id
    }

    fn location(&mut self, procedure: ProcedureId, label: Option<&str>, span: Option<Span>) -> LocationId {
        self.origins.locations.push(span);
        let labels = label.map(str::to_owned).into_iter().collect();
        let id = self.program.locations.push(Location { procedure, labels, role: Role::Plain, atomic: false });
        self.program.procedures[procedure].locations.push(id);
        id
    }

    fn edge(&mut self, source: LocationId, target: LocationId, kind: EdgeKind, span: Option<Span>) {
        self.origins.edges.push(span);
        self.program.edges.push(Edge { source, target, kind });
    }
}
