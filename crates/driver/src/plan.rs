//! Which rewritings a program goes through on its way to an engine: decided before the first of them is taken.

use program::{Bound, Program};
use transform::interleaving::{self, Interleave};
use transform::sequentialize::Sequentialize;
use transform::thread_slots::{self, WithSlots, has_spawns};
use transform::{InPlace, Rewriting, selected};

use crate::algorithm::PRODUCT;
use crate::check::{CheckError, Options};

/// Threads that may be started in addition to those that exist from the start, unless the user says otherwise.
const MORE_THREADS: u32 = 3;

/// The way from a program to an engine.
#[derive(Debug)]
pub(crate) struct Plan {
    /// What makes it a program of another kind, in order.
    pub(crate) structure: Vec<Planned>,
    /// What is asked of the engine, given what the structure leaves.
    pub(crate) options: Options,
    /// Why the product of the threads is searched, if it is.
    pub(crate) product: Option<String>,
    /// The passes, which keep what kind of program it is.
    pub(crate) passes: Vec<InPlace>,
}

/// A rewriting, and the name under which it is told that it does not support a program.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) rewriting: Box<dyn Rewriting>,
    pub(crate) who: String,
}

impl Planned {
    fn new(rewriting: impl Rewriting + 'static, who: impl Into<String>) -> Self {
        Self { rewriting: Box::new(rewriting), who: who.into() }
    }
}

impl Plan {
    /// The plan for a program, or what about the options does not fit it.
    pub(crate) fn new(program: &Program, options: &Options) -> Result<Self, CheckError> {
        let slots = slots(program, options)?;
        let mut plan =
            Self { structure: Vec::new(), options: options.clone(), product: None, passes: passes(options)? };
        let threads = Threads::of(program, slots);
        if let Some(slots) = slots {
            let who = options.engine.clone().unwrap_or_else(|| "thread slots".to_owned());
            plan.structure.push(Planned::new(slots, who));
        }
        if options.sequentialize && threads.are_several {
            plan.sequentialize()?;
        } else if let Some(why) = wants_product(program, options, threads) {
            plan.structure.push(Planned::new(Interleave, PRODUCT));
            plan.options = Options { engine: None, algorithm: None, bound: None, ..plan.options };
            plan.product = Some(why);
        }
        Ok(plan)
    }

    /// Passes make the program smaller before its variables are copied for each round.
    fn sequentialize(&mut self) -> Result<(), CheckError> {
        const WHO: &str = "sequentialization";
        let Some(bound) = self.options.bound.take() else { return Err(CheckError::BoundNeeded(WHO.to_owned())) };
        self.structure.extend(self.passes.iter().map(|pass| Planned::new(*pass, WHO)));
        self.structure.push(Planned::new(Sequentialize { bound }, WHO));
        Ok(())
    }
}

/// An algorithm of the user's own sees the program as it is, unless passes are asked for: otherwise they could decide
/// what it is then said to have decided.
fn passes(options: &Options) -> Result<Vec<InPlace>, CheckError> {
    let is_own = options.algorithm.as_ref().is_some_and(|algorithm| algorithm.text.is_some());
    let names = options.passes.as_deref().or(is_own.then_some(&[]));
    selected(names).map_err(|unknown| CheckError::UnknownPass(unknown.name, unknown.known))
}

/// The slots for threads that the program starts; none: it starts none, or the engine follows them by itself.
fn slots(program: &Program, options: &Options) -> Result<Option<WithSlots>, CheckError> {
    let is_explicit = options.engine.as_deref() == Some("explicit") && !options.sequentialize;
    if !has_spawns(program) || (is_explicit && options.max_threads.is_none()) {
        return Ok(None);
    }
    let max_threads = options.max_threads.unwrap_or(program.threads.len() as u32 + MORE_THREADS);
    // In rounds the threads come in the order in which they were started.
    let reuse = !matches!(options.bound, Some(Bound::Rounds(_)));
    let is_open = options.engine.is_none() && options.algorithm.is_none() && !options.sequentialize;
    match thread_slots::supports(program) {
        Ok(()) => Ok(Some(WithSlots { max_threads, reuse })),
        Err(_) if is_open && options.max_threads.is_none() => Ok(None),
        Err(unsupported) => {
            let who = options.engine.clone().unwrap_or_else(|| "thread slots".to_owned());
            Err(CheckError::Unsupported(who, unsupported))
        }
    }
}

/// The threads of a program that has its slots.
#[derive(Clone, Copy)]
struct Threads {
    n_slots: usize,
    n: usize,
    are_started: bool,
    are_several: bool,
}

impl Threads {
    fn of(program: &Program, slots: Option<WithSlots>) -> Self {
        let n_slots = slots.map_or(0, |slots| (slots.max_threads as usize).saturating_sub(program.threads.len()));
        let n = program.threads.len() + n_slots;
        let are_started = slots.is_none() && has_spawns(program);
        Self { n_slots, n, are_started, are_several: n != 1 || are_started }
    }
}

/// Whether the product of the threads is to be searched, and why. It needs no bound, so it is the choice where there is
/// none.
fn wants_product(program: &Program, options: &Options, threads: Threads) -> Option<String> {
    if options.engine.as_deref() == Some(PRODUCT) {
        return Some("as asked for".to_owned());
    }
    let is_open = options.engine.is_none() && options.algorithm.is_none() && options.bound.is_none();
    let is_possible = || !threads.are_started && interleaving::supports(program, threads.n_slots).is_ok();
    (is_open && threads.are_several && is_possible())
        .then(|| format!("{} threads that do not recurse, and no bound", threads.n))
}
