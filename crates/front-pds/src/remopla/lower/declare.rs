//! Variables and modules.

use base::{Diagnostic, Span};
use program::{LocationId, ProcedureId, VariableId};
use rustc_hash::FxHashMap;

use super::super::syntax::{self, Declaration, Name, Statement, StatementKind};
use super::Lowering;
use super::types::{Leaf, Shape};
use base::names::Symbol;

/// A variable: what it is, and the variables of the program that it consists of.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) shape: Shape,
    pub(super) leaves: Vec<(VariableId, Leaf)>,
    pub(super) span: Span,
}

/// A module that has a body, or the statements outside of modules.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) name: Option<Name>,
    pub(super) id: ProcedureId,
    pub(super) result: Option<Entry>,
    pub(super) parameters: Vec<Entry>,
    pub(super) locals: FxHashMap<Symbol, Entry>,
    /// Position in the tree.
    pub(super) source: Option<usize>,
    pub(super) entry: LocationId,
    pub(super) exit: LocationId,
}

/// Where the variables of a declaration live.
#[derive(Clone, Copy)]
enum Home {
    Shared,
    Private,
    Parameter(ProcedureId),
    Result(ProcedureId),
    Local(ProcedureId),
}

impl Lowering<'_> {
    pub(super) fn declare(&mut self) {
        let tree = self.tree;
        let bodies = tree.modules.iter().filter_map(|module| module.body.as_ref()).map(|body| &body.statements);
        let forks = bodies.chain([&tree.statements]).any(|statements| statements.iter().any(forks));
        for declaration in &tree.globals {
            let home = if forks && !declaration.shared { Home::Private } else { Home::Shared };
            let Some(entry) = self.entry(declaration, home, None) else { continue };
            match self.globals.get(&declaration.name.symbol) {
                Some(first) => {
                    let first = first.span;
                    self.twice::<()>(declaration.name, first);
                }
                None => drop(self.globals.insert(declaration.name.symbol, entry)),
            }
        }
        for (at, module) in tree.modules.iter().enumerate() {
            if module.body.is_some() {
                self.module(at, module);
            }
        }
        self.bodies_of_declared();
        self.contradictions();
        if !tree.statements.is_empty() {
            self.declare_top();
        }
    }

    /// The statements outside of modules.
    pub(super) fn declare_top(&mut self) {
        let mut name = "top".to_owned();
        while self.tree.names.find(&name).is_some_and(|symbol| self.module_of.contains_key(&symbol)) {
            name.push('_');
        }
        let id = self.builder.procedure(name);
        self.push_module(None, id, None, Vec::new(), FxHashMap::default(), None);
    }

    /// Modules that are declared and not defined.
    fn bodies_of_declared(&mut self) {
        let tree = self.tree;
        for module in tree.modules.iter().filter(|module| module.body.is_none()) {
            if !self.module_of.contains_key(&module.name.symbol) {
                let message = format!("the module `{}` has no body", self.text(module.name));
                self.error::<()>(
                    "PD0143",
                    message,
                    module.name.span,
                    "declared here only",
                    "define it, or leave it out",
                );
            }
        }
    }

    /// Modules that are declared otherwise than they are defined.
    fn contradictions(&mut self) {
        // After other mistakes types may be stand-ins, which contradict without reason.
        if self.report.has_errors() {
            return;
        }
        let tree = self.tree;
        for declared in tree.modules.iter().filter(|module| module.body.is_none()) {
            let Some(defined) = self.module_of.get(&declared.name.symbol).copied() else { continue };
            if let Some(difference) = self.difference(declared, defined) {
                self.contradiction(declared.name, defined, &difference);
            }
        }
    }

    /// In what a declaration and a definition differ, if they do and the declaration has no other mistake.
    fn difference(&mut self, declared: &syntax::Module, defined: usize) -> Option<String> {
        let result = declared.result.iter().map(|it| self.shape(it)).collect::<Option<Vec<Shape>>>()?;
        let parameters = declared.parameters.iter().map(|it| self.shape(it)).collect::<Option<Vec<Shape>>>()?;
        let module = &self.modules[defined];
        if result.first() != module.result.as_ref().map(|entry| &entry.shape) {
            return Some("it returns something else".to_owned());
        }
        let (n, n_defined) = (parameters.len(), module.parameters.len());
        if n != n_defined {
            return Some(format!("the number of parameters is {n} here and {n_defined} there"));
        }
        let other = parameters.iter().zip(&module.parameters).position(|(shape, entry)| *shape != entry.shape)?;
        Some(format!("the type of parameter {} is another one", other + 1))
    }

    fn contradiction(&mut self, name: Name, defined: usize, difference: &str) {
        let message = format!("the module `{}` is declared otherwise than it is defined", self.text(name));
        let place = self.modules[defined].name.map_or(name.span, |name| name.span);
        self.report.push(
            Diagnostic::error("PD0147", message)
                .at(name.span, difference)
                .also(place, "defined here")
                .help("declare it with the types of the definition, or leave the declaration out"),
        );
    }

    fn push_module(
        &mut self,
        name: Option<Name>,
        id: ProcedureId,
        result: Option<Entry>,
        parameters: Vec<Entry>,
        locals: FxHashMap<Symbol, Entry>,
        source: Option<usize>,
    ) {
        let nowhere = LocationId(0);
        self.modules.push(Module { name, id, result, parameters, locals, source, entry: nowhere, exit: nowhere });
    }

    fn module(&mut self, at: usize, module: &syntax::Module) {
        let name = module.name;
        if let Some(first) = self.module_of.get(&name.symbol) {
            let first = self.modules[*first].name.map_or(name.span, |name| name.span);
            self.twice::<()>(name, first);
            return;
        }
        let id = self.builder.procedure(self.text(name));
        self.module_of.insert(name.symbol, self.modules.len());
        let result = module.result.as_ref().and_then(|result| self.entry(result, Home::Result(id), Some("return")));
        let mut locals: FxHashMap<Symbol, Entry> = FxHashMap::default();
        let mut parameters = Vec::new();
        for declaration in &module.parameters {
            if let Some(entry) = self.entry(declaration, Home::Parameter(id), None) {
                parameters.push(entry.clone());
                self.local(declaration.name, entry, &mut locals);
            }
        }
        for declaration in module.body.iter().flat_map(|body| &body.locals) {
            if let Some(entry) = self.entry(declaration, Home::Local(id), None) {
                self.local(declaration.name, entry, &mut locals);
            }
        }
        self.push_module(Some(name), id, result, parameters, locals, Some(at));
    }

    fn local(&mut self, name: Name, entry: Entry, locals: &mut FxHashMap<Symbol, Entry>) {
        match locals.get(&name.symbol) {
            Some(first) => {
                let first = first.span;
                self.twice::<()>(name, first);
            }
            None => drop(locals.insert(name.symbol, entry)),
        }
    }

    fn entry(&mut self, declaration: &Declaration, home: Home, name: Option<&str>) -> Option<Entry> {
        let shape = self.shape_or_wrong(declaration);
        let taken = self.constants.get(&declaration.name.symbol).map(|(_, span)| *span);
        let taken = taken.or(self.types.values.get(&declaration.name.symbol).map(|(_, _, span)| *span));
        if let Some(first) = taken.filter(|_| name.is_none()) {
            return self.twice(declaration.name, first);
        }
        let text = name.unwrap_or_else(|| self.text(declaration.name));
        let mut leaves = Vec::new();
        for leaf in self.leaves(&shape) {
            let mut full = text.to_owned();
            for field in &leaf.path {
                full = full + "." + self.tree.names.text(*field);
            }
            leaves.push((self.leaf(full, &leaf, home, declaration.name.span), leaf));
        }
        Some(Entry { shape, leaves, span: declaration.name.span })
    }

    fn leaf(&mut self, name: String, leaf: &Leaf, home: Home, span: Span) -> VariableId {
        self.origins.variables.push(Some(span));
        let variable = match home {
            Home::Shared => self.builder.shared(name, leaf.sort()),
            Home::Private => self.builder.private(name, leaf.sort()),
            Home::Parameter(procedure) => self.builder.parameter(procedure, name, leaf.sort()),
            Home::Result(procedure) => self.builder.result(procedure, name, leaf.sort()),
            Home::Local(procedure) => self.builder.local(procedure, name, leaf.sort()),
        };
        self.writing.note(variable, leaf.written());
        variable
    }
}

/// Whether a statement starts a thread.
fn forks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Fork(_) => true,
        StatementKind::If(guarded) | StatementKind::Do(guarded) => {
            guarded.iter().any(|guarded| guarded.statements.iter().any(forks))
        }
        _ => false,
    }
}
