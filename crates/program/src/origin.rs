//! Where in the source the parts of a program come from.

use base::{IdVec, Span};

use crate::{EdgeId, LocationId, VariableId};

/// Source places of a program's parts. A part without a place was made by the front end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins {
    /// The head of the statement that is about to be executed at a location (`if (x)`, not its branches).
    pub locations: IdVec<LocationId, Option<Span>>,
    /// The head of the statement that an edge executes.
    pub edges: IdVec<EdgeId, Option<Span>>,
    /// The declaration of a variable.
    pub variables: IdVec<VariableId, Option<Span>>,
}
