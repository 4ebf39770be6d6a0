//! Sets of configurations: everything that is reached from a set, or from which a set is reached. No passes: stacks are
//! shown as the program has them.

use base::{Context, StopReason};
use engine::saturation::{Configurations, Saturation, prepare, supports};
use engine::{Engine as _, Statistics, Unsupported};
use program::{Expr, Proposition, Value};
use question::configuration::{ConfigurationSet, SetError, parse};

pub use engine::saturation::{Configuration, Frame, ListedColumn, ListedState, ListedTransition, Listing, Part, State};

use crate::{Loaded, Outcome};

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfigurationQuestion {
    /// Where runs begin; none: at the start of the program.
    pub from: Option<String>,
    /// Where they lead.
    pub to: Option<String>,
    /// Look backwards from where they lead.
    pub backward: bool,
    /// Sets of which is asked whether something in them is found.
    pub asks: Vec<String>,
    /// The automaton is wanted also where a simpler question is asked.
    pub automaton: bool,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct FoundConfigurations {
    /// Where both ends are given: a configuration at the other end, if there is one. Forwards it is one that is reached,
    /// backwards one from which runs begin.
    pub met: Option<Option<Configuration>>,
    /// For each set that was asked about, a configuration that was found and is in it.
    pub asked: Vec<Option<Configuration>>,
    /// The automaton of all that was found, if it is all.
    pub listing: Option<Listing>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigurationsError {
    /// A set cannot be read: its text and what is wrong with it.
    Set(String, SetError),
    /// Backwards, from nowhere.
    NoGoal,
    /// The program is beyond sets of configurations.
    Unsupported(Unsupported),
}

/// Answers a question about sets of configurations.
pub fn configurations(
    loaded: &Loaded,
    question: &ConfigurationQuestion,
    context: &Context<'_>,
) -> Result<Outcome<FoundConfigurations>, ConfigurationsError> {
    supports(&loaded.program).map_err(ConfigurationsError::Unsupported)?;
    let read = |text: &String| read(loaded, text.as_str());
    let from = question.from.as_ref().map(read).transpose()?;
    let to = question.to.as_ref().map(read).transpose()?;
    let asks: Vec<ConfigurationSet> = question.asks.iter().map(read).collect::<Result<_, _>>()?;
    if question.backward && to.is_none() {
        return Err(ConfigurationsError::NoGoal);
    }
    let _watch = context.budget.watch();
    let sets: Vec<&ConfigurationSet> = from.iter().chain(&to).chain(&asks).collect();
    let prepared = match prepare(&loaded.program, &sets, context) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(nothing(reason)),
    };
    // Without a set, runs begin where the program does: known now that what `init` leaves is part of the start.
    let start = || ConfigurationSet::start(&prepared.program);
    let (direction, begin, goal) = match question.backward {
        false => (Saturation::Forward, from.unwrap_or_else(start), to),
        true => {
            (Saturation::Backward, to.unwrap_or_default(), question.from.is_some().then(|| from.unwrap_or_else(start)))
        }
    };
    let whole = question.automaton || !asks.is_empty() || goal.is_none();
    let early = goal.as_ref().filter(|_| !whole);
    let found = Configurations::saturate(&prepared, &begin, direction, early, context);
    let findings = read_off(&found, goal.as_ref(), &asks, whole, context);
    Ok(match findings {
        Ok(findings) => Outcome::new(direction.name(), findings, found.stopped, found.statistics),
        Err(reason) => nothing(reason),
    })
}

fn nothing(reason: StopReason) -> Outcome<FoundConfigurations> {
    Outcome::new("saturation", FoundConfigurations::default(), Some(reason), Statistics::default())
}

fn read_off(
    found: &Configurations<'_>,
    goal: Option<&ConfigurationSet>,
    asks: &[ConfigurationSet],
    whole: bool,
    context: &Context<'_>,
) -> Result<FoundConfigurations, StopReason> {
    let met = goal.map(|goal| found.meets(goal, context)).transpose()?;
    // What is not found says nothing when the search did not end.
    let met = met.filter(|met| met.is_some() || found.stopped.is_none());
    let asked = asks.iter().map(|set| found.meets(set, context)).collect::<Result<_, _>>()?;
    let listing = (whole && found.stopped.is_none()).then(|| found.listing(context)).transpose()?;
    Ok(FoundConfigurations { met, asked, listing })
}

fn read(loaded: &Loaded, text: &str) -> Result<ConfigurationSet, ConfigurationsError> {
    let control = |name: &str| -> Option<Expr> {
        let propositions = loaded.propositions.get(name)?;
        propositions.iter().find_map(|proposition| match *proposition {
            Proposition::Everywhere => Some(Expr::TRUE),
            Proposition::Value(variable, at) => {
                let sort = loaded.program.sort(variable).clone();
                Some(Expr::before(variable).eq(Expr::Const(Value::Enum(at), sort)))
            }
            Proposition::Location(_) => None,
        })
    };
    parse(&loaded.program, &loaded.writing, &control, text)
        .map_err(|error| ConfigurationsError::Set(text.to_owned(), error))
}
