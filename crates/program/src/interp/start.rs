//! The first configuration of a program.

use std::collections::BTreeMap;

use super::configuration::{Configuration, Frame, Layout, ThreadState};
use super::error::{Fault, Problem};
use super::outcome::{Kind, View, choose};
use crate::{Choice, Expr, ProcedureId, Program, Value, VariableId, When};

/// The first configuration under the given choices; what they leave open gets the smallest values that the start
/// condition allows.
pub(crate) fn start(program: &Program, layout: &Layout, choices: &[Choice]) -> Result<Configuration, Problem> {
    let mut open = Open { program, choices: Choices::of(program, choices)?, layout, shared: Vec::new() };
    let mut threads = Vec::with_capacity(program.threads.len());
    for (at, thread) in program.threads.iter().enumerate() {
        threads.push(open.thread(thread.start, at == 0)?);
    }
    let first = program.init.map(|init| open.init(init)).transpose()?;
    open.choices.none_left(program)?;
    let shared = open.shared;
    Ok(match first {
        Some(first) => Configuration { shared, threads: vec![first], active: None, waiting: Some(threads) },
        None => Configuration { shared, threads, active: None, waiting: None },
    })
}

/// The part of the start that is decided so far.
struct Open<'a> {
    program: &'a Program,
    layout: &'a Layout,
    choices: Choices,
    shared: Vec<Value>,
}

impl Open<'_> {
    /// The first state of a thread; the very first thread decides the shared variables with its own.
    fn thread(&mut self, procedure: ProcedureId, is_first: bool) -> Result<ThreadState, Problem> {
        let (program, layout) = (self.program, self.layout);
        let frame = layout.frame(procedure);
        let frame_is_constrained = program.threads.len() == 1 && program.init.is_none();
        let mut variables: Vec<VariableId> = Vec::new();
        if is_first {
            variables.extend(layout.shared());
        }
        let n_shared = variables.len();
        variables.extend(layout.private());
        if frame_is_constrained {
            variables.extend(frame);
        }
        let mut values = self.decide(procedure, &variables, &program.start)?;
        let mut rest = values.split_off(n_shared);
        if is_first {
            self.shared = values;
        }
        let mut first_frame = rest.split_off(layout.private().len());
        if !frame_is_constrained {
            first_frame = self.decide(procedure, frame, &Expr::TRUE)?;
        }
        Ok(ThreadState { private: rest, frames: vec![self.frame(procedure, first_frame)?] })
    }

    /// `init` has no use for private variables: they have their smallest values.
    fn init(&mut self, procedure: ProcedureId) -> Result<ThreadState, Problem> {
        let values = self.decide(procedure, self.layout.frame(procedure), &Expr::TRUE)?;
        let smallest = |variable: &VariableId| self.program.sort(*variable).smallest();
        let private = self.layout.private().iter().map(smallest).collect();
        Ok(ThreadState { private, frames: vec![self.frame(procedure, values)?] })
    }

    fn frame(&self, procedure: ProcedureId, values: Vec<Value>) -> Result<Frame, Problem> {
        match self.program.procedures[procedure].entries.first() {
            Some(entry) => Ok(Frame { location: *entry, values, call: None }),
            None => Err(Problem::new(Fault::Unknown, "the start procedure has no entry")),
        }
    }

    fn decide(
        &mut self,
        procedure: ProcedureId,
        variables: &[VariableId],
        condition: &Expr,
    ) -> Result<Vec<Value>, Problem> {
        let view = View {
            program: self.program,
            layout: self.layout,
            shared: &self.shared,
            private: &[],
            frame: &[],
            procedure,
            kind: Kind::Step,
        };
        let choices = self.choices.next(variables);
        choose(&view, variables.iter().copied(), &choices, condition)
    }
}

/// Chosen values by variable. Each thread has a copy of its variables: the first choice is for the first thread.
struct Choices(BTreeMap<VariableId, Vec<Value>>);

impl Choices {
    fn of(program: &Program, choices: &[Choice]) -> Result<Self, Problem> {
        let mut values: BTreeMap<VariableId, Vec<Value>> = BTreeMap::new();
        for choice in choices.iter().rev() {
            if program.variables.get(choice.variable).is_none() || choice.when != When::After {
                let message = format!("a value is chosen for variable {}, which does not exist", choice.variable.0);
                return Err(Problem::new(Fault::Choice, message));
            }
            values.entry(choice.variable).or_default().push(choice.value.clone());
        }
        Ok(Self(values))
    }

    /// Takes the next choice for each variable.
    fn next(&mut self, variables: &[VariableId]) -> BTreeMap<VariableId, Value> {
        let mut next = |variable: &VariableId| Some((*variable, self.0.get_mut(variable)?.pop()?));
        variables.iter().filter_map(&mut next).collect()
    }

    fn none_left(&self, program: &Program) -> Result<(), Problem> {
        match self.0.iter().find(|(_, values)| !values.is_empty()) {
            None => Ok(()),
            Some((variable, _)) => {
                let name = program.qualified_name(*variable);
                let message = format!("a value is chosen for {name}, but there is no such variable left at the start");
                Err(Problem::new(Fault::Choice, message))
            }
        }
    }
}
