//! The run of one thread when the shared values at its switches are known.
//!
//! That is a question about a sequential program: at every location where the thread may be interrupted, if the shared
//! values are those with which its context ends, they may become those with which its next context begins. A variable
//! counts the contexts, another one knows whether a waiting frame is at an atomic location.

use base::StopReason;
use program::{
    Action, BinaryOp, Choice, Edge, EdgeKind, Expr, Location, LocationId, ProcedureId, Program, Relation, Rhs, Role,
    Run, RunId, Scope, Sort, TraceStep, Update, Value, Variable, VariableId, When,
};

use crate::halt::Halt;
use crate::saturation::Saturation;
use crate::{Context, Engine, Task};

/// Values of shared variables.
pub(super) type Values = Vec<(VariableId, Value)>;

/// One context of the thread.
pub(super) struct Leg {
    pub(super) begins: Values,
    /// None: at the last location, whatever the values.
    pub(super) ends: Option<Values>,
}

/// What a thread is to do.
pub(super) struct Route {
    pub(super) thread: usize,
    /// Shared values at the start of the program.
    pub(super) first: Values,
    pub(super) legs: Vec<Leg>,
    /// Where it is in the end.
    pub(super) last: LocationId,
}

/// What a thread does.
pub(super) struct Lane {
    /// What it owns at its start.
    pub(super) start: Vec<Choice>,
    /// Its steps by context.
    pub(super) contexts: Vec<Vec<TraceStep>>,
    pub(super) runs: Vec<Run>,
}

/// Finds a run along a route; none if there is none.
pub(super) fn find(task: &Task<'_>, context: &Context<'_>, route: &Route) -> Result<Option<Lane>, Halt> {
    let mut builder = Builder::new(task.program, route);
    let goal = builder.build();
    let mut lengths = task.lengths.to_vec();
    if !lengths.is_empty() {
        lengths.resize(builder.program.edges.len(), 1);
    }
    let alone = Task {
        program: &builder.program,
        targets: &[goal],
        lengths: &lengths,
        bound: None,
        traces: true,
        certificate: false,
    };
    let mut answer = Saturation::Forward.solve(&alone, context);
    let Some((_, trace)) = answer.traces.pop() else {
        let limit = |reason: StopReason| Err(Halt::Limit(reason));
        return answer.stopped.map_or(Ok(None), limit);
    };
    let reader =
        Reader { original: task.program, thread: route.thread as u32, jumps: &builder.jumps, old: &trace.runs };
    Ok(Some(reader.read(&trace.start, &trace.steps)))
}

/// Makes the sequential program.
struct Builder<'a> {
    original: &'a Program,
    route: &'a Route,
    program: Program,
    /// Counts contexts.
    turn: VariableId,
    /// Whether a waiting frame is at an atomic location; none if that never happens.
    held: Option<VariableId>,
    /// By added edge: does it end a context?
    jumps: Vec<bool>,
}

impl<'a> Builder<'a> {
    fn new(original: &'a Program, route: &'a Route) -> Self {
        let mut program = original.clone();
        program.threads = vec![original.threads[route.thread].clone()];
        program.uninterruptible = Expr::FALSE;
        let turn = VariableId(program.variables.len() as u32);
        let width = usize::BITS - route.legs.len().leading_zeros();
        let sort = Sort::Bits(width.max(1));
        program.variables.push(Variable { name: "(turn)".to_owned(), sort, scope: Scope::Shared });
        Self { original, route, program, turn, held: None, jumps: Vec::new() }
    }

    fn build(&mut self) -> LocationId {
        let procedures = self.procedures();
        self.hold();
        self.begin();
        for procedure in procedures {
            self.move_exits(procedure);
            for location in self.original.procedures[procedure].locations.clone() {
                if !self.original.locations[location].atomic {
                    self.interrupt(location);
                }
            }
        }
        self.finish()
    }

    /// The procedures that the thread may be in.
    fn procedures(&self) -> Vec<ProcedureId> {
        let mut seen = vec![false; self.original.procedures.len()];
        let mut calls: Vec<Vec<ProcedureId>> = vec![Vec::new(); seen.len()];
        for edge in &self.original.edges {
            if let EdgeKind::Call(call) = &edge.kind {
                calls[self.original.locations[edge.source].procedure.0 as usize].push(call.callee);
            }
        }
        let mut open = vec![self.program.threads[0].start];
        while let Some(procedure) = open.pop() {
            if !std::mem::replace(&mut seen[procedure.0 as usize], true) {
                open.extend(&calls[procedure.0 as usize]);
            }
        }
        self.original.procedures.ids().filter(|id| seen[id.0 as usize]).collect()
    }

    /// Calls from atomic locations hold the turn until they return.
    fn hold(&mut self) {
        let is_atomic = |edge: &Edge| self.original.locations[edge.source].atomic;
        let is_call = |edge: &Edge| matches!(edge.kind, EdgeKind::Call(_));
        if !self.original.edges.iter().any(|edge| is_call(edge) && is_atomic(edge)) {
            return;
        }
        let held = self.variable("(held)", Scope::Shared);
        self.held = Some(held);
        for id in self.original.procedures.ids() {
            let before = self.variable("(held before)", Scope::Local(id));
            self.program.procedures[id].locals.push(before);
            for edge in
                self.program.edges.iter_mut().filter(|edge| self.original.locations[edge.source].procedure == id)
            {
                if let EdgeKind::Call(call) = &mut edge.kind
                    && self.original.locations[edge.source].atomic
                {
                    let saved = Rhs::Expr(Expr::before(held));
                    call.enter.updates.push(Update { variable: before, index: None, when: When::Saved, value: saved });
                    call.enter.updates.push(Update::assign(held, Expr::TRUE));
                    call.leave.updates.push(Update::assign(held, Expr::before(before)));
                }
            }
        }
    }

    fn variable(&mut self, name: &str, scope: Scope) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        self.program.variables.push(Variable { name: name.to_owned(), sort: Sort::Bool, scope });
        id
    }

    /// The thread starts in a state that the start of the program allows, with the shared values of its first context.
    fn begin(&mut self) {
        let first = &self.route.first;
        let sorts = &self.original.variables;
        let known = |id: VariableId| first.iter().find(|(known, _)| *known == id).map(|(_, value)| value.clone());
        let start = self.program.start.clone().map(&mut |expr| match expr {
            Expr::Read(id, When::Before) => match known(id) {
                Some(value) => Expr::Const(value, sorts[id].sort.clone()),
                None => expr,
            },
            other => other,
        });
        let begins = self.route.legs.first().map_or(Expr::TRUE, |leg| self.equal(&leg.begins));
        let free = self.held.map_or(Expr::TRUE, |held| Expr::before(held).not());
        self.program.start = start.and(begins).and(free).and(self.is_turn(0));
    }

    /// Exits have no edges, so that what is an exit becomes a place from which there is a step to one.
    fn move_exits(&mut self, procedure: ProcedureId) {
        for exit in std::mem::take(&mut self.program.procedures[procedure].exits) {
            let moved = self.location(procedure);
            self.edge(exit, moved, Relation::identity(), false);
            self.program.procedures[procedure].exits.push(moved);
        }
    }

    /// A context may end here and the next one begin.
    fn interrupt(&mut self, location: LocationId) {
        for (at, legs) in self.route.legs.windows(2).enumerate() {
            let Some(ends) = &legs[0].ends else { continue };
            let assign = |(id, value): &(VariableId, Value)| Update::assign(*id, self.constant(*id, value));
            let mut updates: Vec<Update> = legs[1].begins.iter().map(assign).collect();
            updates.push(Update::assign(self.turn, self.number(at + 1)));
            let relation = Relation { guard: self.may_end(at, ends), updates, constraint: Expr::TRUE };
            self.edge(location, location, relation, true);
        }
    }

    fn may_end(&self, at: usize, ends: &Values) -> Expr {
        let free = self.held.map_or(Expr::TRUE, |held| Expr::before(held).not());
        self.is_turn(at).and(free).and(self.equal(ends))
    }

    /// The end of the route.
    fn finish(&mut self) -> LocationId {
        let goal = self.location(self.original.locations[self.route.last].procedure);
        let at = self.route.legs.len().saturating_sub(1);
        let guard = match self.route.legs.last().and_then(|leg| leg.ends.as_ref()) {
            Some(ends) => self.may_end(at, ends),
            None => self.is_turn(at),
        };
        self.edge(self.route.last, goal, Relation::assume(guard), false);
        goal
    }

    fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let id = LocationId(self.program.locations.len() as u32);
        self.program.locations.push(Location { procedure, labels: Vec::new(), role: Role::Plain, atomic: false });
        self.program.procedures[procedure].locations.push(id);
        id
    }

    fn edge(&mut self, source: LocationId, target: LocationId, relation: Relation, is_jump: bool) {
        self.program.edges.push(Edge { source, target, kind: EdgeKind::Step(relation) });
        self.jumps.push(is_jump);
    }

    fn constant(&self, id: VariableId, value: &Value) -> Expr {
        Expr::Const(value.clone(), self.original.variables[id].sort.clone())
    }

    fn equal(&self, values: &Values) -> Expr {
        Expr::all_of(values.iter().map(|(id, value)| Expr::before(*id).eq(self.constant(*id, value))))
    }

    fn number(&self, turn: usize) -> Expr {
        Expr::Const(Value::Bits(turn as u64), self.program.variables[self.turn].sort.clone())
    }

    fn is_turn(&self, turn: usize) -> Expr {
        Expr::Binary(BinaryOp::Eq, Box::new(Expr::before(self.turn)), Box::new(self.number(turn)))
    }
}

/// Reads a trace of the sequential program as one of the thread.
struct Reader<'a> {
    original: &'a Program,
    thread: u32,
    jumps: &'a [bool],
    old: &'a [Run],
}

impl Reader<'_> {
    fn read(&self, start: &[Choice], steps: &[TraceStep]) -> Lane {
        let is_shared = |choice: &Choice| {
            self.original.variables.get(choice.variable).is_none_or(|variable| variable.scope == Scope::Shared)
        };
        let start = start.iter().filter(|choice| !is_shared(choice)).cloned().collect();
        let mut lane = Lane { start, contexts: vec![Vec::new()], runs: Vec::new() };
        let number = self.runs(&mut lane.runs);
        // Steps to read, and what comes after them: calls nest as deep as the run does.
        let mut open: Vec<(&[TraceStep], Option<TraceStep>)> = vec![(steps, None)];
        while let Some((steps, after)) = open.pop() {
            let Some((step, rest)) = steps.split_first() else {
                after.into_iter().for_each(|step| lane.push(step));
                continue;
            };
            open.push((rest, after));
            match step.action {
                Action::Across(edge, run) if number[run.0 as usize].is_none() => {
                    // There is a switch inside.
                    let run = &self.old[run.0 as usize];
                    let (saved, left): (Vec<Choice>, Vec<Choice>) =
                        step.choices.iter().cloned().partition(|choice| choice.when == When::Saved);
                    let entered = TraceStep { choices: [run.entry.clone(), saved].concat(), ..step.clone() };
                    lane.push(self.step(&TraceStep { action: Action::Enter(edge), ..entered }));
                    let back = TraceStep { action: Action::Return, choices: left, ..step.clone() };
                    open.push((&run.steps, Some(self.step(&back))));
                }
                Action::Take(edge) if self.is_added(edge) => {
                    if self.is_jump(step) {
                        lane.contexts.push(Vec::new());
                    }
                }
                Action::Across(..) => lane.push(self.renumbered(step, &number)),
                Action::Take(_) | Action::Enter(_) | Action::Return => lane.push(self.step(step)),
            }
        }
        lane
    }

    /// Takes over the runs without a switch inside; the new number of each.
    fn runs(&self, runs: &mut Vec<Run>) -> Vec<Option<RunId>> {
        let mut number: Vec<Option<RunId>> = Vec::new();
        for run in self.old {
            let is_whole = run.steps.iter().all(|step| match step.action {
                Action::Across(_, inner) => number[inner.0 as usize].is_some(),
                _ => !self.is_jump(step),
            });
            number.push(is_whole.then_some(RunId(runs.len() as u32)));
            if is_whole {
                let kept =
                    run.steps.iter().filter(|step| !matches!(step.action, Action::Take(edge) if self.is_added(edge)));
                let steps = kept.map(|step| self.renumbered(step, &number)).collect();
                runs.push(Run { entry: self.choices(&run.entry), steps });
            }
        }
        number
    }

    fn renumbered(&self, step: &TraceStep, number: &[Option<RunId>]) -> TraceStep {
        let mut step = self.step(step);
        if let Action::Across(_, run) = &mut step.action
            && let Some(new) = number[run.0 as usize]
        {
            *run = new;
        }
        step
    }

    fn step(&self, step: &TraceStep) -> TraceStep {
        TraceStep { thread: self.thread, action: step.action, choices: self.choices(&step.choices) }
    }

    fn choices(&self, choices: &[Choice]) -> Vec<Choice> {
        let is_known = |choice: &&Choice| self.original.variables.get(choice.variable).is_some();
        choices.iter().filter(is_known).cloned().collect()
    }

    fn is_added(&self, edge: program::EdgeId) -> bool {
        edge.0 as usize >= self.original.edges.len()
    }

    fn is_jump(&self, step: &TraceStep) -> bool {
        let Action::Take(edge) = step.action else { return false };
        let at = (edge.0 as usize).checked_sub(self.original.edges.len());
        at.is_some_and(|at| self.jumps[at])
    }
}

impl Lane {
    /// Adds to the last context.
    fn push(&mut self, step: TraceStep) {
        if let Some(context) = self.contexts.last_mut() {
            context.push(step);
        }
    }
}
