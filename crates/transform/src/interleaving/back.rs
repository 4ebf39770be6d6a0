//! Traces of the interleavings as traces of the original. The interpreter executes them; each move is one of a thread.

use program::interp::{Assigned, Player, ReplayError};
use program::{Action, Choice, Program, Trace, TraceStep, VariableId, When};

use super::frames::Actor;
use super::{Interleaving, MoveKind, Origin};

impl Interleaving {
    /// The trace of the original that a trace of the program stands for.
    pub(super) fn of_threads(&self, trace: &Trace) -> Result<Trace, ReplayError> {
        let original = &self.original;
        let mut player = Player::new(&self.program, trace)?;
        let mut back = Trace { start: self.start_back(original, &player), ..Trace::default() };
        let mut arrived = None;
        while let Some(played) = player.next_move()? {
            match self.origins[played.moved.edge] {
                Origin::Arrive(actor) => arrived = Some(actor),
                Origin::Move { actor, kind, edge, from, to } => {
                    let action = match kind {
                        MoveKind::Step => Action::Take(edge),
                        MoveKind::Enter => Action::Enter(edge),
                        MoveKind::Leave => Action::Return,
                    };
                    let frames = (from, to);
                    let choices = self.choices(original, actor, kind, frames, &played.moved.assigned);
                    // `init` runs as thread 0.
                    let thread = if actor < original.threads.len() { actor as u32 } else { 0 };
                    back.steps.push(TraceStep { thread, action, choices });
                }
            }
        }
        self.cut(original, trace, arrived, &mut back);
        Ok(back)
    }

    /// The run ends when the thread that is at the target has come there.
    fn cut(&self, original: &Program, trace: &Trace, arrived: Option<usize>, back: &mut Trace) {
        let Some(arrived) = arrived else { return };
        let movers: Vec<usize> = trace
            .steps
            .iter()
            .filter_map(|step| match step.action {
                Action::Take(edge) => Some(self.origins[edge]),
                _ => None,
            })
            .filter_map(|origin| match origin {
                Origin::Move { actor, .. } => Some(actor),
                Origin::Arrive(_) => None,
            })
            .collect();
        let n_of_init = movers.iter().take_while(|mover| **mover >= original.threads.len()).count();
        let last = movers.iter().rposition(|mover| *mover == arrived);
        back.steps.truncate(last.map_or(n_of_init, |last| last + 1));
    }

    /// All values at the start: shared, then those of each thread, then the frame of `init`.
    fn start_back(&self, original: &Program, player: &Player<'_>) -> Vec<Choice> {
        let machine = player.machine();
        let value = |own: VariableId| machine.configuration().shared[machine.layout().slot(own)].clone();
        let chosen = |(variable, own): &(VariableId, VariableId)| Choice::after(*variable, value(*own));
        let mut start: Vec<Choice> = self.shared.iter().map(chosen).collect();
        let n_threads = original.threads.len();
        for (number, actor) in self.actors.iter().enumerate() {
            start.extend(actor.private.iter().filter(|_| number < n_threads).map(chosen));
            let procedure = actor.unfolded.frames[0].procedure;
            let frame = original.procedures[procedure].frame();
            let locals = frame.filter_map(|local| Some((local, actor.own(0, local)?)));
            start.extend(locals.map(|pair| chosen(&pair)));
        }
        start
    }

    /// What was assigned, as choices about the variables of the original.
    fn choices(
        &self,
        original: &Program,
        actor: usize,
        kind: MoveKind,
        (from, to): (usize, usize),
        assigned: &[Assigned],
    ) -> Vec<Choice> {
        let actor: &Actor = &self.actors[actor];
        let back = |Assigned { variable: own, value, .. }: &Assigned| {
            if let Some((shared, _)) = self.shared.iter().find(|(_, it)| it == own) {
                return Some(Choice::after(*shared, value.clone()));
            }
            if let Some(variable) = actor.meant(original, to, *own) {
                return Some(Choice::after(variable, value.clone()));
            }
            // What a caller keeps of its frame; a frame that is left is forgotten.
            let saved = actor.meant(original, from, *own).filter(|_| kind == MoveKind::Enter)?;
            Some(Choice { variable: saved, when: When::Saved, value: value.clone() })
        };
        assigned.iter().filter_map(back).collect()
    }
}
