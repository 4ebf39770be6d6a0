//! Regular sets of configurations, as users write them.
//!
//! A configuration is the shared values and the stack: the running frame on top, the frames that wait for their callees
//! below it. A set is given by regular expressions over the locations of the stack, from the top down:
//!
//! ```text
//! set     := pattern ("|" pattern)*
//! pattern := state? ("[" condition "]")? "<" stack ">"
//! stack   := row ("|" row)*                     one or the other
//! row     := (item ("*" | "+" | "?")?)*         one after the other; nothing at all: the empty stack
//! item    := symbol ("[" condition "]")? | "." ("[" condition "]")? | "(" stack ")"
//! symbol  := a label | procedure "::" label | procedure ":" n | procedure ":" "exit" | procedure
//! ```
//!
//! - `state` is a control state of a pushdown system; programs of other languages have none.
//! - `.` is any location, but no exit on top of the stack: a procedure at its exit has returned. `procedure:n` is the n-th location of a procedure, `procedure:exit` its exits, and
//!   `procedure` alone where it is entered. A frame that waits is where it goes on after the call.
//! - The condition before `<` is about the top of the stack: shared variables, and locals of the running frame.
//!   A condition after a symbol is about the locals of that frame (on top: about shared variables as well).
//!   What conditions look like, [`crate::condition`] says.
//! - The empty stack is the end of the run: the outermost procedure is at an exit.
//!
//! Modules: `parse` reads sets, `names` says what locations are called.

mod names;
mod parse;

pub use names::{location_label, location_name};
pub use parse::{SetError, parse};

use program::{Expr, LocationId, Program};

/// A regular set of configurations: an automaton whose states are the places of the expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfigurationSet {
    /// The places.
    pub places: Vec<Place>,
    /// Where the top of the stack may be, each with a condition on the shared values and the running frame.
    pub first: Vec<(usize, Expr)>,
}

/// One symbol of the expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where the frame is, in ascending order.
    pub locations: Vec<LocationId>,
    /// A condition on the frame (over the values before).
    pub condition: Expr,
    /// The places that may be next further down.
    pub next: Vec<usize>,
    /// Whether the stack may end here.
    pub is_last: bool,
}

impl ConfigurationSet {
    /// The configurations in which a sequential program starts.
    #[must_use]
    pub fn start(program: &Program) -> Self {
        let entry = program.threads.first().and_then(|thread| program.procedures[thread.start].entries.first());
        let Some(entry) = entry else { return Self::default() };
        let place =
            Place { locations: vec![*entry], condition: program.start.clone(), next: Vec::new(), is_last: true };
        Self { places: vec![place], first: vec![(0, Expr::TRUE)] }
    }

    /// All configurations in which one of some locations is on top.
    #[must_use]
    pub fn on_top(program: &Program, locations: &[LocationId]) -> Self {
        let mut locations = locations.to_vec();
        locations.sort_unstable();
        locations.dedup();
        let below =
            Place { locations: program.locations.ids().collect(), condition: Expr::TRUE, next: vec![1], is_last: true };
        let top = Place { locations, ..below.clone() };
        Self { places: vec![top, below], first: vec![(0, Expr::TRUE)] }
    }

    /// All conditions that occur in it.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let places = self.places.iter().map(|place| &place.condition);
        places.chain(self.first.iter().map(|(_, condition)| condition))
    }
}

#[cfg(test)]
mod tests;
