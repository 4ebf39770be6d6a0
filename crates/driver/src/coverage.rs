//! Coverage: which statements does some run reach?

use base::{Budget, Context, Observer, StopReason};
use engine::Statistics;
use program::{Bound, LocationId, Role, Target, TargetKind};

use crate::check::{CheckError, Options};
use crate::pipeline::{Search, solve};
use crate::{Loaded, Proof, Ran};

/// What is known about every statement.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Every location that stands for a statement or a violation, in order.
    pub locations: Vec<(LocationId, Reached)>,
    /// The proof that the unreached ones are unreachable.
    pub proof: Option<Proof>,
    /// The limit that was hit, if one was.
    pub stopped: Option<StopReason>,
    /// The bound up to which a statement is unreached; none: without bound.
    pub bound: Option<Bound>,
    /// The number of live threads up to which it is, when some run would start more; none: any number.
    pub max_threads: Option<u32>,
    /// What more there is to say about that limit.
    pub detail: Option<String>,
    /// The engine that answered.
    pub engine: &'static str,
    /// The algorithm that it ran, if it runs algorithms.
    pub algorithm: Option<Ran>,
    /// The passes that were applied, in order.
    pub passes: Vec<&'static str>,
    /// What it cost.
    pub statistics: Statistics,
}

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
pub fn coverage(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Coverage, CheckError> {
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
    let context = &Context { budget, observer };
    let solved = solve(Search { program, targets: &locations, options, traces: false, context })?;
    let proof = solved.proof(program, options, budget, observer)?;
    let answer = &solved.answer;
    let reached = |location: LocationId| match (answer.reached.binary_search(&location), answer.stopped) {
        (Ok(_), _) => Reached::Yes,
        (Err(_), Some(_)) => Reached::Undecided,
        (Err(_), None) => Reached::No,
    };
    Ok(Coverage {
        locations: targets.iter().map(|target| (target.location, reached(target.location))).collect(),
        proof,
        stopped: answer.stopped,
        detail: answer.detail.clone(),
        bound: solved.bound,
        engine: solved.name,
        algorithm: solved.ran.clone(),
        passes: solved.rewritings.clone(),
        max_threads: solved.max_threads,
        statistics: answer.statistics,
    })
}
