//! A run as choices: exactly a [`program::Trace`], and the way back to one.
//!
//! Edges, variables and locations are given by number. Numbers mean something only for the program that the trace
//! was made for, so that program's fingerprint comes along; reading a trace for another program is an error.

use base::Id;
use program::{Action, Choice, EdgeId, LocationId, Program, Run, RunId, TraceStep, VariableId, When};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::trace::is_zero;
use super::value::JsonValue;

/// A run written down as the choices that lead along it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// Fingerprint of the program.
    pub program: String,
    /// Number of the location that is reached.
    pub target: u32,
    /// Values at the start.
    pub start: Vec<JsonChoice>,
    /// The steps, calls that do not return included.
    pub steps: Vec<JsonStep>,
    /// What happens inside calls that return. A run refers only to runs before it.
    pub runs: Vec<JsonRun>,
}

/// What happens inside a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct JsonRun {
    /// Values when it is entered.
    pub entry: Vec<JsonChoice>,
    /// The steps.
    pub steps: Vec<JsonStep>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct JsonStep {
    /// How the thread moves.
    pub action: JsonAction,
    /// The edge that it takes; not for `return`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    /// For `across`: the run inside the call, as a position in `runs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Which thread moves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thread: u32,
    /// Values of what the step leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<JsonChoice>,
}

/// How a thread moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JsonAction {
    /// Takes a step or starts a thread.
    Take,
    /// Enters a call.
    Enter,
    /// Returns from the innermost call.
    Return,
    /// Enters a call, goes through a run and returns.
    Across,
}

/// A chosen value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct JsonChoice {
    /// Number of the variable.
    pub variable: u32,
    /// Its name, for readers.
    pub name: String,
    /// The moment at which it has the value.
    pub when: JsonWhen,
    /// The value.
    pub value: JsonValue,
}

/// A moment of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JsonWhen {
    /// Before the step.
    Before,
    /// After the step.
    After,
    /// In the caller's frame while the callee runs.
    Saved,
    /// In the callee's frame at its exit.
    Result,
}

impl From<When> for JsonWhen {
    fn from(when: When) -> Self {
        match when {
            When::Before => Self::Before,
            When::After => Self::After,
            When::Saved => Self::Saved,
            When::Result => Self::Result,
        }
    }
}

impl From<JsonWhen> for When {
    fn from(when: JsonWhen) -> Self {
        match when {
            JsonWhen::Before => Self::Before,
            JsonWhen::After => Self::After,
            JsonWhen::Saved => Self::Saved,
            JsonWhen::Result => Self::Result,
        }
    }
}

impl Replay {
    /// Writes a trace down.
    #[must_use]
    pub fn of(program: &Program, trace: &program::Trace, target: LocationId) -> Self {
        let run = |run: &Run| JsonRun { entry: choices(program, &run.entry), steps: steps(program, &run.steps) };
        Self {
            program: fingerprint(program),
            target: target.0,
            start: choices(program, &trace.start),
            steps: steps(program, &trace.steps),
            runs: trace.runs.iter().map(run).collect(),
        }
    }

    /// The trace and the location that it reaches, if this was made for the program.
    pub fn rebuild(&self, program: &Program) -> Result<(program::Trace, LocationId), String> {
        if self.program != fingerprint(program) {
            return Err("it was made for another program".to_owned());
        }
        let target = LocationId(self.target);
        if program.locations.get(target).is_none() {
            return Err(format!("there is no location {}", self.target));
        }
        let reader = Reader { program, n_runs: self.runs.len() };
        let mut runs = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            runs.push(Run { entry: reader.choices(&run.entry)?, steps: reader.steps(&run.steps)? });
        }
        let (start, steps) = (reader.choices(&self.start)?, reader.steps(&self.steps)?);
        Ok((program::Trace { start, steps, runs }, target))
    }
}

fn fingerprint(program: &Program) -> String {
    format!("{:016x}", driver::evidence::fingerprint(program))
}

fn choices(program: &Program, choices: &[Choice]) -> Vec<JsonChoice> {
    let choice = |choice: &Choice| JsonChoice {
        variable: choice.variable.0,
        name: program.qualified_name(choice.variable),
        when: choice.when.into(),
        value: JsonValue::of(program, choice.variable, &choice.value),
    };
    choices.iter().map(choice).collect()
}

fn steps(program: &Program, steps: &[TraceStep]) -> Vec<JsonStep> {
    let step = |step: &TraceStep| {
        let (action, edge, run) = match step.action {
            Action::Take(edge) => (JsonAction::Take, Some(edge.0), None),
            Action::Enter(edge) => (JsonAction::Enter, Some(edge.0), None),
            Action::Return => (JsonAction::Return, None, None),
            Action::Across(edge, run) => (JsonAction::Across, Some(edge.0), Some(run.0)),
        };
        JsonStep { action, edge, run, thread: step.thread, choices: choices(program, &step.choices) }
    };
    steps.iter().map(step).collect()
}

/// Reads the parts of a trace, believing nothing.
struct Reader<'a> {
    program: &'a Program,
    n_runs: usize,
}

impl Reader<'_> {
    fn steps(&self, steps: &[JsonStep]) -> Result<Vec<TraceStep>, String> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &JsonStep) -> Result<TraceStep, String> {
        let action = match step.action {
            JsonAction::Take => Action::Take(self.edge(step)?),
            JsonAction::Enter => Action::Enter(self.edge(step)?),
            JsonAction::Return => Action::Return,
            JsonAction::Across => Action::Across(self.edge(step)?, self.run(step)?),
        };
        Ok(TraceStep { thread: step.thread, action, choices: self.choices(&step.choices)? })
    }

    fn edge(&self, step: &JsonStep) -> Result<EdgeId, String> {
        let edge = EdgeId(step.edge.ok_or("a step names no edge")?);
        match self.program.edges.get(edge) {
            Some(_) => Ok(edge),
            None => Err(format!("there is no edge {}", edge.0)),
        }
    }

    fn run(&self, step: &JsonStep) -> Result<RunId, String> {
        let run = RunId(step.run.ok_or("a step across a call names no run")?);
        if run.index() < self.n_runs { Ok(run) } else { Err(format!("there is no run {}", run.0)) }
    }

    fn choices(&self, choices: &[JsonChoice]) -> Result<Vec<Choice>, String> {
        choices.iter().map(|choice| self.choice(choice)).collect()
    }

    fn choice(&self, choice: &JsonChoice) -> Result<Choice, String> {
        let variable = VariableId(choice.variable);
        let declared = self.program.variables.get(variable);
        let declared = declared.ok_or_else(|| format!("there is no variable {}", choice.variable))?;
        let value = choice.value.to_value(self.program, &declared.sort);
        let value = value.ok_or_else(|| format!("`{}` cannot have the value {}", choice.name, choice.value.show()))?;
        Ok(Choice { variable, when: choice.when.into(), value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{ProgramBuilder, Relation, Sort, Trace, Update, Value};

    fn sample() -> (Program, Trace) {
        let mut builder = ProgramBuilder::new();
        let main = builder.procedure("main");
        let x = builder.shared("x", Sort::Bits(4));
        let (from, to) = (builder.location(main), builder.location(main));
        let edge = builder.step(from, to, Relation::update(vec![Update::havoc(x)]));
        builder.entry(from);
        builder.thread("main", main);
        let choice = |value| Choice::after(x, Value::Bits(value));
        let step = |action, thread| TraceStep { thread, action, choices: vec![choice(7)] };
        let run = Run { entry: vec![choice(1)], steps: vec![step(Action::Take(edge), 0)] };
        let actions = [Action::Take(edge), Action::Enter(edge), Action::Return, Action::Across(edge, RunId(0))];
        let steps = actions.into_iter().map(|action| step(action, 3)).collect();
        (builder.finish(), Trace { start: vec![choice(2)], steps, runs: vec![run] })
    }

    #[test]
    fn a_trace_survives_the_way_to_json_and_back() {
        let (program, trace) = sample();
        let written = serde_json::to_string(&Replay::of(&program, &trace, LocationId(1))).unwrap();
        let read: Replay = serde_json::from_str(&written).unwrap();
        assert_eq!(read.rebuild(&program), Ok((trace, LocationId(1))));
    }

    #[test]
    fn what_does_not_fit_the_program_is_refused() {
        let (program, trace) = sample();
        let good = Replay::of(&program, &trace, LocationId(1));
        let refused = |change: fn(&mut Replay)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.rebuild(&program).unwrap_err()
        };
        assert_eq!(refused(|bad| bad.program.push('0')), "it was made for another program");
        assert_eq!(refused(|bad| bad.target = 9), "there is no location 9");
        assert_eq!(refused(|bad| bad.steps[0].edge = Some(7)), "there is no edge 7");
        assert_eq!(refused(|bad| bad.steps[0].edge = None), "a step names no edge");
        assert_eq!(refused(|bad| bad.steps[3].run = Some(1)), "there is no run 1");
        assert_eq!(refused(|bad| bad.start[0].variable = 1), "there is no variable 1");
        assert_eq!(refused(|bad| bad.start[0].value = JsonValue::Number(16)), "`x` cannot have the value 16");
    }
}
