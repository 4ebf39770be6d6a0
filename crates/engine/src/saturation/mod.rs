//! Saturation of symbolic automata: sets of configurations, stacks included, forwards and backwards.
//!
//! Esparza and Schwoon, A BDD-based model checker for recursive programs (CAV 2001). A program is read as a pushdown
//! system: locations are stack symbols, shared variables are the control state, a call pushes the callee's entry over
//! the caller's frame, which waits at the target of the call, and an exit pops. An automaton that accepts a regular
//! set of configurations is saturated with transitions until it accepts all that are reached from the set (post\*), or
//! all from which it is reached (pre\*).
//!
//! Modules in reading order:
//! - `automaton`: states, symbols and transitions;
//! - `agenda`: what is looked at next;
//! - `post`, `pre`: the two saturations;
//! - `forward`, `backward`: plain reachability with evidence;
//! - `configurations`: sets of configurations, `language`: what they hold, `listing`: their automata as plain values.

mod agenda;
pub(crate) mod automaton;
mod backward;
mod configurations;
mod forward;
mod language;
mod listing;
pub(crate) mod post;
mod pre;

use encode::Encoding;
use program::{Graph, Program};

use crate::problem::{Problem, manager};
use crate::{Answer, Context, Engine, Task, Unsupported};

pub use automaton::{State, Symbol};
pub use configurations::{Configurations, Prepared, prepare, supports};
pub use language::{Configuration, Frame};
pub use listing::{ListedColumn, ListedState, ListedTransition, Listing, Part};

/// The engine, in one of two directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saturation {
    /// From the start.
    Forward,
    /// From the targets.
    Backward,
}

impl Engine for Saturation {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward => "saturation",
            Self::Backward => "saturation-backward",
        }
    }

    fn traces_are_shortest(&self, program: &Program) -> bool {
        !crate::guide::is_guided(program)
    }

    fn supports(&self, program: &Program) -> Result<(), Unsupported> {
        crate::require_finite(program)?;
        crate::require_single_thread(program)?;
        crate::init::supports(program)
    }

    fn solve(&self, task: &Task<'_>, context: &Context<'_>) -> Answer {
        crate::assert_no_init(task.program);
        let Some(start) = task.program.sequential_start() else { return Answer::default() };
        let graph = Graph::of(task.program);
        let encoding = Encoding::new(task.program, manager(task.program, context));
        match self {
            Self::Forward => forward::solve(Problem::new(task, context, &graph, encoding, start)),
            Self::Backward => {
                let encoding = encoding.carrying_everything();
                backward::solve(Problem::new(task, context, &graph, encoding, start))
            }
        }
    }
}

/// The program with all shared variables carried through all procedures.
pub(crate) fn carrying_everything(program: &Program) -> Program {
    let mut program = program.clone();
    program.procedures.iter_mut().for_each(|procedure| procedure.untouched.clear());
    program
}
