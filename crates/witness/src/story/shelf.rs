//! Bodies, each of them once.

use std::hash::BuildHasher as _;

use base::IdVec;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Body, BodyId};

/// Bodies, each of them once.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    bodies: IdVec<BodyId, Body>,
    by_hash: FxHashMap<u64, Vec<BodyId>>,
}

impl Shelf {
    /// The id of a body; an equal one is found again.
    pub(super) fn add(&mut self, body: Body) -> BodyId {
        let same = self.by_hash.entry(FxBuildHasher.hash_one(&body)).or_default();
        let found = same.iter().find(|id| self.bodies[**id] == body);
        if let Some(id) = found {
            return *id;
        }
        let id = self.bodies.push(body);
        same.push(id);
        id
    }

    /// Steps and depth of a body.
    pub(super) fn measures(&self, body: BodyId) -> (u64, u32) {
        (self.bodies[body].n_steps, self.bodies[body].max_depth)
    }

    /// All bodies.
    pub(super) fn finish(self) -> IdVec<BodyId, Body> {
        self.bodies
    }
}
