//! A run written down as the choices that lead along it.
//!
//! A trace names the edges that are taken and the values of what they leave open; everything else follows by
//! execution ([`crate::interp`]). Calls that return are runs of their own, shared between the places that make the
//! same call, so that a trace can be far smaller than the run it stands for.

use base::define_ids;

use crate::{EdgeId, Value, VariableId, When};

define_ids! {
    /// A run of a trace.
    RunId,
}

/// A run from the start of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Values at the start: shared and private variables and the first frames. What is missing is arbitrary. Where
    /// several threads have a copy of a variable, its n-th choice is for the n-th of them.
    pub start: Vec<Choice>,
    /// The steps from the start, calls that do not return included.
    pub steps: Vec<TraceStep>,
    /// The runs of calls that return. A run refers only to runs before it.
    pub runs: Vec<Run>,
}

/// A run without end: a trace whose last steps are repeated for ever.
///
/// The repeated steps may enter calls without returning, so that the stack grows in every round; what they need of the
/// stack is on its top. Without repeated steps the run ends, or cannot go on, and its last state counts as repeated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// The steps up to the end of the first round.
    pub trace: Trace,
    /// The step of the trace with which a round begins.
    pub loop_start: usize,
}

/// What happens inside a call, from an entry to an exit, both in the same frame.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Values in the callee's frame when it is entered. What is missing is arbitrary.
    pub entry: Vec<Choice>,
    /// The steps.
    pub steps: Vec<TraceStep>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Which thread moves: threads of the program in order, then spawned ones in order of their start. The `init`
    /// procedure runs as thread 0.
    pub thread: u32,
    /// How it moves.
    pub action: Action,
    /// Values of what the step leaves open. What is missing may have any possible value.
    pub choices: Vec<Choice>,
}

/// How a thread moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Takes a step or spawn edge.
    Take(EdgeId),
    /// Enters a call.
    Enter(EdgeId),
    /// Returns from the innermost call, from an exit.
    Return,
    /// Enters a call, goes through the run and returns. The step's choices at `After` are about leaving the call;
    /// those about entering it are the run's `entry`.
    Across(EdgeId, RunId),
}

/// A chosen value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The variable that gets it.
    pub variable: VariableId,
    /// `After`, or `Saved` in the caller's frame on a call.
    pub when: When,
    /// The value.
    pub value: Value,
}

impl Choice {
    /// The variable has the value after the step.
    #[must_use]
    pub fn after(variable: VariableId, value: Value) -> Self {
        Self { variable, when: When::After, value }
    }
}

impl Trace {
    /// The number of steps when every call is written out; saturates.
    #[must_use]
    pub fn n_steps(&self) -> u64 {
        let mut lengths: Vec<u64> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let length = length_of(&run.steps, &lengths);
            lengths.push(length);
        }
        length_of(&self.steps, &lengths)
    }
}

fn length_of(steps: &[TraceStep], lengths: &[u64]) -> u64 {
    let length = |step: &TraceStep| match step.action {
        Action::Take(_) | Action::Enter(_) => 1,
        Action::Return => 0,
        Action::Across(_, run) => 1 + lengths.get(run.0 as usize).copied().unwrap_or(0),
    };
    steps.iter().map(length).fold(0, u64::saturating_add)
}
