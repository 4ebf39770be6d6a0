//! What is asked, turned into targets.

use std::collections::BTreeSet;

pub use base::names::nearest as similar;
use program::{LocationId, Program, Role, Target, TargetKind};

/// What the user asks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// All assertions. With no labels and `statements` false, assertions are asked for in any case.
    pub assertions: bool,
    /// Labels, as `LABEL` or `procedure::LABEL`.
    pub labels: Vec<String>,
    /// Every statement, for coverage.
    pub statements: bool,
}

/// Why there is nothing to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// No location carries the label; the nearest labels that exist.
    UnknownLabel {
        /// As the user gave it.
        label: String,
        /// Labels of the program that look like it, best first.
        similar: Vec<String>,
    },
    /// Neither a label was named nor does the program contain an assertion.
    NothingToCheck,
}

impl Question {
    /// The locations that the question is about; all errors at once.
    ///
    /// Labels come first, in the order in which they were named, then assertions and statements in order of locations.
    /// A location is asked about once, for the first of these reasons.
    pub fn targets(&self, program: &Program) -> Result<Vec<Target>, Vec<QuestionError>> {
        let mut targets = Vec::new();
        let mut errors = Vec::new();
        for label in &self.labels {
            let named = program.label_targets(label);
            if named.is_empty() {
                errors.push(unknown_label(label, program));
            }
            targets.extend(named);
        }
        if self.asks_for_assertions() {
            targets.extend(program.assertion_targets());
        }
        if self.statements {
            targets.extend(statement_targets(program));
        }
        if targets.is_empty() && errors.is_empty() {
            errors.push(QuestionError::NothingToCheck);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut seen: BTreeSet<LocationId> = BTreeSet::new();
        targets.retain(|target| seen.insert(target.location));
        Ok(targets)
    }

    /// Whether assertions are part of the question.
    #[must_use]
    pub fn asks_for_assertions(&self) -> bool {
        self.assertions || (self.labels.is_empty() && !self.statements)
    }
}

fn statement_targets(program: &Program) -> impl Iterator<Item = Target> + '_ {
    let plain = program.locations.iter_ids().filter(|(_, location)| location.role == Role::Plain);
    plain.map(|(location, _)| Target { location, kind: TargetKind::Statement })
}

fn unknown_label(label: &str, program: &Program) -> QuestionError {
    let mut labels: Vec<String> = Vec::new();
    for location in &program.locations {
        let procedure = &program.procedures[location.procedure].name;
        for known in &location.labels {
            if label.contains("::") {
                labels.push(format!("{procedure}::{known}"));
            } else {
                labels.push(known.clone());
            }
        }
    }
    let wanted = label.rsplit("::").next().unwrap_or(label);
    let elsewhere = labels.iter().find(|known| known.rsplit("::").next() == Some(wanted)).cloned();
    let mut near = similar(label, labels.iter().map(String::as_str));
    if let Some(elsewhere) = elsewhere
        && !near.contains(&elsewhere)
    {
        near.insert(0, elsewhere);
    }
    QuestionError::UnknownLabel { label: label.to_owned(), similar: near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{ProgramBuilder, Relation};

    /// Two procedures, `main` with labels `Error` and `Done`, `other` with `Done`; an assertion in `main` if wanted.
    fn sample(assertion: bool) -> Program {
        let mut builder = ProgramBuilder::new();
        let main = builder.procedure("main");
        let other = builder.procedure("other");
        let first = builder.location(main);
        let second = builder.location(main);
        let third = builder.location(other);
        builder.label(first, "Error");
        builder.label(second, "Done");
        builder.label(third, "Done");
        if assertion {
            let violated = builder.location_with(main, Role::Violation);
            builder.step(first, violated, Relation::identity());
        }
        builder.finish()
    }

    fn ask(labels: &[&str], assertions: bool, program: &Program) -> Result<Vec<u32>, Vec<QuestionError>> {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        let targets = Question { assertions, labels, statements: false }.targets(program)?;
        Ok(targets.into_iter().map(|target| target.location.0).collect())
    }

    #[test]
    fn labels_alone_ask_for_labels_alone() {
        let program = sample(true);
        assert_eq!(ask(&["Error"], false, &program), Ok(vec![0]));
        assert_eq!(ask(&["Error"], true, &program), Ok(vec![0, 3]));
        assert_eq!(ask(&[], false, &program), Ok(vec![3]));
    }

    #[test]
    fn a_label_may_name_several_places_and_a_place_is_asked_about_once() {
        let program = sample(false);
        assert_eq!(ask(&["Done"], false, &program), Ok(vec![1, 2]));
        assert_eq!(ask(&["other::Done", "Done", "Done"], false, &program), Ok(vec![2, 1]));
    }

    #[test]
    fn nothing_to_check_is_an_error() {
        assert_eq!(ask(&[], false, &sample(false)), Err(vec![QuestionError::NothingToCheck]));
        assert_eq!(ask(&[], true, &sample(false)), Err(vec![QuestionError::NothingToCheck]));
    }

    #[test]
    fn statements_are_the_plain_locations() {
        let question = Question { assertions: true, labels: Vec::new(), statements: true };
        let targets = question.targets(&sample(true)).unwrap();
        let kinds: Vec<_> = targets.iter().map(|target| (target.location.0, target.kind.clone())).collect();
        let statement = |at| (at, TargetKind::Statement);
        assert_eq!(kinds, vec![(3, TargetKind::Assertion), statement(0), statement(1), statement(2)]);
    }

    #[test]
    fn every_unknown_label_is_reported_with_suggestions() {
        let unknown = |label: &str, similar: &[&str]| QuestionError::UnknownLabel {
            label: label.into(),
            similar: similar.iter().map(|name| (*name).into()).collect(),
        };
        let asked = ask(&["error", "Eror", "Dnoe", "other::Error", "Nowhere", "Done"], false, &sample(true));
        let expected = vec![
            unknown("error", &["Error"]),
            unknown("Eror", &["Error"]),
            unknown("Dnoe", &["Done"]),
            unknown("other::Error", &["main::Error"]),
            unknown("Nowhere", &[]),
        ];
        assert_eq!(asked, Err(expected));
    }

    #[test]
    fn suggestions_are_few_near_and_ranked() {
        let names = ["summary", "explicit", "summery", "sumary", "sumaries", "x"];
        assert_eq!(similar("sumary", names), vec!["summary", "summery"]);
        assert_eq!(similar("X", names), vec!["x"]);
        assert!(similar("q", names).is_empty());
        assert!(similar(&"s".repeat(10_000), names).is_empty());
    }
}
