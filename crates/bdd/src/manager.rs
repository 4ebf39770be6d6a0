//! The owner of the nodes: variables, constants, collection, statistics.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::cache::CacheSize;
use crate::config::{BYTES_PER_CACHE_ENTRY, BYTES_PER_NODE, Config};
use crate::cube::{Cube, Renaming};
use crate::handle::Bdd;
use crate::session::{FALSE, Owned, RawManager, RawManagerRef, Session, Shared, Store, TRUE};
use crate::stop::{Interrupt, Stop};

/// A variable. It keeps its identity when the order changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// What a manager holds now, and the most it held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes in the store, garbage included.
    pub nodes: usize,
    /// The most nodes that were in the store.
    pub peak_nodes: usize,
    /// Bytes for nodes, tables and cache, estimated from the counts.
    pub bytes: u64,
    /// The most bytes, estimated likewise.
    pub peak_bytes: u64,
    /// Garbage collections, those of reorderings included.
    pub collections: u64,
    /// Declared variables.
    pub n_vars: usize,
    /// Reorderings.
    pub reorderings: u64,
}

/// The owner of all nodes of its BDDs. Clones are handles to the same manager.
///
/// Operations recurse once per level. Where the stack might not do for all levels,
/// they move to a larger one by themselves; with thousands of variables it is
/// faster to run on a thread that has a stack of 1 KiB per variable.
#[derive(Clone)]
pub struct Manager {
    pub(crate) store: Store,
    pub(crate) shared: Arc<Shared>,
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Manager").field(&self.stats()).finish()
    }
}

/// Fewer nodes than this are not worth a collection: it takes time, and what was cached is lost.
const WORTH_COLLECTING: usize = 1 << 23;

impl Manager {
    /// A manager without variables.
    ///
    /// Address space for all nodes is reserved at once, memory is taken when it
    /// is used.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let (limit, slots) = (config.node_limit(), config.node_slots());
        let cache = CacheSize::new(config.cache_entries);
        let store = Store::new_manager(slots, 2, cache.entries(), 1);
        let shared = Shared::new(limit, slots, cache);
        let manager = Self { store, shared: Arc::new(shared) };
        manager.with(|s| {
            let [f, t] = [false, true].map(|v| s.hold(s.constant(v)).node_id());
            assert!(f == FALSE && t == TRUE, "the constants have fixed numbers");
        });
        manager
    }

    pub(crate) fn with<T>(&self, op: impl for<'id> FnOnce(&Session<'_, 'id>) -> T) -> T {
        self.store.with_manager_shared(|raw| op(&Session::new(raw, &self.shared)))
    }

    #[cold]
    pub(crate) fn grow_cache(&self) {
        self.store.with_manager_exclusive(|raw| self.shared.cache.grow(raw));
    }

    pub(crate) fn build(
        &self,
        op: impl for<'id> FnOnce(&Session<'_, 'id>) -> Result<Owned<'id>, Stop>,
    ) -> Result<Bdd, Stop> {
        self.with(|s| Ok(Bdd::new(s, op(s)?, &self.shared)))
    }

    /// Declare `n` more variables, below all others in the order.
    pub fn add_vars(&self, n: usize) -> Vec<Var> {
        let range = self.store.with_manager_exclusive(|raw| raw.add_vars(n as u32));
        range.map(Var).collect()
    }

    /// How many variables are declared.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.with(|s| s.raw.num_vars() as usize)
    }

    /// The function that is always true.
    #[must_use]
    pub fn bdd_true(&self) -> Bdd {
        self.constant(true)
    }

    /// The function that is always false.
    #[must_use]
    pub fn bdd_false(&self) -> Bdd {
        self.constant(false)
    }

    /// A constant function.
    #[must_use]
    pub fn constant(&self, value: bool) -> Bdd {
        self.with(|s| Bdd::new(s, s.constant(value), &self.shared))
    }

    /// The variable itself if `value`, otherwise its negation.
    pub fn literal(&self, var: Var, value: bool) -> Result<Bdd, Stop> {
        self.build(|s| s.literal(var.0, value))
    }

    /// The conjunction of literals; false if two contradict.
    pub fn conjunction(&self, literals: &[(Var, bool)]) -> Result<Bdd, Stop> {
        self.build(|s| s.conjunction(literals))
    }

    /// A set of variables for quantification.
    ///
    /// # Panics
    /// If a variable is not declared.
    #[must_use]
    pub fn cube(&self, vars: &[Var]) -> Cube {
        self.check_declared(vars.iter().copied());
        let registry = self.shared.registry.lock();
        registry.unwrap_or_else(PoisonError::into_inner).cube(self.shared.serial, vars)
    }

    /// The map that sends the first of each pair to the second, all at once.
    ///
    /// # Panics
    /// If a variable is not declared or is sent to two variables.
    #[must_use]
    pub fn renaming(&self, pairs: &[(Var, Var)]) -> Renaming {
        self.check_declared(pairs.iter().flat_map(|&(from, to)| [from, to]));
        let registry = self.shared.registry.lock();
        registry.unwrap_or_else(PoisonError::into_inner).renaming(self.shared.serial, pairs)
    }

    fn check_declared(&self, mut vars: impl Iterator<Item = Var>) {
        let n_vars = self.n_vars();
        assert!(vars.all(|var| (var.0 as usize) < n_vars), "every variable is declared in this manager");
    }

    /// From now on, operations end with [`Stop::Interrupted`] when `interrupt`
    /// is requested.
    pub fn set_interrupt(&self, interrupt: Interrupt) {
        let mut place = self.shared.interrupt.write().unwrap_or_else(PoisonError::into_inner);
        *place = interrupt;
    }

    /// Free all nodes that no [`Bdd`] needs. This forgets all cached results.
    pub fn collect(&self) {
        self.with(|s| {
            self.shared.note_nodes(s.n_nodes());
            s.raw.gc();
        });
        // In a session of its own, because counts are settled at the end of one.
        let nodes = self.with(|s| s.recount_nodes());
        self.shared.survivors.store(nodes, Ordering::Relaxed);
        self.shared.cache.note_cleared();
    }

    /// [`collect`](Self::collect) if there is enough garbage to be worth the
    /// loss of the cached results. Call it where few temporaries are alive.
    pub fn collect_if_needed(&self) -> bool {
        let limit = self.shared.node_limit;
        let survivors = self.shared.survivors.load(Ordering::Relaxed);
        let nodes = self.with(|s| s.n_nodes());
        let doubled = nodes > WORTH_COLLECTING.max(2 * survivors);
        let nearly_full = nodes > limit / 4 * 3 && nodes > survivors + limit / 8;
        let needed = doubled || nearly_full;
        if needed {
            self.collect();
        }
        needed
    }

    /// Run `op`; if it runs out of nodes, collect garbage and run it once more.
    pub fn retrying<T>(&self, mut op: impl FnMut() -> Result<T, Stop>) -> Result<T, Stop> {
        match op() {
            Err(Stop::OutOfNodes) => {
                self.collect();
                op()
            }
            other => other,
        }
    }

    /// Counts of this manager. Cheap.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.with(|s| {
            let nodes = s.n_nodes();
            self.shared.note_nodes(nodes);
            let peak_nodes = self.shared.peak_nodes.load(Ordering::Relaxed);
            let cache = self.shared.cache.entries() as u64 * BYTES_PER_CACHE_ENTRY;
            let bytes = |nodes: usize| nodes as u64 * BYTES_PER_NODE + cache;
            Stats {
                nodes,
                peak_nodes,
                bytes: bytes(nodes),
                peak_bytes: bytes(peak_nodes),
                collections: s.raw.gc_count(),
                n_vars: s.raw.num_vars() as usize,
                reorderings: s.raw.reorder_count(),
            }
        })
    }
}
