//! Implication and disjointness, decided without building a node.

use crate::apply::{AND, DIFF, Unary, is_commutative, simplify};
use crate::session::{Edge, Session, Tag, ordered, tag, value};
use crate::stop::Stop;

const fn tag_of(table: u8) -> Tag {
    match table {
        AND => tag::DISJOINT,
        DIFF => tag::LEQ,
        _ => panic!("not a comparison"),
    }
}

impl<'id> Session<'_, 'id> {
    /// Is the connective `TABLE` of `f` and `g` false everywhere?
    pub(crate) fn never<const TABLE: u8>(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Result<bool, Stop> {
        match simplify::<TABLE>(f, g) {
            Some(Unary::Constant(v)) => return Ok(!v),
            Some(Unary::Same(h)) => return Ok(value(h) == Some(false)),
            Some(Unary::Negated(h)) => return Ok(value(h) == Some(true)),
            None => {}
        }
        let (f, g) = if is_commutative(TABLE) { ordered(f, g) } else { (f, g) };
        let tag = const { tag_of(TABLE) };
        if let Some(truth) = self.cached_truth(tag, f, g) {
            return Ok(truth);
        }
        self.tick()?;
        let (fv, gv) = (self.view(f), self.view(g));
        let level = fv.level.min(gv.level);
        let (f1, f0) = fv.cofactors(level);
        let (g1, g0) = gv.cofactors(level);
        let truth = self.never::<TABLE>(f1, g1)? && self.never::<TABLE>(f0, g0)?;
        self.remember_truth(tag, f, g, truth);
        Ok(truth)
    }
}
