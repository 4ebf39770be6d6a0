//! Locations and edges.

use base::{Diagnostic, Span};
use program::{Call as CallEdge, EdgeKind, Expr as Model, LocationId, Relation, Spawn, When};

use super::super::syntax::{Assign, Call, Expr, Guarded, Name, Statement, StatementKind};
use super::Lowering;
use super::assign::{Effect, Writes};
use super::place::Place;

/// Where a label is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) location: LocationId,
    pub(super) module: usize,
    pub(super) span: Span,
    /// Not only rules name it.
    pub(super) has_statement: bool,
}

/// What surrounds a statement.
#[derive(Clone, Copy)]
struct Around {
    /// Where execution goes on.
    next: LocationId,
    /// Where `break` leads.
    after_loop: Option<LocationId>,
}

impl<'t> Lowering<'t> {
    /// All modules: first the locations of all, then the edges.
    pub(super) fn bodies(&mut self) {
        let mut places = vec![LocationId(0); self.tree.n_statements];
        for module in 0..self.modules.len() {
            self.locations(module, &mut places);
        }
        let n_with_statements = self.modules.len();
        self.symbols();
        for module in 0..n_with_statements {
            self.current = module;
            let exit = self.modules[module].exit;
            let around = Around { next: exit, after_loop: None };
            self.block(self.statements_of(module), around, &places);
        }
        self.rules();
    }

    fn statements_of(&self, module: usize) -> &'t [Statement] {
        let tree = self.tree;
        match self.modules[module].source {
            Some(at) => tree.modules[at].body.as_ref().map_or(&[], |body| &body.statements),
            None => &tree.statements,
        }
    }

    fn locations(&mut self, module: usize, places: &mut [LocationId]) {
        self.current = module;
        let statements = self.statements_of(module);
        self.block_locations(statements, places);
        let id = self.modules[module].id;
        let end = self.modules[module].source.and_then(|at| self.tree.modules[at].body.as_ref()).map(|body| body.end);
        let exit = self.builder.location(id);
        self.origins.locations.push(end);
        self.builder.exit(exit);
        let name = self.modules[module].name;
        let entry = match (statements.first(), name) {
            (Some(first), _) => places[first.id],
            // Rules instead of statements.
            (None, Some(name)) if self.starts_rule(name) => {
                self.origins.locations.push(Some(name.span));
                self.builder.location(id)
            }
            // A module without statements returns all the same.
            (None, Some(_)) => {
                let entry = self.builder.location(id);
                self.origins.locations.push(end);
                self.builder.step(entry, exit, Relation::identity());
                self.origins.edges.push(end);
                entry
            }
            (None, None) => exit,
        };
        self.builder.entry(entry);
        self.modules[module].entry = entry;
        self.modules[module].exit = exit;
        if let Some(name) = name {
            self.label(name, entry, true);
        }
    }

    fn block_locations(&mut self, statements: &[Statement], places: &mut [LocationId]) {
        let id = self.modules[self.current].id;
        for statement in statements {
            let location = self.builder.location(id);
            self.origins.locations.push(Some(statement.span));
            places[statement.id] = location;
            for label in &statement.labels {
                self.label(*label, location, true);
            }
            if let StatementKind::If(guarded) | StatementKind::Do(guarded) = &statement.kind {
                for guarded in guarded {
                    self.block_locations(&guarded.statements, places);
                }
            }
        }
    }

    /// Labels are global.
    pub(super) fn label(&mut self, name: Name, location: LocationId, has_statement: bool) {
        if let Some(first) = self.labels.get(&name.symbol) {
            let first = first.span;
            self.twice::<()>(name, first);
            return;
        }
        self.labels.insert(name.symbol, Label { location, module: self.current, span: name.span, has_statement });
        self.builder.label(location, self.text(name));
    }

    /// The first location of a block, or where it leads when it is empty.
    fn first(statements: &[Statement], next: LocationId, places: &[LocationId]) -> LocationId {
        statements.first().map_or(next, |first| places[first.id])
    }

    fn block(&mut self, statements: &[Statement], around: Around, places: &[LocationId]) {
        for (at, statement) in statements.iter().enumerate() {
            let next = Self::first(&statements[at + 1..], around.next, places);
            self.n_parts = 0;
            let before = self.builder.program().edges.len();
            if self.statement(statement, Around { next, ..around }, places).is_some() {
                self.warn_of_impossible(statement, before);
            }
        }
    }

    /// A statement of which no edge can ever be taken is no mistake, but hardly meant; `skip (false)` is.
    fn warn_of_impossible(&mut self, statement: &Statement, before: usize) {
        let is_meant = match &statement.kind {
            StatementKind::If(_) | StatementKind::Do(_) => true,
            StatementKind::Skip(condition) => condition.as_ref().is_none_or(|it| matches!(it, Expr::Bool(..))),
            _ => false,
        };
        let edges = self.builder.program().edges.iter().skip(before);
        let is_impossible = |edge: &program::Edge| match &edge.kind {
            EdgeKind::Step(relation) => relation.guard == Model::FALSE,
            EdgeKind::Call(call) => [&call.enter, &call.leave].iter().any(|part| part.guard == Model::FALSE),
            EdgeKind::Spawn(spawn) => spawn.enter.guard == Model::FALSE,
        };
        if !is_meant && edges.into_iter().all(is_impossible) {
            self.report.push(
                Diagnostic::warning("PD0152", "this statement is never possible")
                    .at(statement.span, "a value does not fit, an element does not exist, or a condition is never true")
                    .help("a run that comes here cannot go on: there is no wrap-around"),
            );
        }
    }

    fn step(&mut self, statement: &Statement, target: LocationId, relation: Relation, places: &[LocationId]) {
        self.origins.edges.push(Some(statement.span));
        self.builder.step(places[statement.id], target, relation);
    }

    /// The edges of a statement. `None`: an error has been reported.
    fn statement(&mut self, statement: &Statement, around: Around, places: &[LocationId]) -> Option<()> {
        let here = places[statement.id];
        match &statement.kind {
            StatementKind::If(guarded) => self.guarded(guarded, here, around, places),
            StatementKind::Do(guarded) => {
                let inside = Around { next: here, after_loop: Some(around.next) };
                self.guarded(guarded, here, inside, places);
            }
            StatementKind::Assign(assigns) => {
                for effect in self.assigns(assigns, Writes::After)? {
                    self.step(statement, around.next, effect.relation(), places);
                }
            }
            StatementKind::Goto { target, assigns } => {
                let target = self.target(*target)?;
                for effect in self.assigns(assigns, Writes::After)? {
                    self.step(statement, target, effect.relation(), places);
                }
            }
            StatementKind::Break => match around.after_loop {
                Some(after) => self.step(statement, after, Relation::identity(), places),
                None => {
                    let message = "`break` outside of a loop".to_owned();
                    return self.error("PD0132", message, statement.span, "there is no `do` around it", "use `goto`");
                }
            },
            StatementKind::Skip(condition) => {
                let guard = condition.as_ref().map_or(Some(Model::TRUE), |condition| self.bool(condition))?;
                self.step(statement, around.next, Relation::assume(guard), places);
            }
            StatementKind::Return(value) => self.return_(statement, value.as_ref(), places)?,
            StatementKind::Call { call, result, assigns } => {
                self.call(statement, call, result.as_ref(), assigns, around.next, places)?;
            }
            StatementKind::Fork(call) => self.fork(statement, call, around.next, places)?,
        }
        Some(())
    }

    fn guarded(&mut self, all: &[Guarded], here: LocationId, around: Around, places: &[LocationId]) {
        let conditions: Vec<Option<Model>> = all
            .iter()
            .map(|guarded| guarded.condition.as_ref().map(|it| self.bool(it).unwrap_or(Model::FALSE)))
            .collect();
        let otherwise = || Model::any_of(conditions.iter().flatten().cloned()).not();
        for (guarded, condition) in all.iter().zip(&conditions) {
            let guard = condition.clone().unwrap_or_else(otherwise);
            let target = Self::first(&guarded.statements, around.next, places);
            self.origins.edges.push(Some(guarded.span));
            self.builder.step(here, target, Relation::assume(guard));
            self.block(&guarded.statements, around, places);
        }
    }

    /// A label of the same module.
    fn target(&mut self, name: Name) -> Option<LocationId> {
        self.jumps.insert(name.symbol);
        match self.labels.get(&name.symbol).copied() {
            Some(label) if label.module == self.current => Some(label.location),
            Some(label) => {
                let message = format!("the label `{}` is in another module", self.text(name));
                self.report.push(
                    Diagnostic::error("PD0131", message)
                        .at(name.span, "jumps stay inside of a module")
                        .also(label.span, "the label")
                        .help("call the module instead"),
                );
                None
            }
            None if self.tree.lost_statements => None,
            None => {
                self.unknown("PD0130", "label", name, Self::known_labels, "write it before a statement: `L: skip;`")
            }
        }
    }

    fn return_(&mut self, statement: &Statement, value: Option<&Expr>, places: &[LocationId]) -> Option<()> {
        let (result, exit) = (self.modules[self.current].result.clone(), self.modules[self.current].exit);
        let mut effect = Effect::default();
        match (result, value) {
            (None, None) => {}
            (Some(result), Some(value)) => {
                let value = self.typed(value)?;
                let target = Place::whole(&result, When::Before);
                self.store(&target, value, statement.span, Writes::After, &mut effect)?;
            }
            (Some(_), None) => {
                let message = "this module returns a value".to_owned();
                return self.error("PD0133", message, statement.span, "a value is missing", "write `return ...;`");
            }
            (None, Some(value)) => {
                let message = "this module returns nothing".to_owned();
                return self.error("PD0133", message, value.span(), "a value", "write `return;`");
            }
        }
        self.step(statement, exit, effect.relation(), places);
        Some(())
    }

    fn callee(&mut self, call: &Call) -> Option<usize> {
        let Some(callee) = self.module_of.get(&call.callee.symbol).copied() else {
            let known = |it: &Self| it.tree.modules.iter().map(|module| module.name.symbol).collect();
            return self.unknown("PD0128", "module", call.callee, known, "write `module ...`");
        };
        let (n, given) = (self.modules[callee].parameters.len(), call.arguments.len());
        if n != given {
            let arguments = if n == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {n} {arguments}, not {given}", self.text(call.callee));
            return self.error("PD0129", message, call.span, "called here", "");
        }
        Some(callee)
    }

    /// Gives the parameters their values.
    fn arguments(&mut self, call: &Call, callee: usize, effect: &mut Effect) -> Option<()> {
        let parameters = self.modules[callee].parameters.clone();
        for (parameter, argument) in parameters.iter().zip(&call.arguments) {
            let value = self.typed(argument)?;
            let target = Place::whole(parameter, When::Before);
            self.store(&target, value, argument.span(), Writes::Callee, effect)?;
        }
        Some(())
    }

    fn call(
        &mut self,
        statement: &Statement,
        call: &Call,
        result: Option<&Expr>,
        assigns: &[Assign],
        next: LocationId,
        places: &[LocationId],
    ) -> Option<()> {
        let callee = self.callee(call)?;
        let leave = self.leave(call, callee, result)?.relation();
        for mut effect in self.assigns(assigns, Writes::Saved)? {
            self.arguments(call, callee, &mut effect)?;
            let Some((id, entry)) = self.modules.get(callee).map(|module| (module.id, module.entry)) else { continue };
            let edge = CallEdge { callee: id, entry, enter: effect.relation(), leave: leave.clone() };
            self.origins.edges.push(Some(statement.span));
            self.builder.call(places[statement.id], next, edge);
        }
        Some(())
    }

    /// What happens when the callee returns.
    fn leave(&mut self, call: &Call, callee: usize, target: Option<&Expr>) -> Option<Effect> {
        let mut effect = Effect::default();
        let Some(target) = target else { return Some(effect) };
        let Some(result) = self.modules[callee].result.clone() else {
            let message = format!("`{}` returns nothing", self.text(call.callee));
            return self.error("PD0138", message, call.span, "its value is used", "call it in a statement of its own");
        };
        let place = self.place(target)?;
        let span = target.span().to(call.span);
        let value = self.read(Place::whole(&result, When::Result), span)?;
        self.store(&place, value, span, Writes::After, &mut effect)?;
        Some(effect)
    }

    fn fork(&mut self, statement: &Statement, call: &Call, next: LocationId, places: &[LocationId]) -> Option<()> {
        let callee = self.callee(call)?;
        let mut effect = Effect::default();
        self.arguments(call, callee, &mut effect)?;
        let (id, entry) = (self.modules[callee].id, self.modules[callee].entry);
        self.origins.edges.push(Some(statement.span));
        self.builder.spawn(places[statement.id], next, Spawn { callee: id, entry, enter: effect.relation() });
        Some(())
    }
}
