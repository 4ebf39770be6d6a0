//! One operation's view of the library: nodes, the operation cache, limits.
//!
//! Everything that names OxiDD's types is in this module; the recursions are
//! written on [`Session`] alone. An edge that a recursion owns must be given
//! back to the library, also on the way out of an error: [`Session::hold`] does
//! that.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use oxidd_core::util::{EdgeDropGuard, Own, Ref};
use oxidd_core::{ApplyCache, HasApplyCache, HasLevel, InnerNode, LevelNo, LevelView, Node};
use oxidd_rules_bdd::simple::{BDDOp, BDDTerminal};

use crate::cache::CacheSize;
use crate::cube::Registry;
use crate::stop::{Interrupt, Stop};

pub(crate) use oxidd::bdd::{BDDFunction as Function, BDDManagerRef as Store};
pub(crate) use oxidd_core::{Manager as RawManager, ManagerRef as RawManagerRef};

/// The library's manager, behind its lock.
pub(crate) type Raw<'id> = <Store as RawManagerRef>::Manager<'id>;
/// A counted reference to a node.
pub(crate) type Owned<'id> = Own<<Raw<'id> as RawManager>::Edge>;
/// A borrowed reference to a node.
pub(crate) type Edge<'a, 'id> = Ref<'a, <Raw<'id> as RawManager>::Edge>;
/// A counted reference that gives itself back.
pub(crate) type Held<'a, 'id> = EdgeDropGuard<'a, Raw<'id>>;

/// Operator tags in the operation cache. The library's own operations are never
/// called, so its tags are free to mean what they mean here.
pub(crate) mod tag {
    use super::BDDOp;

    pub(crate) const NOT: BDDOp = BDDOp::Not;
    pub(crate) const AND: BDDOp = BDDOp::And;
    pub(crate) const OR: BDDOp = BDDOp::Or;
    pub(crate) const XOR: BDDOp = BDDOp::Xor;
    pub(crate) const IFF: BDDOp = BDDOp::Equiv;
    pub(crate) const IMPLIES: BDDOp = BDDOp::Imp;
    pub(crate) const DIFF: BDDOp = BDDOp::ImpStrict;
    pub(crate) const ITE: BDDOp = BDDOp::Ite;
    pub(crate) const EXISTS: BDDOp = BDDOp::Exists;
    pub(crate) const FORALL: BDDOp = BDDOp::Forall;
    pub(crate) const AND_EXISTS: BDDOp = BDDOp::ExistsAnd;
    pub(crate) const RENAME: BDDOp = BDDOp::Substitute;
    pub(crate) const AND_EXISTS_RENAME: BDDOp = BDDOp::ExistsImp;
    pub(crate) const CONSTRAIN: BDDOp = BDDOp::Unique;
    pub(crate) const RESTRICT: BDDOp = BDDOp::Restrict;
    pub(crate) const DISJOINT: BDDOp = BDDOp::ForallNand;
    pub(crate) const LEQ: BDDOp = BDDOp::ForallImp;
}
pub(crate) use oxidd_rules_bdd::simple::BDDOp as Tag;

/// Node identifiers of the constants, asserted when a manager is made.
pub(crate) const FALSE: usize = 0;
pub(crate) const TRUE: usize = 1;

/// Recursion steps between two looks at the interrupt and the node limit.
const PERIOD: u32 = 1024;

/// What a manager's handles share beside the library's own store.
pub(crate) struct Shared {
    /// Tells managers apart.
    pub(crate) serial: u32,
    pub(crate) node_limit: usize,
    pub(crate) node_slots: usize,
    pub(crate) cache: CacheSize,
    pub(crate) interrupt: RwLock<Interrupt>,
    pub(crate) registry: Mutex<Registry>,
    /// Nodes that survived the last collection.
    pub(crate) survivors: AtomicUsize,
    pub(crate) peak_nodes: AtomicUsize,
    /// How far the library's count of nodes was off after the last collection: it
    /// loses one in 65,536 deletions.
    drift: AtomicUsize,
    /// Steps left until the next look; kept between operations, so that many
    /// short operations look as often as one long one.
    fuel: AtomicU32,
}

impl Shared {
    pub(crate) fn new(node_limit: usize, node_slots: usize, cache: CacheSize) -> Self {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        Self {
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            node_limit,
            node_slots,
            cache,
            interrupt: RwLock::default(),
            registry: Mutex::default(),
            survivors: AtomicUsize::new(0),
            peak_nodes: AtomicUsize::new(0),
            drift: AtomicUsize::new(0),
            fuel: AtomicU32::new(PERIOD),
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        let interrupt = self.interrupt.read();
        interrupt.unwrap_or_else(PoisonError::into_inner).is_requested()
    }

    /// Nodes go away only in collections, so a look before each is exact.
    pub(crate) fn note_nodes(&self, nodes: usize) {
        self.peak_nodes.fetch_max(nodes, Ordering::Relaxed);
    }
}

/// The level and the two children of a node; a constant is below all levels.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, 'id: 'a> {
    pub(crate) level: LevelNo,
    pub(crate) hi: Edge<'a, 'id>,
    pub(crate) lo: Edge<'a, 'id>,
    itself: Edge<'a, 'id>,
}

impl<'a, 'id> View<'a, 'id> {
    /// The cofactors (high, low) by the variable at `level`, which is not below
    /// this node.
    #[inline]
    pub(crate) fn cofactors(&self, level: LevelNo) -> (Edge<'a, 'id>, Edge<'a, 'id>) {
        if self.level == level { (self.hi, self.lo) } else { (self.itself, self.itself) }
    }
}

/// Shared access to the library for the length of one operation.
pub(crate) struct Session<'a, 'id: 'a> {
    pub(crate) raw: &'a Raw<'id>,
    pub(crate) shared: &'a Shared,
    fuel: Cell<u32>,
}

impl Drop for Session<'_, '_> {
    fn drop(&mut self) {
        self.shared.fuel.store(self.fuel.get(), Ordering::Relaxed);
    }
}

impl<'a, 'id> Session<'a, 'id> {
    pub(crate) fn new(raw: &'a Raw<'id>, shared: &'a Shared) -> Self {
        Self { raw, shared, fuel: Cell::new(shared.fuel.load(Ordering::Relaxed)) }
    }

    /// Run `op` on a stack with room for a recursion through all levels.
    #[inline]
    pub(crate) fn deep<T>(&self, op: impl FnOnce() -> T) -> T {
        /// At most two frames per level, of at most 128 bytes when optimized.
        const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 2048 } else { 320 };
        let levels = self.raw.num_levels() as usize;
        if levels <= 128 {
            return op();
        }
        let need = levels * BYTES_PER_LEVEL + (64 << 10);
        stacker::maybe_grow(need, 2 * need, op)
    }

    /// Count one step of work, which is one miss of the cache; now and then look
    /// whether to go on.
    #[inline]
    pub(crate) fn tick(&self) -> Result<(), Stop> {
        let fuel = self.fuel.get();
        if fuel == 0 {
            return self.look();
        }
        self.fuel.set(fuel - 1);
        Ok(())
    }

    #[cold]
    fn look(&self) -> Result<(), Stop> {
        if self.shared.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        if self.n_nodes() >= self.shared.node_limit {
            return Err(Stop::OutOfNodes);
        }
        self.shared.cache.note_misses(PERIOD as usize);
        self.fuel.set(PERIOD);
        Ok(())
    }

    /// Nodes in the store, garbage included; what this session made may not be
    /// counted yet.
    pub(crate) fn n_nodes(&self) -> usize {
        let counted = self.raw.approx_num_inner_nodes();
        counted.saturating_sub(self.shared.drift.load(Ordering::Relaxed))
    }

    /// Count the nodes one by one.
    pub(crate) fn recount_nodes(&self) -> usize {
        let nodes = self.raw.num_inner_nodes();
        let drift = self.raw.approx_num_inner_nodes().saturating_sub(nodes);
        self.shared.drift.store(drift, Ordering::Relaxed);
        nodes
    }

    #[inline]
    pub(crate) fn constant(&self, value: bool) -> Owned<'id> {
        let terminal = if value { BDDTerminal::True } else { BDDTerminal::False };
        match self.raw.get_terminal(terminal) {
            Ok(edge) => edge,
            Err(_) => unreachable!("constants are never allocated"),
        }
    }

    #[inline]
    pub(crate) fn clone(&self, f: Edge<'_, 'id>) -> Owned<'id> {
        self.raw.clone_edge(f)
    }

    /// Own `edge` until the end of the scope.
    #[inline]
    pub(crate) fn hold(&self, edge: Owned<'id>) -> Held<'a, 'id> {
        EdgeDropGuard::new(self.raw, edge)
    }

    #[inline]
    pub(crate) fn view<'b>(&'b self, f: Edge<'b, 'id>) -> View<'b, 'id> {
        match self.raw.get_node(f) {
            Node::Inner(node) => View { level: node.level(), hi: node.child(0), lo: node.child(1), itself: f },
            Node::Terminal(_) => View { level: LevelNo::MAX, hi: f, lo: f, itself: f },
        }
    }

    /// The node `if level { hi } else { lo }`; both children are below `level`.
    #[inline]
    pub(crate) fn node(&self, level: LevelNo, hi: Owned<'id>, lo: Owned<'id>) -> Result<Owned<'id>, Stop> {
        if hi == lo {
            self.raw.drop_edge(lo);
            return Ok(hi);
        }
        let node = InnerNode::new(level, [hi, lo]);
        let inserted = self.raw.level(level).get_or_insert(node);
        inserted.map_err(|_| Stop::OutOfNodes)
    }

    /// The level of a variable.
    #[inline]
    pub(crate) fn level_of(&self, var: u32) -> LevelNo {
        self.raw.var_to_level(var)
    }

    /// The variable at a level.
    #[inline]
    pub(crate) fn var_at(&self, level: LevelNo) -> u32 {
        self.raw.level_to_var(level)
    }

    #[inline]
    pub(crate) fn literal(&self, var: u32, value: bool) -> Result<Owned<'id>, Stop> {
        let level = self.level_of(var);
        self.node(level, self.constant(value), self.constant(!value))
    }

    /// The cached result of `tag` on `operands` and `id` (of a cube or renaming).
    #[inline]
    pub(crate) fn cached(&self, tag: Tag, operands: &[Edge<'_, 'id>], id: &[u32]) -> Option<Owned<'id>> {
        let cache = self.raw.apply_cache();
        let ([edge], []) = cache.get_extended::<1, 0>(self.raw, tag, (operands, id))?;
        Some(edge)
    }

    #[inline]
    pub(crate) fn remember(&self, tag: Tag, operands: &[Edge<'_, 'id>], id: &[u32], result: &Owned<'id>) {
        let cache = self.raw.apply_cache();
        cache.add_extended(self.raw, tag, (operands, id), (&[result.borrowed()], &[]));
    }

    /// The cached truth of the relation `tag` between `f` and `g`.
    #[inline]
    pub(crate) fn cached_truth(&self, tag: Tag, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Option<bool> {
        let cache = self.raw.apply_cache();
        let ([], [truth]) = cache.get_extended::<0, 1>(self.raw, tag, (&[f, g], &[]))?;
        Some(truth != 0)
    }

    #[inline]
    pub(crate) fn remember_truth(&self, tag: Tag, f: Edge<'_, 'id>, g: Edge<'_, 'id>, truth: bool) {
        let cache = self.raw.apply_cache();
        let truth = u32::from(truth);
        cache.add_extended(self.raw, tag, (&[f, g], &[]), (&[], &[truth]));
    }
}

/// The value of a constant.
#[inline]
pub(crate) fn value(f: Edge<'_, '_>) -> Option<bool> {
    match f.node_id() {
        FALSE => Some(false),
        TRUE => Some(true),
        _ => None,
    }
}

/// One representative of `{f, g}`, for commutative operations.
#[inline]
pub(crate) fn ordered<'a, 'id>(f: Edge<'a, 'id>, g: Edge<'a, 'id>) -> (Edge<'a, 'id>, Edge<'a, 'id>) {
    if f > g { (g, f) } else { (f, g) }
}
