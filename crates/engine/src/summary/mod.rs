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

pub(crate) mod certificate;
mod entries;
mod finish;
mod outcome;
pub(crate) mod rings;
mod schedule;
pub(crate) mod state;
pub(crate) mod trace;

use base::{IdVec, Progress, StopReason};
use bdd::{Bdd, Config, Interrupt, Manager, Stop};
use encode::{Encoding, Image, parallel};
use program::{Call, EdgeId, EdgeKind, Graph, LocationId, ProcedureId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;

use crate::{Answer, Context, Engine, Statistics, Task, Unsupported};
use finish::Waiting;
pub(crate) use outcome::outcomes;
use schedule::Schedule;
pub(crate) use schedule::ranks;

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
        crate::require_single_thread(program)?;
        crate::init::supports(program)?;
        require_one_entry(program)
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::assert_no_init(task.program);
        let Some(start) = task.program.sequential_start() else { return Answer::default() };
        let graph = Graph::of(task.program);
        let manager = Manager::new(&manager_config(task.program, context));
        manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
        let mut solver = Solver::new(task, context, &graph, Encoding::new(task.program, &graph, manager), start);
        let solved = solver.run();
        solver.answer(solved)
    }
}

/// A summary does not say at which entry it starts, so all calls of a procedure must enter at the same one.
pub(crate) fn require_one_entry(program: &Program) -> Result<(), Unsupported> {
    let mut entry_of: IdVec<ProcedureId, Option<LocationId>> = IdVec::filled(program.procedures.len(), None);
    for start in program.threads.iter().map(|thread| thread.start).chain(program.init) {
        entry_of[start] = program.procedures[start].entries.first().copied();
    }
    for edge in &program.edges {
        if let EdgeKind::Call(call) = &edge.kind
            && *entry_of[call.callee].get_or_insert(call.entry) != call.entry
        {
            return Err(Unsupported::SeveralEntries);
        }
    }
    Ok(())
}

/// Why the engine stops early.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    Diagram(Stop),
    Limit(StopReason),
}

impl Halt {
    pub(crate) fn reason(self, context: &Context<'_>) -> StopReason {
        match self {
            Self::Limit(reason) => reason,
            Self::Diagram(Stop::OutOfNodes) => StopReason::Memory,
            Self::Diagram(Stop::Interrupted) => context.budget.interruption(),
        }
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Diagram(stop)
    }
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Limit(reason)
    }
}

/// Live nodes that make it worth looking for a better order: sifting that many takes minutes.
pub(crate) const REORDER_ABOVE: usize = 1 << 24;
/// How large the diagrams of a program may become, and how large the cache for them should be.
pub(crate) fn manager_config(program: &Program, context: &Context<'_>) -> Config {
    let config = Config::within(context.budget.memory());
    // A small cache is quick to set up, and programs with few variables have small diagrams.
    let wanted = match largest_scope(program) {
        0..=8 => 1 << 14,
        _ => 1 << 22,
    };
    Config { cache_entries: config.cache_entries.min(wanted), ..config }
}

/// Most bits in scope at any location.
fn largest_scope(program: &Program) -> u64 {
    let bits = |variable: VariableId| program.sort(variable).n_bits(program);
    let is_global = |id: &VariableId| !matches!(program.variables[*id].scope, Scope::Local(_));
    let globals: u64 = program.variables.ids().filter(is_global).map(bits).sum();
    globals + program.procedures.iter().map(|procedure| procedure.frame().map(bits).sum()).max().unwrap_or(0)
}

/// What is known about a procedure as its callers see it.
#[derive(Clone, Debug)]
pub(crate) struct ProcedureSummary {
    pub(crate) all: Bdd,
    /// The summary after each time it grew, with a stamp that counts all growth of all summaries. What was found with
    /// the help of a summary has a later stamp than the summary.
    history: Vec<(u64, Bdd)>,
}

/// The state of the search.
pub(crate) struct Solver<'a> {
    pub(crate) task: &'a Task<'a>,
    pub(crate) context: &'a Context<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) encoding: Encoding<'a>,
    pub(crate) start: ProcedureId,
    pub(crate) path_edges: IdVec<LocationId, Bdd>,
    fresh: IdVec<LocationId, Bdd>,
    nothing: Bdd,
    schedule: Schedule,
    pub(crate) summaries: IdVec<ProcedureId, ProcedureSummary>,
    /// Summaries that another engine found, by the entry of the callee.
    pub(crate) found: FxHashMap<LocationId, Vec<(u64, Bdd)>>,
    /// Summaries of callees as they were when call edges were last crossed by new path edges, and lifted to them.
    lifted: IdVec<EdgeId, Option<Box<(Bdd, Image)>>>,
    /// What call edges need of the path edges that were sent along them, where that is less than all.
    needed: IdVec<EdgeId, Option<Bdd>>,
    /// Path edges that wait at calls; empty: nothing waits anywhere.
    waiting: IdVec<EdgeId, Option<Box<Waiting>>>,
    /// Whether path edges waited at calls, and none was left in the end: no run calls and calls for ever.
    pub(crate) recursion_ends: bool,
    /// Arrays that every call is entered with whatever values of.
    open_arrays: Vec<VariableId>,
    /// Calls that are entered without saying what the open arrays were; empty: there are none.
    outermost: IdVec<EdgeId, bool>,
    pub(crate) is_exit: IdVec<LocationId, bool>,
    is_target: IdVec<LocationId, bool>,
    n_unreached: usize,
    n_entered: u64,
    stamp: u64,
    steps: u64,
    reorder_above: usize,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(
        task: &'a Task<'a>,
        context: &'a Context<'a>,
        graph: &'a Graph,
        encoding: Encoding<'a>,
        start: ProcedureId,
    ) -> Self {
        let program = task.program;
        let nothing = encoding.manager().bdd_false();
        let mut is_exit = IdVec::filled(program.locations.len(), false);
        program.procedures.iter().flat_map(|p| &p.exits).for_each(|exit| is_exit[*exit] = true);
        let mut is_target = IdVec::filled(program.locations.len(), false);
        task.targets.iter().for_each(|target| is_target[*target] = true);
        let summary = ProcedureSummary { all: nothing.clone(), history: Vec::new() };
        Self {
            task,
            context,
            graph,
            encoding,
            start,
            path_edges: IdVec::filled(program.locations.len(), nothing.clone()),
            fresh: IdVec::filled(program.locations.len(), nothing.clone()),
            nothing,
            schedule: Schedule::new(program, graph, start),
            summaries: IdVec::filled(program.procedures.len(), summary),
            found: FxHashMap::default(),
            lifted: IdVec::filled(program.edges.len(), None),
            needed: IdVec::filled(program.edges.len(), None),
            waiting: IdVec::new(),
            recursion_ends: false,
            open_arrays: Vec::new(),
            outermost: IdVec::new(),
            is_exit,
            n_unreached: is_target.iter().filter(|is_target| **is_target).count(),
            is_target,
            n_entered: 0,
            stamp: 0,
            steps: 0,
            reorder_above: REORDER_ABOVE,
        }
    }

    pub(crate) fn run(&mut self) -> Result<(), Halt> {
        let Some(entry) = self.task.program.procedures[self.start].entries.first().copied() else { return Ok(()) };
        let states = self.encoding.start_states(self.start)?;
        let path_edges = states.and(&self.encoding.diagonal(self.start)?)?;
        self.propagate(entry, &path_edges)?;
        self.follow()
    }

    /// Finds all path edges, whatever the task asks for.
    pub(crate) fn run_to_the_end(&mut self) -> Result<(), Halt> {
        // There is always something left to find.
        self.n_unreached = usize::MAX;
        self.run()
    }

    fn follow(&mut self) -> Result<(), Halt> {
        self.follow_schedule()?;
        while self.n_unreached > 0 && self.anything_waits() {
            self.context.budget.step()?;
            self.retrying(Self::cross_finished)?;
            self.follow_schedule()?;
        }
        Ok(())
    }

    fn follow_schedule(&mut self) -> Result<(), Halt> {
        while self.n_unreached > 0
            && let Some(location) = self.schedule.next()
        {
            self.context.budget.step()?;
            self.tell_progress();
            let fresh = self.take_fresh(location);
            self.retrying(|solver| solver.visit(location, &fresh))?;
            if self.encoding.manager().collect_if_needed() {
                self.reorder_if_large()?;
            }
        }
        Ok(())
    }

    /// How the summary for a call grew, with stamps.
    pub(crate) fn history(&self, call: &Call) -> &[(u64, Bdd)] {
        self.found.get(&call.entry).unwrap_or(&self.summaries[call.callee].history)
    }

    /// Sifts when many nodes are left after a collection; the next time when there are twice as many.
    fn reorder_if_large(&mut self) -> Result<(), Halt> {
        if self.encoding.manager().stats().nodes > self.reorder_above {
            self.encoding.reorder()?;
            self.reorder_above = REORDER_ABOVE.max(2 * self.encoding.manager().stats().nodes);
        }
        Ok(())
    }

    fn take_fresh(&mut self, location: LocationId) -> Bdd {
        std::mem::replace(&mut self.fresh[location], self.nothing.clone())
    }

    /// Runs out of nodes only if a collection does not help. What is repeated adds nothing that is not known.
    fn retrying(&mut self, work: impl Fn(&mut Self) -> Result<(), Halt>) -> Result<(), Halt> {
        let done = work(self);
        if !matches!(done, Err(Halt::Diagram(Stop::OutOfNodes))) {
            return done;
        }
        let manager = self.encoding.manager();
        let full = manager.stats().nodes;
        manager.collect();
        // With little room left, collecting again and again would take all the time there is.
        if manager.stats().nodes > full / 2 {
            return done;
        }
        work(self)
    }

    /// Sends new path edges of a location along its edges.
    fn visit(&mut self, location: LocationId, fresh: &Bdd) -> Result<(), Halt> {
        let (program, graph) = (self.task.program, self.graph);
        if self.is_exit[location] {
            self.extend_summary(program.locations[location].procedure, fresh)?;
        }
        for edges in parallel(program, graph.outgoing(location)) {
            match (&program.edges[edges[0]].kind, edges) {
                (EdgeKind::Step(relation), [edge]) => {
                    let image = self.encoding.step(*edge, relation)?.apply(fresh)?;
                    self.propagate(program.edges[*edge].target, &image)?;
                }
                (EdgeKind::Step(_), _) => {
                    // United first: what they have in common need not be looked up in all that is known.
                    let mut after = self.nothing.clone();
                    for image in self.encoding.steps(edges)?.iter() {
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

    fn visit_call(&mut self, edge: EdgeId, call: &Call, fresh: &Bdd) -> Result<(), Halt> {
        let images = self.encoding.call(edge, call)?;
        if self.waits(edge) {
            let entered = self.entered(edge, &images, call, fresh)?;
            self.propagate(call.entry, &entered)?;
            return self.wait(edge, fresh);
        }
        let needed = images.needed(fresh).transpose()?;
        if let Some(fresh) = &needed {
            let known = self.needed[edge].as_ref().unwrap_or(&self.nothing);
            self.needed[edge] = Some(known.or(fresh)?);
        }
        let fresh = needed.as_ref().unwrap_or(fresh);
        let entered = self.entered(edge, &images, call, fresh)?;
        self.propagate(call.entry, &entered)?;
        self.cross(edge, call, fresh)
    }

    /// Sends path edges at a call across it, by the summary that is known so far.
    fn cross(&mut self, edge: EdgeId, call: &Call, fresh: &Bdd) -> Result<(), Halt> {
        let images = self.encoding.call(edge, call)?;
        let summary = &self.summaries[call.callee].all;
        if summary.is_false() {
            return Ok(());
        }
        if self.lifted[edge].as_ref().is_none_or(|lifted| lifted.0 != *summary) {
            self.lifted[edge] = Some(Box::new((summary.clone(), images.lift(summary)?)));
        }
        let Some(lifted) = &self.lifted[edge] else { return Ok(()) };
        let across = lifted.1.apply(fresh)?;
        self.propagate(self.task.program.edges[edge].target, &across)
    }

    /// New path edges at an exit: what they add to the summary goes to all callers.
    fn extend_summary(&mut self, procedure: ProcedureId, fresh: &Bdd) -> Result<(), Halt> {
        let graph = self.graph;
        if !self.encoding.effects().is_called(procedure) {
            return Ok(());
        }
        let seen = fresh.exists(&self.encoding.forgotten_at_exit(procedure))?;
        let new = seen.diff(&self.summaries[procedure].all)?;
        if new.is_false() {
            return Ok(());
        }
        for edge in graph.calls_of(procedure) {
            self.extend_lifted(*edge, &new)?;
        }
        // Last, so that running out of nodes above leaves the summary as it was and the work can be repeated.
        let all = self.summaries[procedure].all.or(&new)?;
        self.stamp += 1;
        self.summaries[procedure].history.push((self.stamp, all.clone()));
        self.summaries[procedure].all = all;
        Ok(())
    }

    fn extend_lifted(&mut self, edge: EdgeId, new: &Bdd) -> Result<(), Halt> {
        let EdgeKind::Call(call) = &self.task.program.edges[edge].kind else { return Ok(()) };
        let source = self.task.program.edges[edge].source;
        if self.path_edges[source].is_false() || self.waits(edge) {
            return Ok(());
        }
        let lifted = self.encoding.call(edge, call)?.lift(new)?;
        // Path edges that were not yet sent along the edge will meet the whole summary.
        let across = lifted.apply(self.needed[edge].as_ref().unwrap_or(&self.path_edges[source]))?;
        self.propagate(self.task.program.edges[edge].target, &across)
    }

    fn propagate(&mut self, location: LocationId, path_edges: &Bdd) -> Result<(), Halt> {
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
            self.n_unreached -= usize::from(self.is_target[location]);
            let procedure = self.task.program.locations[location].procedure;
            let is_entry = self.task.program.procedures[procedure].entries.contains(&location);
            self.n_entered += u64::from(is_entry);
        }
        self.path_edges[location] = all;
        self.fresh[location] = fresh;
        self.schedule.add(location);
        Ok(())
    }

    fn tell_progress(&mut self) {
        /// Telling costs more than a step.
        const STEPS_PER_PROGRESS: u64 = 16;
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_PROGRESS) {
            self.context.observer.progress(&Progress {
                phase: "solve",
                steps: self.steps,
                procedures: self.n_entered,
                n_procedures: self.task.program.procedures.len() as u64,
                nodes: self.encoding.manager().stats().nodes as u64,
            });
        }
    }

    fn answer(mut self, solved: Result<(), Halt>) -> Answer {
        let is_reached = |target: &&LocationId| !self.path_edges[**target].is_false();
        let reached: Vec<LocationId> = self.task.targets.iter().filter(is_reached).copied().collect();
        let mut stopped = solved.err().map(|halt| self.reason(halt));
        let mut traces = Vec::new();
        if self.task.traces && !reached.is_empty() {
            let failed = trace::find(&mut self, &reached, &mut traces).err();
            stopped = stopped.or(failed.map(|halt| self.reason(halt)));
        }
        let all_reached = reached.len() == self.task.targets.len();
        let wanted = self.task.certificate && stopped.is_none() && !all_reached;
        let certificate = wanted.then(|| certificate::export(&self.encoding, self.task.targets, &self.path_edges));
        Answer {
            reached,
            traces,
            certificate,
            stopped,
            detail: None,
            account: String::new(),
            unbounded: false,
            finished: None,
            statistics: self.statistics(),
        }
    }

    pub(crate) fn reason(&self, halt: Halt) -> StopReason {
        halt.reason(self.context)
    }

    pub(crate) fn statistics(&self) -> Statistics {
        let stats = self.encoding.manager().stats();
        Statistics {
            steps: self.steps,
            n_bdd_variables: stats.n_vars as u64,
            peak_nodes: stats.peak_nodes as u64,
            bdd_bytes: stats.peak_bytes,
            ..Statistics::default()
        }
    }
}
