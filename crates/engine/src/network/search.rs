//! The worklist: tuples in order of how much of the bound they have used.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use bdd::Stop;
use program::{Bound, LocationId};

use super::Network;
use super::crew::{Known, Office, Wait};
use super::partition::singletons;
use super::subsume::{Inclusion, marks};
use super::turn::{Ask, Done, Turns};
use super::view::{BOTTOM, Stacks, StateId, Top, Tuple, View};
use crate::halt::Halt;
use crate::{Context, Task};

/// How a target was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A thread starts there.
    AtStart,
    /// In the context of a thread that follows a tuple.
    After(usize, usize),
}

/// A turn that is to be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The tuple.
    pub(super) at: usize,
    /// Whether it is the first one after this tuple.
    is_first: bool,
    pub(super) thread: usize,
    /// What is used of the bound then.
    used: u32,
    /// At most so many contexts may follow.
    pub(super) left: u64,
}

/// The search.
pub(super) struct Search<'t, 's, 'p, 'c> {
    pub(super) task: &'t Task<'t>,
    pub(super) context: &'t Context<'t>,
    pub(super) turns: Turns<'t, 's, 'p>,
    pub(super) stacks: Stacks,
    pub(super) tuples: Vec<Tuple>,
    /// Used of the bound, number of contexts, number of the tuple.
    worklist: BTreeSet<(u32, u32, usize)>,
    /// Used of the bound and number of contexts, of the tuples after which turns are taken now.
    layer: Option<(u32, u32)>,
    inclusion: Inclusion,
    pub(super) found: BTreeMap<LocationId, Found>,
    /// Tuples taken from the worklist.
    pub(super) n_inspected: u64,
    /// Turns taken.
    pub(super) n_turns: u64,
    /// Whether a thread was not let run because of the bound.
    is_cut: bool,
    /// Others who take turns.
    pub(super) office: Office<'c>,
}

impl<'t, 's, 'p, 'c> Search<'t, 's, 'p, 'c> {
    pub(super) fn new(
        task: &'t Task<'t>,
        context: &'t Context<'t>,
        turns: Turns<'t, 's, 'p>,
        office: Office<'c>,
    ) -> Self {
        Self {
            task,
            context,
            inclusion: Inclusion::new(alike(task), turns.split == Network::Eager),
            turns,
            stacks: Stacks::new(),
            tuples: Vec::new(),
            worklist: BTreeSet::new(),
            layer: None,
            found: BTreeMap::new(),
            n_inspected: 0,
            n_turns: 0,
            is_cut: false,
            office,
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

    /// The bound within which everything was looked at, when the search was stopped in the layer at hand.
    pub(super) fn finished(&self) -> Option<Bound> {
        let (used, n_contexts) = self.layer?;
        match self.task.bound? {
            // Turns after tuples with `used` switches make one more, except after the start, where going on is free.
            Bound::Switches(_) => (n_contexts > 0).then_some(Bound::Switches(used)),
            // Tuples of the round at hand are not all known yet; those of earlier rounds are, with all turns after them.
            Bound::Rounds(_) => (used > 0).then_some(Bound::Rounds(used)),
        }
    }

    /// Nodes of the diagrams of all tuples together, whoever made them.
    pub(super) fn n_nodes(&self) -> u64 {
        let views = self.tuples.iter().flat_map(|tuple| &tuple.views);
        let sets = views.flat_map(|view| &view.tops).map(|top| &top.set);
        let sets = sets.chain(self.tuples.iter().map(|tuple| &tuple.shared)).chain(self.stacks.sets());
        self.turns.runner.space.encoding().manager().count_nodes(sets) as u64
    }

    /// Layer by layer. What turns after the tuples of a layer lead to is in later ones, so they do not depend on each other;
    /// and it is taken up in their order, whoever took them and when.
    pub(super) fn run(&mut self) -> Result<(), Halt> {
        self.start()?;
        while !self.is_done() && !self.worklist.is_empty() {
            let jobs = self.next_layer();
            let is_open = |target: &&LocationId| !self.found.contains_key(*target);
            let open: Arc<[LocationId]> = self.task.targets.iter().filter(is_open).copied().collect();
            for (number, job) in jobs.iter().enumerate() {
                if self.is_done() {
                    break;
                }
                self.context.budget.step()?;
                self.n_inspected += u64::from(job.is_first);
                self.n_turns += 1;
                let done = self.turn(&jobs, number, &open)?;
                self.take_up(*job, done)?;
                self.turns.runner.space.encoding().manager().collect_if_needed();
            }
        }
        Ok(())
    }

    /// The turns after all tuples that have used as much of the bound, and are as many contexts away, as the first one.
    fn next_layer(&mut self) -> Vec<Job> {
        let n_threads = self.task.program.threads.len();
        let mut jobs = Vec::new();
        self.layer = self.worklist.first().map(|(used, n_contexts, _)| (*used, *n_contexts));
        while let Some(entry) = self.worklist.first().copied()
            && Some((entry.0, entry.1)) == self.layer
        {
            self.worklist.remove(&entry);
            let at = entry.2;
            let n_before = jobs.len();
            // Who comes after the thread of the last context is first.
            let first = self.tuples[at].active.map_or(0, |active| active + 1);
            for thread in (first..first + n_threads).map(|thread| thread % n_threads) {
                if let Some(used) = self.allowed(at, thread) {
                    let left = self.contexts_left(thread, used);
                    jobs.push(Job { at, is_first: jobs.len() == n_before, thread, used, left });
                }
            }
            self.n_inspected += u64::from(jobs.len() == n_before);
        }
        jobs
    }

    /// Takes a turn, or waits for somebody who does.
    fn turn(&mut self, jobs: &[Job], number: usize, open: &Arc<[LocationId]>) -> Result<Done, Halt> {
        let job = jobs[number];
        let is_cut = self.is_cut;
        if let Some(crew) = self.office.crew(jobs.len() - number, self.n_turns) {
            let manager = self.turns.runner.space.encoding().manager();
            let known = Known { tuples: &self.tuples, stacks: &self.stacks, manager };
            let wait = Wait { jobs, number, open, is_cut, context: self.context };
            match crew.done(&wait, &known) {
                // The others have less room.
                Err(Halt::Diagram(Stop::OutOfNodes)) => {}
                done => return done,
            }
        }
        let wants_more = move || job.left > 0 || !is_cut;
        let ask = Ask { thread: job.thread, open, is_exact: job.left > 1, wants_more: &wants_more };
        self.turns.take(&self.stacks, &self.tuples[job.at].views, &ask)
    }

    /// Notes what a turn has reached and led to.
    fn take_up(&mut self, job: Job, done: Done) -> Result<(), Halt> {
        for target in done.reached {
            self.found.entry(target).or_insert(Found::After(job.at, job.thread));
        }
        if let Some(halt) = done.halt {
            return Err(halt);
        }
        if self.is_done() || (job.left == 0 && self.is_cut) {
            return Ok(());
        }
        let firsts: Vec<StateId> = done.layers.into_iter().map(|rows| self.stacks.add(rows)).collect();
        for successor in done.successors.into_iter().flatten() {
            let (before, n_contexts) = (&self.tuples[job.at].views, self.tuples[job.at].n_contexts + 1);
            let mut others = successor.others.into_iter();
            let mut own = Some(Rc::new(Stacks::settle(successor.own, firsts[successor.layer])));
            let mut views = Vec::new();
            for (thread, view) in before.iter().enumerate() {
                let own = if thread == job.thread { own.take() } else { None };
                let moved = || others.next().flatten().map(|tops| Rc::new(View { tops }));
                views.push(own.or_else(moved).unwrap_or_else(|| Rc::clone(view)));
            }
            let (active, parent) = (Some(job.thread), Some(job.at));
            self.add(Tuple { views, shared: successor.shared, active, used: job.used, n_contexts, parent })?;
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.task.targets.iter().all(|target| self.found.contains_key(target))
    }

    /// Every thread is at its start; all of them agree about the shared values.
    fn start(&mut self) -> Result<(), Halt> {
        let (program, space) = (self.task.program, self.turns.runner.space);
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
        let parts = match self.turns.split {
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
    fn allowed(&mut self, at: usize, thread: usize) -> Option<u32> {
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
        starts.all(|entry| self.turns.runner.space.is_open(*entry))
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

    /// Adds a tuple unless it is part of one that is known; those that are part of it are not looked at any more.
    fn add(&mut self, tuple: Tuple) -> Result<(), Halt> {
        self.context.budget.check()?;
        let bound = self.task.bound;
        let is_wanted = |known: &Tuple| is_as_far(bound, known, &tuple);
        if self.inclusion.is_part(&self.stacks, &self.tuples, &tuple, is_wanted)? {
            return Ok(());
        }
        let marks = marks(&tuple);
        let mut superseded = Vec::new();
        for (used, n_contexts, at) in &self.worklist {
            let known = &self.tuples[*at];
            if is_as_far(bound, &tuple, known)
                && self.inclusion.is_contained(&self.stacks, (*at, known), &tuple, &marks)?
            {
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
        self.inclusion.note(&tuple);
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
