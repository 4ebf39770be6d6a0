//! Negation, the binary connectives and if-then-else.
//!
//! One recursion serves all binary connectives: a connective is its truth table,
//! four bits known at compile time, and the terminal cases follow from the table.

use crate::session::{Edge, Owned, Session, Tag, ordered, tag, value};
use crate::stop::Stop;

/// Truth tables: bit `2 * f + g` is the value at `(f, g)`.
pub(crate) const AND: u8 = 0b1000;
pub(crate) const OR: u8 = 0b1110;
pub(crate) const XOR: u8 = 0b0110;
pub(crate) const IFF: u8 = 0b1001;
pub(crate) const IMPLIES: u8 = 0b1011;
pub(crate) const DIFF: u8 = 0b0100;

/// The value of the connective `table` at `(f, g)`.
pub(crate) const fn at(table: u8, f: bool, g: bool) -> bool {
    table >> (2 * f as u8 + g as u8) & 1 == 1
}

/// Does the order of the operands not matter?
pub(crate) const fn is_commutative(table: u8) -> bool {
    at(table, false, true) == at(table, true, false)
}

const fn tag_of(table: u8) -> Tag {
    match table {
        AND => tag::AND,
        OR => tag::OR,
        XOR => tag::XOR,
        IFF => tag::IFF,
        IMPLIES => tag::IMPLIES,
        DIFF => tag::DIFF,
        _ => panic!("not a connective"),
    }
}

/// A connective with one operand left.
pub(crate) enum Unary<'a, 'id: 'a> {
    Constant(bool),
    Same(Edge<'a, 'id>),
    Negated(Edge<'a, 'id>),
}

/// Simplify `table` at `(f, g)` when an operand is constant or both are equal.
#[inline]
pub(crate) fn simplify<'a, 'id, const TABLE: u8>(f: Edge<'a, 'id>, g: Edge<'a, 'id>) -> Option<Unary<'a, 'id>> {
    let (operand, when_false, when_true) = if f == g {
        let both = |v| const { [at(TABLE, false, false), at(TABLE, true, true)] }[v as usize];
        (f, both(false), both(true))
    } else if let Some(v) = value(f) {
        (g, at(TABLE, v, false), at(TABLE, v, true))
    } else if let Some(v) = value(g) {
        (f, at(TABLE, false, v), at(TABLE, true, v))
    } else {
        return None;
    };
    Some(match (when_false, when_true) {
        (false, true) => Unary::Same(operand),
        (true, false) => Unary::Negated(operand),
        (constant, _) => Unary::Constant(constant),
    })
}

impl<'id> Session<'_, 'id> {
    pub(crate) fn not(&self, f: Edge<'_, 'id>) -> Result<Owned<'id>, Stop> {
        if let Some(v) = value(f) {
            return Ok(self.constant(!v));
        }
        if let Some(result) = self.cached(tag::NOT, &[f], &[]) {
            return Ok(result);
        }
        self.tick()?;
        let view = self.view(f);
        let hi = self.hold(self.not(view.hi)?);
        let lo = self.not(view.lo)?;
        let result = self.node(view.level, hi.into_edge(), lo)?;
        self.remember(tag::NOT, &[f], &[], &result);
        Ok(result)
    }

    /// The connective `TABLE` of `f` and `g`.
    pub(crate) fn binary<const TABLE: u8>(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Result<Owned<'id>, Stop> {
        match simplify::<TABLE>(f, g) {
            Some(Unary::Constant(v)) => return Ok(self.constant(v)),
            Some(Unary::Same(h)) => return Ok(self.clone(h)),
            Some(Unary::Negated(h)) => return self.not(h),
            None => {}
        }
        let (f, g) = if is_commutative(TABLE) { ordered(f, g) } else { (f, g) };
        let tag = const { tag_of(TABLE) };
        if let Some(result) = self.cached(tag, &[f, g], &[]) {
            return Ok(result);
        }
        self.tick()?;
        let (fv, gv) = (self.view(f), self.view(g));
        let level = fv.level.min(gv.level);
        let (f1, f0) = fv.cofactors(level);
        let (g1, g0) = gv.cofactors(level);
        let hi = self.hold(self.binary::<TABLE>(f1, g1)?);
        let lo = self.binary::<TABLE>(f0, g0)?;
        let result = self.node(level, hi.into_edge(), lo)?;
        self.remember(tag, &[f, g], &[], &result);
        Ok(result)
    }

    /// If `f` then `g` else `h`.
    pub(crate) fn ite(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>, h: Edge<'_, 'id>) -> Result<Owned<'id>, Stop> {
        if let Some(v) = value(f) {
            return Ok(self.clone(if v { g } else { h }));
        }
        if g == h {
            return Ok(self.clone(g));
        }
        match (value(g), value(h)) {
            (Some(true), _) => return self.binary::<OR>(f, h),
            (Some(false), Some(_)) => return self.not(f),
            (Some(false), None) => return self.binary::<DIFF>(h, f),
            (None, Some(true)) => return self.binary::<IMPLIES>(f, g),
            (None, Some(false)) => return self.binary::<AND>(f, g),
            (None, None) => {}
        }
        if f == g {
            return self.binary::<OR>(f, h);
        }
        if f == h {
            return self.binary::<AND>(f, g);
        }
        if let Some(result) = self.cached(tag::ITE, &[f, g, h], &[]) {
            return Ok(result);
        }
        self.tick()?;
        let (fv, gv, hv) = (self.view(f), self.view(g), self.view(h));
        let level = fv.level.min(gv.level).min(hv.level);
        let (f1, f0) = fv.cofactors(level);
        let (g1, g0) = gv.cofactors(level);
        let (h1, h0) = hv.cofactors(level);
        let hi = self.hold(self.ite(f1, g1, h1)?);
        let lo = self.ite(f0, g0, h0)?;
        let result = self.node(level, hi.into_edge(), lo)?;
        self.remember(tag::ITE, &[f, g, h], &[], &result);
        Ok(result)
    }
}
