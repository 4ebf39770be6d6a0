//! How calls are entered and crossed.
//!
//! Bebop enters a callee with what reaches the call and crosses it with every summary as it grows ([`AtOnce`]). Other
//! searches may enter with more, or hold path edges back at a call until crossing it pays.

use bdd::Bdd;
use program::{Call, EdgeId};

use crate::halt::Halt;
use crate::problem::Problem;

/// A way to enter and cross calls.
pub(crate) trait Calls {
    /// The path edges at an entry that path edges at a call lead to.
    fn enter(&self, problem: &Problem<'_>, edge: EdgeId, call: &Call, path_edges: &Bdd) -> Result<Bdd, Halt> {
        Ok(problem.encoding.call(edge, call)?.enter(path_edges)?)
    }

    /// Whether path edges are held back at a call edge; at the others they are sent across at once.
    fn hold(&self, _edge: EdgeId) -> bool {
        false
    }

    /// Holds new path edges back at a call edge.
    fn keep(&mut self, _edge: EdgeId, _path_edges: &Bdd) -> Result<(), Halt> {
        Ok(())
    }

    /// Whether there are path edges that are held back.
    fn hold_anything(&self) -> bool {
        false
    }

    /// The path edges that are to be sent across now. They are held back until the search has done that and says so, so
    /// that it can be repeated.
    fn release(&mut self, _problem: &Problem<'_>) -> Result<Release, Halt> {
        Ok(Release::All(Vec::new()))
    }

    /// Holds back nothing but these path edges at a call edge.
    fn keep_only(&mut self, _edge: EdgeId, _path_edges: Bdd) {}

    /// Holds back nothing any more, at any call edge.
    fn hold_no_more(&mut self) {}
}

/// Path edges that are not held back any longer.
pub(crate) enum Release {
    /// Those whose callees are finished.
    Finished(Vec<Part>),
    /// All of them, by call edge: from now on calls are crossed at once.
    All(Vec<(EdgeId, Bdd)>),
}

/// Path edges at a call edge, in two parts.
pub(crate) struct Part {
    pub(crate) edge: EdgeId,
    /// To be sent across.
    pub(crate) path_edges: Bdd,
    /// To be held back.
    pub(crate) rest: Bdd,
}

/// With what reaches the call, by the summary that is known so far: Bebop's way.
pub(crate) struct AtOnce;

impl Calls for AtOnce {}
