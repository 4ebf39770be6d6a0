//! Traces of the sequential program as traces of the original.
//!
//! The interpreter executes the sequential trace. Its moves that are moves of the original are sorted by rounds, in a
//! round by threads; what comes after the move with which the target was reached is left out.

use program::interp::{Configuration, MoveKind, Played, Player, ReplayError};
use program::{Action, Choice, Program, Scope, Trace, TraceStep, Value, VariableId, When};

use super::{Origin, Sequential};

impl Sequential {
    /// The trace of the original that a trace of the sequential program stands for.
    pub(super) fn sorted(&self, trace: &Trace) -> Result<Trace, ReplayError> {
        let mut player = Player::new(&self.program, trace)?;
        let mut sorter = Sorter::new(self, &self.original);
        sorter.shared = sorter.values(&player, Scope::Shared);
        loop {
            let round = sorter.round(&player);
            let Some(played) = player.next_move()? else { break };
            sorter.add(&played, round);
        }
        Ok(sorter.finish())
    }

    /// The variable of the original that a variable stands for in a round.
    fn variable_back(&self, variable: VariableId, round: usize) -> Option<VariableId> {
        let copied = self.rounds.copied.iter().find(|copied| copied.now.contains(&variable));
        match copied {
            Some(copied) => Some(copied.now[0]).filter(|_| copied.now[round] == variable),
            None => Some(variable).filter(|variable| (variable.0 as usize) < self.rounds.n_variables),
        }
    }
}

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mover {
    Init,
    Thread(usize),
}

struct Sorter<'a> {
    sequential: &'a Sequential,
    original: &'a Program,
    mover: Mover,
    /// Moves with their round and mover.
    moves: Vec<(usize, Mover, TraceStep)>,
    /// Who has reached the target.
    arrived: Option<Mover>,
    shared: Vec<Choice>,
    /// By thread: its private values and its first frame.
    private: Vec<Vec<Choice>>,
    frames: Vec<Vec<Choice>>,
    frame_of_init: Vec<Choice>,
}

impl<'a> Sorter<'a> {
    fn new(sequential: &'a Sequential, original: &'a Program) -> Self {
        // A thread that never begins has any frame.
        let any = |thread: &program::Thread| {
            let frame = original.procedures[thread.start].frame();
            frame.map(|variable| Choice::after(variable, original.sort(variable).smallest())).collect()
        };
        Self {
            sequential,
            original,
            mover: Mover::Init,
            moves: Vec::new(),
            arrived: None,
            shared: Vec::new(),
            private: Vec::new(),
            frames: original.threads.iter().map(any).collect(),
            frame_of_init: Vec::new(),
        }
    }

    fn values(&self, player: &Player<'_>, scope: Scope) -> Vec<Choice> {
        let machine = player.machine();
        let value = |variable: VariableId| machine.configuration().shared[machine.layout().slot(variable)].clone();
        self.original.variables_in(scope).map(|variable| Choice::after(variable, value(variable))).collect()
    }

    /// The round in which the thread is.
    fn round(&self, player: &Player<'_>) -> usize {
        let Some(now) = self.sequential.rounds.now else { return 0 };
        let Configuration { shared, .. } = player.machine().configuration();
        match shared[player.machine().layout().slot(now)] {
            Value::Bits(round) => round as usize,
            _ => 0,
        }
    }

    fn add(&mut self, played: &Played<'_>, round: usize) {
        let moved = &played.moved;
        let own = |choice: &Choice| self.original.variables.get(choice.variable).is_some();
        let assigned = moved.assigned.iter();
        let choices = assigned.map(|it| Choice { variable: it.variable, when: it.when, value: it.value.clone() });
        match self.sequential.origins[moved.edge] {
            Origin::Edge(edge) => {
                let action = match moved.kind {
                    MoveKind::Step | MoveKind::Spawn => Action::Take(edge),
                    MoveKind::Enter => Action::Enter(edge),
                    MoveKind::Leave => Action::Return,
                };
                self.push(round, action, choices.collect());
            }
            Origin::Unfinished(edge) if moved.kind == MoveKind::Enter => {
                self.push(round, Action::Enter(edge), choices.collect());
            }
            Origin::Prepare(_) => self.private.push(choices.filter(own).collect()),
            Origin::Init if moved.kind == MoveKind::Enter => {
                self.frame_of_init = choices.filter(own).filter(|it| self.is_local(it)).collect();
            }
            Origin::Thread(thread) if moved.kind == MoveKind::Enter => {
                self.frames[thread] = choices.filter(own).filter(|it| self.is_local(it)).collect();
                self.mover = Mover::Thread(thread);
            }
            Origin::Arrive => self.arrived = Some(self.mover),
            Origin::Unfinished(_) | Origin::Init | Origin::Thread(_) | Origin::Nothing => {}
        }
    }

    fn is_local(&self, choice: &Choice) -> bool {
        matches!(self.original.variables[choice.variable].scope, Scope::Local(_))
    }

    fn push(&mut self, round: usize, action: Action, choices: Vec<Choice>) {
        let back = |choice: Choice| {
            let variable = self.sequential.variable_back(choice.variable, round)?;
            Some(Choice { variable, ..choice })
        };
        let thread = match self.mover {
            Mover::Init => 0,
            Mover::Thread(thread) => thread as u32,
        };
        let step = TraceStep { thread, action, choices: choices.into_iter().filter_map(back).collect() };
        self.moves.push((round, self.mover, step));
    }

    fn finish(self) -> Trace {
        let Self { mut moves, arrived, shared, private, frames, frame_of_init, .. } = self;
        // `init` has only been in the first round, before all threads. The order of equal ones is kept.
        moves.sort_by_key(|(round, mover, _)| (*round, *mover));
        let last = moves.iter().rposition(|(_, mover, _)| Some(*mover) == arrived);
        let n_of_init = moves.iter().take_while(|(_, mover, _)| *mover == Mover::Init).count();
        // A thread that has not moved is at the target from the start.
        moves.truncate(last.map_or(n_of_init, |last| last + 1));
        let own = private.into_iter().chain(frames).chain([frame_of_init]).flatten();
        let is_after = |choice: &Choice| choice.when == When::After;
        Trace {
            start: shared.into_iter().chain(own.filter(is_after)).collect(),
            steps: moves.into_iter().map(|(_, _, step)| step).collect(),
            runs: Vec::new(),
        }
    }
}
