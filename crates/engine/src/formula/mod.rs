//! Algorithms as formulae: a file of the fixed-point calculus as an engine.
//!
//! The program supplies the sorts and relations that the file speaks of ([`encode::Supply`]), the solver does the
//! rest. A file answers questions about locations when it has a query `reached(p: Location)`. Traces are rebuilt
//! from what the solver found when, so every algorithm has them.

mod certificate;
mod ground;
mod interleave;
mod queries;
mod ready;
mod rehearse;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::BTreeMap;

use base::{Diagnostics, Source, StopReason};
use calculus::{Control, Halt, Model, Options, Plan, Signature, Solver, System, fp};
use encode::{Point, Supply};
use program::{Bound, Graph, LocationId, Program};

use rustc_hash::FxHashSet;

use crate::order::ranks;
use crate::problem::manager;
use crate::{Answer, Context, Engine, Statistics, Task, Unsupported};
pub use queries::{Answered, Cell, Found, QueryAnswer};
pub use ready::Unready;

/// The algorithms that ship, by name.
pub const ALGORITHMS: [(&str, &str); 9] = [
    ("summary", include_str!("../../../../algorithms/summary.fp")),
    ("entry-forward", include_str!("../../../../algorithms/entry-forward.fp")),
    ("entry-forward-split", include_str!("../../../../algorithms/entry-forward-split.fp")),
    ("entry-forward-opt", include_str!("../../../../algorithms/entry-forward-opt.fp")),
    ("context-bounded", include_str!("../../../../algorithms/context-bounded.fp")),
    ("round-robin", include_str!("../../../../algorithms/round-robin.fp")),
    ("backward", include_str!("../../../../algorithms/backward.fp")),
    ("non-termination", include_str!("../../../../algorithms/non-termination.fp")),
    ("recurrence", include_str!("../../../../algorithms/recurrence.fp")),
];

/// The query that says which locations are reached.
const REACHED: &str = "reached";

/// An algorithm file, ready to be run on programs.
#[derive(Clone, Debug)]
pub struct Formula {
    source: Source,
    tree: fp::SyntaxTree,
    /// Values of parameters; with a bound, `k` is the bound.
    pub parameters: BTreeMap<String, u64>,
    /// What is in decision diagrams.
    pub control: Control,
    /// Follow the operational semantics to the letter.
    pub literal: bool,
    /// Tell the plan.
    pub explain: bool,
    /// Tell what each equation and clause cost.
    pub profile: bool,
}

impl Formula {
    /// Reads a file.
    pub fn parse(name: &str, text: &str) -> Result<Self, (Source, Diagnostics)> {
        let source = Source::new(name, text);
        match fp::parse(&source) {
            (Some(tree), diagnostics) if !diagnostics.has_errors() => {
                let parameters = BTreeMap::new();
                Ok(Self {
                    source,
                    tree,
                    parameters,
                    control: Control::Explicit,
                    literal: false,
                    explain: false,
                    profile: false,
                })
            }
            (_, diagnostics) => Err((source, diagnostics)),
        }
    }

    /// The text that it was read from, for diagnostics.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether it needs a bound on interleavings: it has a parameter `k`.
    #[must_use]
    pub fn needs_bound(&self) -> bool {
        fp::parameters(&self.tree).iter().any(|parameter| parameter.name == "k" && parameter.default.is_none())
    }

    /// Whether it speaks of a program: of its sorts, or of relations that it supplies.
    #[must_use]
    pub fn needs_program(&self, any: &Program) -> bool {
        match self.resolve_with_warnings(&Supply::outline(any), None) {
            Ok((system, _)) => system.needs_model(),
            // The mistakes of a file without inputs are not for a program to mend.
            Err(_) => fp::has_inputs(&self.tree),
        }
    }

    /// The file's names bound to what a model offers.
    pub fn resolve(&self, model: &dyn Model, bound: Option<Bound>) -> Result<System, Diagnostics> {
        self.resolve_with_warnings(model.signature(), bound).map(|(system, _)| system)
    }

    fn resolve_with_warnings(
        &self,
        signature: &Signature,
        bound: Option<Bound>,
    ) -> Result<(System, Diagnostics), Diagnostics> {
        let mut parameters = self.parameters.clone();
        if let Some(Bound::Switches(k) | Bound::Rounds(k)) = bound.filter(|_| self.has_parameter("k")) {
            parameters.insert("k".to_owned(), u64::from(k));
        }
        fp::resolve(&self.tree, signature, &parameters)
    }

    /// Whether the file has a parameter of that name.
    #[must_use]
    pub fn has_parameter(&self, name: &str) -> bool {
        fp::parameters(&self.tree).iter().any(|parameter| parameter.name == name)
    }
}

impl Engine for Formula {
    fn name(&self) -> &'static str {
        "formula"
    }

    fn traces_are_shortest(&self, _program: &Program) -> bool {
        false
    }

    fn supports(&self, program: &Program) -> Result<(), Unsupported> {
        ready::can_be_supplied(program)?;
        if program.threads.len() > 1 && !self.needs_bound() {
            return Err(Unsupported::SeveralThreads);
        }
        Ok(())
    }

    fn is_bounded(&self, program: &Program) -> bool {
        program.threads.len() > 1
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::assert_no_init(task.program);
        let graph = Graph::of(task.program);
        let rank = ranks(task.program, &graph);
        let mut supply = Supply::new(task.program, task.targets, |location| rank[location]);
        let system = self.resolve(&supply, task.bound);
        let query = |system: &System| system.queries.iter().position(|query| query.name == REACHED);
        let Some((system, query)) = system.ok().and_then(|system| query(&system).map(|query| (system, query))) else {
            // Whoever asks looks at the file first; an answer about nothing must not pass for one about the program.
            let detail = Some("the file does not fit the program".to_owned());
            return Answer { stopped: Some(StopReason::Cancelled), detail, ..Answer::default() };
        };
        let mut plan = Plan::new(&system, supply.signature(), self.control);
        let ends = query == 0 && ready::asks_for_targets_only(&system, supply.signature(), query);
        let how = How { query, ends, literal: self.literal };
        if let Some(order) = self.rehearse(task.program, task.bound, &mut supply, how, context) {
            plan.set_order(order);
        }
        let mut answer = self.run(task, context, &mut supply, &plan, how);
        // What keeps an algorithm from doing work twice does not matter for how things come about; nor do rounds to the
        // letter, of which no history is kept.
        if task.traces && !answer.reached.is_empty() && (self.literal || !plan.is_positive(query)) {
            let how = How { literal: false, ..how };
            let again = self.run(task, context, &mut supply, &plan.positive_core(), how);
            answer.traces = again.traces;
            answer.stopped = answer.stopped.or(again.stopped);
        }
        if self.explain {
            answer.account.insert_str(0, &plan.explain(&system, supply.signature()));
        }
        answer
    }
}

impl Formula {
    fn run(
        &self,
        task: &Task<'_>,
        context: &Context<'_>,
        supply: &mut Supply<'_>,
        plan: &Plan,
        How { query, ends, literal }: How,
    ) -> Answer {
        let manager = manager(task.program, context);
        let derives = task.traces && !literal && plan.is_positive(query);
        // A proof that something is not reached needs all that is: where a target cannot be found, the others are no end.
        let ends = ends && (!task.certificate || supply.has_all_targets());
        let enough = ends.then(|| supply.n_target_points());
        let options = Options { literal, history: derives, profile: self.profile, enough };
        let mut solver = match Solver::new(plan, supply, manager, options, context.budget, context.observer) {
            Ok(solver) => solver,
            Err(halt) => return Answer { stopped: Some(halt.reason()), detail: halt.detail(), ..Answer::default() },
        };
        let mut stopped = solver.solve_queries(&[query]).err();
        let reached = reached(task, supply, &solver, query).unwrap_or_else(|halt| {
            stopped = stopped.take().or(Some(halt));
            Vec::new()
        });
        let mut traces = Vec::new();
        if derives {
            let found = trace::find(task, supply, &mut solver, query, &reached, &mut traces);
            stopped = stopped.or(found.err());
        }
        let mut certificate = None;
        let invariant = plan.query(certificate::INVARIANT).filter(|_| task.certificate && stopped.is_none());
        if let Some(invariant) = invariant.filter(|_| reached.len() < task.targets.len()) {
            // What merely repeats an equation that is solved need not be computed once more.
            let repeated = plan.repeated(invariant).filter(|relation| solver.is_solved(relation));
            let solved = repeated.map_or_else(|| solver.solve_queries(&[invariant]), |_| Ok(()));
            let relation = repeated.unwrap_or(certificate::INVARIANT);
            let proof = solved.and_then(|()| certificate::export(task, supply, &solver, relation, &reached));
            // Without a proof the answer stands all the same.
            certificate = proof.ok();
        }
        let (detail, stopped) = (stopped.as_ref().and_then(Halt::detail), stopped.as_ref().map(Halt::reason));
        let account = if self.profile { solver.profile().to_string() } else { String::new() };
        Answer {
            reached,
            traces,
            certificate,
            stopped,
            detail,
            account,
            statistics: statistics(&solver),
            unbounded: false,
            finished: None,
        }
    }
}

/// How a plan is run.
#[derive(Clone, Copy)]
struct How {
    /// The query that is answered.
    query: usize,
    /// Whether it is done as soon as it has all targets.
    ends: bool,
    /// Whether to follow the operational semantics to the letter.
    literal: bool,
}

/// The targets among the query's answers, in the order of the task.
fn reached(task: &Task<'_>, supply: &Supply<'_>, solver: &Solver<'_>, query: usize) -> Result<Vec<LocationId>, Halt> {
    let points = supply.points().list();
    let location = |key: Vec<u32>| match key.first().map(|point| points[*point as usize]) {
        Some(Point::At(location, _)) => Some(location),
        _ => None,
    };
    let found: FxHashSet<LocationId> = solver.keys(query)?.into_iter().filter_map(location).collect();
    Ok(task.targets.iter().filter(|target| found.contains(target)).copied().collect())
}

fn statistics(solver: &Solver<'_>) -> Statistics {
    let stats = solver.manager().stats();
    Statistics {
        steps: solver.steps(),
        n_bdd_variables: stats.n_vars as u64,
        peak_nodes: stats.peak_nodes as u64,
        bdd_bytes: stats.peak_bytes,
        ..Statistics::default()
    }
}
