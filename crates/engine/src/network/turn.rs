//! One turn: a context of one thread after a tuple, and the tuples that it leads to.
//!
//! What comes out depends on the tuple, the thread and what is asked alone. So turns may be taken anywhere and in any
//! order; only who takes them has an influence on how long that takes.

use std::rc::Rc;

use bdd::Bdd;
use program::LocationId;

use super::Network;
use super::confluence::conflicts;
use super::context::{Ended, Part, Runner};
use super::partition::{safe, singletons};
use super::view::{Draft, Row, Stacks, Top, View};
use crate::Context;
use crate::halt::Halt;
use crate::saturation::automaton::Automaton;

/// Takes turns.
pub(super) struct Turns<'t, 's, 'p> {
    pub(super) context: &'t Context<'t>,
    pub(super) runner: Runner<'s, 'p>,
    pub(super) split: Network,
}

/// What is asked of a turn.
pub(super) struct Ask<'a> {
    pub(super) thread: usize,
    /// Targets that were not known to be reached when the turn was planned.
    pub(super) open: &'a [LocationId],
    /// Whether more than one context may follow. Else views need not fit together, for it does not matter what the threads
    /// without a turn are doing; nothing is split.
    pub(super) is_exact: bool,
    /// Whether anybody wants to know what it leads to; asked when the context is over.
    pub(super) wants_more: &'a dyn Fn() -> bool,
}

/// What a turn leads to.
#[derive(Clone, Debug)]
pub(super) struct Done<S = Bdd> {
    /// Open targets that are reached.
    pub(super) reached: Vec<LocationId>,
    /// What the thread has pushed.
    pub(super) layers: Vec<Vec<Row<S>>>,
    /// Why the context was not run to its end.
    pub(super) halt: Option<Halt>,
    /// The tuples; none if all targets are reached or nobody wants to know.
    pub(super) successors: Option<Vec<Successor<S>>>,
}

/// A tuple after a turn.
#[derive(Clone, Debug)]
pub(super) struct Successor<S = Bdd> {
    /// The view of the thread that had its turn, above this layer.
    pub(super) layer: usize,
    pub(super) own: Draft<S>,
    /// The tops of the views of all other threads, in order; none: unchanged.
    pub(super) others: Vec<Option<Vec<Top<S>>>>,
    pub(super) shared: S,
}

impl Turns<'_, '_, '_> {
    /// Lets a thread run for a context.
    pub(super) fn take(&mut self, stacks: &Stacks, views: &[Rc<View>], ask: &Ask<'_>) -> Result<Done, Halt> {
        let view = self.first_view(&views[ask.thread])?;
        let halt = self.run_to_targets(stacks, &view, ask.open).err();
        let automaton = &self.runner.post.automaton;
        let is_reached = |target: &&LocationId| automaton.tops_at(**target).next().is_some();
        let reached: Vec<LocationId> = ask.open.iter().filter(is_reached).copied().collect();
        let is_open = reached.len() < ask.open.len();
        let mut done = Done { reached, layers: Vec::new(), halt, successors: None };
        if is_open && done.halt.is_none() && (ask.wants_more)() {
            let ended = self.runner.ended()?;
            self.follow(views, ask, &ended, &mut done)?;
        }
        Ok(done)
    }

    /// The view of a thread as its context begins; lazily, it remembers how.
    fn first_view(&self, view: &View) -> Result<View, Halt> {
        match self.split {
            Network::Lazy => remembering(view, &self.runner.space.diagonal),
            Network::Eager => Ok(View::clone(view)),
        }
    }

    fn run_to_targets(&mut self, stacks: &Stacks, view: &View, open: &[LocationId]) -> Result<(), Halt> {
        let mut open = open.to_vec();
        let mut is_enough = move |automaton: &Automaton| {
            // The last one is looked at first; the list is gone through once.
            while open.last().is_some_and(|target| automaton.tops_at(*target).next().is_some()) {
                open.pop();
            }
            Ok(open.is_empty())
        };
        self.runner.run(stacks, view, &mut is_enough)
    }

    /// The tuples that a context leads to.
    fn follow(&self, before: &[Rc<View>], ask: &Ask<'_>, ended: &Ended, done: &mut Done) -> Result<(), Halt> {
        let space = self.runner.space;
        let effect = ended.effect(space)?;
        let others: Vec<&View> =
            before.iter().enumerate().filter(|(other, _)| *other != ask.thread).map(|(_, view)| &**view).collect();
        let mut successors = Vec::new();
        match self.split {
            Network::Lazy => {
                let conflicts = if ask.is_exact { conflicts(space, ended, &effect, &others)? } else { space.nothing() };
                let values = effect.exists(&space.forget_current)?;
                for (layer, part) in safe(space, &values, &conflicts, self.context)?.iter().enumerate() {
                    let (rows, own) = ended.draft(space, &Part { origins: part, forgets: true })?;
                    let effect = effect.and(part)?;
                    let shared = effect.exists(&space.forget_origin)?;
                    done.layers.push(rows);
                    successors.push(Successor { layer, own, others: self.moved(&others, &effect)?, shared });
                }
            }
            Network::Eager => {
                let all = Part { origins: &space.everything(), forgets: false };
                let (rows, own) = ended.draft(space, &all)?;
                done.layers.push(rows);
                for shared in singletons(space, &effect, self.context)? {
                    let own = own.remembering(&shared)?;
                    successors.push(Successor { layer: 0, own, others: self.moved(&others, &shared)?, shared });
                }
            }
        }
        done.successors = Some(successors);
        Ok(())
    }

    /// The views of threads without a turn after an effect on the shared values.
    fn moved(&self, others: &[&View], effect: &Bdd) -> Result<Vec<Option<Vec<Top>>>, Halt> {
        let space = self.runner.space;
        let mut views = Vec::new();
        for view in others {
            let mut tops = Vec::new();
            for top in &view.tops {
                let origin = top.set.rename(&space.current_to_origin)?;
                let set = origin.and_exists(effect, &space.forget_origin)?;
                if !set.is_false() {
                    tops.push(Top { set, ..top.clone() });
                }
            }
            views.push((tops != view.tops).then_some(tops));
        }
        Ok(views)
    }
}

impl Draft {
    /// The part for which a condition on the shared values holds.
    fn remembering(&self, condition: &Bdd) -> Result<Self, Halt> {
        let old = remembering_tops(&self.old, condition)?;
        let mut new = Vec::new();
        for (location, at, set) in &self.new {
            let set = set.and(condition)?;
            if !set.is_false() {
                new.push((*location, *at, set));
            }
        }
        Ok(Self { old, new })
    }
}

/// The part of a view for which a condition on the shared values holds.
pub(super) fn remembering(view: &View, condition: &Bdd) -> Result<View, Halt> {
    Ok(View { tops: remembering_tops(&view.tops, condition)? })
}

fn remembering_tops(tops: &[Top], condition: &Bdd) -> Result<Vec<Top>, Halt> {
    let mut some = Vec::new();
    for top in tops {
        let set = top.set.and(condition)?;
        if !set.is_false() {
            some.push(Top { set, ..top.clone() });
        }
    }
    Ok(some)
}
