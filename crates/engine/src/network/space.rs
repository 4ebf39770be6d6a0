//! The diagrams of contexts: which copies of the shared variables mean what.
//!
//! While a thread runs, `Current` is now and `Origin` is when its context began. To compare two origins with each
//! other, the second of them is in the `Saved` copies, which nothing else uses between contexts.

use bdd::{Bdd, Cube, Renaming, Stop, Var};
use encode::{Copy, Encoding, Transfers};
use program::{LocationId, Program, Scope, VariableId};

use crate::halt::Halt;

/// Sets of variables, renamings and conditions that all parts of the engine use.
pub(super) struct Space<'s, 'p> {
    pub(super) transfers: &'s Transfers<'s, 'p>,
    /// Shared variables that occur.
    pub(super) shared: Vec<VariableId>,
    /// Their copies, in ascending order.
    pub(super) current: Vec<Var>,
    pub(super) origin: Vec<Var>,
    pub(super) forget_current: Cube,
    pub(super) forget_origin: Cube,
    pub(super) forget_saved: Cube,
    /// Everything in a top transition but the current and the original shared values.
    pub(super) forget_own: Cube,
    /// Everything in a top transition but the original shared values.
    pub(super) forget_all: Cube,
    pub(super) current_to_origin: Renaming,
    pub(super) current_to_saved: Renaming,
    pub(super) origin_to_saved: Renaming,
    /// Now is when the context began.
    pub(super) diagonal: Bdd,
    /// The original values come before the saved ones in an order of all values.
    pub(super) before: Bdd,
    /// The original values are not the saved ones.
    pub(super) distinct: Bdd,
    /// Another thread may go on.
    pub(super) interruptible: Bdd,
}

impl<'s, 'p> Space<'s, 'p> {
    pub(super) fn new(transfers: &'s Transfers<'s, 'p>) -> Result<Self, Halt> {
        let encoding = transfers.encoding();
        let (manager, slots, program) = (encoding.manager(), encoding.slots(), encoding.program());
        let is_shared = |id: &VariableId| program.variables[*id].scope == Scope::Shared;
        let shared: Vec<VariableId> = encoding.globals().iter().copied().filter(is_shared).collect();
        let copy = |copy: Copy| -> Vec<Var> {
            let mut vars = encoding.copies(shared.iter().copied(), copy);
            vars.sort_unstable();
            vars
        };
        let [current, origin, saved] = [Copy::Current, Copy::Origin, Copy::Saved].map(copy);
        let renaming = |from: Copy, to: Copy| encoding.renaming(shared.iter().copied(), from, to);
        let entry: Vec<Var> = slots.all(Copy::Entry).collect();
        let own = slots.all(Copy::Current).filter(|var| current.binary_search(var).is_err());
        let own: Vec<Var> = own.chain(entry.iter().copied()).collect();
        let mut diagonal = manager.bdd_true();
        for variable in shared.iter().rev() {
            diagonal = diagonal.and(&encoding.equality(*variable, Copy::Origin, Copy::Current)?)?;
        }
        let before = before(encoding, &origin, &saved)?;
        let interruptible = transfers.condition(&program.uninterruptible)?.not()?;
        Ok(Self {
            forget_current: manager.cube(&current),
            forget_origin: manager.cube(&origin),
            forget_saved: manager.cube(&saved),
            forget_own: manager.cube(&own),
            forget_all: manager.cube(&[own.as_slice(), &current].concat()),
            current_to_origin: renaming(Copy::Current, Copy::Origin),
            current_to_saved: renaming(Copy::Current, Copy::Saved),
            origin_to_saved: renaming(Copy::Origin, Copy::Saved),
            diagonal,
            distinct: before.or(&self::before(encoding, &saved, &origin)?)?,
            before,
            interruptible,
            current,
            origin,
            shared,
            transfers,
        })
    }

    pub(super) fn encoding(&self) -> &'s Encoding<'p> {
        self.transfers.encoding()
    }

    pub(super) fn program(&self) -> &'p Program {
        self.encoding().program()
    }

    pub(super) fn nothing(&self) -> Bdd {
        self.encoding().manager().bdd_false()
    }

    pub(super) fn everything(&self) -> Bdd {
        self.encoding().manager().bdd_true()
    }

    /// Whether another thread may go on while the top frame is here.
    pub(super) fn is_open(&self, location: LocationId) -> bool {
        !self.program().locations[location].atomic
    }
}

/// Values at first variables, read as a number, are less than those at second ones.
fn before(encoding: &Encoding<'_>, first: &[Var], second: &[Var]) -> Result<Bdd, Stop> {
    let manager = encoding.manager();
    let mut result = manager.bdd_false();
    for (first, second) in first.iter().zip(second).rev() {
        let (first, second) = (manager.literal(*first, true)?, manager.literal(*second, true)?);
        // The first bit that differs decides.
        result = second.diff(&first)?.or(&first.iff(&second)?.and(&result)?)?;
    }
    Ok(result)
}
