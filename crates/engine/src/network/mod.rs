//! Pushdown networks: threads with stacks, followed context by context.
//!
//! Suwimonteerabuth, Esparza and Schwoon, Symbolic context-bounded analysis of multithreaded Java programs (SPIN
//! 2008). Sets of configurations are unions of *view tuples*. The worklist holds tuples; one step lets one thread run
//! for a context and splits the outcome into tuples again: *eagerly* by the shared values now, or *lazily* into as few
//! parts as the thread allows. What is part of a tuple that is known is dropped. When every outcome is dropped, further
//! contexts add nothing at all, and the answer holds without a bound.
//!
//! Modules in reading order:
//! - `view`: view tuples, and the stacks that they share;
//! - `space`: which copies of the shared variables mean what;
//! - `context`: one context of one thread; `layer`: what it has pushed;
//! - `confluence`, `partition`: which shared values have to be kept apart, and the parts;
//! - `turn`: the tuples that a context of a thread leads to;
//! - `subsume`: which tuples are parts of others;
//! - `search`: the worklist;
//! - `crew`, `worker`, `parcel`: turns taken in parallel;
//! - `trace`: the shared values at every switch, and `lane`: a run of each thread between them.

mod confluence;
mod context;
mod crew;
mod lane;
mod layer;
mod parcel;
mod partition;
mod search;
mod space;
mod subsume;
#[cfg(test)]
mod tests;
mod trace;
mod turn;
mod view;
mod worker;

use std::time::Duration;

use bdd::{BYTES_PER_NODE, Config, Interrupt, Manager};
use encode::{Detail, Encoding, Transfers};
use program::{EdgeKind, Graph, Program};

use self::context::Runner;
use self::crew::Office;
use self::search::Search;
use self::space::Space;
use self::turn::Turns;
use self::worker::Workplace;
use crate::limits::Limits;
use crate::problem::manager_config;
use crate::saturation::carrying_everything;
use crate::saturation::post::Post;
use crate::{Answer, Context, Engine, Statistics, Task, Unsupported};

/// The engine, with one of two ways to split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Only what a thread mixes up is kept apart.
    Lazy,
    /// One tuple for each value of the shared variables.
    Eager,
}

impl Engine for Network {
    fn name(&self) -> &'static str {
        match self {
            Self::Lazy => "network",
            Self::Eager => "network-eager",
        }
    }

    fn traces_are_shortest(&self, _program: &Program) -> bool {
        false
    }

    fn supports(&self, program: &Program) -> Result<(), Unsupported> {
        crate::require_finite(program)?;
        if program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_))) {
            return Err(Unsupported::StartedThreads);
        }
        crate::init::supports(program)
    }

    fn is_bounded(&self, program: &Program) -> bool {
        program.threads.len() > 1
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::assert_no_init(task.program);
        self.solve_with(task, context, PATIENCE)
    }
}

/// A search that takes longer than this is worth more threads of the machine: each has to get the program and find out
/// about its procedures by itself.
const PATIENCE: Duration = Duration::from_millis(50);

impl Network {
    /// What it says, and what it says to have cost, does not depend on the number of jobs.
    fn solve_with(self, task: &Task<'_>, context: &Context<'_>, patience: Duration) -> Answer {
        // Other threads change what a procedure leaves alone.
        let program = carrying_everything(task.program);
        let task = Task { program: &program, ..*task };
        let graph = Graph::of(&program);
        let config = manager_config(&program, context);
        let share = config.memory / (context.budget.jobs() as u64 + 1);
        let workplace =
            Workplace { program: &program, graph: &graph, config: Config { memory: share, ..config }, split: self };
        let manager = Manager::new(&config);
        manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
        let encoding = Encoding::with_origins(&program, manager);
        std::thread::scope(|scope| {
            let office = Office::new(scope, workplace, context, patience);
            self.search(&task, context, &encoding, office)
        })
    }

    fn search(self, task: &Task<'_>, context: &Context<'_>, encoding: &Encoding<'_>, office: Office<'_>) -> Answer {
        // Those for choices on edges come later, as the edges are needed, to whoever needs them.
        let n_bdd_variables = encoding.manager().n_vars() as u64;
        let transfers = Transfers::new(encoding, Detail::Full);
        let space = match Space::new(&transfers) {
            Ok(space) => space,
            Err(halt) => return Answer { stopped: Some(halt.reason(context)), ..Answer::default() },
        };
        // How many steps a context takes depends on what is known about procedures, and so on who runs it: the steps that
        // are counted are contexts.
        let budget = context.budget.clone().with_max_steps(None);
        let inner = Context { budget: &budget, ..*context };
        let limits = Limits::new(&inner, task.program.procedures.len()).without_reordering();
        let graph = Graph::of(task.program);
        let runner = Runner::new(&space, Post::new(&graph, &transfers, limits, false));
        let mut search = Search::new(task, context, Turns { context: &inner, runner, split: self }, office);
        let mut stopped = search.run().err();
        let finished = if stopped.is_some() { search.finished() } else { None };
        let n_nodes = search.n_nodes();
        let reached = search.reached();
        let mut traces = Vec::new();
        if task.traces {
            let failed = trace::find(&mut search, &reached, &mut traces).err();
            stopped = stopped.or(failed);
        }
        let statistics = Statistics {
            steps: search.n_turns,
            n_bdd_variables,
            peak_nodes: n_nodes,
            bdd_bytes: n_nodes * BYTES_PER_NODE,
            view_tuples: search.n_inspected,
            ..Statistics::default()
        };
        let unbounded = stopped.is_none() && search.is_complete();
        let n_answered = if task.traces { traces.len() } else { reached.len() };
        let stopped = stopped.map(|halt| halt.reason(context)).filter(|_| n_answered < task.targets.len());
        // A target that is reached, but without a trace, stays undecided.
        let finished = finished.filter(|_| stopped.is_some() && n_answered == reached.len());
        Answer { reached, traces, stopped, unbounded, finished, statistics, ..Answer::default() }
    }
}
