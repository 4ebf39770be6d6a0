//! Runs without end on which a mark is seen again and again: the search behind temporal properties.
//!
//! Esparza and Schwoon, A BDD-based model checker for recursive programs (CAV 2001), sections 4.2 and 5. A *head* is a
//! location with data: what is on top of the stack. There is an edge from a head to the next one in the same frame (a step,
//! or a call that returns) and to the first head of a callee (a call that need not return). Along these edges the stack
//! never loses what is below the first head, so a cycle of heads is a run that can be repeated for ever, and every run
//! without end has one. The run counts when a mark is seen on the cycle: at a head, or during a call that returns.
//!
//! The three improvements of section 5 can be switched off one by one ([`Search`]): a good order of variables; reachable
//! heads first; rough components of the control graph before the exact search.
//!
//! Modules in reading order: `careful`, how calls are entered (`entries`) and crossed (`finish`); `heads`, the graph; `rough`, cycles ruled out without looking at arrays; `accelerate`, loops in
//! one step; `closure` and `hull`, which of its states lie on or lead to marked cycles; `route`, shortest ways in it; `lasso`, one cycle and the way to it; `walk`, a single run to see whether there is any;
//! `places`, the same question answered by a formula.

mod accelerate;
mod careful;
mod closure;
mod entries;
mod finish;
mod heads;
mod hull;
mod lasso;
mod places;
mod rough;
mod route;
mod walk;

use base::{IdVec, StopReason};
use encode::Encoding;
use program::{EdgeId, EdgeKind, Graph, Lasso, LocationId, ProcedureId, Program, VariableId};

use crate::halt::Halt;
use crate::problem::{Problem, manager};
use crate::summary::Solver;
use crate::{Context, Statistics, Task};
use careful::{Careful, Crossing};
use entries::{Entries, enter_everywhere};
use heads::Heads;
pub use places::by_formula;
pub use walk::walks_for_ever;

/// What is asked: is there a run without end of the program that sees the mark again and again?
#[derive(Clone, Copy, Debug)]
pub struct Recurrence<'a> {
    /// A sequential program.
    pub program: &'a Program,
    /// The same program without the automaton: its edges are the first edges of `program`.
    pub plain: &'a Program,
    /// Steps that are possible only where no edge of `plain` leaves their location.
    pub stutters: &'a [EdgeId],
    /// What is to be seen again and again.
    pub acceptance: Acceptance<'a>,
    /// How to look for it.
    pub search: Search,
}

/// What a run must see again and again.
#[derive(Clone, Copy, Debug)]
pub enum Acceptance<'a> {
    /// Nothing: every run without end counts.
    Always,
    /// A state in which `mark` is true. The variable `seen` of a procedure may be true only if `mark` was true since the
    /// procedure was entered; it is a result of the procedure, and may be forgotten at any time.
    Marked {
        /// A shared Boolean.
        mark: VariableId,
        /// A Boolean local of each procedure.
        seen: &'a IdVec<ProcedureId, VariableId>,
    },
}

/// How to look for cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Which algorithm finds the cycles.
    pub method: Method,
    /// Whether the variables of the diagrams are put into a good order, or stay in the order in which they occur.
    pub arranged: bool,
    /// Whether only reachable heads are looked at, but for the values of arrays that the start leaves open.
    pub reachable_first: bool,
    /// Whether the search is confined to components of the control graph.
    pub components: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self { method: Method::default(), arranged: true, reachable_first: true, components: true }
    }
}

/// Which algorithm finds the cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Backwards: states from which marks can be reached for ever (Emerson and Lei).
    EmersonLei,
    /// Forwards: what no mark leads to and what has no predecessor is taken away (one way catch them young). Forwards the
    /// sets stay within what the program does; backwards they also hold what it never would.
    #[default]
    Owcty,
    /// The transitive closure of the head graph.
    Closure,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct RecurrenceAnswer {
    /// A run, if there is one.
    pub lasso: Option<Lasso>,
    /// Why the search stopped early. Without a lasso nothing is decided then.
    pub stopped: Option<StopReason>,
    /// What it cost.
    pub statistics: Statistics,
}

/// Looks for a run.
#[must_use]
pub fn solve(question: &Recurrence<'_>, context: &Context<'_>) -> RecurrenceAnswer {
    let program = question.program;
    let Some(start) = program.sequential_start() else { return RecurrenceAnswer::default() };
    let graph = Graph::of(program);
    let targets: [LocationId; 0] = [];
    let task = Task { program, targets: &targets, lengths: &[], bound: None, traces: true, certificate: false };
    let mut statistics = Statistics::default();
    for detail in [Detail::Outcomes, Detail::Everything] {
        let problem = Problem::new(&task, context, &graph, encoding(question, context), start);
        let mut solver = Solver::new(problem, Careful::plain());
        let found = find(question, &mut solver, detail);
        statistics = together(&statistics, solver.statistics());
        match found {
            Ok(Found::Perhaps) => {}
            Ok(Found::Nothing) => return RecurrenceAnswer { lasso: None, stopped: None, statistics },
            Ok(Found::Run(lasso)) => return RecurrenceAnswer { lasso: Some(lasso), stopped: None, statistics },
            Err(halt) => return RecurrenceAnswer { lasso: None, stopped: Some(halt.reason(context)), statistics },
        }
    }
    unreachable!("in every detail there is a run or there is none")
}

/// What the search knows of the outermost calls of recursions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// Which arrays they may end with, whatever they began with: little to keep, and mostly enough.
    Outcomes,
    /// Everything.
    Everything,
}

/// What a search has found.
enum Found {
    Nothing,
    Run(Lasso),
    /// A cycle that may be there only for lack of detail.
    Perhaps,
}

fn encoding<'a>(question: &Recurrence<'a>, context: &Context<'_>) -> Encoding<'a> {
    let manager = manager(question.program, context);
    match question.search.arranged {
        true => Encoding::new(question.program, manager),
        false => Encoding::as_they_occur(question.program, manager),
    }
}

/// The statistics of two searches, one after the other.
fn together(first: &Statistics, second: Statistics) -> Statistics {
    Statistics {
        steps: first.steps + second.steps,
        peak_nodes: first.peak_nodes.max(second.peak_nodes),
        bdd_bytes: first.bdd_bytes.max(second.bdd_bytes),
        ..second
    }
}

fn find(question: &Recurrence<'_>, solver: &mut Solver<'_, Careful>, detail: Detail) -> Result<Found, Halt> {
    guard_stutters(question, &solver.problem)?;
    match question.search.reachable_first {
        true => solver.calls.entries = Entries::of(&solver.problem, detail)?,
        false => enter_everywhere(solver)?,
    }
    let only_reachable = question.search.reachable_first && matches!(solver.calls.entries, Entries::Reached);
    let lacks_detail = solver.calls.entries.lack_detail();
    solver.calls.crossing = Crossing::when_finished(&solver.problem);
    solver.run_to_the_end()?;
    let heads = Heads::of(question, solver, only_reachable);
    for component in heads.components(question.search.components) {
        solver.problem.context.budget.check()?;
        if rough::is_acyclic(&heads, &component)? {
            continue;
        }
        let mut found = hull::find(&heads, &component, question.search.method)?;
        heads.keep_reachable(&mut found.first)?;
        if !found.first.is_empty() {
            return if lacks_detail { Ok(Found::Perhaps) } else { lasso::write(&heads, &found).map(Found::Run) };
        }
    }
    Ok(Found::Nothing)
}

/// A program that cannot go on stays where it is: these steps are possible where no other is.
fn guard_stutters(question: &Recurrence<'_>, problem: &Problem<'_>) -> Result<(), Halt> {
    for stutter in question.stutters {
        let edge = &question.program.edges[*stutter];
        let EdgeKind::Step(relation) = &edge.kind else { continue };
        let mut stuck = problem.encoding.manager().bdd_true();
        for other in problem.graph.outgoing(edge.source) {
            if let Some(plain) = question.plain.edges.get(*other) {
                stuck = stuck.diff(&problem.encoding.enabled(*other, &plain.kind)?)?;
            }
        }
        problem.encoding.guard_step(*stutter, relation, &stuck)?;
    }
    Ok(())
}
