//! Executes a run without end for some rounds, and reads off what is true along it.

use base::Budget;

use super::configuration::{Frame, ThreadState};
use super::error::{Fault, Place, Problem, ReplayError};
use super::machine::Machine;
use super::player::Player;
use crate::{Lasso, Observation, Program, Role, Trace, Value};

/// Rounds that are executed: each must end where it began, so that more of them would go the same way.
pub const ROUNDS: usize = 3;

/// A run without end that was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoReplay {
    /// Moves that were executed.
    pub n_moves: u64,
    /// Which observations hold in each configuration before the rounds.
    pub stem: Vec<Vec<bool>>,
    /// The same for the configurations of one round; a run that stays in its last state has a round of one.
    pub round: Vec<Vec<bool>>,
    /// Frames that every round adds to the stack.
    pub growth: usize,
}

/// Executes the steps up to the loop and three rounds. A round must begin and end with the same values in sight (shared and
/// private variables and the innermost frame, at the same location), and must not return below the frame in which it
/// began. A run that stays in its last state must have ended there, or have no way to go on.
///
/// Exits of calls and locations in the middle of a step are no configurations of their own: nothing is observed there. Nor
/// is it behind a call, unless the run stays there.
pub fn replay_lasso(
    program: &Program,
    lasso: &Lasso,
    observations: &[Observation],
    budget: &Budget,
) -> Result<LassoReplay, ReplayError> {
    let unrolled = unroll(lasso);
    let mut rounds = Rounds { observations, letters: Vec::new(), is_observed: false, begun: Vec::new() };
    let mut player = Player::new(program, &unrolled)?;
    let (n_stem, n_round) = (lasso.loop_start, lasso.trace.steps.len() - lasso.loop_start);
    let mut n_moves = 0;
    rounds.observe(program, player.machine())?;
    loop {
        if let Some(n_done) = player.n_steps_done() {
            rounds.at_step(player.machine(), n_done, (n_stem, n_round))?;
        }
        rounds.stay_above(player.machine())?;
        budget.step().map_err(|reason| fault(Fault::Stopped(reason), reason.to_string()))?;
        if player.next_move()?.is_none() {
            break;
        }
        n_moves += 1;
        rounds.observe(program, player.machine())?;
    }
    if n_round == 0 {
        check_stuck(program, player.machine())?;
        rounds.observe_last(program, player.machine())?;
    }
    rounds.finish(n_moves, n_round == 0)
}

fn fault(fault: Fault, message: impl Into<String>) -> ReplayError {
    ReplayError::new(Place::End, Problem::new(fault, message))
}

fn unroll(lasso: &Lasso) -> Trace {
    let mut unrolled = lasso.trace.clone();
    let round = lasso.trace.steps[lasso.loop_start..].to_vec();
    for _ in 1..ROUNDS {
        unrolled.steps.extend(round.iter().cloned());
    }
    unrolled
}

/// What is on top when a round begins.
struct Begin {
    shared: Vec<Value>,
    private: Vec<Value>,
    frame: Frame,
    depth: usize,
    /// Letters before it.
    n_letters: usize,
}

struct Rounds<'o> {
    observations: &'o [Observation],
    /// Those of configurations in which something can be observed.
    letters: Vec<Vec<bool>>,
    /// Whether the configuration at hand is one of them.
    is_observed: bool,
    begun: Vec<Begin>,
}

impl Rounds<'_> {
    /// Notes the beginning of a round, and compares it with that of the first one.
    fn at_step(
        &mut self,
        machine: &Machine<'_>,
        n_done: usize,
        (stem, round): (usize, usize),
    ) -> Result<(), ReplayError> {
        let is_begin = n_done >= stem && (round == 0 || (n_done - stem).is_multiple_of(round));
        let number = n_done.saturating_sub(stem).checked_div(round).unwrap_or(0);
        if !is_begin || number != self.begun.len() {
            return Ok(());
        }
        let ThreadState { private, frames } = &machine.configuration().threads[0];
        let Some(frame) = frames.last() else { unreachable!("a thread has a frame") };
        let begin = Begin {
            shared: machine.configuration().shared.clone(),
            private: private.clone(),
            frame: frame.clone(),
            depth: frames.len(),
            n_letters: self.letters.len() - usize::from(self.is_observed),
        };
        if let Some(first) = self.begun.first() {
            let same = (&first.shared, &first.private, &first.frame) == (&begin.shared, &begin.private, &begin.frame);
            if !same {
                return Err(fault(Fault::WrongEnd, "a round does not end as it began"));
            }
        }
        self.begun.push(begin);
        Ok(())
    }

    fn stay_above(&self, machine: &Machine<'_>) -> Result<(), ReplayError> {
        match self.begun.last() {
            Some(begin) if machine.configuration().threads[0].frames.len() < begin.depth => {
                Err(fault(Fault::WrongEnd, "a round returns from the procedure in which it began"))
            }
            _ => Ok(()),
        }
    }

    fn observe(&mut self, program: &Program, machine: &Machine<'_>) -> Result<(), ReplayError> {
        let frames = &machine.configuration().threads[0].frames;
        let location = machine.configuration().threads[0].top().location;
        let is_return = machine.is_exit(location) && frames.len() > 1;
        self.is_observed = program.locations[location].role.is_moment() && !is_return;
        if self.is_observed { self.read(program, machine) } else { Ok(()) }
    }

    /// A run that stays behind a call is seen there.
    fn observe_last(&mut self, program: &Program, machine: &Machine<'_>) -> Result<(), ReplayError> {
        let location = machine.configuration().threads[0].top().location;
        let stays = program.locations[location].role == Role::Returned;
        if stays { self.read(program, machine) } else { Ok(()) }
    }

    /// Adds what is true of a configuration.
    fn read(&mut self, program: &Program, machine: &Machine<'_>) -> Result<(), ReplayError> {
        let location = machine.configuration().threads[0].top().location;
        let at_exit = machine.is_exit(location);
        let meaning = |it: &Observation| if at_exit { it.at_end() } else { it.at(program, location) };
        let value = |it: &Observation| machine.holds(0, &meaning(it));
        let letter: Result<Vec<bool>, Problem> = self.observations.iter().map(value).collect();
        self.letters.push(letter.map_err(|problem| ReplayError::new(Place::End, problem))?);
        Ok(())
    }

    fn finish(mut self, n_moves: u64, stays: bool) -> Result<LassoReplay, ReplayError> {
        let at = |round: usize| self.begun.get(round).map(|begin| (begin.n_letters, begin.depth));
        let (Some((first, depth)), next) = (at(0), at(1)) else {
            return Err(fault(Fault::WrongEnd, "the run does not come to its loop"));
        };
        let (end, growth) = match (next, stays) {
            (_, true) => (self.letters.len(), 0),
            (Some((end, later)), false) => (end, later.saturating_sub(depth)),
            (None, false) => return Err(fault(Fault::WrongEnd, "the run does not come to the end of its loop")),
        };
        if end <= first {
            return Err(fault(Fault::WrongEnd, "the loop does nothing"));
        }
        self.letters.truncate(end);
        let round = self.letters.split_off(first);
        Ok(LassoReplay { n_moves, stem: self.letters, round, growth })
    }
}

/// True ends: the outermost frame is at an exit, or no edge can be taken.
fn check_stuck(program: &Program, machine: &Machine<'_>) -> Result<(), ReplayError> {
    let frames = &machine.configuration().threads[0].frames;
    let location = machine.configuration().threads[0].top().location;
    if machine.is_exit(location) {
        let ended = frames.len() == 1;
        return if ended { Ok(()) } else { Err(fault(Fault::WrongEnd, "the run stops before a return")) };
    }
    for (id, edge) in program.edges.iter_ids().filter(|(_, edge)| edge.source == location) {
        let mut attempt = machine.clone();
        let result = match &edge.kind {
            crate::EdgeKind::Call(_) => attempt.enter(0, id, &[]),
            crate::EdgeKind::Step(_) | crate::EdgeKind::Spawn(_) => attempt.take(0, id, &[]),
        };
        match result {
            Ok(_) => return Err(fault(Fault::WrongEnd, "the run stops although it can go on")),
            Err(problem) if problem.fault == Fault::TooLarge => return Err(ReplayError::new(Place::End, problem)),
            Err(_) => {}
        }
    }
    Ok(())
}
