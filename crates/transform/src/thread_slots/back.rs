//! Traces of a slotted program as traces of the original.
//!
//! Threads are numbered in the order in which they were started, whatever their slot. The first move of a slot is no move
//! of the original: what it decides belongs to the step that started the thread. Runs of calls that start threads are
//! written out, since each time they start another one.

use std::collections::BTreeMap;

use program::{Action, Choice, Run, RunId, Scope, Trace, TraceStep, When};

use super::{Origin, ThreadSlots};

impl ThreadSlots {
    /// The trace of the original that a trace of the program stands for.
    pub(super) fn original(&self, trace: &Trace) -> Trace {
        let n_slots = self.mailboxes.taken.len();
        let mut writer = Writer {
            slots: self,
            trace,
            starts_threads: self.runs_that_start_threads(trace),
            occupants: (0..n_slots).map(|_| None).collect(),
            n_started: 0,
            copies: BTreeMap::new(),
            back: Trace { start: self.start_back(&trace.start), ..Trace::default() },
        };
        writer.steps(&trace.steps);
        // A slot that has just begun is where the thread was as soon as it had been started.
        if let Some(Action::Enter(edge)) = trace.steps.last().map(|step| step.action)
            && let Origin::Begin { slot } = self.origins[edge]
            && let Some(occupant) = &writer.occupants[slot]
        {
            writer.back.steps.truncate(occupant.started + 1);
        }
        writer.back
    }

    /// Slots come after the threads of the original, so the last choices for private variables are theirs.
    fn start_back(&self, start: &[Choice]) -> Vec<Choice> {
        let mut n_chosen: BTreeMap<_, usize> = BTreeMap::new();
        let mut keep = |choice: &&Choice| match self.scopes.get(choice.variable) {
            None => false,
            Some(Scope::Private) => {
                let n = n_chosen.entry(choice.variable).or_default();
                *n += 1;
                *n <= self.n_threads
            }
            Some(Scope::Shared | Scope::Local(_)) => true,
        };
        start.iter().filter(|choice| keep(choice)).cloned().collect()
    }

    fn runs_that_start_threads(&self, trace: &Trace) -> Vec<bool> {
        let mut starts: Vec<bool> = Vec::with_capacity(trace.runs.len());
        for run in &trace.runs {
            let is_start = |step: &TraceStep| match step.action {
                Action::Take(edge) => matches!(self.origins[edge], Origin::Spawn { .. }),
                Action::Across(_, RunId(run)) => starts.get(run as usize).copied().unwrap_or(false),
                Action::Enter(_) | Action::Return => false,
            };
            starts.push(run.steps.iter().any(is_start));
        }
        starts
    }
}

/// The thread that has a slot.
struct Occupant {
    /// Its number in the original.
    thread: u32,
    /// The step that started it.
    started: usize,
    /// Calls that it has entered and not left.
    depth: usize,
}

struct Writer<'a> {
    slots: &'a ThreadSlots,
    trace: &'a Trace,
    starts_threads: Vec<bool>,
    occupants: Vec<Option<Occupant>>,
    n_started: u32,
    /// The runs of the original, by run and thread.
    copies: BTreeMap<(RunId, u32), RunId>,
    back: Trace,
}

impl Writer<'_> {
    fn steps(&mut self, steps: &[TraceStep]) {
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &TraceStep) {
        let slot = (step.thread as usize).checked_sub(self.slots.n_threads);
        let thread = self.thread(step.thread);
        let choices = self.own(&step.choices);
        match step.action {
            Action::Take(edge) => match self.slots.origins[edge] {
                Origin::Spawn { edge, slot, start } => {
                    let choices = self.handed_over(&step.choices, start, slot.unwrap_or(0));
                    self.start(slot);
                    self.push(thread, Action::Take(edge), choices);
                }
                Origin::Same | Origin::Begin { .. } => self.push(thread, step.action, choices),
            },
            Action::Enter(edge) => match self.slots.origins[edge] {
                Origin::Begin { slot } => self.decide(slot, &choices),
                Origin::Same | Origin::Spawn { .. } => {
                    self.descend(slot, true);
                    self.push(thread, step.action, choices);
                }
            },
            Action::Return => {
                if !self.is_outermost(slot) {
                    self.descend(slot, false);
                    self.push(thread, step.action, choices);
                } else if let Some(slot) = slot {
                    self.occupants[slot] = None;
                }
            }
            Action::Across(edge, run) => self.across(step, edge, run),
        }
    }

    /// A whole call: the first move of a slot, or one that starts threads, or one that stays as it is.
    fn across(&mut self, step: &TraceStep, edge: program::EdgeId, run: RunId) {
        let trace = self.trace;
        let Some(inside) = trace.runs.get(run.0 as usize) else { return };
        if let Origin::Begin { slot } = self.slots.origins[edge] {
            self.decide(slot, &self.own(&inside.entry));
            self.steps(&inside.steps);
            self.occupants[slot] = None;
            return;
        }
        let thread = self.thread(step.thread);
        let choices = self.own(&step.choices);
        if !self.starts_threads[run.0 as usize] {
            let run = self.copy(run, thread);
            return self.push(thread, Action::Across(edge, run), choices);
        }
        let (saved, left): (Vec<Choice>, Vec<Choice>) =
            choices.into_iter().partition(|choice| choice.when == When::Saved);
        self.push(thread, Action::Enter(edge), [self.own(&inside.entry), saved].concat());
        self.steps(&inside.steps);
        self.push(thread, Action::Return, left);
    }

    /// A run as one of a thread of the original.
    fn copy(&mut self, run: RunId, thread: u32) -> RunId {
        if let Some(known) = self.copies.get(&(run, thread)) {
            return *known;
        }
        let trace = self.trace;
        let Run { entry, steps } = &trace.runs[run.0 as usize];
        let mut copied = Vec::with_capacity(steps.len());
        for step in steps {
            let action = match step.action {
                Action::Across(edge, run) => Action::Across(edge, self.copy(run, thread)),
                other => other,
            };
            copied.push(TraceStep { thread, action, choices: self.own(&step.choices) });
        }
        let id = RunId(self.back.runs.len() as u32);
        self.back.runs.push(Run { entry: self.own(entry), steps: copied });
        self.copies.insert((run, thread), id);
        id
    }

    fn push(&mut self, thread: u32, action: Action, choices: Vec<Choice>) {
        self.back.steps.push(TraceStep { thread, action, choices });
    }

    /// The number in the original of a thread.
    fn thread(&self, thread: u32) -> u32 {
        let slot = (thread as usize).checked_sub(self.slots.n_threads);
        let occupant = slot.and_then(|slot| self.occupants.get(slot)).and_then(Option::as_ref);
        occupant.map_or(thread, |occupant| occupant.thread)
    }

    /// The next step starts a thread.
    fn start(&mut self, slot: Option<usize>) {
        let thread = self.slots.n_threads as u32 + self.n_started;
        self.n_started += 1;
        if let Some(slot) = slot {
            self.occupants[slot] = Some(Occupant { thread, started: self.back.steps.len(), depth: 0 });
        }
    }

    /// What the first move of a slot decides was decided when the thread was started.
    fn decide(&mut self, slot: usize, choices: &[Choice]) {
        let Some(occupant) = &self.occupants[slot] else { return };
        let step = &mut self.back.steps[occupant.started];
        for choice in choices {
            let is_shared = self.slots.scopes[choice.variable] == Scope::Shared;
            if !is_shared && step.choices.iter().all(|known| known.variable != choice.variable) {
                step.choices.push(choice.clone());
            }
        }
    }

    fn is_outermost(&self, slot: Option<usize>) -> bool {
        let occupant = slot.and_then(|slot| self.occupants.get(slot)).and_then(Option::as_ref);
        occupant.is_some_and(|occupant| occupant.depth == 0)
    }

    fn descend(&mut self, slot: Option<usize>, enters: bool) {
        if let Some(Some(occupant)) = slot.and_then(|slot| self.occupants.get_mut(slot)) {
            occupant.depth = if enters { occupant.depth + 1 } else { occupant.depth - 1 };
        }
    }

    /// The choices that are about variables of the original.
    fn own(&self, choices: &[Choice]) -> Vec<Choice> {
        choices.iter().filter(|choice| self.slots.scopes.get(choice.variable).is_some()).cloned().collect()
    }

    /// Choices about the shared state and the mailbox as choices about the shared state and the new thread.
    fn handed_over(&self, choices: &[Choice], start: usize, slot: usize) -> Vec<Choice> {
        let back = |choice: &Choice| match self.slots.scopes.get(choice.variable) {
            Some(Scope::Shared) => Some(choice.clone()),
            Some(Scope::Private | Scope::Local(_)) => None,
            None => {
                let variable = self.slots.mailboxes.held(start, slot, choice.variable)?;
                Some(Choice { variable, ..choice.clone() })
            }
        };
        choices.iter().filter_map(back).collect()
    }
}
