//! The queries of an algorithm file, answered for a program as they are; and files of Mucke's language. No passes, no
//! evidence.

use base::{Context, Diagnostics, FileId, Source, Sources};
use calculus::Options;
use engine::Engine as _;
use engine::formula::Answered;
use program::{Bound, LocationId};

pub use engine::formula::{Cell, Found, QueryAnswer};
pub use mucke;

use crate::algorithm::unready_error;
use crate::{Algorithm, CheckError, FrontOptions, Loaded, Outcome, Question, QuestionError};

/// The answers to a file's queries.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The file.
    pub source: Source,
    /// The answers, in the order of the file; when a limit was hit, some of them are open.
    pub queries: Vec<QueryAnswer>,
}

/// Answers all queries of an algorithm. `Target` holds for what the question is about; a question that is about
/// nothing is allowed. At most `limit` solutions of an open query are listed.
pub fn solve(
    loaded: &Loaded,
    algorithm: &Algorithm,
    question: &Question,
    bound: Option<Bound>,
    limit: usize,
    context: &Context<'_>,
) -> Result<Outcome<Solution>, CheckError> {
    let formula = algorithm.read()?;
    let targets: Vec<LocationId> = match question.targets(&loaded.program) {
        Ok(targets) => targets.into_iter().map(|target| target.location).collect(),
        Err(errors) if errors == [QuestionError::NothingToCheck] => Vec::new(),
        Err(errors) => return Err(CheckError::Question(errors)),
    };
    let _watch = context.budget.watch();
    let answered = formula.answer_all(&loaded.program, &targets, bound, limit, context);
    let Answered { queries, stopped, detail, account, warnings, statistics } =
        answered.map_err(|unready| unready_error(unready, formula.source(), algorithm.name.clone()))?;
    let solution = Solution { source: formula.source().clone(), queries };
    Ok(Outcome { detail, account, warnings, ..Outcome::new(formula.name(), solution, stopped, statistics) })
}

/// A program that does nothing, for a file that speaks of no program; none: the file speaks of one. A file that cannot be
/// read speaks of nothing.
#[must_use]
pub fn without_program(algorithm: &Algorithm) -> Option<Loaded> {
    let source = Source::new("nothing", "void main() begin skip; end");
    let nothing = crate::load(source, &front_bp::FRONT_END, &FrontOptions::default()).ok()?;
    let needs_program = algorithm.read().is_ok_and(|formula| formula.needs_program(&nothing.program));
    (!needs_program).then_some(nothing)
}

/// What came of a file of Mucke's language.
#[derive(Clone, Debug)]
pub struct MuckeSolution {
    /// The file and what it loads.
    pub sources: Sources,
    /// What it asks.
    pub resolved: mucke::Resolved,
    /// Warnings about it.
    pub warnings: Diagnostics,
    /// The answers, or why they are not complete.
    pub run: Result<mucke::Run, mucke::Unfinished>,
    /// The plan, where it was asked for.
    pub plan: String,
}

/// Solves a file of Mucke's language: the first of the sources, with all that it loads. Of the algorithm, only how to run it matters.
pub fn solve_mucke(
    sources: impl Into<Sources>,
    how: &Algorithm,
    context: &Context<'_>,
) -> Result<MuckeSolution, (Sources, Diagnostics)> {
    let mut sources = sources.into();
    let (tree, mut diagnostics) = mucke::read(&mut sources, FileId::default());
    let Some(tree) = tree else { return Err((sources, diagnostics)) };
    let resolved = match mucke::resolve(&tree) {
        Ok((resolved, warnings)) if !diagnostics.has_errors() => {
            diagnostics.extend(warnings);
            resolved
        }
        Ok((_, warnings)) | Err(warnings) => {
            diagnostics.extend(warnings);
            diagnostics.sort();
            return Err((sources, diagnostics));
        }
    };
    let plan = if how.explain { mucke::explain(&resolved) } else { String::new() };
    let _watch = context.budget.watch();
    let options = Options { literal: how.literal, profile: how.profile, ..Options::default() };
    let run = mucke::solve(&resolved, options, context.budget, context.observer);
    if let Ok(run) = &run {
        diagnostics.extend(run.warnings.clone());
    }
    Ok(MuckeSolution { sources, resolved, warnings: diagnostics, run, plan })
}
