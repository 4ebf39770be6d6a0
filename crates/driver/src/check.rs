//! The pipeline itself.

use base::{Budget, Observer};
use engine::Unsupported;

use crate::{Loaded, Outcome, Question, QuestionError};

/// How to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Name of the engine; none: the best one for the program.
    pub engine: Option<String>,
    /// Names of the passes to apply; none: all of them.
    pub passes: Option<Vec<String>>,
    /// Whether reached targets are to come with traces.
    pub traces: bool,
    /// Whether unreached targets are to come with a certificate.
    pub certificate: bool,
    /// Whether traces are replayed and certificates validated.
    pub validate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { engine: None, passes: None, traces: true, certificate: true, validate: true }
    }
}

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckError {
    /// The question has no answer.
    Question(Vec<QuestionError>),
    /// No engine of that name; the names that exist.
    UnknownEngine(String, Vec<&'static str>),
    /// No pass of that name; the names that exist.
    UnknownPass(String, Vec<&'static str>),
    /// The engine cannot work on this program.
    Unsupported(&'static str, Unsupported),
    /// Evidence did not check: a defect of Cauldron, with what is wrong.
    Evidence(String),
}

/// Answers a question about a program, with evidence that has been checked.
pub fn check(
    loaded: &Loaded,
    question: &Question,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Outcome, CheckError> {
    let _ = (loaded, options, budget, observer);
    Err(CheckError::Question(question.targets(&loaded.program).err().unwrap_or_default()))
}
