//! The worklist: tuples in order of how much of the bound they have used.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bdd::Bdd;
use program::{Bound, LocationId};

use super::Network;
use super::confluence::conflicts;
use super::context::{Ended, Part, Runner};
use super::partition::{safe, singletons};
use super::subsume::Inclusion;
use super::view::{BOTTOM, Stacks, Top, Tuple, View};
use crate::saturation::automaton::Automaton;
use crate::summary::Halt;
use crate::{Context, Task};

/// How a target was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A thread starts there.
    AtStart,
    /// In the context of a thread that follows a tuple.
    After(usize, usize),
}

/// Views, and the shared values that they have in common.
type Successor = (Vec<Rc<View>>, Bdd);

/// The search.
pub(super) struct Search<'t, 's, 'p> {
    pub(super) task: &'t Task<'t>,
    pub(super) context: &'t Context<'t>,
    pub(super) runner: Runner<'s, 'p>,
    split: Network,
    pub(super) stacks: Stacks,
    pub(super) tuples: Vec<Tuple>,
    /// Used of the bound, number of contexts, number of the tuple.
    worklist: BTreeSet<(u32, u32, usize)>,
    inclusion: Inclusion,
    pub(super) found: BTreeMap<LocationId, Found>,
    /// Tuples taken from the worklist.
    pub(super) n_inspected: u64,
    /// Whether a thread was not let run because of the bound.
    is_cut: bool,
}

impl<'t, 's, 'p> Search<'t, 's, 'p> {
    pub(super) fn new(task: &'t Task<'t>, context: &'t Context<'t>, runner: Runner<'s, 'p>, split: Network) -> Self {
        Self {
            task,
            context,
            runner,
            split,
            stacks: Stacks::new(),
            tuples: Vec::new(),
            worklist: BTreeSet::new(),
            inclusion: Inclusion::new(alike(task)),
            found: BTreeMap::new(),
            n_inspected: 0,
            is_cut: false,
        }
    }

    /// The targets that are reached, in the order of the task.
    pub(super) fn reached(&self) -> Vec<LocationId> {
        self.task.targets.iter().filter(|target| self.found.contains_key(target)).copied().collect()
    }

    /// Whether further contexts would add nothing.
    pub(super) fn is_complete(&self) -> bool {
        self.worklist.is_empty() && !self.is_cut
    }

    pub(super) fn run(&mut self) -> Result<(), Halt> {
        self.start()?;
        while !self.is_done()
            && let Some((_, _, at)) = self.worklist.pop_first()
        {
            self.n_inspected += 1;
            let n_threads = self.task.program.threads.len();
            // Who comes after the thread of the last context is first.
            let first = self.tuples[at].active.map_or(0, |active| active + 1);
            for thread in (first..first + n_threads).map(|thread| thread % n_threads) {
                if self.is_done() {
                    break;
                }
                self.expand(at, thread)?;
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.task.targets.iter().all(|target| self.found.contains_key(target))
    }

    /// Every thread is at its start; all of them agree about the shared values.
    fn start(&mut self) -> Result<(), Halt> {
        let (program, space) = (self.task.program, self.runner.space);
        let mut shared = space.everything();
        let mut tops = Vec::new();
        for thread in &program.threads {
            let Some(entry) = program.procedures[thread.start].entries.first() else { return Ok(()) };
            let set = space.encoding().start_states(thread.start)?;
            shared = shared.and(&set.exists(&space.forget_own)?)?;
            tops.push(Top { location: *entry, below: BOTTOM, set });
        }
        if shared.is_false() {
            return Ok(());
        }
        for top in tops.iter().filter(|top| self.task.targets.contains(&top.location)) {
            self.found.insert(top.location, Found::AtStart);
        }
        let parts = match self.split {
            Network::Lazy => vec![shared],
            Network::Eager => singletons(space, &shared, self.context)?,
        };
        for part in parts {
            let mut views = Vec::new();
            for top in &tops {
                let set = top.set.and(&part)?;
                views.push(Rc::new(View { tops: vec![Top { set, ..top.clone() }] }));
            }
            self.add(Tuple { views, shared: part, active: None, used: 0, n_contexts: 0, parent: None })?;
        }
        Ok(())
    }

    /// What is used of the bound when a thread goes on after a tuple; none: it may not.
    fn turn(&mut self, at: usize, thread: usize) -> Option<u32> {
        let Tuple { active, used, .. } = self.tuples[at];
        if active == Some(thread) || (active.is_none() && !self.may_begin(thread)) {
            return None;
        }
        if !self.inclusion.is_first(&self.tuples[at], thread) {
            return None;
        }
        let active = active.unwrap_or(thread);
        let (used, is_allowed) = match self.task.bound.unwrap_or(Bound::Switches(0)) {
            Bound::Switches(most) => {
                let used = used + u32::from(active != thread);
                (used, used <= most)
            }
            Bound::Rounds(most) => {
                let used = used + u32::from(active > thread);
                (used, used < most)
            }
        };
        self.is_cut |= !is_allowed;
        is_allowed.then_some(used)
    }

    /// No other thread starts at an atomic location.
    fn may_begin(&self, thread: usize) -> bool {
        let program = self.task.program;
        let others = program.threads.iter().enumerate().filter(|(other, _)| *other != thread);
        let mut starts = others.filter_map(|(_, other)| program.procedures[other.start].entries.first());
        starts.all(|entry| self.runner.space.is_open(*entry))
    }

    /// Lets a thread run for a context after a tuple.
    fn expand(&mut self, at: usize, thread: usize) -> Result<(), Halt> {
        let Some(used) = self.turn(at, thread) else { return Ok(()) };
        let view = self.first_view(at, thread)?;
        let done = self.run_to_targets(&view);
        self.note_targets(at, thread);
        done?;
        if self.is_done() {
            return Ok(());
        }
        let left = self.contexts_left(thread, used);
        if left == 0 && self.is_cut {
            return Ok(());
        }
        let ended = self.runner.ended()?;
        for (views, shared) in self.successors(at, thread, &ended, left > 1)? {
            let n_contexts = self.tuples[at].n_contexts + 1;
            self.add(Tuple { views, shared, active: Some(thread), used, n_contexts, parent: Some(at) })?;
        }
        Ok(())
    }

    /// The view of a thread as its context begins; lazily, it remembers how.
    fn first_view(&self, at: usize, thread: usize) -> Result<View, Halt> {
        let view = &self.tuples[at].views[thread];
        match self.split {
            Network::Lazy => remembering(view, &self.runner.space.diagonal),
            Network::Eager => Ok(View::clone(view)),
        }
    }

    fn run_to_targets(&mut self, view: &View) -> Result<(), Halt> {
        let is_open = |target: &&LocationId| !self.found.contains_key(*target);
        let mut open: Vec<LocationId> = self.task.targets.iter().filter(is_open).copied().collect();
        let mut is_enough = move |automaton: &Automaton| {
            // The last one is looked at first; the list is gone through once.
            while open.last().is_some_and(|target| automaton.tops_at(*target).next().is_some()) {
                open.pop();
            }
            Ok(open.is_empty())
        };
        self.runner.run(&self.stacks, view, &mut is_enough)
    }

    fn note_targets(&mut self, at: usize, thread: usize) {
        for target in self.task.targets {
            if self.runner.post.automaton.tops_at(*target).next().is_some() {
                self.found.entry(*target).or_insert(Found::After(at, thread));
            }
        }
    }

    /// At most so many contexts may follow one of a thread.
    fn contexts_left(&self, thread: usize, used: u32) -> u64 {
        let n_threads = self.task.program.threads.len() as u64;
        match self.task.bound.unwrap_or(Bound::Switches(0)) {
            _ if n_threads < 2 => 0,
            Bound::Switches(most) => u64::from(most.saturating_sub(used)),
            Bound::Rounds(most) => {
                u64::from(most.saturating_sub(used + 1)) * n_threads + (n_threads - 1 - thread as u64)
            }
        }
    }

    /// The tuples that a context leads to, each with its shared values. Where at most one context follows, views need
    /// not fit together, for it does not matter what the threads without a turn are doing; nothing is split.
    fn successors(&mut self, at: usize, thread: usize, ended: &Ended, is_exact: bool) -> Result<Vec<Successor>, Halt> {
        let space = self.runner.space;
        let effect = ended.effect(space)?;
        let before = self.tuples[at].views.clone();
        let everything = space.everything();
        let mut successors = Vec::new();
        match self.split {
            Network::Lazy => {
                let others = before.iter().enumerate().filter(|(other, _)| *other != thread).map(|(_, view)| &**view);
                let conflicts = if is_exact { conflicts(space, ended, &effect, others)? } else { space.nothing() };
                let values = effect.exists(&space.forget_current)?;
                for part in safe(space, &values, &conflicts, self.context)? {
                    let own = ended.view(space, &mut self.stacks, &Part { origins: &part, forgets: true })?;
                    let effect = effect.and(&part)?;
                    let shared = effect.exists(&space.forget_origin)?;
                    successors.push((self.moved(&before, thread, own, &effect)?, shared));
                }
            }
            Network::Eager => {
                let own = ended.view(space, &mut self.stacks, &Part { origins: &everything, forgets: false })?;
                for value in singletons(space, &effect, self.context)? {
                    let own = remembering(&own, &value)?;
                    successors.push((self.moved(&before, thread, own, &value)?, value));
                }
            }
        }
        Ok(successors)
    }

    /// All views after a context with an effect on the shared values.
    fn moved(&self, before: &[Rc<View>], thread: usize, own: View, effect: &Bdd) -> Result<Vec<Rc<View>>, Halt> {
        let space = self.runner.space;
        let mut own = Some(Rc::new(own));
        let mut views = Vec::new();
        for (other, view) in before.iter().enumerate() {
            if other == thread
                && let Some(own) = own.take()
            {
                views.push(own);
                continue;
            }
            let mut tops = Vec::new();
            for top in &view.tops {
                let origin = top.set.rename(&space.current_to_origin)?;
                let set = origin.and_exists(effect, &space.forget_origin)?;
                if !set.is_false() {
                    tops.push(Top { set, ..top.clone() });
                }
            }
            let moved = View { tops };
            views.push(if moved == **view { Rc::clone(view) } else { Rc::new(moved) });
        }
        Ok(views)
    }

    /// Adds a tuple unless it is part of one that is known; those that are part of it are not looked at any more.
    fn add(&mut self, tuple: Tuple) -> Result<(), Halt> {
        self.context.budget.check()?;
        let bound = self.task.bound;
        for known in self.tuples.iter().filter(|known| is_as_far(bound, known, &tuple)) {
            if self.inclusion.tuple(&self.stacks, &tuple, known)? {
                return Ok(());
            }
        }
        let mut superseded = Vec::new();
        for (used, n_contexts, at) in &self.worklist {
            let known = &self.tuples[*at];
            if is_as_far(bound, &tuple, known) && self.inclusion.tuple(&self.stacks, known, &tuple)? {
                superseded.push((*used, *n_contexts, *at));
            }
        }
        self.worklist.retain(|entry| !superseded.contains(entry));
        match tuple.active {
            Some(thread) if self.contexts_left(thread, tuple.used) == 0 => {
                self.is_cut |= self.task.program.threads.len() > 1;
            }
            _ => {
                self.worklist.insert((tuple.used, tuple.n_contexts, self.tuples.len()));
            }
        }
        self.tuples.push(tuple);
        Ok(())
    }
}

/// By thread: the first one that starts in the same procedure. Where threads run in order, no two are alike.
fn alike(task: &Task<'_>) -> Vec<usize> {
    let threads = &task.program.threads;
    let first = |at: usize| threads.iter().position(|other| other.start == threads[at].start).unwrap_or(at);
    let is_ordered = matches!(task.bound, Some(Bound::Rounds(_)));
    (0..threads.len()).map(|at| if is_ordered { at } else { first(at) }).collect()
}

/// Whether whatever the bound allows after one tuple it also allows after another that is known: the configurations that
/// the thread of its last context can still reach were looked at together with it.
fn is_as_far(bound: Option<Bound>, known: &Tuple, tuple: &Tuple) -> bool {
    match bound {
        Some(Bound::Rounds(_)) => (known.used, known.active) <= (tuple.used, tuple.active),
        // At the start, going on is free.
        _ => (known.used, known.active.is_some()) <= (tuple.used, tuple.active.is_some()),
    }
}

/// The part of a view for which a condition on the shared values holds.
pub(super) fn remembering(view: &View, condition: &Bdd) -> Result<View, Halt> {
    let mut tops = Vec::new();
    for top in &view.tops {
        let set = top.set.and(condition)?;
        if !set.is_false() {
            tops.push(Top { set, ..top.clone() });
        }
    }
    Ok(View { tops })
}
