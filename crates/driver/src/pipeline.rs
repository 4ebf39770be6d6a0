//! The pipeline: a fold over rewritings, an engine, the way back, the checks.
//!
//! ```text
//! program ── rewriting ── ... ── rewriting ── engine
//!    │                                           │
//!  checks <── way back <── ... <── way back <── answer
//! ```
//!
//! The plan says which rewritings; what an engine says about the last program is said here about the first.

use std::sync::Arc;

use base::{Context, StopReason};
use engine::init::WithoutInit;
use engine::{Answer, Asked, Engine};
use program::{Bound, LocationId, Program, Trace};
use transform::{Certified, Refused, Rewriting, Way};

use crate::algorithm::{Chosen, PRODUCT, Ran};
use crate::check::{CheckError, Options};
use crate::plan::{Plan, Planned};
use crate::{Outcome, Proof};

/// What is asked of a program, and how it is to be answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    pub(crate) program: &'a Program,
    pub(crate) targets: &'a [LocationId],
    pub(crate) options: &'a Options,
    /// Whether traces to the targets are wanted.
    pub(crate) traces: bool,
    pub(crate) context: &'a Context<'a>,
}

/// What an engine said, in terms of the program that was asked about.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) engine: Chosen,
    /// The name to be shown, and why it was chosen.
    pub(crate) name: &'static str,
    pub(crate) why: String,
    /// The algorithm, if one was run.
    pub(crate) ran: Option<Ran>,
    /// The bound up to which unreached targets are unreached; none: without bound.
    pub(crate) bound: Option<Bound>,
    /// The number of threads up to which they are; none: any number.
    pub(crate) max_threads: Option<u32>,
    /// The rewritings that found something to do.
    pub(crate) rewritings: Vec<&'static str>,
    /// Whether traces are shortest.
    pub(crate) shortest: bool,
    pub(crate) answer: Answer,
    pub(crate) certified: Option<Certified>,
}

/// Decides which targets are reached.
pub(crate) fn solve(search: Search<'_>) -> Result<Solved, CheckError> {
    let plan = Plan::new(search.program, search.options)?;
    let way = Way::new(Arc::new(search.program.clone()), search.targets.to_vec());
    let asked = Asked { bound: None, traces: search.traces, certificate: search.options.certificate };
    let (mut solved, way) = run(&plan, &plan.structure, way, asked, search.context)?;
    let is_decided = solved.answer.stopped.is_some() || solved.answer.reached.len() == search.targets.len();
    let max_threads = if solved.answer.finished.is_some() {
        // What was finished before a limit was hit was finished for so many threads, needed or not.
        way.steps().iter().find_map(|step| step.back.overflow()).map(|overflow| overflow.max_threads)
    } else if is_decided {
        None
    } else {
        left_out(&plan, &way, search.context)?
    };
    if max_threads.is_some() {
        solved.max_threads = max_threads;
        solved.answer.unbounded = false;
    }
    // Only what is not reached can hold without a bound.
    solved.answer.unbounded &= !is_decided;
    Ok(solved)
}

impl Solved {
    /// What was found, with how it was found out.
    pub(crate) fn outcome<F>(self, findings: F, proof: Option<Proof>) -> Outcome<F> {
        let answer = self.answer;
        Outcome {
            proof,
            detail: answer.detail,
            bound: self.bound,
            finished: answer.finished,
            max_threads: self.max_threads,
            is_converged: answer.unbounded,
            account: answer.account,
            why: self.why,
            algorithm: self.ran,
            rewritings: self.rewritings,
            ..Outcome::new(self.name, findings, answer.stopped, answer.statistics)
        }
    }
}

/// Goes the way to its end, lets the engine answer there, and takes the answer back.
fn run(
    plan: &Plan,
    structure: &[Planned],
    mut way: Way,
    asked: Asked,
    context: &Context<'_>,
) -> Result<(Solved, Way), CheckError> {
    let original = Arc::clone(&way.subject.program);
    let mut walk = Walk { way: &mut way, context, stopped: None };
    for Planned { rewriting, who } in structure {
        walk.take(rewriting.as_ref(), who)?;
    }
    let program = Arc::clone(&walk.way.subject.program);
    let engine = Chosen::new(&program, &plan.options)?;
    let bound = engine.bound(&program, &plan.options)?;
    let is_bounded = engine.is_bounded(&program);
    drop(program);
    for pass in &plan.passes {
        walk.take(pass, engine.name())?;
    }
    let ran = engine.prepare(&walk.way.subject.program, &walk.way.subject.targets, bound)?;
    if !engine.follows_init() {
        walk.take(&WithoutInit, &engine.label())?;
    }
    let (answer, certified) = walk.answer(&*engine, Asked { bound, ..asked })?;
    // A violation needs no bound; only what is not reached can hold without one.
    let needs_none = answer.unbounded && answer.reached.len() < walk.n_targets();
    let bound = walk.bound().or(bound.filter(|_| is_bounded && !needs_none));
    let shortest = way.steps().iter().all(|step| step.back.keeps_lengths()) && engine.traces_are_shortest(&original);
    let (name, why) = match &plan.product {
        Some(why) => (PRODUCT, why.clone()),
        None => (engine.name(), engine.why()),
    };
    let rewritings = way.names();
    let solved = Solved { engine, name, why, ran, bound, max_threads: None, rewritings, shortest, answer, certified };
    Ok((solved, way))
}

/// The number of threads for which there was room, if some run needs more, or if that is not known.
fn left_out(plan: &Plan, way: &Way, context: &Context<'_>) -> Result<Option<u32>, CheckError> {
    let overflows = way.steps().iter().enumerate().filter_map(|(at, step)| Some((at, step.back.overflow()?)));
    for (at, overflow) in overflows {
        let asked = Asked { bound: None, traces: false, certificate: false };
        let rest = Way::new(Arc::clone(&overflow.program), overflow.locations.clone());
        let (solved, _) = run(plan, plan.structure.get(at + 1..).unwrap_or_default(), rest, asked, context)?;
        if solved.answer.stopped.is_some() || !solved.answer.reached.is_empty() {
            return Ok(Some(overflow.max_threads));
        }
    }
    Ok(None)
}

/// A way that is being gone.
struct Walk<'a> {
    way: &'a mut Way,
    context: &'a Context<'a>,
    /// The limit at which it ended, with what was found until then.
    stopped: Option<(StopReason, Vec<(LocationId, Trace)>)>,
}

impl Walk<'_> {
    fn take(&mut self, rewriting: &dyn Rewriting, who: &str) -> Result<(), CheckError> {
        if self.stopped.is_some() {
            return Ok(());
        }
        match self.way.take(rewriting, self.context) {
            Ok(()) => Ok(()),
            Err(Refused::Unsupported(unsupported)) => Err(CheckError::Unsupported(who.to_owned(), unsupported)),
            Err(Refused::Stopped(reason, found)) => {
                self.stopped = Some((reason, found));
                Ok(())
            }
        }
    }

    fn answer(&mut self, engine: &dyn Engine, asked: Asked) -> Result<(Answer, Option<Certified>), CheckError> {
        let _watch = self.context.budget.watch();
        match self.stopped.take() {
            None => engine::answer(engine, self.way, asked, self.context),
            Some((reason, found)) => {
                engine::stopped(reason, found, self.way, asked, self.context).map(|answer| (answer, None))
            }
        }
        .map_err(|error| CheckError::Evidence(error.to_string()))
    }

    /// How many targets are asked about at the beginning.
    fn n_targets(&self) -> usize {
        self.way.steps().first().map_or(self.way.subject.targets.len(), |step| step.targets.len())
    }

    /// The bound that a rewriting brings.
    fn bound(&self) -> Option<Bound> {
        self.way.steps().iter().find_map(|step| step.back.bound())
    }
}
