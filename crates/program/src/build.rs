//! A builder for programs, used by front ends and tests.

use base::IdVec;
use rustc_hash::FxHashSet;

use crate::{
    Call, Edge, EdgeId, EdgeKind, EnumId, Enumeration, Expr, Location, LocationId, Procedure, ProcedureId, Program,
    Relation, Role, Scope, Sort, Spawn, Thread, Variable, VariableId,
};

/// Builds a [`Program`] piece by piece; [`crate::verify()`] judges the result.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    program: Program,
    /// The entries of all procedures: a procedure may have very many.
    entries: FxHashSet<LocationId>,
}

impl Default for ProgramBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ProgramBuilder {
    /// A program without variables, procedures or threads, and with no condition on its start.
    #[must_use]
    pub fn new() -> Self {
        let program = Program {
            enums: IdVec::new(),
            variables: IdVec::new(),
            procedures: IdVec::new(),
            locations: IdVec::new(),
            edges: IdVec::new(),
            init: None,
            threads: Vec::new(),
            start: Expr::TRUE,
            uninterruptible: Expr::FALSE,
        };
        Self { program, entries: FxHashSet::default() }
    }

    /// What has been built so far.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The finished program.
    #[must_use]
    pub fn finish(self) -> Program {
        self.program
    }

    /// Adds an enumeration.
    pub fn enumeration(&mut self, name: impl Into<String>, values: Vec<String>) -> EnumId {
        self.program.enums.push(Enumeration { name: name.into(), values })
    }

    /// Adds a shared variable.
    pub fn shared(&mut self, name: impl Into<String>, sort: Sort) -> VariableId {
        self.variable(name, sort, Scope::Shared)
    }

    /// Adds a thread-private variable.
    pub fn private(&mut self, name: impl Into<String>, sort: Sort) -> VariableId {
        self.variable(name, sort, Scope::Private)
    }

    /// Adds a procedure without variables or locations.
    pub fn procedure(&mut self, name: impl Into<String>) -> ProcedureId {
        self.program.procedures.push(Procedure { name: name.into(), ..Procedure::default() })
    }

    /// Adds a parameter.
    pub fn parameter(&mut self, procedure: ProcedureId, name: impl Into<String>, sort: Sort) -> VariableId {
        let id = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure].parameters.push(id);
        id
    }

    /// Adds a result.
    pub fn result(&mut self, procedure: ProcedureId, name: impl Into<String>, sort: Sort) -> VariableId {
        let id = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure].results.push(id);
        id
    }

    /// Adds another local.
    pub fn local(&mut self, procedure: ProcedureId, name: impl Into<String>, sort: Sort) -> VariableId {
        let id = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure].locals.push(id);
        id
    }

    fn variable(&mut self, name: impl Into<String>, sort: Sort, scope: Scope) -> VariableId {
        self.program.variables.push(Variable { name: name.into(), sort, scope })
    }

    /// Adds a plain location.
    pub fn location(&mut self, procedure: ProcedureId) -> LocationId {
        self.location_with(procedure, Role::Plain)
    }

    /// Adds a location with a role.
    pub fn location_with(&mut self, procedure: ProcedureId, role: Role) -> LocationId {
        let location = Location { procedure, labels: Vec::new(), role, atomic: false };
        let id = self.program.locations.push(location);
        self.program.procedures[procedure].locations.push(id);
        id
    }

    /// Gives a location a label.
    pub fn label(&mut self, location: LocationId, label: impl Into<String>) {
        self.program.locations[location].labels.push(label.into());
    }

    /// Marks a location as one in which no other thread may run.
    pub fn atomic(&mut self, location: LocationId) {
        self.program.locations[location].atomic = true;
    }

    /// Makes a location an entry of its procedure, unless it is one.
    pub fn entry(&mut self, location: LocationId) {
        if self.entries.insert(location) {
            let procedure = self.program.locations[location].procedure;
            self.program.procedures[procedure].entries.push(location);
        }
    }

    /// Makes a location the first entry of its procedure: that is where a thread begins.
    pub fn first_entry(&mut self, location: LocationId) {
        self.entry(location);
        let entries = &mut self.program.procedures[self.program.locations[location].procedure].entries;
        if let Some(at) = entries.iter().position(|entry| *entry == location) {
            entries[..=at].rotate_right(1);
        }
    }

    /// Makes a location an exit of its procedure.
    pub fn exit(&mut self, location: LocationId) {
        let procedure = self.program.locations[location].procedure;
        self.program.procedures[procedure].exits.push(location);
    }

    /// Adds a step.
    pub fn step(&mut self, source: LocationId, target: LocationId, relation: Relation) -> EdgeId {
        self.edge(source, target, EdgeKind::Step(relation))
    }

    /// Adds a call.
    pub fn call(&mut self, source: LocationId, target: LocationId, call: Call) -> EdgeId {
        self.edge(source, target, EdgeKind::Call(Box::new(call)))
    }

    /// Adds the start of a thread.
    pub fn spawn(&mut self, source: LocationId, target: LocationId, spawn: Spawn) -> EdgeId {
        self.edge(source, target, EdgeKind::Spawn(Box::new(spawn)))
    }

    fn edge(&mut self, source: LocationId, target: LocationId, kind: EdgeKind) -> EdgeId {
        self.program.edges.push(Edge { source, target, kind })
    }

    /// Adds a thread that exists from the start.
    pub fn thread(&mut self, name: impl Into<String>, start: ProcedureId) {
        self.program.threads.push(Thread { name: name.into(), start });
    }

    /// Sets the procedure that runs before all threads.
    pub fn init(&mut self, procedure: ProcedureId) {
        self.program.init = Some(procedure);
    }

    /// Adds a condition on the start.
    pub fn start(&mut self, condition: Expr) {
        let start = std::mem::replace(&mut self.program.start, Expr::TRUE);
        self.program.start = start.and(condition);
    }

    /// Sets the condition under which the active thread keeps running.
    pub fn uninterruptible(&mut self, condition: Expr) {
        self.program.uninterruptible = condition;
    }
}
