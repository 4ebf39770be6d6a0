//! The queries of an algorithm file, answered for a program as they are: no passes, no evidence.

use base::{Budget, Observer, Source};
use engine::Context;
use engine::formula::Answered;
use program::{Bound, LocationId};

use crate::algorithm::unready_error;
use crate::{Algorithm, CheckError, Loaded, Question, QuestionError};

/// The answers to a file's queries.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The file.
    pub source: Source,
    /// The answers.
    pub answered: Answered,
}

/// Answers all queries of an algorithm. `Target` holds for what the question is about; a question that is about
/// nothing is allowed. At most `limit` solutions of an open query are listed.
pub fn solve(
    loaded: &Loaded,
    algorithm: &Algorithm,
    question: &Question,
    bound: Option<Bound>,
    limit: usize,
    (budget, observer): (&Budget, &dyn Observer),
) -> Result<Solution, CheckError> {
    let formula = algorithm.read()?;
    let targets: Vec<LocationId> = match question.targets(&loaded.program) {
        Ok(targets) => targets.into_iter().map(|target| target.location).collect(),
        Err(errors) if errors == [QuestionError::NothingToCheck] => Vec::new(),
        Err(errors) => return Err(CheckError::Question(errors)),
    };
    let _watch = budget.watch();
    let context = Context { budget, observer };
    match formula.answer_all(&loaded.program, &targets, bound, limit, &context) {
        Ok(answered) => Ok(Solution { source: formula.source().clone(), answered }),
        Err(unready) => Err(unready_error(unready, formula.source(), algorithm.name.clone())),
    }
}
