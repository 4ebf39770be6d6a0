//! Existential and universal quantification, also fused with conjunction.

use crate::apply::{AND, OR};
use crate::cube::CubeData;
use crate::session::{Edge, Owned, Session, ordered, tag, value};
use crate::stop::Stop;

/// A cube with what the recursion needs of the current order.
#[derive(Clone, Copy)]
pub(crate) struct Quantified<'a> {
    pub(crate) cube: &'a CubeData,
    pub(crate) depth: u32,
}

impl<'id> Session<'_, 'id> {
    pub(crate) fn quantified<'b>(&self, cube: &'b CubeData) -> Quantified<'b> {
        assert!(cube.owner == self.shared.serial, "a cube is used in its own manager");
        Quantified { cube, depth: cube.depth(self.raw) }
    }

    /// `exists cube. f` if `EXISTS`, otherwise `forall cube. f`.
    pub(crate) fn quantify<const EXISTS: bool>(&self, f: Edge<'_, 'id>, q: Quantified<'_>) -> Result<Owned<'id>, Stop> {
        let view = self.view(f);
        if view.level >= q.depth {
            return Ok(self.clone(f));
        }
        let tag = if EXISTS { tag::EXISTS } else { tag::FORALL };
        if let Some(result) = self.cached(tag, &[f], &[q.cube.id]) {
            return Ok(result);
        }
        self.tick()?;
        let hi = self.hold(self.quantify::<EXISTS>(view.hi, q)?);
        let result = if !q.cube.contains(self.var_at(view.level)) {
            let lo = self.quantify::<EXISTS>(view.lo, q)?;
            self.node(view.level, hi.into_edge(), lo)?
        } else if value(hi.borrowed()) == Some(EXISTS) {
            hi.into_edge()
        } else {
            let lo = self.hold(self.quantify::<EXISTS>(view.lo, q)?);
            let (hi, lo) = (hi.borrowed(), lo.borrowed());
            if EXISTS { self.binary::<OR>(hi, lo)? } else { self.binary::<AND>(hi, lo)? }
        };
        self.remember(tag, &[f], &[q.cube.id], &result);
        Ok(result)
    }

    /// `exists cube. f & g`, without building the conjunction.
    pub(crate) fn and_exists(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>, q: Quantified<'_>) -> Result<Owned<'id>, Stop> {
        match (value(f), value(g)) {
            (Some(false), _) | (_, Some(false)) => return Ok(self.constant(false)),
            (Some(true), _) => return self.quantify::<true>(g, q),
            (_, Some(true)) => return self.quantify::<true>(f, q),
            (None, None) => {}
        }
        if f == g {
            return self.quantify::<true>(f, q);
        }
        let (fv, gv) = (self.view(f), self.view(g));
        let level = fv.level.min(gv.level);
        if level >= q.depth {
            return self.binary::<AND>(f, g);
        }
        let (f1, f0) = fv.cofactors(level);
        let (g1, g0) = gv.cofactors(level);
        let (f, g) = ordered(f, g);
        if let Some(result) = self.cached(tag::AND_EXISTS, &[f, g], &[q.cube.id]) {
            return Ok(result);
        }
        self.tick()?;
        let hi = self.hold(self.and_exists(f1, g1, q)?);
        let result = if !q.cube.contains(self.var_at(level)) {
            let lo = self.and_exists(f0, g0, q)?;
            self.node(level, hi.into_edge(), lo)?
        } else if value(hi.borrowed()) == Some(true) {
            hi.into_edge()
        } else {
            let lo = self.hold(self.and_exists(f0, g0, q)?);
            self.binary::<OR>(hi.borrowed(), lo.borrowed())?
        };
        self.remember(tag::AND_EXISTS, &[f, g], &[q.cube.id], &result);
        Ok(result)
    }
}
