//! Programs with threads on their way to an engine: slots for threads that are started, sequentialization, interleavings.
//!
//! All of them change the program before the engine sees it, and what the engine says is turned back here, so that an answer is
//! about the program that came in.

use base::{Budget, Observer, Progress};
use engine::{Answer, Context, Task, Unsupported};
use program::{Bound, LocationId, Program};
use transform::interleaving::interleaving;
use transform::sequentialize::sequentialize;
use transform::thread_slots::{ThreadSlots, has_spawns, with_slots};
use transform::{Pipeline, pipeline};

use crate::algorithm::{Chosen, Ran};
use crate::check::{CheckError, Options};

/// The engine that searches the product of the threads.
pub(crate) const PRODUCT: &str = "product";

/// Threads that may be started in addition to those that exist from the start, unless the user says otherwise.
const MORE_THREADS: u32 = 3;

/// What is asked, how it is to be answered, who looks at the limits, and who is told about progress.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) program: &'a Program,
    pub(crate) targets: &'a [LocationId],
    pub(crate) options: &'a Options,
    /// Whether traces to the targets are wanted.
    pub(crate) traces: bool,
    pub(crate) budget: &'a Budget,
    pub(crate) observer: &'a dyn Observer,
}

impl<'a> Search<'a> {
    /// The same about another program.
    fn about(self, program: &'a Program, targets: &'a [LocationId]) -> Self {
        Self { program, targets, ..self }
    }

    fn says(&self, phase: &'static str) {
        self.observer.progress(&Progress { phase, ..Progress::default() });
    }

    /// An algorithm of the user's own sees the program as it is, unless passes are asked for: otherwise they could decide
    /// what it is then said to have decided.
    fn passes(&self) -> Result<Pipeline<'a>, CheckError> {
        let is_own = self.options.algorithm.as_ref().is_some_and(|algorithm| algorithm.text.is_some());
        let names = self.options.passes.as_deref().or(is_own.then_some(&[]));
        pipeline(self.program, self.targets, names, self.observer)
            .map_err(|unknown| CheckError::UnknownPass(unknown.name, unknown.known))
    }

    /// Lets the engine look at what the passes left of the program.
    fn run(&self, engine: &Chosen, pipeline: &Pipeline<'_>, bound: Option<Bound>, certificate: bool) -> Answer {
        let (program, targets, lengths) = (&pipeline.program, self.targets, pipeline.lengths());
        let task = Task { program, targets, lengths, bound, traces: self.traces, certificate };
        let _watch = self.budget.watch();
        engine.solve(&task, &Context { budget: self.budget, observer: self.observer })
    }
}

/// What an engine said, in terms of the program that was given to it here.
pub(crate) struct Solved {
    pub(crate) engine: Chosen,
    /// The name to be shown, and why it was chosen.
    pub(crate) name: &'static str,
    pub(crate) why: String,
    /// The program that the certificate is about, if it is another.
    pub(crate) certified: Option<Program>,
    /// The algorithm, if one was run.
    pub(crate) ran: Option<Ran>,
    /// The bound up to which unreached targets are unreached; none: without bound.
    pub(crate) bound: Option<Bound>,
    /// The number of threads up to which they are; none: any number.
    pub(crate) max_threads: Option<u32>,
    /// What was done to the program.
    pub(crate) passes: Vec<&'static str>,
    /// Whether the engine saw another program than the passes leave.
    pub(crate) is_rewritten: bool,
    pub(crate) answer: Answer,
}

/// Decides which targets are reached.
pub(crate) fn solve(search: Search<'_>) -> Result<Solved, CheckError> {
    let Search { program, targets, options, .. } = search;
    if !needs_slots(program, options) {
        return solve_fixed(search);
    }
    let max_threads = options.max_threads.unwrap_or(program.threads.len() as u32 + MORE_THREADS);
    // In rounds the threads come in the order in which they were started.
    let reuse = !matches!(options.bound, Some(Bound::Rounds(_)));
    search.says("thread slots");
    let slots = with_slots(program, targets, max_threads, reuse);
    let is_open = options.engine.is_none() && options.algorithm.is_none() && !options.sequentialize;
    if slots.is_err() && is_open && options.max_threads.is_none() {
        return solve_fixed(search);
    }
    let who = || options.engine.clone().unwrap_or_else(|| "thread slots".to_owned());
    let slots = slots.map_err(|what| CheckError::Unsupported(who(), Unsupported { what }))?;
    let arrivals = slots.arrivals.iter().map(|(arrival, _)| *arrival);
    let asked: Vec<LocationId> = targets.iter().copied().chain(arrivals).collect();
    let mut solved = solve_fixed(search.about(&slots.program, &asked))?;
    solved.answer = answer_back(&slots, search, solved.answer);
    solved.passes.insert(0, "thread-slots");
    solved.is_rewritten = true;
    let is_decided = solved.answer.stopped.is_some() || solved.answer.reached.len() == targets.len();
    if !is_decided && is_full(&slots, search)? {
        solved.max_threads = Some(max_threads);
        solved.answer.unbounded = false;
    }
    Ok(solved)
}

/// The explicit search follows threads that are started by itself.
fn needs_slots(program: &Program, options: &Options) -> bool {
    let is_explicit = options.engine.as_deref() == Some("explicit") && !options.sequentialize;
    has_spawns(program) && (!is_explicit || options.max_threads.is_some())
}

/// Whether some run needs more threads than there are slots; if that is not known, it may.
fn is_full(slots: &ThreadSlots, search: Search<'_>) -> Result<bool, CheckError> {
    let options = &Options { certificate: false, ..search.options.clone() };
    let search = Search { options, traces: false, ..search };
    let solved = solve_fixed(search.about(&slots.program, &slots.full))?;
    Ok(solved.answer.stopped.is_some() || !solved.answer.reached.is_empty())
}

/// What was said about the slotted program, said about the original.
fn answer_back(slots: &ThreadSlots, search: Search<'_>, mut answer: Answer) -> Answer {
    let targets = search.targets;
    let original = |location: LocationId| {
        let arrival = slots.arrivals.iter().find(|(arrival, _)| *arrival == location);
        arrival.map_or(location, |(_, target)| *target)
    };
    let reached: Vec<LocationId> = answer.reached.iter().map(|location| original(*location)).collect();
    answer.reached = targets.iter().filter(|target| reached.contains(target)).copied().collect();
    let traces = answer.traces.iter().map(|(location, trace)| (original(*location), slots.trace_back(trace)));
    answer.traces = traces.collect();
    answer.traces.sort_by_key(|(location, trace)| (*location, trace.steps.len()));
    answer.traces.dedup_by_key(|(location, _)| *location);
    // What stopped the search no longer matters once everything was found; how it is reached is part of that.
    let n_found = if search.traces { answer.traces.len() } else { answer.reached.len() };
    if n_found == targets.len() {
        answer.stopped = None;
    }
    answer.certificate = None;
    answer
}

/// The same for a program that starts no threads, or an engine that follows those by itself.
fn solve_fixed(search: Search<'_>) -> Result<Solved, CheckError> {
    let Search { program, targets, options, .. } = search;
    if options.sequentialize && !program.is_single_threaded() {
        return solve_sequentialized(search);
    }
    if let Some(why) = wants_product(program, options) {
        return solve_interleaved(search, why);
    }
    let engine = Chosen::new(program, options)?;
    let bound = engine.bound(program, options)?;
    let pipeline = search.passes()?;
    let ran = engine.prepare(&pipeline.program, targets, bound)?;
    let mut answer = search.run(&engine, &pipeline, bound, options.certificate);
    for (_, trace) in &mut answer.traces {
        *trace = pipeline.trace_back(std::mem::take(trace));
    }
    answer.certificate = answer.certificate.map(|certificate| pipeline.certificate_back(certificate));
    // A violation needs no bound; only what is not reached can hold without one.
    let needs_none = answer.unbounded && answer.reached.len() < targets.len();
    let bound = bound.filter(|_| engine.is_bounded(program) && !needs_none);
    let (name, why, passes) = (engine.name(), engine.why(), pipeline.applied);
    Ok(Solved {
        engine,
        name,
        why,
        certified: None,
        ran,
        bound,
        max_threads: None,
        passes,
        is_rewritten: false,
        answer,
    })
}

/// The same by way of a sequential program.
fn solve_sequentialized(search: Search<'_>) -> Result<Solved, CheckError> {
    let Search { targets, options, .. } = search;
    let Some(bound) = options.bound else { return Err(CheckError::BoundNeeded("sequentialization".to_owned())) };
    let before = search.passes()?;
    search.says("sequentialize");
    let sequential = sequentialize(&before.program, targets, bound);
    let sequential =
        sequential.map_err(|what| CheckError::Unsupported("sequentialization".to_owned(), Unsupported { what }))?;
    let options = &Options { bound: None, ..options.clone() };
    let engine = Chosen::new(&sequential.program, options)?;
    let inner = Search { options, ..search }.about(&sequential.program, &sequential.goals);
    let after = inner.passes()?;
    let ran = engine.prepare(&after.program, &sequential.goals, None)?;
    let mut answer = inner.run(&engine, &after, None, false);
    for (_, trace) in &mut answer.traces {
        let back = sequential.trace_back(&before.program, &after.trace_back(std::mem::take(trace)));
        *trace = before.trace_back(back.map_err(|error| unplayable(&error))?);
    }
    goals_back(&sequential.goals, targets, &mut answer);
    answer.certificate = None;
    let (name, why) = (engine.name(), engine.why());
    let passes = before.applied.into_iter().chain(["sequentialize"]).chain(after.applied).collect();
    let bound = Some(bound);
    Ok(Solved { engine, name, why, certified: None, ran, bound, max_threads: None, passes, is_rewritten: true, answer })
}

fn unplayable(error: &program::interp::ReplayError) -> CheckError {
    CheckError::Evidence(format!("a trace of the rewritten program does not replay: {error}"))
}

/// Goals of a rewritten program stand for the targets, in their order.
fn goals_back(goals: &[LocationId], targets: &[LocationId], answer: &mut Answer) {
    let target = |goal: LocationId| {
        let at = goals.iter().position(|it| *it == goal);
        at.and_then(|at| targets.get(at)).copied().unwrap_or(goal)
    };
    answer.reached.iter_mut().for_each(|goal| *goal = target(*goal));
    answer.traces.iter_mut().for_each(|(goal, _)| *goal = target(*goal));
}

/// Whether the product of the threads is to be searched, and why. It needs no bound, so it is the choice where there is
/// none.
fn wants_product(program: &Program, options: &Options) -> Option<String> {
    let is_open = options.engine.is_none() && options.algorithm.is_none() && options.bound.is_none();
    if options.engine.as_deref() == Some(PRODUCT) {
        return Some("as asked for".to_owned());
    }
    let is_possible = || interleaving(program, &[]).is_ok();
    (is_open && !program.is_single_threaded() && is_possible())
        .then(|| format!("{} threads that do not recurse, and no bound", program.threads.len()))
}

/// The same by way of a program of all interleavings: there is no bound, and what holds has a certificate.
fn solve_interleaved(search: Search<'_>, why: String) -> Result<Solved, CheckError> {
    let Search { program, targets, options, .. } = search;
    search.says("interleave");
    let product = interleaving(program, targets);
    let product = product.map_err(|what| CheckError::Unsupported(PRODUCT.to_owned(), Unsupported { what }))?;
    let inner = Options { engine: None, algorithm: None, bound: None, ..options.clone() };
    let engine = Chosen::new(&product.program, &inner)?;
    let inner = search.about(&product.program, &product.goals);
    let after = inner.passes()?;
    let mut answer = inner.run(&engine, &after, None, options.certificate);
    for (_, trace) in &mut answer.traces {
        let back = product.trace_back(program, &after.trace_back(std::mem::take(trace)));
        *trace = back.map_err(|error| unplayable(&error))?;
    }
    goals_back(&product.goals, targets, &mut answer);
    answer.certificate = answer.certificate.map(|certificate| after.certificate_back(certificate));
    let passes = ["interleaving"].into_iter().chain(after.applied).collect();
    let certified = Some(product.program);
    let name = PRODUCT;
    Ok(Solved {
        engine,
        name,
        why,
        certified,
        ran: None,
        bound: None,
        max_threads: None,
        passes,
        is_rewritten: true,
        answer,
    })
}
