//! How much memory a manager may use.

/// Bytes that one entry of the operation cache takes.
pub(crate) const BYTES_PER_CACHE_ENTRY: u64 = 20;

/// Bytes that one node takes, its share of the unique tables included.
pub const BYTES_PER_NODE: u64 = 34;

/// More slots than the limit, so that the library's own collector, which wakes
/// at 95 % of the slots on another thread, never runs: it would make results
/// depend on timing. Slots that are never used cost address space only.
const SPARE_SLOTS: u64 = 1 << 17;

/// The library counts slots in 32 bits.
const MAX_SLOTS: u64 = u32::MAX as u64 - 2;

/// The budget of a [`Manager`](crate::Manager).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes for nodes, unique tables and the operation cache together.
    pub memory: u64,
    /// The most entries that the operation cache grows to; rounded up to a power
    /// of two.
    pub cache_entries: usize,
}

/// The share of a memory limit that diagrams may take, in percent; the rest is for the program and the evidence.
const DIAGRAM_SHARE: u64 = 70;
/// Memory for diagrams when there is no limit. It is taken only as it is needed.
const DEFAULT_MEMORY: u64 = 8 << 30;

impl Config {
    /// For a process that may take so many bytes, or any number of them.
    #[must_use]
    pub fn within(limit: Option<u64>) -> Self {
        Self::for_memory(limit.map_or(DEFAULT_MEMORY, |limit| limit / 100 * DIAGRAM_SHARE))
    }

    /// A budget of `bytes`, a sixteenth of it for the operation cache.
    #[must_use]
    pub fn for_memory(bytes: u64) -> Self {
        let entries = (bytes / 16 / BYTES_PER_CACHE_ENTRY).clamp(1 << 12, 1 << 23);
        // Rounded down to a power of two, because the cache rounds up.
        Self { memory: bytes, cache_entries: 1 << entries.ilog2() }
    }

    /// 64 MiB and a small cache: for unit tests and tiny programs.
    #[must_use]
    pub fn small() -> Self {
        Self { memory: 64 << 20, cache_entries: 1 << 16 }
    }

    /// How many nodes the budget pays for.
    pub(crate) fn node_limit(&self) -> usize {
        let cache = self.cache_entries as u64 * BYTES_PER_CACHE_ENTRY;
        let nodes = self.memory.saturating_sub(cache) / BYTES_PER_NODE;
        let limit = nodes.clamp(1 << 10, MAX_SLOTS / 17 * 16 - SPARE_SLOTS);
        limit as usize
    }

    /// How many slots the library reserves for [`Self::node_limit`].
    pub(crate) fn node_slots(&self) -> usize {
        let limit = self.node_limit() as u64;
        (limit + limit / 16 + SPARE_SLOTS) as usize
    }
}

impl Default for Config {
    /// 1 GiB.
    fn default() -> Self {
        Self::for_memory(1 << 30)
    }
}
