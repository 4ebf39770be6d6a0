//! Runs without end, told in fewer steps.

use base::Budget;
use program::interp::{LassoReplay, replay_lasso};
use program::{Observation, Program};

use super::Violation;

impl Violation {
    /// This run with the loop entered as early as possible: steps before the loop that are also the last ones of a round
    /// belong to it. Whether the data allow it, executing the run tells; what is true along it must be the same.
    pub(super) fn with_earlier_loop(
        &self,
        program: &Program,
        observations: &[Observation],
        budget: &Budget,
    ) -> Option<Self> {
        let (lasso, known) = (&self.lasso, self.replay.as_ref()?);
        let (steps, start) = (&lasso.trace.steps, lasso.loop_start);
        let n_round = steps.len().checked_sub(start).filter(|n| *n > 0)?;
        let is_same = |back: &usize| steps[start - 1 - back] == steps[steps.len() - 1 - back % n_round];
        let n_same = (0..start).take_while(is_same).count();
        if n_same == 0 {
            return None;
        }
        let mut lasso = lasso.clone();
        lasso.trace.steps.truncate(steps.len() - n_same);
        lasso.loop_start -= n_same;
        let replay = replay_lasso(program, &lasso, observations, budget).ok()?;
        // Rounds are equally long, so that words which agree so far agree for ever.
        let n_letters = known.stem.len() + known.round.len();
        let letters = |replay: &LassoReplay| -> Vec<Vec<bool>> {
            replay.stem.iter().chain(replay.round.iter().cycle()).take(n_letters).cloned().collect()
        };
        let is_same_run = replay.round.len() == known.round.len() && letters(&replay) == letters(known);
        is_same_run.then_some(Self { lasso, replay: Some(replay) })
    }
}
