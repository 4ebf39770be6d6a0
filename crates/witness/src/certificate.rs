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
//! I(l) is the conjunction of: a decision diagram ([`Set`]) over the bits named by [`Certificate::columns`], the
//! equality of the entry and current value of every variable in `unchanged` of the procedure, and the equality of
//! the variables in `facts` of the location with constants. A location without a set is never reached.

use bdd::Dag;
use program::{LocationId, ProcedureId, Value, VariableId};

/// A proof that some locations are never reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// The locations that are claimed to be unreachable.
    pub targets: Vec<LocationId>,
    /// What the variables of the diagrams stand for, topmost first: `dag` variable i is `columns[i]`.
    pub columns: Vec<Column>,
    /// Per procedure, the variables whose entry and current values agree at every location.
    pub unchanged: Vec<(ProcedureId, Vec<VariableId>)>,
    /// Per location, in order; locations that are missing are never reached.
    pub sets: Vec<(LocationId, Set)>,
    /// The diagrams, shared.
    pub dag: Dag,
}

/// The states at one location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    /// Root in the diagrams: an index into `dag.roots`.
    pub root: u32,
    /// Variables that have a known value at the location.
    pub facts: Vec<(VariableId, Value)>,
}

/// One bit of a variable, in one of its two copies.
///
/// The bits of a variable: a Boolean has bit 0; a bit vector has bits 0 (least significant) to n-1; an enumeration
/// has the position of its value in binary; an array has the bits of its elements one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
