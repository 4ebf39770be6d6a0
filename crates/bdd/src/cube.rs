//! Sets of variables to quantify and maps from variables to variables.
//!
//! Both are made once and used often. They speak of variables, never of levels,
//! so they stay right when the order changes. Each has a number that is part of
//! the key in the operation cache; equal contents have equal numbers, so results
//! are found again across calls and clones.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::manager::Var;
use crate::session::{Raw, RawManager};

/// A set of variables, for quantification. Clones are cheap.
#[derive(Clone)]
pub struct Cube(pub(crate) Arc<CubeData>);

/// A map from variables to variables; others stay. Clones are cheap.
#[derive(Clone)]
pub struct Renaming(pub(crate) Arc<RenamingData>);

pub(crate) struct CubeData {
    /// The serial number of the manager.
    pub(crate) owner: u32,
    pub(crate) id: u32,
    vars: Box<[Var]>,
    /// By variable.
    member: Box<[bool]>,
    depth: Depth,
}

pub(crate) struct RenamingData {
    /// The serial number of the manager.
    pub(crate) owner: u32,
    pub(crate) id: u32,
    pairs: Box<[(Var, Var)]>,
    /// By variable.
    image: Box<[u32]>,
    depth: Depth,
}

/// The level below the lowest one of a set of variables, for the current order.
///
/// Above 32 bits: the number of reorderings that it was computed at, plus one.
#[derive(Default)]
struct Depth(AtomicU64);

impl Depth {
    #[inline]
    fn get(&self, raw: &Raw<'_>, vars: impl Iterator<Item = Var>) -> u32 {
        let epoch = (raw.reorder_count() + 1) as u32;
        let known = self.0.load(Ordering::Relaxed);
        if (known >> 32) as u32 == epoch {
            return known as u32;
        }
        let depth = vars.map(|v| raw.var_to_level(v.0) + 1).max().unwrap_or(0);
        let known = u64::from(epoch) << 32 | u64::from(depth);
        self.0.store(known, Ordering::Relaxed);
        depth
    }
}

impl CubeData {
    #[inline]
    pub(crate) fn contains(&self, var: u32) -> bool {
        self.member.get(var as usize).is_some_and(|&member| member)
    }

    /// No variable of the cube is at this level or below.
    #[inline]
    pub(crate) fn depth(&self, raw: &Raw<'_>) -> u32 {
        self.depth.get(raw, self.vars.iter().copied())
    }
}

impl RenamingData {
    #[inline]
    pub(crate) fn image(&self, var: u32) -> u32 {
        self.image.get(var as usize).copied().unwrap_or(var)
    }

    /// No variable at this level or below is renamed.
    #[inline]
    pub(crate) fn depth(&self, raw: &Raw<'_>) -> u32 {
        self.depth.get(raw, self.pairs.iter().map(|&(from, _)| from))
    }
}

impl Cube {
    /// The variables, in ascending order of identity.
    #[must_use]
    pub fn vars(&self) -> &[Var] {
        &self.0.vars
    }
}

impl Renaming {
    /// The pairs (from, to) that differ, in ascending order.
    #[must_use]
    pub fn pairs(&self) -> &[(Var, Var)] {
        &self.0.pairs
    }
}

impl fmt::Debug for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.vars()).finish()
    }
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.pairs().iter().map(|(from, to)| (from, to));
        f.debug_map().entries(pairs).finish()
    }
}

/// All cubes and renamings of a manager, by content.
#[derive(Default)]
pub(crate) struct Registry {
    cubes: BTreeMap<Box<[Var]>, Cube>,
    renamings: BTreeMap<Box<[(Var, Var)]>, Renaming>,
}

impl Registry {
    pub(crate) fn cube(&mut self, owner: u32, vars: &[Var]) -> Cube {
        let mut vars = vars.to_vec();
        vars.sort_unstable();
        vars.dedup();
        let vars = vars.into_boxed_slice();
        if let Some(known) = self.cubes.get(&vars) {
            return known.clone();
        }
        let mut member = vec![false; vars.last().map_or(0, |v| v.0 as usize + 1)];
        for var in &vars {
            member[var.0 as usize] = true;
        }
        let cube = Cube(Arc::new(CubeData {
            owner,
            id: self.cubes.len() as u32,
            vars: vars.clone(),
            member: member.into_boxed_slice(),
            depth: Depth::default(),
        }));
        self.cubes.insert(vars, cube.clone());
        cube
    }

    pub(crate) fn renaming(&mut self, owner: u32, pairs: &[(Var, Var)]) -> Renaming {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs.dedup();
        let distinct = pairs.windows(2).all(|p| p[0].0 != p[1].0);
        assert!(distinct, "a renaming sends a variable to one variable only");
        pairs.retain(|(from, to)| from != to);
        let pairs = pairs.into_boxed_slice();
        if let Some(known) = self.renamings.get(&pairs) {
            return known.clone();
        }
        let sources = pairs.last().map_or(0, |(from, _)| from.0 + 1);
        let mut image: Vec<u32> = (0..sources).collect();
        for (from, to) in &pairs {
            image[from.0 as usize] = to.0;
        }
        let renaming = Renaming(Arc::new(RenamingData {
            owner,
            id: self.renamings.len() as u32,
            pairs: pairs.clone(),
            image: image.into_boxed_slice(),
            depth: Depth::default(),
        }));
        self.renamings.insert(pairs, renaming.clone());
        renaming
    }
}
