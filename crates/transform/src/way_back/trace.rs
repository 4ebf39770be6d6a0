//! Traces: each step becomes the steps that it stands for.

use program::{Action, Choice, EdgeId, Trace, TraceStep, VariableId, When};

use super::WayBack;

impl WayBack {
    /// The trace of the original that a trace of the result stands for.
    ///
    /// Choices that mean nothing are left out: any values will do there.
    #[must_use]
    pub fn trace(&self, mut trace: Trace) -> Trace {
        for (run, forgotten) in self.forgotten_at_entries(&trace).iter().enumerate() {
            self.keep_meaningful(&mut trace.runs[run].entry, forgotten);
        }
        self.keep_meaningful(&mut trace.start, &[]);
        trace.steps = self.steps(trace.steps);
        for run in &mut trace.runs {
            run.steps = self.steps(std::mem::take(&mut run.steps));
        }
        trace
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

    /// Leaves the choices that mean something, given what is forgotten at `After`.
    fn keep_meaningful(&self, choices: &mut Vec<Choice>, forgotten: &[VariableId]) {
        choices.retain(|choice| {
            let is_forgotten = choice.when == When::After && forgotten.contains(&choice.variable);
            !is_forgotten && self.removed.binary_search(&choice.variable).is_err()
        });
    }

    fn steps(&self, mut steps: Vec<TraceStep>) -> Vec<TraceStep> {
        let mut pending = Pending::default();
        if self.redirected.is_empty() {
            for step in &mut steps {
                self.step(step, &mut pending);
            }
            return steps;
        }
        let mut back = Vec::with_capacity(steps.len());
        for mut step in steps {
            let ended = self.step(&mut step, &mut pending);
            let thread = step.thread;
            back.push(step);
            let skipped = ended.into_iter().flat_map(|edge| self.steps_after(edge));
            back.extend(skipped.map(|edge| TraceStep { thread, action: Action::Take(edge), choices: Vec::new() }));
        }
        back
    }

    /// Makes a step that of the original; gives the edge of the result that it ends, if it ends one.
    fn step(&self, step: &mut TraceStep, pending: &mut Pending) -> Option<EdgeId> {
        let (ended, edge) = match &mut step.action {
            Action::Take(edge) | Action::Across(edge, _) => (Some(*edge), Some(edge)),
            Action::Enter(edge) => {
                pending.enter(step.thread, *edge);
                (None, Some(edge))
            }
            Action::Return => (pending.leave(step.thread), None),
        };
        let here = edge.as_deref().copied().or(ended);
        if let Some(edge) = edge {
            *edge = self.edge(*edge);
        }
        if !step.choices.is_empty() {
            let forgotten = here.and_then(|edge| self.forgotten(edge));
            let forgotten = forgotten.map_or(&[][..], |forgotten| match step.action {
                Action::Take(_) | Action::Enter(_) => &forgotten.entering,
                Action::Across(..) | Action::Return => &forgotten.leaving,
            });
            self.keep_meaningful(&mut step.choices, forgotten);
        }
        ended
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
    use program::{Run, RunId, Value};

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
        let back = way_back.trace(trace);
        let after = |variables: [VariableId; 2]| variables.map(|it| choice(it, When::After)).to_vec();
        let saved = [entering, leaving, kept].map(|variable| choice(variable, When::Saved)).to_vec();
        assert_eq!(back.start, [entering, leaving, kept].map(|variable| choice(variable, When::After)));
        assert_eq!(back.runs[0].entry, after([leaving, kept]));
        assert_eq!(back.steps[0].choices, [after([entering, kept]), saved].concat());
        assert_eq!(back.steps[1].choices, after([leaving, kept]));
        assert_eq!(back.steps[2].choices, after([entering, kept]));
    }
}
