//! Coverage: which statements does some run reach?

use base::Context;
use program::{LocationId, Role, Target, TargetKind};

use crate::check::{CheckError, Options};
use crate::pipeline::{Search, solve};
use crate::{Loaded, Outcome};

/// Every location that stands for a statement or a violation, in order, with what is known about it. The proof shows that
/// the unreached ones are unreachable.
pub type Coverage = Outcome<Vec<(LocationId, Reached)>>;

/// What is known about one location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reached {
    /// Some run reaches it.
    Yes,
    /// No run reaches it.
    No,
    /// A limit was hit first.
    Undecided,
}

/// Decides for every statement whether some run is about to execute it, and for every assertion whether it can fail.
///
/// There are no traces, so what an algorithm of the user's own says would be taken on its word: it is refused.
pub fn coverage(loaded: &Loaded, options: &Options, context: &Context<'_>) -> Result<Coverage, CheckError> {
    if let Some(own) = options.algorithm.as_ref().filter(|algorithm| algorithm.text.is_some()) {
        return Err(CheckError::Unchecked(own.name.clone()));
    }
    let program = &loaded.program;
    let target = |location: LocationId| Target { location, kind: TargetKind::Statement };
    let is_statement = |location: &LocationId| {
        loaded.origins.locations.get(*location).is_some_and(Option::is_some)
            || program.locations[*location].role == Role::Violation
    };
    let targets: Vec<Target> = program.locations.ids().filter(is_statement).map(target).collect();
    let locations: Vec<LocationId> = targets.iter().map(|target| target.location).collect();
    let solved = solve(Search { program, targets: &locations, options, traces: false, context })?;
    let proof = solved.proof(program, options, context)?;
    let answer = &solved.answer;
    let reached = |location: LocationId| match (answer.reached.binary_search(&location), answer.stopped) {
        (Ok(_), _) => Reached::Yes,
        (Err(_), Some(_)) => Reached::Undecided,
        (Err(_), None) => Reached::No,
    };
    let locations = targets.iter().map(|target| (target.location, reached(target.location))).collect();
    Ok(solved.outcome(locations, proof))
}
