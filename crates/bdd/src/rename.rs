//! Renaming of variables, also fused with conjunction and quantification.
//!
//! A renaming is a simultaneous substitution of variables by variables. Where it
//! keeps the order on what it meets, a node becomes a node, so it costs the size
//! of the BDD. Where it does not, that node becomes an if-then-else: slower, and
//! still right. The test looks at the renamed children only, so variables that
//! do not occur, or are quantified, never matter.

use crate::apply::{AND, OR};
use crate::cube::RenamingData;
use crate::quantify::Quantified;
use crate::session::{Edge, Owned, Session, ordered, tag, value};
use crate::stop::Stop;

/// A renaming with what the recursion needs of the current order.
#[derive(Clone, Copy)]
pub(crate) struct Renamed<'a> {
    pub(crate) renaming: &'a RenamingData,
    pub(crate) depth: u32,
}

/// One number for a cube and a renaming, if both numbers are small enough.
pub(crate) fn pair_id(q: Quantified<'_>, r: Renamed<'_>) -> Option<u32> {
    let small = q.cube.id < 1 << 16 && r.renaming.id < 1 << 16;
    small.then_some(q.cube.id << 16 | r.renaming.id)
}

impl<'id> Session<'_, 'id> {
    pub(crate) fn renamed<'b>(&self, renaming: &'b RenamingData) -> Renamed<'b> {
        assert!(renaming.owner == self.shared.serial, "a renaming is used in its own manager");
        Renamed { renaming, depth: renaming.depth(self.raw) }
    }

    /// If `var` then `hi` else `lo`, wherever `var` is in the order.
    pub(crate) fn branch(&self, var: u32, hi: Owned<'id>, lo: Owned<'id>) -> Result<Owned<'id>, Stop> {
        let level = self.level_of(var);
        let below = |f: &Owned<'id>| self.view(f.borrowed()).level > level;
        if below(&hi) && below(&lo) {
            return self.node(level, hi, lo);
        }
        let (hi, lo) = (self.hold(hi), self.hold(lo));
        let condition = self.hold(self.literal(var, true)?);
        self.ite(condition.borrowed(), hi.borrowed(), lo.borrowed())
    }

    pub(crate) fn rename(&self, f: Edge<'_, 'id>, r: Renamed<'_>) -> Result<Owned<'id>, Stop> {
        let view = self.view(f);
        if view.level >= r.depth {
            return Ok(self.clone(f));
        }
        if let Some(result) = self.cached(tag::RENAME, &[f], &[r.renaming.id]) {
            return Ok(result);
        }
        self.tick()?;
        let hi = self.hold(self.rename(view.hi, r)?);
        let lo = self.rename(view.lo, r)?;
        let var = r.renaming.image(self.var_at(view.level));
        let result = self.branch(var, hi.into_edge(), lo)?;
        self.remember(tag::RENAME, &[f], &[r.renaming.id], &result);
        Ok(result)
    }

    /// `rename(exists cube. f & g)` in one pass; `id` is the [`pair_id`].
    pub(crate) fn and_exists_rename(
        &self,
        f: Edge<'_, 'id>,
        g: Edge<'_, 'id>,
        q: Quantified<'_>,
        r: Renamed<'_>,
        id: u32,
    ) -> Result<Owned<'id>, Stop> {
        if value(f) == Some(false) || value(g) == Some(false) {
            return Ok(self.constant(false));
        }
        let (fv, gv) = (self.view(f), self.view(g));
        let level = fv.level.min(gv.level);
        if level >= q.depth.max(r.depth) {
            return self.binary::<AND>(f, g);
        }
        let (f1, f0) = fv.cofactors(level);
        let (g1, g0) = gv.cofactors(level);
        let (f, g) = ordered(f, g);
        if let Some(result) = self.cached(tag::AND_EXISTS_RENAME, &[f, g], &[id]) {
            return Ok(result);
        }
        self.tick()?;
        let var = self.var_at(level);
        let hi = self.hold(self.and_exists_rename(f1, g1, q, r, id)?);
        let result = if !q.cube.contains(var) {
            let lo = self.and_exists_rename(f0, g0, q, r, id)?;
            self.branch(r.renaming.image(var), hi.into_edge(), lo)?
        } else if value(hi.borrowed()) == Some(true) {
            hi.into_edge()
        } else {
            let lo = self.hold(self.and_exists_rename(f0, g0, q, r, id)?);
            self.binary::<OR>(hi.borrowed(), lo.borrowed())?
        };
        self.remember(tag::AND_EXISTS_RENAME, &[f, g], &[id], &result);
        Ok(result)
    }
}
