//! The way back: evidence about a transformed program becomes evidence about the original.
//!
//! What is not listed in a [`WayBack`] is as it was, so that its size follows what a pass changed.

mod certificate;
mod trace;

use base::IdVec;
use program::{EdgeId, LocationId, Value, VariableId};

/// How the parts of a transformed program relate to those of the original.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WayBack {
    /// For each edge of the result, the edge of the original that it stands for; none: the edges are the same.
    pub edges: Option<IdVec<EdgeId, EdgeId>>,
    /// Edges of the result that end elsewhere than in the original, in order of edges.
    pub redirected: Vec<Redirected>,
    /// Locations of the original that were skipped, in order of locations.
    pub skips: Vec<Skip>,
    /// What edges of the result leave open although the original does not, in order of edges.
    pub forgotten: Vec<(EdgeId, Forgotten)>,
    /// Variables that the result no longer uses: values that it has for them mean nothing. In order.
    pub removed: Vec<VariableId>,
    /// Locations whose set in a certificate is not that of the same location of the result, in order of locations.
    pub locations: Vec<(LocationId, LocationBack)>,
    /// Values that the pass found and the result no longer tracks, in order of locations. They are inductive on the
    /// original by themselves, given which of its locations are never reached.
    pub facts: Vec<(LocationId, Vec<(VariableId, Value)>)>,
}

/// An edge of the result that stands for an edge of the original and steps without effect after it.
///
/// Those of a call come after its return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Redirected {
    /// The edge of the result.
    pub edge: EdgeId,
    /// Where the edge of the original ends: the first of the locations that are skipped.
    pub via: LocationId,
    /// How many steps follow.
    pub n_steps: u32,
}

/// A location of the original with nothing but a step without effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skip {
    /// The location.
    pub location: LocationId,
    /// The step.
    pub edge: EdgeId,
    /// Where the step ends.
    pub target: LocationId,
}

/// Variables that are arbitrary after an edge of the result, but not in the original: choices for them mean nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Forgotten {
    /// After the step, or after entering the call.
    pub entering: Vec<VariableId>,
    /// After leaving the call.
    pub leaving: Vec<VariableId>,
}

/// Where the set of a location of the original comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationBack {
    /// From the set of another location of the result.
    From(LocationId),
    /// Everything: no target can be reached from here.
    Everything,
    /// Nothing: no run comes here.
    Nothing,
}

impl WayBack {
    /// The edge of the original that an edge of the result stands for; the first one if there are more.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> EdgeId {
        match &self.edges {
            None => edge,
            Some(edges) => edges[edge],
        }
    }

    /// The steps without effect that follow this edge of the result in the original.
    pub fn steps_after(&self, edge: EdgeId) -> impl Iterator<Item = EdgeId> + '_ {
        let redirected = self.redirected.binary_search_by_key(&edge, |redirected| redirected.edge);
        let via = redirected.ok().map(|at| self.redirected[at].via);
        let first = via.and_then(|via| self.skip(via));
        std::iter::successors(first, |skip| self.skip(skip.target)).map(|skip| skip.edge)
    }

    fn skip(&self, location: LocationId) -> Option<Skip> {
        let at = self.skips.binary_search_by_key(&location, |skip| skip.location).ok()?;
        Some(self.skips[at])
    }

    fn forgotten(&self, edge: EdgeId) -> Option<&Forgotten> {
        let at = self.forgotten.binary_search_by_key(&edge, |(id, _)| *id).ok()?;
        Some(&self.forgotten[at].1)
    }

    /// How many edges of the first program each edge of the result stands for, given the same for the original of
    /// this pass. Empty: one each.
    #[must_use]
    pub fn lengths(&self, before: &[u32]) -> Vec<u32> {
        if before.is_empty() && self.redirected.is_empty() {
            return Vec::new();
        }
        let length = |edge: EdgeId| before.get(edge.0 as usize).copied().unwrap_or(1);
        let mut lengths: Vec<u32> = match &self.edges {
            None => before.to_vec(),
            Some(edges) => edges.iter().map(|edge| length(*edge)).collect(),
        };
        for redirected in &self.redirected {
            let steps = match before {
                [] => redirected.n_steps,
                _ => self.steps_after(redirected.edge).map(length).fold(0, u32::saturating_add),
            };
            let total = &mut lengths[redirected.edge.0 as usize];
            *total = total.saturating_add(steps);
        }
        lengths
    }
}
