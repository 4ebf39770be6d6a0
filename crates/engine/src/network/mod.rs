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
//! - `subsume`: which tuples are parts of others;
//! - `search`: the worklist;
//! - `trace`: the shared values at every switch, and `lane`: a run of each thread between them.

mod confluence;
mod context;
mod lane;
mod layer;
mod partition;
mod search;
mod space;
mod subsume;
mod trace;
mod view;

use bdd::{Interrupt, Manager};
use encode::{Detail, Encoding, Transfers};
use program::{EdgeKind, Graph, Program};

use self::context::Runner;
use self::search::Search;
use self::space::Space;
use crate::saturation::carrying_everything;
use crate::saturation::limits::Limits;
use crate::saturation::post::Post;
use crate::summary::manager_config;
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
        if program.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Spawn(_))) {
            return Err(Unsupported { what: "programs that start threads".to_owned() });
        }
        crate::init::supports(program)
    }

    fn is_bounded(&self, program: &Program) -> bool {
        program.threads.len() > 1
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::init::solve(task, context, |task| self.solve_alone(task, context))
    }
}

impl Network {
    fn solve_alone(self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        // Other threads change what a procedure leaves alone.
        let program = carrying_everything(task.program);
        let task = Task { program: &program, ..*task };
        let graph = Graph::of(&program);
        let manager = Manager::new(&manager_config(&program, context));
        manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
        let encoding = Encoding::with_origins(&program, &graph, manager);
        let transfers = Transfers::new(&encoding, Detail::Full);
        let space = match Space::new(&transfers) {
            Ok(space) => space,
            Err(halt) => return Answer { stopped: Some(halt.reason(context)), ..Answer::default() },
        };
        let limits = Limits::new(context, program.procedures.len());
        let runner = Runner::new(&space, Post::new(&graph, &transfers, limits, false));
        let mut search = Search::new(&task, context, runner, self);
        let done = search.run();
        let mut stopped = done.err();
        let reached = search.reached();
        let mut traces = Vec::new();
        if task.traces {
            let failed = trace::find(&mut search, &reached, &mut traces).err();
            stopped = stopped.or(failed);
        }
        let stats = encoding.manager().stats();
        let statistics = Statistics {
            steps: search.runner.post.limits.steps,
            n_bdd_variables: stats.n_vars as u64,
            peak_nodes: stats.peak_nodes as u64,
            bdd_bytes: stats.peak_bytes,
            view_tuples: search.n_inspected,
            ..Statistics::default()
        };
        let unbounded = stopped.is_none() && search.is_complete();
        let n_answered = if task.traces { traces.len() } else { reached.len() };
        let stopped = stopped.map(|halt| halt.reason(context)).filter(|_| n_answered < task.targets.len());
        Answer { reached, traces, stopped, unbounded, statistics, ..Answer::default() }
    }
}
