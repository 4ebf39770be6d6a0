//! Traces: each step becomes the steps that it stands for.

use program::{Action, Choice, EdgeId, Run, Trace, TraceStep, VariableId, When};

use super::WayBack;

impl WayBack {
    /// The trace of the original that a trace of the result stands for.
    ///
    /// Choices that mean nothing are left out: any values will do there.
    #[must_use]
    pub fn trace(&self, trace: &Trace) -> Trace {
        let forgotten = self.forgotten_at_entries(trace);
        let back_run = |(run, forgotten): (&Run, &Vec<VariableId>)| Run {
            entry: self.choices(&run.entry, forgotten),
            steps: self.steps(&run.steps),
        };
        Trace {
            start: self.choices(&trace.start, &[]),
            steps: self.steps(&trace.steps),
            runs: trace.runs.iter().zip(&forgotten).map(back_run).collect(),
        }
    }

    /// For each run, the variables whose value at its entry means nothing. Calls that share a run enter the same
    /// location, so a variable that one of them forgets is not used there before it is set.
    fn forgotten_at_entries(&self, trace: &Trace) -> Vec<Vec<VariableId>> {
        let mut forgotten = vec![Vec::new(); trace.runs.len()];
        let steps = trace.runs.iter().map(|run| &run.steps).chain(std::iter::once(&trace.steps));
        for step in steps.flatten() {
            if let Action::Across(edge, run) = step.action
                && let Some(here) = self.forgotten(edge)
                && let Some(of_run) = forgotten.get_mut(run.0 as usize)
            {
                of_run.extend_from_slice(&here.entering);
            }
        }
        forgotten
    }

    /// The choices that mean something, given what is forgotten at `After`.
    fn choices(&self, choices: &[Choice], forgotten: &[VariableId]) -> Vec<Choice> {
        let means_something = |choice: &&Choice| {
            let is_forgotten = choice.when == When::After && forgotten.contains(&choice.variable);
            !is_forgotten && self.removed.binary_search(&choice.variable).is_err()
        };
        choices.iter().filter(means_something).cloned().collect()
    }

    fn steps(&self, steps: &[TraceStep]) -> Vec<TraceStep> {
        let mut back = Vec::with_capacity(steps.len());
        let mut pending = Pending::default();
        for step in steps {
            self.step(step, &mut pending, &mut back);
        }
        back
    }

    fn step(&self, step: &TraceStep, pending: &mut Pending, back: &mut Vec<TraceStep>) {
        let TraceStep { thread, action, ref choices } = *step;
        let (edge, action, leaves) = match action {
            Action::Take(edge) => (Some(edge), Action::Take(self.edge(edge)), false),
            Action::Across(edge, run) => (Some(edge), Action::Across(self.edge(edge), run), true),
            Action::Enter(edge) => {
                pending.enter(thread, edge);
                let choices = self.choices(choices, self.forgotten(edge).map_or(&[], |it| &it.entering));
                back.push(TraceStep { thread, action: Action::Enter(self.edge(edge)), choices });
                return;
            }
            Action::Return => (pending.leave(thread), Action::Return, true),
        };
        let forgotten = edge.and_then(|edge| self.forgotten(edge));
        let forgotten = forgotten.map_or(&[][..], |it| if leaves { &it.leaving } else { &it.entering });
        back.push(TraceStep { thread, action, choices: self.choices(choices, forgotten) });
        let skipped = edge.into_iter().flat_map(|edge| self.steps_after(edge));
        back.extend(skipped.map(|edge| TraceStep { thread, action: Action::Take(edge), choices: Vec::new() }));
    }
}

/// The calls that each thread has entered and not left.
#[derive(Default)]
struct Pending {
    calls: Vec<(u32, EdgeId)>,
}

impl Pending {
    fn enter(&mut self, thread: u32, edge: EdgeId) {
        self.calls.push((thread, edge));
    }

    fn leave(&mut self, thread: u32) -> Option<EdgeId> {
        let at = self.calls.iter().rposition(|(owner, _)| *owner == thread)?;
        Some(self.calls.remove(at).1)
    }
}

#[cfg(test)]
mod tests {
    use program::{RunId, Value};

    use super::*;
    use crate::Forgotten;

    fn choice(variable: VariableId, when: When) -> Choice {
        Choice { variable, when, value: Value::Bool(true) }
    }

    #[test]
    fn choices_that_mean_nothing_are_left_out_where_they_mean_nothing() {
        let [entering, leaving, removed, kept] = [0, 1, 2, 3].map(VariableId);
        let call = EdgeId(0);
        let forgotten = Forgotten { entering: vec![entering], leaving: vec![leaving] };
        let way_back = WayBack { forgotten: vec![(call, forgotten)], removed: vec![removed], ..WayBack::default() };
        let all = |when: When| [entering, leaving, removed, kept].map(|variable| choice(variable, when)).to_vec();
        let step = |action, choices| TraceStep { thread: 0, action, choices };
        let trace = Trace {
            start: all(When::After),
            steps: vec![
                step(Action::Across(call, RunId(0)), [all(When::After), all(When::Saved)].concat()),
                step(Action::Enter(call), all(When::After)),
                step(Action::Return, all(When::After)),
            ],
            runs: vec![Run { entry: all(When::After), steps: Vec::new() }],
        };
        let back = way_back.trace(&trace);
        let after = |variables: [VariableId; 2]| variables.map(|it| choice(it, When::After)).to_vec();
        let saved = [entering, leaving, kept].map(|variable| choice(variable, When::Saved)).to_vec();
        assert_eq!(back.start, [entering, leaving, kept].map(|variable| choice(variable, When::After)));
        assert_eq!(back.runs[0].entry, after([leaving, kept]));
        assert_eq!(back.steps[0].choices, [after([entering, kept]), saved].concat());
        assert_eq!(back.steps[1].choices, after([leaving, kept]));
        assert_eq!(back.steps[2].choices, after([entering, kept]));
    }
}
