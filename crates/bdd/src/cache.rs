//! The operation cache grows with the work.
//!
//! The library makes its cache once, at full size: 20 MB for a million entries,
//! which takes longer than many small programs do. Also, a small cache stays in
//! the processor's, where a look costs a fraction of one in memory; it takes a
//! lot of work before what a larger one remembers is worth more than that. So a
//! manager starts with a small cache and gets one four times as large whenever
//! there were [`MISSES_PER_ENTRY`], up to the size in [`Config`](crate::Config).
//! What was cached is forgotten then, which happens a handful of times in the
//! life of a manager.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use oxidd_core::HasApplyCache;
use oxidd_rules_bdd::simple::BDDOp;

use crate::session::Raw;

const FIRST_ENTRIES: usize = 1 << 16;
const GROWTH: usize = 4;
/// Quicksort of six elements takes two thirds of the time that it takes with 2; from 8 to 32 it hardly matters, and for
/// seven it is best with 8.
const MISSES_PER_ENTRY: usize = 8;

/// How large the cache is, and whether it should be larger.
pub(crate) struct CacheSize {
    entries: AtomicUsize,
    most: usize,
    /// Since the cache was last empty.
    misses: AtomicUsize,
    too_small: AtomicBool,
}

impl CacheSize {
    pub(crate) fn new(most: usize) -> Self {
        let most = most.max(1).next_power_of_two();
        Self {
            entries: AtomicUsize::new(most.min(FIRST_ENTRIES)),
            most,
            misses: AtomicUsize::new(0),
            too_small: AtomicBool::new(false),
        }
    }

    pub(crate) fn entries(&self) -> usize {
        self.entries.load(Ordering::Relaxed)
    }

    /// Count `more` misses.
    pub(crate) fn note_misses(&self, more: usize) {
        let misses = self.misses.fetch_add(more, Ordering::Relaxed) + more;
        let entries = self.entries();
        if entries < self.most && misses > MISSES_PER_ENTRY * entries {
            self.too_small.store(true, Ordering::Relaxed);
        }
    }

    /// The cache was emptied: the misses to come say nothing about its size.
    pub(crate) fn note_cleared(&self) {
        self.misses.store(0, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_too_small(&self) -> bool {
        self.too_small.load(Ordering::Relaxed)
    }

    /// Give `raw` a larger, empty cache, if it should have one.
    pub(crate) fn grow(&self, raw: &mut Raw<'_>) {
        if !self.too_small.swap(false, Ordering::Relaxed) {
            return;
        }
        let entries = (self.entries() * GROWTH).min(self.most);
        replace(raw, entries);
        self.entries.store(entries, Ordering::Relaxed);
        self.note_cleared();
    }
}

/// The one use of `unsafe` in this crate.
#[allow(unsafe_code, reason = "the library has no safe way to size its cache after the start")]
fn replace<'id>(raw: &mut Raw<'id>, entries: usize) {
    let place = HasApplyCache::<Raw<'id>, BDDOp>::apply_cache_mut(raw);
    // SAFETY: the contract is that the cache is only used in a manager that
    // deletes nodes between `pre_gc` and `post_gc` alone. It takes the place of
    // one that the library itself put there under the same contract. No such
    // pair is open now, because `raw` is borrowed exclusively.
    *place = unsafe { oxidd_cache::direct::DMApplyCache::with_capacity(entries) };
}
