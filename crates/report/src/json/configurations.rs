//! Sets of configurations: an automaton, and the answers to questions about it.

use driver::configurations::{Configuration as Found, Listing, Part};
use driver::{ConfigurationQuestion, FoundConfigurations, Loaded, Outcome};
use program::{Value, VariableId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{Input, Limits, Message, Reason, Resources, Statistics, Tool};
use super::outcome::statistics;
use crate::automaton::Names;

/// The name and version of the format.
pub const CONFIGURATIONS_SCHEMA: &str = "cauldron-configurations/1";

/// What `cauldron configurations --json` writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConfigurationsReport {
    /// Always `cauldron-configurations/1`.
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// What was read.
    pub input: Input,
    /// The exit code of the process.
    pub exit_code: u8,
    /// `complete`, `reached`, `unreachable` or `unknown`.
    pub result: String,
    /// Whether the search was backwards.
    pub backward: bool,
    /// Where runs begin; null: at the start of the program.
    pub from: Option<String>,
    /// Where they lead; null: anywhere.
    pub to: Option<String>,
    /// Where both ends are given and there is a run: a configuration at the end that was searched for.
    pub found: Option<Configuration>,
    /// The sets that were asked about.
    pub asked: Vec<Asked>,
    /// The automaton of all configurations that were found, if it is complete.
    pub automaton: Option<Automaton>,
    /// The limits that ended the search.
    pub limits_hit: Vec<Reason>,
    /// The limits that were set.
    pub limits: Limits,
    /// What solving did.
    pub statistics: Statistics,
    /// What it cost.
    pub resources: Resources,
    /// Errors and warnings about the input.
    pub messages: Vec<Message>,
}

/// A set that was asked about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// As it was given.
    pub set: String,
    /// A configuration that was found and is in it; null: there is none.
    pub found: Option<Configuration>,
}

/// One configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Configuration {
    /// The values of shared variables.
    pub shared: Vec<Valued>,
    /// The stack, from the top down.
    pub stack: Vec<StackFrame>,
}

/// A frame of a stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StackFrame {
    /// Where it is; below the top: where it goes on.
    pub location: String,
    /// The values of its locals.
    pub values: Vec<Valued>,
}

/// A variable with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Valued {
    /// Its name.
    pub variable: String,
    /// Its value as text.
    pub value: String,
}

/// An automaton that reads configurations from the top of the stack down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Automaton {
    /// All states but the initial one.
    pub states: Vec<AutomatonState>,
    /// All transitions.
    pub transitions: Vec<AutomatonTransition>,
    /// The nodes of the conditions: `[variable, low, high]`. Number 0 is false, 1 is true, and n + 2 is the n-th node.
    pub nodes: Vec<[u32; 3]>,
}

/// A state. Beside itself it holds values, as `columns` of transitions say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AutomatonState {
    /// What it stands for.
    pub name: String,
    /// Whether the stack may end here.
    pub is_final: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AutomatonTransition {
    /// The state that it leaves, by position; null: the initial one, so that it reads the running frame.
    pub from: Option<u32>,
    /// Where the frame is that it reads, or goes on.
    pub location: String,
    /// The state that it leads to, by position.
    pub to: u32,
    /// The number of its condition.
    pub condition: u32,
    /// What the variables of the condition mean.
    pub columns: Vec<AutomatonColumn>,
}

/// A variable of a condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AutomatonColumn {
    /// As nodes name it.
    pub node_variable: u32,
    /// Whose value it is: `frame` (the frame that is read and, for the running one, the shared values), `from` or `to` (the
    /// values that these states hold).
    pub of: String,
    /// The variable.
    pub variable: String,
    /// Its bit, from the least significant.
    pub bit: u32,
}

impl ConfigurationsReport {
    /// The report of an answer.
    #[must_use]
    pub fn of(
        input: &Input,
        limits: Limits,
        loaded: &Loaded,
        question: &ConfigurationQuestion,
        found: &Outcome<FoundConfigurations>,
    ) -> Self {
        let names = Names::new(loaded);
        let example = |found: &Found| configuration(loaded, &names, found);
        let asked = question.asks.iter().zip(&found.findings.asked);
        Self {
            schema: CONFIGURATIONS_SCHEMA.to_owned(),
            tool: Tool::this(),
            input: input.read_by(loaded.front),
            exit_code: 0,
            result: result(found).to_owned(),
            backward: question.backward,
            from: question.from.clone(),
            to: question.to.clone(),
            found: found.findings.met.as_ref().and_then(|met| met.as_ref()).map(example),
            asked: asked.map(|(set, met)| Asked { set: set.clone(), found: met.as_ref().map(example) }).collect(),
            automaton: found.findings.listing.as_ref().map(|listing| automaton(loaded, &names, listing)),
            limits_hit: found.stopped.into_iter().map(Reason::from).collect(),
            limits,
            statistics: statistics(&found.statistics),
            resources: Resources::default(),
            messages: super::common::messages(&loaded.warnings, &loaded.sources),
        }
    }
}

/// The word for what came of it.
#[must_use]
pub fn result(found: &Outcome<FoundConfigurations>) -> &'static str {
    match (&found.findings.met, found.stopped) {
        (Some(Some(_)), _) => "reached",
        (_, Some(_)) => "unknown",
        (Some(None), None) => "unreachable",
        (None, None) => "complete",
    }
}

fn configuration(loaded: &Loaded, names: &Names<'_>, found: &Found) -> Configuration {
    let program = &loaded.program;
    let valued = |(variable, value): &(VariableId, Value)| Valued {
        variable: program.variables[*variable].name.clone(),
        value: names.value(*variable, value),
    };
    let values = |values: &[(VariableId, Value)]| values.iter().map(valued).collect();
    Configuration {
        shared: values(&found.shared),
        stack: (found.frames.iter())
            .map(|frame| StackFrame { location: names.symbol(frame.location), values: values(&frame.values) })
            .collect(),
    }
}

fn automaton(loaded: &Loaded, names: &Names<'_>, listing: &Listing) -> Automaton {
    let column = |column: &driver::configurations::ListedColumn| AutomatonColumn {
        node_variable: column.var,
        of: match column.part {
            Part::Frame => "frame",
            Part::From => "from",
            Part::To => "to",
        }
        .to_owned(),
        variable: loaded.program.qualified_name(column.variable),
        bit: column.bit,
    };
    let transition = |transition: &driver::configurations::ListedTransition| AutomatonTransition {
        from: transition.from,
        location: names.symbol(transition.location),
        to: transition.to,
        condition: transition.root,
        columns: transition.columns.iter().map(column).collect(),
    };
    let state = |state: &driver::configurations::ListedState| AutomatonState {
        name: names.state(state.state),
        is_final: state.is_final,
    };
    Automaton {
        states: listing.states.iter().map(state).collect(),
        transitions: listing.transitions.iter().map(transition).collect(),
        nodes: listing.dag.nodes.iter().map(|(var, low, high)| [var.0, *low, *high]).collect(),
    }
}
