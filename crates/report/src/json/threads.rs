//! The threads of a run: whose turn it is, where the switches are, and what is on the stacks and in the shared variables
//! at each of them.

use std::collections::BTreeMap;

use driver::Loaded;
use driver::evidence::story::{self, BodyId, EventKind};
use program::{EdgeKind, LocationId, Program, Relation, Scope, Value, VariableId, When};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::trace::Place;
use super::value::Known;

/// A change of the active thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Switch {
    /// Its number, from one.
    pub number: u32,
    /// The event before which it happens, as a position in `events`.
    pub event: u32,
    /// The thread that goes on.
    pub thread: u32,
    /// The shared variables whose values are known.
    pub shared: Vec<Known>,
    /// Where each thread is.
    pub stacks: Vec<Stack>,
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Stack {
    /// Number of the thread.
    pub thread: u32,
    /// Its frames, innermost last.
    pub frames: Vec<StackFrame>,
}

/// One frame of a stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StackFrame {
    /// The procedure.
    pub procedure: String,
    /// Line of the statement that comes next, from one; while it waits for a call: that of the call.
    pub line: Option<u32>,
}

/// What a story says about threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Turns {
    /// The names of the threads, by number; none for a program with one thread.
    pub(super) names: Vec<String>,
    /// How many of the events belong to `init`.
    pub(super) init_events: u32,
    /// For each event, how many switches have happened.
    pub(super) of_event: Vec<u32>,
    pub(super) switches: Vec<Switch>,
}

impl Turns {
    /// Follows the threads through a story.
    pub(super) fn of(loaded: &Loaded, told: &story::Story) -> Self {
        let program = &loaded.program;
        if program.sequential_start().is_some() {
            return Self::default();
        }
        let mut run = Run::start(loaded, told);
        let mut turns = Self::default();
        let mut active: Option<u32> = None;
        let mut in_init = program.init.is_some();
        for (at, event) in told.events.iter().enumerate() {
            if in_init && run.is_over(0) {
                (in_init, active) = (false, None);
                // What `init` has started comes after the others.
                run.stacks.splice(..1, openings(program, &told.later));
            }
            turns.init_events += u32::from(in_init);
            if active.replace(event.thread).is_some_and(|active| active != event.thread) {
                let number = turns.switches.len() as u32 + 1;
                turns.switches.push(run.switch(number, at as u32, event.thread));
            }
            turns.of_event.push(turns.switches.len() as u32);
            run.moves(event);
        }
        if !program.is_single_threaded() {
            turns.names = run.names;
        }
        turns
    }
}

/// Where all threads are.
struct Run<'a> {
    loaded: &'a Loaded,
    names: Vec<String>,
    /// The locations of the frames of each thread, innermost last.
    stacks: Vec<Vec<LocationId>>,
    shared: BTreeMap<VariableId, Value>,
    /// What bodies do to shared variables.
    effects: BTreeMap<BodyId, Effect>,
}

/// For each shared variable that is written, the value that it has then, if that is known.
type Effect = BTreeMap<VariableId, Option<Value>>;

/// One stack for each beginning.
fn openings(program: &Program, openings: &[story::Opening]) -> Vec<Vec<LocationId>> {
    let entry = |opening: &story::Opening| program.procedures[opening.procedure].entries.first().copied();
    openings.iter().map(|opening| entry(opening).into_iter().collect()).collect()
}

impl<'a> Run<'a> {
    fn start(loaded: &'a Loaded, told: &'a story::Story) -> Self {
        let program = &loaded.program;
        let is_shared = |variable: VariableId| program.variables[variable].scope == Scope::Shared;
        let values = told.opening.iter().flat_map(|opening| opening.values.iter().cloned());
        let effects = BTreeMap::new();
        let mut run = Self {
            loaded,
            names: program.threads.iter().map(|thread| thread.name.clone()).collect(),
            stacks: openings(program, &told.opening),
            shared: values.filter(|(variable, _)| is_shared(*variable)).collect(),
            effects,
        };
        // A body refers only to bodies before it.
        for (id, body) in told.bodies.iter_ids() {
            let mut effect = run.known(&body.values);
            for event in &body.events {
                effect.extend(run.effect(event));
            }
            run.effects.insert(id, effect);
        }
        run
    }

    /// Whether a thread is at an exit of its outermost frame.
    fn is_over(&self, thread: usize) -> bool {
        let program = &self.loaded.program;
        match self.stacks.get(thread).map(Vec::as_slice) {
            Some([only]) => program.procedures[program.locations[*only].procedure].exits.contains(only),
            _ => false,
        }
    }

    fn moves(&mut self, event: &story::Event) {
        let program = &self.loaded.program;
        let edge = &program.edges[event.edge];
        if self.stacks.len() <= event.thread as usize {
            self.stacks.resize(event.thread as usize + 1, Vec::new());
        }
        let stack = &mut self.stacks[event.thread as usize];
        if let (EventKind::Enter { .. }, EdgeKind::Call(call)) = (&event.kind, &edge.kind) {
            stack.push(call.entry);
        } else {
            if event.kind == EventKind::Return {
                stack.pop();
            }
            if let Some(top) = stack.last_mut() {
                *top = edge.target;
            }
        }
        if let EdgeKind::Spawn(spawn) = &edge.kind {
            self.stacks.push(vec![spawn.entry]);
            self.names.push(program.procedures[spawn.callee].name.clone());
        }
        for (variable, value) in self.effect(event) {
            match value {
                Some(value) => drop(self.shared.insert(variable, value)),
                None => drop(self.shared.remove(&variable)),
            }
        }
    }

    /// What an event does to shared variables: all that it writes, with the values that are known.
    fn effect(&self, event: &story::Event) -> Effect {
        let nothing = Relation::identity();
        let (enter, leave) = match (&self.loaded.program.edges[event.edge].kind, &event.kind) {
            (EdgeKind::Call(call), EventKind::Enter { .. }) => (&call.enter, &nothing),
            (EdgeKind::Call(call), EventKind::Return) => (&nothing, &call.leave),
            (EdgeKind::Call(call), _) => (&call.enter, &call.leave),
            (EdgeKind::Step(relation), _) => (relation, &nothing),
            (EdgeKind::Spawn(spawn), _) => (&spawn.enter, &nothing),
        };
        let mut effect = self.written(enter);
        match &event.kind {
            EventKind::Enter { values, .. } | EventKind::Spawn { values, .. } => effect.extend(self.known(values)),
            EventKind::Call(body) => effect.extend(self.effects.get(body).cloned().unwrap_or_default()),
            EventKind::Step | EventKind::Return => {}
        }
        effect.extend(self.written(leave));
        effect.extend(self.known(&event.changed));
        effect
    }

    fn is_shared(&self, variable: VariableId) -> bool {
        self.loaded.program.variables[variable].scope == Scope::Shared
    }

    /// The shared variables that a relation writes.
    fn written(&self, relation: &Relation) -> Effect {
        let updates = relation.updates.iter().filter(|update| update.when == When::After);
        let variables = updates.map(|update| update.variable).filter(|variable| self.is_shared(*variable));
        variables.map(|variable| (variable, None)).collect()
    }

    fn known(&self, values: &story::Values) -> Effect {
        let shared = values.iter().filter(|(variable, _)| self.is_shared(*variable));
        shared.map(|(variable, value)| (*variable, Some(value.clone()))).collect()
    }

    fn switch(&self, number: u32, event: u32, thread: u32) -> Switch {
        let values: story::Values = self.shared.iter().map(|(variable, value)| (*variable, value.clone())).collect();
        let stack = |(thread, locations): (usize, &Vec<LocationId>)| Stack {
            thread: thread as u32,
            frames: locations.iter().map(|location| self.frame(*location)).collect(),
        };
        let stacks = self.stacks.iter().enumerate().map(stack).collect();
        Switch { number, event, thread, shared: Known::list(self.loaded, &values), stacks }
    }

    fn frame(&self, location: LocationId) -> StackFrame {
        let program = &self.loaded.program;
        let procedure = program.procedures[program.locations[location].procedure].name.clone();
        StackFrame { procedure, line: Place::of_location(self.loaded, location).map(|place| place.line) }
    }
}
