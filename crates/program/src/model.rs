//! Programs, procedures, locations, edges, threads.

use base::{IdVec, define_ids};

use crate::{Expr, Relation, Sort};

define_ids! {
    /// A variable of any scope.
    VariableId,
    /// A procedure.
    ProcedureId,
    /// A control point of a procedure.
    LocationId,
    /// An edge between two locations.
    EdgeId,
    /// An enumeration.
    EnumId,
}

/// A whole program. Ids are positions in its tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Enumerations, for [`Sort::Enum`].
    pub enums: IdVec<EnumId, Enumeration>,
    /// Variables of all scopes.
    pub variables: IdVec<VariableId, Variable>,
    /// Procedures.
    pub procedures: IdVec<ProcedureId, Procedure>,
    /// Control points of all procedures.
    pub locations: IdVec<LocationId, Location>,
    /// Edges of all procedures.
    pub edges: IdVec<EdgeId, Edge>,
    /// A procedure without parameters that runs alone before any thread does.
    pub init: Option<ProcedureId>,
    /// The threads that exist from the start (after `init`). One thread: a sequential program.
    pub threads: Vec<Thread>,
    /// A condition on the shared and private variables at the very start, and, when there is neither an `init` nor
    /// more than one thread, on the first frame as well. What it leaves open is arbitrary.
    pub start: Expr,
    /// While this holds (over shared variables), the active thread keeps running.
    pub uninterruptible: Expr,
}

/// Names that stand for values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// Name of the enumeration.
    pub name: String,
    /// Names of its values, at least one.
    pub values: Vec<String>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Name as the user wrote it; unique within its scope.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Who sees it.
    pub scope: Scope,
}

/// Who sees a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// All threads.
    Shared,
    /// One thread, in all of its procedures: every thread has its own copy.
    Private,
    /// One frame of a procedure.
    Local(ProcedureId),
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedure {
    /// Name; unique in the program.
    pub name: String,
    /// Locals that callers set.
    pub parameters: Vec<VariableId>,
    /// Locals that callers read when the procedure has reached an exit.
    pub results: Vec<VariableId>,
    /// All other locals.
    pub locals: Vec<VariableId>,
    /// Control points, in source order.
    pub locations: Vec<LocationId>,
    /// Where calls may enter; the first one is meant when none is named.
    pub entries: Vec<LocationId>,
    /// Where the procedure returns; no edge leaves them.
    pub exits: Vec<LocationId>,
    /// Shared and private variables, in ascending order, that neither this procedure nor any that it may call reads or
    /// writes. `verify` checks the claim; engines for sequential programs need not carry these through the procedure.
    pub untouched: Vec<VariableId>,
}

impl Procedure {
    /// Parameters, results and other locals.
    pub fn frame(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.parameters.iter().chain(&self.results).chain(&self.locals).copied()
    }
}

/// A control point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The procedure it belongs to.
    pub procedure: ProcedureId,
    /// Labels that the user gave to it.
    pub labels: Vec<String>,
    /// What being here means.
    pub role: Role,
    /// While a thread has a frame here, no other thread runs. A frame that waits for a call is where the call started.
    pub atomic: bool,
}

/// What being at a location means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Plain,
    /// An assertion has been violated.
    Violation,
    /// The middle of what is one step of the source: no moment of its own. Temporal properties do not see it.
    Between,
    /// Behind a call, before its results are stored. Passing it is no moment of its own, but a run that cannot go on stays
    /// here.
    Returned,
}

impl Role {
    /// Whether passing the location is a moment of its own.
    #[must_use]
    pub fn is_moment(self) -> bool {
        matches!(self, Self::Plain | Self::Violation)
    }
}

/// A labelled step from one location to another of the same procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends; for a call: where the caller goes on.
    pub target: LocationId,
    /// What it does.
    pub kind: EdgeKind,
}

/// What an edge does. An edge is atomic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// Changes data.
    Step(Relation),
    /// Calls a procedure and goes on when it has returned.
    Call(Box<Call>),
    /// Starts a thread.
    Spawn(Box<Spawn>),
}

impl EdgeKind {
    /// The relations of an edge: one, or entering and leaving.
    pub fn relations(&self) -> impl Iterator<Item = &Relation> {
        let (first, second) = match self {
            Self::Step(relation) => (relation, None),
            Self::Call(call) => (&call.enter, Some(&call.leave)),
            Self::Spawn(spawn) => (&spawn.enter, None),
        };
        std::iter::once(first).chain(second)
    }
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The procedure called.
    pub callee: ProcedureId,
    /// One of its entries.
    pub entry: LocationId,
    /// From the caller's state to the callee's first.
    pub enter: Relation,
    /// From the callee's last state and the saved frame to the caller's next.
    pub leave: Relation,
}

/// The start of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawn {
    /// The procedure in which the new thread starts.
    pub callee: ProcedureId,
    /// One of its entries.
    pub entry: LocationId,
    /// From the spawning thread's state to the shared state and the new thread's first frame.
    pub enter: Relation,
}

/// A thread that exists from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Name shown to the user.
    pub name: String,
    /// The procedure in which it starts, at its first entry. Its frame is arbitrary.
    pub start: ProcedureId,
}

impl Program {
    /// The sort of a variable.
    #[must_use]
    pub fn sort(&self, variable: VariableId) -> &Sort {
        &self.variables[variable].sort
    }

    /// `procedure::name` for locals, the name for others.
    #[must_use]
    pub fn qualified_name(&self, variable: VariableId) -> String {
        let Variable { name, scope, .. } = &self.variables[variable];
        match scope {
            Scope::Local(procedure) => format!("{}::{name}", self.procedures[*procedure].name),
            Scope::Shared | Scope::Private => name.clone(),
        }
    }

    /// Variables of a scope in order of their ids.
    pub fn variables_in(&self, scope: Scope) -> impl Iterator<Item = VariableId> + '_ {
        self.variables.iter_ids().filter(move |(_, variable)| variable.scope == scope).map(|(id, _)| id)
    }

    /// The procedure of the only thread, when the program is sequential: one thread, no `init`, no spawns.
    #[must_use]
    pub fn sequential_start(&self) -> Option<ProcedureId> {
        let spawns = self.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_)));
        match self.threads.as_slice() {
            [only] if self.init.is_none() && !spawns => Some(only.start),
            _ => None,
        }
    }

    /// True when there is a single thread and no other is ever started: then nothing interleaves, also with an `init`.
    #[must_use]
    pub fn is_single_threaded(&self) -> bool {
        let spawns = self.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_)));
        self.threads.len() == 1 && !spawns
    }

    /// A name for a location that a person can find: `procedure.position`.
    #[must_use]
    pub fn location_name(&self, location: LocationId) -> String {
        let procedure = &self.procedures[self.locations[location].procedure];
        let position = procedure.locations.binary_search(&location).unwrap_or(usize::MAX);
        format!("{}.{position}", procedure.name)
    }
}
