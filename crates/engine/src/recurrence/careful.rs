//! How the search for runs without end enters and crosses calls: so that path edges stay small where procedures call
//! themselves and work on arrays.

use bdd::Bdd;
use program::{Call, EdgeId};

use super::entries::Entries;
use super::finish::Waiting;
use crate::halt::Halt;
use crate::problem::Problem;
use crate::summary::calls::{Calls, Release};

/// A way to enter and cross calls.
pub(super) struct Careful {
    pub(super) entries: Entries,
    pub(super) crossing: Crossing,
}

/// When calls are crossed.
pub(super) enum Crossing {
    /// With every summary as it grows.
    AtOnce,
    /// When what they enter is finished.
    WhenFinished(Waiting),
}

impl Careful {
    /// Calls are entered and crossed as Bebop does it.
    pub(super) fn plain() -> Self {
        Self { entries: Entries::Reached, crossing: Crossing::AtOnce }
    }

    /// After the search: every call of a recursion was finished, so no run calls and calls for ever.
    pub(super) fn recursion_ends(&self) -> bool {
        matches!(self.crossing, Crossing::WhenFinished(_))
    }

    fn waiting(&self) -> Option<&Waiting> {
        match &self.crossing {
            Crossing::AtOnce => None,
            Crossing::WhenFinished(waiting) => Some(waiting),
        }
    }

    fn waiting_mut(&mut self) -> Option<&mut Waiting> {
        match &mut self.crossing {
            Crossing::AtOnce => None,
            Crossing::WhenFinished(waiting) => Some(waiting),
        }
    }
}

impl Calls for Careful {
    fn enter(&self, problem: &Problem<'_>, edge: EdgeId, call: &Call, path_edges: &Bdd) -> Result<Bdd, Halt> {
        let images = problem.encoding.call(edge, call)?;
        match &self.entries {
            Entries::Reached => Ok(images.enter(path_edges)?),
            Entries::Open(open) => open.enter(problem, edge, &images, path_edges),
        }
    }

    fn hold(&self, edge: EdgeId) -> bool {
        self.waiting().is_some_and(|waiting| waiting.waits(edge))
    }

    fn keep(&mut self, edge: EdgeId, path_edges: &Bdd) -> Result<(), Halt> {
        self.waiting_mut().map_or(Ok(()), |waiting| waiting.add(edge, path_edges))
    }

    fn hold_anything(&self) -> bool {
        self.waiting().is_some_and(Waiting::is_any)
    }

    fn release(&mut self, problem: &Problem<'_>) -> Result<Release, Halt> {
        self.waiting_mut().map_or(Ok(Release::All(Vec::new())), |waiting| waiting.release(problem))
    }

    fn keep_only(&mut self, edge: EdgeId, path_edges: Bdd) {
        if let Some(waiting) = self.waiting_mut() {
            waiting.keep_only(edge, path_edges);
        }
    }

    fn hold_no_more(&mut self) {
        self.crossing = Crossing::AtOnce;
    }
}
