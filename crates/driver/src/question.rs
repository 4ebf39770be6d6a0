//! What is asked, turned into targets.

use program::{Program, Target};

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
    pub fn targets(&self, program: &Program) -> Result<Vec<Target>, Vec<QuestionError>> {
        let _ = program;
        Ok(Vec::new())
    }
}
