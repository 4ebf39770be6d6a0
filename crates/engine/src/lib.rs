//! The engines. Each is one implementation of [`Engine`], listed in [`engines`].
//!
//! An engine decides which locations of a program are reached. It returns evidence but does not check it.

mod back;
mod condition;
mod evidence;
pub mod explicit;
pub mod formula;
mod guide;
mod halt;
pub mod init;
mod limits;
pub mod network;
mod order;
mod problem;
pub mod recurrence;
pub mod saturation;
mod state;
pub mod summary;

use base::StopReason;
use program::{Bound, Call, FiniteProgram, LocationId, Program, Trace, VariableId, When};
use witness::Certificate;

pub use back::{Asked, answer, stopped};
pub use base::Context;
pub use program::Unsupported;

/// What an engine is to decide.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// A program that `verify` accepts.
    pub program: &'a Program,
    /// The locations that are asked about.
    pub targets: &'a [LocationId],
    /// How many edges of the source program each edge stands for, by position; empty: one each. Traces are shortest
    /// in this measure.
    pub lengths: &'a [u32],
    /// How far interleavings are followed; none: the program or the engine needs no bound ([`Engine::is_bounded`]).
    pub bound: Option<Bound>,
    /// Whether reached targets are to come with traces. Without traces an engine may still stop as soon as all
    /// targets are reached.
    pub traces: bool,
    /// Whether unreached targets are to come with a certificate.
    pub certificate: bool,
}

/// What an engine found out.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The targets that some run reaches, in the order of the task's targets. Each is certain, also when the engine was stopped.
    pub reached: Vec<LocationId>,
    /// A trace to each reached target, if asked for and if the limits allowed it.
    pub traces: Vec<(LocationId, Trace)>,
    /// A proof that the other targets are not reached, if asked for and if the engine finished.
    pub certificate: Option<Certificate>,
    /// Why the engine stopped early. Targets that are not in `reached` are then undecided.
    pub stopped: Option<StopReason>,
    /// What more there is to say about why it stopped, as a sentence without a full stop.
    pub detail: Option<String>,
    /// The plan and what its parts cost, for people, where that was asked for.
    pub account: String,
    /// The engine is bounded on this program, but what it says about unreached targets holds without the bound: going
    /// further would add nothing.
    pub unbounded: bool,
    /// The largest bound within which a stopped engine had finished: no target that it leaves undecided is reached within
    /// it. None: it was not stopped, or finished nothing.
    pub finished: Option<Bound>,
    /// What it cost.
    pub statistics: Statistics,
}

/// What solving cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Steps of the engine: locations taken from the worklist, contexts of threads, or explicit states expanded.
    pub steps: u64,
    /// Decision-diagram variables.
    pub n_bdd_variables: u64,
    /// Most decision-diagram nodes alive at once, as the library counts them; of a network, the nodes of all view tuples.
    pub peak_nodes: u64,
    /// Bytes held by the decision-diagram library at its peak.
    pub bdd_bytes: u64,
    /// Explicit states stored.
    pub states: u64,
    /// View tuples taken from a worklist.
    pub view_tuples: u64,
}

/// One way of deciding reachability.
pub trait Engine: Sync {
    /// The name that users give: `summary`, `explicit`.
    fn name(&self) -> &'static str;

    /// Are its traces of this program shortest (within the bound), with a finished call counted as one step or with
    /// all steps counted?
    fn traces_are_shortest(&self, program: &Program) -> bool;

    /// Says what in the program is beyond this engine.
    fn supports(&self, program: &Program) -> Result<(), Unsupported>;

    /// Whether what it says about unreached targets of this program holds up to a bound only. The task must have one.
    fn is_bounded(&self, _program: &Program) -> bool {
        false
    }

    /// Whether it follows an `init` procedure by itself. For others [`init::WithoutInit`] removes it before.
    fn follows_init(&self) -> bool {
        false
    }

    /// Decides the task, or stops at a limit with what it knows.
    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer;
}

/// All engines; the first one that supports a program is the default for it.
#[must_use]
pub fn engines() -> [&'static dyn Engine; 6] {
    let saturation: [&dyn Engine; 2] = [&saturation::Saturation::Forward, &saturation::Saturation::Backward];
    let network: [&dyn Engine; 2] = [&network::Network::Lazy, &network::Network::Eager];
    [&summary::Summary, &explicit::Explicit, saturation[0], saturation[1], network[0], network[1]]
}

/// An engine that does not follow `init` must not see one: its answer would be about another program.
pub(crate) fn assert_no_init(program: &Program) {
    assert!(program.init.is_none(), "`init` is rewritten before an engine that does not follow it");
}

/// Engines work on finite programs only.
pub fn require_finite(program: &Program) -> Result<FiniteProgram<'_>, Unsupported> {
    FiniteProgram::new(program).map_err(|refused| Unsupported::Integers(refused.describe(program)))
}

/// Sequential engines reject threads with one voice.
pub(crate) fn require_single_thread(program: &Program) -> Result<(), Unsupported> {
    if program.is_single_threaded() {
        return Ok(());
    }
    Err(Unsupported::SeveralThreads)
}

/// What a call decides on entering: the callee's frame, and the shared and private variables that it sets.
pub(crate) fn set_on_entry(program: &Program, call: &Call) -> Vec<VariableId> {
    let mut variables: Vec<VariableId> = program.procedures[call.callee].frame().collect();
    let entered = call.enter.updates.iter().filter(|update| update.when == When::After);
    variables.extend(entered.map(|update| update.variable));
    variables.sort_unstable();
    variables.dedup();
    variables
}
