//! The answers of a file of Mucke's language.

use base::FileId;
use driver::MuckeSolution;
use driver::solve::mucke::{Asked, Outcome, Resolved};

use crate::visible::{counted, visible};

/// One line for each step; the last line is `true` or `false`: the value of the last formula. If the solver was stopped,
/// that line is missing.
#[must_use]
pub fn render(solution: &MuckeSolution) -> String {
    let steps = |outcomes: &[Outcome]| outcomes.iter().map(|outcome| step(solution, outcome)).collect::<String>();
    let run = match &solution.run {
        Ok(run) => run,
        Err(unfinished) => return steps(&unfinished.outcomes),
    };
    let mut text = steps(&run.outcomes);
    if let Some(verdict) = run.verdict() {
        text.push_str(&format!("{verdict}\n"));
    }
    text
}

fn step(solution: &MuckeSolution, outcome: &Outcome) -> String {
    let line = |query: &usize| line(solution, &solution.resolved, *query);
    match outcome {
        Outcome::Truth { query, holds } => format!("{}: {holds}\n", line(query)),
        Outcome::Witness { query, holds, values } => {
            format!("{}: {holds}\n{}", line(query), assignments(values.as_deref()))
        }
        Outcome::Counterexample { query, holds, values } => {
            format!("{}: {holds}\n{}", line(query), assignments(values.as_deref()))
        }
        Outcome::Size { predicate, nodes } => {
            format!("size of {}: {}\n", visible(predicate), counted(*nodes as u64, "node"))
        }
        Outcome::OnSet { predicate, elements } => format!("on-set of {}: {elements}\n", visible(predicate)),
        Outcome::Print(words) => format!("{}\n", visible(words)),
        Outcome::Timer { word, elapsed } => format!("time {}: {:.3} s\n", visible(word), elapsed.as_secs_f64()),
        Outcome::Unanswered(Asked::Formula(query)) => format!("{}: not answered\n", line(query)),
        Outcome::Unanswered(Asked::Predicate(name)) => format!("{}: not answered\n", visible(name)),
        Outcome::Ignored(directive) => format!("{}: changes no answer\n", visible(directive)),
    }
}

fn line(solution: &MuckeSolution, resolved: &Resolved, query: usize) -> String {
    let sources = &solution.sources;
    let Some(span) = resolved.system.queries.get(query).map(|query| query.span) else { return "formula".to_owned() };
    let line = sources.position(span).map_or(0, |position| position.line);
    match span.file == FileId::default() {
        true => format!("formula in line {line}"),
        false => format!("formula in line {line} of {}", visible(sources.name(span.file))),
    }
}

fn assignments(values: Option<&[(String, String)]>) -> String {
    let show = |(name, value): &(String, String)| format!("  {} = {}\n", visible(name), visible(value));
    values.unwrap_or_default().iter().map(show).collect()
}
