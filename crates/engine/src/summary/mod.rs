//! Path edges and summaries over the explicit control graph, data in decision diagrams.
//!
//! Ball and Rajamani, Bebop (SPIN 2000), section 3. A path edge at location l of procedure p is a pair (e, c): some
//! run enters p with data e and is at l with data c, all calls in between returned. PathEdges(l) is a diagram over the
//! entry copies of what p changes and callers see, and the current copies of everything in scope. A summary is what
//! PathEdges(exit) says about the variables that callers see.
//!
//! The loop takes a location with new path edges from the worklist, callees first and then in control order, and
//! sends only what is new along the edges; a call sends new entries into the callee and crosses it by the summary that
//! is known so far; new summaries go to all call edges of the procedure.
//!
//! Modules: `calls` is how calls are entered and crossed, Bebop's way or another; `schedule` is the worklist; `outcome` is
//! what a procedure may leave in the shared variables.

pub(crate) mod calls;
mod outcome;
mod schedule;

use base::IdVec;
use bdd::Bdd;
use encode::{Encoding, Image, parallel};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program};

use crate::evidence::{certificate, trace};
use crate::halt::Halt;
use crate::limits::Limits;
use crate::problem::{Problem, manager, require_one_entry};
use crate::{Answer, Context, Engine, Statistics, Task, Unsupported};
use calls::{AtOnce, Calls, Release};
pub(crate) use outcome::outcomes;
use schedule::Schedule;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Summary;

impl Engine for Summary {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn traces_are_shortest(&self, _program: &Program) -> bool {
        true
    }

    fn supports(&self, program: &Program) -> Result<(), Unsupported> {
        crate::require_finite(program)?;
        crate::require_single_thread(program)?;
        crate::init::supports(program)?;
        require_one_entry(program)
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::assert_no_init(task.program);
        let Some(start) = task.program.sequential_start() else { return Answer::default() };
        let graph = Graph::of(task.program);
        let encoding = Encoding::new(task.program, manager(task.program, context));
        let mut solver = Solver::new(Problem::new(task, context, &graph, encoding, start), AtOnce);
        let solved = solver.run();
        solver.answer(solved)
    }
}

/// What is left to be found.
enum Goal {
    /// Targets without path edges; so many are left.
    Targets { is_target: IdVec<LocationId, bool>, n_left: usize },
    /// All path edges.
    Everything,
}

impl Goal {
    fn is_met(&self) -> bool {
        matches!(self, Self::Targets { n_left: 0, .. })
    }

    /// Notes that a location has path edges from now on.
    fn reach(&mut self, location: LocationId) {
        if let Self::Targets { is_target, n_left } = self {
            *n_left -= usize::from(is_target[location]);
        }
    }
}

/// The state of the search.
pub(crate) struct Solver<'a, C> {
    pub(crate) problem: Problem<'a>,
    /// How calls are entered and crossed.
    pub(crate) calls: C,
    pub(crate) path_edges: IdVec<LocationId, Bdd>,
    /// Path edges that were not yet sent along the edges of their location.
    fresh: IdVec<LocationId, Bdd>,
    schedule: Schedule,
    pub(crate) summaries: IdVec<ProcedureId, Bdd>,
    /// Summaries of callees as they were when call edges were last crossed by new path edges, and lifted to them.
    lifted: IdVec<EdgeId, Option<Box<(Bdd, Image)>>>,
    /// What call edges need of the path edges that were sent along them, where that is less than all.
    needed: IdVec<EdgeId, Option<Bdd>>,
    nothing: Bdd,
    goal: Goal,
    /// How often summaries grew.
    stamp: u64,
    limits: Limits<'a>,
}

impl<'a, C: Calls> Solver<'a, C> {
    pub(crate) fn new(problem: Problem<'a>, calls: C) -> Self {
        let program = problem.task.program;
        let nothing = problem.encoding.manager().bdd_false();
        let mut is_target = IdVec::filled(program.locations.len(), false);
        problem.task.targets.iter().for_each(|target| is_target[*target] = true);
        let n_left = is_target.iter().filter(|is_target| **is_target).count();
        Self {
            calls,
            path_edges: IdVec::filled(program.locations.len(), nothing.clone()),
            fresh: IdVec::filled(program.locations.len(), nothing.clone()),
            schedule: Schedule::new(program, problem.graph, problem.start),
            summaries: IdVec::filled(program.procedures.len(), nothing.clone()),
            lifted: IdVec::filled(program.edges.len(), None),
            needed: IdVec::filled(program.edges.len(), None),
            nothing,
            goal: Goal::Targets { is_target, n_left },
            stamp: 0,
            limits: Limits::new(problem.context, program.procedures.len()),
            problem,
        }
    }

    /// Finds path edges until all targets have some.
    pub(crate) fn run(&mut self) -> Result<(), Halt> {
        let Some((entry, path_edges)) = self.problem.first_path_edges()? else { return Ok(()) };
        self.propagate(entry, &path_edges)?;
        self.follow_schedule()?;
        while !self.goal.is_met() && self.calls.hold_anything() {
            self.problem.context.budget.step()?;
            self.retrying(Self::cross_released)?;
            self.follow_schedule()?;
        }
        Ok(())
    }

    /// Finds all path edges, whatever the task asks for.
    pub(crate) fn run_to_the_end(&mut self) -> Result<(), Halt> {
        self.goal = Goal::Everything;
        self.run()
    }

    fn follow_schedule(&mut self) -> Result<(), Halt> {
        while !self.goal.is_met()
            && let Some(location) = self.schedule.next()
        {
            self.limits.step(&self.problem.encoding)?;
            let fresh = std::mem::replace(&mut self.fresh[location], self.nothing.clone());
            self.retrying(|solver| solver.visit(location, &fresh))?;
            self.limits.tidy(&self.problem.encoding)?;
        }
        Ok(())
    }

    /// Runs out of nodes only if a collection does not help. What is repeated adds nothing that is not known.
    fn retrying(&mut self, work: impl Fn(&mut Self) -> Result<(), Halt>) -> Result<(), Halt> {
        let done = work(self);
        if self.limits.is_worth_repeating(&done, &self.problem.encoding) { work(self) } else { done }
    }

    /// Sends new path edges of a location along its edges.
    fn visit(&mut self, location: LocationId, fresh: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.problem.task.program, self.problem.graph);
        if self.problem.is_exit[location] {
            self.extend_summary(program.locations[location].procedure, fresh)?;
        }
        for edges in parallel(program, graph.outgoing(location)) {
            match (&program.edges[edges[0]].kind, edges) {
                (EdgeKind::Step(relation), [edge]) => {
                    let image = self.problem.encoding.step(*edge, relation)?.apply(fresh)?;
                    self.propagate(program.edges[*edge].target, &image)?;
                }
                (EdgeKind::Step(_), _) => {
                    // United first: what they have in common need not be looked up in all that is known.
                    let mut after = self.nothing.clone();
                    for image in self.problem.encoding.steps(edges)?.iter() {
                        after = after.or(&image.apply(fresh)?)?;
                    }
                    self.propagate(program.edges[edges[0]].target, &after)?;
                }
                (EdgeKind::Call(call), _) => self.visit_call(edges[0], call, fresh)?,
                (EdgeKind::Spawn(_), _) => {}
            }
        }
        Ok(())
    }

    /// Sends new path edges at a call into the callee, and across by the summary that is known so far.
    fn visit_call(&mut self, edge: EdgeId, call: &Call, fresh: &Bdd) -> Result<(), Halt> {
        let images = self.problem.encoding.call(edge, call)?;
        let is_held = self.calls.hold(edge);
        let needed = if is_held { None } else { images.needed(fresh).transpose()? };
        if let Some(fresh) = &needed {
            let known = self.needed[edge].as_ref().unwrap_or(&self.nothing);
            self.needed[edge] = Some(known.or(fresh)?);
        }
        let fresh = needed.as_ref().unwrap_or(fresh);
        let entered = self.calls.enter(&self.problem, edge, call, fresh)?;
        self.propagate(call.entry, &entered)?;
        if is_held { self.calls.keep(edge, fresh) } else { self.cross(edge, call, fresh) }
    }

    /// Sends path edges at a call across it, by the summary that is known so far.
    fn cross(&mut self, edge: EdgeId, call: &Call, fresh: &Bdd) -> Result<(), Halt> {
        let images = self.problem.encoding.call(edge, call)?;
        let summary = &self.summaries[call.callee];
        if summary.is_false() {
            return Ok(());
        }
        if self.lifted[edge].as_ref().is_none_or(|lifted| lifted.0 != *summary) {
            self.lifted[edge] = Some(Box::new((summary.clone(), images.lift(summary)?)));
        }
        let Some(lifted) = &self.lifted[edge] else { return Ok(()) };
        let across = lifted.1.apply(fresh)?;
        self.propagate(self.problem.task.program.edges[edge].target, &across)
    }

    /// New path edges at an exit: what they add to the summary goes to all callers.
    fn extend_summary(&mut self, procedure: ProcedureId, fresh: &Bdd) -> Result<(), Halt> {
        let graph = self.problem.graph;
        if !self.problem.encoding.effects().is_called(procedure) {
            return Ok(());
        }
        let seen = fresh.exists(&self.problem.encoding.forgotten_at_exit(procedure))?;
        let new = seen.diff(&self.summaries[procedure])?;
        if new.is_false() {
            return Ok(());
        }
        for edge in graph.calls_of(procedure) {
            self.extend_lifted(*edge, &new)?;
        }
        // Last, so that running out of nodes above leaves the summary as it was and the work can be repeated.
        let all = self.summaries[procedure].or(&new)?;
        self.stamp += 1;
        if let Some(entry) = graph.calls_of(procedure).first().and_then(|edge| self.entered_by(*edge)) {
            self.problem.histories.entry(entry).or_default().push((self.stamp, all.clone()));
        }
        self.summaries[procedure] = all;
        Ok(())
    }

    /// Sends all path edges at a call across it by what is new in the summary.
    fn extend_lifted(&mut self, edge: EdgeId, new: &Bdd) -> Result<(), Halt> {
        let EdgeKind::Call(call) = &self.problem.task.program.edges[edge].kind else { return Ok(()) };
        let source = self.problem.task.program.edges[edge].source;
        if self.path_edges[source].is_false() || self.calls.hold(edge) {
            return Ok(());
        }
        let lifted = self.problem.encoding.call(edge, call)?.lift(new)?;
        // Path edges that were not yet sent along the edge will meet the whole summary.
        let across = lifted.apply(self.needed[edge].as_ref().unwrap_or(&self.path_edges[source]))?;
        self.propagate(self.problem.task.program.edges[edge].target, &across)
    }

    /// Where a call enters its callee. All calls of a procedure enter at the same location.
    fn entered_by(&self, edge: EdgeId) -> Option<LocationId> {
        match &self.problem.task.program.edges[edge].kind {
            EdgeKind::Call(call) => Some(call.entry),
            EdgeKind::Step(_) | EdgeKind::Spawn(_) => None,
        }
    }

    /// Sends path edges across that were held back at calls.
    fn cross_released(&mut self) -> Result<(), Halt> {
        let program = self.problem.task.program;
        match self.calls.release(&self.problem)? {
            Release::Finished(parts) => {
                for part in parts {
                    let EdgeKind::Call(call) = &program.edges[part.edge].kind else { continue };
                    self.cross(part.edge, call, &part.path_edges)?;
                    self.calls.keep_only(part.edge, part.rest);
                }
            }
            Release::All(parts) => {
                for (edge, path_edges) in parts {
                    let EdgeKind::Call(call) = &program.edges[edge].kind else { continue };
                    self.cross(edge, call, &path_edges)?;
                    // From now on they meet whatever the summary grows by.
                    let sent = &self.path_edges[program.edges[edge].source];
                    self.needed[edge] = self.problem.encoding.call(edge, call)?.needed(sent).transpose()?;
                }
                self.calls.hold_no_more();
            }
        }
        Ok(())
    }

    /// Adds path edges to a location; what is new waits to be sent along its edges.
    pub(crate) fn propagate(&mut self, location: LocationId, path_edges: &Bdd) -> Result<(), Halt> {
        let known = &self.path_edges[location];
        if path_edges.is_false() || path_edges == known {
            return Ok(());
        }
        let new = path_edges.diff(known)?;
        if new.is_false() {
            return Ok(());
        }
        let all = known.or(&new)?;
        let fresh = self.fresh[location].or(&new)?;
        if known.is_false() {
            self.goal.reach(location);
            let program = self.problem.task.program;
            let is_entry = program.procedures[program.locations[location].procedure].entries.contains(&location);
            self.limits.entered += u64::from(is_entry);
        }
        self.path_edges[location] = all;
        self.fresh[location] = fresh;
        self.schedule.add(location);
        Ok(())
    }

    fn answer(self, solved: Result<(), Halt>) -> Answer {
        let (problem, task) = (&self.problem, self.problem.task);
        let is_reached = |target: &&LocationId| !self.path_edges[**target].is_false();
        let reached: Vec<LocationId> = task.targets.iter().filter(is_reached).copied().collect();
        let mut stopped = solved.err().map(|halt| problem.reason(halt));
        let mut traces = Vec::new();
        if task.traces && !reached.is_empty() {
            let failed = trace::find(problem, &reached, &mut traces).err();
            stopped = stopped.or(failed.map(|halt| problem.reason(halt)));
        }
        let wanted = task.certificate && stopped.is_none() && reached.len() < task.targets.len();
        let certificate = wanted.then(|| certificate::export(&problem.encoding, task.targets, &self.path_edges));
        Answer { reached, traces, certificate, stopped, statistics: self.statistics(), ..Answer::default() }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.problem.statistics(self.limits.steps)
    }
}
