//! What is asked of a program.

use crate::{LocationId, Program, Role, VariableId};

/// A location that may or may not be reached, and why it is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The location.
    pub location: LocationId,
    /// Why it is asked about.
    pub kind: TargetKind,
}

/// How far the interleavings of a concurrent program are followed. `init` runs before and counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// At most so many changes of the active thread; the first thread to run is free.
    Switches(u32),
    /// At most so many rounds. In a round the threads have one turn each, in order; a turn may be empty.
    Rounds(u32),
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switches(1) => f.write_str("1 context switch"),
            Self::Switches(n) => write!(f, "{n} context switches"),
            Self::Rounds(1) => f.write_str("1 round"),
            Self::Rounds(n) => write!(f, "{n} rounds"),
        }
    }
}

/// What a name that a source declares for its configurations means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Proposition {
    /// It holds everywhere.
    Everywhere,
    /// It holds while the location is the current one.
    Location(LocationId),
    /// It holds while the variable, of an enumeration, has the value at this position.
    Value(VariableId, u32),
}

/// Why a location is asked about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TargetKind {
    /// Being there means that an assertion was violated.
    Assertion,
    /// The user named it.
    Label(String),
    /// Every statement is asked about.
    Statement,
}

impl Program {
    /// One target per assertion, in order of locations.
    #[must_use]
    pub fn assertion_targets(&self) -> Vec<Target> {
        let violations = self.locations.iter_ids().filter(|(_, location)| location.role == Role::Violation);
        violations.map(|(location, _)| Target { location, kind: TargetKind::Assertion }).collect()
    }

    /// The targets that a label names: `LABEL` (in every procedure that has it) or `procedure::LABEL`; a procedure called
    /// `thread::procedure` may be named without its thread.
    #[must_use]
    pub fn label_targets(&self, name: &str) -> Vec<Target> {
        let carries = |id: LocationId| {
            let location = &self.locations[id];
            let procedure = &self.procedures[location.procedure].name;
            location.labels.iter().any(|label| means(name, procedure, label))
        };
        let target = |location| Target { location, kind: TargetKind::Label(name.to_owned()) };
        self.locations.ids().filter(|id| carries(*id)).map(target).collect()
    }
}

/// Whether a name means a label of a procedure.
fn means(name: &str, procedure: &str, label: &str) -> bool {
    let of_procedure =
        |named: &str| procedure.strip_suffix(named).is_some_and(|thread| thread.is_empty() || thread.ends_with("::"));
    name == label || name.strip_suffix(label).and_then(|rest| rest.strip_suffix("::")).is_some_and(of_procedure)
}

#[cfg(test)]
mod tests {
    use super::means;

    #[test]
    fn labels_are_named_alone_with_their_procedure_or_with_their_thread_as_well() {
        for name in ["L", "p::L", "t::p::L"] {
            assert!(means(name, "t::p", "L"), "{name}");
        }
        for name in ["M", "::L", "t::L", "q::L", "::p::L", "u::t::p::L"] {
            assert!(!means(name, "t::p", "L"), "{name}");
        }
        assert!(!means("p::L", "pp", "L"));
    }
}
