//! Time, memory and progress of a search.

use base::Progress;
use bdd::Stop;
use encode::Encoding;

use crate::Context;
use crate::halt::Halt;

/// Live nodes that make it worth looking for a better order: sifting that many takes minutes.
const REORDER_ABOVE: usize = 1 << 24;

/// What a search looks at between two steps.
pub(crate) struct Limits<'s> {
    context: &'s Context<'s>,
    reorder_above: usize,
    pub(crate) steps: u64,
    /// Procedures that were entered, where that is counted.
    pub(crate) entered: u64,
    n_procedures: u64,
}

impl<'s> Limits<'s> {
    pub(crate) fn new(context: &'s Context<'s>, n_procedures: usize) -> Self {
        Self { context, reorder_above: REORDER_ABOVE, steps: 0, entered: 0, n_procedures: n_procedures as u64 }
    }

    /// The order of the variables stays as it is.
    pub(crate) fn without_reordering(self) -> Self {
        Self { reorder_above: usize::MAX, ..self }
    }

    /// Looks at the budget, between steps.
    pub(crate) fn check(&self) -> Result<(), Halt> {
        Ok(self.context.budget.check()?)
    }

    /// Counts a step.
    pub(crate) fn step(&mut self, encoding: &Encoding<'_>) -> Result<(), Halt> {
        /// Telling costs more than a step.
        const STEPS_PER_PROGRESS: u64 = 16;
        self.context.budget.step()?;
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_PROGRESS) {
            self.context.observer.progress(&Progress {
                phase: "solve",
                steps: self.steps,
                procedures: self.entered,
                n_procedures: self.n_procedures,
                nodes: encoding.manager().stats().nodes as u64,
            });
        }
        Ok(())
    }

    /// After a step: is it worth repeating after a collection? What is repeated adds nothing that is known.
    pub(crate) fn is_worth_repeating(&self, done: &Result<(), Halt>, encoding: &Encoding<'_>) -> bool {
        if !matches!(done, Err(Halt::Diagram(Stop::OutOfNodes))) {
            return false;
        }
        let full = encoding.manager().stats().nodes;
        encoding.manager().collect();
        // With little room left, collecting again and again would take all the time there is.
        encoding.manager().stats().nodes <= full / 2
    }

    /// Collects garbage and looks for a better order when there is reason to.
    pub(crate) fn tidy(&mut self, encoding: &Encoding<'_>) -> Result<(), Halt> {
        let manager = encoding.manager();
        if manager.collect_if_needed() && manager.stats().nodes > self.reorder_above {
            encoding.reorder()?;
            self.reorder_above = REORDER_ABOVE.max(2 * manager.stats().nodes);
        }
        Ok(())
    }
}
