//! Traces from the explicit search: every point knows how it was found first.

use program::{Action, Call, Choice, EdgeKind, Program, Relation, Run, RunId, Trace, TraceStep, VariableId, When};
use rustc_hash::FxHashMap;

use super::layout::{Layout, State};
use super::{By, How, Search};

/// A run from the start of the program to the point.
pub(super) fn to(search: &Search<'_>, point: usize) -> Trace {
    let mut writer = Writer { search, runs: Vec::new(), run_of: FxHashMap::default() };
    let mut segments = Vec::new();
    let (mut point, mut thread) = (point, None);
    loop {
        segments.push(writer.steps_within_frame(point));
        let entry = &search.entries[search.points[point].entry];
        point = match &entry.by {
            By::Start => return writer.finish(thread, entry.point, segments),
            By::Init(exit) => {
                thread = Some(entry.point);
                *exit
            }
            By::Call(caller) => {
                segments.push(vec![writer.enter(entry.point, caller)]);
                caller.point
            }
        };
    }
}

struct Writer<'a> {
    search: &'a Search<'a>,
    runs: Vec<Run>,
    /// By exit and by what the call decided on entering.
    run_of: FxHashMap<(usize, Vec<VariableId>), RunId>,
}

impl Writer<'_> {
    /// The start: shared and private variables, then the frame of the thread, if it began after `init`, then that of the
    /// procedure that runs first.
    fn finish(self, thread: Option<usize>, first: usize, segments: Vec<Vec<TraceStep>>) -> Trace {
        let program = self.search.task.program;
        let frame = |point: usize| {
            let location = self.search.points[point].location;
            program.procedures[program.locations[location].procedure].frame().collect::<Vec<VariableId>>()
        };
        let globals: Vec<VariableId> = program.variables.ids().filter(|id| is_global(program, *id)).collect();
        let mut start = self.choices(&globals, first);
        // A thread that never began has any frame, and says so: the next choice would be taken for its own.
        start.extend(thread.map(|point| self.choices(&frame(point), point)).unwrap_or_else(|| self.unbegun()));
        start.extend(self.choices(&frame(first), first));
        Trace { start, steps: segments.into_iter().rev().flatten().collect(), runs: self.runs }
    }

    /// The frame of the thread of a run in which `init` does not end.
    fn unbegun(&self) -> Vec<Choice> {
        let program = self.search.task.program;
        let thread = program.threads.first().filter(|_| program.init.is_some());
        let Some(thread) = thread else { return Vec::new() };
        let blank = self.search.layout.blank(thread.start);
        let value = |variable| self.search.layout.value(program, &blank, variable);
        program.procedures[thread.start].frame().map(|variable| Choice::after(variable, value(variable))).collect()
    }

    /// The steps from the entry of the point's frame to the point.
    fn steps_within_frame(&mut self, mut point: usize) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        loop {
            let found = &self.search.points[point];
            let (from, step) = match found.how {
                How::Entered => break,
                How::Step { from, edge } => {
                    let EdgeKind::Step(relation) = &self.search.task.program.edges[edge].kind else { break };
                    let choices = self.written(relation, When::After, &found.state);
                    (from, TraceStep { thread: 0, action: Action::Take(edge), choices })
                }
                How::Across { caller, exit } => {
                    let caller = &self.search.entries[self.search.points[exit].entry].callers[caller];
                    let EdgeKind::Call(call) = &self.search.task.program.edges[caller.edge].kind else { break };
                    let mut choices = self.written(&call.leave, When::After, &found.state);
                    choices.extend(self.written(&call.enter, When::Saved, &caller.saved));
                    let action = Action::Across(caller.edge, self.run(exit, call));
                    (caller.point, TraceStep { thread: 0, action, choices })
                }
            };
            steps.push(step);
            point = from;
        }
        steps.reverse();
        steps
    }

    /// The run inside a call, from its entry to the exit. Points are found after those they depend on, so the
    /// recursion ends; its depth is that of the calls.
    fn run(&mut self, exit: usize, call: &Call) -> RunId {
        let decided = crate::set_on_entry(self.search.task.program, call);
        if let Some(run) = self.run_of.get(&(exit, decided.clone())) {
            return *run;
        }
        let steps = self.steps_within_frame(exit);
        let entry = self.search.entries[self.search.points[exit].entry].point;
        let run = RunId(self.runs.len() as u32);
        self.runs.push(Run { entry: self.choices(&decided, entry), steps });
        self.run_of.insert((exit, decided), run);
        run
    }

    fn enter(&self, entry: usize, caller: &super::Caller) -> TraceStep {
        let mut choices = Vec::new();
        if let EdgeKind::Call(call) = &self.search.task.program.edges[caller.edge].kind {
            choices = self.choices(&crate::set_on_entry(self.search.task.program, call), entry);
            choices.extend(self.written(&call.enter, When::Saved, &caller.saved));
        }
        TraceStep { thread: 0, action: Action::Enter(caller.edge), choices }
    }

    /// The values of variables at a point.
    fn choices(&self, variables: &[VariableId], point: usize) -> Vec<Choice> {
        let state = &self.search.points[point].state;
        let value = |variable| self.search.layout.value(self.search.task.program, state, variable);
        variables.iter().map(|variable| Choice::after(*variable, value(*variable))).collect()
    }

    /// The values of all variables that a relation writes.
    fn written(&self, relation: &Relation, when: When, state: &State) -> Vec<Choice> {
        written(self.search.task.program, self.search.layout, relation, when, state)
    }
}

/// The values of all variables that a relation writes.
pub(super) fn written(
    program: &Program,
    layout: &Layout,
    relation: &Relation,
    when: When,
    state: &[u64],
) -> Vec<Choice> {
    let updates = relation.updates.iter().filter(|update| update.when == when);
    let mut variables: Vec<VariableId> = updates.map(|update| update.variable).collect();
    variables.sort();
    variables.dedup();
    let value = |variable| layout.value(program, state, variable);
    variables.into_iter().map(|variable| Choice { variable, when, value: value(variable) }).collect()
}

pub(super) fn is_global(program: &Program, variable: VariableId) -> bool {
    !matches!(program.variables[variable].scope, program::Scope::Local(_))
}
