//! Files of Mucke's language: they speak of no program, so there is nothing to supply.

use base::StopReason;
use bdd::{Config, Interrupt, Manager};
use calculus::Options;
use calculus::mucke::{Outcome, Resolved, Run, Unfinished, plan, run};

use super::{detail, reason};
use crate::Context;
use crate::summary::diagram_memory;

/// Why a file was not solved to the end, what more there is to say about that, and what was answered before.
pub type UnfinishedRun = (StopReason, Option<String>, Vec<Outcome>);

/// Solves a file. The flags: to the letter, and with times.
pub fn run_mucke(
    resolved: &Resolved,
    (literal, profile): (bool, bool),
    context: &Context<'_>,
) -> Result<Run, UnfinishedRun> {
    let manager = Manager::new(&Config::for_memory(diagram_memory(context)));
    manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
    let options = Options { literal, profile, ..Options::default() };
    run(resolved, manager, options, context.budget, context.observer)
        .map_err(|Unfinished { halt, outcomes }| (reason(&halt), detail(&halt), outcomes))
}

/// The plan of a file, for people.
#[must_use]
pub fn explain_mucke(resolved: &Resolved) -> String {
    plan(resolved).explain(&resolved.system, &calculus::Signature::default())
}
