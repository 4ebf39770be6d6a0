//! Variables, procedures and threads get their ids.

use base::{Diagnostic, Span};
use program::{ProcedureId, Sort, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use crate::syntax::{Block, Body, Declaration, Declarator, Expr, Item, ItemKind, Name, Procedure, StatementKind};
use base::names::Symbol;

/// Position of a procedure in [`Symbols::procedures`].
pub(super) type ProcedureIndex = usize;

/// What is declared.
#[derive(Default)]
pub(super) struct Symbols<'t> {
    pub(super) globals: Variables,
    pub(super) threads: Vec<ThreadSymbols<'t>>,
    pub(super) procedures: Vec<ProcedureSymbols<'t>>,
    /// Procedures outside of threads.
    pub(super) by_name: FxHashMap<Symbol, ProcedureIndex>,
    /// The `init` block.
    pub(super) init: Option<ProcedureIndex>,
    /// `enforce` outside of procedures.
    pub(super) enforced: Vec<&'t Expr>,
    /// Names of shared and private variables so far: each is used once in the program model.
    taken: FxHashSet<Symbol>,
    /// Initial values of shared and private variables, with the thread that sees them.
    pub(super) initial: Vec<(VariableId, &'t Expr, Option<usize>)>,
}

/// Variables of one scope.
#[derive(Default)]
pub(super) struct Variables {
    by_name: FxHashMap<Symbol, (VariableId, Span)>,
    /// In order of declaration.
    pub(super) ids: Vec<VariableId>,
}

impl Variables {
    pub(super) fn get(&self, symbol: Symbol) -> Option<VariableId> {
        self.by_name.get(&symbol).map(|(id, _)| *id)
    }

    fn place(&self, symbol: Symbol) -> Option<Span> {
        self.by_name.get(&symbol).map(|(_, span)| *span)
    }
}

/// A thread block.
pub(super) struct ThreadSymbols<'t> {
    pub(super) name: Name,
    pub(super) copies: u32,
    pub(super) privates: Variables,
    pub(super) by_name: FxHashMap<Symbol, ProcedureIndex>,
    items: &'t [Item],
}

/// A procedure.
pub(super) struct ProcedureSymbols<'t> {
    pub(super) id: ProcedureId,
    /// As in the source; the `init` block has none.
    pub(super) name: Option<Name>,
    pub(super) body: &'t Body,
    pub(super) thread: Option<usize>,
    pub(super) locals: Variables,
    pub(super) parameters: Vec<VariableId>,
    pub(super) results: Vec<VariableId>,
    pub(super) enforced: Vec<&'t Expr>,
    /// Declarations with an initial value, in order.
    pub(super) initial: Vec<(VariableId, &'t Declarator)>,
}

impl<'t> Lowering<'t> {
    /// Gives ids to everything that is declared.
    pub(super) fn declare(&mut self) {
        let items = &self.tree.items;
        self.declare_threads(items);
        self.declare_variables(items, None);
        for thread in 0..self.symbols.threads.len() {
            self.declare_variables(self.symbols.threads[thread].items, Some(thread));
        }
        let shared_names = self.names_of_several_procedures();
        self.declare_procedures(items, None, &shared_names);
        for thread in 0..self.symbols.threads.len() {
            self.declare_procedures(self.symbols.threads[thread].items, Some(thread), &shared_names);
        }
    }

    fn declare_threads(&mut self, items: &'t [Item]) {
        let mut places: FxHashMap<Symbol, Span> = FxHashMap::default();
        for item in items {
            let ItemKind::Thread(thread) = &item.kind else { continue };
            if let Some(first) = places.insert(thread.name.symbol, thread.name.span) {
                self.duplicate("BP0026", "thread", thread.name, first);
            }
            self.symbols.threads.push(ThreadSymbols {
                name: thread.name,
                copies: thread.copies,
                privates: Variables::default(),
                by_name: FxHashMap::default(),
                items: &thread.items,
            });
        }
    }

    /// Shared variables, or the private ones of a thread.
    fn declare_variables(&mut self, items: &'t [Item], thread: Option<usize>) {
        for item in items {
            match &item.kind {
                ItemKind::Declaration(declaration) => self.declare_outside(declaration, thread),
                ItemKind::Enforce(condition, span) => self.declare_enforce(condition, *span, thread),
                ItemKind::Procedure(_) | ItemKind::Thread(_) | ItemKind::Init(..) => {}
            }
        }
    }

    fn declare_enforce(&mut self, condition: &'t Expr, span: Span, thread: Option<usize>) {
        if thread.is_none() {
            self.symbols.enforced.push(condition);
            return;
        }
        self.report.push(
            Diagnostic::error("BP0017", "`enforce` cannot stand directly in a thread")
                .at(span, "")
                .help("move it into the procedures of the thread, or out of the thread"),
        );
    }

    fn declare_outside(&mut self, declaration: &'t Declaration, thread: Option<usize>) {
        for declarator in &declaration.declarators {
            let name = declarator.name;
            let first = match thread {
                None => self.symbols.globals.place(name.symbol),
                Some(thread) => self.symbols.threads[thread].privates.place(name.symbol),
            };
            if !self.may_declare(name, first) {
                continue;
            }
            let shadows = thread.is_some() && self.symbols.globals.get(name.symbol).is_some();
            if shadows {
                self.warn_shadowing(name, self.symbols.globals.place(name.symbol));
            }
            let id = self.outside_variable(name, thread);
            self.origins.variables.push(Some(name.span));
            let scope = match thread {
                None => &mut self.symbols.globals,
                Some(thread) => &mut self.symbols.threads[thread].privates,
            };
            scope.by_name.insert(name.symbol, (id, name.span));
            scope.ids.push(id);
            if let Some(value) = &declarator.value {
                self.symbols.initial.push((id, value, thread));
            }
        }
    }

    fn outside_variable(&mut self, name: Name, thread: Option<usize>) -> VariableId {
        let text = self.text(name);
        let taken = !self.symbols.taken.insert(name.symbol);
        let Some(thread) = thread else { return self.builder.shared(text, Sort::Bool) };
        let thread_name = self.text(self.symbols.threads[thread].name);
        let unique = if taken { format!("{thread_name}::{text}") } else { text.to_owned() };
        self.builder.private(unique, Sort::Bool)
    }

    /// Checks a name that is being declared; `first` is where the same scope declares it already.
    fn may_declare(&mut self, name: Name, first: Option<Span>) -> bool {
        let text = self.text(name);
        if text == "_" {
            self.report.push(
                Diagnostic::error("BP0035", "`_` cannot be declared")
                    .at(name.span, "it stands for a result that is not wanted")
                    .help("choose another name"),
            );
            return false;
        }
        if let Some(first) = first {
            self.duplicate("BP0023", "variable", name, first);
            return false;
        }
        if matches!(text, "T" | "F") {
            let value = if text == "T" { "1" } else { "0" };
            self.report.push(
                Diagnostic::warning("BP0051", format!("the variable `{text}` hides the constant `{text}`"))
                    .at(name.span, format!("from here on `{text}` is this variable"))
                    .help(format!("rename it, and write `{value}` for the constant")),
            );
        }
        true
    }

    pub(super) fn duplicate(&mut self, code: &'static str, what: &str, name: Name, first: Span) {
        let text = self.text(name);
        self.report.push(
            Diagnostic::error(code, format!("there are two {what}s `{text}`"))
                .at(name.span, "the second one")
                .also(first, "the first one")
                .help("rename or remove one of them"),
        );
    }

    fn warn_shadowing(&mut self, name: Name, outer: Option<Span>) {
        let text = self.text(name);
        let mut diagnostic = Diagnostic::warning("BP0050", format!("`{text}` hides a variable of the same name"))
            .at(name.span, "inside, this one is meant")
            .help("rename one of them if that is not what you want");
        if let Some(outer) = outer {
            diagnostic = diagnostic.also(outer, "the hidden variable");
        }
        self.report.push(diagnostic);
    }

    /// Names that procedures of different threads share: these get the name of their thread as a prefix.
    fn names_of_several_procedures(&self) -> FxHashMap<Symbol, u32> {
        let mut counts = FxHashMap::default();
        let inner = self.symbols.threads.iter().flat_map(|thread| thread.items);
        for item in self.tree.items.iter().chain(inner) {
            if let ItemKind::Procedure(procedure) = &item.kind {
                *counts.entry(procedure.name.symbol).or_default() += 1;
            }
        }
        counts
    }

    fn declare_procedures(&mut self, items: &'t [Item], thread: Option<usize>, counts: &FxHashMap<Symbol, u32>) {
        for item in items {
            match &item.kind {
                ItemKind::Procedure(procedure) => self.declare_procedure(procedure, thread, counts),
                ItemKind::Init(span, body) => self.declare_init(*span, body, thread),
                ItemKind::Declaration(_) | ItemKind::Enforce(..) | ItemKind::Thread(_) => {}
            }
        }
    }

    fn declare_procedure(&mut self, procedure: &'t Procedure, thread: Option<usize>, counts: &FxHashMap<Symbol, u32>) {
        let (name, index) = (procedure.name, self.symbols.procedures.len());
        let by_name = match thread {
            None => &mut self.symbols.by_name,
            Some(thread) => &mut self.symbols.threads[thread].by_name,
        };
        if let Some(first) = by_name.get(&name.symbol) {
            if let Some(first) = self.symbols.procedures[*first].name {
                self.duplicate("BP0024", "procedure", name, first.span);
            }
            return;
        }
        by_name.insert(name.symbol, index);
        let text = self.text(name);
        let shared = counts.get(&name.symbol).is_some_and(|count| *count > 1);
        let full = match thread {
            Some(thread) if shared => format!("{}::{text}", self.text(self.symbols.threads[thread].name)),
            _ => text.to_owned(),
        };
        let id = self.builder.procedure(full);
        self.push_procedure(id, Some(name), &procedure.body, thread);
        self.declare_frame(index, procedure);
    }

    fn declare_init(&mut self, span: Span, body: &'t Body, thread: Option<usize>) {
        if thread.is_some() || self.symbols.init.is_some() {
            self.report.push(
                Diagnostic::error("BP0027", "there can be only one `init`, outside of all threads")
                    .at(span, "")
                    .help("merge it with the other one"),
            );
            return;
        }
        let taken = self.tree.names.find("init").is_some_and(|symbol| self.symbols.by_name.contains_key(&symbol));
        let index = self.symbols.procedures.len();
        let id = self.builder.procedure(if taken { "init::init" } else { "init" });
        self.symbols.init = Some(index);
        self.push_procedure(id, None, body, None);
        self.declare_locals(index, &body.statements);
    }

    fn push_procedure(&mut self, id: ProcedureId, name: Option<Name>, body: &'t Body, thread: Option<usize>) {
        self.symbols.procedures.push(ProcedureSymbols {
            id,
            name,
            body,
            thread,
            locals: Variables::default(),
            parameters: Vec::new(),
            results: Vec::new(),
            enforced: Vec::new(),
            initial: Vec::new(),
        });
    }

    fn declare_frame(&mut self, index: ProcedureIndex, procedure: &'t Procedure) {
        let id = self.symbols.procedures[index].id;
        for parameter in &procedure.parameters {
            if !self.may_declare_local(index, *parameter) {
                continue;
            }
            let variable = self.builder.parameter(id, self.text(*parameter), Sort::Bool);
            self.add_local(index, *parameter, variable);
            self.symbols.procedures[index].parameters.push(variable);
        }
        // No name in a source can look like these.
        for result in 0..procedure.n_results {
            let name = if procedure.n_results == 1 { "return".to_owned() } else { format!("return[{result}]") };
            let variable = self.builder.result(id, name, Sort::Bool);
            self.origins.variables.push(None);
            self.symbols.procedures[index].results.push(variable);
        }
        self.declare_locals(index, &procedure.body.statements);
    }

    fn may_declare_local(&mut self, index: ProcedureIndex, name: Name) -> bool {
        let procedure = &self.symbols.procedures[index];
        let first = procedure.locals.place(name.symbol);
        let private = procedure.thread.and_then(|thread| self.symbols.threads[thread].privates.place(name.symbol));
        let outer = private.or_else(|| self.symbols.globals.place(name.symbol));
        if !self.may_declare(name, first) {
            return false;
        }
        if outer.is_some() {
            self.warn_shadowing(name, outer);
        }
        true
    }

    fn add_local(&mut self, index: ProcedureIndex, name: Name, variable: VariableId) {
        self.origins.variables.push(Some(name.span));
        let locals = &mut self.symbols.procedures[index].locals;
        locals.by_name.insert(name.symbol, (variable, name.span));
        locals.ids.push(variable);
    }

    /// Locals are declared anywhere in a procedure and known in all of it.
    fn declare_locals(&mut self, index: ProcedureIndex, block: &'t Block) {
        let mut after_statement = false;
        for statement in block {
            match &statement.kind {
                StatementKind::Declaration(declaration) => {
                    self.declare_inside(index, declaration, after_statement);
                }
                StatementKind::Enforce(condition) => self.symbols.procedures[index].enforced.push(condition),
                StatementKind::If(branches) => {
                    for arm in &branches.arms {
                        self.declare_locals(index, &arm.block);
                    }
                    if let Some(otherwise) = &branches.otherwise {
                        self.declare_locals(index, &otherwise.block);
                    }
                    after_statement = true;
                }
                StatementKind::While(repeated) => {
                    self.declare_locals(index, &repeated.block);
                    after_statement = true;
                }
                _ => after_statement = true,
            }
        }
    }

    fn declare_inside(&mut self, index: ProcedureIndex, declaration: &'t Declaration, after_statement: bool) {
        let id = self.symbols.procedures[index].id;
        for declarator in &declaration.declarators {
            if !self.may_declare_local(index, declarator.name) {
                continue;
            }
            let variable = self.builder.local(id, self.text(declarator.name), Sort::Bool);
            self.add_local(index, declarator.name, variable);
            if declarator.value.is_none() {
                continue;
            }
            self.symbols.procedures[index].initial.push((variable, declarator));
            if after_statement {
                self.report.push(
                    Diagnostic::warning("BP0055", "this initial value is assigned when the procedure is entered")
                        .at(declarator.span, "not when this place is reached")
                        .help("declare without a value, and assign in a statement of its own"),
                );
            }
        }
    }
}
