//! The product of a program and a Büchi automaton: a program whose runs are those runs of the program that the automaton
//! can read, with a mark where the automaton accepts.
//!
//! Every step of the program, and every call on entering, reads a letter: what is true of the configuration that it leaves.
//! Exits of procedures and locations in the middle of a step are no configurations of their own: a return, or what leaves
//! such a location, reads nothing. The new parts come after those of the
//! program, which keep their numbers:
//!
//! - `automaton`, shared: the automaton's state, unless there is only one;
//! - `mark`, shared: the automaton has just taken an accepting edge; unless all of its edges are accepting;
//! - `seen`, a result of each procedure: true only if `mark` was true since the procedure was entered. It may be false in
//!   any case, so that what was seen before a cycle need not be told apart;
//! - steps from a location to itself where the program cannot go on, and where it has ended, if runs that end count.

use base::{Context, Id as _, IdVec};
use program::{
    Action, BinaryOp, Call, Choice, Edge, EdgeId, EdgeKind, Expr, Lasso, Location, LocationId, NaryOp, Observation,
    Procedure, ProcedureId, Program, Relation, Role, Run, Scope, Sort, Thread, Trace, TraceStep, Update, Value,
    Variable, VariableId, When,
};
use property::{Automaton, Guard};

use crate::rewriting::{BackError, Rewritten};

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Runs {
    /// All: a run that ends, or cannot go on, stays in its last state.
    #[default]
    All,
    /// Only runs without end.
    Infinite,
}

/// A program with an automaton.
#[derive(Clone, Debug)]
pub struct Product {
    /// The product.
    pub program: Program,
    /// Steps that are meant to be possible only where the program cannot go on.
    pub stutters: Vec<EdgeId>,
    /// The variables `mark` and `seen`; none: every run without end is accepted.
    pub mark: Option<(VariableId, IdVec<ProcedureId, VariableId>)>,
    n_edges: usize,
    n_variables: usize,
    /// The call of the program's start procedure, where that had to be called.
    outermost: Option<EdgeId>,
}

/// Builds the product of a sequential program and an automaton whose atoms mean the observations.
#[must_use]
pub fn product(program: &Program, automaton: &Automaton, observations: &[Observation], runs: Runs) -> Product {
    let mut builder = Builder::new(program, automaton, observations);
    builder.read_on_edges();
    let ends = builder.end();
    if runs == Runs::All {
        builder.stay(&ends);
    }
    builder.start();
    builder.product
}

struct Builder<'a> {
    plain: &'a Program,
    automaton: &'a Automaton,
    observations: &'a [Observation],
    state: Option<VariableId>,
    product: Product,
}

impl<'a> Builder<'a> {
    fn new(plain: &'a Program, automaton: &'a Automaton, observations: &'a [Observation]) -> Self {
        let mut program = plain.clone();
        let mut shared = |name: &str, sort: Sort| {
            program.variables.push(Variable { name: name.to_owned(), sort, scope: Scope::Shared })
        };
        let width = u32::BITS - automaton.n_states.saturating_sub(1).leading_zeros();
        let state = (automaton.n_states > 1).then(|| shared("automaton", Sort::Bits(width)));
        let mark = automaton.edges.iter().any(|edge| !edge.accepting).then(|| shared("mark", Sort::Bool));
        let product = Product {
            program,
            stutters: Vec::new(),
            mark: None,
            n_edges: plain.edges.len(),
            n_variables: plain.variables.len(),
            outermost: None,
        };
        let mut builder = Self { plain, automaton, observations, state, product };
        builder.product.program.procedures.iter_mut().for_each(|procedure| procedure.untouched.clear());
        if let Some(mark) = mark {
            let seen = plain.procedures.ids().map(|procedure| builder.add_seen(procedure)).collect();
            builder.product.mark = Some((mark, seen));
        }
        builder
    }

    fn add_seen(&mut self, procedure: ProcedureId) -> VariableId {
        let variable = Variable { name: "seen".to_owned(), sort: Sort::Bool, scope: Scope::Local(procedure) };
        let seen = self.product.program.variables.push(variable);
        self.product.program.procedures[procedure].results.push(seen);
        seen
    }

    /// All edges of the program read the letter of their source.
    fn read_on_edges(&mut self) {
        let mut letters: IdVec<LocationId, Option<Expr>> = IdVec::filled(self.plain.locations.len(), None);
        for id in self.plain.edges.ids() {
            let source = self.plain.edges[id].source;
            let letter = letters[source].get_or_insert_with(|| self.letter(source)).clone();
            let procedure = self.plain.locations[source].procedure;
            let kind =
                std::mem::replace(&mut self.product.program.edges[id].kind, EdgeKind::Step(Relation::identity()));
            self.product.program.edges[id].kind = match kind {
                EdgeKind::Step(relation) => EdgeKind::Step(self.read_on_step(relation, procedure, letter)),
                EdgeKind::Call(call) => EdgeKind::Call(Box::new(self.read_on_call(*call, procedure, letter))),
                EdgeKind::Spawn(spawn) => EdgeKind::Spawn(spawn),
            };
        }
    }

    /// What the automaton may do when a location is left.
    fn letter(&self, location: LocationId) -> Expr {
        match self.plain.locations[location].role {
            role if role.is_moment() => self.reading(|it| it.at(self.plain, location)),
            _ => self.waiting(),
        }
    }

    /// The automaton reads nothing: it stays in its state, and accepts nothing.
    fn waiting(&self) -> Expr {
        let state = self.state.map(|state| Expr::after(state).eq(Expr::before(state)));
        let mark = self.product.mark.as_ref().map(|(mark, _)| Expr::after(*mark).not());
        Expr::all_of(state.into_iter().chain(mark))
    }

    /// What the automaton may do when it reads a letter: a condition on its states before and after. The meaning of an
    /// observation is given by its condition on the values before.
    fn reading(&self, meaning: impl Fn(&Observation) -> Expr) -> Expr {
        let atoms: Vec<Expr> = self.observations.iter().map(meaning).collect();
        let moves = self.automaton.edges.iter().map(|edge| {
            let mut parts = vec![condition(&edge.guard, &atoms)];
            if let Some(state) = self.state {
                let is = |when: When, value: u32| Expr::Read(state, when).eq(self.state_value(value));
                parts.extend([is(When::Before, edge.source.0), is(When::After, edge.target.0)]);
            }
            if let Some((mark, _)) = &self.product.mark {
                let mark = Expr::after(*mark);
                parts.push(if edge.accepting { mark } else { mark.not() });
            }
            Expr::all_of(parts)
        });
        Expr::any_of(moves)
    }

    fn state_value(&self, value: u32) -> Expr {
        let sort = self.state.map_or(Sort::Bool, |state| self.product.program.sort(state).clone());
        Expr::Const(Value::Bits(u64::from(value)), sort)
    }

    fn seen(&self, procedure: ProcedureId) -> Option<VariableId> {
        self.product.mark.as_ref().map(|(_, seen)| seen[procedure])
    }

    /// Adds the move of the automaton to a relation. What reads nothing after the step is a guard.
    fn with_move(&self, mut relation: Relation, letter: Expr) -> Relation {
        let mark = self.product.mark.as_ref().map(|(mark, _)| *mark);
        if self.state.is_none() && mark.is_none() {
            // Not simplified: what the program reads must keep its place in the product.
            relation.guard = relation.guard.and(letter);
            return relation;
        }
        relation.updates.extend(self.state.into_iter().chain(mark).map(Update::havoc));
        relation.constraint = relation.constraint.and(letter);
        relation
    }

    fn read_on_step(&self, relation: Relation, procedure: ProcedureId, letter: Expr) -> Relation {
        let mut relation = self.with_move(relation, letter);
        if let (Some(seen), Some((mark, _))) = (self.seen(procedure), &self.product.mark) {
            relation.updates.push(Update::havoc(seen));
            let either = Expr::Nary(NaryOp::Or, vec![Expr::before(seen), Expr::after(*mark)]);
            relation.constraint = relation.constraint.and(implies(Expr::after(seen), either));
        }
        relation
    }

    fn read_on_call(&self, mut call: Call, caller: ProcedureId, letter: Expr) -> Call {
        call.enter = self.with_move(call.enter, letter);
        let own = self.seen(caller).zip(self.seen(call.callee));
        if let (Some((own, callees)), Some((mark, _))) = (own, &self.product.mark) {
            let entered = implies(Expr::after(callees), Expr::after(*mark));
            call.enter.constraint = call.enter.constraint.and(entered);
            call.leave.updates.push(Update::havoc(own));
            let either = Expr::Nary(NaryOp::Or, vec![Expr::before(own), Expr::Read(callees, When::Result)]);
            call.leave.constraint = call.leave.constraint.and(implies(Expr::after(own), either));
        }
        call
    }

    /// Makes ordinary locations of those where the program has ended. A start procedure that is called as well is called
    /// from a new one, so that its exits are not ends.
    fn end(&mut self) -> Vec<LocationId> {
        let Some(start) = self.plain.threads.first().map(|thread| thread.start) else { return Vec::new() };
        let is_called =
            self.plain.edges.iter().any(|edge| matches!(&edge.kind, EdgeKind::Call(call) if call.callee == start));
        if !is_called {
            return std::mem::take(&mut self.product.program.procedures[start].exits);
        }
        let (outermost, end) = self.call_from_outside(start);
        self.product.outermost = Some(outermost);
        vec![end]
    }

    fn call_from_outside(&mut self, start: ProcedureId) -> (EdgeId, LocationId) {
        let program = &mut self.product.program;
        let outside = program.procedures.push(Procedure { name: "(start)".to_owned(), ..Procedure::default() });
        let place = Location { procedure: outside, labels: Vec::new(), role: Role::Plain, atomic: false };
        let first = program.locations.push(place.clone());
        let end = program.locations.push(place);
        program.procedures[outside].locations = vec![first, end];
        program.procedures[outside].entries = vec![first];
        if self.product.mark.is_some() {
            let seen = self.add_seen(outside);
            if let Some((_, all)) = &mut self.product.mark {
                all.push(seen);
            }
        }
        let enter = Relation::identity().constrained(self.start_on_entering(start));
        let leave = Relation::identity();
        let program = &mut self.product.program;
        let entry = program.procedures[start].entries.first().copied().unwrap_or(first);
        let kind = EdgeKind::Call(Box::new(Call { callee: start, entry, enter, leave }));
        let outermost = program.edges.push(Edge { source: first, target: end, kind });
        program.threads = vec![Thread { name: program.threads[0].name.clone(), start: outside }];
        (outermost, end)
    }

    /// The condition on the start, where the first frame is entered by a call.
    fn start_on_entering(&self, start: ProcedureId) -> Expr {
        let of_frame = |variable: VariableId| self.plain.variables[variable].scope == Scope::Local(start);
        let condition = self.plain.start.clone().map(&mut |expr| match expr {
            Expr::Read(variable, When::Before) if of_frame(variable) => Expr::after(variable),
            other => other,
        });
        match self.seen(start) {
            Some(seen) => condition.and(Expr::after(seen).not()),
            None => condition,
        }
    }

    /// Steps from a location to itself, reading its letter, where the program has ended or cannot go on.
    fn stay(&mut self, ends: &[LocationId]) {
        let letter = self.reading(Observation::at_end);
        for end in ends {
            self.add_loop(*end, letter.clone());
        }
        let mut is_total = IdVec::filled(self.plain.locations.len(), false);
        for edge in &self.plain.edges {
            is_total[edge.source] |= always_possible(edge);
        }
        let exits = self.plain.procedures.iter().flat_map(|procedure| &procedure.exits);
        exits.for_each(|exit| is_total[*exit] = true);
        // In the middle of a step nobody stays.
        let is_between = |location: LocationId| self.plain.locations[location].role == Role::Between;
        let stuck: Vec<LocationId> =
            self.plain.locations.ids().filter(|location| !is_total[*location] && !is_between(*location)).collect();
        for location in stuck {
            let letter = self.reading(|it| it.at(self.plain, location));
            let stutter = self.add_loop(location, letter);
            self.product.stutters.push(stutter);
        }
    }

    fn add_loop(&mut self, location: LocationId, letter: Expr) -> EdgeId {
        let procedure = self.product.program.locations[location].procedure;
        let relation = self.read_on_step(Relation::identity(), procedure, letter);
        self.product.program.edges.push(Edge { source: location, target: location, kind: EdgeKind::Step(relation) })
    }

    fn start(&mut self) {
        let mut parts = Vec::new();
        if let Some(state) = self.state {
            let is = |initial: u32| Expr::before(state).eq(self.state_value(initial));
            parts.push(Expr::any_of(self.automaton.initial.iter().map(|initial| is(initial.0))));
        }
        if let Some((mark, seen)) = &self.product.mark {
            parts.push(Expr::before(*mark).not());
            let start = self.product.program.threads.first().map(|thread| thread.start);
            parts.extend(start.map(|start| Expr::before(seen[start]).not()));
        }
        if self.product.outermost.is_none() {
            parts.push(self.plain.start.clone());
        }
        self.product.program.start = Expr::all_of(parts);
    }
}

fn implies(left: Expr, right: Expr) -> Expr {
    Expr::Binary(BinaryOp::Implies, Box::new(left), Box::new(right))
}

fn condition(guard: &Guard, atoms: &[Expr]) -> Expr {
    let literal = |atom: &Expr, value: bool| if value { atom.clone() } else { atom.clone().not() };
    let cubes = guard.cubes.iter();
    Expr::any_of(cubes.map(|cube| Expr::all_of(cube.iter().map(|(at, value)| literal(&atoms[at.index()], *value)))))
}

/// True when nothing can keep the edge from being taken.
fn always_possible(edge: &Edge) -> bool {
    let relation = match &edge.kind {
        EdgeKind::Step(relation) => relation,
        EdgeKind::Call(call) => &call.enter,
        EdgeKind::Spawn(spawn) => &spawn.enter,
    };
    let plain = relation.guard == Expr::TRUE && relation.constraint == Expr::TRUE;
    plain && !relation.updates.iter().any(crate::edit::update_may_block)
}

impl Rewritten for Product {
    /// A finite run of the product is a run without end that stays where it ends.
    fn trace_back(&self, trace: Trace, _context: &Context<'_>) -> Result<Trace, BackError> {
        let loop_start = trace.steps.len();
        Ok(self.without_automaton(Lasso { trace, loop_start }).trace)
    }

    fn lasso_back(&self, lasso: Lasso, _context: &Context<'_>) -> Result<Lasso, BackError> {
        Ok(self.without_automaton(lasso))
    }
}

impl Product {
    fn without_automaton(&self, lasso: Lasso) -> Lasso {
        let lasso = self.without_outermost(lasso);
        let stem = self.steps(&lasso.trace.steps[..lasso.loop_start]);
        let loop_start = stem.len();
        let steps = [stem, self.steps(&lasso.trace.steps[lasso.loop_start..])].concat();
        let run = |run: &Run| Run { entry: self.choices(&run.entry), steps: self.steps(&run.steps) };
        let runs = lasso.trace.runs.iter().map(run).collect();
        Lasso { trace: Trace { start: self.choices(&lasso.trace.start), steps, runs }, loop_start }
    }

    /// The call of the start procedure is the start itself.
    fn without_outermost(&self, mut lasso: Lasso) -> Lasso {
        let trace = &mut lasso.trace;
        let Some(first) = trace.steps.first().cloned() else { return lasso };
        let inside = match first.action {
            Action::Enter(edge) if Some(edge) == self.outermost => Vec::new(),
            Action::Across(edge, run) if Some(edge) == self.outermost => {
                trace.start.extend(trace.runs[run.index()].entry.clone());
                trace.runs[run.index()].steps.clone()
            }
            _ => return lasso,
        };
        trace.start.extend(first.choices.into_iter().filter(|choice| choice.when == When::After));
        trace.start.sort_by_key(|choice| choice.variable);
        trace.start.dedup_by_key(|choice| choice.variable);
        let n_inside = inside.len();
        trace.steps.splice(0..1, inside);
        lasso.loop_start = lasso.loop_start + n_inside - 1;
        lasso
    }

    fn steps(&self, steps: &[TraceStep]) -> Vec<TraceStep> {
        let is_plain = |step: &&TraceStep| !matches!(step.action, Action::Take(edge) if edge.index() >= self.n_edges);
        let back = |step: &TraceStep| TraceStep { choices: self.choices(&step.choices), ..step.clone() };
        steps.iter().filter(is_plain).map(back).collect()
    }

    fn choices(&self, choices: &[Choice]) -> Vec<Choice> {
        choices.iter().filter(|choice| choice.variable.index() < self.n_variables).cloned().collect()
    }
}
