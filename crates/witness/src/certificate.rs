//! Certificates: per-location sets that prove that no run reaches a target.
//!
//! Let p be a procedure and l one of its locations. The certificate gives a relation I(l) between states: (e, c) is in
//! I(l) only if e is a state at an entry of p and c a state at l. The claim that it proves: whenever a run is at l
//! with data c, in a frame that was entered with data e, then (e, c) is in I(l). It proves it by being inductive:
//!
//! 1. start: (s, s) is in I(entry) for every initial state s of the thread's start procedure;
//! 2. step from l to m by R: (e, c) in I(l) and R(c, d) imply (e, d) in I(m);
//! 3. call from l to m: (e, c) in I(l) and enter(c, f) imply (f, f) in I(entry of the callee);
//! 4. return: (e, c) in I(l), enter(c, f), (f, x) in I(exit of the callee) and leave(c, x, d) imply (e, d) in I(m);
//! 5. target: I(t) is empty for every target t.
//!
//! I(l) is nothing (a location without a set is never reached), or everything that agrees with some facts
//! ([`Set::Facts`]: the equality of current values with constants), or the conjunction of such facts with a decision
//! diagram over the bits that the procedure's [`Frame`] names and with the equality of the entry and current value
//! of every variable in `unchanged` of the frame.

use bdd::Dag;
use program::{LocationId, ProcedureId, Value, VariableId};

/// A proof that some locations are never reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// The locations that are claimed to be unreachable.
    pub targets: Vec<LocationId>,
    /// What the diagrams' variables mean, per procedure; procedures share variables, so the number of variables
    /// follows the largest procedure. Ordered by procedure; a procedure without a frame has no columns.
    pub frames: Vec<(ProcedureId, Frame)>,
    /// Per location, in order; locations that are missing are never reached.
    pub sets: Vec<(LocationId, Set)>,
    /// The diagrams, shared. Variable numbers are positions in the order, topmost first.
    pub dag: Dag,
}

/// What is known throughout a procedure, and what the variables of the diagrams mean in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// Which bit each variable of the diagrams stands for, in ascending order of diagram variables. Diagram variables
    /// that are not listed do not occur in the sets of this procedure.
    pub columns: Vec<(u32, Column)>,
    /// Variables whose entry and current values agree at every location that has a diagram.
    pub unchanged: Vec<VariableId>,
}

/// The states at one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Set {
    /// All pairs of states in which these variables have these current values; without facts: everything. The frame's
    /// `unchanged` does not count here: no target can be reached from such a location, so nothing more is claimed.
    Facts(Vec<(VariableId, Value)>),
    /// The pairs in a diagram that agree with the facts and with the frame's `unchanged`.
    Diagram {
        /// An index into `dag.roots`.
        root: u32,
        /// Variables that have a known current value at the location.
        facts: Vec<(VariableId, Value)>,
    },
}

/// One bit of a variable, in one of its two copies.
///
/// The bits of a variable: a Boolean has bit 0; a bit vector has bits 0 (least significant) to n-1; an enumeration
/// has the position of its value in binary, in as few bits as the last position needs; an array has the bits of its
/// elements one after the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column {
    /// The variable.
    pub variable: VariableId,
    /// Which of its bits.
    pub bit: u32,
    /// Which copy.
    pub copy: Copy,
}

/// Which value of a variable is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Copy {
    /// At the entry of the procedure.
    Entry,
    /// Now.
    Current,
}

impl Certificate {
    /// The frame of a procedure, if it has one.
    #[must_use]
    pub fn frame(&self, procedure: ProcedureId) -> Option<&Frame> {
        let at = self.frames.binary_search_by_key(&procedure, |(procedure, _)| *procedure).ok()?;
        Some(&self.frames[at].1)
    }
}
