//! The order of diagram variables for a bounded question, learnt from the same question with a smaller bound.
//!
//! Sets that record the shared variables at every switch depend on the order more than any others, and which order is
//! good does not depend on the bound.

use calculus::{Control, Model, Options, Order, Plan, Solver};
use encode::Supply;
use program::{Bound, Program};

use super::{Formula, How};
use crate::Context;
use crate::problem::manager;

/// The bound of a rehearsal: what a thread does before and after another one had its turn takes two switches.
const ENOUGH: u32 = 2;

impl Formula {
    /// The order to begin with; none if there is nothing to learn it from.
    pub(super) fn rehearse(
        &self,
        program: &Program,
        bound: Option<Bound>,
        supply: &mut Supply<'_>,
        how: How,
        context: &Context<'_>,
    ) -> Option<Order> {
        let smaller = |k: u32| ENOUGH.min(k - 1);
        let bound = match bound? {
            Bound::Switches(k) if k > 1 => Bound::Switches(smaller(k)),
            Bound::Rounds(k) if k > 1 => Bound::Rounds(smaller(k)),
            Bound::Switches(_) | Bound::Rounds(_) => return None,
        };
        let is_explicit = self.control == Control::Explicit && !how.literal;
        if program.threads.len() < 2 || !is_explicit || !self.has_parameter("k") {
            return None;
        }
        let system = self.resolve(supply, Some(bound)).ok()?;
        let plan = Plan::new(&system, supply.signature(), self.control);
        let manager = manager(program, context);
        let options = Options { enough: how.ends.then(|| supply.n_target_points()), ..Options::default() };
        // Whatever stops the rehearsal stops the real thing as well, and is told there.
        let mut solver = Solver::new(&plan, supply, manager, options, context.budget, context.observer).ok()?;
        solver.solve_queries(&[how.query]).ok()?;
        solver.learn_order().ok()?
    }
}
