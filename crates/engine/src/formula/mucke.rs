//! Files of Mucke's language: they speak of no program, so there is nothing to supply.

use base::StopReason;
use bdd::{Config, Interrupt, Manager};
use calculus::Options;
use calculus::mucke::{Resolved, Run, plan, run};

use super::{detail, reason};
use crate::Context;
use crate::summary::diagram_memory;

/// Solves a file. The flags: to the letter, and with times.
pub fn run_mucke(
    resolved: &Resolved,
    (literal, profile): (bool, bool),
    context: &Context<'_>,
) -> Result<Run, (StopReason, Option<String>)> {
    let manager = Manager::new(&Config::for_memory(diagram_memory(context)));
    manager.set_interrupt(Interrupt::from(context.budget.interrupt().flag()));
    let options = Options { literal, profile, ..Options::default() };
    run(resolved, manager, options, context.budget, context.observer).map_err(|halt| (reason(&halt), detail(&halt)))
}

/// The plan of a file, for people.
#[must_use]
pub fn explain_mucke(resolved: &Resolved) -> String {
    plan(resolved).explain(&resolved.system, &calculus::Signature::default())
}
