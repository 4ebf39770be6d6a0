//! The way back: evidence about a transformed program becomes evidence about the original.

use base::IdVec;
use program::{EdgeId, LocationId, Value, VariableId};

/// How the parts of a transformed program relate to those of the original.
#[derive(Clone, Debug)]
pub struct WayBack {
    /// For each edge of the result, what it stands for.
    pub edges: IdVec<EdgeId, EdgeBack>,
    /// For each location, where its set in a certificate comes from.
    pub locations: IdVec<LocationId, LocationBack>,
    /// For each location, variables with a value that the pass found and the result no longer tracks.
    pub facts: IdVec<LocationId, Vec<(VariableId, Value)>>,
}

/// What an edge of the result stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeBack {
    /// Edges of the original, one after the other; at least one, and at most one that is not a step without effect.
    pub path: Vec<EdgeId>,
    /// Variables whose value after this edge is arbitrary in the result, but not in the original: a trace's choices
    /// for them mean nothing.
    pub forget: Vec<VariableId>,
}

/// Where the set of a location of the original comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationBack {
    /// From the set of a location of the result, usually itself.
    From(LocationId),
    /// Everything: no target can be reached from here.
    Everything,
}
